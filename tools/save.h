// --save DIR: the arguments on which a program fails, as .npy files, and what a person reads.
#pragma once
#include <string>

#include "tools/api/detail.h"
#include "tools/command.h"

namespace hexproof::tools {

void add_save(CLI::App& command, std::string& folder);

/// Where a counterexample of this function goes: a folder of its own where several are judged. Empty stays empty.
std::string save_folder(const std::string& folder, const std::string& function, bool several);

/// NAME.npy for each argument, and counterexample.txt, into the folder, which is made where there is none. Nothing for
/// an empty folder or without a counterexample. Types that .npy has no name for are left out.
void save_input(const std::string& folder, const CheckReport& report);
/// The arguments of both sides: before_NAME.npy, after_NAME.npy, and the table.
void save_input(const std::string& folder, const EquivReport& report);
/// The cells under which the condition of a refused step is false, each array of numbers as far as the condition reads
/// it, and 0 elsewhere.
void save_input(const std::string& folder, const api::Failure& failure);
/// What `work` gives. A step that it refuses is saved first.
template <class F>
auto saved(const std::string& folder, F&& work) {
  try {
    return work();
  } catch (const api::Failure& failure) {
    save_input(folder, failure);
    throw;
  }
}
/// Of what a schedule came to: the checks that refute functions before it, each in a folder of its own where there are
/// several functions; or of the result, the check that refutes it or the comparison.
void save_input(const std::string& folder, const api::Transformed& transformed, const Validation* validation);

}  // namespace hexproof::tools
