// What a user may get wrong: a clear message, the documented exit code, nothing half-written, no crash.
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace bad_input_test {

namespace fs = std::filesystem;

const char* kGood =
    "@T.prim_func\n"
    "def main(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
    "    for i in range(8):\n"
    "        with T.block(\"copy\"):\n"
    "            vi = T.axis.spatial(8, i)\n"
    "            B[vi] = A[vi]\n";

std::string program(const std::string& name, const std::string& body) {
  return temporary(name, "def main(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n" + body);
}

/// The message names the place, shows the line and a caret.
void expect_located(const CommandResult& r, const std::string& place, const std::string& what) {
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_NE(r.text.find(place), std::string::npos) << r.text;
  EXPECT_NE(r.text.find("error: "), std::string::npos) << r.text;
  EXPECT_NE(r.text.find(what), std::string::npos) << r.text;
  EXPECT_NE(r.text.find("^"), std::string::npos) << r.text;
}

TEST(BadInput, Programs) {
  expect_located(hexproof_command("check " + program("truncated.py", "    for i in range(8")), "truncated.py:2:", "");
  expect_located(hexproof_command("check " + program("indent.py", "    for i in range(8):\n    B[i] = A[i]\n")),
                 "indent.py:3:", "indent");
  expect_located(hexproof_command("check " + program("name.py", "    for i in range(8):\n        B[i] = AA[i]\n")),
                 "name.py:3:", "AA");
  expect_located(
      hexproof_command("check " +
                       program("type.py", "    for i in range(8):\n        B[i] = T.float32(1) + A[i] * \"x\"\n")),
      "type.py:3:", "");
  std::string negative = temporary("negative.py", "def main(A: T.Buffer((-8,), \"int32\")):\n    A[0] = 1\n");
  expect_located(hexproof_command("check " + negative), "negative.py:1:", "negative");
}

TEST(BadInput, ExtremeTexts) {
  std::string deep = program("deep.py", "    B[0] = " + std::string(200, '(') + "A[0]" + std::string(200, ')') + "\n");
  EXPECT_EQ(hexproof_command("check " + deep).code, 0);
  std::string deeper =
      program("deeper.py", "    B[0] = " + std::string(100000, '(') + "A[0]" + std::string(100000, ')') + "\n");
  EXPECT_EQ(hexproof_command("check " + deeper).code, 2);
  std::string sum = "A[0]";
  while (sum.size() < 1'000'000) sum += " + A[0]";
  CommandResult long_line = hexproof_command("check " + program("long.py", "    B[0] = " + sum + "\n"));
  EXPECT_EQ(long_line.code, 2) << long_line.text.substr(0, 500);
  EXPECT_LT(long_line.text.size(), 2000u);
  std::string noise;
  for (int i = 0; i < 10000; ++i) noise.push_back(static_cast<char>(i * 7919 >> 3));
  CommandResult binary = hexproof_command("check " + temporary("binary.py", noise));
  EXPECT_EQ(binary.code, 2) << binary.text;
  EXPECT_LT(binary.text.size(), 2000u);
}

TEST(BadInput, Paths) {
  EXPECT_EQ(hexproof_command("check " + testing::TempDir() + "/no-such-file.py").code, 2);
  EXPECT_EQ(hexproof_command("check " + testing::TempDir()).code, 2);
  std::string good = temporary("good.py", kGood);
  EXPECT_EQ(hexproof_command("check " + good + " --json /proc/no/such/folder/report.json").code, 2);
  CommandResult taken = hexproof_command("certify " + good + " --target host -o /proc/no/such/folder");
  EXPECT_EQ(taken.code, 2) << taken.text;
}

TEST(BadInput, AFolderThatIsNoCertificateStays) {
  std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-precious";
  fs::create_directories(folder);
  write_file(folder + "/thesis.txt", "forty years of work\n");
  std::string good = temporary("good.py", kGood);
  EXPECT_EQ(hexproof_command("certify " + good + " --target host -o " + folder).code, 2);
  EXPECT_EQ(read_file(folder + "/thesis.txt"), "forty years of work\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
}

TEST(BadInput, Schedules) {
  std::string good = temporary("good.py", kGood);
  CommandResult missing =
      hexproof_command("apply " + good + " " + temporary("missing.py", "b = sch.get_block(\"cppy\")\n"));
  expect_located(missing, "missing.py:1:", "cppy");
  EXPECT_NE(missing.text.find("copy"), std::string::npos) << missing.text;  // the nearest name
  std::string syntax = temporary("syntax.py", "b = sch.get_block(\"copy\"\n");
  EXPECT_EQ(hexproof_command("apply " + good + " " + syntax).code, 2);
  std::string unknown = temporary("unknown.py", "sch.frobnicate(1)\n");
  CommandResult u = hexproof_command("apply " + good + " " + unknown);
  EXPECT_TRUE(u.code == 2 || u.code == 13) << u.text;
}

TEST(BadInput, Usage) {
  EXPECT_EQ(hexproof_command("").code, 1);
  EXPECT_EQ(hexproof_command("frobnicate").code, 1);
  EXPECT_EQ(hexproof_command("check").code, 1);
  EXPECT_EQ(hexproof_command("check --jobs many x.py").code, 1);
  EXPECT_EQ(hexproof_command("--help").code, 0);
  EXPECT_EQ(hexproof_command("check " + temporary("good.py", kGood) + " --fp fast").code, 2);
}

}  // namespace bad_input_test
}  // namespace hexproof
