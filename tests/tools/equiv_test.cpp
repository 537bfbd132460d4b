// hexproof equiv as a user meets it: verdicts, exit codes, relations, counterexamples.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace equiv_test {

std::string doubled(const std::string& value, const std::string& type = "int32", const std::string& name = "main") {
  return "def " + name + "(A: T.Buffer((8,), \"" + type + "\"), B: T.Buffer((8,), \"" + type +
         "\")):\n    for i in range(8):\n        B[i] = " + value + "\n";
}

CommandResult equiv_command(const std::string& before, const std::string& after, const std::string& options = "") {
  static int number = 0;
  std::string name = std::to_string(number++);
  return hexproof_command("equiv " + temporary(name + "-before.py", before) + " " +
                          temporary(name + "-after.py", after) + " " + options);
}

bool says(const CommandResult& r, const std::string& text) { return r.text.find(text) != std::string::npos; }

TEST(EquivCommand, EqualProgramsAreProved) {
  CommandResult r = equiv_command(doubled("A[i] + A[i]"), doubled("A[i] * 2"));
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_TRUE(says(r, "proved: main")) << r.text;
}

TEST(EquivCommand, ADifferenceIsShownWithStatementsAndSaved) {
  std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-equiv-save";
  CommandResult r = equiv_command(doubled("A[i] * 2"), doubled("A[i] * 3"), "--save " + folder);
  EXPECT_EQ(r.code, 10) << r.text;
  EXPECT_TRUE(says(r, "refuted: main")) << r.text;
  EXPECT_TRUE(says(r, "these cells differ")) << r.text;
  EXPECT_TRUE(says(r, "-before.py:3:9: B[i] = A[i] * 2")) << r.text;
  EXPECT_TRUE(says(r, "-after.py:3:9: B[i] = A[i] * 3")) << r.text;
  EXPECT_TRUE(std::filesystem::exists(folder + "/before_A.npy"));
  EXPECT_TRUE(std::filesystem::exists(folder + "/counterexample.txt"));
}

TEST(EquivCommand, AnErrorThatIsNewIsShown) {
  CommandResult r = equiv_command(doubled("A[i]"), doubled("A[i + 1]"));
  EXPECT_EQ(r.code, 10) << r.text;
  EXPECT_TRUE(says(r, "read out of bounds: index 8 of axis 0 of buffer 'A' (size 8)")) << r.text;
}

TEST(EquivCommand, ALayoutIsGivenOrInferred) {
  std::string packed =
      "def main(A: T.Buffer((2, 4), \"int32\"), B: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n"
      "        B[i] = A[i // 4, i % 4]\n";
  CommandResult given = equiv_command(doubled("A[i]"), packed, "--layout 'A=lambda i: [i // 4, i % 4]'");
  EXPECT_EQ(given.code, 0) << given.text;
  CommandResult inferred = equiv_command(doubled("A[i]"), packed);
  EXPECT_EQ(inferred.code, 0) << inferred.text;
  EXPECT_TRUE(says(inferred, "the layout of A is taken to be lambda i0: [i0 // 4, i0 % 4]")) << inferred.text;
  CommandResult other = equiv_command(doubled("A[i]"), packed, "--layout 'A=lambda i: [i % 2, i // 2]'");
  EXPECT_EQ(other.code, 10) << other.text;
}

// Two relations of one buffer are no relation.
TEST(EquivCommand, ABufferHasOneLayoutAndOnePadding) {
  for (const char* twice : {"--layout 'B=lambda i: [i]' --layout 'B=lambda i: [7 - i]'",
                            "--layout 'B=lambda i: [i]' --pad B=0 --pad B=1"}) {
    const CommandResult r = equiv_command(doubled("A[i]"), doubled("A[i]"), twice);
    EXPECT_EQ(r.code, 2) << r.text;
    EXPECT_TRUE(says(r, "is given twice for the buffer 'B'")) << r.text;
    EXPECT_TRUE(says(r, "HX0310")) << r.text;
  }
}

TEST(EquivCommand, PaddingIsGuaranteedUnlessItIsNotObserved) {
  auto up_to = [](const std::string& n) {
    return "def main(A: T.Buffer((8,), \"int32\"), B: T.Buffer((3, 4), \"int32\")):\n    for i in range(" + n +
           "):\n        B[i // 4, i % 4] = T.if_then_else(i < 8, A[T.min(i, 7)], 0)\n";
  };
  std::string layout = "--layout 'B=lambda i: [i // 4, i % 4]' ";
  EXPECT_EQ(equiv_command(doubled("A[i]"), up_to("12"), layout + "--pad B=0").code, 0);
  CommandResult unwritten = equiv_command(doubled("A[i]"), up_to("8"), layout + "--pad B=0");
  EXPECT_EQ(unwritten.code, 10) << unwritten.text;
  EXPECT_TRUE(says(unwritten, "(padding)")) << unwritten.text;
  EXPECT_EQ(equiv_command(doubled("A[i]"), up_to("8"), layout + "--pad B=0 --logical-only B").code, 0);
  EXPECT_EQ(equiv_command(doubled("A[i]"), up_to("8"), layout).code, 0);
}

TEST(EquivCommand, WhatDoesNotFitIsSaid) {
  CommandResult types = equiv_command(doubled("A[i]"), doubled("A[i]", "int16"));
  EXPECT_EQ(types.code, 2) << types.text;
  EXPECT_TRUE(says(types, "int32") && says(types, "int16")) << types.text;
  CommandResult numbers = equiv_command(doubled("A[i]"), "def main(A: T.Buffer((8,), \"int32\")):\n    A[0] = 1\n");
  EXPECT_EQ(numbers.code, 2) << numbers.text;
  EXPECT_TRUE(says(numbers, "different numbers of parameters: 2 and 1")) << numbers.text;
  CommandResult shapes = equiv_command(
      doubled("A[i]"), "def main(A: T.Buffer((9,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n    B[0] = 1\n");
  EXPECT_EQ(shapes.code, 2) << shapes.text;
  EXPECT_TRUE(says(shapes, "--layout A=lambda")) << shapes.text;
  for (const char* bad : {"A=lambda i: [i // 4", "A=lambda i: [i // 4, j]", "A=lambda i, j: [i]", "Z=lambda i: [i]",
                          "A=lambda i: [i // 2]", "A=lambda i: [i + 1]", "A", "A="}) {
    CommandResult r = equiv_command(doubled("A[i]"), doubled("A[i]"), "--layout '" + std::string(bad) + "'");
    EXPECT_EQ(r.code, 2) << bad << "\n" << r.text;
  }
  for (const char* bad : {"A=x", "A=1", "A=99999999999"}) {
    EXPECT_EQ(equiv_command(doubled("A[i]"), doubled("A[i]"), "--pad " + std::string(bad)).code, 2) << bad;
  }
}

TEST(EquivCommand, AStoreThroughAViewIsNamed) {
  std::string after =
      "def main(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
      "    V = T.decl_buffer((2, 4), \"int32\", data=B.data)\n    for i, j in T.grid(2, 4):\n"
      "        V[i, j] = A[i * 4 + j] + 1\n";
  CommandResult r = equiv_command(doubled("A[i]"), after);
  EXPECT_EQ(r.code, 10) << r.text;
  EXPECT_TRUE(says(r, "-after.py:4:9: V[i, j] = A[i * 4 + j] + 1")) << r.text;
}

TEST(EquivCommand, VectorsAsElementsAreUnsupported) {
  std::string program = "def main(A: T.Buffer((8,), \"int32x4\")):\n    A[0] = A[1]\n";
  EXPECT_EQ(equiv_command(program, program).code, 13);
}

TEST(EquivCommand, WeakerEvidenceCountsOnlyWhenItIsAccepted) {
  std::string options = "--method fingerprint";
  CommandResult strict = equiv_command(doubled("A[i] * 2"), doubled("A[i] + A[i]"), options);
  EXPECT_EQ(strict.code, 5) << strict.text;
  EXPECT_TRUE(says(strict, "error < 2^-")) << strict.text;
  CommandResult accepted =
      equiv_command(doubled("A[i] * 2"), doubled("A[i] + A[i]"), options + " --accept probabilistic");
  EXPECT_EQ(accepted.code, 0) << accepted.text;
  EXPECT_TRUE(says(accepted, "accepted, not proved")) << accepted.text;
}

TEST(EquivCommand, FunctionsOfOneNameArePairs) {
  std::string before = doubled("A[i]", "int32", "f") + "\n" + doubled("A[i] * 2", "int32", "g");
  std::string after = doubled("A[i] + A[i]", "int32", "g") + "\n" + doubled("A[i] + 0", "int32", "f");
  EXPECT_EQ(equiv_command(before, after).code, 0);
  CommandResult r = equiv_command(before, doubled("A[i]", "int32", "h"));
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_EQ(equiv_command(before, after, "--function f").code, 0);
}

// Whatever keeps one pair from being compared, what was found of the others is said, saved and in the report.
TEST(EquivCommand, APairThatDoesNotFitHidesNoOther) {
  const std::string before = doubled("A[i]", "int32", "f") + "\n" + doubled("A[i] * 2", "int32", "g") + "\n" +
                             doubled("A[i] * 4", "int32", "h");
  const std::string after = doubled("A[i] + 1", "int32", "f") + "\n" + doubled("A[i] * 2", "int16", "g") + "\n" +
                            doubled("A[i] * 5", "int32", "h");
  const std::string base = testing::TempDir() + "/" + std::to_string(::getpid()) + "-misfit";
  CommandResult r = equiv_command(before, after, "--json " + base + ".json --junit " + base + ".xml --save " + base);
  EXPECT_EQ(r.code, 10) << r.text;
  EXPECT_TRUE(says(r, "refuted: f") && says(r, "refuted: h") && says(r, "HX03")) << r.text;
  const auto report = nlohmann::json::parse(read_file(base + ".json"));
  EXPECT_EQ(report["verdict"], "refuted");
  EXPECT_EQ(report["exit_code"], 10);
  ASSERT_EQ(report["pairs"].size(), 2u);
  EXPECT_EQ(report["pairs"][1]["after"], "h");
  EXPECT_TRUE(report["error"]["code"].is_string()) << report;
  const std::string junit = read_file(base + ".xml");
  EXPECT_NE(junit.find("failures=\"3\""), std::string::npos) << junit;
  for (const char* name : {"f", "h"}) {
    EXPECT_TRUE(std::filesystem::exists(base + "/" + name + "/before_A.npy")) << name;
    EXPECT_TRUE(std::filesystem::exists(base + "/" + name + "/counterexample.txt")) << name;
  }
  EXPECT_FALSE(std::filesystem::exists(base + "/counterexample.txt"));
  // What is proved of one says nothing of the other.
  EXPECT_EQ(equiv_command(doubled("A[i]", "int32", "f") + "\n" + doubled("A[i]", "int32", "g"),
                          doubled("A[i]", "int32", "f") + "\n" + doubled("A[i]", "int16", "g"))
                .code,
            2);
}

TEST(EquivCommand, ShapesThatDoNotFitAtAllSizesAreNotProved) {
  auto program = [](const std::string& second) {
    return "def main(a: T.handle, b: T.handle):\n    n = T.int32()\n    k = T.int32()\n"
           "    A = T.match_buffer(a, (n,), \"int32\")\n    B = T.match_buffer(b, (" +
           second + ",), \"int32\")\n    for i in range(n):\n        A[i] = A[i] + 1\n";
  };
  EXPECT_EQ(equiv_command(program("k"), program("k")).code, 0);
  CommandResult r = equiv_command(program("k"), program("n"));
  EXPECT_EQ(r.code, 5) << r.text;
  EXPECT_TRUE(says(r, "the shapes are equal, of buffer B: not proved for all sizes")) << r.text;
}

TEST(EquivCommand, AssumesOfNumbersThatContradictEachOtherAreVacuous) {
  const std::string program =
      "def main(A: T.Buffer((16,), \"int32\"), n: T.int32):\n    T.assume(n > 4)\n    T.assume(n < 3)\n    A[0] = 1\n";
  CommandResult r = equiv_command(program, program);
  EXPECT_EQ(r.code, 11) << r.text;
  EXPECT_TRUE(says(r, "vacuous: main")) << r.text;
  // Contradictory in one branch alone: other inputs pass.
  const std::string branch =
      "def main(A: T.Buffer((16,), \"int32\"), n: T.int32):\n    if n > 4:\n        T.assume(n < 3)\n    A[0] = 1\n";
  EXPECT_NE(equiv_command(branch, branch).code, 11);
}

TEST(EquivCommand, AProgramThatAlwaysFailsIsVacuous) {
  CommandResult r = equiv_command(doubled("A[i + 1]"), doubled("A[i]"));
  EXPECT_EQ(r.code, 11) << r.text;
}

}  // namespace equiv_test
}  // namespace hexproof
