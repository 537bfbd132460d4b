// At which sizes two programs are looked at.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "verify/equiv/equiv.h"

namespace hexproof {

/// "n = 2, m = 3"; "" for a pair of constant shapes.
std::string sizes_text(const ProgramPair& pair, const Instance& at);

/// The smallest sizes that together reach every statement which any small size reaches, and one that is larger; the one
/// size of a pair of constant shapes.
struct ReachingSizes {
  std::vector<Instance> sizes;
  size_t reached = 0, statements = 0;  // of both programs: stores, evaluations, assumes
  bool too_long = false;               // constant shapes, and a run has more than `max_steps` statements
};
/// Found by runs in the interpreter of at most so many statements.
ReachingSizes reaching_sizes(const ProgramPair& pair, uint64_t max_steps, const SatisfyAssumes& satisfy);

/// No run has more statements; nothing where an extent is no constant.
std::optional<uint64_t> most_statements(const PrimFunc& func);

/// Sizes for runs on random inputs: the only one; or small ones, 0 and 1 among them, and for scalar parameters also
/// values from the edges of their type and beside the numbers that stand in the programs, where memory stays small.
std::vector<Instance> sizes_to_run(const ProgramPair& pair, uint64_t seed);

struct SizedRuns {
  Evidence evidence;
  std::string at;  // the sizes at which results were compared: "n = 2; n = 3"
};
/// `equiv_tests` at such sizes, the inputs and the work divided among them.
SizedRuns equiv_runs(const ProgramPair& pair, const TestInputs& inputs);

}  // namespace hexproof
