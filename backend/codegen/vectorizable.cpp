#include "backend/codegen/vectorizable.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "backend/row_tables.h"
#include "ir/visit.h"

namespace hexproof::codegen {
namespace {

/// d e / d var, where e is linear in it by its form.
std::optional<Wide> coefficient(const Expr& e, const Var& var) {
  if (!uses_var(e, var)) return 0;
  if (e->op == Op::Var) return 1;
  if (e->op != Op::Add && e->op != Op::Sub && e->op != Op::Mul) return std::nullopt;
  std::optional<Wide> a = coefficient(e->args[0], var), b = coefficient(e->args[1], var);
  if (!a || !b) return std::nullopt;
  if (e->op == Op::Add) return *a + *b;
  if (e->op == Op::Sub) return *a - *b;
  if (e->args[1]->op == Op::IntImm) return *a * int_value(e->args[1]);
  if (e->args[0]->op == Op::IntImm) return *b * int_value(e->args[0]);
  return std::nullopt;
}

/// A condition as LLVM knows it, up to negation: `a < b` and `b <= a` are one, `x < 4` and `x >= 4`, `x <= 3` too.
struct Atom {
  Expr a, b;
  int kind = 0;  // 0: less, 1: equal, 2: the expression a
  bool negated = false;
  bool same_but_negated(const Atom& o) const {
    return kind == o.kind && negated != o.negated && a == o.a && (kind == 2 || b == o.b);
  }
};

Atom atom_of(const Expr& e, bool negated) {
  if (e->op == Op::EQ || e->op == Op::NE) return {e->args[0], e->args[1], 1, negated != (e->op == Op::NE)};
  if (e->op != Op::LT && e->op != Op::LE && e->op != Op::GT && e->op != Op::GE) return {e, {}, 2, negated};
  bool turned = e->op == Op::GT || e->op == Op::LE;  // a > b is b < a; a <= b is not b < a
  Atom out{e->args[turned], e->args[!turned], 0, negated != (e->op == Op::LE || e->op == Op::GE)};
  const int64_t* low = as_int(out.a);
  if (low && *low < max_value(out.a->dtype)) {  // c < x is not x < c + 1
    out = {out.b, imm(out.a->dtype, *low + 1), 0, !out.negated};
  }
  return out;
}

/// Is there, among what `and`, `or` and `not` join, a condition and its negation below both an `and` and an `or`? Then
/// LLVM may make a choice between bools of it, `(a and x) or (not a and y)`.
struct Joined {
  std::vector<Atom> atoms;
  bool both[2] = {false, false};  // an `and`, an `or`
  void add(const Expr& e, bool negated) {
    if (e->op == Op::Not) return add(e->args[0], !negated);
    bool is_and = e->op == Op::And || e->op == Op::BitAnd, is_or = e->op == Op::Or || e->op == Op::BitOr;
    if (!e->dtype.is_bool() || (!is_and && !is_or)) return atoms.push_back(atom_of(e, negated));
    both[is_or != negated] = true;
    for (const auto& part : e->args) add(Expr(part), negated);
  }
  bool may_be_a_choice() const {
    for (const Atom& a : atoms) {
      for (const Atom& b : atoms) {
        if (both[0] && both[1] && a.same_but_negated(b)) return true;
      }
    }
    return false;
  }
};

class Checker {
 public:
  explicit Checker(const Var& var) : var_(var) {}

  bool stmt(const Stmt& s) const {
    if (const Seq* list = s.as<Seq>()) {
      return std::all_of(list->stmts.begin(), list->stmts.end(), [&](const Stmt& part) { return stmt(part); });
    }
    if (const If* branch = s.as<If>()) {
      if (stores_bools(s)) return false;  // under a condition: a choice between what was there and what is stored
      return value(branch->condition) && stmt(branch->then_case) && (!branch->else_case || stmt(branch->else_case));
    }
    const Store* store = s.as<Store>();
    return store && narrow(store->buffer->dtype) && step(store->buffer, store->indices) == 1 && value(store->value);
  }

 private:
  static bool narrow(DType t) { return t.is_scalar() && (t.is_integer() || t.is_bool()) && t.bits <= 32; }

  static bool stores_bools(const Stmt& s) {
    bool found = false;
    visit_stmt(s, [&](const Stmt& part) {
      found |= part.as<Store>() && part.as<Store>()->buffer->dtype.is_bool();
      return !found;
    });
    return found;
  }

  /// HVX has no instruction, and LLVM's Hexagon target no pattern, that chooses between vectors of bools.
  static bool chooses_bools(const Expr& e) {
    if (e->op == Op::Select || e->op == Op::IfThenElse || e->op == Op::Min || e->op == Op::Max) {
      return e->dtype.is_bool();
    }
    if (is_comparison(e->op) || e->op == Op::BitXor) return e->args[0]->dtype.is_bool();
    if (!e->dtype.is_bool()) return false;
    Joined joined;
    joined.add(e, false);
    return joined.may_be_a_choice();
  }

  /// How many cells an access moves from one iteration to the next; nothing when that varies.
  std::optional<Wide> step(const Buffer& buffer, const std::vector<Expr>& indices) const {
    if (!buffer->strides.empty()) return std::nullopt;
    for (size_t k = 0; k + 1 < indices.size(); ++k) {
      if (uses_var(indices[k], var_)) return std::nullopt;
    }
    return indices.empty() ? std::optional<Wide>(0) : coefficient(indices.back(), var_);
  }

  bool value(const Expr& e) const {
    if (!uses_var(e, var_) && e->op != Op::Load) return narrow(e->dtype) && e->op != Op::Call && e->op != Op::Let;
    if (chooses_bools(e)) return false;
    switch (e->op) {
      case Op::Var:
        return true;
      case Op::Load: {
        std::optional<Wide> cells = step(e->buffer(), {e->args.begin(), e->args.end()});
        return narrow(e->dtype) && cells && (*cells == 0 || *cells == 1);
      }
      case Op::FloorDiv:
      case Op::FloorMod:
        if (e->args[1]->op != Op::IntImm || !std::has_single_bit(static_cast<uint64_t>(int_value(e->args[1]))))
          return false;
        break;
      case HEXPROOF_CASES(Shift):
        if (e->args[1]->op != Op::IntImm) return false;
        break;
      case HEXPROOF_CASES(Ring):
      case HEXPROOF_CASES(MinMax):
      case HEXPROOF_CASES(Bitwise):
      case HEXPROOF_CASES(Comparison):
      case HEXPROOF_CASES(Boolean):
      case HEXPROOF_CASES(Choice):
      case Op::Cast:
        break;
      case Op::Div:
      case Op::TruncDiv:
      case Op::TruncMod:
      case HEXPROOF_CASES(Constant):
      case Op::Undef:
      case Op::Let:
      case HEXPROOF_CASES(Vector):
      case Op::Likely:
      case Op::Call:
      case HEXPROOF_CASES(ProofOnly):
        return false;
    }
    return narrow(e->dtype) &&
           std::all_of(e->args.begin(), e->args.end(), [&](const auto& part) { return value(Expr(part)); });
  }

  const Var& var_;
};

}  // namespace

namespace {
/// Of a loop: where it takes a row of a table, or cells, that LLVM may not know in front of the loop; empty where it
/// does not. Of loads that stay in the loop LLVM makes a vector element by element, which is wrong for bytes.
class PickedCells {
 public:
  explicit PickedCells(const std::set<Var>& row_tables) : row_tables_(row_tables) {}

  std::string in(const Stmt& s, bool under_condition) const {
    std::string found;
    auto see = [&](const std::string& why) { found = found.empty() ? why : found; };
    if (const Store* store = s.as<Store>()) see(of(store->buffer, store->indices, under_condition));
    for (const Expr& e : expressions(s)) see(in(e, under_condition));
    for (const Stmt& part : children(s)) see(in(part, under_condition || s.as<If>()));
    return found;
  }

 private:
  std::string in(const Expr& e, bool under_condition) const {
    const std::vector<Expr> args(e->args.begin(), e->args.end());
    std::string found = e->op == Op::Load ? of(e->buffer(), args, under_condition) : "";
    for (size_t k = 0; k < args.size() && found.empty(); ++k) {
      found = in(args[k], under_condition || (e->op == Op::IfThenElse && k > 0));
    }
    return found;
  }
  std::string of(const Buffer& buffer, const std::vector<Expr>& indices, bool under_condition) const {
    const bool data = std::any_of(indices.begin(), indices.end(), [](const Expr& e) { return is_data(e); });
    if (!row_tables_.count(buffer->data)) return data ? "which cells of '" + buffer->name + "' it takes, is data" : "";
    if (under_condition) return "it takes a row of '" + buffer->name + "' under a condition";
    auto of_row = indices.begin() + static_cast<std::ptrdiff_t>(axes_of_table(buffer));
    if (std::none_of(indices.begin(), of_row, [](const Expr& e) { return is_data(e); })) return "";
    return "which row of '" + buffer->name + "' it takes, is data";
  }

  const std::set<Var>& row_tables_;
};
}  // namespace

bool vectorizable_on_hexagon(const For& loop, const std::set<Var>& row_tables) {
  return Checker(loop.var).stmt(loop.body) && PickedCells(row_tables).in(loop.body, false).empty();
}

std::string why_not_on_hexagon(const For& loop, const std::set<Var>& row_tables) {
  std::string why;
  if (Checker(loop.var).stmt(loop.body)) return PickedCells(row_tables).in(loop.body, false);
  visit_stmt(loop.body, [&](const Stmt& s) {
    const Store* store = s.as<Store>();
    if (!why.empty()) return false;
    if (s.as<For>()) why = "there is a loop in it: vectorize the innermost one";
    if (s.as<Block>()) why = "there is a block in it: lower_blocks() and simplify() first";
    if (s.as<LetStmt>() || s.as<AllocBuffer>()) why = "there is more in it than stores and branches";
    if (store && !store->buffer->dtype.is_bool() &&
        (!store->buffer->dtype.is_integer() || store->buffer->dtype.bits > 32))
      why = "it stores " + store->buffer->dtype.str() + " to '" + store->buffer->name +
            "': HVX code is trusted for integers of up to 32 bits";
    return why.empty();
  });
  return why.empty() ? "an access in it does not follow the loop cell by cell, or an operator has no HVX instruction"
                     : why;
}

}  // namespace hexproof::codegen
