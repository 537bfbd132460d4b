// What is refuted, as JUnit, SARIF and annotations: each error once, with its input, at its line.
#include "tests/tools/reports/formats.h"
#include "tools/reports/report_text.h"

namespace hexproof {
namespace refuted_formats_test {

using namespace report_formats;
using Json = nlohmann::json;

// Each is told once, with its own input; the obligation that it refutes is not told again.
TEST(RefutedFormats, EachErrorOfAFunction) {
  const std::string program = temporary("two.py",
                                        "def f(A: T.Buffer((8,), \"int32\"), n: T.int32):\n"
                                        "    for i in range(n):\n        A[i] = 1\n    A[n - 9] = 2\n");
  Formats f = formats("check " + program);
  EXPECT_EQ(f.result.code, 10) << f.result.text;
  EXPECT_EQ(of_kind(f.sarif, "fail"), 3u) << f.sarif;
  EXPECT_EQ(count(f.junit, "<failure "), 3u) << f.junit;
  EXPECT_EQ(count(f.result.text, "::error "), 3u) << f.result.text;
  EXPECT_EQ(count(f.junit, "<testcase "), f.report["functions"][0]["obligations"].size()) << f.junit;
  const Json& of = f.report["functions"][0];
  // The index of line 4 may leave its type and its axis.
  ASSERT_EQ(of["other_errors"].size(), 2u) << of;
  for (const auto& [met, line, code] :
       {std::tuple(of["error_met"], 3, "HX0401"), std::tuple(of["other_errors"][0], 4, "HX0407"),
        std::tuple(of["other_errors"][1], 4, "HX0401")}) {
    const std::string text = met["text"], value = met["scalars"][0]["value"];
    EXPECT_EQ(met["line"], line) << met;
    EXPECT_TRUE(text.ends_with("\n  input: n = " + value)) << text;
    // As it is printed, with its code behind it.
    EXPECT_NE(f.result.text.find(text + "\n  " + code + ": "), std::string::npos) << f.result.text;
    size_t found = 0;
    for (const Json& result : f.sarif["runs"][0]["results"]) {
      const Json& region = result["locations"][0]["physicalLocation"]["region"];
      if (result["ruleId"] != code || region["startLine"] != line) continue;
      ++found;
      EXPECT_TRUE(result["message"]["text"].get<std::string>().ends_with("\n" + text)) << result;
    }
    EXPECT_EQ(found, 1u) << f.sarif;
    EXPECT_EQ(count(f.junit, ">" + tools::xml(text) + "</failure>"), 1u) << f.junit;
    const std::string annotated = std::regex_replace(text, std::regex("\n"), "%0A");
    EXPECT_EQ(
        count(f.result.text, "line=" + std::to_string(line) + ",col=" + met["column"].dump() + "::" + annotated + "\n"),
        1u)
        << f.result.text;
  }
}

// A run, formulas that are not written, a comparison: at the line that is wrong.
TEST(RefutedFormats, WhatOtherCommandsRefuteIsAtItsLine) {
  const auto at = [](const std::string& command, const std::string& rule, const std::string& file, int line) {
    Formats f = formats(command);
    EXPECT_EQ(f.result.code, 10) << f.result.text;
    ASSERT_EQ(of_kind(f.sarif, "fail"), 1u) << f.sarif;
    for (const Json& result : f.sarif["runs"][0]["results"]) {
      if (result["kind"] != "fail") continue;
      EXPECT_EQ(result["ruleId"], rule) << command;
      const Json& place = result["locations"][0]["physicalLocation"];
      EXPECT_EQ(place["artifactLocation"]["uri"], "file://" + file) << command;
      EXPECT_EQ(place["region"]["startLine"], line) << command;
    }
    EXPECT_NE(f.junit.find(" file=\"" + file + "\" line=\"" + std::to_string(line) + "\""), std::string::npos)
        << f.junit;
    EXPECT_EQ(count(f.result.text, "::error title=" + rule), 1u) << f.result.text;
    EXPECT_EQ(count(f.result.text, ",file=" + file + ",line=" + std::to_string(line) + ","), 1u) << f.result.text;
  };
  const std::string head = "# A copy.\ndef f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n";
  const std::string race = temporary("race.py", head + "    for i in T.parallel(8):\n        B[0] = A[i]\n");
  const std::string schedule = temporary("none.sch.py", "sch.simplify()\n");
  at("run " + race, "HX0405", race, 4);
  at("obligations " + race + " " + schedule + " --out " + path_of("formulas"), "HX0405", race, 4);
  const std::string before = temporary("before.py", head + "    for i in range(8):\n        B[i] = A[i]\n");
  const std::string after =
      temporary("after.py", head + "    A[0] = A[0]\n    for i in range(8):\n        B[i] = A[7 - i]\n");
  at("equiv " + before + " " + after, "HX0510", after, 5);
  // Where it writes nothing: where the function begins.
  const std::string nothing = temporary("nothing.py", head + "    A[0] = A[0]\n");
  at("equiv " + before + " " + nothing, "HX0510", nothing, 2);
  const std::string error = temporary("error.py", head + "    for i in range(9):\n        B[i] = A[i]\n");
  at("equiv " + before + " " + error, "HX0510", error, 4);
}

}  // namespace refuted_formats_test
}  // namespace hexproof
