#include "ir/base/formula_file.h"

#include "ir/base/codes.h"

namespace hexproof {

std::string formula_file(const std::string& digest) { return "obligations/" + digest.substr(0, 16) + ".smt2"; }

std::optional<std::string> FormulaNames::add(const std::string& digest) {
  const std::string name = formula_file(digest);
  const auto [found, is_new] = digests_.emplace(name, digest);
  if (found->second != digest)
    throw CodedError(Code::CannotWrite, "two formulas are called '" + name + "': one of them would be left out");
  return is_new ? std::optional(name) : std::nullopt;
}

}  // namespace hexproof
