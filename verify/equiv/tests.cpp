#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "ir/random_values.h"
#include "verify/equiv/equiv.h"
#include "verify/equiv/table.h"

namespace hexproof {
namespace {

constexpr int kRuns = 32;

/// After two random inputs come those of one value in every cell: 0, 1, -1, least, greatest, and for floats -0.0,
/// infinity, NaN, a subnormal that rounds when it is divided.
constexpr int kFirst = 2, kUniform = 9;

Scalar uniform_value(DType type, int number) {
  const double tiny = 12 * (type.bits == 16 ? 0x1p-24 : type.bits == 32 ? 0x1p-149 : 0x1p-1074);
  const double floats[kUniform] = {0, 1, -1, -0.0, 65504, -65504, HUGE_VAL, NAN, tiny};
  if (type.is_float()) return float_scalar(type, floats[number]);
  const Wide integers[kUniform] = {
      0, 1, -1, min_value(type), max_value(type), 2, min_value(type) / 2, max_value(type) / 2, 3};
  return int_scalar(type, type.is_bool() ? number & 1 : wrap_to(type, integers[number]));
}

/// Random values are ordinary on even runs, edge-heavy on odd ones. `small`: floats are integers from -2 to 2, on which
/// arithmetic is exact.
Tensor random_tensor(DType type, const std::vector<int64_t>& shape, int number, bool small, uint64_t& state) {
  Tensor out = make_tensor(type, shape);
  for (int64_t i = 0; i < out.size(); ++i) {
    uint64_t random = next_random(state);
    if (small && type.is_float()) {
      set_element(out, i, float_scalar(type, static_cast<double>(random / 2 % 5) - 2));
    } else if (number >= kFirst && number < kFirst + kUniform) {
      set_element(out, i, uniform_value(type, number - kFirst));
    } else {
      uint64_t bits = random_value(type, number % 2 == 0 ? random & ~uint64_t{1} : random);
      set_element(out, i, load_scalar(type, reinterpret_cast<const uint8_t*>(&bits)));
    }
  }
  return out;
}

Evidence tried_on_inputs(const ProgramPair& pair, const Instance& instance, uint64_t seed, uint64_t max_work) {
  auto start = std::chrono::steady_clock::now();
  Evidence out{.method = "tests", .says = ""};
  uint64_t state = seed;
  int agreed = 0, excluded = 0;
  // Under flags only exact inputs show anything; see `replay`.
  bool flags = !pair.before.granted_flags().empty();
  uint64_t work = 0;
  for (int number = 0; number < kRuns && !out.input && (max_work == 0 || work < max_work); ++number) {
    PairInput input{.instance = instance, .before = {}, .after = {}};
    for (size_t b = 0; b < pair.buffers.size(); ++b) {
      input.before.push_back(
          random_tensor(pair.buffers[b].before->dtype, instance.before_shapes.at(b), number, flags, state));
    }
    input.after = pack_arguments(pair, instance, input.before, next_random(state));
    std::vector<Tensor> scratch = input.before;
    RunResult ran =
        run(pair.before, scratch, parameter_values(pair.before, instance.before_scalars), {.max_steps = max_work});
    work += 3 * ran.steps;
    for (const Tensor& t : scratch) work += static_cast<uint64_t>(t.size());
    if (ran.error || ran.out_of_steps) {
      ++excluded;
    } else if (replay(pair, input)) {
      out.finding = Finding::Refuted;
      out.input = std::move(input);
      out.says = fmt::format("random input {} shows a difference", number + 1);
    } else {
      ++agreed;
    }
  }
  if (!out.input) {
    out.equal_so_far = agreed > 0;
    out.says = fmt::format("the results agree on {} random inputs", agreed);
    if (agreed == 0) out.says = "every random input makes the program before reach an error";
  }
  if (excluded > 0) {
    out.notes.push_back(
        fmt::format("{} random inputs were excluded: on them the program before reaches an error", excluded));
  }
  out.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return out;
}

}  // namespace

Evidence equiv_tests(const ProgramPair& pair, const Instance& instance, uint64_t seed, uint64_t max_work) {
  try {
    return tried_on_inputs(pair, instance, seed, max_work);
  } catch (const Unsupported& refusal) {
    return {.method = "tests", .finding = Finding::Unsupported, .says = refusal.what()};
  }
}

}  // namespace hexproof
