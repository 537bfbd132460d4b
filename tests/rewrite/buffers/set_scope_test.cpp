// set-scope: an allocation somewhere else; nothing that it holds changes.
#include "rewrite/schedule/reader.h"
#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace set_scope_test {

const std::string kTwo = R"(
def f(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("first"):
            vi = T.axis.remap("S", [i])
            T.reads(A[vi])
            T.writes(B[vi])
            B[vi] = A[vi] + 1
    for i in range(8):
        with T.block("second"):
            vi = T.axis.remap("S", [i])
            T.reads(B[vi])
            T.writes(C[vi])
            C[vi] = B[vi] * 2
)";

Args to(const std::string& buffer, const std::string& scope) { return {{"buffer", buffer}, {"scope", scope}}; }

std::string in_scope(std::string text, const std::string& scope) {
  const std::string alloc = "T.alloc_buffer((8,), \"int32\"";
  return text.insert(text.find(alloc) + alloc.size(), ", scope=\"" + scope + "\"");
}

TEST(SetScope, TheAllocationLivesSomewhereElse) {
  expect_applies(kTwo, "set-scope", to("B", "local"), in_scope(kTwo, "local"));
  expect_applies(in_scope(kTwo, "local"), "set-scope", to("B", "global"), kTwo);
}

TEST(SetScope, TwiceIsOnce) {
  EXPECT_TRUE(not_applicable(parse(kTwo), "set-scope", to("B", "global")));
  EXPECT_TRUE(not_applicable(parse(kTwo), "set-scope", to("B", "")));
  EXPECT_TRUE(not_applicable(parse(kTwo), "set-scope", to("D", "local")));
}

/// What the caller gives and takes is in the caller's memory.
TEST(SetScope, Condition1AParameterIsTheCallers) {
  expect_not_applicable(parse(kTwo), "set-scope", to("C", "local"), "'C' is an argument");
  expect_not_applicable(parse(kTwo), "set-scope", to("A", "local"), "'A' is an argument");
  // What the rule would make without its check: an output that nobody gets.
  EXPECT_NE(difference(parse(kTwo), parse(R"(
def f(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    D = T.alloc_buffer((8,), "int32", scope="local")
    for i in range(8):
        D[i] = (A[i] + 1) * 2
)")),
            "");
}

/// A view would still say that the memory is elsewhere; such a text is no program.
TEST(SetScope, Condition2AViewSaysTheSameScope) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    V = T.decl_buffer((2, 4), "int32", data=B.data)
    for i in range(8):
        B[i] = A[i]
    for i in range(8):
        A[7 - i] = V[i // 4, i % 4]
)";
  expect_not_applicable(parse(text), "set-scope", to("B", "local"), "'V' is a view of the memory of 'B'");
  std::string tempting = in_scope(text, "local");
  const std::string view = "data=B.data";
  tempting.insert(tempting.find(view) + view.size(), ", scope=\"global\"");
  EXPECT_THROW(parse(tempting), Error);
}

/// Such a text is none that is modelled.
TEST(SetScope, Condition3NoThreadsShareIt) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in T.thread_binding(8, thread="threadIdx.x"):
        B[i] = A[i]
    for i in range(8):
        A[7 - i] = B[i]
)";
  for (const char* scope : {"local", "shared", "warp"}) {
    expect_not_applicable(parse(text), "set-scope", to("B", scope), "is bound to threads");
  }
  EXPECT_EQ(difference(parse(text), applied(parse(text), "set-scope", to("B", "global.vtcm"))), "");
  EXPECT_THROW(parse(in_scope(text, "local")), Unsupported);
}

TEST(SetScope, InASchedule) {
  auto scheduled = [](const std::string& schedule) {
    Derivation d(parse(kTwo));
    run_schedule(d, test_prover(), std::make_shared<const SourceFile>(SourceFile{"schedule.py", schedule}));
    return d.current();
  };
  for (const char* which : {"0", "\"B\"", "(\"write\", 0)"}) {
    expect_program(scheduled("sch.set_scope('first', " + std::string(which) + ", 'local')\n"), in_scope(kTwo, "local"));
  }
  EXPECT_THROW(scheduled("sch.set_scope('second', 0, 'local')\n"), Error);
  EXPECT_THROW(scheduled("sch.set_scope('first', 1, 'local')\n"), Error);
  EXPECT_THROW(scheduled("sch.set_scope('first', 0, 7)\n"), Error);
}

}  // namespace set_scope_test
}  // namespace hexproof
