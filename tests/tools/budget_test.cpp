// A command ends when its time budget does: undecided, with what stayed open, and nothing written.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ir/base/digest.h"
#include "tests/tools/command_line.h"

namespace hexproof {
namespace budget_test {

const char* kProgram = R"(@T.prim_func
def copy(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for i in range(64):
        with T.block("b"):
            v = T.axis.spatial(64, i)
            B[v] = A[v]
)";
const char* kSchedule = "sch.split(sch.get_loops(sch.get_block(\"b\"))[0], factors=[None, 8])\n";

TEST(Budget, EveryCommandIsUndecidedPastIt) {
  std::string program = temporary("budget.py", kProgram), schedule = temporary("budget-schedule.py", kSchedule);
  std::string out = testing::TempDir() + "/" + std::to_string(::getpid()) + "-budget-out";
  for (const std::string& command : {"check " + program, "apply " + program + " " + schedule + " -o " + out,
                                     "certify " + program + " " + schedule + " --target host -o " + out,
                                     "equiv --method parametric " + program + " " + program}) {
    CommandResult late = hexproof_command(command + " --cache off --budget 0.000001");
    EXPECT_EQ(late.code, 5) << command << "\n" << late.text;
    EXPECT_NE(late.text.find("undecided"), std::string::npos) << late.text;
    EXPECT_NE(late.text.find("--budget"), std::string::npos) << late.text;
    EXPECT_FALSE(std::filesystem::exists(out)) << command;
  }
  for (const char* budget : {"0", "100"}) {
    EXPECT_EQ(hexproof_command("check " + program + " --cache off --budget " + budget).code, 0) << budget;
  }
  EXPECT_EQ(hexproof_command("check " + program + " --budget -1").code, 1);
}

// Who ends the process from beside the work reports like any other end: with a code, and as open, not as wrong.
TEST(Budget, WorkThatDoesNotEndByItselfIsReportedAsOpen) {
  const std::string program = temporary("cubes.py", R"(@T.prim_func
def main(A: T.Buffer((1024,), "int32"), x: T.int32, y: T.int32, z: T.int32):
    if (x * x * x + y * y * y + z * z * z == 33) and x < 1000 and x > -1000 and y < 1000 and y > -1000 and z < 1000 and z > -1000 and x * y * z != 0:
        A[1024] = 1
)");
  const std::string file = testing::TempDir() + "/" + std::to_string(::getpid()) + "-overrun";
  CommandResult r = hexproof_command("check " + program + " --cache off --budget 0.01 --annotate github --json " +
                                     file + ".json --junit " + file + ".xml --sarif " + file + ".sarif");
  EXPECT_EQ(r.code, 5) << r.text;
  EXPECT_NE(r.text.find("HX0003"), std::string::npos) << r.text;
  EXPECT_NE(r.text.find("::warning title=HX0003"), std::string::npos) << r.text;
  const auto json = nlohmann::json::parse(read_file(file + ".json"));
  EXPECT_EQ(json["verdict"], "undecided");
  EXPECT_EQ(json["error"]["code"], "HX0003") << json;
  EXPECT_NE(json["error"]["text"].get<std::string>().find("what stayed open"), std::string::npos) << json;
  const std::string junit = read_file(file + ".xml");
  EXPECT_NE(junit.find("failures=\"0\" errors=\"1\""), std::string::npos) << junit;
  const auto result = nlohmann::json::parse(read_file(file + ".sarif"))["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "HX0003") << result;
  EXPECT_EQ(result["kind"], "open") << result;
}

// What was found before the time was over stands: a part that is refuted wants attention first.
TEST(Budget, WhatWasJudgedBeforeIsInTheReport) {
  const std::string wrong = "@T.prim_func\ndef a(X: T.Buffer((3,), \"int32\")):\n    X[0] = ", slow = R"(
@T.prim_func
def g(X: T.Buffer((3,), "float16"), Y: T.Buffer((3,), "float16"), B: T.Buffer((3,), "float16")):
    for i in range(3):
        B[i] = )";
  const std::string before = temporary(
      "parts-before.py", wrong + "1\n" + slow + "Y[i] + Y[i] + Y[i] + (T.max(X[i], Y[i]) + T.float16(0.5))\n");
  const std::string after = temporary(
      "parts-after.py", wrong + "2\n" + slow + "T.float16(0.5) + T.max(X[i], Y[i]) + (Y[i] + (Y[i] + Y[i]))\n");
  const CommandResult r = hexproof_command("equiv " + before + " " + after +
                                           " --method symbolic --cache off --quiet --budget 0.2 --json -");
  EXPECT_EQ(r.code, 10) << r.text;
  EXPECT_NE(r.text.find("\"before\""), std::string::npos) << r.text;
}

// Three lines that are a long time's work before a solver counts its first unit.
TEST(Budget, AFormulaThatIsWrittenOutInBits) {
  namespace fs = std::filesystem;
  const std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-wide-formula",
                    script =
                        "(set-logic ALL)\n(declare-const x (_ BitVec 4000))\n(declare-const y (_ BitVec 4000))\n"
                        "(assert (= (bvmul x y) (bvadd x y)))\n(check-sat)\n",
                    digest = sha256(script), name = "obligations/" + digest.substr(0, 16) + ".smt2";
  fs::create_directories(folder + "/obligations"), fs::create_directories(folder + "/answers");
  write_file(folder + "/" + name, script);
  using Json = nlohmann::ordered_json;
  const Json formula = {{"file", name}, {"sha256", digest}, {"shown_by", "unsat"}, {"of", "check"},
                        {"rule", "r"},  {"why", "w"},       {"statement", "s"}};
  const Json index = {{"schema_version", 1}, {"program", "p"}, {"schedule", ""}, {"formulas", Json::array({formula})}};
  write_file(folder + "/index.json", index.dump(2) + "\n");
  CommandResult r = hexproof_command("discharge " + folder + " --budget 0.5");
  EXPECT_EQ(r.code, 5) << r.text;
  EXPECT_NE(r.text.find("--budget"), std::string::npos) << r.text;
  EXPECT_TRUE(fs::is_empty(folder + "/answers"));
  EXPECT_EQ(hexproof_command("merge " + folder).code, 5);
  fs::remove_all(folder);
}

TEST(Budget, WhatLlvmBreaksDownOnIsUnsupported) {
  std::string program = temporary("parity.py", R"(@T.prim_func
def f(A: T.Buffer((130,), "int16"), B: T.Buffer((130,), "int16"), C: T.Buffer((130,), "int16")):
    for j in T.vectorized(130):
        C[j] = T.Select((A[j] % T.int16(2) == T.int16(0) and B[j] > T.int16(3)) or (A[j] % T.int16(2) == T.int16(1) and B[j] < T.int16(9)), A[j], B[j])
)");
  std::string out = testing::TempDir() + "/" + std::to_string(::getpid()) + "-parity-out";
  CommandResult r = hexproof_command("certify " + program + " --target hexagon --cache off -o " + out);
  EXPECT_EQ(r.code, 13) << r.text;
  EXPECT_NE(r.text.find("parity.py:3:5: unsupported"), std::string::npos) << r.text;
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace budget_test
}  // namespace hexproof
