// Two programs as text, compared symbolically; a refutation must show when both are run.
#pragma once
#include <cstring>

#include "ir/interpreter/scalar_ops.h"
#include "tests/verify/programs.h"
#include "verify/equiv/equiv.h"

namespace hexproof {

struct Compared {
  ProgramPair pair;
  Evidence evidence;
  bool shown = false;  // Refuted: the interpreter meets the difference
};

/// Do both runs end in states that the relation does not connect?
inline bool shows(const ProgramPair& pair, const PairInput& input, uint64_t undef_seed) {
  std::vector<Tensor> before = input.before, after = input.after;
  RunOptions options;
  options.undef_seed = undef_seed;
  const Instance& at = input.instance;
  if (run(pair.before, before, parameter_values(pair.before, at.before_scalars), options).error) return false;
  if (run(pair.after, after, parameter_values(pair.after, at.after_scalars), options).error) return true;
  std::vector<Tensor> wanted = pack_arguments(pair, at, before, 1);
  for (size_t b = 0; b < wanted.size(); ++b) {
    const BufferPair& buffer = pair.buffers[b];
    const auto width = static_cast<size_t>(wanted[b].dtype.bytes());
    for (int64_t i = 0; i < wanted[b].size(); ++i) {
      const auto cell = static_cast<size_t>(i);
      const uint8_t* bytes = &wanted[b].data[cell * width];
      const bool padding = !buffer.identity && at.cells[b].origin[cell] < 0;
      uint8_t pad[8] = {};
      if (padding) {
        const PadCell& holds = at.pad(b, i);
        if (holds.kind != Padding::Kind::Value || buffer.logical_only) continue;
        bytes = holds.same_as >= 0 ? &before[b].data[static_cast<size_t>(holds.same_as) * width] : pad;
        if (holds.same_as < 0) store_scalar(holds.value, pad);
      }
      Scalar x = load_scalar(wanted[b].dtype, bytes), y = load_scalar(after[b].dtype, &after[b].data[cell * width]);
      uint8_t state = before[b].initialised.empty() || padding ? 1
                      : buffer.identity                        ? before[b].initialised[cell]
                                        : before[b].initialised[static_cast<size_t>(at.cells[b].origin[cell])];
      if (state == 1 && !(x == y)) return true;
    }
  }
  return false;
}

inline Compared compare(const std::string& before, const std::string& after, const RelationRequest& request = {},
                        uint64_t max_terms = 2'000'000) {
  Compared out;
  out.pair = pair_programs(parse(before), parse(after), request);
  auto sizes = small_sizes(out.pair, 1);
  auto instance = instantiate(out.pair, is_concrete(out.pair) ? std::vector<int64_t>{} : sizes.at(0));
  EXPECT_TRUE(instance.has_value());
  Prover prover;
  out.evidence = equiv_symbolic(out.pair, *instance, prover, max_terms);
  EXPECT_EQ(out.evidence.input.has_value(), out.evidence.finding == Finding::Refuted);
  if (out.evidence.input) {
    for (uint64_t seed = 0; seed < 8 && !out.shown; ++seed) out.shown = shows(out.pair, *out.evidence.input, seed);
  }
  return out;
}

inline std::string describe(const Evidence& e) {
  std::string out = std::string(to_text(e.finding)) + ": " + e.says;
  for (const std::string& note : e.notes) out += "\n" + note;
  return out;
}

#define EXPECT_PROVED(before, after, ...)                                                 \
  do {                                                                                    \
    Compared compared = compare(before, after __VA_OPT__(, ) __VA_ARGS__);                \
    EXPECT_EQ(compared.evidence.finding, Finding::Proved) << describe(compared.evidence); \
  } while (false)
#define EXPECT_REFUTED(before, after, ...)                                                 \
  do {                                                                                     \
    Compared compared = compare(before, after __VA_OPT__(, ) __VA_ARGS__);                 \
    EXPECT_EQ(compared.evidence.finding, Finding::Refuted) << describe(compared.evidence); \
    EXPECT_TRUE(compared.shown) << describe(compared.evidence);                            \
  } while (false)
#define EXPECT_FOUND(wanted, before, after, ...)                                 \
  do {                                                                           \
    Compared compared = compare(before, after __VA_OPT__(, ) __VA_ARGS__);       \
    EXPECT_EQ(compared.evidence.finding, wanted) << describe(compared.evidence); \
  } while (false)

}  // namespace hexproof

namespace hexproof {

/// A function of A and B (elements of this type) with this body.
inline std::string on(const std::string& type, const std::string& body, int n = 16) {
  std::string buffer = "T.Buffer((" + std::to_string(n) + ",), \"" + type + "\")";
  std::string out = "def f(A: " + buffer + ", B: " + buffer + "):\n";
  std::string line;
  for (char c : body + "\n") {
    if (c != '\n') {
      line += c;
      continue;
    }
    if (!line.empty()) out += "    " + line + "\n";
    line.clear();
  }
  return out;
}

}  // namespace hexproof
