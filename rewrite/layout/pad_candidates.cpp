#include "rewrite/layout/pad_candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "ir/visit.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr size_t kMostPadCandidates = 12;

bool is_constant(const Expr& e) { return e->op == Op::IntImm || e->op == Op::FloatImm; }
double number(const Expr& e) { return e->op == Op::FloatImm ? e->float_value() : static_cast<double>(int_value(e)); }

/// A constant of the type; missing when the value does not fit.
Expr whole(DType type, Wide value) {
  if (type.is_float()) return fimm(type, static_cast<double>(value));
  return fits_type(type, value) ? imm(type, value) : Expr();
}

Expr extreme(DType type, bool greatest) {
  if (type.is_float()) return fimm(type, (greatest ? 1 : -1) * std::numeric_limits<double>::infinity());
  return imm(type, greatest ? max_value(type) : min_value(type));
}

/// `op` on constants of one type, as numbers; missing where the result is none of the type.
Expr folded(Op op, const Expr& a, const Expr& b) {
  if (a->dtype.is_float()) {
    double x = number(a), y = number(b);
    double value = op == Op::Add ? x + y : op == Op::Sub ? x - y : op == Op::Mul ? x * y : x / y;
    return std::isnan(value) ? Expr() : fimm(a->dtype, value);
  }
  Wide x = int_value(a), y = int_value(b);
  if (op == Op::Div && (y == 0 || x % y != 0)) return Expr();
  return whole(a->dtype, op == Op::Add ? x + y : op == Op::Sub ? x - y : op == Op::Mul ? x * y : x / y);
}

class PadFinder {
 public:
  explicit PadFinder(Buffer buffer) : buffer_(std::move(buffer)) {}

  void look_at(const Stmt& stmt) {
    bool stored = false;
    visit_stmt(stmt, [&](const Stmt& s) {
      if (const LetStmt* let = s.as<LetStmt>()) lets_.emplace(let->var, let->value);
      if (const Store* store = s.as<Store>()) {
        stored = stored || store->buffer == buffer_;
        accumulation(*store);
      }
      return true;
    });
    visit_all_exprs(stmt, [&](const Expr& e) {
      visit_expr(e, [&](const Expr& part) {
        comparison(part);
        return true;
      });
    });
    if (stored) add(zero(buffer_->dtype));
  }

  std::vector<Expr> found;

 private:
  void add(const Expr& value) {
    if (value && found.size() < kMostPadCandidates && std::find(found.begin(), found.end(), value) == found.end()) {
      found.push_back(value);
    }
  }

  bool mentions(const Expr& e) const {
    bool yes = false;
    visit_expr(e, [&](const Expr& part) {
      yes = yes || (part->op == Op::Load && part->buffer() == buffer_);
      auto let = part->op == Op::Var ? lets_.find(part->var()) : lets_.end();
      yes = yes || (let != lets_.end() && mentions(let->second));
      return !yes;
    });
    return yes;
  }

  /// What leaves x as it is in `x op e`, of a scalar type; several for floats, which have two zeros.
  static std::vector<Expr> identities(Op op, DType type) {
    if (op == Op::Add && type.is_float()) return {fimm(type, 0.0), fimm(type, -0.0)};
    if (op == Op::Add || op == Op::Sub || op == Op::BitOr || op == Op::BitXor || op == Op::Or) return {zero(type)};
    if (op == Op::Shl || op == Op::Shr) return {zero(type)};
    if (op == Op::Mul || op == Op::Div || op == Op::FloorDiv) return {whole(type, 1)};
    if (op == Op::Min || op == Op::Max) return {extreme(type, op == Op::Min)};
    if (op == Op::And) return {boolean(true)};
    if (op == Op::BitAnd) return {whole(type, type.is_int() ? Wide(-1) : max_value(type))};
    return {};
  }

  /// T[c] = T[c] op e(A), where the accumulator may stand deeper: (T[c] + a) + b.
  void accumulation(const Store& store) {
    if (!mentions(store.value)) return;
    neutral(load(store.buffer, store.indices), store.value, 0);
  }
  void neutral(const Expr& accumulator, const Expr& e, int depth) {
    if (depth > 16) return;
    if (e->op == Op::Select || e->op == Op::IfThenElse) {
      neutral(accumulator, e->args[1], depth + 1);
      neutral(accumulator, e->args[2], depth + 1);
    }
    if (e->args.size() != 2) return;
    for (size_t k : {0, 1}) {
      const Expr &side = e->args[k], &other = e->args[1 - k];
      bool inside = side == accumulator;
      visit_expr(side, [&](const Expr& part) {
        inside = inside || part == accumulator;
        return !inside;
      });
      if (!inside) continue;
      if (mentions(other) && e->dtype.is_scalar()) {
        for (const Expr& identity : identities(e->op, e->dtype)) solve(other, identity, 0);
      }
      if (!(side == accumulator)) neutral(accumulator, side, depth + 1);
    }
  }

  void comparison(const Expr& e) {
    if (e->op < Op::EQ || e->op > Op::GE) return;
    for (size_t k : {0, 1}) {
      const Expr &side = e->args[k], &other = e->args[1 - k];
      if (!mentions(side) || side->dtype.is_bool() || !side->dtype.is_scalar()) continue;
      if (is_constant(other)) {
        Expr one = whole(side->dtype, 1);
        for (const Expr& value : {other, folded(Op::Sub, other, one), folded(Op::Add, other, one)}) {
          if (value) solve(side, value, 0);
        }
      }
      solve(side, extreme(side->dtype, false), 0);
      solve(side, extreme(side->dtype, true), 0);
    }
  }

  /// Values of the cell at which `e` may be `target`.
  void solve(const Expr& e, const Expr& target, int depth) {
    if (!target || depth > 16 || found.size() >= kMostPadCandidates || !mentions(e)) return;
    auto both = [&](const Expr& value) {
      for (const Expr& part : e->args) solve(part, value, depth + 1);
    };
    if (e->op == Op::Load && e->buffer() == buffer_) return add(target);
    if (e->op == Op::Var) return solve(lets_.at(e->var()), target, depth + 1);
    if (e->op == Op::Cast) return solve_cast(e, target, depth);
    if (e->op == Op::Select || e->op == Op::IfThenElse) {
      solve(e->args[1], target, depth + 1);
      return solve(e->args[2], target, depth + 1);
    }
    if (e->args.size() != 2 || !(e->args[0]->dtype == target->dtype)) return;
    const Expr &a = e->args[0], &b = e->args[1];
    bool neutral = number(target) == (e->op == Op::Mul || e->op == Op::FloorDiv || e->op == Op::Div ? 1 : 0);
    switch (e->op) {
      case Op::Add:
        if (is_constant(b)) return solve(a, folded(Op::Sub, target, b), depth + 1);
        if (is_constant(a)) return solve(b, folded(Op::Sub, target, a), depth + 1);
        break;
      case Op::Sub:
        if (is_constant(b)) return solve(a, folded(Op::Add, target, b), depth + 1);
        if (is_constant(a)) return solve(b, folded(Op::Sub, a, target), depth + 1);
        break;
      case Op::Mul:
        if (number(target) == 0) return both(target);
        if (is_constant(b)) return solve(a, folded(Op::Div, target, b), depth + 1);
        if (is_constant(a)) return solve(b, folded(Op::Div, target, a), depth + 1);
        break;
      case Op::Div:
      case Op::FloorDiv:
        if (is_constant(b)) return solve(a, folded(Op::Mul, target, b), depth + 1);
        if (number(target) == 0) return solve(a, target, depth + 1);
        break;
      case HEXPROOF_CASES(MinMax):
        both(target);
        // A constant that is the target wins over anything beyond it.
        if (a == target || b == target) both(extreme(e->dtype, e->op == Op::Min));
        return;
      case Op::BitAnd:
        if (number(target) == 0) return both(target);
        return;
      case Op::FloorMod:
      case Op::TruncDiv:
      case Op::TruncMod:
      case Op::BitOr:
      case Op::BitXor:
      case Op::BitNot:
      case HEXPROOF_CASES(Leaf):
      case HEXPROOF_CASES(Comparison):
      case HEXPROOF_CASES(Boolean):
      case HEXPROOF_CASES(Shift):
      case HEXPROOF_CASES(Choice):
      case HEXPROOF_CASES(Other):
      case HEXPROOF_CASES(Vector):
      case HEXPROOF_CASES(ProofOnly):
        return;
    }
    if (neutral) both(target);
  }

  void solve_cast(const Expr& e, const Expr& target, int depth) {
    DType type = e->args[0]->dtype;
    if (type.is_float() && (target->dtype.is_float() || std::isfinite(number(target)))) {
      return solve(e->args[0], fimm(type, number(target)), depth + 1);
    }
    if (type.is_float()) return;
    double value = number(target);
    if (target->dtype.is_float() && value != std::floor(value) && std::isfinite(value)) return;
    if (value > static_cast<double>(max_value(type))) return solve(e->args[0], extreme(type, true), depth + 1);
    if (value < static_cast<double>(min_value(type))) return solve(e->args[0], extreme(type, false), depth + 1);
    Wide exact = target->op == Op::IntImm ? int_value(target) : static_cast<Wide>(value);
    solve(e->args[0], whole(type, exact), depth + 1);
  }

  Buffer buffer_;
  std::map<Var, Expr> lets_;
};

}  // namespace

std::vector<Expr> pad_candidates(const PrimFunc& func, const Path& at, const Buffer& buffer) {
  PadFinder finder(buffer);
  finder.look_at(stmt_at(func, at));
  return finder.found;
}

}  // namespace hexproof
