#include "rewrite/layout/swizzle.h"

#include <algorithm>

#include "ir/visit.h"
#include "rewrite/layout/box.h"
#include "rewrite/layout/digits.h"

namespace hexproof {
namespace {

/// `scale * (p // lower % extent)`, where the atom is an input.
Expr term_of(const Digit& d, const MapDigits& digits, const std::vector<Var>& inputs) {
  const Atom& atom = digits.atoms[d.atom];
  Expr e(inputs[*atom.input]);
  if (d.lower != 1) e = floordiv(e, i32(d.lower));
  const bool top = d.extent == 0 || (atom.end.constant() && Wide(d.lower) * d.extent >= atom.end.add);
  if (!top) e = floormod(e, i32(d.extent));
  return d.scale == 1 ? e : e * i32(d.scale);
}

/// What is a sum of digits of the inputs, written as that: `(p * 8 + q) // 8 % 8` is `p % 8` for q below 8.
Expr as_digits(const Expr& e, const std::vector<Var>& inputs, const std::vector<Expr>& shape) {
  if (e->args.empty()) return e;
  const MapDigits digits = digits_of({inputs, {e}, {}}, shape);
  const std::optional<DigitSum>& sum = digits.outputs[0];
  auto small = [](int64_t n) { return fits_type(kInt32, n); };
  bool plain = sum && sum->offset == 0 && !sum->digits.empty() && digits.carriers.empty();
  for (size_t k = 0; plain && k < sum->digits.size(); ++k) {
    const Digit& d = sum->digits[k];
    plain = digits.atoms[d.atom].input && small(d.lower) && small(d.extent) && small(d.scale);
  }
  if (plain) {
    Expr out;
    for (const Digit& d : sum->digits) {
      Expr term = term_of(d, digits, inputs);
      out = out ? out + term : term;
    }
    return out;
  }
  if (e->args.size() != 2) return e;
  const Expr a = as_digits(e->args[0], inputs, shape), b = as_digits(e->args[1], inputs, shape);
  return a == e->args[0] && b == e->args[1] ? e : binary(e->op, a, b);
}

/// The value as it is when no bit was flipped.
Expr without_masks(const Expr& e, const std::vector<Var>& logical) {
  auto of_mask = [&](const Var& v) { return uses_var(e->args[1], v); };
  if (e->op == Op::BitXor && std::any_of(logical.begin(), logical.end(), of_mask)) {
    return without_masks(e->args[0], logical);
  }
  if (e->args.size() != 2) return e;
  return binary(e->op, without_masks(e->args[0], logical), without_masks(e->args[1], logical));
}

/// Logical indices of a box: all of a small one, else every so many, and symbolic extents as some numbers.
std::vector<std::vector<int64_t>> tried_indices(const std::vector<Expr>& shape) {
  constexpr int64_t kTried = 4096, kSymbolic = 1021, kStep = 2654435761;
  Wide cells = 1;
  std::vector<int64_t> extents;
  for (const Expr& n : shape) {
    extents.push_back(as_int(n) ? std::max<int64_t>(*as_int(n), 1) : kSymbolic);
    cells = std::min<Wide>(cells * extents.back(), int64_t(1) << 40);
  }
  std::vector<std::vector<int64_t>> out;
  for (int64_t k = 0; k < std::min<Wide>(cells, kTried); ++k) {
    Wide at = cells <= kTried ? Wide(k) : Wide(k) * kStep % cells;
    std::vector<int64_t> index(extents.size());
    for (size_t d = extents.size(); d-- > 0;) {
      index[d] = static_cast<int64_t>(at % extents[d]);
      at /= extents[d];
    }
    out.push_back(std::move(index));
  }
  return out;
}

bool leads_back(const IndexMap& map, const IndexMap& inverse, const std::vector<Expr>& shape) {
  for (const std::vector<int64_t>& index : tried_indices(shape)) {
    std::vector<int64_t> image;
    for (const Expr& e : map.outputs) {
      const std::optional<int64_t> value = value_of(e, map.inputs, index);
      if (!value) return false;
      image.push_back(*value);
    }
    for (size_t k = 0; k < index.size(); ++k) {
      if (value_of(inverse.outputs[k], inverse.inputs, image) != index[k]) return false;
    }
  }
  return true;
}

}  // namespace

bool settle_masks(const IndexMap& map, const std::vector<Expr>& shape, const std::vector<Expr>& new_shape,
                  IndexMap* found, std::vector<Expr>* conditions) {
  constexpr int kRounds = 8;
  std::vector<Expr>& values = found->outputs;
  auto known = [&](const Expr& e) {
    return std::none_of(map.inputs.begin(), map.inputs.end(), [&](const Var& v) { return uses_var(e, v); });
  };
  auto put_in = [&](const VarMap& indices, const Expr& e) {
    return as_digits(substitute(e, indices), found->inputs, new_shape);
  };
  VarMap indices;
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t k = 0; k < values.size(); ++k) {
      if (indices.count(map.inputs[k])) continue;
      if (!known(values[k])) values[k] = put_in(indices, values[k]);
      if (!known(values[k])) continue;
      indices.emplace(map.inputs[k], values[k]);
      moved = true;
    }
  }
  // Those that need each other: each round knows more of the bits.
  const std::vector<Expr> open = values;
  VarMap guess = indices;
  for (size_t k = 0; k < values.size(); ++k) guess.emplace(map.inputs[k], without_masks(open[k], map.inputs));
  for (int round = 0; round < kRounds; ++round) {
    for (size_t k = 0; k < values.size(); ++k) {
      if (!known(open[k])) values[k] = put_in(guess, open[k]);
    }
    if (leads_back(map, *found, shape)) {
      for (Expr& c : *conditions) c = put_in(guess, c);
      return true;
    }
    for (size_t k = 0; k < values.size(); ++k) guess[map.inputs[k]] = values[k];
  }
  return false;
}

}  // namespace hexproof
