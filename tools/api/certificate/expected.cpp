#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "ir/interpreter/inputs/random_inputs.h"
#include "rewrite/layout/interface.h"
#include "tools/api/certificate/certify.h"
#include "verify/equiv/exact.h"
#include "verify/prove/open_rounding.h"

namespace hexproof::api {

Expected interpret(const PrimFunc& func, uint64_t seed) {
  auto start = std::chrono::steady_clock::now();
  // Where granted flags leave results open, numbers on which nearly all operations are exact show what is wrong anyway.
  const Values values = open_rounding_of(func).any() ? Values::Whole : Values::Ordinary;
  Expected out{random_inputs(func, seed, values), {}, 0};
  out.outputs = out.inputs;
  RunResult result = hexproof::run(func, out.outputs);
  if (result.error && result.error->kind == ErrorKind::FalseAssume) {
    throw Unsupported(result.error->span, "no input was found that satisfies this assume",
                      "--no-run certifies the program without a run, and says so");
  }
  HEXPROOF_CHECK(!result.error,
                 "the interpreter met an error in a program proved free of errors: " + result.error->str());
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

namespace {

Comparison compare_all(const PrimFunc& func, const std::vector<hexproof::Tensor>& want,
                       const std::vector<hexproof::Tensor>& got) {
  Comparison out;
  std::vector<Buffer> buffers = func.buffer_params();
  for (size_t b = 0; b < buffers.size(); ++b) {
    const int64_t equal = count_equal(want[b], got[b]), first = first_difference(want[b], got[b]);
    out.lines.push_back(fmt::format("{}: {} of {} elements bit-equal to the interpreter's{}", buffers[b]->name, equal,
                                    want[b].size(),
                                    first < 0 ? "" : fmt::format(", the first difference at {}", first)));
    out.bit_equal = out.bit_equal && first < 0;
  }
  return out;
}

}  // namespace

Comparison compare(const Derivation& derivation, const Expected& want, const std::vector<hexproof::Tensor>& packed) {
  Comparison out = compare_all(derivation.source(), want.outputs, unpack_all(derivation, packed));
  std::vector<hexproof::Tensor> promised = pack_all(derivation, want.outputs, Moment::End);
  std::vector<Buffer> buffers = derivation.source().buffer_params();
  for (const InterfaceChange& change : derivation.interface()) {
    bool padded = std::any_of(change.layers.begin(), change.layers.end(),
                              [](const LayoutChange& layer) { return layer.padding.kind == Padding::Kind::Value; });
    for (size_t b = 0; b < buffers.size() && padded; ++b) {
      if (!(buffers[b] == change.before())) continue;
      int64_t first = first_difference(promised[b], packed[b]);
      out.lines.push_back(fmt::format("{}: the padding {}", buffers[b]->name,
                                      first < 0 ? "holds its value" : fmt::format("differs at {}", first)));
      out.bit_equal = out.bit_equal && first < 0;
    }
  }
  const PrimFunc& source = derivation.source();
  out.agrees = out.bit_equal;
  if (!out.agrees && open_rounding_of(source).any() && !unaffected_by_flags(source, want.inputs, {})) {
    out.agrees = true;
    out.lines.push_back("differences are no error: on these inputs the granted flags leave open what comes out");
  }
  return out;
}

}  // namespace hexproof::api
