// insert-store: something is written where nobody looks.
#include "rewrite/schedule/reader.h"
#include "tests/rewrite/conditions.h"
#include "verify/check/check.h"

namespace hexproof {
namespace insert_store_test {

/// The else of the first branch is to store this where its `then` stores.
Args store_to(const PrimFunc& func, const Expr& value) {
  return {{"at", nth<If>(func)}, {"like", below(nth<If>(func), 0)}, {"value", value}};
}

std::string stages(const std::string& reads, const std::string& tail = "") {
  return "def before(A: T.Buffer((14,), \"int32\"), C: T.Buffer((1,), \"int32\")):\n"
         "    B = T.alloc_buffer((4, 4), \"int32\")\n"
         "    for io, ii in T.grid(4, 4):\n"
         "        if 4 * io + ii < 14:\n"
         "            B[io, ii] = A[4 * io + ii]\n"
         "    C[0] = 0\n"
         "    for io, ii in T.grid(4, 4):\n"
         "        if " +
         reads + ":\n            C[0] = C[0] + B[io, ii]\n" + tail;
}

TEST(InsertStore, WhereNothingReadsTheCell) {
  PrimFunc func = parse(stages("4 * io + ii < 14"));
  PrimFunc after = applied(func, "insert-store", store_to(func, i32(0)));
  EXPECT_EQ(difference(func, after), "");
  EXPECT_NE(print(after).find("        else:\n            B[io, ii] = 0\n"), std::string::npos) << print(after);
}

TEST(InsertStore, Condition2NotWhereTheCellIsRead) {
  // The cells are filled with one value, and then with another one that is read.
  PrimFunc func = parse(
      "def before(C: T.Buffer((4,), \"int32\")):\n"
      "    B = T.alloc_buffer((4,), \"int32\")\n"
      "    for i in range(4):\n"
      "        B[i] = 7\n"
      "    for i in range(4):\n"
      "        if i < 2:\n"
      "            B[i] = 1\n"
      "    for i in range(4):\n"
      "        C[i] = B[i]\n");
  expect_refused_rightly(func, "insert-store", store_to(func, i32(0)), "nothing reads the cell afterwards");
}

TEST(InsertStore, Condition2NotWhereALaterTurnOfTheLoopReadsIt) {
  PrimFunc func = parse(
      "def before(C: T.Buffer((4,), \"int32\")):\n"
      "    B = T.alloc_buffer((1,), \"int32\")\n"
      "    B[0] = 7\n"
      "    for i in range(4):\n"
      "        C[i] = B[0]\n"
      "        if i < 0:\n"
      "            B[0] = 1\n");
  expect_refused_rightly(func, "insert-store", store_to(func, i32(0)), "nothing reads the cell afterwards");
}

TEST(InsertStore, Condition2NotInAnArgument) {
  PrimFunc func = parse(
      "def before(B: T.Buffer((4,), \"int32\")):\n"
      "    for i in range(4):\n"
      "        if i < 2:\n"
      "            B[i] = 1\n");
  EXPECT_TRUE(not_applicable(func, "insert-store", store_to(func, i32(0))));
}

TEST(InsertStore, Condition1NotOutOfBounds) {
  PrimFunc func = parse(
      "def before(A: T.Buffer((6,), \"int32\"), C: T.Buffer((6,), \"int32\")):\n"
      "    B = T.alloc_buffer((6,), \"int32\")\n"
      "    for i in range(8):\n"
      "        if i < 6:\n"
      "            B[i] = A[i]\n"
      "    for i in range(6):\n"
      "        C[i] = B[i]\n");
  expect_refused_rightly(func, "insert-store", store_to(func, i32(0)), "");
}

TEST(InsertStore, Condition1NotInARace) {
  PrimFunc func = parse(
      "def before(A: T.Buffer((4,), \"int32\"), C: T.Buffer((4,), \"int32\")):\n"
      "    B = T.alloc_buffer((4,), \"int32\")\n"
      "    for i in T.parallel(8):\n"
      "        if i < 4:\n"
      "            B[i % 4] = A[i % 4]\n"
      "    for i in range(4):\n"
      "        C[i] = A[i]\n");
  expect_refused_rightly(func, "insert-store", store_to(func, i32(0)), "");
}

TEST(InsertStore, UnderALaterStoreOfUndef) {
  auto text = [](const std::string& bound) {
    return "def before(A: T.Buffer((14,), \"int32\"), B: T.Buffer((4, 4), \"int32\")):\n"
           "    for io, ii in T.grid(4, 4):\n"
           "        if 4 * io + ii < 14:\n"
           "            B[io, ii] = A[4 * io + ii]\n"
           "    for io, ii in T.grid(4, 4):\n"
           "        if 4 * io + ii >= " +
           bound + ":\n            B[io, ii] = T.undef()\n";
  };
  PrimFunc func = parse(text("14"));
  Args args = store_to(func, i32(0));
  args["by"] = nth<Store>(func, 1);
  PrimFunc after = applied(func, "insert-store", args);
  EXPECT_NE(print(after).find("        else:\n            B[io, ii] = 0\n"), std::string::npos) << print(after);
  // One of the cells is not written again: the argument shows what was stored there.
  PrimFunc less = parse(text("15"));
  args = store_to(less, i32(0));
  args["by"] = nth<Store>(less, 1);
  expect_refused_rightly(less, "insert-store", args, "written again");
}

TEST(InsertStore, Condition2NotWhereTheCellIsReadBeforeItIsWrittenAgain) {
  PrimFunc func = parse(
      "def before(B: T.Buffer((4,), \"int32\"), C: T.Buffer((4,), \"int32\")):\n"
      "    for i in range(4):\n"
      "        if i < 2:\n"
      "            B[i] = 1\n"
      "    for i in range(4):\n"
      "        C[i] = B[i]\n"
      "    for i in range(4):\n"
      "        B[i] = 2\n");
  Args args = store_to(func, i32(0));
  args["by"] = nth<Store>(func, 2);
  expect_refused_rightly(func, "insert-store", args, "nothing reads the cell");
}

TEST(InsertStore, Condition4ArgumentsThatDoNotFit) {
  PrimFunc func = parse(stages("4 * io + ii < 14"));
  EXPECT_TRUE(not_applicable(func, "insert-store", store_to(func, undef(kInt32))));
  EXPECT_TRUE(not_applicable(func, "insert-store", store_to(func, fimm(kFloat32, 0))));
  Args args = store_to(func, i32(0));
  args["value"] = int64_t{1} << 40;
  EXPECT_TRUE(not_applicable(func, "insert-store", args));
  args["value"] = int64_t{5};
  applied(func, "insert-store", args);
  // What the indices of another store name is not in scope here.
  PrimFunc other = parse(
      "def before(C: T.Buffer((4,), \"int32\")):\n"
      "    B = T.alloc_buffer((4,), \"int32\")\n"
      "    if C[0] < 3:\n"
      "        C[0] = 1\n"
      "    for i in range(4):\n"
      "        B[i] = 1\n");
  EXPECT_TRUE(not_applicable(other, "insert-store",
                             {{"at", nth<If>(other)}, {"like", nth<Store>(other, 1)}, {"value", int64_t{0}}}));
  PrimFunc after = applied(func, "insert-store", store_to(func, i32(0)));
  args = store_to(func, i32(0));
  EXPECT_TRUE(not_applicable(after, "insert-store", args));  // it has an else now
}

TEST(InsertStore, AsAPrimitiveOnABlock) {
  PrimFunc func = parse(stages("4 * io + ii < 14"));
  auto run = [&](const std::string& schedule) {
    Derivation derivation(func);
    run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
    return derivation;
  };
  Derivation filled = run("sch.fill_branch(\"root\", \"B\", 0)\n");
  EXPECT_EQ(filled.steps().size(), 1u);
  EXPECT_EQ(filled.steps()[0].rule, "insert-store");
  EXPECT_EQ(difference(func, filled.current()), "");
  EXPECT_THROW(run("sch.fill_branch(\"root\", \"C\", 0)\n"), std::runtime_error);
  EXPECT_THROW(run("sch.fill_branch(\"root\", \"B\", T.undef())\n"), Error);
  EXPECT_THROW(run("sch.fill_branch(\"root\", \"X\", 0)\n"), Error);
}

// Two instances of the block would store to one cell: it is spatial no more.
TEST(InsertStore, Condition3WhatTheBlockClaims) {
  const std::string text = R"(
def main(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(4):
        with T.block("b"):
            v = T.axis.KIND(4, i)
            if v == 0:
                B[v % 2] = A[v]
    for i in range(1):
        C[i] = A[i]
)";
  auto with = [&](const std::string& kind) {
    std::string out = text;
    return parse(out.replace(out.find("KIND"), 4, kind));
  };
  PrimFunc spatial = with("spatial"), opaque = with("opaque");
  EXPECT_EQ(check(spatial, test_prover()).finding, Finding::Proved);
  std::optional<Refused> refused = refusal(spatial, "insert-store", store_to(spatial, i32(0)));
  ASSERT_TRUE(refused);
  EXPECT_EQ(check(proposed(spatial, "insert-store", store_to(spatial, i32(0))), test_prover()).finding,
            Finding::Refuted);
  EXPECT_EQ(difference(opaque, applied(opaque, "insert-store", store_to(opaque, i32(0)))), "");
}

}  // namespace insert_store_test
}  // namespace hexproof
