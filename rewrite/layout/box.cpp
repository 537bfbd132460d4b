#include "rewrite/layout/box.h"

#include <algorithm>
#include <set>

#include "ir/visit.h"

namespace hexproof {
namespace {

constexpr int64_t kLargestFactor = int64_t(1) << 40;

/// Indices of an axis at which an expression with these constants may turn around.
/// Bits that are flipped may turn anywhere.
std::vector<int64_t> candidates(int64_t extent, const std::set<int64_t>& constants, bool flips) {
  const int64_t ends = flips ? 256 : 17;
  std::set<int64_t> out;
  auto add = [&](int64_t i) {
    if (0 <= i && i < extent && out.size() < 600) out.insert(i);
  };
  for (int64_t k = 0; k < std::min(extent, ends); ++k) add(k), add(extent - 1 - k);
  std::set<int64_t> periods = constants;
  for (int64_t a : constants) {
    for (int64_t b : constants) {
      if (a <= kLargestFactor / std::max<int64_t>(b, 1)) periods.insert(a * b);
    }
  }
  std::set<int64_t> shifts = constants;
  shifts.insert(0);
  for (int64_t q : periods) {
    if (q <= 1) continue;
    for (int64_t o : shifts) {
      int64_t last = (extent + o) / q * q - o;
      for (int64_t at : {q - o, last, last - q}) add(at - 1), add(at);
    }
  }
  return {out.begin(), out.end()};
}

}  // namespace

std::optional<int64_t> value_of(const Expr& e, const std::vector<Var>& vars, const std::vector<int64_t>& values) {
  if (const int64_t* c = as_int(e)) return *c;
  if (e->op == Op::Var) {
    for (size_t k = 0; k < vars.size(); ++k) {
      if (vars[k] == e->var()) return values[k];
    }
    return std::nullopt;
  }
  if (e->args.size() != 2) return std::nullopt;
  std::optional<int64_t> a = value_of(e->args[0], vars, values), b = value_of(e->args[1], vars, values);
  if (!a || !b || std::abs(*a) > kLargestFactor || std::abs(*b) > kLargestFactor) return std::nullopt;
  if (e->op == Op::Add) return *a + *b;
  if (e->op == Op::Sub) return *a - *b;
  if (e->op == Op::Mul) {
    Wide product = Wide(*a) * *b;
    if (product > kLargestFactor || product < -kLargestFactor) return std::nullopt;
    return static_cast<int64_t>(product);
  }
  if (e->op == Op::BitXor) return *a ^ *b;
  if (e->op == Op::BitAnd) return *a & *b;
  if (e->op == Op::BitOr) return *a | *b;
  if (e->op == Op::Shl || e->op == Op::Shr) {
    if (*b < 0 || *b >= 31) return std::nullopt;
    if (e->op == Op::Shr) return *a >> *b;
    return std::abs(*a) > (kLargestFactor >> *b) ? std::nullopt : std::optional(*a * (int64_t(1) << *b));
  }
  if (e->op == Op::Min) return std::min(*a, *b);
  if (e->op == Op::Max) return std::max(*a, *b);
  if (*b == 0) return std::nullopt;
  if (e->op == Op::TruncDiv) return *a / *b;
  if (e->op == Op::TruncMod) return *a % *b;
  int64_t r = *a % *b;
  if (r != 0 && (r < 0) != (*b < 0)) r += *b;
  if (e->op == Op::FloorMod) return r;
  if (e->op == Op::FloorDiv) return (*a - r) / *b;
  return std::nullopt;
}

std::optional<std::vector<int64_t>> extreme_index(const Expr& e, const std::vector<Var>& inputs,
                                                  const std::vector<int64_t>& shape, bool greatest,
                                                  const std::vector<bool>& fixed) {
  std::set<int64_t> constants;
  bool flips = false;
  visit_expr(e, [&](const Expr& node) {
    flips |= node->op == Op::BitXor;
    if (const int64_t* c = as_int(node); c && *c != 0 && std::abs(*c) < kLargestFactor && constants.size() < 12)
      constants.insert(std::abs(*c));
    return true;
  });
  std::vector<std::vector<int64_t>> choices;
  for (size_t k = 0; k < shape.size(); ++k) {
    if (shape[k] <= 0) return std::nullopt;
    bool moves = !fixed[k] && uses_var(e, inputs[k]);
    choices.push_back(moves ? candidates(shape[k], constants, flips) : std::vector<int64_t>{});
  }
  std::optional<std::vector<int64_t>> best;
  std::optional<int64_t> best_value;
  for (bool from_last : {false, true}) {
    std::vector<int64_t> at(shape.size(), 0);
    for (size_t k = 0; k < shape.size(); ++k) {
      if (fixed[k] || from_last) at[k] = shape[k] - 1;
    }
    std::optional<int64_t> here = value_of(e, inputs, at);
    if (!here) return std::nullopt;
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t k = 0; k < shape.size(); ++k) {
        for (int64_t choice : choices[k]) {
          std::vector<int64_t> there = at;
          there[k] = choice;
          std::optional<int64_t> value = value_of(e, inputs, there);
          if (!value) return std::nullopt;
          if (greatest ? *value > *here : *value < *here) at = there, here = value, moved = true;
        }
      }
    }
    if (!best_value || (greatest ? *here > *best_value : *here < *best_value)) best = at, best_value = here;
  }
  return best;
}

}  // namespace hexproof
