// Counterexamples as data: the place, loop values, scalars and cells, and the arrays that --save writes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ir/interpreter/interpreter.h"
#include "tests/tools/command_line.h"

namespace hexproof {
namespace counterexample_test {

using Json = nlohmann::json;
namespace fs = std::filesystem;

const char* kGather =
    "def f(idx: T.Buffer((64,), \"int32\"), A: T.Buffer((64,), \"float32\"), B: T.Buffer((64,), \"float32\")):\n"
    "    for i in range(64):\n"
    "        B[i] = A[idx[i]]\n";

std::string folder(const std::string& name) {
  std::string path = testing::TempDir() + "/" + std::to_string(::getpid()) + "-" + name;
  fs::remove_all(path);
  return path;
}

struct Reported {
  CommandResult result;
  Json json;
};
Reported reported(const std::string& arguments) {
  std::string path = folder("counterexample.json");
  CommandResult result = hexproof_command(arguments + " --json " + path);
  return {result, fs::exists(path) ? Json::parse(read_file(path)) : Json()};
}

int32_t element(const Tensor& tensor, int64_t at) {
  int32_t out = 0;
  std::memcpy(&out, tensor.data.data() + at * 4, 4);
  return out;
}

TEST(CounterexampleData, OfACheck) {
  std::string program = temporary("gather.py", kGather), saved = folder("gather");
  Reported r = reported("check " + program + " --save " + saved);
  EXPECT_EQ(r.result.code, 10) << r.result.text;
  const Json& met = r.json["functions"][0]["error_met"];
  EXPECT_EQ(met["kind"], "out-of-bounds");
  EXPECT_EQ(r.json["functions"][0]["code"], "HX0401");
  EXPECT_EQ(met["file"], program);
  EXPECT_EQ(met["line"], 3);
  EXPECT_GT(met["column"], 1);
  ASSERT_EQ(met["loops"].size(), 1u);
  EXPECT_EQ(met["loops"][0]["name"], "i");
  ASSERT_FALSE(met["cells"].empty()) << met;
  const Json& cell = met["cells"][0];
  EXPECT_EQ(cell["buffer"], "idx");
  EXPECT_EQ(cell["index"][0], met["loops"][0]["value"]);
  // The text shows what the buffer holds, and the saved array holds it.
  const int64_t at = cell["index"][0];
  const std::string value = cell["value"];
  EXPECT_NE(r.result.text.find("idx[" + std::to_string(at) + "] = " + value), std::string::npos) << r.result.text;
  EXPECT_EQ(std::to_string(element(read_npy(saved + "/idx.npy"), at)), value);
  EXPECT_TRUE(fs::exists(saved + "/A.npy") && fs::exists(saved + "/B.npy"));
  // The saved input meets the error when it is run.
  CommandResult run = hexproof_command("run " + program + " --input " + saved + "/idx.npy " + saved + "/A.npy");
  EXPECT_EQ(run.code, 10) << run.text;
}

TEST(CounterexampleData, OfNestedLoadsConditionsAndScalars) {
  Reported r =
      reported("check " + temporary("nested.py",
                                    "def f(n: T.int32, p: T.Buffer((8,), \"int32\"), q: T.Buffer((8,), \"int32\"),\n"
                                    "      B: T.Buffer((8,), \"int32\")):\n"
                                    "    for i in range(8):\n"
                                    "        if q[i] > 3 and n > 2:\n"
                                    "            B[i + p[i]] = 1\n"));
  EXPECT_EQ(r.result.code, 10) << r.result.text;
  const Json& met = r.json["functions"][0]["error_met"];
  std::set<std::string> buffers;
  for (const Json& cell : met["cells"]) buffers.insert(cell["buffer"].get<std::string>());
  EXPECT_EQ(buffers, (std::set<std::string>{"p", "q"})) << met;
  ASSERT_EQ(met["scalars"].size(), 1u) << met;
  EXPECT_EQ(met["scalars"][0]["name"], "n");
  EXPECT_GT(std::stoi(met["scalars"][0]["value"].get<std::string>()), 2);
}

// As `check` has it: the place, the input, a code.
TEST(CounterexampleData, OfARun) {
  const std::string program =
      temporary("indices.py",
                "def f(idx: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\"), n: T.int32):\n"
                "    for i in range(8):\n"
                "        if i > n:\n"
                "            B[idx[i] - 1] = 1\n");
  for (const char* option : {"", " --assert-static"}) {
    Reported r = reported("run " + program + " --scalar 2" + option);
    EXPECT_EQ(r.result.code, 10) << r.result.text;
    EXPECT_EQ(r.json["code"], "HX0401");
    const Json& met = r.json["error_met"];
    EXPECT_EQ(met["file"], program);
    EXPECT_EQ(met["line"], 4);
    EXPECT_EQ(met["loops"], Json::parse(R"([{"name": "i", "value": 3}])"));
    EXPECT_EQ(met["scalars"], Json::parse(R"([{"name": "n", "value": "2"}])"));
    EXPECT_EQ(met["cells"], Json::parse(R"([{"buffer": "idx", "index": [3], "value": "0"}])"));
    EXPECT_EQ(r.json["counterexample"], met["text"]);
    EXPECT_NE(r.result.text.find("\n  input: n = 2, idx[3] = 0\n  HX0401: "), std::string::npos) << r.result.text;
  }
}

TEST(CounterexampleData, OfObligations) {
  const std::string schedule = temporary("none.sch.py", "sch.simplify()\n"), program = temporary("g.py", kGather);
  Reported r = reported("obligations " + program + " " + schedule + " --out " + folder("formulas"));
  EXPECT_EQ(r.result.code, 10) << r.result.text;
  EXPECT_EQ(r.json["source_checks"], reported("apply " + program + " " + schedule).json["source_checks"]);
  EXPECT_EQ(r.json["source_checks"][0]["error_met"]["line"], 3);
  EXPECT_EQ(r.json["source_checks"][0]["error_met"]["cells"][0]["buffer"], "idx");
}

TEST(CounterexampleData, OfAnAssumeOfACallee) {
  const std::string program = temporary("callee.py",
                                        "@I.ir_module\nclass Module:\n    @T.prim_func\n"
                                        "    def main(X: T.Buffer((4,), \"int32\"), Y: T.Buffer((4,), \"int32\")):\n"
                                        "        for i in range(4):\n            X[i] = Y[i]\n"
                                        "        Module.stage(X.data, Y.data)\n    @T.prim_func\n"
                                        "    def stage(X: T.Buffer((4,), \"int32\"), Y: T.Buffer((4,), \"int32\")):\n"
                                        "        for i in range(4):\n            T.assume(X[i] <= 0)\n"
                                        "            Y[i] = X[i]\n");
  Reported r = reported("check " + program);
  EXPECT_EQ(r.result.code, 10) << r.result.text;
  const Json& main = r.json["functions"][0];
  EXPECT_EQ(main["error_met"]["code"], "HX0409");
  EXPECT_EQ(main["error_met"]["line"], 11);
  const std::string text = main["error_met"]["text"];
  EXPECT_TRUE(text.starts_with("assume of 'stage' at its call at " + program + ":7:9: not true\n")) << text;
  EXPECT_EQ(main["counterexample"], text);
  EXPECT_NE(r.result.text.find(text + "\n  HX0409: "), std::string::npos) << r.result.text;
}

// A file is read to its end, and checked to its end.
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

TEST(CounterexampleData, OfARefusedStepIsSaved) {
  const std::string program = temporary("guarded.py",
                                        "def f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
                                        "    if A[2] > 3:\n"
                                        "        with T.block(\"b\"):\n"
                                        "            B[0] = 1\n");
  const std::string schedule = temporary("guarded.sch.py", "sch.eliminate_branch(\"b\")\n");
  for (const std::string& command :
       {std::string("apply"), std::string("certify --target host -o ") + folder("unmade")}) {
    const std::string saved = folder("refused");
    Reported r = reported(command + " " + program + " " + schedule + " --save " + saved);
    EXPECT_EQ(r.result.code, 10) << r.result.text;
    const Json& cells = r.json["error"]["condition"]["cells"];
    ASSERT_FALSE(cells.empty()) << r.json;
    for (const Json& cell : cells) {
      const int64_t at = std::stoll(cell["index"][0].get<std::string>());
      const Tensor array = read_npy(saved + "/" + cell["buffer"].get<std::string>() + ".npy");
      EXPECT_EQ(array.shape, (std::vector<int64_t>{8}));
      EXPECT_EQ(std::to_string(element(array, at)), cell["value"]);
    }
    EXPECT_NE(read_file(saved + "/counterexample.txt").find("guarded.sch.py:1:"), std::string::npos);
    fs::remove_all(saved);
  }
}

TEST(CounterexampleData, NothingIsSavedOfWhatIsProved) {
  std::string saved = folder("proved");
  std::string good =
      temporary("good.py", "def f(A: T.Buffer((4,), \"int32\")):\n    for i in range(4):\n        A[i] = 1\n");
  EXPECT_EQ(hexproof_command("check " + good + " --save " + saved).code, 0);
  EXPECT_FALSE(fs::exists(saved));
}

TEST(CounterexampleData, AnInputIsNotOverwrittenBySave) {
  std::string saved = folder("same");
  fs::create_directories(saved);
  write_file(saved + "/counterexample.txt", kGather);
  CommandResult r = hexproof_command("check " + saved + "/counterexample.txt --save " + saved);
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_EQ(read_file(saved + "/counterexample.txt"), kGather);
}

TEST(CounterexampleData, OfAComparison) {
  std::string before = temporary("b.py",
                                 "def f(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\")):\n"
                                 "    for i in range(4):\n        B[i] = A[i]\n");
  std::string after = temporary("a.py",
                                "def f(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\")):\n"
                                "    for i in range(4):\n        B[i] = A[3 - i]\n");
  std::string saved = folder("pair");
  Reported r = reported("equiv " + before + " " + after + " --save " + saved);
  EXPECT_EQ(r.result.code, 10) << r.result.text;
  const Json& pair = r.json["pairs"][0];
  EXPECT_EQ(pair["code"], "HX0510");
  ASSERT_FALSE(pair["input"]["differences"].empty()) << pair;
  const Json& first = pair["input"]["differences"][0];
  EXPECT_EQ(first["before_buffer"], "B");
  EXPECT_NE(first["before_value"], first["after_value"]);
  for (const Json& one : pair["input"]["differences"]) {
    EXPECT_EQ(one["before_place"], Json({{"file", before}, {"line", 3}, {"column", 9}})) << one;
    EXPECT_EQ(one["after_place"], Json({{"file", after}, {"line", 3}, {"column", 9}})) << one;
  }
  EXPECT_TRUE(fs::exists(saved + "/before_A.npy") && fs::exists(saved + "/after_A.npy"));
}

TEST(CounterexampleData, OfAnErrorOfTheProgramAfter) {
  const std::string head =
      "def f(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\")):\n    for i in range(4):\n";
  const std::string before = temporary("b.py", head + "        B[i] = A[i]\n");
  const std::string after =
      temporary("a.py", head + "        B[i] = A[i]\n        if A[i] == 0:\n            B[i + 4] = 1\n");
  Reported r = reported("equiv " + before + " " + after);
  EXPECT_EQ(r.result.code, 10) << r.result.text;
  const Json &pair = r.json["pairs"][0], &met = pair["error_met"];
  EXPECT_EQ(met["code"], "HX0401");
  EXPECT_EQ(met["file"], after);
  EXPECT_EQ(met["line"], 5);
  EXPECT_EQ(met["cells"][0]["buffer"], "A") << met;
  EXPECT_TRUE(met["text"].get<std::string>().starts_with(pair["input"]["error_after"].get<std::string>())) << pair;
}

TEST(CounterexampleData, OfARefusedStep) {
  std::string program = temporary("dep.py",
                                  "def main(A: T.Buffer((8, 8), \"int32\")):\n"
                                  "    for i, j in T.grid(7, 7):\n"
                                  "        with T.block(\"b\"):\n"
                                  "            vi = T.axis.opaque(7, i)\n"
                                  "            vj = T.axis.opaque(7, j)\n"
                                  "            A[vi + 1, vj] = A[vi, vj + 1] + 1\n");
  std::string schedule = temporary("dep.sch.py", "i, j = sch.get_loops(sch.get_block(\"b\"))\nsch.reorder(j, i)\n");
  Reported r = reported("apply " + program + " " + schedule);
  EXPECT_EQ(r.result.code, 10) << r.result.text;
  const Json& error = r.json["error"];
  EXPECT_EQ(error["code"], "HX0301");
  EXPECT_EQ(error["line"], 2);
  EXPECT_EQ(error["condition"]["verdict"], "refuted");
  EXPECT_FALSE(error["condition"]["values"].empty()) << error;
}

TEST(CounterexampleData, ApplySavesWhatRefutesTheSource) {
  std::string saved = folder("apply");
  std::string schedule = temporary("none.sch.py", "sch.simplify()\n");
  Reported r = reported("apply " + temporary("g.py", kGather) + " " + schedule + " --save " + saved);
  EXPECT_EQ(r.result.code, 10) << r.result.text;
  EXPECT_EQ(r.json["source_checks"][0]["error_met"]["cells"][0]["buffer"], "idx");
  EXPECT_TRUE(fs::exists(saved + "/idx.npy"));
  std::string again = folder("certify");
  EXPECT_EQ(hexproof_command("certify " + temporary("g.py", kGather) + " --target host -o " + folder("cert") +
                             " --save " + again)
                .code,
            10);
  EXPECT_TRUE(fs::exists(again + "/idx.npy"));
}

// Without any one of the lines that are named nothing clashes; the others are not named.
TEST(CounterexampleData, ClashingAssumesAreALeastSet) {
  Reported r = reported("check " + temporary("clash.py",
                                             "def f(n: T.int32, m: T.int32, A: T.Buffer((4,), \"int32\")):\n"
                                             "    T.assume(m > 0)\n"
                                             "    T.assume(n > 4)\n"
                                             "    T.assume(m < 9)\n"
                                             "    T.assume(n < m)\n"
                                             "    T.assume(m < 5)\n"
                                             "    A[0] = 1\n"));
  EXPECT_EQ(r.result.code, 11) << r.result.text;
  const Json& clashing = r.json["functions"][0]["clashing"];
  std::vector<int> lines;
  for (const Json& one : clashing) lines.push_back(one["line"]);
  EXPECT_EQ(lines, (std::vector<int>{3, 5, 6})) << clashing;
  EXPECT_EQ(r.json["functions"][0]["code"], "HX0501");
}

// So are those of several iterations, and of several branches, whatever the sizes; and of memory that the function has
// changed by then.
TEST(CounterexampleData, ClashesOfIterationsAndBranches) {
  const std::string head = "def f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\"), n: T.int32):\n";
  struct Case {
    const char* body;
    std::vector<int> lines;
  };
  for (const Case& one : std::vector<Case>{
           {"    for i in range(4):\n        T.assume(n == i)\n    A[0] = 1\n", {3}},
           {"    for i in range(4):\n        T.assume(A[0] == i)\n    A[0] = 1\n", {3}},
           {"    T.assume(A[7] > 3)\n    if A[0] > 3:\n        T.assume(n > 3)\n    else:\n        T.assume(n > 5)\n"
            "    T.assume(n < 2)\n    A[0] = 1\n",
            {4, 6, 7}},
           {"    for i in range(7):\n        T.assume(A[i + 1] > A[i])\n    T.assume(B[7] > 3)\n"
            "    T.assume(A[7] < A[0])\n",
            {3, 5}},
       }) {
    const Reported r = reported("check " + temporary("clash.py", head + one.body));
    EXPECT_EQ(r.result.code, 11) << r.result.text;
    std::vector<int> lines;
    for (const Json& place : r.json["functions"][0]["clashing"]) lines.push_back(place["line"]);
    EXPECT_EQ(lines, one.lines) << r.result.text;
    for (int line : lines) {
      EXPECT_NE(r.result.text.find("clash.py:" + std::to_string(line) + ":"), std::string::npos) << r.result.text;
    }
  }
  // The symbolic method: what is stored in between.
  const Reported r =
      reported("check " + temporary("stored.py",
                                    "def f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
                                    "    B[0] = A[1]\n    T.assume(A[7] > 3)\n"
                                    "    for i in range(4):\n        T.assume(B[0] == i)\n"));
  EXPECT_EQ(r.result.code, 11) << r.result.text;
  ASSERT_EQ(r.json["functions"][0]["clashing"].size(), 1u) << r.result.text;
  EXPECT_EQ(r.json["functions"][0]["clashing"][0]["line"], 5);
}

}  // namespace counterexample_test
}  // namespace hexproof
