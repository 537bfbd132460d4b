// The rooms of the rules, and how campaigns apply the rules of each.
#pragma once
#include "fuzz/steps/proposers/proposers.h"

namespace hexproof {

std::vector<Proposer> loop_proposers();
std::vector<Proposer> block_proposers();
std::vector<Proposer> buffer_proposers();
/// Branches, conditions, stores, values and assumes.
std::vector<Proposer> statement_proposers();

}  // namespace hexproof
