// Errors have codes, which the table explains; a file's errors are told all at once.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "ir/base/codes.h"
#include "ir/text/text.h"
#include "tests/tools/command_line.h"

namespace hexproof {
namespace errors_test {

using Json = nlohmann::json;

TEST(Codes, AreDistinctAndExplained) {
  std::set<std::string> ids, titles;
  for (const CodeInfo& one : all_codes()) {
    EXPECT_TRUE(std::regex_match(one.id, std::regex("HX[0-9]{4}"))) << one.id;
    EXPECT_TRUE(ids.insert(one.id).second) << one.id << " is given twice";
    EXPECT_TRUE(titles.insert(one.title).second) << one.title;
    EXPECT_GT(std::string(one.text).size(), 40u) << one.id;
    EXPECT_EQ(&info(one.code), &one);
    EXPECT_EQ(code_named(one.id), &one);
  }
  EXPECT_EQ(code_named("hx0103"), &info(Code::UnknownName));
  EXPECT_EQ(code_named("HX9999"), nullptr);
}

TEST(Codes, ThePageIsThatOfTheTable) {
  CommandResult r = hexproof_command("explain --all");
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(r.text, read_file(HEXPROOF_SOURCE_DIR "/docs/errors.md"))
      << "docs/errors.md is made by: hexproof explain --all";
}

TEST(Codes, Explain) {
  CommandResult r = hexproof_command("explain HX0401");
  EXPECT_EQ(r.code, 0);
  EXPECT_NE(r.text.find("HX0401: an index is outside of its axis"), std::string::npos) << r.text;
  EXPECT_EQ(hexproof_command("explain HX9999").code, 1);
  EXPECT_EQ(hexproof_command("explain").code, 1);
}

/// The lines on which the errors of a text are told, and their codes.
std::vector<std::pair<int, std::string>> errors_of(const std::string& text) {
  std::vector<std::pair<int, std::string>> out;
  try {
    parse_module(text);
  } catch (const ErrorList& all) {
    for (const Diagnosed& one : all.list) out.emplace_back(one.span.line, info(one.code).id);
  } catch (const UnsupportedList& all) {
    for (const Diagnosed& one : all.list) out.emplace_back(one.span.line, info(one.code).id);
  } catch (const Error& e) {
    out.emplace_back(e.span.line, info(diagnosed(e, Code::Program).code).id);
  } catch (const Unsupported& e) {
    out.emplace_back(e.span.line, info(diagnosed(e, Code::UnsupportedConstruct).code).id);
  }
  return out;
}
using Told = std::vector<std::pair<int, std::string>>;

const std::string kHead = "def f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n";

TEST(AllErrors, OnePerStatement) {
  EXPECT_EQ(errors_of(kHead + "    for i in range(8):\n"
                              "        B[i] = AA[i]\n"
                              "        B[i] = A[i] + T.float32(1)\n"
                              "    B[0] = = 1\n"
                              "    while True:\n"
                              "        B[0] = 1\n"
                              "    B[1] = T.cast(A[0])\n"),
            (Told{{3, "HX0103"}, {4, "HX0104"}, {5, "HX0102"}, {6, "HX0190"}, {8, "HX0105"}}));
}

TEST(AllErrors, OfSeveralFunctions) {
  EXPECT_EQ(errors_of("def f(A: T.Buffer((8,), \"int33\")):\n    A[0] = 1\n" + kHead +
                      "    B[0] = C[0]\n"
                      "def g(A: T.Buffer((8,), \"int32\")):\n    A[0] = C[0]\n"),
            (Told{{1, "HX0104"}, {4, "HX0103"}, {6, "HX0103"}}));
}

// What follows from an error is not told: the name that the broken line would have bound, the body of a broken loop,
// the else of a broken if, a block that lacks a variable because of the error in it.
TEST(AllErrors, ConsequencesAreNotTold) {
  EXPECT_EQ(errors_of(kHead + "    x = A[0] + \"s\"\n    B[0] = x\n    B[1] = x + 1\n"), (Told{{2, "HX0104"}}));
  EXPECT_EQ(errors_of(kHead + "    for i in A:\n        B[i] = 1\n        B[i] = i\n"), (Told{{2, "HX0100"}}));
  EXPECT_EQ(
      errors_of(kHead +
                "    if A[0]:\n        B[0] = 1\n    elif A[1]:\n        B[0] = 2\n    else:\n        B[0] = 3\n"),
      (Told{{2, "HX0104"}}));
  EXPECT_EQ(
      errors_of(kHead + "    C = T.alloc_buffer((4,), \"int33\")\n    C[0] = 1\n    B[0] = C[0]\n    B[0] = D[0]\n"),
      (Told{{2, "HX0104"}, {5, "HX0103"}}));
  EXPECT_EQ(errors_of(kHead + "    for i in range(8):\n"
                              "        with T.block(\"b\"):\n"
                              "            vi = T.axis.spatial(8, j)\n"
                              "            T.reads(A[vi])\n"
                              "            B[vi] = A[vi]\n"),
            (Told{{4, "HX0103"}}));
  // A name that is misspelt everywhere is told once.
  EXPECT_EQ(errors_of(kHead + "    B[0] = AA[0]\n    B[1] = AA[1]\n"), (Told{{2, "HX0103"}}));
}

// A function after one with errors is judged for itself.
TEST(AllErrors, NamesOfAnotherFunctionExcuseNothing) {
  EXPECT_EQ(errors_of(kHead + "    x = A[0] + \"s\"\ndef g(A: T.Buffer((8,), \"int32\")):\n    A[0] = x\n"),
            (Told{{2, "HX0104"}, {4, "HX0103"}}));
}

TEST(AllErrors, OfUnsupportedConstructsAlone) {
  Told told = errors_of(kHead + "    while True:\n        B[0] = 1\n    return 1\n");
  EXPECT_EQ(told, (Told{{2, "HX0190"}, {4, "HX0190"}}));
  CommandResult r = hexproof_command(
      "check " + temporary("unsupported.py", kHead + "    while True:\n        B[0] = 1\n    return 1\n"));
  EXPECT_EQ(r.code, 13) << r.text;
  EXPECT_NE(r.text.find("found 2 errors"), std::string::npos) << r.text;
}

TEST(AllErrors, AreManyAtMost) {
  std::string text = kHead;
  for (int i = 0; i < 1000; ++i) text += "    B[0] = \"s\"\n";
  EXPECT_EQ(errors_of(text).size(), 50u);
}

TEST(AllErrors, StandInTheReport) {
  std::string program = temporary("two.py", kHead + "    B[0] = AA[0]\n    B[1] = \"s\"\n");
  std::string report = testing::TempDir() + "/" + std::to_string(::getpid()) + "-two.json";
  CommandResult r = hexproof_command("check " + program + " --json " + report);
  EXPECT_EQ(r.code, 2) << r.text;
  for (const char* part : {"two.py:2:12: error:", "two.py:3:12: error:", "HX0103", "HX0104", "found 2 errors"}) {
    EXPECT_NE(r.text.find(part), std::string::npos) << part << "\n" << r.text;
  }
  Json json = Json::parse(read_file(report));
  ASSERT_EQ(json["errors"].size(), 2u);
  EXPECT_EQ(json["errors"][0]["line"], 2);
  EXPECT_EQ(json["errors"][1]["code"], "HX0104");
  EXPECT_EQ(json["error"]["code"], "HX0103");
}

}  // namespace errors_test
}  // namespace hexproof
