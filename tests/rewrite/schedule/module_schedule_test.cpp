// Schedules on modules: which function changes, what changes together, and what keeps a change from being made.
#include "rewrite/layout/interface.h"
#include "rewrite/module/report.h"
#include "rewrite/module/schedule.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace module_schedule_test {

const char* kProducer =
    "    @T.prim_func\n"
    "    def producer(A: T.Buffer((14,), \"int32\")):\n"
    "        for i in range(14):\n"
    "            A[i] = 1000 + i\n";
const char* kConsumer =
    "    @T.prim_func\n"
    "    def consumer(A: T.Buffer((14,), \"int32\"), B: T.Buffer((1,), \"int32\")):\n"
    "        B[0] = 0\n"
    "        for i in range(14):\n"
    "            B[0] = B[0] + A[i]\n";
const char* kMain =
    "    @T.prim_func\n"
    "    def main(C: T.Buffer((1,), \"int32\")):\n"
    "        A = T.alloc_buffer((14,), \"int32\")\n"
    "        Module.producer(A.data)\n"
    "        Module.consumer(A.data, C.data)\n";

std::string module_of(const std::vector<std::string>& functions) {
  std::string out = "@I.ir_module\nclass Module:\n";
  for (const std::string& f : functions) out += f;
  return out;
}

class ModuleScheduleTest : public testing::Test {
 protected:
  Prover& prover = test_prover();

  ModuleDerivation run(const std::string& program, const std::string& schedule) {
    ModuleDerivation module(parse_module(program, "p.py"));
    on(module, schedule);
    module.prove_linked(prover);
    for (const PrimFunc& f : module.current().functions) EXPECT_EQ(ill_formed(f), "");
    // What is printed reads back.
    std::string text = print(module.current());
    EXPECT_EQ(print(parse_module(text)), text);
    return module;
  }
  void on(ModuleDerivation& module, const std::string& schedule) {
    run_schedule(module, prover, std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  }
  /// The message of a schedule that fails; its last primitive has changed nothing.
  template <class Exception>
  std::string failure(const std::string& program, const std::string& first, const std::string& last) {
    ModuleDerivation module(parse_module(program, "p.py"));
    on(module, first);
    std::string before = print(module.current());
    size_t steps = module.joint_steps().size();
    std::string work = first.substr(0, first.rfind("sch.work_on") == std::string::npos ? 0 : first.size());
    size_t at = work.rfind("sch.work_on");
    std::string again = at == std::string::npos ? "" : work.substr(at, work.find('\n', at) - at + 1);
    try {
      on(module, again + last);
      ADD_FAILURE() << "it was not refused\n" << print(module.current());
      return "";
    } catch (const Exception& e) {
      EXPECT_EQ(print(module.current()), before);
      EXPECT_EQ(module.joint_steps().size(), steps);
      return e.what();
    }
  }
  PrimFunc linked(const IRModule& module, const std::string& entry = "main") {
    return link(module, entry, prover).func;
  }
};

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

constexpr const char* kLayout = "sch.transform_layout(\"root\", \"A\", lambda i: [i // 4, i % 4], pad_value=0)\n";

TEST_F(ModuleScheduleTest, WorkOnChoosesAFunction) {
  std::string apart = module_of({kProducer, kConsumer});
  ModuleDerivation module = run(apart, std::string("sch.work_on(\"consumer\")\n") + kLayout);
  // Nobody calls the other one, so it keeps its layout, and the relation of each stands for itself.
  EXPECT_TRUE(module.function("producer").steps().empty());
  ASSERT_EQ(module.interface("consumer").size(), 1u);
  EXPECT_TRUE(module.interface("producer").empty());
  EXPECT_TRUE(module.joint_steps().empty());
  EXPECT_TRUE(module.prove_linked(prover).empty());
  std::vector<std::string> lines = summary_lines({module, {}, {}});
  expect_contains(lines.back(), "no function calls another");
  expect_contains(failure<Error>(apart, "", kLayout), "choose one with sch.work_on");
  expect_contains(failure<Error>(apart, "", "sch.work_on(\"consume\")\n"), "did you mean 'consumer'?");
  expect_contains(failure<Error>(apart, "", "sch.work_on(1)\n"), "s.py:1:");
}

TEST_F(ModuleScheduleTest, ALayoutChangesInEveryFunctionThatSharesTheBuffer) {
  std::string whole = module_of({kMain, kProducer, kConsumer});
  for (const char* start : {"sch.work_on(\"producer\")\n", "sch.work_on(\"consumer\")\n", ""}) {
    ModuleDerivation module = run(whole, start + std::string(kLayout));
    ASSERT_EQ(module.joint_steps().size(), 1u);
    const JointStep& step = module.joint_steps()[0];
    EXPECT_EQ(step.functions.size(), 3u);
    ASSERT_EQ(step.proofs.size(), 1u);
    EXPECT_EQ(step.proofs[0].entry, "main");
    // The consumer's assume was proved at its call.
    bool asked = false;
    for (const CheckedObligation& o : step.proofs[0].check.obligations) {
      asked |= o.obligation.why.starts_with("assume of 'consumer' at its call");
      EXPECT_EQ(o.answer.verdict, Verdict::Proved);
    }
    EXPECT_TRUE(asked);
    std::string text = print(module.current());
    expect_contains(text, "A = T.alloc_buffer((4, 4), \"int32\")");
    expect_contains(text, "T.assume(io * 4 + ii < 14 or A[io, ii] == 0)");
    expect_contains(text, "A[io, ii] = 0");
    EXPECT_EQ(difference(linked(module.source()), linked(module.current())), "");
    EXPECT_TRUE(module.interface("main").empty());
    EXPECT_EQ(module.interface("producer").size(), 1u);
  }
}

TEST_F(ModuleScheduleTest, AChangeOfOneSideAloneLeavesACallThatIsRefused) {
  IRModule module = parse_module(module_of({kMain, kProducer, kConsumer}), "p.py");
  IRModule other =
      parse_module(module_of({"    @T.prim_func\n    def producer(A: T.Buffer((4, 4), \"int32\")):\n"
                              "        A[0, 0] = 1\n"}));
  ModuleDerivation derivation(module);
  try {
    derivation.apply({.replaced = {other.functions[0]}}, prover, "by hand", {});
    ADD_FAILURE() << "it was not refused";
  } catch (const Error& error) {
    expect_contains(error.what(), "p.py:6:9: error: a call with disagreeing layouts");
  }
  EXPECT_EQ(print(derivation.current()), print(module));
}

TEST_F(ModuleScheduleTest, AParameterOfTheEntryChangesWithItsRelation) {
  std::string main =
      "    @T.prim_func\n"
      "    def main(X: T.Buffer((14,), \"int32\"), C: T.Buffer((1,), \"int32\")):\n"
      "        Module.consumer(X.data, C.data)\n";
  std::string layout = "sch.work_on(\"consumer\")\n" + std::string(kLayout);
  ModuleDerivation read = run(module_of({main, kConsumer}), layout);
  ASSERT_EQ(read.interface("main").size(), 1u);
  EXPECT_FALSE(read.interface("main")[0].written);
  EXPECT_EQ(read.interface("main")[0].layers[0].padding.kind, Padding::Kind::Value);
  // What main assumes of its argument proves what the consumer assumes.
  expect_contains(print(read.current().functions[0]), "T.assume(");

  std::string writer =
      "    @T.prim_func\n"
      "    def main(X: T.Buffer((14,), \"int32\")):\n"
      "        Module.producer(X.data)\n";
  ModuleDerivation written = run(module_of({writer, kProducer}), "sch.work_on(\"producer\")\n" + std::string(kLayout));
  ASSERT_EQ(written.interface("main").size(), 1u);
  EXPECT_TRUE(written.interface("main")[0].written);
  EXPECT_EQ(written.interface("main")[0].layers[0].padding.kind, Padding::Kind::Value);
  EXPECT_EQ(print(written.current().functions[0]).find("T.assume("), std::string::npos);
}

TEST_F(ModuleScheduleTest, PaddingThatIsNotFilledIsNotAssumed) {
  ModuleDerivation module = run(module_of({kMain, kProducer, kConsumer}),
                                "sch.work_on(\"producer\")\nsch.transform_layout(\"root\", \"A\", lambda i: [i // 4, i "
                                "% 4])\n");
  EXPECT_EQ(print(module.current()).find("T.assume("), std::string::npos);
  // Then the consumer's guard may not go.
  std::string whole = module_of({kMain, kProducer, kConsumer});
  std::string start =
      "sch.work_on(\"producer\")\nsch.transform_layout(\"root\", \"A\", lambda i: [i // 4, i % 4])\n"
      "sch.work_on(\"consumer\")\nsch.sequential_buffer_access(\"root\", \"A\")\n";
  failure<Refused>(whole, start, "sch.remove_branching_through_overcompute(\"root\")\n");
}

TEST_F(ModuleScheduleTest, AFunctionWithCallsTakesNoPrimitiveOfItsOwn) {
  std::string main = kMain;
  main += "        for r in range(3):\n            C[0] = C[0] + 1\n";
  std::string whole = module_of({main, kProducer, kConsumer});
  expect_contains(failure<Unsupported>(whole, "", "sch.unroll(sch.get_loop(\"r\"))\n"), "the call of 'producer'");
}

TEST_F(ModuleScheduleTest, AStepThatNeedsValuesInEveryCellIsCaughtInTheLinkedModule) {
  // Alone, the producer may read its argument: every cell of it has a value. In main nobody has written it.
  std::string producer =
      "    @T.prim_func\n"
      "    def producer(A: T.Buffer((14,), \"int32\")):\n"
      "        for i in range(13):\n"
      "            A[i] = 1000 + i\n";
  std::string consumer =
      "    @T.prim_func\n"
      "    def consumer(A: T.Buffer((14,), \"int32\"), B: T.Buffer((1,), \"int32\")):\n"
      "        B[0] = A[0]\n";
  ModuleDerivation module(parse_module(module_of({kMain, producer, consumer}), "p.py"));
  IRModule reading =
      parse_module(module_of({"    @T.prim_func\n    def producer(A: T.Buffer((14,), \"int32\")):\n"
                              "        A[13] = A[13]\n"
                              "        for i in range(13):\n"
                              "            A[i] = 1000 + i\n"}));
  EXPECT_EQ(difference(module.function("producer").current(), reading.functions[0]), "");
  try {
    module.apply({.replaced = {reading.functions[0]}}, prover, "by hand", {});
    ADD_FAILURE() << "it was not refused";
  } catch (const Refused& refused) {
    expect_contains(refused.what(), "uninitialised");
  }
}

TEST_F(ModuleScheduleTest, AnotherProgramIsNoJointStep) {
  ModuleDerivation module(parse_module(module_of({kMain, kProducer, kConsumer}), "p.py"));
  IRModule other =
      parse_module(module_of({"    @T.prim_func\n    def producer(A: T.Buffer((14,), \"int32\")):\n"
                              "        for i in range(14):\n"
                              "            A[i] = 1001 + i\n"}));
  try {
    module.apply({.replaced = {other.functions[0]}}, prover, "by hand", {});
    ADD_FAILURE() << "it was not refused";
  } catch (const Refused& refused) {
    expect_contains(refused.what(), "computes what it did before");
    EXPECT_EQ(refused.answer.verdict, Verdict::Refuted);
  }
}

TEST_F(ModuleScheduleTest, AnExtentMustStillBeSaidBySomeArgument) {
  std::string program =
      "@I.ir_module\n"
      "class Module:\n"
      "    @T.prim_func\n"
      "    def main(a: T.handle, C: T.Buffer((1,), \"int32\")):\n"
      "        n = T.int32()\n"
      "        X = T.match_buffer(a, (n,), \"int32\")\n"
      "        A = T.alloc_buffer((n,), \"int32\")\n"
      "        Module.producer(X.data, A.data)\n"
      "        Module.consumer(A.data, C.data)\n"
      "    @T.prim_func\n"
      "    def producer(x: T.handle, a: T.handle):\n"
      "        m = T.int32()\n"
      "        X = T.match_buffer(x, (m,), \"int32\")\n"
      "        A = T.match_buffer(a, (m,), \"int32\")\n"
      "        for i in range(m):\n"
      "            A[i] = X[i] + 1\n"
      "    @T.prim_func\n"
      "    def consumer(a: T.handle, B: T.Buffer((1,), \"int32\")):\n"
      "        k = T.int32()\n"
      "        A = T.match_buffer(a, (k,), \"int32\")\n"
      "        B[0] = 0\n"
      "        for i in range(k):\n"
      "            B[0] = B[0] + A[i]\n";
  // In the consumer nothing would say k any more when only the padded extent is left.
  expect_contains(failure<Error>(program, "", "sch.work_on(\"producer\")\n" + std::string(kLayout)), "shape variable");
}

TEST_F(ModuleScheduleTest, SymbolicShapesGoThrough) {
  std::string program =
      "@I.ir_module\n"
      "class Module:\n"
      "    @T.prim_func\n"
      "    def main(C: T.Buffer((1,), \"int32\"), n: T.int32):\n"
      "        A = T.alloc_buffer((n,), \"int32\")\n"
      "        Module.producer(A.data, n)\n"
      "        Module.consumer(A.data, C.data, n)\n"
      "    @T.prim_func\n"
      "    def producer(a: T.handle, m: T.int32):\n"
      "        T.assume(m >= 0 and m < 1000000)\n"
      "        A = T.match_buffer(a, (m,), \"int32\")\n"
      "        for i in range(m):\n"
      "            A[i] = 1000 + i\n"
      "    @T.prim_func\n"
      "    def consumer(a: T.handle, B: T.Buffer((1,), \"int32\"), k: T.int32):\n"
      "        A = T.match_buffer(a, (k,), \"int32\")\n"
      "        B[0] = 0\n"
      "        for i in range(k):\n"
      "            B[0] = B[0] + A[i]\n";
  size_t at = program.find("        A = T.alloc_buffer");
  program.insert(at, "        T.assume(n >= 0 and n < 1000000)\n");
  ModuleDerivation module = run(program, "sch.work_on(\"producer\")\n" + std::string(kLayout));
  expect_contains(print(module.current()), "// 4, 4), \"int32\")");
  for (int64_t n : {0, 1, 5, 8}) {
    EXPECT_EQ(difference(linked(module.source()), linked(module.current()), {{"n", n}}), "");
  }
}

}  // namespace module_schedule_test
}  // namespace hexproof
