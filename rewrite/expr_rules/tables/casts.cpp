// Conversions.
#include "ir/float_format.h"
#include "ir/reinterpret.h"
#include "rewrite/expr_rules/rule.h"

namespace hexproof {

namespace {

bool holds_all_of(DType wide, DType narrow) {
  return min_value(wide) <= min_value(narrow) && max_value(narrow) <= max_value(wide);
}

/// (from, through, to): the type in the middle loses nothing, or no more than the last one does.
std::vector<Types> two_casts() {
  std::vector<Types> out;
  for (DType from : kIntegers) {
    for (DType through : kIntegers) {
      for (DType to : kIntegers) {
        if (from != through && (holds_all_of(through, from) || to.bits <= through.bits)) {
          out.push_back({from, through, to});
        }
      }
    }
  }
  return out;
}

/// (unsigned, the signed type as wide, a wider signed one)
std::vector<Types> widened_without_sign() {
  std::vector<Types> out;
  for (DType from : kIntegers) {
    for (DType same : kSigned) {
      for (DType to : kSigned) {
        if (from.is_uint() && same.bits == from.bits && to.bits > from.bits) out.push_back({from, same, to});
      }
    }
  }
  return out;
}

std::vector<Types> float_round_trips() {
  std::vector<Types> out;
  for (DType from : kFloats) {
    for (DType to : kFloats) {
      const FloatFormat narrow = float_format(from), wide = float_format(to);
      const bool all = narrow.exponent <= wide.exponent && narrow.significand <= wide.significand;
      if (from != to && all) out.push_back({from, to});
    }
  }
  return out;
}

std::vector<Types> floats_as_integers() {
  std::vector<Types> out;
  for (DType from : kFloats) {
    for (DType as : kIntegers) {
      if (from.bits == as.bits) out.push_back({from, as});
    }
  }
  return out;
}

std::vector<Types> exact_conversions() {
  std::vector<Types> out;
  for (DType from : kIntegers) {
    for (DType to : kIntegers) {
      if (from != to && holds_all_of(to, from)) out.push_back({from, to});
    }
  }
  return out;
}

}  // namespace

std::vector<ExprRule> cast_rules() {
  return {
      // T.Cast(t, x)  ->  x      x is of type t
      {"cast-same", kScalars,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = cast(t, x), .rhs = x};
       }},
      // T.Cast(to, T.Cast(through, x))  ->  T.Cast(to, x)      what is lost in the middle is lost at the end too
      {"cast-cast", two_casts(),
       [](const Types& t) {
         Expr x = hole("x", t[0]);
         return ExprRewrite{.lhs = cast(t[2], cast(t[1], x)), .rhs = cast(t[2], x)};
       }},
      // T.Cast(to, T.Cast("int8", x ^ 128))  ->  T.Cast(to, x) - 128      a number whose sign bit is flipped is one
      // more by it
      {"cast-of-flipped-sign", widened_without_sign(),
       [](const Types& t) {
         Expr x = hole("x", t[0]);
         const int64_t sign = int64_t{1} << (t[0].bits - 1);
         return ExprRewrite{.lhs = cast(t[2], cast(t[1], binary(Op::BitXor, x, imm(t[0], sign)))),
                            .rhs = cast(t[2], x) - imm(t[2], sign)};
       }},
      // T.Cast(narrow, T.Cast(wide, x))  ->  x      floats: widening is exact
      {"float-cast-round-trip", float_round_trips(),
       [](const Types& t) {
         Expr x = hole("x", t[0]);
         return ExprRewrite{.lhs = cast(t[0], cast(t[1], x)), .rhs = x};
       }},
      // T.reinterpret(float, T.reinterpret(integer, x))  ->  x      (not the other way round: NaNs have many bits)
      {"reinterpret-back", floats_as_integers(),
       [](const Types& t) {
         Expr x = hole("x", t[0]);
         return ExprRewrite{.lhs = reinterpret(t[0], reinterpret(t[1], x)), .rhs = x};
       }},
      // T.Cast(wide, x) < T.Cast(wide, y)  ->  x < y
      {"lt-of-casts", exact_conversions(),
       [](const Types& t) {
         Expr x = hole("x", t[0]), y = hole("y", t[0]);
         return ExprRewrite{.lhs = lt(cast(t[1], x), cast(t[1], y)), .rhs = lt(x, y)};
       }},
      // T.Cast(wide, x) == T.Cast(wide, y)  ->  x == y
      {"eq-of-casts", exact_conversions(),
       [](const Types& t) {
         Expr x = hole("x", t[0]), y = hole("y", t[0]);
         return ExprRewrite{.lhs = eq(cast(t[1], x), cast(t[1], y)), .rhs = eq(x, y)};
       }},
  };
}

}  // namespace hexproof
