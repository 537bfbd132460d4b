// apply and certify judge their own result: what they say of it, what they write, and what they do not.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace second_line_test {

using Json = nlohmann::json;

const char* kProgram =
    "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n"
    "    for i in range(16):\n"
    "        with T.block(\"copy\"):\n"
    "            vi = T.axis.spatial(16, i)\n"
    "            B[vi] = A[vi] * 2\n";
const char* kSchedule =
    "i, = sch.get_loops(sch.get_block(\"copy\"))\n"
    "io, ii = sch.split(i, factors=[None, 4])\n";

std::string place(const std::string& name) {
  return testing::TempDir() + "/" + std::to_string(::getpid()) + "-" + name;
}
bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

CommandResult run(const std::string& command, const std::string& options, const std::string& program = kProgram,
                  const std::string& schedule = kSchedule) {
  return hexproof_command(command + " " + temporary("second.py", program) + " " +
                          temporary("second-schedule.py", schedule) + " " + options);
}

TEST(SecondLine, TheSummaryHasTwoColumns) {
  CommandResult r = run("apply", "-o " + place("second-out.py") + " --json " + place("second.json"));
  ASSERT_EQ(r.code, 0) << r.text;
  for (const char* part :
       {"by construction", "by validation", "the source, for all inputs", "the result, for all inputs",
        "proved by equiv; parametric", "symbolic: all 32 cells hold", "the same results on 32 inputs"}) {
    EXPECT_TRUE(says(r.text, part)) << part << "\n" << r.text;
  }
  Json json = Json::parse(read_file(place("second.json")));
  EXPECT_EQ(json["verdict"], "proved");
  EXPECT_EQ(json["by_construction"]["steps"], 1);
  EXPECT_EQ(json["by_validation"]["check"]["verdict"], "proved");
  EXPECT_EQ(json["by_validation"]["equiv"]["verdict"], "proved");
  EXPECT_EQ(json["by_validation"]["equiv"]["method"], "parametric");
  EXPECT_EQ(json["by_validation"]["runs"]["inputs"], 32);
}

TEST(SecondLine, StandardOutputIsTheProgramAlone) {
  CommandResult r = run("apply", "");
  ASSERT_EQ(r.code, 0) << r.text;
  EXPECT_FALSE(says(r.text, "by validation")) << r.text;
}

TEST(SecondLine, TheCertificateHasBothColumns) {
  for (const char* command : {"apply", "certify"}) {
    std::string folder = place(std::string("second-") + command);
    std::string options = command == std::string("apply") ? "-o " + place("second-out.py") + " --certificate " + folder
                                                          : "--target host -o " + folder;
    CommandResult r = run(command, options);
    ASSERT_EQ(r.code, 0) << r.text;
    std::string summary = read_file(folder + "/summary.txt");
    EXPECT_TRUE(says(summary, "by validation")) << summary;
    EXPECT_FALSE(says(summary, "--trust-rules")) << summary;
    Json json = Json::parse(read_file(folder + "/certificate.json"));
    EXPECT_EQ(json["by_validation"]["runs"]["inputs"], 32);
    EXPECT_EQ(json["by_validation"]["equiv"]["verdict"], "proved");
    EXPECT_EQ(json["by_construction"]["steps"], 1);
  }
}

TEST(SecondLine, TrustRulesLeavesItOutAndSaysSo) {
  std::string folder = place("trusted");
  CommandResult r = run("certify", "--target host --trust-rules -o " + folder);
  ASSERT_EQ(r.code, 0) << r.text;
  EXPECT_TRUE(says(read_file(folder + "/summary.txt"), "left out (--trust-rules)"));
  Json json = Json::parse(read_file(folder + "/certificate.json"));
  EXPECT_EQ(json["by_validation"]["left_out"], "--trust-rules");
  EXPECT_EQ(json["by_validation"].count("runs"), 0u);
  CommandResult applied = run("apply", "--trust-rules -o " + place("trusted.py") + " --json " + place("trusted.json"));
  ASSERT_EQ(applied.code, 0) << applied.text;
  EXPECT_TRUE(says(applied.text, "left out (--trust-rules)")) << applied.text;
  EXPECT_EQ(Json::parse(read_file(place("trusted.json")))["by_validation"]["left_out"], "--trust-rules");
}

// 16 million cells: nothing is run, and the parametric method says what holds for all sizes.
TEST(SecondLine, WhatIsTooLargeIsLeftOpenAndDoesNotFail) {
  std::string program = kProgram, schedule = kSchedule;
  for (size_t at; (at = program.find("16")) != std::string::npos;) program.replace(at, 2, "24000000");
  CommandResult r = run("apply", "-o " + place("large.py"), program, schedule);
  ASSERT_EQ(r.code, 0) << r.text;
  EXPECT_TRUE(says(r.text, "none: a run is too long")) << r.text;
}

TEST(SecondLine, ModulesAreJudgedFunctionByFunctionAndWhereTheyAreEntered) {
  const std::string module =
      "@I.ir_module\n"
      "class Module:\n"
      "    @T.prim_func\n"
      "    def main(A: T.Buffer((16,), \"int32\"), C: T.Buffer((16,), \"int32\")):\n"
      "        Module.twice(A.data, C.data)\n"
      "    @T.prim_func\n"
      "    def twice(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n"
      "        for i in range(16):\n"
      "            with T.block(\"copy\"):\n"
      "                vi = T.axis.spatial(16, i)\n"
      "                B[vi] = A[vi] * 2\n";
  const std::string schedule = std::string("sch.work_on(\"twice\")\n") + kSchedule;
  CommandResult r = run("apply", "-o " + place("module.py") + " --json " + place("module.json"), module, schedule);
  ASSERT_EQ(r.code, 0) << r.text;
  EXPECT_TRUE(says(r.text, "twice, by validation: the result, for all inputs")) << r.text;
  EXPECT_TRUE(says(r.text, "main with what it calls, by validation")) << r.text;
  Json json = Json::parse(read_file(place("module.json")));
  ASSERT_EQ(json["by_validation"]["parts"].size(), 2u);
  EXPECT_EQ(json["by_validation"]["parts"][0]["shown"]["runs"]["inputs"], 32);
  CommandResult trusted = run("apply", "--trust-rules -o " + place("module2.py"), module, schedule);
  ASSERT_EQ(trusted.code, 0) << trusted.text;
  EXPECT_TRUE(says(trusted.text, "by validation: left out (--trust-rules)")) << trusted.text;
}

// Schedules that must not pass: a rule refuses, or the second line rejects what it let through. Either way nothing is
// written; and a rejection shows the witness and a report that holds the program.
TEST(SecondLine, AWrongResultIsNotWritten) {
  struct Case {
    const char *name, *program, *schedule;
  };
  const Case cases[] = {
      {"moving-view",
       "def main(A: T.Buffer((16,), \"int32\")):\n"
       "    for i in range(8):\n"
       "        V = T.decl_buffer((8,), \"int32\", data=A.data, elem_offset=7 - i)\n"
       "        V[i] = i\n",
       "sch.parallel(sch.get_loop(\"i\"))\n"},
      {"old-fact",
       "def main(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\"), C: T.Buffer((4,), \"int32\")):\n"
       "    if A[0] > 0:\n"
       "        A[0] = -1\n"
       "        if A[0] < 0:\n"
       "            B[1] = 1\n"
       "        C[0] = B[1]\n"
       "        B[1] = 2\n",
       "sch.remove_no_op(\"root\")\n"},
      {"permission",
       "def main(B: T.Buffer((16,), \"int32\")):\n"
       "    t = T.alloc_buffer((16,), \"int32\")\n"
       "    for i in range(16):\n"
       "        T.assume(t[i] == T.undef())\n"
       "    for j in range(16):\n"
       "        B[j] = t[15 - j]\n",
       "sch.merge(sch.get_loop(\"i\"), sch.get_loop(\"j\"))\n"},
  };
  for (const Case& c : cases) {
    std::string out = place(std::string(c.name) + "-out.py"), folder = place(std::string(c.name) + "-folder");
    for (const std::string& options :
         {"apply -o " + out, "apply --certificate " + folder, "certify --target host -o " + folder}) {
      size_t space = options.find(' ');
      CommandResult r = run(options.substr(0, space), options.substr(space), c.program, c.schedule);
      EXPECT_EQ(std::filesystem::exists(out) || std::filesystem::exists(folder), r.code == 0) << r.text;
      if (r.code == 12) {
        EXPECT_TRUE(says(r.text, "rejected: every step was proved")) << r.text;
        for (const char* part : {"==== witness", "==== program", "==== schedule", "==== first", "==== last"}) {
          EXPECT_TRUE(says(r.text, part)) << part << "\n" << r.text;
        }
      } else if (c.name == std::string("old-fact")) {
        // The rule leaves the store where it is: nothing is wrong, and nothing changes.
        EXPECT_TRUE(r.code == 0 || r.code == 10) << r.text;
      } else {
        EXPECT_TRUE(r.code == 10 || r.code == 5) << r.text;
      }
      std::filesystem::remove(out);
      std::filesystem::remove_all(folder);
    }
  }
}

}  // namespace second_line_test
}  // namespace hexproof
