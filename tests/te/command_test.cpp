// The command on scripts of tensor expressions.
#include "tests/te/support.h"
#include "tests/tools/command_line.h"

namespace hexproof::te {
namespace command_test {

std::string at(const std::string& name) { return std::string(HEXPROOF_SOURCE_DIR) + "/tests/te/" + name + ".py"; }

TEST(TensorCommand, Apply) {
  const CommandResult r = hexproof_command("apply " + at("scripts/stencil"));
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_HAS(r.text, "B = T.decl_buffer((18,), \"int32\")");
}

TEST(TensorCommand, ApplyOfAProgramAloneLacksASchedule) {
  const std::string program = temporary("alone.py", "def main(A: T.Buffer((4,), \"int32\")):\n    A[0] = 1\n");
  const CommandResult r = hexproof_command("apply " + program);
  EXPECT_EQ(r.code, 1) << r.text;
  EXPECT_HAS(r.text, "SCHEDULE");
}

TEST(TensorCommand, CertifyAndAudit) {
  const std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-te-certificate";
  const CommandResult made = hexproof_command("certify " + at("scripts/matmul") + " --target host -o " + folder);
  EXPECT_EQ(made.code, 0) << made.text;
  EXPECT_HAS(made.text, "tvm.lower(s, [A, B, C])");  // steps say which call of the script asked for them
  const CommandResult audited = hexproof_command("audit " + folder);
  EXPECT_EQ(audited.code, 0) << audited.text;
  std::filesystem::remove_all(folder);
}

TEST(TensorCommand, Bounds) {
  const std::string svg = testing::TempDir() + "/" + std::to_string(::getpid()) + "-bounds.svg";
  const std::string json = svg + ".json";
  const CommandResult r = hexproof_command("bounds " + at("inferbound/ex6_by_3") + " --svg " + svg + " --json " + json);
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_HAS(r.text, "stage B, computed at ci.cj.fused.outer of C, attach path {ci.cj.fused.outer}");
  EXPECT_HAS(r.text, "2 of 2 obligations proved");
  EXPECT_HAS(read_file(svg), "<svg ");
  EXPECT_HAS(read_file(json), "\"covers\"");
}

TEST(TensorCommand, MistakesEndWithTwo) {
  const std::string script = temporary("wrong.py",
                                       "from tvm import te\nA = te.placeholder((4,), name=\"A\")\n"
                                       "B = te.compute((4,), lambda i: A[i] + 1, name=\"B\")\n"
                                       "s = te.create_schedule(B.op)\ns[B].split(B.op.axis[0], 9)\n");
  for (const std::string& command : {"apply " + script, "bounds " + script, "certify " + script + " -o none"}) {
    const CommandResult r = hexproof_command(command);
    EXPECT_EQ(r.code, 2) << r.text;
    EXPECT_HAS(r.text, "wrong.py:5:1: error: the factor 9 is larger than the extent 4 of 'i'");
    EXPECT_HAS(r.text, "hint: a factor from 1 to 4");
  }
}

TEST(TensorCommand, TensorExpressionsBesideAProgramAreUnsupported) {
  const std::string program = temporary("program.py", "def main(A: T.Buffer((4,), \"int32\")):\n    A[0] = 1\n");
  const std::string schedule = temporary("schedule.py", "A = te.placeholder((4,))\nte.create_prim_func([A])\n");
  const CommandResult r = hexproof_command("apply " + program + " " + schedule);
  EXPECT_EQ(r.code, 13) << r.text;
}

}  // namespace command_test
}  // namespace hexproof::te
