#include <algorithm>

#include "ir/interpreter/fault.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "verify/equiv/cross_check.h"
#include "verify/equiv/equiv.h"
#include "verify/equiv/exact.h"
#include "verify/equiv/satisfiable.h"
#include "verify/equiv/table.h"
#include "verify/equiv/unfilled_padding.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {

namespace {

constexpr uint64_t kMaxSteps = 2'000'000'000;

bool chooses(const PrimFunc& func) {
  bool found = false;
  visit_all_exprs(func.body, [&](const Expr& e) { found |= e->op == Op::Undef; });
  return found;
}

struct Ran {
  std::vector<Tensor> buffers;
  RunResult result;
};

Ran run_on(const PrimFunc& func, std::vector<Tensor> arguments, const std::vector<int64_t>& scalars, uint64_t choice,
           uint64_t max_steps) {
  Ran out{std::move(arguments), {}};
  out.result = run(func, out.buffers, parameter_values(func, scalars), {.undef_seed = choice, .max_steps = max_steps});
  return out;
}

uint8_t state(const Tensor& t, int64_t element) {
  return t.initialised.empty() ? 1 : t.initialised[static_cast<size_t>(element)];
}

bool is_zero(const Scalar& s) { return s.type.is_float() && s.d() == 0; }

class ReplayComparison {
 public:
  ReplayComparison(const ProgramPair& pair, const PairInput& input, UndefCells undefs)
      : pair_(pair), input_(input), undefs_(undefs), signless_(pair.before.granted("nsz")) {}

  /// The cells on which a run of `after` is allowed by none of the runs of `before`.
  std::vector<Difference> differences(const std::vector<Ran>& before, const Ran& after) const {
    std::vector<Difference> out;
    for (size_t b = 0; b < pair_.buffers.size(); ++b) {
      const BufferPair& buffer = pair_.buffers[b];
      const Tensor& left = after.buffers[b];
      for (int64_t i = 0; i < left.size(); ++i) {
        int64_t origin = buffer.identity ? i : input_.instance.cells.at(b).origin[static_cast<size_t>(i)];
        if (origin < 0) {
          const PadCell& pad = input_.instance.pad(b, i);
          if (!padding_kept(buffer, pad, before, b, left, i)) {
            Difference& d = out.emplace_back();
            d.buffer = b;
            d.after_index = index_of(i, left.shape);
            d.before_value = pad.same_as < 0 ? text_of(pad.value) : value_text(before[0].buffers[b], pad.same_as);
            d.after_value = value_text(left, i);
          }
          continue;
        }
        bool found = std::any_of(before.begin(), before.end(),
                                 [&](const Ran& ran) { return allowed(ran.buffers[b], origin, left, i); });
        if (found) continue;
        Difference& d = out.emplace_back();
        d.buffer = b;
        d.before_index = index_of(origin, before[0].buffers[b].shape);
        d.after_index = index_of(i, left.shape);
        d.before_value = value_text(before[0].buffers[b], origin);
        d.after_value = value_text(left, i);
      }
    }
    return out;
  }

 private:
  /// May `after` have left this, where `before` left that?
  bool allowed(const Tensor& before, int64_t at, const Tensor& after, int64_t also) const {
    uint8_t promised = state(before, at);
    if (promised == 0 || (promised == 2 && undefs_ == UndefCells::HoldAnything)) return true;
    // (A cell of an argument without a value was not stored to: it holds the bits that it came with.)
    return one_value(element(before, at), element(after, also));
  }
  bool one_value(const Scalar& a, const Scalar& b) const { return a == b || (signless_ && is_zero(a) && is_zero(b)); }

  bool padding_kept(const BufferPair& buffer, const PadCell& pad, const std::vector<Ran>& before, size_t b,
                    const Tensor& left, int64_t i) const {
    if (pad.kind != Padding::Kind::Value || buffer.logical_only) return true;
    if (pad.same_as < 0) return state(left, i) != 0 && one_value(element(left, i), pad.value);
    return state(left, i) != 0 && std::any_of(before.begin(), before.end(), [&](const Ran& ran) {
             return allowed(ran.buffers[b], pad.same_as, left, i);
           });
  }

  const ProgramPair& pair_;
  const PairInput& input_;
  UndefCells undefs_;
  bool signless_;  // nsz: the sign of a zero is not observed
};

}  // namespace

namespace {

std::optional<Counterexample> replayed(const ProgramPair& pair, const PairInput& input, UndefCells undefs,
                                       uint64_t max_steps, bool* compared) {
  if (!pair.before.granted_flags().empty() &&
      !unaffected_by_flags(pair.before, input.before, parameter_values(pair.before, input.instance.before_scalars))) {
    return std::nullopt;
  }
  std::vector<Ran> before;
  for (uint64_t choice = 0; choice < (chooses(pair.before) ? 64 : 1); ++choice) {
    before.push_back(run_on(pair.before, input.before, input.instance.before_scalars, choice, max_steps));
    // One way to an error excludes the input.
    if (before.back().result.error || before.back().result.out_of_steps) return std::nullopt;
  }
  bool all_ended = true;
  for (uint64_t choice = 0; choice < (chooses(pair.after) ? 8 : 1); ++choice) {
    Ran after = run_on(pair.after, input.after, input.instance.after_scalars, 1000 + choice, max_steps);
    if (after.result.out_of_steps) {
      all_ended = false;
      continue;
    }
    Counterexample found;
    found.input = input;
    found.steps = after.result.steps;
    for (const Ran& ran : before) found.steps += ran.result.steps;
    if (after.result.error) {
      found.after_error = after.result.error;
    } else {
      found.differences = ReplayComparison(pair, input, undefs).differences(before, after);
      if (found.differences.empty()) continue;
    }
    return found;
  }
  if (compared) *compared = all_ended;
  return std::nullopt;
}

}  // namespace

std::optional<Counterexample> replay(const ProgramPair& pair, const PairInput& input, UndefCells undefs) {
  return replayed(pair, input, undefs, kMaxSteps, nullptr);
}

std::optional<Counterexample> replay_within(const ProgramPair& pair, const PairInput& input, uint64_t max_steps,
                                            bool* compared) {
  return replayed(pair, input, UndefCells::HoldAnything, max_steps == 0 ? kMaxSteps : max_steps, compared);
}

/// Is padding that nobody filled named before, and not after, which is lowered? What a machine reads there is some
/// value.
static bool reads_as_machines_do(const ProgramPair& pair) {
  if (!pair.after.attrs.count(kLoweredAttribute)) return false;
  for (size_t k = 0; k < pair.before.params.size(); ++k) {
    if (argument_padding(pair.before, k) && !argument_padding(pair.after, k)) return true;
  }
  return false;
}

/// Why an input is none that refutes the pair, whatever runs on it show; or empty.
static std::string no_refutation(const ProgramPair& pair, const Evidence& evidence) {
  if (!filled_cells(pair, evidence.input->instance).known) return "which cells are padding is not known there";
  if (reads_as_machines_do(pair)) return "the program after is lowered, and knows of no padding that nobody filled";
  // Runs choose some values of many. By another one `before` may end in an error, which excludes the input.
  if (evidence.method == "symbolic" || !chooses(pair.before)) return "";
  Prover quick(second_opinion_prover());
  return check_program(pair.before, quick).finding == Finding::Proved
             ? ""
             : "whether the program before meets an error there by a choice of an undef is not known";
}

bool refutes(const ProgramPair& pair, const Evidence& refutation, uint64_t max_steps) {
  return no_refutation(pair, refutation).empty() && replay_within(pair, *refutation.input, max_steps, nullptr);
}

std::optional<Counterexample> confirmed(const ProgramPair& pair, const Evidence& refutation, std::string* why_not) {
  HEXPROOF_CHECK(refutation.input.has_value(), "a refutation without an input");
  if (std::string why = no_refutation(pair, refutation); !why.empty()) {
    if (why_not) *why_not = why;
    return std::nullopt;
  }
  std::optional<Counterexample> out = replay(pair, *refutation.input);
  if (out) {
    out = shrink(pair, std::move(*out));
  } else if (refutation.method == "symbolic") {
    // It knows of every choice of an undef, on this input.
    out = replay(pair, *refutation.input, UndefCells::AsSampled);
  }
  if (out) describe(pair, *out);
  return out;
}

void describe(const ProgramPair& pair, Counterexample& found) {
  std::vector<std::vector<LastWriter>> before(pair.buffers.size()), after(pair.buffers.size());
  const Instance& at = found.input.instance;
  for (Difference& d : found.differences) {
    if (after[d.buffer].empty()) {
      before[d.buffer] =
          last_writers(pair.before, d.buffer, found.input.before, parameter_values(pair.before, at.before_scalars));
      after[d.buffer] =
          last_writers(pair.after, d.buffer, found.input.after, parameter_values(pair.after, at.after_scalars));
    }
    if (!d.before_index.empty() || at.before_shapes[d.buffer].empty()) {
      d.before_writer = before[d.buffer].at(flat_of(d.before_index, at.before_shapes[d.buffer]));
    }
    d.after_writer = after[d.buffer].at(flat_of(d.after_index, at.after_shapes[d.buffer]));
  }
  found.table = counterexample_table(pair, found);
}

}  // namespace hexproof
