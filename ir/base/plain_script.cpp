#include "ir/base/plain_script.h"

#include <set>

namespace hexproof {

std::string not_plain(const std::string& script) {
  static const std::set<std::string> kPlain = {"set-logic", "declare-const", "declare-fun", "define-fun", "assert"};
  size_t depth = 0, checks = 0;
  for (size_t k = 0; k < script.size(); ++k) {
    const char c = script[k];
    if (c == ';' || c == '"' || c == '|' || c == '\\') return "a comment or quotes";
    if (c == ')' && depth-- == 0) return "an unmatched parenthesis";
    if (c != '(' && (depth > 0 || std::string(" \n)").find(c) != std::string::npos)) continue;
    if (c != '(') return "a word outside of a command";
    if (depth++ > 0) continue;
    const std::string head = script.substr(k + 1, script.find_first_of(" \n()", k + 1) - k - 1);
    if (checks > 0) return "a command behind (check-sat)";
    checks += head == "check-sat";
    if (head != "check-sat" && !kPlain.count(head)) return "the command '" + head + "'";
  }
  return depth > 0 ? "an open parenthesis" : checks == 0 ? "no (check-sat)" : "";
}

}  // namespace hexproof
