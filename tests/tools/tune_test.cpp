// hexproof tune: candidates are proved, run and counted; the best schedule is kept, refusals are noted.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace {

const char* kProgram = R"(
@T.prim_func
def f(A: T.Buffer((8, 128), "int32"), B: T.Buffer((8, 128), "int32")):
    for i, j in T.grid(8, 128):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + 1
)";
// 24 lanes are no whole vectors; 0 lanes no loop.
const char* kTemplate = R"(
lanes = 24  # tune: 24, 128, 0
wide = False  # tune: False, True
i, j = sch.get_loops("b")
jo, ji = sch.split(j, [None, lanes])
if wide:
    sch.vectorize(ji)
sch.lower_blocks()
)";

TEST(TuneCommand, KeepsTheBestAndNotesTheRest) {
  if (std::system("command -v qemu-hexagon > /dev/null") != 0) GTEST_SKIP() << "needs qemu-hexagon";
  std::string program = temporary("tune.py", kProgram), schedule = temporary("tune_s.py", kTemplate);
  std::string best = testing::TempDir() + "/tuned.py", json = testing::TempDir() + "/tuned.json";
  CommandResult r = hexproof_command("tune " + program + " " + schedule + " -o " + best + " --json " + json);
  EXPECT_EQ(r.code, 0) << r.text;
  std::string text = read_file(best);
  EXPECT_NE(text.find("lanes = 128  # tune: 24, 128, 0\nwide = True  # tune: False, True\n"), std::string::npos)
      << text;
  nlohmann::json report = nlohmann::json::parse(read_file(json));
  EXPECT_EQ(report.at("complete"), true);
  uint64_t fewest = ~uint64_t{0};
  size_t refused = 0;
  for (const auto& tried : report.at("tried")) {
    if (tried.at("verdict") == "proved") {
      fewest = std::min(fewest, tried.at("packets").get<uint64_t>());
    } else {
      ++refused;
      EXPECT_FALSE(tried.at("says").get<std::string>().empty());
      EXPECT_EQ(tried.at("values").at("lanes"), "0");
    }
  }
  EXPECT_GE(refused, 1u);
  EXPECT_EQ(report.at("packets").get<uint64_t>(), fewest);
  EXPECT_GE(report.at("tried").size(), 5u);
  // The tuned schedule is a schedule, and starts where the search ended.
  CommandResult again = hexproof_command("tune " + program + " " + best + " --tries 1");
  EXPECT_EQ(again.code, 0) << again.text;
  EXPECT_NE(again.text.find("best: lanes = 128, wide = True: " + std::to_string(fewest) + " packets, of 1 tried"),
            std::string::npos)
      << again.text;
}

TEST(TuneCommand, TemplatesThatAreNone) {
  std::string program = temporary("tune.py", kProgram);
  for (const auto& [text, says] :
       {std::pair{"sch.show()\n", "has no parameter"}, std::pair{"lanes = 4  # tune: 8\n", "none of its own"},
        std::pair{"lanes = 4  # tune: 4,,8\n", "an empty value"}, std::pair{"lanes=4  # tune: 4\n", "is no parameter"},
        std::pair{"lanes = 4  # tune: 4\nsch.nothing()\n", "nothing"}}) {
    CommandResult r = hexproof_command("tune " + program + " " + temporary("bad_s.py", text));
    EXPECT_EQ(r.code, 2) << r.text;
    EXPECT_NE(r.text.find(says), std::string::npos) << r.text;
  }
}

// However much blank stands in front of the mark, and however lines end, the rest of the line stays as it is.
TEST(TuneCommand, FormsOfALine) {
  if (std::system("command -v qemu-hexagon > /dev/null") != 0) GTEST_SKIP() << "needs qemu-hexagon";
  const std::string program = temporary("tune.py", kProgram), best = testing::TempDir() + "/tune-forms.py";
  for (const char* line : {"lanes = 128 # tune: 0, 128\n", "lanes = 128    # tune: 0, 128\n",
                           "lanes = 128\t# tune: 0, 128\n", "lanes = 128  # tune: 0, 128\r\n"}) {
    const std::string text =
        std::string(line) + "i, j = sch.get_loops(\"b\")\nsch.split(j, [None, lanes])\nsch.lower_blocks()\n";
    CommandResult r =
        hexproof_command("tune " + program + " " + temporary("forms_s.py", text) + " --tries 3 -o " + best);
    EXPECT_EQ(r.code, 0) << line << r.text;
    EXPECT_NE(r.text.find("lanes = 0: "), std::string::npos) << r.text;
    EXPECT_EQ(read_file(best), text);
  }
}

TEST(TuneCommand, WhatKeepsEachCandidateFromRunningIsTheAnswer) {
  const std::string tile = "lanes = 24  # tune: 24, 128\ni, j = sch.get_loops(\"b\")\nsch.split(j, [None, lanes])\n";
  std::string reads = kProgram, clashing = kProgram, loops = kProgram;
  reads.replace(reads.find("A[vi, vj]"), 9, "A[vi, vj + 1]");
  clashing.replace(clashing.find("    for i, j"), 0, "    T.assume(A[0, 0] > 4)\n    T.assume(A[0, 0] < 3)\n");
  loops.replace(loops.find("    for i, j"), 0, "    while A[0, 0] > 0:\n        B[0, 0] = 1\n");
  const std::string fused = tile + "sch.read_at(i)\n";
  struct Case {
    std::string program, schedule;
    int code;
    const char *verdict, *says;
  };
  for (const Case& one : std::vector<Case>{{reads, tile, 10, "refuted", "bad.py:7:"},
                                           {clashing, tile, 11, "vacuous", "T.assume(A[0, 0] < 3)"},
                                           {loops, tile, 13, "unsupported", "bad.py:4:5: unsupported"},
                                           {kProgram, fused, 13, "unsupported", "tune_s.py:4:"}}) {
    const std::string json = testing::TempDir() + "/tune-bad.json";
    CommandResult r = hexproof_command("tune " + temporary("bad.py", one.program) + " " +
                                       temporary("tune_s.py", one.schedule) + " --json " + json);
    EXPECT_EQ(r.code, one.code) << r.text;
    EXPECT_NE(r.text.find(one.says), std::string::npos) << one.says << "\n" << r.text;
    const nlohmann::json report = nlohmann::json::parse(read_file(json));
    EXPECT_EQ(report.at("verdict"), one.verdict);
    EXPECT_EQ(report.at("exit_code"), one.code);
    if (one.code == 10) {
      EXPECT_NE(r.text.find("  at: i = 7, j = 127\n"), std::string::npos) << r.text;
      EXPECT_FALSE(report.at("source_checks").at(0).at("counterexample").empty());
      EXPECT_EQ(report.at("tried").size(), 2u);
    }
  }
}

}  // namespace
}  // namespace hexproof
