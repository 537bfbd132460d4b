#include "verify/equiv/parametric/neutral.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "ir/visit.h"
#include "verify/prove/obligation.h"

namespace hexproof::parametric {

namespace {

class Neutral {
 public:
  Neutral(Expr acc, const std::vector<std::string>& granted) : acc_(std::move(acc)), granted_(granted) {}

  /// Is `e` the accumulator, whatever all other values are?
  bool idle(const Expr& e) {
    if (e == acc_) return true;
    if (is_choice(e)) return idle(e->args[1]) && idle(e->args[2]);
    if (e->args.size() != 2 || !e->dtype.is_scalar()) return false;
    return (mentions(e->args[0], acc_) && idle(e->args[0]) && neutral(e->op, e->args[1], true)) ||
           (mentions(e->args[1], acc_) && idle(e->args[1]) && neutral(e->op, e->args[0], false));
  }

  std::set<std::string> used;

 private:
  bool flag(const char* name) {
    if (std::find(granted_.begin(), granted_.end(), name) == granted_.end()) return false;
    used.insert(name);
    return true;
  }

  /// What an argument's cell holds on entry, or a finite constant: `nnan` and `ninf` speak of cells, not of results and
  /// not of scalar parameters.
  static bool is_cell(const Expr& e) {
    if (is_choice(e)) return is_cell(e->args[1]) && is_cell(e->args[2]);
    return e->op == Op::Load || (e->op == Op::FloatImm && std::isfinite(e->float_value()));
  }

  bool fuses() const { return std::find(granted_.begin(), granted_.end(), "contract") != granted_.end(); }

  /// The constant that `e` is, as arithmetic on data has it.
  std::optional<Expr> constant(const Expr& e) {
    if (e->op == Op::IntImm || e->op == Op::FloatImm) return e;
    if (e->op == Op::Cast && e->dtype.is_integer() && e->args[0]->dtype.is_integer()) {
      std::optional<Expr> from = constant(e->args[0]);
      if (from) return imm(e->dtype, wrap_to(e->dtype, int_value(*from)));
    }
    if (e->op != Op::Mul) return std::nullopt;
    for (size_t side = 0; side < 2; ++side) {
      std::optional<Expr> factor = constant(e->args[side]);
      if (!factor) continue;
      if (e->dtype.is_integer() && is_int(*factor, 0)) return factor;
      // Zero times a number that is finite: a zero of some sign.
      bool zero = e->dtype.is_float() && (*factor)->float_value() == 0.0 && is_cell(e->args[1 - side]);
      if (zero && flag("nnan") && flag("ninf") && flag("nsz")) return fimm(e->dtype, 0.0);
    }
    return std::nullopt;
  }

  /// Is `acc op value` (or `value op acc`) the accumulator?
  bool neutral(Op op, const Expr& value, bool right) {
    std::optional<Expr> c = constant(value);
    if (!c) return false;
    if (value->dtype.is_float()) {
      double x = (*c)->float_value();
      if (op == Op::Add) return x == 0.0 && ((std::signbit(x) && !fuses()) || flag("nsz"));
      if (op == Op::Sub) return right && x == 0.0 && ((!std::signbit(x) && !fuses()) || flag("nsz"));
      if (op == Op::Mul) return x == 1.0;
      if (op == Op::Div) return right && x == 1.0;
      // With a NaN the right operand counts: max(-inf, acc) is acc, max(acc, -inf) is not.
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      if (op == Op::Max) return x == -kInfinity && (!right || flag("nnan"));
      if (op == Op::Min) return x == kInfinity && (!right || flag("nnan"));
      return false;
    }
    Wide x = int_value(*c);
    DType type = value->dtype;
    if (type.is_bool()) return (op == Op::And && x == 1) || (op == Op::Or && x == 0);
    if (op == Op::Add || op == Op::BitOr || op == Op::BitXor) return x == 0;
    if (op == Op::Sub || op == Op::Shl || op == Op::Shr) return right && x == 0;
    if (op == Op::Mul) return x == 1;
    if (op == Op::Max) return x == min_value(type);
    if (op == Op::Min) return x == max_value(type);
    if (op == Op::BitAnd) return x == (type.is_uint() ? max_value(type) : Wide(-1));
    return false;
  }

  const Expr acc_;
  const std::vector<std::string>& granted_;
};

/// The step where the condition is known.
Expr decided(const Expr& step, const Expr& condition, bool holds) {
  return rewrite_expr(step, [&](const Expr& e) {
    bool this_one = is_choice(e) && e->args[0] == condition;
    return this_one ? e->args[holds ? 1 : 2] : e;
  });
}

}  // namespace

bool is_neutral(const Expr& step, const Expr& acc, const std::vector<std::string>& granted,
                std::set<std::string>* used) {
  Neutral neutral(acc, granted);
  if (!neutral.idle(step)) return false;
  used->insert(neutral.used.begin(), neutral.used.end());
  return true;
}

void drop_neutral(Fold* fold, const std::vector<std::string>& granted, std::set<std::string>* used) {
  constexpr int kMost = 8;
  for (int round = 0; round < kMost; ++round) {
    std::vector<Expr> conditions;
    visit_nodes(fold->step, [&](const Expr& e) {
      bool decides = is_choice(e) && !mentions(e->args[0], fold->acc) && !is_data(e->args[0]);
      if (decides) conditions.push_back(e->args[0]);
      return true;
    });
    bool changed = false;
    for (const Expr& condition : conditions) {
      for (bool holds : {false, true}) {
        if (changed || !is_neutral(decided(fold->step, condition, holds), fold->acc, granted, used)) continue;
        fold->guards.push_back(holds ? lnot(condition) : condition);
        fold->step = decided(fold->step, condition, !holds);
        changed = true;
      }
    }
    if (!changed) return;
  }
}

}  // namespace hexproof::parametric
