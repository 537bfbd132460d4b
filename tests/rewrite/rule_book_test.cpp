// docs/rules-needs.md: every rule as the engine lists it, with what it owes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "ir/base/file.h"
#include "rewrite/kernel/kernel.h"

namespace hexproof {
namespace rule_book_test {

struct Need {
  std::string name, leaves_out;
};
const Need kNeeds[] = {
#define MUTANT(name, breaks) {name, breaks},
#include "ir/base/mutants.def"
#undef MUTANT
};

/// The obligations of each rule, in words: a planted fault leaves out each of them (docs/mutants.md).
std::map<std::string, std::vector<std::string>> needs_by_rule() {
  std::map<std::string, std::vector<std::string>> out;
  const std::string family = "rule/", owes = " does not owe";
  for (const Need& need : kNeeds) {
    if (!need.name.starts_with(family)) continue;
    const std::string rule = need.name.substr(family.size(), need.name.find('/', family.size()) - family.size());
    const size_t at = need.leaves_out.find(owes);
    EXPECT_NE(at, std::string::npos) << need.name;
    out[rule].push_back(need.leaves_out.substr(need.leaves_out.find_first_not_of(": ", at + owes.size())));
  }
  return out;
}

std::string page() {
  std::string out =
      "# What each rule owes\n\n"
      "Made from the rules (`hexproof rules` lists them) and from the table of their obligations; what stands in "
      "quotes is\n"
      "an example of what it is asked of. The conditions in prose, with pictures and what goes wrong without them, are "
      "in\n"
      "[the rules](rules.md).\n";
  std::map<std::string, std::vector<std::string>> needs = needs_by_rule();
  for (const Rule* rule : all_rules()) {
    out += "\n## " + rule->name + "\n`" + rule->summary + "`\n\n";
    for (size_t k = 0; k < rule->fields.size(); ++k) out += (k ? ", `" : "Arguments: `") + rule->fields[k] + "`";
    if (!rule->fields.empty()) out += ".";
    if (rule->lowering) out += " Applies to what is lowered, too.";
    if (const auto found = needs.find(rule->name); found != needs.end()) {
      out += "\n\n";
      for (const std::string& need : found->second) out += "- " + need + "\n";
      needs.erase(found);
    } else {
      out +=
          "\n\nNo obligation of its own: the form of the program decides, and [claims of "
          "blocks](rules.md#claims-of-blocks) are settled as after every rule.\n";
    }
  }
  for (const auto& [rule, unused] : needs) ADD_FAILURE() << "there is no rule " << rule;
  return out;
}

/// `HEXPROOF_UPDATE_DOCS=1` writes the page instead.
TEST(RuleBook, PageIsWhatTheRulesOwe) {
  const std::string path = HEXPROOF_SOURCE_DIR "/docs/rules-needs.md";
  if (std::getenv("HEXPROOF_UPDATE_DOCS")) std::ofstream(path) << page();
  EXPECT_EQ(read_file(path), page());
}

}  // namespace rule_book_test
}  // namespace hexproof
