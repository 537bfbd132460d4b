// Commands on modules whose functions call each other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace module_test {

std::string chain(const std::string& pad, const std::string& shape = "(4, 4)") {
  return "@I.ir_module\n"
         "class Module:\n"
         "    @T.prim_func\n"
         "    def main(C: T.Buffer((1,), \"int32\")):\n"
         "        A = T.alloc_buffer(" +
         shape +
         ", \"int32\")\n"
         "        Module.producer(A.data)\n"
         "        Module.consumer(A.data, C.data)\n"
         "    @T.prim_func\n"
         "    def producer(A: T.Buffer((4, 4), \"int32\")):\n"
         "        for io, ii in T.grid(4, 4):\n"
         "            if 4 * io + ii < 14:\n"
         "                A[io, ii] = 1000 + 4 * io + ii\n"
         "            else:\n"
         "                A[io, ii] = " +
         pad +
         "\n"
         "    @T.prim_func\n"
         "    def consumer(A: T.Buffer((4, 4), \"int32\"), B: T.Buffer((1,), \"int32\")):\n"
         "        for io, ii in T.grid(4, 4):\n"
         "            T.assume(4 * io + ii < 14 or A[io, ii] == 0)\n"
         "        B[0] = 0\n"
         "        for io, ii in T.grid(4, 4):\n"
         "            B[0] = B[0] + A[io, ii]\n";
}

void expect_said(const CommandResult& r, int code, const std::string& part) {
  EXPECT_EQ(r.code, code) << r.text;
  EXPECT_NE(r.text.find(part), std::string::npos) << r.text;
}

TEST(Modules, Check) {
  expect_said(hexproof_command("check " + temporary("good.py", chain("0"))), 0, "proved: main");
  std::string bad = temporary("bad.py", chain("7"));
  expect_said(hexproof_command("check " + bad), 10, "assume of 'consumer' at its call at " + bad + ":7:9: not true");
}

TEST(Modules, BadInput) {
  std::string layout = temporary("layout.py", chain("0", "(14,)"));
  const std::string where = fmt::format("{}:6:9: error: a call with disagreeing layouts", layout);
  for (const char* command : {"check", "run"}) {
    expect_said(hexproof_command(fmt::format("{} {}", command, layout)), 2, where);
  }
  expect_said(hexproof_command(fmt::format("apply {} {}", layout, temporary("empty.py", ""))), 2, where);
  std::string unknown = chain("0");
  unknown.replace(unknown.find("Module.producer"), 15, "Module.produced");
  expect_said(hexproof_command("check " + temporary("unknown.py", unknown)), 2, ":6:9: error: the module has no");
}

TEST(Modules, RunEquivAndCertifyWorkOnTheLinkedFunction) {
  std::string good = temporary("good.py", chain("0"));
  std::string out = testing::TempDir() + "/" + std::to_string(::getpid()) + "-modules-out.npy";
  expect_said(hexproof_command("run " + good + " --output " + out), 0, "");
  EXPECT_TRUE(std::filesystem::exists(out));
  std::string alone = temporary("alone.py",
                                "def main(C: T.Buffer((1,), \"int32\")):\n"
                                "    C[0] = 0\n"
                                "    for i in range(14):\n"
                                "        C[0] = C[0] + (1000 + i)\n");
  expect_said(hexproof_command("equiv " + alone + " " + good), 0, "proved: main");
  std::string bad = temporary("bad.py", chain("7"));
  expect_said(hexproof_command("equiv " + alone + " " + bad), 10, "the assume is false");
  std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-modules-certificate";
  expect_said(hexproof_command("certify " + good + " --target host -o " + folder), 0, "proved: main");
  expect_said(hexproof_command("certify " + bad + " --target host -o " + folder + "2"), 10, "assume of 'consumer'");
  EXPECT_FALSE(std::filesystem::exists(folder + "2"));
  // One function by name is looked at alone, or with what it calls.
  expect_said(hexproof_command("certify " + good + " --function consumer --no-run --target host -o " + folder + "3"), 0,
              "proved: consumer");
}

TEST(Modules, ApplyPrintsTheModuleAndSaysWhatIsClaimed) {
  std::string program = temporary("stages.py",
                                  "def main(A: T.Buffer((8,), \"int32\"), C: T.Buffer((1,), \"int32\")):\n"
                                  "    for i in range(8):\n"
                                  "        A[i] = i\n"
                                  "    C[0] = A[3]\n");
  std::string schedule = temporary("split.py", "sch.hoist_stage(0, \"fill\")\n");
  std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-module-certificate";
  std::string out = testing::TempDir() + "/" + std::to_string(::getpid()) + "-module.py";
  std::string options = " -o " + out + " --certificate " + folder + " --json " + folder + ".json";
  expect_said(hexproof_command("apply " + program + " " + schedule + options), 0, "joint step sch.hoist_stage");
  EXPECT_NE(read_file(out).find("Module.fill(A.data)"), std::string::npos) << read_file(out);
  EXPECT_EQ(read_file(folder + "/final.py"), read_file(out));
  EXPECT_NE(read_file(folder + "/summary.txt").find("(same program)"), std::string::npos);
  EXPECT_NE(read_file(folder + "/certificate.json").find("\"joint_steps\""), std::string::npos);
  EXPECT_NE(read_file(folder + ".json").find("\"joint_steps\""), std::string::npos);
  expect_said(hexproof_command("check " + out), 0, "proved: fill");
  expect_said(hexproof_command("equiv " + program + " " + out), 0, "proved: main");
  // Functions that do not call each other are not claimed to fit together.
  std::string apart = temporary("apart.py",
                                "@I.ir_module\nclass Module:\n"
                                "    @T.prim_func\n    def f(A: T.Buffer((4,), \"int32\")):\n        A[0] = 1\n"
                                "    @T.prim_func\n    def g(A: T.Buffer((4,), \"int32\")):\n        A[1] = 1\n");
  std::string nothing = temporary("nothing.py", "sch.work_on(\"f\")\nsch.simplify()\n");
  expect_said(hexproof_command("apply " + apart + " " + nothing + " -o " + out), 0, "each stands for itself");
}

}  // namespace module_test
}  // namespace hexproof
