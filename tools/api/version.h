#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "rewrite/report/report.h"

namespace hexproof {

inline constexpr const char* kVersion = "0.1.0";
/// hexproof's version and those of the tools that its verdicts rest on.
Json version_json();
std::string version_text();

}  // namespace hexproof
