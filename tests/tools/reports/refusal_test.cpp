// Schedules with a wrong step are refused, with the failed condition and values.
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace refusal_test {

/// The schedule is refused: exit 10, the condition and a value are named, and no folder appears.
void expect_refused(const std::string& name, const std::string& program, const std::string& schedule,
                    const std::string& condition) {
  std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-" + name;
  CommandResult r = hexproof_command("certify " + temporary(name + ".py", program) + " " +
                                     temporary(name + "-schedule.py", schedule) + " --target host -o " + folder);
  EXPECT_EQ(r.code, 10) << r.text;
  EXPECT_NE(r.text.find(condition), std::string::npos) << r.text;
  EXPECT_NE(r.text.find(" = "), std::string::npos) << r.text;
  EXPECT_NE(r.text.find(name + "-schedule.py:"), std::string::npos) << r.text;
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(Refusal, ASplitWhoseGuardIsDropped) {
  expect_refused("guard",
                 "def main(A: T.Buffer((14,), \"int32\"), B: T.Buffer((14,), \"int32\")):\n"
                 "    for i in range(14):\n"
                 "        with T.block(\"copy\"):\n"
                 "            vi = T.axis.spatial(14, i)\n"
                 "            B[vi] = A[vi]\n",
                 "i, = sch.get_loops(sch.get_block(\"copy\"))\n"
                 "io, ii = sch.split(i, factors=[None, 4])\n"
                 "sch.eliminate_branch(sch.get_block(\"copy\"))\n",
                 "eliminate-branch");
}

TEST(Refusal, AReorderAcrossADependence) {
  expect_refused("dependence",
                 "def main(A: T.Buffer((8, 8), \"int32\")):\n"
                 "    for i, j in T.grid(7, 7):\n"
                 "        with T.block(\"b\"):\n"
                 "            vi = T.axis.opaque(7, i)\n"
                 "            vj = T.axis.opaque(7, j)\n"
                 "            A[vi + 1, vj] = A[vi, vj + 1] + 1\n",
                 "i, j = sch.get_loops(sch.get_block(\"b\"))\n"
                 "sch.reorder(j, i)\n",
                 "reorder");
}

TEST(Refusal, ALayoutThatIsNotInjective) {
  expect_refused("layout",
                 "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n"
                 "    for i in range(16):\n"
                 "        with T.block(\"copy\"):\n"
                 "            vi = T.axis.spatial(16, i)\n"
                 "            B[vi] = A[vi]\n",
                 "sch.transform_layout(sch.get_block(\"copy\"), (\"write\", 0), lambda i: [i // 4])\n",
                 "no two logical indices go to one cell");
}

}  // namespace refusal_test
}  // namespace hexproof
