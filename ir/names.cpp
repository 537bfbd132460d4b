#include "ir/names.h"

#include <algorithm>

namespace hexproof {

bool is_function_name(std::string_view name) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  auto part = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '.'; };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), part) && name != "same_bits" &&
         !name.starts_with("T.");
}

}  // namespace hexproof
