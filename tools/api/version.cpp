#include "tools/api/version.h"

#include "backend/version.h"
#include "verify/prove/solvers/smt/door.h"

namespace hexproof {

Json version_json() {
  return {{"hexproof", kVersion}, {"z3", z3_version()}, {"cvc5", cvc5_version()}, {"llvm", llvm_version()}};
}

std::string version_text() {
  return std::string("hexproof ") + kVersion + "\nz3 " + z3_version() + "\ncvc5 " + cvc5_version() + "\nllvm " +
         llvm_version();
}

}  // namespace hexproof
