// What a certificate says of the run of its object: lines of the summary, and JSON, made of the figures.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "backend/hexagon.h"
#include "tools/api/certificate/certify.h"

namespace hexproof::api {

struct RunRecord {
  bool under_qemu = false;
  uint64_t seed = 1;  // of the random input
  Comparison result;
  HexagonRun figures;  // of a run under QEMU
  struct Addresses {
    uint32_t post_increment = 0, offsets = 0;  // packets
    Addressing kept() const { return offsets < post_increment ? Addressing::Offsets : Addressing::PostIncrement; }
  };
  std::optional<Addresses> addresses;  // where both ways were tried
};

std::vector<std::string> lines_of(const RunRecord& record);
/// The parts "run" and "addressing" of the kernel's JSON.
void add_json(const RunRecord& record, nlohmann::ordered_json* kernel);

/// What a run that is not repeated is believed to have shown: figures, and what granted flags left open.
struct ClaimedRun {
  HexagonRun figures;
  RunRecord::Addresses addresses;
  std::vector<std::string> results;
};
/// The claims of a certificate; 0 for a figure that is no number of 32 bits.
ClaimedRun claimed_run(const nlohmann::ordered_json& kernel);
/// The record of a run of this derivation that agrees, with those figures. Of what is claimed of the results it keeps
/// what can be: differences where granted flags may leave open what comes out.
RunRecord record_of(const ClaimedRun& claimed, const Derivation& derivation, bool under_qemu, bool two_ways,
                    uint64_t seed);

}  // namespace hexproof::api
