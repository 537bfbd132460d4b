#include <fmt/format.h>

#include <chrono>

#include "ir/random_values.h"
#include "verify/equiv/equiv.h"
#include "verify/equiv/table.h"

namespace hexproof {
namespace {

constexpr int kRuns = 32;

/// Ordinary values on even runs, edge-heavy ones on odd runs; the first run has zeros only. `small`: floats are
/// integers from -2 to 2, on which arithmetic is exact.
Tensor random_tensor(DType type, const std::vector<int64_t>& shape, int number, bool small, uint64_t& state) {
  Tensor out = make_tensor(type, shape);
  for (int64_t i = 0; number > 0 && i < out.size(); ++i) {
    for (int lane = 0; lane < type.lanes; ++lane) {
      uint64_t random = next_random(state);
      if (number % 2 == 0) random &= ~uint64_t{1};
      if (small && type.is_float()) {
        set_element(out, i, lane, float_scalar(type.element(), static_cast<double>(random / 2 % 5) - 2));
        continue;
      }
      uint64_t bits = random_value(type.element(), random);
      size_t width = static_cast<size_t>(type.bytes());
      for (size_t byte = 0; byte < width; ++byte) {
        out.data[(static_cast<size_t>(i) * type.lanes + static_cast<size_t>(lane)) * width + byte] =
            static_cast<uint8_t>(bits >> (8 * byte));
      }
    }
  }
  return out;
}

}  // namespace

Evidence equiv_tests(const ProgramPair& pair, const Instance& instance, uint64_t seed) {
  auto start = std::chrono::steady_clock::now();
  Evidence out{.method = "tests", .says = ""};
  uint64_t state = seed;
  int agreed = 0, excluded = 0;
  // Under flags only exact inputs show anything; see `replay`.
  bool flags = !pair.before.granted_flags().empty();
  for (int number = 0; number < kRuns && !out.input; ++number) {
    PairInput input{.instance = instance, .before = {}, .after = {}};
    for (size_t b = 0; b < pair.buffers.size(); ++b) {
      input.before.push_back(
          random_tensor(pair.buffers[b].before->dtype, instance.before_shapes.at(b), number, flags, state));
    }
    input.after = pack_arguments(pair, instance, input.before, next_random(state));
    std::vector<Tensor> scratch = input.before;
    RunResult ran = run(pair.before, scratch, parameter_values(pair.before, instance.before_scalars));
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

}  // namespace hexproof
