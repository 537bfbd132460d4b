// A finding as reports name it.
#pragma once
#include <string_view>

#include "verify/check/check.h"

namespace hexproof {

/// "proved", "refuted", "undecided", "vacuous", "unsupported".
std::string_view to_text(Finding finding);

}  // namespace hexproof
