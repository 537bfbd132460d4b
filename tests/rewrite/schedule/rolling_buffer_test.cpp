// rolling_buffer and unsafe_set_dtype in schedules.
#include "ir/text/text.h"
#include "rewrite/schedule/reader.h"
#include "tests/rewrite/support.h"
#include "verify/check/check.h"

namespace hexproof {
namespace rolling_buffer_test {

constexpr const char* kPools = R"(
@T.prim_func
def main(A: T.Buffer((12, 12), "int8"), C: T.Buffer((8, 8), "int8")):
    B = T.alloc_buffer((10, 10), "int8")
    for i, j, ri, rj in T.grid(10, 10, 3, 3):
        with T.block("B"):
            v0, v1, rv0, rv1 = T.axis.remap("SSRR", [i, j, ri, rj])
            with T.init():
                B[v0, v1] = T.int8(-128)
            B[v0, v1] = T.max(B[v0, v1], A[v0 + rv0, v1 + rv1])
    for i, j, ri, rj in T.grid(8, 8, 3, 3):
        with T.block("C"):
            v0, v1, rv0, rv1 = T.axis.remap("SSRR", [i, j, ri, rj])
            with T.init():
                C[v0, v1] = T.int8(-128)
            C[v0, v1] = T.max(C[v0, v1], B[v0 + rv0, v1 + rv1])
)";
constexpr const char* kTiled = R"(
i, j, ri, rj = sch.get_loops("C")
io, ii = sch.split(i, [None, 4])
jo, ji = sch.split(j, [None, 4])
sch.reorder(io, jo, ii, ji, ri, rj)
sch.compute_at("B", jo)
)";

std::string after(const std::string& schedule) {
  Derivation derivation(parse_module(kPools).functions.at(0));
  try {
    run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  EXPECT_EQ(difference(derivation.source(), derivation.current()), "");
  // Neither rule has a part in this.
  EXPECT_EQ(check(derivation.current(), test_prover()).finding, Finding::Proved);
  return print(derivation.current());
}
void expect_holds(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

TEST(RollingBuffer, OverTilesOfTwoDirections) {
  const std::string text = after(std::string(kTiled) + "sch.rolling_buffer(\"B\", 0)\n");
  expect_holds(text, "B = T.alloc_buffer((6, 10), \"int8\")");
  expect_holds(text, "if i_0 <= 0 or 2 <= ax0:");
  expect_holds(text, "if j_0 <= 0 or 2 <= ax1:");
  expect_holds(text, "B[v0 % 6, v1] = T.max(B[v0 % 6, v1], A[v0 + rv0, v1 + rv1])");
  expect_holds(text, "B[(v0 + rv0) % 6, v1 + rv1]");
  expect_holds(text, "v0 = T.axis.opaque(10, i_0 * 4 + ax0)");
}

TEST(RollingBuffer, OverRows) {
  const std::string text = after(
      "i = sch.get_loops(\"C\")[0]\nsch.compute_at(\"B\", i)\nsch.rolling_buffer(sch.get_block(\"B\"), "
      "write_buffer_index=0)\n");
  expect_holds(text, "B = T.alloc_buffer((3, 10), \"int8\")");
  expect_holds(text, "if i <= 0 or 2 <= ax0:");
}

TEST(RollingBuffer, IsRefused) {
  expect_holds(after("sch.rolling_buffer(\"B\", 0)\n"), "no loop is around all that touches 'B'");
  expect_holds(after("sch.rolling_buffer(\"C\", 0)\n"), "is an argument");
  expect_holds(after("sch.rolling_buffer(\"B\", 1)\n"), "the block has no write number 1");
  // One row of tiles over one another: none moves by less than its extent.
  expect_holds(after("i = sch.get_loops(\"C\")[0]\nio, ii = sch.split(i, [None, 8])\nsch.compute_at(\"B\", "
                     "io)\nsch.rolling_buffer(\"B\", 0)\n"),
               "no axis of 'B' rolls");
}

TEST(RollingBuffer, AnotherTypeThatHoldsAllValues) {
  expect_holds(after("sch.unsafe_set_dtype(\"B\", 0, \"int16\")\n"), "B = T.alloc_buffer((10, 10), \"int16\")");
  expect_holds(after("sch.unsafe_set_dtype(\"B\", 0, dtype=\"float32\")\n"), "integers stay integers");
  expect_holds(after("sch.unsafe_set_dtype(\"C\", 0, \"int16\")\n"), "is an argument");
  expect_holds(after("sch.unsafe_set_dtype(\"B\", 0, \"int7\")\n"), "is no type of a cell");
}

}  // namespace rolling_buffer_test
}  // namespace hexproof
