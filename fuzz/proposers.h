// How campaigns apply each statement rule: with arguments that fit now and then.
#pragma once
#include <vector>

#include "fuzz/proposal.h"

namespace hexproof {

struct Proposer {
  const char* rule;
  RuleCall (*call)(Proposal& p);
};
const std::vector<Proposer>& proposers();

}  // namespace hexproof
