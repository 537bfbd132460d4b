// What is printed is what was proved: the text of a program reads back as that program.
#pragma once
#include <string>

#include "ir/function.h"

namespace hexproof {

/// NotApplicable when the text of what the step made cannot be read (it is nested too deeply); InternalError when it
/// reads as another program, the class of each operation included.
void demand_reads_back(const std::string& step, const PrimFunc& after);
void demand_reads_back(const std::string& step, const IRModule& after);

}  // namespace hexproof
