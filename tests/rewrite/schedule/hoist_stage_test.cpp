// A stage becomes a function of its own, and what it guarantees is told to the others.
#include "rewrite/module/schedule.h"
#include "rewrite/schedule/reader.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace hoist_stage_test {

const char* kStages =
    "def main(A: T.Buffer((14,), \"int32\"), C: T.Buffer((1,), \"int32\")):\n"
    "    B = T.alloc_buffer((4, 4), \"int32\")\n"
    "    with T.block(\"transform\"):\n"
    "        for io, ii in T.grid(4, 4):\n"
    "            if 4 * io + ii < 14:\n"
    "                B[io, ii] = A[4 * io + ii]\n"
    "    with T.block(\"compute\"):\n"
    "        C[0] = 0\n"
    "        for io, ii in T.grid(4, 4):\n"
    "            if 4 * io + ii < 14:\n"
    "                C[0] = C[0] + B[io, ii]\n";
const char* kFilled =
    "def main(A: T.Buffer((14,), \"int32\"), C: T.Buffer((1,), \"int32\")):\n"
    "    B = T.alloc_buffer((4, 4), \"int32\")\n"
    "    with T.block(\"transform\"):\n"
    "        for io, ii in T.grid(4, 4):\n"
    "            if 4 * io + ii < 14:\n"
    "                B[io, ii] = A[4 * io + ii]\n"
    "            else:\n"
    "                B[io, ii] = 0\n"
    "    with T.block(\"compute\"):\n"
    "        C[0] = 0\n"
    "        for io, ii in T.grid(4, 4):\n"
    "            if 4 * io + ii < 14:\n"
    "                C[0] = C[0] + B[io, ii]\n";
constexpr const char* kSplit =
    "sch.hoist_stage(\"transform\", \"transform_A\")\nsch.hoist_stage(\"compute\", \"compute_C\")\n";
constexpr const char* kPadding = "where=lambda io, ii: 4 * io + ii >= 14";

ModuleDerivation run(const std::string& program, const std::string& schedule, const Sizes& sizes = {}) {
  ModuleDerivation module(parse_module(program, "p.py"));
  run_schedule(module, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  module.prove_linked(test_prover());
  for (const PrimFunc& f : module.current().functions) EXPECT_EQ(ill_formed(f), "");
  std::string text = print(module.current());
  EXPECT_EQ(print(parse_module(text)), text);
  if (find_function(module.current(), "main")) {
    EXPECT_EQ(difference(module.source().functions[0], link(module.current(), "main", test_prover()).func, sizes), "");
  }
  return module;
}

template <class Exception>
std::string failure(const std::string& program, const std::string& schedule) {
  try {
    ModuleDerivation module = run(program, schedule);
    ADD_FAILURE() << "it was not refused\n" << print(module.current());
  } catch (const Exception& e) {
    return e.what();
  }
  return "";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(HoistStage, LinksToTheOriginalProgram) {
  ModuleDerivation module = run(kStages, kSplit);
  EXPECT_EQ(module.names(), (std::vector<std::string>{"main", "transform_A", "compute_C"}));
  for (const JointStep& step : module.joint_steps()) {
    ASSERT_EQ(step.proofs.size(), 1u);
    EXPECT_EQ(step.proofs[0].method, "same program");
  }
  EXPECT_TRUE(same_program(link(module.current(), "main").func, module.source().functions[0]));
  expect_contains(print(module.current()),
                  "        B = T.alloc_buffer((4, 4), \"int32\")\n        Module.transform_A(A.data, B.data)\n        "
                  "Module.compute_C(C.data, B.data)\n");
}

TEST(HoistStage, ByPositionsAndByLoop) {
  std::string plain =
      "def main(A: T.Buffer((8,), \"int32\"), C: T.Buffer((1,), \"int32\")):\n"
      "    for i in range(8):\n"
      "        A[i] = i\n"
      "    C[0] = 0\n"
      "    for j in range(8):\n"
      "        C[0] = C[0] + A[j]\n";
  ModuleDerivation module = run(plain, "sch.hoist_stage([1, 2], \"sum_up\")\nsch.hoist_stage(0, \"fill\")\n");
  expect_contains(print(module.current()), "Module.fill(A.data)\n        Module.sum_up(A.data, C.data)\n");
  EXPECT_TRUE(same_program(link(module.current(), "main").func, module.source().functions[0]));
  ModuleDerivation by_loop = run(plain, "sch.hoist_stage(sch.get_loop(\"i\"), \"fill\")\n");
  expect_contains(print(by_loop.current()), "Module.fill(A.data)\n        C[0] = 0\n");
}

TEST(HoistStage, AnAllocationThatOnlyTheStageUsesMovesAlong) {
  ModuleDerivation module =
      run("def main(A: T.Buffer((4,), \"int32\")):\n"
          "    L = T.alloc_buffer((4,), \"int32\")\n"
          "    K = T.alloc_buffer((4,), \"int32\")\n"
          "    for i in range(4):\n"
          "        L[i] = A[i]\n"
          "    for i in range(4):\n"
          "        K[i] = L[i]\n"
          "    for i in range(4):\n"
          "        A[i] = K[i] + 1\n",
          "sch.hoist_stage([0, 1], \"copy\")\n");
  std::string text = print(module.current());
  expect_contains(text,
                  "def main(A: T.Buffer((4,), \"int32\")):\n        K = T.alloc_buffer((4,), \"int32\")\n        "
                  "Module.copy(A.data, K.data)\n");
  expect_contains(text,
                  "        L = T.alloc_buffer((4,), \"int32\")\n        for i in range(4):\n            L[i] = A[i]");
}

TEST(HoistStage, ScalarsAndSymbolicShapesBecomeParametersWhereTheyMust) {
  std::string program =
      "def main(a: T.handle, s: T.int32):\n"
      "    n = T.int32()\n"
      "    A = T.match_buffer(a, (n, 2), \"int32\")\n"
      "    B = T.alloc_buffer((n + 1,), \"int32\")\n"
      "    for i in range(n + 1):\n"
      "        B[i] = s\n"
      "    for i in range(n):\n"
      "        A[i, 0] = B[i]\n";
  ModuleDerivation module =
      run(program, "sch.hoist_stage(0, \"fill\")\nsch.hoist_stage(1, \"copy\")\n", {{"n", 5}, {"s", 3}});
  std::string text = print(module.current());
  // fill cannot take n from the shape of B; copy has it from A.
  expect_contains(text, "Module.fill(B.data, s, n)");
  expect_contains(text, "Module.copy(A.data, B.data)");
}

TEST(HoistStage, MistakesHaveTheirPlace) {
  expect_contains(failure<Error>(kStages, "sch.hoist_stage(\"transform\", \"main\")\n"), "s.py:1:1: error");
  expect_contains(failure<Error>(kStages, "sch.hoist_stage(\"transform\", \"2 x\")\n"), "no name of a function");
  expect_contains(failure<Error>(kStages, "sch.hoist_stage(\"trans\", \"f\")\n"), "did you mean 'transform'?");
  expect_contains(failure<Error>(kStages, "sch.hoist_stage(7, \"f\")\n"), "positions from 0 to 1");
  expect_contains(failure<Error>(kStages, "sch.hoist_stage([1, 0], \"f\")\n"), "one after the other");
  expect_contains(failure<Error>(kStages, "sch.hoist_stage(\"transform\")\n"), "lacks its argument 'name'");
  expect_contains(failure<Error>(kStages, "sch.hoist_stage(\"transform\", \"f\", where=1)\n"), "no argument 'where'");
  // On one function of a module there is nowhere to put another one.
  Derivation alone(parse(kStages));
  auto file = std::make_shared<const SourceFile>(SourceFile{"s.py", "sch.hoist_stage(\"transform\", \"f\")\n"});
  EXPECT_THROW(run_schedule(alone, test_prover(), file), Error);
}

TEST(Expose, AValueThatTheStageLeftIsAssumedAndUsed) {
  std::string told = std::string(kSplit) + "sch.work_on(\"compute_C\")\nsch.expose(\"B\", " + kPadding + ", value=0)\n";
  ModuleDerivation module = run(kFilled, told);
  expect_contains(print(module.current()), "T.assume(4 * io + ii < 14 or B[io, ii] == 0)");
  ModuleDerivation used = run(kFilled, told + "sch.remove_branching_through_overcompute(\"compute\")\n");
  EXPECT_EQ(print(used.current()).find("if 4 * io + ii < 14:\n                    C[0]"), std::string::npos);
  // Without being told, the half cannot know.
  failure<Refused>(kFilled, std::string(kSplit) +
                                "sch.work_on(\"compute_C\")\nsch.remove_branching_through_overcompute(\"compute\")\n");
}

TEST(Expose, WhatTheStageDidNotLeaveIsRefusedAtTheCall) {
  std::string told = std::string(kSplit) + "sch.work_on(\"compute_C\")\nsch.expose(\"B\", " + kPadding + ", value=";
  std::string message = failure<Refused>(kFilled, told + "1)\n");
  expect_contains(message, "s.py:4:1: refused");
  expect_contains(message, "assume of 'compute_C' at its call");
  expect_contains(failure<Refused>(kStages, told + "0)\n"), "assume of 'compute_C' at its call");
  expect_contains(failure<Refused>(kStages, told + "T.undef())\n"), "uninitialised");
  // One cell more than was filled.
  expect_contains(failure<Refused>(kFilled, std::string(kSplit) +
                                                "sch.work_on(\"compute_C\")\nsch.expose(\"B\", where=lambda io, ii: 4 "
                                                "* io + ii >= 13, value=0)\n"),
                  "assume of 'compute_C' at its call");
}

TEST(Expose, APermissionToReadSaysNothingOfTheValue) {
  std::string told =
      std::string(kSplit) + "sch.work_on(\"compute_C\")\nsch.expose(\"B\", " + kPadding + ", value=T.undef())\n";
  ModuleDerivation module = run(kFilled, told);
  expect_contains(print(module.current()), "T.assume(4 * io + ii < 14 or B[io, ii] == T.undef())");
  failure<Refused>(kFilled, told + "sch.remove_branching_through_overcompute(\"compute\")\n");
}

TEST(HoistStage, NotWhatStartsCopiesOrWaitsForThem) {
  const std::string text =
      "def main(A: T.Buffer((4,), \"int32\"), C: T.Buffer((4,), \"int32\")):\n"
      "    B = T.alloc_buffer((4,), \"int32\")\n"
      "    with T.block(\"copy\"):\n"
      "        with T.attr(0, \"async_commit_queue_scope\", 0):\n"
      "            for i in range(4):\n"
      "                B[i] = A[i]\n"
      "    with T.block(\"compute\"):\n"
      "        with T.attr(0, \"async_wait_queue_scope\", 0):\n"
      "            with T.attr(0, \"async_wait_inflight_count\", 0):\n"
      "                for i in range(4):\n"
      "                    C[i] = B[i]\n";
  expect_contains(failure<Error>(text, "sch.hoist_stage(\"copy\", \"f\")\n"), "asynchronous copies");
  expect_contains(failure<Error>(text, "sch.hoist_stage(\"compute\", \"f\")\n"), "asynchronous copies");
}

TEST(HoistStage, ExposesWhatTheStagesBeforeLeft) {
  std::string first = "sch.hoist_stage(\"transform\", \"transform_A\")\n";
  auto compute = [&](const std::string& program, const std::string& expose) {
    return print(
        run(program, first + "sch.hoist_stage(\"compute\", \"compute_C\", expose=" + expose + ")\n").current());
  };
  EXPECT_EQ(compute(kFilled, "None").find("T.assume"), std::string::npos);
  std::string values = compute(kFilled, "\"values\"");
  expect_contains(values, "B[io, ii] == 0)");
  expect_contains(compute(kFilled, "\"undef\""), "B[io, ii] == T.undef())");
  // It is told what it needs to lose its branch.
  run(kFilled, first +
                   "sch.hoist_stage(\"compute\", \"compute_C\", expose=\"values\")\nsch.work_on(\"compute_C\")\n"
                   "sch.remove_branching_through_overcompute(\"root\")\n");
  // Of copied cells nothing can be said over B and C alone, and of the others nothing is known.
  std::string all = first + "sch.hoist_stage(\"compute\", \"compute_C\", expose=\"values\")\n";
  ModuleDerivation module(parse_module(kStages));
  auto file = std::make_shared<const SourceFile>(SourceFile{"s.py", all});
  EXPECT_THROW(run_schedule(module, test_prover(), file), Error);
  EXPECT_EQ(module.names(), (std::vector<std::string>{"main", "transform_A"}));
  EXPECT_EQ(module.joint_steps().size(), 1u);
  expect_contains(failure<Error>(kStages, first + "sch.hoist_stage(\"compute\", \"c\", expose=\"all\")\n"), "s.py:2:");
}

TEST(Permit, CellsThatNobodyReliesOnMayHoldAnything) {
  std::string free = std::string(kSplit) + "sch.work_on(\"transform_A\")\nsch.permit(\"B\", " + kPadding + ")\n";
  ModuleDerivation module = run(kStages, free);
  expect_contains(print(module.current()), "B[vio, vii] = T.undef()");
  // Then the stage may write them, as it may not without.
  ModuleDerivation used = run(kStages, free + "sch.fill_branch(\"transform\", \"B\", 0)\n");
  expect_contains(print(used.current()), "                else:\n                    B[io, ii] = 0\n");
  failure<std::runtime_error>(
      kStages, std::string(kSplit) + "sch.work_on(\"transform_A\")\nsch.fill_branch(\"transform\", \"B\", 0)\n");
}

TEST(Permit, CellsThatAreReliedOnStay) {
  // The consumer reads cell 13.
  std::string more =
      std::string(kSplit) + "sch.work_on(\"transform_A\")\nsch.permit(\"B\", where=lambda io, ii: 4 * io + ii >= 13)\n";
  expect_contains(failure<Refused>(kStages, more), "computes what it did before");
  // The consumer was told of zeros.
  std::string told = std::string(kSplit) + "sch.work_on(\"compute_C\")\nsch.expose(\"B\", " + kPadding +
                     ", value=0)\nsch.work_on(\"transform_A\")\nsch.permit(\"B\", " + kPadding + ")\n";
  expect_contains(failure<Refused>(kFilled, told), "assume of 'compute_C' at its call");
}

TEST(Permit, OnlyInAFunctionThatIsCalledAndWrites) {
  std::string program = kStages;
  expect_contains(failure<Error>(program, "sch.permit(\"A\", where=lambda i: i >= 3)\n"), "calls 'main'");
  expect_contains(failure<Error>(program, "sch.expose(\"A\", where=lambda i: i >= 3, value=0)\n"), "calls 'main'");
  std::string split = kSplit;
  expect_contains(
      failure<Error>(program, split + "sch.work_on(\"compute_C\")\nsch.permit(\"B\", where=lambda i, j: i >= 3)\n"),
      "does not write 'B'");
  expect_contains(failure<Error>(program, split + "sch.work_on(\"compute_C\")\nsch.permit(\"B\", where=lambda i: i)\n"),
                  "takes 1 indices");
  expect_contains(
      failure<Error>(program, split + "sch.work_on(\"compute_C\")\nsch.permit(\"B\", where=lambda i, j: i + j)\n"),
      "is no condition");
  expect_contains(failure<Error>(program, split + "sch.work_on(\"compute_C\")\nsch.permit(\"X\", where=lambda i: i > "
                                                  "0)\n"),
                  "has no parameter 'X'");
}

}  // namespace hoist_stage_test
}  // namespace hexproof
