// JUnit, SARIF and annotations say what the report says, at places in the user's files.
#include "tests/tools/reports/formats.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tools/reports/report_cases.h"

namespace hexproof {
namespace formats_test {

using namespace report_formats;
using Json = nlohmann::json;

const char* kCopy =
    "def f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
    "    for i in range(EXTENT):\n"
    "        with T.block(\"copy\"):\n"
    "            vi = T.axis.spatial(EXTENT, i)\n"
    "            B[vi] = A[vi]\n";

std::string copy(const std::string& extent) {
  return std::regex_replace(std::string(kCopy), std::regex("EXTENT"), extent);
}

TEST(Formats, AGreenRunIsNoEmptyFile) {
  Formats f = formats("check " + temporary("green.py", copy("8")));
  EXPECT_EQ(f.result.code, 0) << f.result.text;
  const size_t obligations = f.report["functions"][0]["obligations"].size();
  EXPECT_GT(obligations, 0u);
  EXPECT_EQ(of_kind(f.sarif, "pass"), obligations);
  EXPECT_EQ(of_kind(f.sarif, "fail") + of_kind(f.sarif, "open"), 0u);
  EXPECT_EQ(count(f.junit, "<testcase "), obligations);
  EXPECT_NE(f.junit.find("failures=\"0\" errors=\"0\""), std::string::npos) << f.junit;
  EXPECT_EQ(f.result.text.find("::error"), std::string::npos) << f.result.text;
}

// A campaign proves nothing, with and without a report as JSON; and each of its findings is a case.
TEST(Formats, ACampaign) {
  const std::string junit = path_of("fuzz.xml");
  EXPECT_EQ(hexproof_command("fuzz --runs 2 --quiet --junit " + junit).code, 0);
  EXPECT_NE(read_file(junit).find("verdict: passed"), std::string::npos) << read_file(junit);
  const Json found = {{"command", "fuzz"},
                      {"inputs", Json::object()},
                      {"verdict", "refuted"},
                      {"exit_code", 10},
                      {"findings", {"# one\ndef f():\n", "# two\ndef g():\n"}}};
  const auto cases = tools::report_cases(found);
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[1].name, "# two");
  EXPECT_EQ(cases[1].message, "# two\ndef g():\n");
  EXPECT_EQ(cases[1].result, tools::CaseResult::Fail);
}

// A claim that is false leaves a run green, and is in all that is made of the report.
TEST(Formats, AWarning) {
  std::string text = copy("8");
  text.insert(text.find("            B[vi]"), "            T.reads(A[0])\n");
  const std::string program = temporary("claims.py", text);
  Formats f = formats("check " + program + " --quiet");
  EXPECT_EQ(f.result.code, 0) << f.result.text;
  EXPECT_EQ(f.report["functions"][0]["warnings"].size(), 1u);
  EXPECT_NE(f.junit.find("failures=\"0\" errors=\"0\""), std::string::npos) << f.junit;
  EXPECT_EQ(count(f.junit, "<system-out>it is false that T.reads"), 1u) << f.junit;
  EXPECT_EQ(of_kind(f.sarif, "fail"), 1u) << f.sarif;
  for (const Json& result : f.sarif["runs"][0]["results"]) {
    if (result["kind"] != "fail") continue;
    EXPECT_EQ(result["level"], "warning");
    EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "file://" + program);
    EXPECT_GT(result["locations"][0]["physicalLocation"]["region"]["startLine"], 1);
  }
  EXPECT_EQ(count(f.result.text, "::warning title=check-block-claims"), 1u) << f.result.text;
  EXPECT_EQ(count(f.result.text, "::error"), 0u) << f.result.text;
}

// GitHub shows ten errors and ten warnings: none takes the place of the other.
TEST(Formats, AnnotationsOfEachKind) {
  std::vector<tools::ReportCase> cases(12, {.group = "f", .rule = "r", .name = "open", .message = {}});
  for (auto& one : cases) one.result = tools::CaseResult::Open;
  for (int k = 0; k < 12; ++k) cases.push_back({.group = "f", .rule = "r", .name = "wrong", .message = {}});
  for (size_t k = 12; k < cases.size(); ++k) cases[k].result = tools::CaseResult::Fail;
  const std::string text = tools::github_annotations(cases);
  EXPECT_EQ(count(text, "::error "), 10u);
  EXPECT_EQ(count(text, "::warning "), 10u);
  EXPECT_LT(text.rfind("::error "), text.find("::warning "));
}

// They stand among the messages, and steer a terminal no more than these.
TEST(Formats, AnnotationsSpellOutControlCharacters) {
  tools::ReportCase one{.group = "f",
                        .rule = "r\x1b[2J",
                        .name = "wrong",
                        .message = "\x1b[31mX\x07\r\xc2\x9b\x7f\xff\n::stop-commands::x"};
  one.result = tools::CaseResult::Fail, one.file = "a\x1b.py", one.line = 1;
  EXPECT_EQ(tools::github_annotations({one}),
            "::error title=r\\x1b[2J "
            "r\\x1b[2J,file=a\\x1b.py,line=1::\\x1b[31mX\\x07%0D\\x9b\\x7f\\xff%0A::stop-commands::x\n");
}

TEST(Formats, ARefutationPointsAtTheLine) {
  std::string program = temporary("red.py", copy("9"));
  Formats f = formats("check " + program);
  EXPECT_EQ(f.result.code, 10) << f.result.text;
  bool found = false;
  for (const Json& result : f.sarif["runs"][0]["results"]) {
    if (result["kind"] != "fail" || !result["ruleId"].get<std::string>().starts_with("HX04")) continue;
    found = true;
    const Json& place = result["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], "file://" + program);
    EXPECT_EQ(place["region"]["startLine"], 5);
    EXPECT_NE(result["message"]["text"].get<std::string>().find("i = 8"), std::string::npos) << result;
  }
  EXPECT_TRUE(found) << f.sarif;
  EXPECT_GT(count(f.junit, "<failure "), 0u);
  EXPECT_NE(f.result.text.find("::error title=HX0401"), std::string::npos) << f.result.text;
  EXPECT_NE(f.result.text.find(",file=" + program + ",line=5,col="), std::string::npos) << f.result.text;
  EXPECT_EQ(f.result.text.find("::error title=HX0401\n"), std::string::npos);
}

TEST(Formats, ARefusedScheduleIsRedAtItsLine) {
  std::string program = temporary("fine.py", copy("8"));
  std::string schedule = temporary(
      "wrong.sch.py", "b = sch.get_block(\"copy\")\nsch.transform_layout(b, (\"write\", 0), lambda i: [i // 4])\n");
  Formats f = formats("apply " + program + " " + schedule);
  EXPECT_EQ(f.result.code, 10) << f.result.text;
  ASSERT_EQ(of_kind(f.sarif, "fail"), 1u) << f.sarif;
  const Json& result = f.sarif["runs"][0]["results"].back();
  EXPECT_EQ(result["ruleId"], "HX0301");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "file://" + schedule);
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
}

TEST(Formats, StepsStandAtTheLinesOfTheSchedule) {
  std::string schedule = temporary("fine.sch.py", "i, = sch.get_loops(\"copy\")\nsch.split(i, [None, 4])\n");
  Formats f = formats("apply " + temporary("fine.py", copy("8")) + " " + schedule + " -o " + path_of("out.py"));
  EXPECT_EQ(f.result.code, 0) << f.result.text;
  bool found = false;
  for (const Json& result : f.sarif["runs"][0]["results"]) {
    if (result["ruleId"] != "split") continue;
    found = true;
    const Json& place = result["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], "file://" + schedule);
    EXPECT_EQ(place["region"]["startLine"], 2);
  }
  EXPECT_TRUE(found) << f.sarif;
}

TEST(Formats, WhatIsOpenIsOpen) {
  std::string before =
      temporary("b.py", "def f(A: T.Buffer((4,), \"float32\")):\n    for i in range(4):\n        A[i] = T.exp(A[i])\n");
  std::string after = temporary(
      "a.py",
      "def f(A: T.Buffer((4,), \"float32\")):\n    for i in range(4):\n        A[i] = T.exp(A[i]) * T.float32(1)\n");
  Formats f = formats("equiv " + before + " " + after + " --method tests");
  EXPECT_EQ(f.result.code, 5) << f.result.text;
  EXPECT_EQ(of_kind(f.sarif, "open"), 1u) << f.sarif;
  EXPECT_EQ(count(f.junit, "<error "), 1u) << f.junit;
  EXPECT_NE(f.result.text.find("::warning "), std::string::npos) << f.result.text;
}

TEST(Formats, AllErrorsOfAFileAreResults) {
  Formats f = formats(
      "check " + temporary("two.py", "def f(A: T.Buffer((8,), \"int32\")):\n    A[0] = B[0]\n    A[0] = \"&<s>\"\n"));
  EXPECT_EQ(f.result.code, 2) << f.result.text;
  EXPECT_EQ(of_kind(f.sarif, "fail"), 2u) << f.sarif;
  EXPECT_EQ(count(f.junit, "<failure "), 2u) << f.junit;
  EXPECT_EQ(f.junit.find("<s>"), std::string::npos) << f.junit;
  EXPECT_EQ(count(f.result.text, "::error "), 2u) << f.result.text;
}

TEST(Formats, ColumnsAreUnitsOfUtf16) {
  const std::string letters = "\xc3\xa4\xc3\xb6\xe2\x82\xac\xf0\x9f\x98\x80";  // two of 2 bytes, one of 3, one of 4
  const std::string line = "    for i in T.serial(16, annotations={\"" + letters + "\": 1 + nope}):\n";
  const std::string head = "def f(A: T.Buffer((16,), \"int32\")):\n", mark = "\xef\xbb\xbf";
  const auto place_of = [](const Formats& f) -> Json {
    EXPECT_EQ(f.result.code, 2) << f.result.text;
    return f.sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
  };
  Formats wide = formats("check " + temporary("wide.py", head + line + "        A[i] = 1\n"));
  const int bytes = static_cast<int>(line.find("nope")) + 1, units = bytes - 1 - 1 - 2 - 2;
  EXPECT_EQ(wide.report["error"]["column"], bytes) << wide.report["error"];
  EXPECT_EQ(place_of(wide)["startColumn"], units);
  EXPECT_NE(wide.result.text.find(",line=2,col=" + std::to_string(units) + "::"), std::string::npos)
      << wide.result.text;
  Formats marked = formats("check " + temporary("marked.py", mark + "def f(A: nope):\n    A[0] = 1\n"));
  EXPECT_EQ(place_of(marked)["startColumn"], 10);
  EXPECT_EQ(marked.report["error"]["column"], 10) << marked.report["error"];
}

// Whatever bytes a file's name has, the XML holds characters of XML alone.
TEST(Formats, NamesThatAreNoText) {
  for (const char* name : {"bad\xff.py", "\xef\xbf\xbf.py", "sur\xed\xa0\x80.py", "long\xc0\x80.py", "cut\xe2\x82"}) {
    Formats f = formats("check '" + temporary(name, copy("9")) + "'");
    EXPECT_EQ(f.result.code, 10) << f.result.text;
    EXPECT_NE(f.junit.find("\xef\xbf\xbd"), std::string::npos) << f.junit;
    for (const char* part : {"\xff", "\xef\xbf\xbf", "\xed\xa0\x80", "\xc0\x80", "\xe2\x82\""})
      EXPECT_EQ(f.junit.find(part), std::string::npos) << f.junit;
  }
  Formats fine = formats("check " + temporary("h\xc3\xa4\xf0\x9f\x98\x80.py", copy("9")));
  EXPECT_NE(fine.junit.find("h\xc3\xa4\xf0\x9f\x98\x80.py"), std::string::npos) << fine.junit;
}

// A script of tensor expressions is one file, and all places are in it.
TEST(Formats, PlacesOfAScriptAreInTheScript) {
  const auto script = [](const std::string& name, const std::string& index) {
    return temporary(name,
                     "import tvm\nfrom tvm import te\nA = te.placeholder((16,), name=\"A\", dtype=\"int32\")\n"
                     "C = te.compute((16,), lambda i: A[i] * 2, name=\"C\")\n"
                     "B = te.compute((16,), lambda i: C[" +
                         index +
                         "] + 1, name=\"B\")\ns = te.create_schedule(B.op)\n"
                         "xo, xi = s[B].split(B.op.axis[0], factor=4)\ns[B].vectorize(xi)\n");
  };
  const auto lines_of = [](const Formats& f, const std::string& file) {
    std::map<std::string, std::set<int>> out;
    for (const Json& result : f.sarif["runs"][0]["results"]) {
      const Json& place = result["locations"][0]["physicalLocation"];
      EXPECT_EQ(place["artifactLocation"]["uri"], "file://" + file) << result;
      if (place.contains("region")) out[result["ruleId"]].insert(place["region"]["startLine"].get<int>());
    }
    EXPECT_EQ(f.junit.find("(naive)\" line"), std::string::npos) << f.junit;
    return out;
  };
  const std::string good = script("good-te.py", "i");
  auto lines = lines_of(formats("apply " + good + " -o " + path_of("te-out.py")), good);
  EXPECT_EQ(lines["split"], std::set<int>{7});
  EXPECT_EQ(lines["vectorize"], std::set<int>{8});
  EXPECT_EQ(lines["check-bounds"], (std::set<int>{4, 5}));
  const std::string wrong = script("wrong-te.py", "i + 1");
  for (const char* command : {"apply ", "bounds "}) {
    Formats f = formats(command + wrong);
    EXPECT_EQ(f.result.code, 10) << f.result.text;
    lines = lines_of(f, wrong);
    EXPECT_EQ(lines["HX0401"], std::set<int>{5}) << command;
    EXPECT_NE(f.result.text.find(",file=" + wrong + ",line=5::"), std::string::npos) << f.result.text;
    EXPECT_NE(f.result.text.find("\n  " + wrong + ":5: "), std::string::npos) << f.result.text;
    EXPECT_EQ(f.result.text.find("file=" + wrong + " (naive)"), std::string::npos) << f.result.text;
  }
  lines_of(formats("bounds " + good), good);
}

TEST(Formats, StandardInputIsNoFile) {
  Formats f = formats("check - < " + temporary("stdin.py", "def f(A: nope):\n    A[0] = 1\n") + " ");
  EXPECT_EQ(f.result.code, 2) << f.result.text;
  EXPECT_FALSE(f.sarif["runs"][0]["results"][0].contains("locations")) << f.sarif;
  EXPECT_EQ(f.junit.find("file="), std::string::npos) << f.junit;
}

}  // namespace formats_test
}  // namespace hexproof
