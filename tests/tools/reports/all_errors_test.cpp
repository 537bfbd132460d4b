// The errors of a function, each with its place, its code and its input.
#include "tests/tools/reports/counterexamples.h"

namespace hexproof {
namespace counterexample_test {

TEST(CounterexampleData, OfEachErrorOfAFunction) {
  const std::string program = temporary("several.py",
                                        "def f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
                                        "    for i in range(8):\n"
                                        "        B[i + 1] = A[i]\n"
                                        "    for i in range(8):\n"
                                        "        A[i - 1] = 1\n"
                                        "    A[0] = B[9]\n");
  Reported r = reported("check " + program);
  EXPECT_EQ(r.result.code, 10) << r.result.text;
  const Json& of = r.json["functions"][0];
  std::set<int> lines = {of["error_met"]["line"]};
  for (const Json& other : of["other_errors"]) {
    EXPECT_EQ(other["file"], program);
    EXPECT_TRUE(other.contains("kind") && other.contains("code") && other.contains("loops")) << other;
    lines.insert(other["line"].get<int>());
  }
  EXPECT_EQ(lines, (std::set<int>{3, 5, 6})) << of;
  for (int line : lines) {
    EXPECT_NE(r.result.text.find("several.py:" + std::to_string(line) + ":"), std::string::npos) << r.result.text;
  }
  // Of what does not read, too.
  const std::string wrong = temporary("wrong.py",
                                      "def f(A: T.Buffer((8,), \"int32\")):\n    A[0] = AA[0]\n    A[1] = 1\n"
                                      "    A[2] = BB\n    A[3, 3] = 1\n");
  r = reported("check " + wrong);
  EXPECT_EQ(r.result.code, 2) << r.result.text;
  for (const char* place : {"wrong.py:2:", "wrong.py:4:", "wrong.py:5:"}) {
    EXPECT_NE(r.result.text.find(place), std::string::npos) << r.result.text;
  }
}

/// One error of each kind of question: line of the program, rule, code, is it met behind others.
const char* const kEachRule = R"(@I.ir_module
class Module:
    @T.prim_func
    def positive(P: T.Buffer((8,), "int32")):
        T.assume(P[0] > 0)
        P[1] = 1
    @T.prim_func
    def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), F: T.Buffer((8,), "float32"),
          n: T.int32, m: T.int32):
        A[n] = 1
        for i in range(m * m):
            B[0] = 1
        B[1] = 5 // A[2]
        B[2] = 5 << A[3]
        B[3] = T.cast(F[0], "int32")
        C = T.alloc_buffer((8,), "int32")
        B[4] = C[3]
        for i in T.parallel(8):
            B[5] = i
        with T.attr(0, "async_commit_queue_scope", 0):
            B[6] = A[6]
        B[6] = 2
        with T.attr(0, "async_wait_queue_scope", 0), T.attr(0, "async_wait_inflight_count", 0):
            B[7] = 1
        for i in range(8):
            with T.block("b"):
                vi = T.axis.spatial(8, i + 1)
                B[6] = vi
        D = T.alloc_buffer((8,), "int32")
        D[0] = T.undef(dtype="int32")
        if D[0] > 3:
            B[7] = 1
        E = T.alloc_buffer((n,), "int32")
        V = T.Buffer((12,), "int32", data=A.data)
        V[10] = 1
        if n > 3:
            T.assume(n < 2)
        Module.positive(A.data)
    @T.prim_func
    def g(s: T.handle, k: T.int32):
        S = T.match_buffer(s, (4, 4), "int32", strides=[k, 1])
        S[0, 0] = 1
)";

struct Told {
  int line;
  const char *rule, *code;
  bool behind;
};
const Told kTold[] = {
    {5, "check-callee-assume", "HX0409", true}, {10, "check-bounds", "HX0401", false},
    {11, "check-overflow", "HX0407", false},    {13, "check-division", "HX0406", false},
    {14, "check-shift", "HX0406", false},       {15, "check-cast", "HX0406", true},
    {17, "check-initialised", "HX0403", true},  {19, "check-race", "HX0405", true},
    {22, "check-in-flight", "HX0412", true},    {26, "check-block-claims", "HX0409", false},
    {31, "check-undef", "HX0408", true},        {33, "check-allocation", "HX0410", true},
    {35, "check-view", "HX0402", false},        {37, "check-assume", "HX0409", true},
};

TEST(CounterexampleData, OneErrorOfEachRule) {
  const Reported r = reported("check " + temporary("rules.py", kEachRule));
  EXPECT_EQ(r.result.code, 10) << r.result.text;
  const Json& of = r.json["functions"][1];
  std::map<int, Json> told = {{of["error_met"]["line"], of["error_met"]}};
  for (const Json& other : of["other_errors"]) told.emplace(other["line"], other);
  EXPECT_EQ(told.size(), std::size(kTold));
  std::set<std::string> refuted;
  for (const Json& o : of["obligations"]) {
    if (o["verdict"] == "refuted") refuted.insert(o["rule"]);
  }
  for (const Told& one : kTold) {
    ASSERT_TRUE(told.count(one.line)) << one.line << r.result.text;
    const Json& met = told.at(one.line);
    EXPECT_EQ(met["code"], one.code) << met;
    EXPECT_EQ(met.contains("behind"), one.behind) << met;
    EXPECT_TRUE(refuted.count(one.rule)) << one.rule;
    EXPECT_NE(r.result.text.find("rules.py:" + std::to_string(one.line) + ":"), std::string::npos) << one.line;
  }
  // What `--save` keeps, and `run` meets, is that of an error which a run meets first.
  EXPECT_FALSE(of["error_met"].contains("behind"));
  // Distinct indices of an argument have one address for some strides: no run has such an argument.
  EXPECT_EQ(r.json["functions"][2]["error_met"]["line"], 40);
}

}  // namespace counterexample_test
}  // namespace hexproof
