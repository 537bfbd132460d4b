// same_program: what it overlooks (names of what is bound inside, spans, statements that do nothing) and what not.
#include <gtest/gtest.h>

#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace compare_test {

PrimFunc parse(const std::string& text) { return parse_module(text).functions.at(0); }
bool same(const std::string& a, const std::string& b) {
  PrimFunc x = parse(a), y = parse(b);
  bool there = same_program(x, y);
  EXPECT_EQ(there, same_program(y, x)) << "the relation is symmetric";
  EXPECT_TRUE(same_program(x, x) && same_program(y, parse(b)));
  return there;
}

const char* kBase =
    "def f(A: T.Buffer((8, 8), \"int32\"), n: T.int32):\n  C = T.alloc_buffer((8,), \"int32\")\n  for i, j in "
    "T.grid(8, 8):\n"
    "    with T.block(\"b\"):\n      vi, vj = T.axis.remap(\"SR\", [i, j])\n      T.reads(A[vi, 0:8])\n      x = A[vi, "
    "vj] * n\n"
    "      C[vi] = x + 1\n  A[0, 0] = C[n]\n";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kBase;
  EXPECT_NE(text.find(from), std::string::npos);
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

TEST(SameProgram, NamesAndNothingsDoNotCount) {
  EXPECT_TRUE(same(kBase, changed("vi", "row")));
  EXPECT_TRUE(same(kBase, changed("C", "Cache")));
  EXPECT_TRUE(same(kBase, changed("A", "Input")));
  EXPECT_TRUE(same(kBase, changed("def f(", "def g(")));
  EXPECT_TRUE(same(kBase, changed("      C[vi] = ", "      pass\n      T.evaluate(0)\n      C[vi] = ")));
  EXPECT_TRUE(same(kBase, "# a comment\n\n" + changed("  A[0, 0] = C[n]", "\n  A[0, 0] = (C[n])")));
}

TEST(SameProgram, EverythingElseCounts) {
  for (auto [from, to] : std::vector<std::pair<const char*, const char*>>{
           {"\"SR\"", "\"SS\""},
           {"[i, j]", "[j, i]"},
           {"A[vi, vj]", "A[vj, vi]"},
           {"x + 1", "x + 2"},
           {"x + 1", "1 + x"},
           {"\"b\"", "\"c\""},
           {"0:8", "0:7"},
           {"C[n]", "C[0]"},
           {"T.grid(8, 8)", "T.grid(8, 7)"},
           {"      T.reads(A[vi, 0:8])\n", ""},
           {"(8,), \"int32\"", "(9,), \"int32\""},
           {"(8,), \"int32\"", "(8,), \"int64\""},
           {"(8,), \"int32\"", "(8,), \"int32\", scope=\"local\""},
           {"C[vi] = x", "C[vi] = T.int32(0) + x"},
           {"n: T.int32", "m: T.int32, n: T.int32"},
           {"      x = A[vi, vj] * n\n", "      x = A[vi, vj] * n\n      y = 1\n"}}) {
    EXPECT_FALSE(same(kBase, changed(from, to))) << from << " -> " << to;
  }
}

TEST(SameProgram, VariablesPairUpOneToOne) {
  const char* two = "def f(A: T.Buffer(4, \"int32\"), n: T.int32, m: T.int32):\n  A[n] = m\n";
  EXPECT_FALSE(same(two, "def f(A: T.Buffer(4, \"int32\"), n: T.int32, m: T.int32):\n  A[m] = n\n"));
  EXPECT_FALSE(same(two, "def f(A: T.Buffer(4, \"int32\"), n: T.int32, m: T.int32):\n  A[n] = n\n"));
  EXPECT_FALSE(same("def f(A: T.Buffer(4, \"int32\"), B: T.Buffer(4, \"int32\")):\n  A[0] = B[0]\n",
                    "def f(A: T.Buffer(4, \"int32\"), B: T.Buffer(4, \"int32\")):\n  A[0] = A[0]\n"));
}

TEST(SameProgram, FloatsCompareByTheirBits) {
  auto store = [](const char* v) { return std::string("def f(A: T.Buffer(1)):\n  A[0] = ") + v + "\n"; };
  EXPECT_FALSE(same(store("0.0"), store("-0.0")));
  EXPECT_TRUE(same(store("T.float32(\"nan\")"), store("T.nan(\"float32\")")));
}

TEST(SameProgram, AnIfWithoutElseIsNotOneWithAnEmptyElse) {
  EXPECT_FALSE(same("def f(A: T.Buffer(1), n: T.int32):\n  if n > 0:\n    A[0] = 1\n",
                    "def f(A: T.Buffer(1), n: T.int32):\n  if n > 0:\n    A[0] = 1\n  else:\n    pass\n"));
}

}  // namespace compare_test
}  // namespace hexproof
