#include "backend/symbol.h"

#include <algorithm>
#include <cctype>

namespace hexproof {

std::string kernel_symbol(const std::string& name) {
  std::string out = name + "_kernel";
  std::replace_if(
      out.begin(), out.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  // A digit does not begin a name, and '_' begins those of the C implementation.
  if (!std::isalpha(static_cast<unsigned char>(out[0]))) out.insert(0, "kernel");
  return out;
}

}  // namespace hexproof
