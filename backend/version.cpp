#include "backend/version.h"

#include <llvm/Config/llvm-config.h>

namespace hexproof {

std::string llvm_version() { return LLVM_VERSION_STRING; }

}  // namespace hexproof
