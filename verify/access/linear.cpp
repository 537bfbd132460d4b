#include "verify/access/linear.h"

#include "verify/facts/facts.h"

namespace hexproof {

void Linear::add(const Expr& atom, Wide coefficient) {
  for (size_t i = 0; i < terms.size(); ++i) {
    if (!(terms[i].first == atom)) continue;
    terms[i].second += coefficient;
    if (terms[i].second == 0) terms.erase(terms.begin() + static_cast<long>(i));
    return;
  }
  if (coefficient != 0) terms.emplace_back(atom, coefficient);
}

void Linear::add(const Linear& other, Wide factor) {
  for (const auto& [atom, coefficient] : other.terms) add(atom, coefficient * factor);
  constant += other.constant * factor;
}

Expr Linear::expr(DType type) const {
  Expr out;
  auto append = [&](const Expr& term, bool minus) {
    if (!out) {
      out = minus ? imm(type, 0) - term : term;
    } else {
      out = minus ? out - term : out + term;
    }
  };
  for (bool minus : {false, true}) {
    for (const auto& [atom, coefficient] : terms) {
      if ((coefficient < 0) != minus) continue;
      Wide factor = minus ? -coefficient : coefficient;
      Expr term = atom->dtype == type ? atom : cast(type, atom);
      if (!fits_type(type, factor)) return {};
      append(factor == 1 ? term : term * imm(type, factor), minus);
    }
  }
  if (!out) return fits_type(type, constant) ? imm(type, constant) : Expr();
  const Wide distance = constant < 0 ? -constant : constant;  // what is written: -1 fits no unsigned type, 1 does
  if (!fits_type(type, distance)) return {};
  if (constant > 0) return out + imm(type, distance);
  if (constant < 0) return out - imm(type, distance);
  return out;
}

namespace {

Linear sum_of_parts(const Expr& e) {
  Linear out;
  if (e->wraps) {
    out.add(e, 1);  // wraps: no sum of its parts
  } else if (as_int(e)) {
    out.constant = int_value(e);
  } else if (e->op == Op::Add || e->op == Op::Sub) {
    out = sum_of_parts(e->args[0]);
    out.add(sum_of_parts(e->args[1]), e->op == Op::Add ? 1 : -1);
  } else if (e->op == Op::Mul && as_int(e->args[1])) {
    out.add(sum_of_parts(e->args[0]), int_value(e->args[1]));
  } else if (e->op == Op::Mul && as_int(e->args[0])) {
    out.add(sum_of_parts(e->args[1]), int_value(e->args[0]));
  } else if (e->op == Op::Cast && e->dtype.is_int() && e->args[0]->dtype.is_int() &&
             e->dtype.bits >= e->args[0]->dtype.bits) {
    out = sum_of_parts(e->args[0]);
  } else {
    out.add(e, 1);
  }
  return out;
}

}  // namespace

Linear linear(const Expr& e) {
  constexpr size_t kMostNodes = 1 << 14;  // as a tree
  if (!larger_than(e, kMostNodes)) return sum_of_parts(e);
  Linear out;
  out.add(e, 1);
  return out;
}

}  // namespace hexproof
