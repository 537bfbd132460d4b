// The lemmas of rows that are a few calls: what these compute one after the other is the row's description, for all
// operands. Both are read as numbers: machine words hold them, which is a part of the proof.
#include <gtest/gtest.h>

#include "backend/row_code.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "verify/prove/prover.h"

namespace hexproof {
namespace row_lemmas_test {

constexpr Wide kHalf = 65536;

/// One lane: `x`, and `m` by its halves, high * 2^16 + low. Of each word w: w & 65535 is `low`, w >> 16 is `high`.
struct Lane {
  Var x = Var::fresh("x", kInt64), high = Var::fresh("high", kInt64), low = Var::fresh("low", kInt64);

  static Expr number(Wide value) { return imm(kInt64, value); }
  static std::vector<Expr> between(const Var& v, Wide least, Wide greatest) {
    return {le(number(least), v), le(v, number(greatest))};
  }
  std::vector<Expr> given() const {
    std::vector<Expr> out = between(x, -(Wide{1} << 31), (Wide{1} << 31) - 1);
    for (const auto& range : {between(high, -kHalf / 2, kHalf / 2 - 1), between(low, 0, kHalf - 1)}) {
      out.insert(out.end(), range.begin(), range.end());
    }
    return out;
  }

  static bool is_operand(const Expr& e, const std::string& name) {
    const Expr& cell = e->op == Op::Cast ? e->args[0] : e;
    return cell->op == Op::Load && cell->buffer()->name == name;
  }

  /// The value without machine words: sums and products of numbers, shifts as quotients. The last cast to the type of
  /// the result is left out on both sides.
  Expr as_number(const Expr& e) const {
    if (is_operand(e, "x")) return x;
    if (is_operand(e, "m")) return Expr(high) * number(kHalf) + low;
    switch (e->op) {
      case Op::IntImm:
        return number(int_value(e));
      case Op::Cast:
        return as_number(e->args[0]);
      case Op::BitAnd:
        EXPECT_TRUE(is_operand(e->args[0], "m") && is_int(e->args[1], 65535)) << print(e);
        return low;
      case Op::Shr:
        if (is_operand(e->args[0], "m") && is_int(e->args[1], 16)) return high;
        return floordiv(as_number(e->args[0]), number(Wide{1} << int_value(e->args[1])));
      case Op::Add:
      case Op::Mul:
      case Op::Min:
      case Op::Max:
        return binary(e->op, as_number(e->args[0]), as_number(e->args[1]));
      default:
        ADD_FAILURE() << print(e) << " is not read as a number";
        return number(0);
    }
  }
};

Expr stored(const std::string& text) {
  const PrimFunc func = pick_function(parse_module(text), "");
  Expr out;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Store* store = s.as<Store>()) out = store->value;
    return true;
  });
  return out;
}

bool proved(const std::string& description, const std::string& lemma) {
  const Lane lane;
  const Expr a = lane.as_number(stored(description)), b = lane.as_number(stored(lemma));
  Prover prover;
  auto holds = [&](const Expr& goal) {
    return prover.prove({"row", "a row's lemma", {}, lane.given(), goal}).verdict == Verdict::Proved;
  };
  return holds(fits(a)) && holds(fits(b)) && holds(eq(a, b));
}

/// Words by their halves: m & 65535 and m >> 16 are what `Lane` takes them for.
TEST(RowLemmas, AWordIsItsHalves) {
  Expr m = Expr(Var::fresh("m", kInt32));
  Expr wide = cast(kInt64, m);
  auto wraps = [](Op op, const Expr& a, Wide b) { return binary(op, a, imm(kInt64, b), true); };
  Expr high = wraps(Op::Shr, wide, 16), low = wraps(Op::BitAnd, wide, 65535);
  Expr sum = binary(Op::Add, wraps(Op::Mul, high, kHalf), low, true);
  Prover prover;
  for (const Expr& goal : {eq(sum, wide), land(le(imm(kInt64, -kHalf / 2), high), lt(high, imm(kInt64, kHalf / 2))),
                           land(le(imm(kInt64, 0), low), lt(low, imm(kInt64, kHalf)))}) {
    EXPECT_EQ(prover.prove({"row", "halves of a word", {}, {}, goal}).verdict, Verdict::Proved) << print(goal);
  }
}

TEST(RowLemmas, AreProved) {
  int lemmas = 0;
  for (const Intrinsic* row : all_intrinsics()) {
    for (const Intrinsic::Code& code : row->code) {
      if (code.lemma.empty()) continue;
      ++lemmas;
      EXPECT_EQ(pick_function(parse_module(code.lemma), "").name, lemma_of(code));
      EXPECT_TRUE(proved(row->description, code.lemma)) << row->name << ": " << lemma_of(code);
      // Other constants are no lemma: of rounding, of a shift, of saturation.
      for (const auto& [part, other] : {std::pair{"16384", "16383"}, {"int64(15)", "int64(14)"}, {"32767)", "127)"}}) {
        std::string wrong = code.lemma;
        const size_t at = wrong.find(part);
        if (at == std::string::npos) continue;
        wrong.replace(at, std::string(part).size(), other);
        EXPECT_FALSE(proved(row->description, wrong)) << wrong;
      }
    }
  }
  EXPECT_EQ(lemmas, 2);
}

}  // namespace row_lemmas_test
}  // namespace hexproof
