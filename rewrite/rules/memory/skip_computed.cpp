// skip-computed {at: statement S, loop: Path, Var or name, condition: c, earlier: list of Expr}
// skip-computed {at, loop, kept: n, step: k}: the iteration before, k further on in the innermost loop, which is below
// n
//
//   for x:                        for x:
//     for y:                ->      for y:
//       S(x, y)                       if c: S(x, y)
//
// Sliding windows: where c does not hold, S would do what it did in an earlier iteration of the loops from `loop` down
// to S, and what it left is there still. `earlier` is that iteration, with one value per loop, over what is in scope
// at S. (Where S was skipped in that iteration too, it is one that is earlier still; the first one ran.)
//
// Side conditions
//  1. c depends on no buffer's content (checked here), and is no error.
//  2. Where c does not hold, S ran in that iteration: it lies in the ranges of the loops, and the conditions on the way
//     from `loop` to S hold there. They depend on no buffer's content (checked here).
//  3. Where c does not hold, that iteration comes before this one, in the order of the loops, which are serial or
//     unrolled (checked here).
//  4. Where c does not hold, S is the same in both: every bound, condition and index is equal. No view that it accesses
//     lies elsewhere in another iteration (checked here).
//  5. Whenever two executions of S write one cell, S is the same in both: so what came in between left what is there.
//  6. What S writes outlives the loop, and nobody else in the loop writes it, or what S reads besides; no let between
//     the loop and S reads memory (checked here).
//     What S reads of what it writes, it wrote before, in the same execution.
//  7. S makes no choice: it holds no undef, and nothing that the granted flags leave open; and it assumes nothing and
//     calls nobody for an effect (checked here).
#include <algorithm>
#include <set>

#include "ir/evaluation.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/layout/inverse_map.h"
#include "rewrite/memory/must_write.h"
#include "rewrite/rules/args/windows.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"
#include "verify/access/footprint.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace {

constexpr const char* kSkipComputed = "skip-computed";

/// The loops from the outermost one down to S, and what decides between them whether S runs.
struct WayToS {
  std::vector<LoopRange> loops;
  std::vector<Expr> conditions;
};

WayToS way_to(const PrimFunc& func, const Path& loop, const Path& at) {
  WayToS out;
  for (Path here = loop; here.size() < at.size(); here.push_back(at[here.size()])) {
    const Stmt s = stmt_at(func, here);
    const bool first_part = at[here.size()] == 0;
    const Facts facts = facts_at(func, here);
    auto runs_if = [&](const Expr& condition, bool negated_here) {
      require_index(func, condition, "a condition around the statement");
      const Expr resolved = facts_at(func, at).resolve(condition);
      out.conditions.push_back(negated_here ? lnot(resolved) : resolved);
    };
    if (const For* f = s.as<For>()) {
      if (f->kind != ForKind::Serial && f->kind != ForKind::Unrolled)
        throw NotApplicable("the loop over '" + f->var.name() + "' is not serial: its iterations have no order");
      require_index(func, f->min, "the start of a loop");
      require_index(func, f->extent, "the extent of a loop");
      out.loops.push_back({f->var, facts.resolve(f->min), facts.resolve(f->extent), f->kind});
    } else if (const If* branch = s.as<If>()) {
      runs_if(branch->condition, !first_part);
    } else if (const Block* block = s.as<Block>()) {
      if (block->init && first_part) throw NotApplicable("the statement stands in the init of a block");
      for (const IterVar& iter : block->iters) require_index(func, iter.binding, "a binding of a block around");
      if (block->predicate) runs_if(block->predicate, false);
    } else if (const LetStmt* let = s.as<LetStmt>()) {
      if (is_data(facts.resolve(let->value)))
        throw NotApplicable("'" + let->var.name() +
                            "', which is bound around the statement, depends on a buffer's content");
    } else if (!s.as<Seq>() && !s.as<AllocBuffer>() && !s.as<DeclBuffer>()) {
      throw NotApplicable("between the loop and the statement stands what is no loop, branch, block or binding");
    }
  }
  return out;
}

/// Condition 6, as far as it is about who touches which memory; and 7. Returns what S writes.
std::set<Var> demand_alone(const PrimFunc& func, const Path& loop, const Path& at) {
  const Stmt s = stmt_at(func, at);
  const OpenRounding open = open_rounding_of(func);
  visit_stmt(s, [&](const Stmt& part) {
    if (part.as<Assume>()) throw NotApplicable("the statement assumes something");
    if (part.as<Evaluate>()) throw NotApplicable("the statement evaluates something for its effect");
    if (part.as<AllocBuffer>() || part.as<Allocate>()) throw NotApplicable("the statement allocates memory");
    return true;
  });
  std::set<Var> read, addresses;
  visit_all_exprs(s, [&](const Expr& e) {
    if (e->op == Op::Undef) throw NotApplicable("the statement holds an undef");
    if (is_left_open(e, open)) throw NotApplicable("the statement holds " + what_chooses(e, open));
    if (e->op == Op::Load) read.insert(e->buffer()->data);
  });
  const std::set<Var> written = data_written(s);
  if (written.empty()) throw NotApplicable("the statement writes nothing");
  auto walk = [&](const auto& self, const Path& here) -> void {
    const Stmt part = stmt_at(func, here);
    if (const AllocBuffer* a = part.as<AllocBuffer>(); a && written.count(a->buffer->data))
      throw NotApplicable("'" + a->buffer->name + "' is allocated in the loop: nothing of it is left");
    if (const Allocate* a = part.as<Allocate>(); a && written.count(a->data))
      throw NotApplicable("the memory is allocated in the loop: nothing of it is left");
    for (const Expr& top : expressions(part)) {
      visit_expr(top, [&](const Expr& e) {
        if (e->op == Op::Var && (written.count(e->var()) || read.count(e->var())))
          throw NotApplicable("the address of the memory is taken in the loop");
        if (const Expr cell = permitted_cell(e);
            cell && (written.count(cell->buffer()->data) || read.count(cell->buffer()->data)))
          throw NotApplicable("an assume in the loop gives cells of '" + cell->buffer()->name + "' free");
        return true;
      });
    }
    if (const Store* store = part.as<Store>(); store && !is_within(here, at)) {
      const Var& memory = store->buffer->data;
      if (written.count(memory)) throw NotApplicable("'" + store->buffer->name + "' is written elsewhere in the loop");
      if (read.count(memory))
        throw NotApplicable("'" + store->buffer->name + "', which the statement reads, is written in the loop");
    }
    const size_t count = children(part).size();
    for (size_t k = 0; k < count; ++k) self(self, below(here, static_cast<int>(k)));
  };
  walk(walk, below(loop, 0));
  return written;
}

/// Condition 4, of where cells lie: a view that S accesses lies in one place in all iterations.
void demand_views_stay(const Stmt& stmt, const Facts& facts, const std::vector<LoopRange>& loops) {
  std::vector<Buffer> accessed = buffers_read(stmt);
  for (const Buffer& b : buffers_stored(stmt)) accessed.push_back(b);
  for (const Buffer& b : accessed) {
    const BufferLayout layout = facts.layout(b);
    std::vector<Expr> parts = layout.shape;
    parts.insert(parts.end(), layout.strides.begin(), layout.strides.end());
    if (layout.offset) parts.push_back(layout.offset);
    for (const Expr& part : parts) {
      const Expr e = inline_lets(facts.resolve(part), facts.loops);
      const bool moves =
          is_data(e) || std::any_of(loops.begin(), loops.end(), [&](const LoopRange& l) { return uses_var(e, l.var); });
      if (moves) throw NotApplicable("'" + b->name + "' lies elsewhere in another iteration");
    }
  }
}

/// What S evaluates, over its own loops and those around, with what decides it.
struct Part {
  Expr value;
  std::vector<Expr> given;
};

std::vector<Expr> without_data(std::vector<Expr> list) {
  std::erase_if(list, [](const Expr& e) { return is_data(e); });
  return list;
}

std::vector<Part> parts_of(const PrimFunc& func, const Path& at) {
  std::vector<Part> out;
  walk_with_facts(func, [&](const Stmt& s, const Path& here, const Facts& facts) {
    if (is_within(here, at)) {
      const std::vector<Expr> given = without_data(facts.given());
      for_each_operand(s, [&](Operand, const Expr& e) {
        out.push_back({inline_lets(facts.resolve(e), facts.loops), given});
      });
      return true;
    }
    return is_within(at, here);
  });
  return out;
}

/// The equations of indices under which `e` is the same for both values of its variables; both read the same cells
/// then, and these hold the same.
void owe_same(const Expr& e, const VarMap& one, const VarMap& other, std::vector<Expr>* out) {
  const Expr a = substitute(e, one), b = substitute(e, other);
  if (a == b) return;
  if (!is_data(e) && e->dtype.is_scalar() && (e->dtype.is_integer() || e->dtype == kBool)) {
    const Expr equal = e->dtype == kBool ? land(lor(lnot(a), b), lor(lnot(b), a)) : eq(a, b);
    if (std::find(out->begin(), out->end(), equal) == out->end()) out->push_back(equal);
    return;
  }
  if (e->args.empty()) throw NotApplicable("the statement depends on its iteration in a way that is not compared");
  for (const Expr& arg : e->args) owe_same(arg, one, other, out);
}

/// The condition and the iteration that two numbers stand for.
SkipComputedArgs written_out(SkipComputedArgs args, const std::vector<LoopRange>& loops) {
  if (!args.kept) return args;
  const int64_t kept = *args.kept, step = needed(args.step, "step");
  if (!(loops[0].min->dtype == loops[0].var.dtype())) throw NotApplicable("a start of another type than its loop");
  args.condition = le(Expr(loops[0].var), loops[0].min);
  args.earlier = std::vector<Expr>{Expr(loops[0].var) - imm(loops[0].var.dtype(), 1)};
  for (size_t k = 1; k < loops.size(); ++k) {
    const Expr var(loops[k].var);
    const bool last = k + 1 == loops.size();
    if (last && (!fits_type(var->dtype, kept) || !fits_type(var->dtype, step)))
      throw NotApplicable("a number does not fit the type of its loop");
    if (last) args.condition = lor(*args.condition, le(imm(var->dtype, kept), var));
    args.earlier->push_back(last ? var + imm(var->dtype, step) : var);
  }
  return args;
}

Rewrite skip_computed(const PrimFunc& func, const SkipComputedArgs& told) {
  const Path& at = told.at;
  const Stmt stmt = checked_at(func, at);
  const Path loop = loop_arg(func, told.loop);
  record_at<For>(func, loop, "a loop");
  if (!is_within(at, below(loop, 0))) throw NotApplicable("the statement does not stand in the loop");
  const WayToS way = way_to(func, loop, at);
  const SkipComputedArgs args = written_out(told, way.loops);
  const Expr condition = needed(args.condition, "condition");
  const std::vector<Expr> earlier = needed(args.earlier, "earlier");
  if (condition->dtype != kBool || as_int(condition)) throw NotApplicable("the condition is none");
  require_index(func, condition, "the condition");
  if (earlier.size() != way.loops.size())
    throw NotApplicable("there are " + std::to_string(way.loops.size()) + " loops around the statement, and " +
                        std::to_string(earlier.size()) + " values");
  const std::set<Var> written = demand_alone(func, loop, at);

  Rewrite out{.after = replace_at(func, at, make_stmt(If{condition, stmt, {}}, stmt->span)), .needs = {}};
  if (const std::string broken = ill_formed(out.after); !broken.empty())
    throw NotApplicable("the condition cannot stand there: " + broken);
  const Facts facts = facts_at(func, at);
  demand_views_stay(stmt, facts, way.loops);
  const std::vector<Expr> given = without_data(facts.given());
  const Expr holds = facts.resolve(condition);
  auto owe = [&](const std::string& why, std::vector<Expr> known, const Expr& goal) {
    out.needs.push_back(need(kSkipComputed, why, func, stmt, std::move(known), goal));
  };
  owe("the condition is no error", given, fits(holds));

  // Conditions 2 and 3.
  const std::vector<Expr> skipped = join(given, {negated(holds)});
  VarMap then, now;
  Expr before = boolean(false), same_so_far = boolean(true);
  for (size_t k = 0; k < way.loops.size(); ++k) {
    const Expr value = facts.resolve(earlier[k]), here = Expr(way.loops[k].var);
    require_index(func, earlier[k], "the earlier iteration");
    if (!(value->dtype == here->dtype)) throw NotApplicable("the earlier iteration is of another type than its loop");
    owe("the earlier iteration is no error", skipped, fits(value));
    then[way.loops[k].var] = value;
    before = lor(before, land(same_so_far, lt(value, here)));
    same_so_far = land(same_so_far, eq(value, here));
  }
  for (const LoopRange& l : way.loops) {
    for (const Expr& goal : range_of(l))
      owe("the statement ran in the earlier iteration", skipped, substitute(goal, then));
  }
  for (const Expr& goal : way.conditions) {
    owe("the statement ran in the earlier iteration", skipped, substitute(goal, then));
  }
  owe("the earlier iteration comes before", skipped, before);

  // Conditions 4 and 5.
  VarMap other;
  for (const LoopRange& l : way.loops) other[l.var] = Expr(Var::fresh(l.var.name(), l.var.dtype()));
  std::vector<Expr> others;
  for (const Expr& e : given) others.push_back(substitute(e, other));
  std::vector<Access> writes = writes_of(footprint(stmt, facts));
  for (const Access& w : writes) {
    for (const Expr& index : w.indices) {
      if (is_data(index) || w.anywhere)
        throw NotApplicable("an index of what is written depends on a buffer's content");
    }
  }
  for (const Part& part : parts_of(func, at)) {
    std::vector<Expr> equal;
    owe_same(part.value, now, then, &equal);
    for (const Expr& goal : equal)
      owe("the statement is the same in the earlier iteration", join(part.given, {negated(holds)}), goal);
    equal.clear();
    owe_same(part.value, now, other, &equal);
    if (equal.empty()) continue;
    for (size_t a = 0; a < writes.size(); ++a) {
      for (size_t b = a; b < writes.size(); ++b) {
        if (!may_alias(writes[a].buffer, writes[b].buffer)) continue;
        const Access one = rename_apart(writes[a]), two = rename_apart(substitute(writes[b], other));
        std::vector<Expr> known = join(join(part.given, others), without_data(domain_of(one)));
        known = join(join(known, without_data(domain_of(two))), {same_cell(one, two)});
        for (const Expr& goal : equal) owe("executions that write one cell are the same", known, goal);
      }
    }
  }

  // Condition 6.
  std::vector<Buffer> own = buffers_stored(stmt);
  for (const Buffer& b : own) {
    demand_own_memory(func, b);
    demand_scalar_indices(stmt, b);
    if (!reads_buffer(stmt, b)) continue;
    for (Obligation& o : written_before_read(kSkipComputed, func, at, b)) {
      o.why = "what is read of '" + b->name + "' was written before: " + o.why;
      out.needs.push_back(std::move(o));
    }
  }
  return out;
}

}  // namespace

extern const Rule k_skip_computed{
    rule<skip_computed>("S(x)  ->  if c: S(x), where S did in an earlier iteration what it would do again")};

}  // namespace hexproof
