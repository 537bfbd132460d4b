#include "rewrite/kernel/rule_args.h"

#include <algorithm>

namespace hexproof {

std::vector<std::string> field_names(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    out.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(list.find_first_not_of(", ", end), list.size()));
  }
  return out;
}

void no_such_argument(const std::string& name) {
  throw NotApplicable("argument '" + name + "' is missing or of the wrong kind");
}

void demand_known(const std::string& rule, const std::vector<std::string>& fields, const Args& args) {
  for (const auto& [name, value] : args) {
    if (std::find(fields.begin(), fields.end(), name) != fields.end()) continue;
    std::string all;
    for (const std::string& field : fields) all += (all.empty() ? "" : ", ") + field;
    throw NotApplicable("'" + rule + "' has no argument '" + name + "'" + (all.empty() ? "" : ", but " + all));
  }
}

}  // namespace hexproof
