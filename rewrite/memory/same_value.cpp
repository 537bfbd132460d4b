#include "rewrite/memory/same_value.h"

#include <cmath>
#include <limits>
#include <map>

#include "ir/evaluation.h"
#include "ir/visit.h"
#include "rewrite/memory/undef_decides.h"
#include "rewrite/site/data_vars.h"
#include "rewrite/site/places.h"
#include "verify/memory/content.h"
#include "verify/memory/kept.h"
#include "verify/prove/made_by.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace {

/// The memory that is allocated around `at` inside of a branch: where the branch is not taken it does not exist.
std::set<Var> memory_of_branches(const PrimFunc& func, const Path& at) {
  std::set<Var> out;
  bool branch = false;
  for (size_t depth = 0; depth < at.size(); ++depth) {
    const Stmt s = stmt_at(func, Path(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(depth)));
    if (const AllocBuffer* a = s.as<AllocBuffer>(); a && branch) out.insert(a->buffer->data);
    if (const Allocate* a = s.as<Allocate>(); a && branch) out.insert(a->data);
    branch = branch || s.as<If>() || (s.as<Block>() && s.as<Block>()->predicate);
  }
  return out;
}

/// What the function's flags promise of the data: `nnan` that no cell holds a NaN, `ninf` that none holds an infinity.
/// Not of results: an operation that is new makes no promise for itself, so infinity times zero stays a question. Nor
/// of cells that the program has only where the branch around `at` is taken.
std::vector<Expr> granted_finite(const PrimFunc& func, const Path& at, const Expr& value,
                                 std::vector<std::string>* used) {
  std::vector<Expr> out;
  bool nnan = func.granted("nnan"), ninf = func.granted("ninf");
  if (!nnan && !ninf) return out;
  const std::set<Var> own = memory_of_branches(func, at);
  visit_expr(value, [&](const Expr& e) {
    if (e->op != Op::Load || !e->dtype.is_float() || !e->dtype.is_scalar() || own.count(e->buffer()->data)) return true;
    double infinity = std::numeric_limits<double>::infinity();
    if (nnan) out.push_back(eq(e, e));
    if (ninf) out.push_back(land(ne(e, fimm(e->dtype, infinity)), ne(e, fimm(e->dtype, -infinity))));
    return true;
  });
  if (!out.empty() && nnan) used->push_back("nnan");
  if (!out.empty() && ninf) used->push_back("ninf");
  return out;
}

/// The value is zero before anything is rounded: products have a factor that is, quotients a dividend. (The bits of a
/// product that is too small are those of a zero; fused, or regrouped, it is none.)
Expr is_exact_zero(const PrimFunc& func, const Expr& e) {
  auto zero = [&](const Expr& part) { return is_exact_zero(func, part); };
  if (e->op == Op::Mul) return lor(zero(e->args[0]), zero(e->args[1]));
  if (e->op == Op::Div) return zero(e->args[0]);
  if (e->op == Op::Select || e->op == Op::IfThenElse) {
    return lor(land(e->args[0], zero(e->args[1])), land(lnot(e->args[0]), zero(e->args[2])));
  }
  return comes_from(func, e, is_float_arithmetic) ? boolean(false) : eq(e, fimm(e->dtype, 0.0));
}

/// Does nothing read the memory but sums that go back to the cell they read, and is the store one of them? Then nobody
/// sees what a cell holds before the last one. And does it hold numbers that nobody computed before the first one?
/// Then, where the granted flags leave the grouping of sums open, one more zero among the operands gives no value that
/// was not possible before: with none, there is nothing to regroup. (A zero that is a difference is regrouped with its
/// operands.)
std::optional<Expr> added_to_a_sum(const PrimFunc& func, const Store& store) {
  const Var memory = store.buffer->data;
  const OpenRounding open = open_rounding_of(func);
  // A product of another format is rounded to it by itself, or fused with a zero: that is one more value.
  if (open.contract && !open.one_format) return std::nullopt;
  auto addend = [&](const Store& s) -> std::optional<Expr> {
    const bool sum = s.value->op == Op::Add || s.value->op == Op::Sub;
    if (!(s.buffer->data == memory) || !sum || !s.value->dtype.is_scalar()) return std::nullopt;
    for (const Expr& index : s.indices) {
      if (chooses(index, open)) return std::nullopt;
    }
    const Expr cell = load(s.buffer, s.indices);
    const size_t side = s.value->args[0] == cell ? 0 : 1;
    if (!(s.value->args[side] == cell) || (side == 1 && s.value->op == Op::Sub)) return std::nullopt;
    return s.value->args[1 - side];
  };
  const std::set<Var> written = data_written(func.body);
  auto given = [&](const Expr& e) {
    return e->op == Op::FloatImm || (e->op == Op::Load && !written.count(e->buffer()->data));
  };
  size_t sums = 0, uses = 0;
  bool starts_given = true;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Store* other = s.as<Store>()) {
      const bool sum = addend(*other).has_value();
      sums += sum;
      starts_given &= sum || !(other->buffer->data == memory) || given(other->value);
    }
    for_each_operand(s, [&](Operand, const Expr& operand) {
      visit_expr(operand, [&](const Expr& e) {
        uses += e->op == Op::Load && e->buffer()->data == memory;
        uses += e->op == Op::Var && e->var() == memory;
        return true;
      });
    });
    return true;
  });
  const std::optional<Expr> more = addend(store);
  return uses == sums && starts_given && more && !comes_from(func, *more, is_float_sum) ? more : std::nullopt;
}

}  // namespace

Obligation seen_alike(Obligation o, const PrimFunc& func, const Expr& a, const Expr& b) {
  if (a == b) return o;
  auto never = [&] {
    o.goal = boolean(false), o.one_way = true;
    return o;
  };
  if (undef_tells_apart(func, a, b)) return never();
  const OpenRounding open = open_rounding_of(func);
  if ((!open.reassoc && !open.contract) || !a->dtype.is_float()) return o;
  auto zero = [](const Expr& e) { return e->op == Op::FloatImm && e->float_value() == 0; };
  // Regrouped with another factor, a zero times a number may be a NaN: one that is in no grouping of the program.
  const bool finite = !open.reassoc || (func.granted("nnan") && func.granted("ninf") && open.products_of_numbers);
  const bool product =
      finite && open.one_format &&
      ((zero(a) && !comes_from(func, b, is_float_sum)) || (zero(b) && !comes_from(func, a, is_float_sum)));
  const bool computed = comes_from(func, a, is_float_arithmetic) || comes_from(func, b, is_float_arithmetic);
  if (computed && !product) return never();
  if (computed) o.goal = land(o.goal, is_exact_zero(func, zero(a) ? b : a));
  return o;
}

Obligation same_value(const std::string& rule, const std::string& why, const PrimFunc& func, const Path& at,
                      const Facts& facts, const Expr& before, const Expr& after, const std::vector<Expr>& where) {
  Expr a = facts.resolve(before), b = facts.resolve(after);
  Expr goal = same_bits(a, b);
  std::vector<std::string> flags;
  std::vector<Expr> given = join(join(facts.given(), where), granted_finite(func, at, b, &flags));
  if (a->dtype.is_float() && func.granted("nsz")) goal = lor(goal, eq(a, b)), flags.push_back("nsz");
  given = with_content(func, at, std::move(given), {a, b});
  std::string granted;
  for (const std::string& flag : flags) granted += " `" + flag + "`";
  Obligation out = need(rule, why + (granted.empty() ? "" : " (granted:" + granted + ")"), func, stmt_at(func, at),
                        std::move(given), goal);
  out.flags = std::move(flags);
  return out;
}

std::vector<Obligation> keeps_promise(const std::string& rule, const PrimFunc& func, const Path& at) {
  const Store& store = *stmt_at(func, at).as<Store>();
  const Expr infinity = store.value->dtype.is_float() && store.value->dtype.is_scalar()
                            ? fimm(store.value->dtype, std::numeric_limits<double>::infinity())
                            : Expr();
  if ((!func.granted("nnan") && !func.granted("ninf")) || !store.value->dtype.is_float()) return {};
  if (!infinity) throw NotApplicable("a vector store, and `nnan` or `ninf` promise what no cell holds");
  Facts facts = facts_at(func, at);
  const Expr value = inline_lets(facts.resolve(store.value), facts.loops);
  std::vector<std::string> flags;
  std::vector<Expr> given = join(facts.given(), granted_finite(func, at, value, &flags));
  Expr goal = boolean(true);
  if (func.granted("nnan")) goal = land(goal, eq(value, value));
  if (func.granted("ninf")) goal = land(goal, land(ne(value, infinity), ne(value, fimm(value->dtype, -HUGE_VAL))));
  given = with_content(func, at, std::move(given), {goal});
  Obligation out =
      need(rule, "what is stored unseen is a float that `nnan` and `ninf`, as granted, allow a cell to hold", func,
           stmt_at(func, at), std::move(given), goal);
  out.flags = std::move(flags);
  return {out};
}

std::vector<Obligation> leaves_bits(const std::string& rule, const PrimFunc& func, const Path& at,
                                    const std::vector<Expr>& where) {
  const Store& store = *stmt_at(func, at).as<Store>();
  if (!store.value->dtype.is_scalar()) throw NotApplicable("a vector store");
  if (holds_undef(store.value)) throw NotApplicable("the value of a store holds an undef");
  Facts facts = facts_at(func, at);
  if (func.granted("nsz") && is_left_open(store.value, open_rounding_of(func))) {
    if (const std::optional<Expr> more = added_to_a_sum(func, store)) {
      Obligation none = same_value(rule, "what the store adds to a sum is a zero", func, at, facts,
                                   fimm((*more)->dtype, 0.0), *more, where);
      if (func.granted("contract")) none.goal = land(none.goal, is_exact_zero(func, facts.resolve(*more)));
      return {std::move(none)};
    }
  }
  const Expr cell = load(store.buffer, store.indices);
  Obligation bits =
      same_value(rule, "the store leaves the bits that the cell holds", func, at, facts, cell, store.value, where);
  return {seen_alike(std::move(bits), func, cell, store.value)};
}

}  // namespace hexproof
