// A command ends when its time budget does: undecided, with what stayed open, and nothing written.
#include <gtest/gtest.h>

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
