// hexproof touched: which cells a function reads and writes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace touched_test {

using Json = nlohmann::json;

// RFC 77: the stage of the padding, behind the one that computes.
const char* kPadded =
    "def main(B: T.Buffer((4, 4), \"float32\"), A: T.Buffer((14,), \"float32\")):\n"
    "    for io, ii in T.grid(4, 4):\n"
    "        if 4 * io + ii < 14:\n"
    "            B[io, ii] = A[4 * io + ii]\n"
    "    for io, ii in T.grid(4, 4):\n"
    "        if io == 3 and ii >= 2:\n"
    "            B[io, ii] = T.float32(0)\n";

CommandResult touched(const std::string& program, const std::string& options) {
  return hexproof_command("touched " + temporary("touched.py", program) + " " + options);
}

void expect_line(const CommandResult& r, const std::string& line) {
  EXPECT_NE(("\n" + r.text).find("\n" + line + "\n"), std::string::npos) << line << " is not in\n" << r.text;
}

TEST(Touched, WithAndWithoutTheConditions) {
  CommandResult b = touched(kPadded, "--buffer B");
  ASSERT_EQ(b.code, 0) << b.text;
  expect_line(b, "reads   nothing");
  expect_line(b, "writes  lambda c0, c1: [4 * c0 + c1 < 14 or c0 == 3 and c1 >= 2]");
  expect_line(b, "        conditions left out: lambda c0, c1: [T.bool(True)]");
  expect_line(b, "box     c0 from 0, 4 of them, c1 from 0, 4 of them");
  CommandResult a = touched(kPadded, "--buffer A");
  ASSERT_EQ(a.code, 0) << a.text;
  expect_line(a, "writes  nothing");
  EXPECT_EQ(a.text.find("at most"), std::string::npos) << a.text;
}

TEST(Touched, WhatIsAllocatedAndWhatIsOnlyBounded) {
  const std::string program =
      "def main(I: T.Buffer((4,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
      "    W = T.alloc_buffer((8,), \"int32\")\n"
      "    for i in range(8):\n"
      "        W[i] = 0\n"
      "    for i in range(3):\n"
      "        W[i + 2] = i\n"
      "    for i in range(4):\n"
      "        B[T.min(T.max(I[i], 0), 7)] = W[i + 1]\n";
  CommandResult w = touched(program, "--buffer W");
  ASSERT_EQ(w.code, 0) << w.text;
  expect_line(w, "reads   lambda c0: [0 <= c0 - 1 and c0 - 1 < 4]");
  expect_line(w, "writes  lambda c0: [T.bool(True)]");
  CommandResult b = touched(program, "--buffer B");
  ASSERT_EQ(b.code, 0) << b.text;
  EXPECT_NE(b.text.find("(at most these)"), std::string::npos) << b.text;
}

TEST(Touched, Json) {
  std::string path = testing::TempDir() + "/" + std::to_string(::getpid()) + "-touched.json";
  CommandResult r = touched(kPadded, "--buffer B --quiet --json " + path);
  ASSERT_EQ(r.code, 0) << r.text;
  EXPECT_EQ(r.text, "");
  Json json = Json::parse(read_file(path));
  EXPECT_EQ(json["command"], "touched");
  EXPECT_EQ(json["verdict"], "proved");
  EXPECT_EQ(json["writes"]["exact"], true);
  EXPECT_EQ(json["writes"]["predicate"], "lambda c0, c1: [4 * c0 + c1 < 14 or c0 == 3 and c1 >= 2]");
  EXPECT_EQ(json["accesses"].size(), 2u);
  EXPECT_EQ(json["accesses"][1]["line"], 7);
  EXPECT_EQ(json["box"][0]["extent"], "4");
}

TEST(Touched, BadInput) {
  CommandResult unknown = touched(kPadded, "--buffer BB");
  EXPECT_EQ(unknown.code, 2) << unknown.text;
  EXPECT_NE(unknown.text.find("touched.py:1:"), std::string::npos) << unknown.text;
  EXPECT_NE(unknown.text.find("error: 'main' has no buffer 'BB'"), std::string::npos) << unknown.text;
  EXPECT_NE(unknown.text.find("did you mean 'B'?"), std::string::npos) << unknown.text;
  EXPECT_EQ(touched(kPadded, "").code, 1);
  EXPECT_EQ(touched(kPadded, "--buffer B --function g").code, 2);
  // A program with an error: nothing is said of what it touches.
  CommandResult wrong =
      touched("def main(A: T.Buffer((4,), \"int32\")):\n    for i in range(5):\n        A[i] = 0\n", "--buffer A");
  EXPECT_EQ(wrong.code, 10) << wrong.text;
  EXPECT_EQ(wrong.text.find("writes  "), std::string::npos) << wrong.text;
}

}  // namespace touched_test
}  // namespace hexproof
