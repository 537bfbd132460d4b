// --shard I/N: which part of the work is this one's.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace hexproof::tools {

struct Shard {
  uint64_t which = 0, count = 1;  // from 0
};

/// The option; a text that is no shard is wrong usage. `first`: what the user counts from.
CLI::Option* add_shard(CLI::App& command, std::string& text, uint64_t first, const std::string& about);
/// What such a text comes to.
Shard shard_of(const std::string& text, uint64_t first);

}  // namespace hexproof::tools
