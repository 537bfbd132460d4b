#include "verify/access/iteration_solver.h"

#include <algorithm>
#include <utility>

#include "ir/base/mutant.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {

namespace {

/// Do both go round one circle, as indices of a circular buffer do?
bool one_circle(const Expr& a, const Expr& b) {
  return a->op == Op::FloorMod && b->op == Op::FloorMod && as_int(a->args[1]) && a->args[1] == b->args[1];
}

}  // namespace

IterationSolver::IterationSolver(const Access& write, const Access& read, const ConstantBounds& bounds,
                                 const VarMap& hints, Overlap overlap, bool unrolled)
    : write_(write), read_(read), bounds_(bounds), hints_(hints), overlap_(overlap), unrolled_(unrolled) {
  for (const LoopRange& loop : write.loops) loops_.emplace(loop.var, &loop);
}

std::optional<Witness> IterationSolver::solve(int free_value) {
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

bool IterationSolver::has_unknown(const Expr& e) const {
  bool found = false;
  visit_nodes(e, [&](const Expr& node) {
    found |= node->op == Op::Var && loops_.count(node->var()) && !values_.count(node->var());
    return !found;
  });
  return found;
}

void IterationSolver::equation(const Expr& written, const Expr& wanted) {
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

void IterationSolver::take_symbolic(std::vector<Unknown>* unknowns, Linear* known, DType type) {
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

void IterationSolver::measure(Unknown* u, Linear* known) {
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
    ConstantBounds bounds;
    for (const LoopRange& loop : write_.loops) {
      for (const Expr& e : range_of(loop)) bounds.learn(e);
    }
    Interval range = bounds.of(u->atom);
    if (range.lo == 0 && range.bounded()) u->count = range.hi + 1;
  }
}

std::pair<Linear, Linear> IterationSolver::divide(const Linear& x, Wide c, DType type) {
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

void IterationSolver::assign(const Unknown& u, const Linear& value, DType type) {
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

void IterationSolver::guard_equation(const Expr& guard) {
  const Expr a = substitute(guard->args[0], values_), b = substitute(guard->args[1], values_);
  if (has_unknown(a) && !has_unknown(b)) equation(a, b);
  if (has_unknown(b) && !has_unknown(a)) equation(b, a);
}

}  // namespace hexproof
