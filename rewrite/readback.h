// What is printed is what was proved: the text of a program reads back as that program.
#pragma once
#include <string>

#include "ir/function.h"

namespace hexproof {

/// NotApplicable when the text of what the rule made cannot be read (it is nested too deeply); InternalError when it reads
/// as another program, the class of each operation included.
void demand_reads_back(const std::string& rule, const PrimFunc& after);

}  // namespace hexproof
