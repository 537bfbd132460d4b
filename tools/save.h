// --save DIR: the arguments on which a program fails, as .npy files, and what a person reads.
#pragma once
#include <string>

#include "tools/api/detail.h"
#include "tools/command.h"

namespace hexproof::tools {

void add_save(CLI::App& command, std::string& folder);

/// NAME.npy for each argument, and counterexample.txt, into the folder, which is made where there is none. Nothing for
/// an empty folder or without a counterexample. Types that .npy has no name for are left out.
void save_input(const std::string& folder, const CheckReport& report);
/// The arguments of both sides: before_NAME.npy, after_NAME.npy, and the table.
void save_input(const std::string& folder, const EquivReport& report);
/// Of what a schedule came to: the check that refutes a program before or after it, or the comparison.
void save_input(const std::string& folder, const api::Transformed& transformed, const Validation* validation);

}  // namespace hexproof::tools
