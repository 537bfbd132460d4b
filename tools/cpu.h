// --cpu: the processor that a kernel for the host is made for.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace hexproof::tools {

void add_cpu(CLI::App& command, std::string& cpu);

}  // namespace hexproof::tools
