#include "verify/access/footprint_witness.h"

#include <algorithm>
#include <utility>

#include "ir/base/mutant.h"
#include "verify/prove/open_rounding.h"
#include "verify/prove/solvers/arithmetic/interval.h"

namespace hexproof {

namespace {

constexpr Wide kFar = Wide{1} << 70;  // beyond every integer type

/// Constant bounds of variables, and of what is built of them.
class Bounds {
 public:
  void learn(const Expr& c) {
    if (c->args.size() != 2) return;
    const Expr &a = c->args[0], &b = c->args[1];
    if (c->op == Op::LE && as_int(a) && b->op == Op::Var) low(b->var(), int_value(a));
    if (c->op == Op::GE && a->op == Op::Var && as_int(b)) low(a->var(), int_value(b));
    if (c->op == Op::LT && a->op == Op::Var && as_int(b)) high(a->var(), int_value(b) - 1);
    if (c->op == Op::LE && a->op == Op::Var && as_int(b)) high(a->var(), int_value(b));
  }

  Interval of(const Expr& e) const {
    if (as_int(e)) return {int_value(e), int_value(e)};
    Interval all = e->dtype.is_integer() ? range_of(e->dtype) : Interval{};
    if (e->op == Op::Var) {
      auto it = map_.find(e->var());
      return it == map_.end() ? all : meet(all, it->second);
    }
    if (is_data(e)) return all;
    if ((e->op == Op::FloorDiv || e->op == Op::FloorMod) && as_int(e->args[1]) && int_value(e->args[1]) > 0) {
      Interval x = of(linear(e->args[0])), c = point(int_value(e->args[1]));
      return e->op == Op::FloorDiv ? floor_div(x, c) : floor_mod(x, c);
    }
    if (e->op == Op::BitXor) {
      const Interval a = of(linear(e->args[0])), b = of(linear(e->args[1]));
      if (a.lo < 0 || b.lo < 0 || !a.bounded() || !b.bounded()) return all;
      Wide end = 1;
      while (end <= std::max(a.hi, b.hi)) end *= 2;
      return {0, end - 1};
    }
    return all;
  }

  Interval of(const Linear& x) const {
    Interval out = point(x.constant);
    for (const auto& [atom, c] : x.terms) out = out + of(atom) * point(c);
    return out;
  }

 private:
  void low(const Var& v, Wide value) { entry(v).lo = std::max(entry(v).lo, value); }
  void high(const Var& v, Wide value) { entry(v).hi = std::min(entry(v).hi, value); }
  Interval& entry(const Var& v) { return map_[v]; }
  std::map<Var, Interval> map_;
};

/// What equal terms of a writer's index do: `h + rh` has no single inverse. RestTakesAll is the earliest iteration of
/// the first: what it leaves is as much as the others can take.
enum class Overlap { Clamp, FirstTakesAll, RestTakesAll };

/// Do both go round one circle, as indices of a circular buffer do?
bool one_circle(const Expr& a, const Expr& b) {
  return a->op == Op::FloorMod && b->op == Op::FloorMod && as_int(a->args[1]) && a->args[1] == b->args[1];
}

class Solver {
 public:
  /// `unrolled`: indices that go round one circle are to be equal as they are before they do.
  Solver(const Access& write, const Access& read, const Bounds& bounds, const VarMap& hints, Overlap overlap,
         bool unrolled)
      : write_(write), read_(read), bounds_(bounds), hints_(hints), overlap_(overlap), unrolled_(unrolled) {
    for (const LoopRange& loop : write.loops) loops_.emplace(loop.var, &loop);
  }

  /// `free_value`: 0 takes the hint or else the first, 1 the first, 2 the last value of a loop that stays open.
  std::optional<Witness> solve(int free_value) {
    std::vector<std::pair<Expr, Expr>> cell;  // of the write and of the read: per dimension, or flat
    if (same_layout(write_, read_)) {
      for (size_t d = 0; d < write_.indices.size(); ++d) cell.emplace_back(write_.indices[d], read_.indices[d]);
    } else {
      cell.emplace_back(address_of(write_), address_of(read_));
    }
    for (const auto& [written, wanted] : cell) {
      const bool circle = one_circle(written, wanted);
      circles_ |= circle;
      const bool unroll = circle && unrolled_;
      equation(unroll ? written->args[0] : written, unroll ? wanted->args[0] : wanted);
    }
    for (const Expr& guard : write_.guards) {
      if (guard->op == Op::EQ && guard->args[0]->dtype.is_integer()) guard_equation(guard);
    }
    undo_flips_of_digits();
    assemble_digits();
    undo_flips();
    for (const LoopRange& loop : write_.loops) {
      if (values_.count(loop.var)) continue;
      Expr value = substitute(loop.min, values_);
      if (free_value == 2) value = fold(substitute(loop.min + loop.extent, values_) - imm(loop.min->dtype, 1));
      if (auto it = hints_.find(loop.var); it != hints_.end() && free_value == 0) value = it->second;
      open_ = true;
      values_.emplace(loop.var, value);
    }
    if (failed_) return std::nullopt;
    // The whole claim, whatever was reasoned above: in this iteration the write runs, and hits the cell.
    Witness out{values_, {}};
    const Access chosen = substitute(write_, values_);
    for (const LoopRange& loop : chosen.loops) {
      for (const Expr& e : range_of(loop)) out.conditions.push_back(substitute(e, values_));
    }
    if (HEXPROOF_MUTANT("witness/guards-not-asked", true, false)) {
      out.conditions.insert(out.conditions.end(), chosen.guards.begin(), chosen.guards.end());
    }
    for (Expr& e : conjuncts(same_cell(chosen, read_))) {
      // Two evaluations of what chooses are two values.
      bool trivial = e->op == Op::EQ && e->args[0] == e->args[1] && !chooses(e->args[0], OpenRounding::here());
      if (HEXPROOF_MUTANT("witness/address-not-asked", trivial, true)) continue;
      out.conditions.push_back(std::move(e));
    }
    return out;
  }
  /// Did a loop stay open, so that another choice makes another witness?
  bool open() const { return open_; }
  bool overlapped() const { return overlapped_; }
  /// Is there an index that goes round as the read's does?
  bool circles() const { return circles_; }

 private:
  /// An unknown of an equation: a loop of the write, or digits of a sum of such: X // low % (high / low).
  struct Unknown {
    Expr atom;
    Wide coefficient;
    Wide count = 0;  // how many values; 0: not known
    bool flipped = false;
    bool inverted = true;  // false: too hard, the loops in it stay open
  };

  bool has_unknown(const Expr& e) const {
    bool found = false;
    visit_expr(e, [&](const Expr& node) {
      found |= node->op == Op::Var && loops_.count(node->var()) && !values_.count(node->var());
      return !found;
    });
    return found;
  }

  /// Solves written == wanted for the unknowns in `written`, as far as it can.
  void equation(const Expr& written, const Expr& wanted) {
    Linear known = linear(wanted), w = linear(substitute(written, values_));
    DType type = written->dtype.bits >= wanted->dtype.bits ? written->dtype : wanted->dtype;
    std::vector<Unknown> unknowns;
    known.constant -= w.constant;
    for (const auto& [atom, c] : w.terms) {
      if (has_unknown(atom)) {
        unknowns.push_back({atom, c});
      } else {
        known.add(atom, -c);
      }
    }
    if (unknowns.empty()) return;
    take_symbolic(&unknowns, &known, type);
    for (Unknown& u : unknowns) measure(&u, &known);
    std::stable_sort(unknowns.begin(), unknowns.end(),
                     [](const Unknown& a, const Unknown& b) { return a.coefficient > b.coefficient; });
    Linear rest = known;
    for (size_t k = 0; k < unknowns.size() && !failed_; ++k) {
      const Unknown& u = unknowns[k];
      Wide below = 0;
      for (size_t j = k + 1; j < unknowns.size(); ++j) {
        below = unknowns[j].count ? below + unknowns[j].coefficient * (unknowns[j].count - 1) : kFar;
      }
      bool last = k + 1 == unknowns.size();
      bool overlaps = !last && below >= u.coefficient;
      overlapped_ |= overlaps;
      const bool least = overlaps && overlap_ == Overlap::RestTakesAll && below < kFar;
      Linear taken = rest;
      if (least) taken.constant -= below - u.coefficient + 1;
      auto [quotient, remainder] = divide(taken, u.coefficient, type);
      if (overlaps && u.count && (overlap_ == Overlap::Clamp || least)) {
        Expr q = quotient.expr(type);
        if (!q || !fits_type(type, u.count)) return fail();
        Linear clamped;
        clamped.add(max(imm(type, 0), min(q, imm(type, u.count - 1))), 1);
        rest.add(clamped, -u.coefficient);
        assign(u, clamped, type);
      } else {
        assign(u, quotient, type);
        rest = remainder;
      }
    }
  }

  /// i * n in the write against x * n in the read, for a symbolic n: i is x.
  void take_symbolic(std::vector<Unknown>* unknowns, Linear* known, DType type) {
    std::erase_if(*unknowns, [&](const Unknown& u) {
      if (u.atom->op != Op::Mul || u.coefficient != 1) return false;
      for (int side : {0, 1}) {
        const Expr &unknown = u.atom->args[side], &factor = u.atom->args[1 - side];
        if (has_unknown(factor)) continue;
        Linear value;
        std::vector<std::pair<Expr, Wide>> used;
        for (const auto& [atom, c] : known->terms) {
          if (atom->op != Op::Mul) continue;
          for (int other : {0, 1}) {
            if (!(atom->args[1 - other] == factor)) continue;
            value.add(linear(atom->args[other]), c);
            used.emplace_back(atom, c);
            break;
          }
        }
        for (const auto& [atom, c] : used) known->add(atom, -c);
        if (Expr e = value.expr(type)) equation(unknown, e);
        return true;
      }
      return false;
    });
  }

  /// The number of values of an unknown; makes its coefficient positive and its least value zero.
  void measure(Unknown* u, Linear* known) {
    if (u->atom->op == Op::Var) {
      const LoopRange& loop = *loops_.at(u->atom->var());
      if (as_int(loop.extent)) u->count = std::max<Wide>(int_value(loop.extent), 0);
      Expr least = substitute(loop.min, values_);
      if (has_unknown(least)) {
        u->count = 0;  // the range depends on a loop that is not solved yet
        return;
      }
      Linear min = linear(least);
      if (u->coefficient < 0) {
        u->flipped = true;
        Linear largest = min;
        largest.add(linear(substitute(loop.extent, values_)), 1);
        largest.constant -= 1;
        known->add(largest, -u->coefficient);
        u->coefficient = -u->coefficient;
      } else {
        known->add(min, -u->coefficient);
      }
      return;
    }
    if (u->coefficient < 0) {
      u->count = 0;
      u->coefficient = -u->coefficient;
      u->inverted = false;
      return;
    }
    if (u->atom->op == Op::FloorMod && as_int(u->atom->args[1])) u->count = int_value(u->atom->args[1]);
    const bool quotient = u->atom->op == Op::FloorDiv && as_int(u->atom->args[1]) && int_value(u->atom->args[1]) > 0;
    if (quotient || u->atom->op == Op::BitXor) {
      Bounds bounds;
      for (const LoopRange& loop : write_.loops) {
        for (const Expr& e : range_of(loop)) bounds.learn(e);
      }
      Interval range = bounds.of(u->atom);
      if (range.lo == 0 && range.bounded()) u->count = range.hi + 1;
    }
  }

  /// x = quotient * c + remainder with 0 <= remainder < c; parts that c divides need no division.
  std::pair<Linear, Linear> divide(const Linear& x, Wide c, DType type) {
    if (c == 1) return {x, Linear{}};
    if (c <= 0 || !fits_type(type, c)) {
      fail();
      return {};
    }
    Linear high, low;
    for (const auto& [atom, k] : x.terms) {
      Wide q = floor_div(k, c);
      // A coefficient that c does not divide stays whole: parts of it would only make more terms.
      if (q * c == k)
        high.add(atom, q);
      else
        low.add(atom, k);
    }
    Wide q = floor_div(x.constant, c);
    high.constant = q;
    low.constant = x.constant - q * c;
    Interval range = bounds_.of(low);
    if (floor_div(range.lo, c) == floor_div(range.hi, c)) {
      Wide shift = floor_div(range.lo, c);
      high.constant += shift;
      low.constant -= shift * c;
      return {high, low};
    }
    Expr e = low.expr(type);
    if (!e) {
      fail();
      return {};
    }
    Linear remainder;
    high.add(floordiv(e, imm(type, c)), 1);
    remainder.add(floormod(e, imm(type, c)), 1);
    return {high, remainder};
  }

  void assign(const Unknown& u, const Linear& value, DType type) {
    if (!u.inverted) return;
    if (u.atom->op == Op::Var) {
      const LoopRange& loop = *loops_.at(u.atom->var());
      Linear v = linear(substitute(loop.min, values_));
      if (u.flipped) {
        v.add(linear(substitute(loop.extent, values_)), 1);
        v.constant -= 1;
      }
      v.add(value, u.flipped ? -1 : 1);
      Expr e = v.expr(loop.var.dtype());
      if (!e) return fail();
      values_.emplace(loop.var, e);
      return;
    }
    if (u.atom->op == Op::BitXor) {
      if (Expr e = value.expr(type)) flips_.emplace_back(u.atom, e);
      return;
    }
    // X // low % (high / low) == value; collected until every digit of X is known.
    auto [x, scale] = digit_of(u.atom);
    if (x->op == Op::Min || x->op == Op::Max) {
      // Between the bounds the operand is the value.
      bool left = has_unknown(x->args[0]);
      if (left != has_unknown(x->args[1])) x = x->args[left ? 0 : 1];
    }
    if (x.get() == u.atom.get() || scale > kFar) return;  // not inverted; the loops in it stay open
    taken_.emplace_back(x, scale);
    for (auto& [base, sum] : digits_) {
      if (base == x) return sum.add(value, scale);
    }
    Linear sum;
    sum.add(value, scale);
    digits_.emplace_back(x, sum);
    digit_type_ = type;
  }

  /// What a digit X // low % (high / low) is of, and low.
  static std::pair<Expr, Wide> digit_of(const Expr& atom) {
    Expr x = atom;
    Wide scale = 1;
    while ((x->op == Op::FloorDiv || x->op == Op::FloorMod) && as_int(x->args[1]) && int_value(x->args[1]) > 0) {
      if (x->op == Op::FloorDiv) scale *= int_value(x->args[1]);
      x = x->args[0];
    }
    return {x, scale};
  }

  void assemble_digits() {
    for (int round = 0; round < 8 && !digits_.empty(); ++round) {
      auto now = std::exchange(digits_, {});
      for (const auto& [base, sum] : now) {
        if (Expr e = sum.expr(digit_type_)) equation(base, e);
      }
    }
  }

  /// X ^ M == value, where M is known: X is value ^ M.
  void undo_flips() {
    constexpr int kRounds = 4;
    for (int round = 0; round < kRounds && !flips_.empty(); ++round) {
      const auto now = std::exchange(flips_, {});
      for (const auto& [flipped, value] : now) {
        const Expr a = substitute(flipped->args[0], values_), b = substitute(flipped->args[1], values_);
        if (!has_unknown(b)) {
          equation(a, binary(Op::BitXor, value, b));
        } else if (!has_unknown(a)) {
          equation(b, binary(Op::BitXor, value, a));
        } else {
          flips_.emplace_back(flipped, value);
        }
      }
      undo_flips_of_digits();
      assemble_digits();
    }
  }

  /// X ^ M == value, where M is of the same loop as X: of its upper digits, which are known by now, or of a loop that
  /// is X, whose upper bits are those of the value.
  void undo_flips_of_digits() {
    const auto now = std::exchange(flips_, {});
    for (const auto& [flipped, value] : now) {
      bool undone = false;
      for (const int side : {0, 1}) {
        const Expr x = substitute(flipped->args[side], values_);
        const auto digit = digit_of(x);
        const auto is_digit = [&](const auto& known) {
          return known.first == digit.first && known.second == digit.second;
        };
        if (std::any_of(taken_.begin(), taken_.end(), is_digit)) continue;  // another output says what it is
        VarMap partly = values_;
        if (x->op == Op::Var) partly.emplace(x->var(), value);
        for (const auto& [base, sum] : digits_) {
          if (Expr e = base->op == Op::Var ? sum.expr(digit_type_) : Expr()) partly.emplace(base->var(), e);
        }
        const Expr mask = substitute(flipped->args[1 - side], partly);
        undone = has_unknown(x) && has_unknown(substitute(flipped->args[1 - side], values_)) && !has_unknown(mask);
        if (!undone) continue;
        equation(x, binary(Op::BitXor, value, mask));
        break;
      }
      if (!undone) flips_.emplace_back(flipped, value);
    }
  }

  /// `io == c` in a guard: that is the iteration.
  void guard_equation(const Expr& guard) {
    const Expr a = substitute(guard->args[0], values_), b = substitute(guard->args[1], values_);
    if (has_unknown(a) && !has_unknown(b)) equation(a, b);
    if (has_unknown(b) && !has_unknown(a)) equation(b, a);
  }

  void fail() { failed_ = true; }

  const Access &write_, &read_;
  const Bounds& bounds_;
  const VarMap& hints_;
  Overlap overlap_;
  bool unrolled_;
  std::map<Var, const LoopRange*> loops_;
  VarMap values_;
  std::vector<std::pair<Expr, Linear>> digits_;
  DType digit_type_ = kInt32;
  std::vector<std::pair<Expr, Wide>> taken_;  // of what, and from where on, digits are known
  std::vector<std::pair<Expr, Expr>> flips_;  // an exclusive or, and what it is to be
  bool open_ = false, overlapped_ = false, circles_ = false, failed_ = false;
};

}  // namespace

std::vector<Witness> witnesses(const Access& write, const Access& read, const std::vector<Expr>& given,
                               const VarMap& hints) {
  if (!may_alias(write.buffer, read.buffer) || write.anywhere || read.anywhere) return {};
  if (write.buffer->dtype != read.buffer->dtype) return {};
  Bounds bounds;
  for (const Expr& e : given) bounds.learn(e);
  for (const Expr& e : domain_of(read)) bounds.learn(e);
  std::vector<Witness> out;
  struct Attempt {
    bool open, overlapped, circles;
  };
  auto attempt = [&](int free_value, Overlap overlap, bool unrolled) {
    Solver solver(write, read, bounds, hints, overlap, unrolled);
    if (std::optional<Witness> witness = solver.solve(free_value)) out.push_back(std::move(*witness));
    return Attempt{solver.open(), solver.overlapped(), solver.circles()};
  };
  auto all_attempts = [&](bool unrolled) {
    const Attempt first = attempt(0, Overlap::Clamp, unrolled);
    if (first.open) {
      if (!hints.empty()) attempt(1, Overlap::Clamp, unrolled);
      attempt(2, Overlap::Clamp, unrolled);
    }
    if (first.overlapped) attempt(0, Overlap::FirstTakesAll, unrolled);
    if (first.overlapped) attempt(0, Overlap::RestTakesAll, unrolled);
    return first.circles;
  };
  if (all_attempts(false)) all_attempts(true);
  return out;
}

std::vector<std::vector<Obligation>> covers(const std::string& rule, const std::string& why, const Place& where,
                                            const std::vector<Expr>& given, const std::vector<Access>& writes,
                                            const Access& read) {
  std::vector<Expr> known = given;
  for (Expr& e : domain_of(read)) known.push_back(std::move(e));
  std::vector<std::vector<Obligation>> out;
  for (const Access& write : writes) {
    if (!write.write || write.fills || !write.exact) continue;
    for (const Witness& witness : witnesses(rename_apart(write), read, known)) {
      std::vector<Obligation> set;
      for (const Expr& goal : witness.conditions) set.push_back({rule, why, where, known, goal});
      out.push_back(std::move(set));
    }
  }
  return out;
}

}  // namespace hexproof
