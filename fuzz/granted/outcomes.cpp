#include "fuzz/granted/outcomes.h"

#include "fuzz/granted/open_domain.h"
#include "ir/interpreter/paths.h"
#include "ir/interpreter/walk/walk.h"

namespace hexproof {

namespace {

using OpenWalk = Walk<OpenDomain>;

constexpr uint64_t kMaxSteps = 10'000;

uint64_t value_bits(const Scalar& s, bool one_zero) { return s.type.is_float() && one_zero && s.d() == 0 ? 0 : s.bits; }

/// The places of a buffer's elements in its memory; buffers of these programs have no vectors in them.
std::vector<int64_t> places(const BoundBuffer& bound) {
  if (bound.buffer->dtype.lanes != 1) throw TooManyValues{};
  return element_positions(bound);
}

}  // namespace

std::vector<uint64_t> values_of(const std::vector<Tensor>& tensors, bool one_zero) {
  std::vector<uint64_t> out;
  for (const Tensor& t : tensors) {
    for (size_t at = 0; at < t.data.size(); at += static_cast<size_t>(t.dtype.bytes())) {
      out.push_back(value_bits(load_scalar(t.dtype, &t.data[at]), one_zero));
    }
  }
  return out;
}

std::optional<Outcomes> outcomes(const PrimFunc& func, const std::vector<Tensor>& inputs, size_t most) {
  const Arguments arguments = bind_arguments(func, inputs, {});
  const bool one_zero = func.granted("nsz");
  Chooser chooser;
  Outcomes out;
  try {
    for (size_t runs = 0; runs < most; ++runs) {
      OpenDomain domain(func, chooser);
      OpenWalk walk(domain, {.max_steps = kMaxSteps});
      for (const auto& [var, value] : arguments.scalars) walk.bind_scalar(var, value);
      std::vector<OpenWalk::Memory*> memories;
      for (size_t b = 0; b < inputs.size(); ++b) {
        memories.push_back(&walk.bind_buffer(arguments.buffers[b]));
        size_t i = 0;
        for (int64_t at : places(arguments.buffers[b])) {
          const uint8_t* bytes = &inputs[b].data[i++ * static_cast<size_t>(inputs[b].dtype.bytes())];
          memories[b]->cells[static_cast<size_t>(at)] = {load_scalar(inputs[b].dtype, bytes)};
          memories[b]->filled[static_cast<size_t>(at)] = 1;
        }
      }
      size_t next = 0;
      for (const Param& p : func.params) {
        if (p.buffer) walk.bind_handle(p.var, *memories[next++]);
      }
      const RunResult result = walk.run(func.body);
      out.special |= domain.special();
      out.erroneous |= result.error || result.out_of_steps;
      std::vector<uint64_t> values;
      for (size_t b = 0; b < inputs.size(); ++b) {
        for (int64_t at : places(arguments.buffers[b])) {
          values.push_back(value_bits(memories[b]->cells[static_cast<size_t>(at)].value, one_zero));
        }
      }
      out.all.insert(std::move(values));
      if (!chooser.next()) {
        out.complete = true;
        break;
      }
    }
  } catch (const TooManyValues&) {
    return std::nullopt;
  } catch (const Unsupported&) {
    return std::nullopt;
  }
  return out;
}

}  // namespace hexproof
