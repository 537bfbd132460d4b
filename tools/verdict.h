// Verdicts as exit codes and lines.
#pragma once
#include <nlohmann/json.hpp>

#include "rewrite/report/report.h"
#include "tools/command.h"

namespace hexproof::tools {

int exit_code(api::Verdict verdict);
int exit_code(api::Failure::Kind kind);
/// Of two exit codes of verdicts, the one that a person must look at first.
int worse(int a, int b);

}  // namespace hexproof::tools
