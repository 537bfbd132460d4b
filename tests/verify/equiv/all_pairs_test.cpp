// One meaning: what the encoder writes for every operator on integers of 8 bits, evaluated as SMT-LIB defines it on all
// pairs of operands, against ir/interpreter/scalar_ops.h. agreement_test.cpp asks solvers, on fewer pairs.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/verify/agreement.h"
#include "tests/verify/prove/smt_evaluator.h"
#include "verify/prove/solvers/evaluate.h"
#include "verify/prove/solvers/smt/encode.h"

namespace hexproof {
namespace all_pairs_test {

/// A question about an operator, and the assignments under which it is put.
struct Case {
  std::string what;
  EncodeOptions options;
  std::vector<Expr> given;
  Expr x, y;  // the operands; y is missing when the right one is a constant
  Expr got;
  std::vector<std::pair<Scalar, Scalar>> pairs;
  std::vector<Scalar> expected;
};

/// The formula "got is z" has no counterexample where z has the expected value, and is one big counterexample where z
/// has any other: so the encoding is neither wrong nor says nothing.
void expect_case(const Case& c) {
  if (c.pairs.empty()) return;
  int undefs = 0;
  Expr z = operand(Kind::Data, c.got->dtype, "z");
  std::vector<Expr> given;
  for (const Expr& e : c.given) given.push_back(prepare(e, &undefs));
  Script script;
  try {
    script = encode(given, prepare(eq(c.got, z), &undefs), c.options);
  } catch (const NotEncodable& error) {
    FAIL() << c.what << ": " << error.what();
  }
  size_t n = c.pairs.size();
  auto lanes = [&](DType t, auto value) {
    Lanes out{t.is_bool() ? 0 : script.reading == Reading::WideBits ? script.width : t.bits, {}};
    for (size_t i = 0; i < n; ++i) {
      auto v = static_cast<Word>(wide_value(value(i)));
      out.at.push_back(out.bits == 0 ? v : v & ((Word{1} << out.bits) - 1));
    }
    return out;
  };
  for (bool wrong : {false, true}) {
    SmtEvaluator evaluator(n);
    for (const ScriptInput& input : script.inputs) {
      ASSERT_TRUE(input.term) << c.what << " is abstract";
      evaluator.set(input.name, lanes(input.type, [&](size_t i) {
                      if (input.term == c.x) return c.pairs[i].first;
                      if (c.y && input.term == c.y) return c.pairs[i].second;
                      Scalar e = c.expected[i];
                      if (!wrong) return e;
                      if (e.type.is_bool()) return bool_scalar(!e.truth());
                      return int_scalar(e.type,
                                        wide_value(e) == max_value(e.type) ? wide_value(e) - 1 : wide_value(e) + 1);
                    }));
    }
    std::vector<Lanes> assertions = evaluator.assertions(script.text);
    for (size_t i = 0; i < n; ++i) {
      bool possible = true;
      for (size_t k = 0; k + 1 < assertions.size(); ++k) possible &= assertions[k].at[i] == 1;
      ASSERT_TRUE(possible) << c.what << ": the script leaves out " << to_string(wide_value(c.pairs[i].first)) << ", "
                            << to_string(wide_value(c.pairs[i].second));
      ASSERT_EQ(assertions.back().at[i] == 1, wrong) << c.what << " at " << to_string(wide_value(c.pairs[i].first))
                                                     << ", " << to_string(wide_value(c.pairs[i].second));
    }
  }
}

class AllPairs : public ::testing::TestWithParam<std::tuple<DType, Reading>> {
 protected:
  DType type() const { return std::get<0>(GetParam()); }
  Reading reading() const { return std::get<1>(GetParam()); }

  Case make(const Row& row, Kind kind, const std::string& more) const {
    Case c;
    c.what = row.name + " on " + type().str() + ", " + name_of(kind) + more;
    c.options.reading = reading();
    Kind side = kind == Kind::Index ? Kind::Index : Kind::Data;
    c.x = operand(side, type(), "x"), c.y = operand(side, type(), "y");
    c.got = row.build(c.x, c.y);
    return c;
  }
  /// The value of the operator for `pairs`, where it is no error.
  void values(const Row& row, Case c, const std::vector<std::pair<Scalar, Scalar>>& pairs, Arith mode) const {
    for (const auto& [a, b] : pairs) {
      ScalarResult r = row.value(a, b, mode);
      if (!r) continue;
      c.pairs.emplace_back(a, b);
      c.expected.push_back(r.value);
    }
    expect_case(c);
  }
  /// fits() of the operator for `pairs`.
  void errors(const Row& row, Case c, const std::vector<std::pair<Scalar, Scalar>>& pairs, Arith mode) const {
    c.what = "fits of " + c.what;
    c.got = fits(c.got);
    c.pairs = pairs;
    for (const auto& [a, b] : pairs) c.expected.push_back(bool_scalar(bool(row.value(a, b, mode))));
    expect_case(c);
  }
  template <class Keep>
  std::vector<std::pair<Scalar, Scalar>> pairs(const Row& row, Keep keep) const {
    std::vector<std::pair<Scalar, Scalar>> out;
    for (const Scalar& a : values_of(type())) {
      for (const Scalar& b : values_of(type())) {
        if (keep(b)) out.emplace_back(a, b);
        if (!row.right) break;
      }
    }
    return out;
  }
};

/// The operands of what divides or shifts stay where it has bounds: each side of zero, or the widths.
struct Part {
  Wide lo, hi;
};
std::vector<Part> parts(const Row& row, DType t) {
  if (is_shift(row)) return {{0, t.bits - 1}};
  if (!is_division(row.op)) return {{min_value(t), max_value(t)}};
  std::vector<Part> out = {{1, max_value(t)}};
  if (t.is_int()) out.push_back({min_value(t), -1});
  return out;
}

TEST_P(AllPairs, TwoOperands) {
  DType t = type();
  for (const Row& row : rows_of(t)) {
    if (reading() == Reading::Machine) {
      // Everything is data here; where the program's arithmetic has an error is asked apart.
      auto all = pairs(row, [](const Scalar&) { return true; });
      values(row, make(row, Kind::Data, ""), all, Arith::Data);
      for (Arith mode : {Arith::Index, Arith::Data}) {
        Case c = make(row, Kind::Data, "");
        c.options.overflow_is_error = mode == Arith::Index;
        errors(row, c, all, mode);
      }
      continue;
    }
    bool bounds = is_division(row.op) || is_shift(row);
    for (const Part& part : parts(row, t)) {
      auto some = pairs(row, [&](const Scalar& b) { return part.lo <= wide_value(b) && wide_value(b) <= part.hi; });
      for (Kind kind : {Kind::Index, Kind::Data}) {
        if (kind == Kind::Data && bounds) continue;  // a cell has no bounds
        Case c = make(row, kind, ", " + to_string(part.lo) + " to " + to_string(part.hi));
        if (bounds) c.given = {le(imm(t, part.lo), c.y), le(c.y, imm(t, part.hi))};
        if (kind == Kind::Index) errors(row, c, some, Arith::Index);
        values(row, c, some, arith_of(kind));
      }
    }
  }
}

TEST_P(AllPairs, AConstantOnTheRight) {
  DType t = type();
  for (const Row& row : rows_of(t)) {
    if (!row.right) continue;
    for (const Scalar& k : values_of(t)) {
      bool outside = (is_division(row.op) && k.bits == 0) || (is_shift(row) && k.bits >= uint64_t(t.bits));
      if (outside) continue;  // an error whatever stands on the left
      for (Kind kind : {Kind::Data, Kind::Index}) {
        Case c = make(row, kind, ", by " + to_string(wide_value(k)));
        c.y = {};
        c.got = row.build(c.x, constant(k));
        std::vector<std::pair<Scalar, Scalar>> some;
        for (const Scalar& a : values_of(t)) some.emplace_back(a, k);
        values(row, c, some, reading() == Reading::Machine ? Arith::Data : arith_of(kind));
        if (kind == Kind::Index && reading() != Reading::Machine) errors(row, c, some, Arith::Index);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EightBits, AllPairs,
                         ::testing::Combine(::testing::Values(kBool, kInt8, kUInt8),
                                            ::testing::Values(Reading::Machine, Reading::WideBits)),
                         [](const auto& info) {
                           return std::get<0>(info.param).str() +
                                  (std::get<1>(info.param) == Reading::Machine ? "AtMachineWidth" : "OnWideBits");
                         });

}  // namespace all_pairs_test
}  // namespace hexproof
