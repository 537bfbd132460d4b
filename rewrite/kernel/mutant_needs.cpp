#include "rewrite/kernel/mutant_needs.h"

#include <cctype>
#include <sstream>

#include "ir/base/mutant.h"

namespace hexproof {

std::string mutant_without(const std::string& rule, const Obligation& need) {
  std::string out = "rule/" + rule + "/";
  if (need.rule.starts_with("check-")) return out + need.rule;
  std::istringstream sentence(need.why.substr(0, need.why.find_first_of(":(")));
  bool name = false, quoted = false;  // the word is a name of the program, or stands in quotes
  std::string slug;
  for (std::string word; sentence >> word;) {
    quoted |= word.front() == '\'' || word.front() == '`';
    bool ends = word.back() == '\'' || word.back() == '`';
    std::string letters;
    for (char c : word) {
      if (std::isalnum(static_cast<unsigned char>(c))) letters += c;
    }
    if (!name && !quoted && !letters.empty()) slug += (slug.empty() ? "" : "-") + letters;
    quoted &= !ends;
    name = word == "of" || word == "block" || word == "by" || word == "in";
  }
  return out + slug;
}

std::string mutant_without_condition(const std::string& expr_rule, size_t number) {
  return "expr/" + expr_rule + "/condition-" + std::to_string(number);
}

#ifdef HEXPROOF_MUTANTS
void leave_out_mutated(const std::string& rule, std::vector<Obligation>* needs) {
  std::erase_if(*needs, [&](const Obligation& need) { return HEXPROOF_MUTANT_IS_ON(mutant_without(rule, need)); });
}
#else
void leave_out_mutated(const std::string&, std::vector<Obligation>*) {}
#endif

}  // namespace hexproof
