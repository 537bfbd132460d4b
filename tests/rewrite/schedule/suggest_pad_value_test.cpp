// suggest_pad_value: which values are found, what proves them, and that nothing else is called neutral.
#include "rewrite/schedule/padding/suggest_pad_value.h"

#include "rewrite/layout/pad_candidates.h"
#include "tests/rewrite/layouts/layouts.h"

namespace hexproof {
namespace suggest_pad_value_test {

constexpr const char* kTiles = "lambda i: [i // 4, i % 4]";

/// B[0] gathers UPDATE over A, starting at FIRST.
std::string gather(const std::string& type, const std::string& first, const std::string& update,
                   const std::string& condition = "") {
  std::string guard = condition.empty() ? "" : "            if " + condition + ":\n    ";
  return "def main(A: T.Buffer((14,), \"" + type + "\"), B: T.Buffer((1,), \"" + type +
         "\")):\n    with T.block(\"compute\"):\n        B[0] = T." + type + "(" + first +
         ")\n        for i in range(14):\n" + guard + "            B[0] = " + update + "\n";
}

PadSuggestions suggestions(const Derivation& derivation, const std::string& buffer = "A",
                           const std::string& map = kTiles) {
  Derivation copy = derivation;
  Schedule schedule(copy, test_prover());
  PadSuggestions found = schedule.suggest_pad_value({"compute"}, {.name = buffer}, index_map(map));
  EXPECT_EQ(copy.steps().size(), derivation.steps().size());
  EXPECT_EQ(print(copy.current()), print(derivation.current()));
  for (const PadSuggestion& s : found.proved) {
    EXPECT_GT(s.branches, 0u);
    EXPECT_FALSE(s.proof.steps().empty());
    if (s.flags.empty()) expect_related(s.proof);
  }
  return found;
}

/// "T.undef(); 0; T.float32(0.0) with nsz"
std::string found(const std::string& program, const std::string& buffer = "A", const std::string& map = kTiles) {
  std::string out;
  for (const PadSuggestion& s : suggestions(Derivation(parse(program)), buffer, map).proved) {
    out += (out.empty() ? "" : "; ") + s.str();
  }
  return out;
}

TEST(SuggestPadValue, NeutralElements) {
  for (const char* type : {"int8", "int32"}) {
    std::string t = std::string(type) == "int32" ? "" : "T.int8(", end = t.empty() ? "" : ")";
    EXPECT_EQ(found(gather(type, "0", "B[0] + A[i]")), t + "0" + end);
    EXPECT_EQ(found(gather(type, "1", "B[0] * A[i]")), t + "1" + end);
    std::string least = std::string(type) == "int8" ? "-128" : "-2147483648";
    std::string most = std::string(type) == "int8" ? "127" : "2147483647";
    EXPECT_EQ(found(gather(type, least, "T.max(B[0], A[i])")), t + least + end);
    EXPECT_EQ(found(gather(type, most, "T.min(A[i], B[0])")), t + most + end);
  }
}

// A sum that starts at -0.0 may hold it, which 0.0 would change, and one that starts at 1.0 never does; a NaN under a
// maximum is lost when the other operand comes last.
TEST(SuggestPadValue, FloatsNameTheFlagsTheyNeed) {
  EXPECT_EQ(found(gather("float32", "-0.0", "B[0] + A[i]")), "T.float32(0.0) with nsz; T.float32(-0.0) with nsz");
  EXPECT_EQ(found(gather("float32", "1", "B[0] + A[i]")), "T.float32(0.0); T.float32(-0.0)");
  EXPECT_EQ(found(gather("float32", "1", "B[0] * A[i]")), "T.float32(1.0)");
  EXPECT_EQ(found(gather("float32", "-1", "T.max(A[i], B[0])")), "T.float32(\"-inf\")");
  EXPECT_EQ(found(gather("float32", "-1", "T.max(B[0], A[i])")), "T.float32(\"-inf\") with nnan");
  EXPECT_EQ(found(gather("float16", "1", "T.min(A[i], B[0])")), "T.float16(\"inf\")");
  // What needs a flag is of no use to a schedule; what needs none is.
  std::vector<std::optional<Expr>> usable =
      suggestions(Derivation(parse(gather("float32", "-0.0", "B[0] + A[i]")))).usable();
  ASSERT_EQ(usable.size(), 1u);
  EXPECT_FALSE(usable[0]);
  PrimFunc func = parse(gather("float32", "-0.0", "B[0] + A[i]"));
  func.attrs[kFastMathAttribute] = std::string("nsz");
  usable = suggestions(Derivation(func)).usable();
  ASSERT_EQ(usable.size(), 2u);
  EXPECT_EQ(print(*usable[0]), "T.float32(0.0)");
}

// Solved for the cell: where what is computed from it is neutral.
TEST(SuggestPadValue, ValuesThatTheProgramNames) {
  EXPECT_EQ(found(gather("int32", "0", "B[0] + (A[i] - 3)")), "3");
  EXPECT_EQ(found(gather("int32", "0", "B[0] + A[i] * A[i] * 7")), "0");
  EXPECT_EQ(found(gather("int32", "1", "B[0] * (5 - A[i])")), "4");
  // Data is counted that is greater than 5; the least value and some others do as well.
  EXPECT_EQ(found(gather("int32", "0", "B[0] + 1", "A[i] > 5")), "5; 4; -2147483648");
  EXPECT_EQ(found(gather("int32", "0", "B[0] + T.max(A[i], 0)")), "0; -2147483648");
}

// Trap 18, and programs in which no value is neutral.
TEST(SuggestPadValue, NoneHelps) {
  for (const std::string update : {"B[0] * 3 + A[i]", "B[0] + A[i] * A[i] + 1", "A[i]"}) {
    PadSuggestions none = suggestions(Derivation(parse(gather("int32", "0", update))));
    EXPECT_TRUE(none.proved.empty()) << update << ": " << none.proved[0].str();
    ASSERT_EQ(none.usable().size(), 1u);
    EXPECT_FALSE(none.usable()[0]);
    ASSERT_FALSE(none.refused.empty());
    for (const PadRefusal& r : none.refused) EXPECT_FALSE(r.why.empty());
  }
  // No padding, so no branch, and nothing to find.
  EXPECT_EQ(found(gather("int32", "0", "B[0] + A[i]"), "A", "lambda i: [i // 7, i % 7]"), "");
}

// RFC 77, "Apply operator element-wise over the transformation padding".
TEST(SuggestPadValue, Elementwise) {
  constexpr const char* kDouble = R"(
def main(A: T.Buffer((14,), "TYPE"), B: T.Buffer((14,), "TYPE")):
    with T.block("compute"):
        for i in range(14):
            B[i] = A[i] * T.TYPE(2)
)";
  for (const char* type : {"int8", "int32", "float16", "float32"}) {
    std::string text = kDouble;
    for (size_t at = 0; (at = text.find("TYPE")) != std::string::npos;) text.replace(at, 4, type);
    PrimFunc func = parse(text);
    Derivation d(func);
    d.apply("transform-layout", layout("B", kTiles, undef(func.params[1].buffer->dtype)), test_prover());
    PadSuggestions a = suggestions(d);
    ASSERT_FALSE(a.proved.empty());
    EXPECT_EQ(a.proved[0].value->op, Op::Undef);
    EXPECT_TRUE(a.proved[0].flags.empty());
    // For the output: anything, or any number, which is stored last. Reads of A get a remainder.
    PadSuggestions b = suggestions(Derivation(func), "B");
    ASSERT_EQ(b.proved.size(), 2u);
    EXPECT_EQ(b.proved[0].value->op, Op::Undef);
    EXPECT_EQ(b.proved[1].value, zero(func.params[1].buffer->dtype));
  }
}

constexpr const char* kConv = R"(
def main(A: T.Buffer((16,), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((18,), "int32")):
    with T.block("compute"):
        for i in range(18):
            B[i] = 0
            for f in range(3):
                if 0 <= i - f and i - f < 16:
                    B[i] = B[i] + F[f] * A[i - f]
)";

// The branch that keeps a window inside of the input goes when the padding in front and behind is zero.
TEST(SuggestPadValue, Convolution) { EXPECT_EQ(found(kConv, "A", "lambda i: [(i + 2) // 8, (i + 2) % 8]"), "0"); }

TEST(SuggestPadValue, InSchedules) {
  std::string text = gather("int32", "0", "B[0] + A[i]");
  Derivation derivation(parse(text));
  run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", R"(
tiles = lambda i: [i // 4, i % 4]
values = sch.suggest_pad_value("compute", "A", tiles)
sch.transform_layout("compute", "A", tiles, pad_value=values[0])
sch.sequential_buffer_access("compute", "A")
sch.remove_branching_through_overcompute("compute")
)"}));
  EXPECT_TRUE(find_all(derivation.current(), [](const Stmt& s) { return s.as<If>() != nullptr; }).empty());
  expect_related(derivation);
  // None is a pad value, too; a map that is refused is refused here.
  Derivation none(parse(gather("int32", "0", "B[0] * 3 + A[i]")));
  run_schedule(none, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", R"(
tiles = lambda i: [i // 4, i % 4]
sch.transform_layout("compute", "A", tiles, pad_value=sch.suggest_pad_value("compute", "A", tiles)[0])
)"}));
  EXPECT_EQ(none.interface().at(0).layers.at(0).padding.kind, Padding::Kind::Unreadable);
  auto bad = std::make_shared<const SourceFile>(
      SourceFile{"s.py", "sch.suggest_pad_value(\"compute\", \"A\", lambda i: [i // 2])\n"});
  EXPECT_THROW(run_schedule(none, test_prover(), bad), Error);
}

TEST(PadCandidates, AreFew) {
  PrimFunc func = parse(gather("int8", "0", "T.max(B[0] + A[i] * T.int8(3), T.int8(7) - A[i])", "A[i] != T.int8(9)"));
  std::vector<Expr> values = pad_candidates(func, {}, func.params[0].buffer);
  EXPECT_LE(values.size(), 12u);
  EXPECT_NE(std::find(values.begin(), values.end(), imm(kInt8, 9)), values.end());
  EXPECT_TRUE(pad_candidates(func, {}, make_buffer("C", kInt8, {i32(4)})).empty());
}

}  // namespace suggest_pad_value_test
}  // namespace hexproof
