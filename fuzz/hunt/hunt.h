// The campaign that looks for a planted fault: until something unsound is found, or the time is over.
#pragma once
#include <cstdint>
#include <string>

namespace hexproof {

struct HuntOptions {
  double seconds = 300;  // of processor time: a machine that is busy with other work finds as much
  uint64_t seed = 1;
  bool seeds = true;  // ask about what is known, too, as it stands and changed (fuzz/seeds/)
};

struct Hunted {
  bool found = false;
  double seconds = 0;   // of processor time
  uint64_t cases = 0;   // pairs of the campaign, and probes
  std::string finding;  // with the case as text
};

/// Processor time that this process has spent.
double processor_seconds();

/// Rounds of probes of expression rules (fuzz/steps/probe_rule.h), of random formulas (fuzz/programs/formulas.h) and of
/// a campaign (fuzz/campaign.h), on one thread.
Hunted hunt(const HuntOptions& options);

}  // namespace hexproof
