// What a command is doing, while it takes long: on standard error, in place on a terminal, a line every 10 s elsewhere.
#pragma once
#include <string>

namespace hexproof::tools {

/// From now on, until the end, it is shown that `command` is at work. Every command that takes --quiet begins so
/// (Common::begin), unless it is given.
void begin_progress(const std::string& command);
/// What it is at; until one is named, the question that is being asked of the prover.
void progress(const std::string& stage);
/// Something else is printed: what stands in place on the terminal goes.
void clear_progress();
/// Nothing more is shown.
void end_progress();

}  // namespace hexproof::tools
