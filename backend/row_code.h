// Which rows of rewrite/intrinsics/ are instructions on a machine.
#pragma once
#include <string>
#include <vector>

#include "backend/kernel.h"
#include "rewrite/intrinsics/intrinsic.h"

namespace hexproof {

/// What does the row there; null where the machine has nothing for it.
const Intrinsic::Code* code_for(const Intrinsic& row, Target target, const HostCpu& cpu);

/// The rows, by name, of the nests that are marked in the kernel.
std::vector<std::string> rows_of(const Kernel& kernel);
/// Those of them that the machine has nothing for: their nests run as they stand.
std::vector<std::string> rows_without_code(const Kernel& kernel);

/// The lemma behind the code, by its name; empty where one call is the row.
std::string lemma_of(const Intrinsic::Code& code);

}  // namespace hexproof
