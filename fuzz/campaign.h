// Campaigns: many random cases on all cores, failures shrunk and saved as text that replays.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fuzz/coverage.h"
#include "fuzz/oracle.h"
#include "fuzz/te/te_campaign.h"

namespace hexproof {

struct CampaignOptions {
  uint64_t runs = 50000;  // 0: until `seconds` are over
  double seconds = 0;     // 0: no limit
  uint64_t seed = 1;
  uint64_t shard = 0, shards = 1;  // this process does the cases i with i % shards == shard
  int jobs = 0;                    // threads; 0: one per core
  std::string corpus = {};         // folder for failures; empty: they are only reported
  uint32_t padded = 8;             // per cent of the programs are over padded buffers, and tried with passes
  uint32_t constructs = 50;  // per cent of the programs are made of constructs (fuzz/constructs/constructs.h), half of
                             // them for one cell of the table after the other
  uint32_t granted = 5;      // per cent of the programs are on floats under granted flags (fuzz/granted/granted.h)
  uint32_t schedules = 6;    // per cent of the programs are pipelines of stages, tried with schedule primitives
  uint32_t te = 0;           // per cent are schedules of tensor expressions (fuzz/te/te_campaign.h)
  uint32_t seeds = 8;        // per cent of the programs are seeds (fuzz/seeds/seeds.h), or nearly
  uint32_t verdicts = 10;    // one case in so many is shown to `check` and `equiv` (fuzz/verdicts.h); 0: none
  uint32_t inside = 16;      // one case in so many runs with everything static asserted (fuzz/oracle.h); 0: none
  std::vector<std::string> primitives = {};  // not empty: of these in turn, and not of all, the one that is tried most
  std::vector<Coverage::Place> cells = {};   // not empty: all programs are for these, one after the other
  bool shrink = true;                        // what is found; else it is reported as it is, and the campaign ends
  uint64_t rlimit = 20'000;                  // of one proof: a campaign would rather try another step than wait
};

struct CampaignReport {
  uint64_t runs = 0, sound = 0, no_step = 0, erroneous = 0, unsound = 0;
  uint64_t accepted = 0, refused = 0, not_applicable = 0;  // steps
  std::map<std::string, uint64_t> accepted_by_rule;
  Coverage coverage;
  std::map<std::string, Coverage::Cell> primitives;  // of the schedule: how often each was tried, went through, refused
  TensorTally te;
  double seconds = 0;
  std::vector<std::string> findings;  // shrunk: the case as text, with what disagrees in its first lines

  void add(const CampaignReport& other);
};

/// Case number `index`: its program, the seed of its inputs, and where its steps come from, which lives while `f` runs.
void with_campaign_case(const CampaignOptions& options, uint64_t index,
                        const std::function<void(const PrimFunc&, uint64_t input_seed, const StepSource&)>& f);

/// Runs a campaign: case number i is the same on every machine, thread and shard. `progress` (may be empty) is called
/// from time to time with what was done so far.
CampaignReport run_campaign(const CampaignOptions& options, const std::function<void(const CampaignReport&)>& progress);

/// The same, and then rounds of one case for each cell of the table that can be reached and was not.
CampaignReport run_covering_campaign(const CampaignOptions& options,
                                     const std::function<void(const CampaignReport&)>& progress);

}  // namespace hexproof
