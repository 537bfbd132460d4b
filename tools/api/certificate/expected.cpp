#include <fmt/format.h>

#include <algorithm>

#include "ir/interpreter/inputs/random_inputs.h"
#include "rewrite/layout/interface.h"
#include "tools/api/certificate/certify.h"
#include "verify/equiv/exact.h"
#include "verify/prove/open_rounding.h"

namespace hexproof::api {

std::string why_no_run(const PrimFunc& func) {
  if (!func.scalars().empty())
    return "a run on random input needs a function without scalar parameters and symbolic shapes";
  for (const Buffer& buffer : func.buffer_params()) {
    const bool literal = std::all_of(buffer->shape.begin(), buffer->shape.end(),
                                     [](const Expr& extent) { return extent->op == Op::IntImm; });
    if (!literal || !buffer->strides.empty() || buffer->elem_offset) {
      return "a run on random input needs arguments with shapes that are numbers, and without strides and offsets: '" +
             buffer->name + "' is none";
    }
  }
  return {};
}

Expected interpret(const PrimFunc& func, uint64_t seed) {
  // Where granted flags leave results open, numbers on which nearly all operations are exact show what is wrong anyway.
  const Values values = open_rounding_of(func).any() ? Values::Whole : Values::Ordinary;
  Expected out{random_inputs(func, seed, values), {}};
  out.outputs = out.inputs;
  RunResult result = hexproof::run(func, out.outputs);
  if (result.error && result.error->kind == ErrorKind::FalseAssume) {
    throw Unsupported(result.error->span, "no input was found that satisfies this assume",
                      "--no-run certifies the program without a run, and says so");
  }
  HEXPROOF_CHECK(!result.error,
                 "the interpreter met an error in a program proved free of errors: " + result.error->str());
  return out;
}

namespace {

/// Of one argument: how many elements there are and agree, and the first that does not (-1: none).
struct Elements {
  int64_t size = 0, equal = 0, first = -1;
};

using ElementsOf = std::function<Elements(size_t argument)>;

/// One line for each argument, and for what was promised of its padding; `padding` says the first cell that differs.
Comparison told(const Derivation& derivation, const ElementsOf& elements,
                const std::function<int64_t(size_t argument)>& padding) {
  Comparison out;
  const std::vector<Buffer> buffers = derivation.source().buffer_params();
  for (size_t b = 0; b < buffers.size(); ++b) {
    const auto [size, equal, first] = elements(b);
    out.lines.push_back(fmt::format("{}: {} of {} elements bit-equal to the interpreter's{}", buffers[b]->name, equal,
                                    size, first < 0 ? "" : fmt::format(", the first difference at {}", first)));
    out.bit_equal = out.bit_equal && first < 0;
  }
  for (const InterfaceChange& change : derivation.interface()) {
    const bool padded = std::any_of(change.layers.begin(), change.layers.end(), [](const LayoutChange& layer) {
      return layer.padding.kind == Padding::Kind::Value;
    });
    for (size_t b = 0; b < buffers.size() && padded; ++b) {
      if (!(buffers[b] == change.before())) continue;
      const int64_t first = padding(b);
      out.lines.push_back(fmt::format("{}: the padding {}", buffers[b]->name,
                                      first < 0 ? "holds its value" : fmt::format("differs at {}", first)));
      out.bit_equal = out.bit_equal && first < 0;
    }
  }
  return out;
}

}  // namespace

Comparison agreement(const Derivation& derivation) {
  const std::vector<Buffer> buffers = derivation.source().buffer_params();
  auto all = [&](size_t b) {
    int64_t size = 1;
    for (const Expr& extent : buffers[b]->shape) size *= static_cast<int64_t>(int_value(extent));
    return Elements{size, size, -1};
  };
  return told(derivation, all, [](size_t) { return -1; });
}

Comparison compare(const Derivation& derivation, const Expected& want, const std::vector<hexproof::Tensor>& packed) {
  const std::vector<hexproof::Tensor> got = unpack_all(derivation, packed),
                                      promised = pack_all(derivation, want.outputs, Moment::End);
  auto elements = [&](size_t b) {
    return Elements{want.outputs[b].size(), count_equal(want.outputs[b], got[b]),
                    first_difference(want.outputs[b], got[b])};
  };
  Comparison out = told(derivation, elements, [&](size_t b) { return first_difference(promised[b], packed[b]); });
  const PrimFunc& source = derivation.source();
  out.agrees = out.bit_equal;
  if (!out.agrees && open_rounding_of(source).any() && !unaffected_by_flags(source, want.inputs, {})) {
    out.agrees = true;
    out.lines.emplace_back(kDifferencesAreOpen);
  }
  return out;
}

}  // namespace hexproof::api
