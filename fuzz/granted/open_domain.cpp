#include "fuzz/granted/open_domain.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "ir/interpreter/math.h"

namespace hexproof {

namespace {

constexpr size_t kMostParts = 5, kMostValues = 200;

Scalar rounded(Op op, const Scalar& a, const Scalar& b) {
  ScalarResult r = apply_binary(op, a, b, Arith::Data);
  if (!r) faults::operation(r.error, op, a, b);
  return r.value;
}
Scalar negative(const Scalar& a) { return float_scalar(a.type, -a.d()); }

/// a * b + c, rounded once to the type of c.
Scalar fused(const Scalar& a, const Scalar& b, const Scalar& c) {
  if (c.type.bits == 64) return float_scalar(c.type, std::fma(a.d(), b.d(), c.d()));
  if (c.type.bits == 32) {
    return float_scalar(c.type,
                        std::fma(static_cast<float>(a.d()), static_cast<float>(b.d()), static_cast<float>(c.d())));
  }
  throw TooManyValues{};  // of narrower formats nothing is said here
}

/// Functions that tell the zeros apart, under any of their names.
bool sees_either_zero(const std::string& name) {
  const std::string_view plain = std::string_view(name).substr(name.find('.') + 1);
  return plain == "copysign" || plain == "atan2" || plain == "pow" || plain == "power" || plain == "rsqrt";
}

/// Is the sum of x and a zero x itself, bit for bit?
bool passes(const Scalar& x, const Scalar& other, const Scalar& result) { return other.d() == 0 && result == x; }

using Scalars = std::vector<Scalar>;
void add_value(Scalars* to, const Scalar& value) {
  if (std::find(to->begin(), to->end(), value) == to->end()) to->push_back(value);
  if (to->size() > kMostValues) throw TooManyValues{};
}

/// All values of a sum or product of the parts, in any grouping, each part with any of its own values.
Scalars regrouped(Made::Kind kind, const std::vector<Made::Part>& parts);
Scalars values_of(const Made::Part& part) {
  Scalars out{part.cell.value};
  for (Made::Kind kind : {Made::Sum, Made::Product}) {
    if (!part.cell.made || part.cell.made->parts[kind].empty()) continue;
    for (const Scalar& v : regrouped(kind, part.cell.made->parts[kind])) add_value(&out, v);
  }
  if (part.negated) {
    for (Scalar& v : out) v = negative(v);
  }
  return out;
}
Scalars regrouped(Made::Kind kind, const std::vector<Made::Part>& parts) {
  const Op op = kind == Made::Sum ? Op::Add : Op::Mul;
  std::vector<Scalars> of(size_t{1} << parts.size());
  for (size_t set = 1; set < of.size(); ++set) {
    if ((set & (set - 1)) == 0) {
      of[set] = values_of(parts[static_cast<size_t>(__builtin_ctzll(set))]);
      continue;
    }
    for (size_t left = (set - 1) & set; left != 0; left = (left - 1) & set) {
      if (left < (set ^ left)) continue;  // operands change places
      for (const Scalar& a : of[left]) {
        for (const Scalar& b : of[set ^ left]) add_value(&of[set], rounded(op, a, b));
      }
    }
  }
  return of.back();
}

/// The parts of an operand of `kind`, flat.
void take_parts(const OpenCell& cell, Made::Kind kind, bool negated, std::vector<Made::Part>* out) {
  if (!cell.made || cell.made->parts[kind].empty()) {
    out->push_back({cell, negated});
  } else {
    for (const Made::Part& p : cell.made->parts[kind]) out->push_back({p.cell, p.negated != negated});
  }
  if (out->size() > kMostParts) throw TooManyValues{};
}

/// The result is the operand, or its negative: how that was made is seen through the operation, by `contract` through a
/// negation, too.
void see_through(const OpenCell& cell, bool negated, Made::Kind kind, Made* made) {
  if (!cell.made) return;
  for (const auto& [x, y] : cell.made->products) made->products.emplace_back(negated ? negative(x) : x, y);
  if (negated) return;
  for (const Made::Part& p : cell.made->parts[kind]) made->parts[kind].push_back(p);
}

}  // namespace

size_t Chooser::choose(size_t n) {
  if (n == 1) return 0;
  if (at_ == taken_.size()) taken_.emplace_back(0, n);
  return taken_[at_++].first;
}

bool Chooser::next() {
  at_ = 0;
  while (!taken_.empty() && taken_.back().first + 1 == taken_.back().second) taken_.pop_back();
  if (taken_.empty()) return false;
  ++taken_.back().first;
  return true;
}

Scalar OpenDomain::one_of(std::vector<Scalar> values) {
  Scalars distinct;
  for (const Scalar& v : values) add_value(&distinct, v);
  const Scalar value = distinct[chooser_.choose(distinct.size())];
  special_ |= !std::isfinite(value.d());
  return value;
}

OpenCell OpenDomain::either_zero(const Cell& a) {
  if (!nsz_ || a.value.d() != 0) return a;
  return {one_of({a.value, negative(a.value)})};
}

OpenCell OpenDomain::sum(Op op, const Cell& a, const Cell& b) {
  const bool minus = op == Op::Sub;
  Scalars values{rounded(op, a.value, b.value)};
  const Scalar right = minus ? negative(b.value) : b.value;
  auto made = std::make_shared<Made>();
  if (reassoc_) {
    take_parts(a, Made::Sum, false, &made->parts[Made::Sum]);
    take_parts(b, Made::Sum, minus, &made->parts[Made::Sum]);
    for (const Scalar& v : regrouped(Made::Sum, made->parts[Made::Sum])) values.push_back(v);
  }
  if (passes(a.value, b.value, values[0])) see_through(a, false, Made::Product, made.get());
  if (passes(right, a.value, values[0])) see_through(b, minus, Made::Product, made.get());
  if (contract_ && a.made) {
    for (const auto& [x, y] : a.made->products) values.push_back(fused(x, y, right));
  }
  if (contract_ && b.made) {
    for (const auto& [x, y] : b.made->products) values.push_back(fused(minus ? negative(x) : x, y, a.value));
  }
  return {one_of(values), made};
}

OpenCell OpenDomain::product(const Cell& a, const Cell& b) {
  Scalars values{rounded(Op::Mul, a.value, b.value)};
  auto made = std::make_shared<Made>();
  made->products.emplace_back(a.value, b.value);
  if (reassoc_) {
    take_parts(a, Made::Product, false, &made->parts[Made::Product]);
    take_parts(b, Made::Product, false, &made->parts[Made::Product]);
    for (const Scalar& v : regrouped(Made::Product, made->parts[Made::Product])) values.push_back(v);
  }
  if (std::fabs(b.value.d()) == 1) see_through(a, b.value.d() < 0, Made::Sum, made.get());
  if (std::fabs(a.value.d()) == 1) see_through(b, a.value.d() < 0, Made::Sum, made.get());
  return {one_of(values), made};
}

OpenCell OpenDomain::quotient(const Cell& a, Cell b) {
  if (reassoc_) throw TooManyValues{};
  b = either_zero(b);
  auto made = std::make_shared<Made>();
  if (std::fabs(b.value.d()) == 1) see_through(a, b.value.d() < 0, Made::Sum, made.get());
  return {one_of({rounded(Op::Div, a.value, b.value)}), made};
}

OpenCell OpenDomain::binary(Op op, const Cell& a, const Cell& b, DType type) {
  if (type.is_float()) {
    if (op == Op::Add || op == Op::Sub) return sum(op, a, b);
    if (op == Op::Mul) return product(a, b);
    if (op == Op::Div) return quotient(a, b);
    if (op == Op::Min) return a.value.d() < b.value.d() ? a : b;
    if (op == Op::Max) return a.value.d() > b.value.d() ? a : b;
  }
  return {rounded(op, a.value, b.value)};
}

OpenCell OpenDomain::cast(DType to, const Cell& a, DType) {
  ScalarResult r = apply_cast(to, a.value);
  if (!r) faults::cast(r.error, to, a.value);
  if (a.made && a.made->narrow && a.made->narrow->value.type == to) return *a.made->narrow;
  const bool wider = to.is_float() && a.value.type.is_float() && to.bits > a.value.type.bits;
  if (!wider) return {r.value};
  auto made = std::make_shared<Made>();  // a sum of the wider format is regrouped with sums of that format alone
  if (a.made) made->products = a.made->products;
  made->narrow = std::make_shared<const Cell>(a);
  return {r.value, made};
}

OpenCell OpenDomain::call(const std::string& name, DType type, const std::vector<Cell>& args) {
  std::vector<Scalar> values;
  for (const Cell& a : args) values.push_back(sees_either_zero(name) ? either_zero(a).value : a.value);
  std::optional<Scalar> value = apply_call(name, type, values);
  if (!value) throw TooManyValues{};
  if (!type.is_float()) return {*value};
  auto made = std::make_shared<Made>();
  if (contract_ && changes_the_sign_alone(name) && args[0].made && std::isfinite(value->d())) {
    const bool negated = std::signbit(value->d()) != std::signbit(values[0].d());
    for (const auto& [x, y] : args[0].made->products) made->products.emplace_back(negated ? negative(x) : x, y);
  }
  return {one_of({*value}), made};
}

}  // namespace hexproof
