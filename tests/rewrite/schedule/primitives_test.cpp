// The table of schedule primitives, against the reader, the rules and the documentation.
#include "rewrite/schedule/primitives.h"

#include <gtest/gtest.h>

#include <set>

#include "ir/base/file.h"
#include "ir/text/text.h"
#include "rewrite/module/schedule.h"
#include "rewrite/schedule/reader.h"

namespace hexproof {
namespace primitives_test {

/// "split, simplify" as names.
std::vector<std::string> listed(std::string_view names) {
  std::vector<std::string> out;
  for (size_t at = 0; at < names.size();) {
    size_t end = std::min(names.find(", ", at), names.size());
    out.emplace_back(names.substr(at, end - at));
    at = end + 2;
  }
  return out;
}

TEST(Primitives, TheDocumentationHoldsTheSameRows) {
  std::string table = "| primitive | does | rules |\n|---|---|---|\n";
  for (const Primitive& p : primitives()) {
    std::string rules;
    for (const std::string& rule : listed(p.rules)) rules += (rules.empty() ? "`" : ", `") + rule + "`";
    table += "| `" + std::string(p.name) + "(" + std::string(p.parameters) + ")` | " + std::string(p.help) + " | " +
             rules + " |\n";
  }
  EXPECT_NE(read_file(HEXPROOF_SOURCE_DIR "/docs/schedules.md").find(table), std::string::npos)
      << "docs/schedules.md, All primitives, is to hold\n"
      << table;
}

TEST(Primitives, RulesAreThoseOfTheKernelAndNamesAreUnique) {
  std::set<std::string> rules, names;
  for (const Rule* rule : all_rules()) rules.insert(rule->name);
  for (const Primitive& p : primitives()) {
    for (const std::string& rule : listed(p.rules)) EXPECT_TRUE(rules.count(rule)) << p.name << ": " << rule;
    EXPECT_TRUE(names.insert(std::string(p.name)).second) << p.name;
    EXPECT_FALSE(instead_of_primitive(p.name)) << p.name << " is here and elsewhere";
    // What is required comes first.
    std::vector<std::string> parameters = p.parameter_names();
    EXPECT_LE(p.required(), parameters.size()) << p.name;
  }
  EXPECT_GT(names.size(), 40u);
}

/// What a schedule of one call says: the reader knows every row, and takes its parameters by their names.
std::string said(const std::string& call, bool module) {
  Prover prover;
  IRModule program =
      parse_module("def main(A: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n        A[i] = i\n");
  auto file = std::make_shared<const SourceFile>(SourceFile{"s.py", call + "\n"});
  try {
    if (module) {
      ModuleDerivation derivation(program);
      run_schedule(derivation, prover, file);
    } else {
      Derivation derivation(program.functions.at(0));
      run_schedule(derivation, prover, file);
    }
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

TEST(Primitives, TheReaderKnowsEveryRow) {
  for (const Primitive& p : primitives()) {
    if (p.name == "show") continue;  // takes anything
    std::string name(p.name);
    for (bool module : {false, true}) {
      bool of_modules = name == "work_on" || name == "hoist_stage" || name == "expose" || name == "permit";
      if (of_modules && !module) continue;
      std::string unknown = said("sch." + name + "(no_such=1)", module);
      EXPECT_NE(unknown.find("has no argument 'no_such'"), std::string::npos) << name << ": " << unknown;
      if (p.required() == 0) continue;
      std::string lacks = said("sch." + name + "()", module);
      EXPECT_NE(lacks.find("lacks its argument '" + p.parameter_names()[0] + "'"), std::string::npos) << lacks;
    }
  }
}

TEST(Primitives, WhatTvmHasBesidesIsAnsweredInWords) {
  for (const char* name : {"annotate_buffer_access", "unsafe_hide_buffer_access", "read_at", "fork_seed"}) {
    std::string words = said("sch." + std::string(name) + "(1, 2)", false);
    EXPECT_NE(words.find("s.py:1:1: unsupported: the schedule primitive '" + std::string(name)), std::string::npos)
        << words;
    EXPECT_NE(words.find("hint: " + *instead_of_primitive(name)), std::string::npos) << words;
  }
  std::string typo = said("sch.vectorise(1)", false);
  EXPECT_NE(typo.find("there is no schedule primitive 'vectorise'"), std::string::npos) << typo;
  EXPECT_NE(typo.find("vectorize"), std::string::npos) << typo;
}

}  // namespace primitives_test
}  // namespace hexproof
