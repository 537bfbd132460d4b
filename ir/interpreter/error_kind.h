// What kind of error a running program met.
#pragma once
#include <cstdint>

namespace hexproof {

enum class ErrorKind : uint8_t {
#define ERROR_KIND(name, meaning) name,
#include "ir/interpreter/error_kinds.def"
#undef ERROR_KIND
};

}  // namespace hexproof
