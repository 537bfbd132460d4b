// hexproof layout --suggest FILE: which pad values a layout of a program's buffer should have.
#pragma once
#include <string>

#include "tools/command.h"

namespace hexproof::tools {

struct SuggestOptions {
  std::string file, function, block, buffer, map;
};
/// Prints the pad values under which branches go, with what proves each, and the others with the reason. Returns the
/// exit code: that of the program's check when it is not proved free of errors.
int suggest_pad_values(const Common& common, const SuggestOptions& options);

}  // namespace hexproof::tools
