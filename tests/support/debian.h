// Packages of Debian for one benchmark alone: fetched and unpacked into a folder, never installed.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace hexproof::testing {

/// Where the packages' `usr` folder is, below `folder`; nothing where they cannot be had.
std::optional<std::string> unpacked(const std::string& folder, const std::vector<std::string>& packages);

}  // namespace hexproof::testing
