#include "verify/equiv/exact.h"

#include <cmath>

#include "ir/base/early_exit.h"
#include "ir/float_format.h"
#include "ir/interpreter/walk/walk.h"
#include "verify/equiv/table.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace {

/// A value, and for a float the sum of the magnitudes of the terms that it is made of when all products are multiplied
/// out: no partial result of any order is larger.
struct Bounded {
  Scalar value;
  double terms = 0;
};

/// The input shows nothing.
struct Affected : EarlyExit {
  Affected() : EarlyExit("a flag may change a value") {}
};

/// Integers below this are exact in the type, and so are their sums.
double exact_below(DType type) { return std::ldexp(1.0, float_format(type).significand); }

struct BoundDomain {
  using Cell = Bounded;

  explicit BoundDomain(const PrimFunc& func)
      : nnan(func.granted("nnan")),
        ninf(func.granted("ninf")),
        nsz(func.granted("nsz")),
        order(func.granted("reassoc") || func.granted("contract")) {}

  Cell bounded(Scalar value, double terms) const {
    if (!value.type.is_float()) return {value, 0};
    double d = value.d();
    if ((nnan && std::isnan(d)) || (ninf && std::isinf(d))) throw Affected{};
    bool exact =
        std::isfinite(d) && d == std::trunc(d) && !(d == 0 && std::signbit(d)) && terms < exact_below(value.type);
    if (order && !exact) throw Affected{};
    return {value, terms};
  }
  Cell constant(const Scalar& s) { return bounded(s, s.type.is_float() ? std::fabs(s.d()) : 0); }
  Cell unary(Op op, const Cell& a, DType) { return bounded(apply_unary(op, a.value), a.terms); }
  Cell binary(Op op, const Cell& a, const Cell& b, DType type) {
    bool sum = op == Op::Add || op == Op::Sub, floats = type.is_float();
    if (floats && order && !sum && op != Op::Mul) throw Affected{};
    if (floats && nsz && op == Op::Div && b.value.d() == 0) throw Affected{};
    ScalarResult r = apply_binary(op, a.value, b.value, Arith::Data);
    if (!r) throw Affected{};
    return bounded(r.value, sum ? a.terms + b.terms : a.terms * b.terms);
  }
  Cell cast(DType to, const Cell& a, DType) {
    ScalarResult r = apply_cast(to, a.value);
    if (!r || (order && a.value.type.is_float())) throw Affected{};
    return bounded(r.value, to.is_float() ? std::fabs(r.value.d()) : 0);
  }
  Cell select(const Cell& c, const Cell& a, const Cell& b, DType) { return c.value.truth() ? a : b; }
  Cell call(const std::string&, DType, const std::vector<Cell>&) { throw Affected{}; }
  Cell undef(DType) { throw Affected{}; }
  std::optional<Scalar> number(const Cell& a, DType, const std::string&) { return a.value; }
  void assume(const Cell&) {}

  bool nnan, ninf, nsz, order;
};

}  // namespace

bool unaffected_by_flags(const PrimFunc& func, const std::vector<Tensor>& arguments,
                         const std::vector<int64_t>& scalars) {
  if (rounds_numbers(func)) return false;
  try {
    Arguments bound = bind_arguments(func, arguments, scalars);
    BoundDomain domain(func);
    Walk<BoundDomain> walk(domain, {.check_races = false});
    for (const auto& [var, value] : bound.scalars) walk.bind_scalar(var, value);
    for (size_t b = 0; b < bound.buffers.size(); ++b) {
      if (!bound.buffers[b].compact) return false;
      auto& memory = walk.bind_buffer(bound.buffers[b]);
      for (size_t i = 0; i < memory.cells.size(); ++i) {
        memory.cells[i] = domain.constant(element(arguments[b], static_cast<int64_t>(i)));
        memory.filled[i] = arguments[b].initialised.empty() || arguments[b].initialised[i] == 1;
      }
    }
    return !walk.run(func.body).error;
  } catch (const Affected&) {
    return false;
  } catch (const Unsupported&) {
    return false;
  }
}

}  // namespace hexproof
