#include "tools/api/certificate/run_record.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <regex>

#include "verify/prove/open_rounding.h"

namespace hexproof::api {
namespace {

uint32_t figure(const Json& json, const char* name) {
  if (!json.is_object() || !json.contains(name) || !json.at(name).is_number_unsigned()) return 0;
  const auto value = json.at(name).get<uint64_t>();
  return value <= std::numeric_limits<uint32_t>::max() ? static_cast<uint32_t>(value) : 0;
}

/// "B: 3 of 4 elements bit-equal to the interpreter's, the first difference at 1", for a line of that buffer and size.
bool says_a_difference(const std::string& claimed, const std::string& agreeing) {
  static const std::regex kSize(R"((.*: )(\d+) of (\d+)( elements bit-equal to the interpreter's))");
  static const std::regex kDiffers(
      R"((.*: )(\d{1,18}) of (\d+)( elements bit-equal to the interpreter's), the first difference at (\d{1,18}))");
  static const std::regex kPadding(R"((.*: the padding )differs at \d{1,18})");
  constexpr size_t kLongest = 4096;  // std::regex recurses with each character that it matches
  if (claimed.size() > kLongest || agreeing.size() > kLongest) return false;
  std::smatch says, holds;
  if (std::regex_match(claimed, says, kPadding)) return agreeing == says[1].str() + "holds its value";
  if (!std::regex_match(claimed, says, kDiffers) || !std::regex_match(agreeing, holds, kSize)) return false;
  const int64_t equal = std::stoll(says[2]), first = std::stoll(says[5]), size = std::stoll(holds[3]);
  return says[1] == holds[1] && says[3] == holds[3] && equal < size && first < size;
}

}  // namespace

std::vector<std::string> lines_of(const RunRecord& record) {
  std::vector<std::string> out = {fmt::format("run {} on random input (seed {}) at full size:",
                                              record.under_qemu ? "under QEMU" : "on this machine", record.seed)};
  for (const std::string& line : record.result.lines) out.push_back("  " + line);
  const HexagonRun& f = record.figures;
  if (record.under_qemu) {
    out.push_back(fmt::format("packets {}, instructions {}, HVX instructions {} (the counters wrap at 2^32)", f.packets,
                              f.instructions, f.hvx));
  }
  if (record.addresses) {
    out.push_back(fmt::format("addresses by post-increment {} packets, by offsets {}: the better is kept",
                              record.addresses->post_increment, record.addresses->offsets));
  }
  return out;
}

void add_json(const RunRecord& record, Json* kernel) {
  if (record.addresses) {
    (*kernel)["addressing"] = {
        {"post-increment", record.addresses->post_increment},
        {"offsets", record.addresses->offsets},
        {"kept", record.addresses->kept() == Addressing::Offsets ? "offsets" : "post-increment"}};
  }
  Json& run = (*kernel)["run"] = {
      {"seed", record.seed}, {"bit_equal", record.result.bit_equal}, {"results", record.result.lines}};
  if (!record.under_qemu) return;
  run["packets"] = record.figures.packets;
  run["instructions"] = record.figures.instructions;
  run["hvx_instructions"] = record.figures.hvx;
}

ClaimedRun claimed_run(const Json& kernel) {
  ClaimedRun out;
  const Json run = kernel.value("run", Json()), addressing = kernel.value("addressing", Json());
  out.figures.packets = figure(run, "packets");
  out.figures.instructions = figure(run, "instructions");
  out.figures.hvx = figure(run, "hvx_instructions");
  out.addresses = {figure(addressing, "post-increment"), figure(addressing, "offsets")};
  if (!run.is_object() || !run.contains("results") || !run.at("results").is_array()) return out;
  for (const Json& line : run.at("results")) out.results.push_back(line.is_string() ? line.get<std::string>() : "");
  return out;
}

RunRecord record_of(const ClaimedRun& claimed, const Derivation& derivation, bool under_qemu, bool two_ways,
                    uint64_t seed) {
  RunRecord out{under_qemu, seed, agreement(derivation), claimed.figures, {}};
  if (two_ways) {
    out.addresses = claimed.addresses;
    out.figures.packets = std::min(claimed.addresses.post_increment, claimed.addresses.offsets);
  }
  if (!open_rounding_of(derivation.source()).any() || claimed.results.size() != out.result.lines.size() + 1) return out;
  for (size_t k = 0; k < out.result.lines.size(); ++k) {
    if (!says_a_difference(claimed.results[k], out.result.lines[k])) continue;
    out.result.lines[k] = claimed.results[k];
    out.result.bit_equal = false;
  }
  if (!out.result.bit_equal) out.result.lines.emplace_back(kDifferencesAreOpen);
  return out;
}

}  // namespace hexproof::api
