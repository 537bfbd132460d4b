#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <numeric>

#include "ir/float_format.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/visit.h"
#include "verify/equiv/equiv.h"
#include "verify/equiv/sizes.h"
#include "verify/equiv/table.h"
#include "verify/equiv/unfilled_padding.h"

namespace hexproof {
namespace {

/// After two random inputs come those of one value in every cell: 0, 1, -1, least, greatest, and for floats -0.0,
/// infinity, NaN, a subnormal that rounds when it is divided.
constexpr int kFirst = 2, kUniform = 9;

Scalar uniform_value(DType type, int number) {
  const double tiny = type.is_float() ? 12 * least_float(type) : 0;
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

bool has_assumes(const PrimFunc& func) {
  bool found = false;
  visit_stmt(func.body, [&](const Stmt& s) { return found = found || s.as<Assume>(), !found; });
  return found;
}

Evidence tried_on_inputs(const ProgramPair& pair, const Instance& instance, const TestInputs& which) {
  auto start = std::chrono::steady_clock::now();
  Evidence out{.method = "tests", .says = ""};
  uint64_t state = which.seed;
  int excluded = 0, too_long = 0, not_compared = 0;
  uint64_t work = 0;
  // Loops that are much too long, and arguments, are seen without a run; branches may make a run shorter.
  const std::optional<uint64_t> most = most_statements(pair.before);
  uint64_t cells = 0;
  for (const std::vector<int64_t>& shape : instance.before_shapes) {
    cells += static_cast<uint64_t>(
        std::accumulate(shape.begin(), shape.end(), int64_t{1}, [](int64_t a, int64_t b) { return a * b; }));
  }
  const bool hopeless = which.max_work != 0 && ((most && *most / 4 > which.max_work) || cells > which.max_work);
  // Making inputs satisfy assumes is a run, too.
  const uint64_t satisfying = which.satisfy && has_assumes(pair.before) ? most.value_or(0) : 0;
  if (hopeless) too_long = which.count;
  const FilledCells filled = hopeless ? FilledCells() : filled_cells(pair, instance);
  for (int number = which.first; number < which.first + which.count && !out.input && !hopeless; ++number) {
    if (which.max_work != 0 && work >= which.max_work) {
      too_long += which.first + which.count - number;
      break;
    }
    PairInput input = test_input(pair, instance, filled, number, which.satisfy, state);
    std::vector<Tensor> scratch = input.before;
    RunResult ran = run(pair.before, scratch, parameter_values(pair.before, instance.before_scalars),
                        {.max_steps = which.max_work});
    work += 3 * ran.steps + satisfying;
    for (const Tensor& t : scratch) work += static_cast<uint64_t>(t.size());
    bool compared = false;
    if (ran.out_of_steps) {
      ++too_long;
    } else if (ran.error) {
      ++excluded;
    } else if (replay_within(pair, input, which.max_work, &compared)) {
      out.finding = Finding::Refuted;
      out.input = std::move(input);
      out.says = fmt::format("random input {} shows a difference", number + 1);
    } else if (compared) {
      ++out.inputs;
    } else {
      ++not_compared;
    }
  }
  if (!out.input) {
    out.equal_so_far = out.inputs > 0;
    out.says = fmt::format("the results agree on {} random inputs", out.inputs);
    if (out.inputs == 0) {
      out.says = too_long > 0       ? "a run is too long for this method"
                 : not_compared > 0 ? "no random input shows anything: granted flags, an undef or the length of a run "
                                      "leave open what the programs give on it"
                                    : "every random input makes the program before reach an error";
    }
  }
  if (excluded > 0) {
    out.notes.push_back(
        fmt::format("{} random inputs were excluded: on them the program before reaches an error", excluded));
  }
  if (not_compared > 0 && out.inputs > 0)
    out.notes.push_back(fmt::format("{} inputs show nothing: what the programs give on them is open", not_compared));
  if (too_long > 0 && out.inputs > 0)
    out.notes.push_back(fmt::format("{} inputs were left out: too much work", too_long));
  out.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return out;
}

}  // namespace

PairInput test_input(const ProgramPair& pair, const Instance& instance, const FilledCells& filled, int number,
                     const SatisfyAssumes& satisfy, uint64_t& state) {
  PairInput input{.instance = instance, .before = {}, .after = {}};
  // Under flags only exact inputs show anything; see `replay`.
  bool exact = !pair.before.granted_flags().empty();
  for (size_t b = 0; b < pair.buffers.size(); ++b) {
    input.before.push_back(
        random_tensor(pair.buffers[b].before->dtype, instance.before_shapes.at(b), number, exact, state));
  }
  if (satisfy) satisfy(pair.before, input.before, parameter_values(pair.before, instance.before_scalars));
  input.after = pack_arguments(pair, instance, input.before, next_random(state));
  mark_filled(filled.before, &input.before), mark_filled(filled.after, &input.after);
  return input;
}

Evidence equiv_tests(const ProgramPair& pair, const Instance& instance, const TestInputs& inputs) {
  try {
    return tried_on_inputs(pair, instance, inputs);
  } catch (const Unsupported& refusal) {
    return {.method = "tests", .finding = Finding::Unsupported, .says = refusal.what()};
  }
}

Evidence equiv_tests(const ProgramPair& pair, const Instance& instance, uint64_t seed, uint64_t max_work) {
  return equiv_tests(pair, instance, {.seed = seed, .max_work = max_work});
}

}  // namespace hexproof
