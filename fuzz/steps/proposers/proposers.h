// How campaigns apply each statement rule: with arguments that fit now and then.
#pragma once
#include <vector>

#include "fuzz/steps/proposal.h"

namespace hexproof {

struct Proposer {
  const char* rule;
  RuleCall (*call)(Proposal& p);
};
const std::vector<Proposer>& proposers();

/// Loops whose nest is what an instruction of the table does, with its name.
std::vector<std::pair<Path, std::string>> fitting_intrinsics(const Proposal& p);

}  // namespace hexproof
