// A rule is complete when it has its line in the docs, its proposal in the fuzzer, its test file, and in that a test
// for each side condition which the head of its source numbers: `TEST(RuleName, Condition3WhatItShows)`. What several
// rules share, such as the claims of blocks, may be tested in another file of the folder under the same name.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "ir/base/file.h"
#include "rewrite/kernel/kernel.h"

namespace hexproof {
namespace registry_test {

namespace fs = std::filesystem;

const fs::path kSource = HEXPROOF_SOURCE_DIR;

std::string text_of(const fs::path& path) { return read_file((kSource / path).string()); }

/// The files below a folder whose names start and end so.
std::vector<fs::path> files(const fs::path& folder, const std::string& start, const std::string& end) {
  std::vector<fs::path> out;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSource / folder)) {
    std::string name = entry.path().filename().string();
    if (name.starts_with(start) && name.ends_with(end)) out.push_back(fs::relative(entry.path(), kSource));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// "merge-loops" as merge_loops and as MergeLoops.
std::string file_name(std::string rule) {
  std::replace(rule.begin(), rule.end(), '-', '_');
  return rule;
}
std::string suite_name(const std::string& rule) {
  std::string out;
  bool upper = true;
  for (char c : rule) {
    if (c != '-') out += upper ? static_cast<char>(std::toupper(c)) : c;
    upper = c == '-';
  }
  return out;
}

/// The comment that a source file starts with.
std::vector<std::string> head_of(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with("//")) break;
    out.push_back(line);
  }
  return out;
}

std::vector<int> numbered_conditions(const std::string& source) {
  static const std::regex kNumbered(R"(//  ?(\d+)\. .*)");
  std::vector<int> out;
  std::smatch match;
  for (const std::string& line : head_of(source)) {
    if (std::regex_match(line, match, kNumbered)) out.push_back(std::stoi(match[1]));
  }
  return out;
}

/// The numbers of the conditions that the tests of a suite name.
std::set<int> tested_conditions(const std::string& tests, const std::string& suite) {
  const std::regex kTest("TEST(?:_F)?\\(" + suite + ", Condition(\\d+)[A-Z]\\w*\\)");
  std::set<int> out;
  for (std::sregex_iterator it(tests.begin(), tests.end(), kTest), end; it != end; ++it) {
    out.insert(std::stoi((*it)[1]));
  }
  return out;
}

std::string list(const std::set<int>& numbers) {
  std::string out;
  for (int n : numbers) out += " " + std::to_string(n);
  return out;
}

/// The cells of a row of a table: what stands between bars that are not escaped.
size_t cells(const std::string& row) {
  size_t bars = 0;
  for (size_t k = 0; k < row.size(); ++k) bars += row[k] == '|' && (k == 0 || row[k - 1] != '\\');
  return bars < 2 ? 0 : bars - 1;
}

/// What is wrong with the tables of a page, by line.
std::vector<std::string> broken_tables(const std::string& page) {
  static const std::regex kRule(R"(\|( *:?-+:? *\|)+)");
  std::vector<std::string> out;
  std::vector<std::string> lines = lines_of(page);
  bool code = false;
  size_t columns = 0;  // of the table that the line above belongs to
  for (size_t k = 0; k < lines.size(); ++k) {
    std::string line = lines[k].substr(std::min(lines[k].find_first_not_of(' '), lines[k].size()));
    line.erase(line.find_last_not_of(' ') + 1);
    if (line.starts_with("```")) code = !code;
    if (code || !line.starts_with("|")) {
      columns = 0;
      continue;
    }
    std::string at = "line " + std::to_string(k + 1) + ": ";
    if (!line.ends_with("|")) out.push_back(at + "the row does not end with a bar");
    if (columns == 0) {
      columns = cells(line);
      if (k + 1 == lines.size() || !std::regex_match(lines[k + 1], kRule)) out.push_back(at + "no table starts here");
    } else if (cells(line) != columns) {
      out.push_back(at + std::to_string(cells(line)) + " cells, where the table has " + std::to_string(columns));
    }
  }
  return out;
}

/// The first cells of the rows of all tables of a page.
std::string first_cells(const std::string& page) {
  std::string out;
  for (const std::string& line : lines_of(page)) {
    if (line.starts_with("|")) out += line.substr(0, line.find('|', 1)) + "\n";
  }
  return out;
}

TEST(Registry, ReadsNumbersAndNames) {
  EXPECT_EQ(numbered_conditions("// split\n//  1. a\n//     2. b\n// 2. c\n// 10. d\nint x;\n// 3. e\n"),
            (std::vector<int>{1, 2, 10}));
  EXPECT_EQ(tested_conditions("TEST(SomeRule, Condition12Two) {}\nTEST(SomeRule, Condition3) {}\n"
                              "TEST(Other, Condition4Two) {}\nTEST_F(SomeRule, Condition1One) {}\n",
                              "SomeRule"),
            (std::set<int>{1, 12}));
  EXPECT_EQ(suite_name("merge-loops"), "MergeLoops");
  EXPECT_EQ(broken_tables("| a | b |\n|---|---|\n| `x \\| y` | 2 |\n").size(), 0u);
  EXPECT_EQ(broken_tables("| a | b |\n|---|---|\n| 1 |\n").size(), 1u);
  EXPECT_EQ(broken_tables("| a | b |\n|---|---|\n\n| 1 | 2 |\n").size(), 1u);
  EXPECT_EQ(broken_tables("| a | b |\n|---|---|\n| 1 | 2\n").size(), 2u);
  EXPECT_EQ(broken_tables("```\n| a | b\n```\n").size(), 0u);
}

TEST(Registry, EachSideConditionHasItsTest) {
  ASSERT_GT(all_rules().size(), 30u);
  std::string tests;
  for (const fs::path& path : files("tests/rewrite", "", "_test.cpp")) tests += text_of(path);
  for (const Rule* rule : all_rules()) {
    std::string file = file_name(rule->name);
    const std::vector<fs::path> sources = files("rewrite/rules", file + ".cpp", "");
    ASSERT_EQ(sources.size(), 1u) << rule->name << " has one source below rewrite/rules/";
    const std::string source = text_of(sources.front());
    EXPECT_EQ(files("tests/rewrite", file + "_test.cpp", "").size(), 1u) << rule->name << " has no test file";
    std::string own;  // what tests of the rule alone say
    for (const fs::path& path : files("tests/rewrite", file, "_test.cpp")) own += text_of(path);
    static const std::regex kFires(R"(\b(applied|expect_applies|expect_sound|scheduled)\()");
    static const std::regex kDoesNot(R"(\b((expect_)?not_applicable(_rightly)?\(|NotApplicable\b|failure<))");
    EXPECT_TRUE(std::regex_search(own, kFires)) << rule->name << ": no test that it fires";
    EXPECT_TRUE(std::regex_search(own, kDoesNot)) << rule->name << ": no test that it does not fire";
    std::vector<int> numbers = numbered_conditions(source);
    for (size_t k = 0; k < numbers.size(); ++k) EXPECT_EQ(numbers[k], static_cast<int>(k) + 1) << rule->name;
    bool none = source.find("\n// Side conditions: none.") != source.npos;
    EXPECT_NE(none, !numbers.empty()) << rule->name << " numbers no side conditions, and does not say that it has none";
    std::set<int> wanted(numbers.begin(), numbers.end()), tested = tested_conditions(tests, suite_name(rule->name));
    EXPECT_EQ(list(wanted), list(tested)) << rule->name << ": conditions in the head of its source, and with a test";
  }
}

TEST(Registry, EachRuleIsInTheDocs) {
  std::string pages;
  for (const fs::path& path : files("docs", "rules", ".md")) pages += first_cells(text_of(path));
  for (const Rule* rule : all_rules()) {
    if (rule->name == "simplify") continue;  // it applies the expression rules, which have a page of their own
    EXPECT_NE(pages.find("`" + rule->name + "`"), pages.npos) << rule->name << " has no row in docs/rules-*.md";
  }
}

/// What a rule moves in front of an assume, or that it moves nothing there, is said of each.
TEST(Registry, EachRuleSaysWhatItMovesInFrontOfAssumes) {
  std::string page = text_of("docs/rules.md");
  const size_t start = page.find("\n## In front of assumes\n");
  ASSERT_NE(start, page.npos);
  page = page.substr(start, page.find("\n## ", start + 1) - start);
  for (const Rule* rule : all_rules()) {
    EXPECT_NE(page.find("`" + rule->name + "`"), page.npos) << rule->name << " is not in \"In front of assumes\"";
  }
}

TEST(Registry, EachRuleIsProposedByTheFuzzer) {
  std::string steps;
  for (const fs::path& path : files("fuzz/steps/proposers", "", ".cpp")) steps += text_of(path);
  for (const Rule* rule : all_rules()) {
    const std::string wanted = "{" + suite_name(rule->name) + "Args::kRule,";
    EXPECT_NE(steps.find(wanted), steps.npos) << rule->name << " is not in fuzz/steps/proposers/";
  }
}

TEST(Registry, EachPrimitiveIsInTheDocs) {
  std::string names = text_of("rewrite/schedule/primitives.def");
  std::string pages = first_cells(text_of("docs/schedules.md")) + first_cells(text_of("docs/modules.md"));
  static const std::regex kName(R"re(\nPRIMITIVE\((\w+),)re");
  size_t count = 0;
  for (std::sregex_iterator it(names.begin(), names.end(), kName), none; it != none; ++it, ++count) {
    EXPECT_TRUE(std::regex_search(pages, std::regex("`" + (*it)[1].str() + "[`(]")))
        << (*it)[1] << " has no row in docs/schedules.md";
  }
  EXPECT_GT(count, 40u);
}

TEST(Registry, TestsThatPagesNameAreThere) {
  std::string tests;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSource / "tests")) {
    if (entry.path().extension() == ".cpp") tests += read_file(entry.path().string());
  }
  static const std::regex kTest(R"(`([A-Z]\w+)\.([A-Z0-9]\w*)`)");
  size_t count = 0;
  for (const fs::path& path : files("docs", "", ".md")) {
    std::string page = text_of(path);
    for (std::sregex_iterator it(page.begin(), page.end(), kTest), none; it != none; ++it, ++count) {
      std::string name = "(" + (*it)[1].str() + ", " + (*it)[2].str() + ")";
      EXPECT_NE(tests.find(name), tests.npos) << path.string() << " names " << it->str() << ", which is no test";
    }
  }
  EXPECT_GT(count, 30u);
}

TEST(Registry, TablesAreWellFormed) {
  std::vector<fs::path> pages = files("docs", "", ".md");
  EXPECT_GT(pages.size(), 10u);
  pages.push_back("README.md");
  for (const fs::path& path : pages) {
    for (const std::string& wrong : broken_tables(text_of(path))) ADD_FAILURE() << path.string() << ", " << wrong;
  }
}

}  // namespace registry_test
}  // namespace hexproof
