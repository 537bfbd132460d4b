// --depfile: what an output is made of, for builds.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hexproof::tools {

CLI::Option* add_depfile(CLI::App& command, std::string& file);

/// A rule of make, one file to a line: `made` depends on what the command line names (standard input and what is not
/// given are none) and on what schedules and scripts have read.
std::string depfile_text(const std::string& made, const std::vector<std::string>& given);

}  // namespace hexproof::tools
