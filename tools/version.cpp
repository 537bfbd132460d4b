#include "tools/version.h"

#include "backend/version.h"
#include "verify/solve/door.h"

namespace hexproof::tools {

Json version_json() {
  return {{"hexproof", kVersion}, {"z3", z3_version()}, {"cvc5", cvc5_version()}, {"llvm", llvm_version()}};
}

std::string version_text() {
  std::string out;
  for (const auto& [name, version] : version_json().items()) out += name + " " + version.get<std::string>() + "\n";
  out.pop_back();
  return out;
}

}  // namespace hexproof::tools
