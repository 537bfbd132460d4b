// Counterexamples as data: the place, loop values, scalars and cells, and the arrays that --save writes.
#include "tests/tools/reports/counterexamples.h"

namespace hexproof {
namespace counterexample_test {

const char* kGather =
    "def f(idx: T.Buffer((64,), \"int32\"), A: T.Buffer((64,), \"float32\"), B: T.Buffer((64,), \"float32\")):\n"
    "    for i in range(64):\n"
    "        B[i] = A[idx[i]]\n";

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
