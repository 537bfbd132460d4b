// docs/found.md against the folders beside this file: each is in one table, and each root has enough cases that it was
// not read off, of several rules and commands.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "ir/base/file.h"

namespace hexproof {
namespace found_page {

namespace fs = std::filesystem;

struct Row {
  std::string table, name, what;
  bool star = false;
  std::vector<std::string> rules, faults;
};

std::string stripped(const std::string& text) {
  const size_t begin = text.find_first_not_of(' ');
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// What stands in back quotes.
std::vector<std::string> in_back_quotes(const std::string& cell) {
  std::vector<std::string> out;
  for (size_t at = cell.find('`'); at != cell.npos;) {
    const size_t end = cell.find('`', at + 1);
    if (end == cell.npos) break;
    out.push_back(cell.substr(at + 1, end - at - 1));
    at = cell.find('`', end + 1);
  }
  return out;
}

/// The rows that name a case: `| [name](../tests/found/name) * | rules | what | faults |`.
std::vector<Row> rows() {
  std::istringstream page(read_file(HEXPROOF_SOURCE_DIR "/docs/found.md"));
  std::vector<Row> out;
  std::string table;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("## ", 0) == 0) table = line.substr(3);
    if (line.rfind("| [", 0) != 0) continue;
    std::vector<std::string> cells;
    std::istringstream split(line.substr(1));
    for (std::string cell; std::getline(split, cell, '|');) cells.push_back(stripped(cell));
    EXPECT_EQ(cells.size(), 4u) << line;
    if (cells.size() != 4) continue;
    const size_t close = cells[0].find(']');
    Row row;
    row.table = table;
    row.name = cells[0].substr(1, close - 1);
    row.what = cells[2];
    EXPECT_NE(cells[0].find("](../tests/found/" + row.name + ")"), std::string::npos) << line;
    row.star = cells[0].back() == '*';
    row.rules = in_back_quotes(cells[1]);
    row.faults = in_back_quotes(cells[3]);
    out.push_back(row);
  }
  return out;
}

/// The cases that roots were read off: they do not count as further ones.
const std::set<std::string>& read_off() {
  static const std::set<std::string> names = {
      "assume-select-lazily-evaluated",
      "certify-hexagon-abort-bool",
      "check-assume-select-division",
      "check-gaps-of-strided-parameter",
      "check-let-expression-unused-division",
      "check-strided-allocation-fact",
      "check-views-of-one-shape-other-offset",
      "claims-made-false-cache-read-in-nested-block",
      "crash-compact-int8-index",
      "crash-decompose-init-uses-loop-variable",
      "equiv-old-value-simple",
      "equiv-strided-view-of-argument",
      "hoist-condition-data-becomes-index",
      "insert-store-breaks-block-claim",
      "layout-of-empty-allocation-constants",
      "let-expression-unused-load-parallel",
      "loop-end-past-the-type-constants",
      "permission-assume-is-a-write-distribute",
      "permission-merge-loops",
      "reduction-domain-start-reads-memory",
      "simplify-let-index-body",
      "simplify-operation-present-under-guard",
      "slow-float-subtraction",
      "slow-remove-overcompute-through-branching",
      "slow-transform-layout-undef-pad",
      "stale-branch-fact-dead-store",
      "symbolic-allocation-size",
      "symbolic-stride-witness-check",
      "view-moves-with-loop-parallel",
      "views-of-one-shape-dead-store",
  };
  return names;
}

TEST(FoundPage, EachCaseIsInOneTable) {
  std::map<std::string, int> named;
  for (const Row& row : rows()) {
    ++named[row.name];
    EXPECT_FALSE(row.rules.empty()) << row.name << " names no rule or command";
    EXPECT_FALSE(row.what.empty()) << row.name << " does not say what is wrong";
  }
  size_t cases = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(HEXPROOF_SOURCE_DIR "/tests/found")) {
    if (!entry.is_directory()) continue;
    ++cases;
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(fs::exists(entry.path() / "expect")) << name << " expects nothing";
    EXPECT_EQ(named[name], 1) << name;
  }
  EXPECT_EQ(named.size(), cases) << "docs/found.md names a case that is not there";
}

TEST(FoundPage, AStarIsACaseThatARootWasReadOff) {
  for (const Row& row : rows()) EXPECT_EQ(row.star, read_off().count(row.name) == 1) << row.name;
}

TEST(FoundPage, EachRootHasTenFurtherCasesOfSeveralRules) {
  for (const char* root :
       {"Time", "Place", "Evaluation", "Index or data", "What is given", "Who decides", "Permission is a write"}) {
    size_t further = 0;
    std::set<std::string> rules;
    for (const Row& row : rows()) {
      if (row.table != root || row.star) continue;
      ++further;
      rules.insert(row.rules.begin(), row.rules.end());
    }
    EXPECT_GE(further, 10u) << root;
    EXPECT_GE(rules.size(), 3u) << root;
  }
}

TEST(FoundPage, FaultsArePlanted) {
  std::set<std::string> planted;
  std::istringstream table(read_file(HEXPROOF_SOURCE_DIR "/ir/base/mutants.def"));
  for (std::string line; std::getline(table, line);) {
    if (line.rfind("MUTANT(\"", 0) == 0) planted.insert(line.substr(8, line.find('"', 8) - 8));
  }
  for (const Row& row : rows()) {
    for (const std::string& fault : row.faults) EXPECT_EQ(planted.count(fault), 1u) << row.name << ": " << fault;
  }
}

}  // namespace found_page
}  // namespace hexproof
