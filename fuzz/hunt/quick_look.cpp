#include "fuzz/hunt/quick_look.h"

#include <algorithm>

#include "fuzz/oracle.h"
#include "fuzz/programs/arguments.h"
#include "fuzz/programs/program.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/visit.h"
#include "rewrite/layout/interface.h"

namespace hexproof {
namespace {

constexpr uint64_t kSteps = 100'000;       // of a run: most take hundreds
constexpr int64_t kMostCells = 1'000'000;  // of an allocation: most have dozens

/// The tensors in the layout of the program after; nothing where a layout depends on sizes, or has
/// no place for each cell.
std::optional<std::vector<Tensor>> packed(const PrimFunc& program, const Rewrite& rewrite, std::vector<Tensor> tensors,
                                          Moment moment) {
  if (rewrite.interface_changes.empty()) return tensors;
  if (!program.scalars().empty()) return std::nullopt;
  try {
    for (const InterfaceChange& change : rewrite.interface_changes) {
      size_t buffer = 0;
      for (size_t p = 0; p < change.param; ++p) buffer += static_cast<bool>(program.params[p].buffer);
      tensors.at(buffer) = pack(change, tensors.at(buffer), moment);
    }
    return tensors;
  } catch (const std::exception&) {  // the layout is none
    return std::nullopt;
  }
}

/// False, too, for arguments that it does not take, as strides with which elements overlap.
bool runs(const PrimFunc& program, std::vector<Tensor>& tensors, const std::vector<int64_t>& scalars) {
  try {
    const RunResult ran = run(program, tensors, scalars, {.max_steps = kSteps});
    return !ran.error && !ran.out_of_steps;
  } catch (const Error&) {
    return false;
  }
}

bool goes_wrong(const PrimFunc& program, const Rewrite& rewrite, const RunArguments& arguments,
                const std::vector<Tensor>& expected) {
  std::optional<std::vector<Tensor>> got = packed(program, rewrite, arguments.buffers, Moment::Start);
  const std::optional<std::vector<Tensor>> want = packed(program, rewrite, expected, Moment::End);
  if (!got || !want || !is_small(rewrite.after)) return true;  // only who proves it knows
  fill_as_named(program, rewrite.after, arguments.scalars, &*got);
  try {
    const RunResult result = run(rewrite.after, *got, arguments.scalars, {.max_steps = kSteps});
    if (result.error || result.out_of_steps) return true;
  } catch (const Error&) {  // it does not take what the program took
    return true;
  }
  for (size_t b = 0; b < want->size(); ++b) {
    if (first_difference((*want)[b], (*got)[b]) >= 0 || first_lost((*want)[b], (*got)[b]) >= 0) return true;
  }
  return false;
}

}  // namespace

bool is_small(const PrimFunc& func) {
  bool small = true;
  auto look = [&](const Buffer& buffer) {
    Wide cells = 1;
    for (const Expr& e : buffer->shape) {
      if (const int64_t* extent = as_int(e)) cells = std::min<Wide>(cells * *extent, Wide(kMostCells) + 1);
    }
    small &= cells <= kMostCells;
  };
  for (const Buffer& buffer : func.buffer_params()) look(buffer);
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const AllocBuffer* a = s.as<AllocBuffer>()) look(a->buffer);
    return small;
  });
  return small;
}

std::optional<Rewrite> unproved(const PrimFunc& program, const StepRequest& step) {
  try {
    return rule_by_name(step.rule).apply(program, to_args(step.args, &program));
  } catch (const NotApplicable&) {
  } catch (const Unsupported&) {
  } catch (const Error&) {  // an argument that is none
  }
  return std::nullopt;
}

QuickLook look_quickly(const PrimFunc& program, const Rewrite& rewrite, uint64_t seed, int inputs) {
  QuickLook out;
  if (!is_small(program)) return out;
  for (int k = 0; k < inputs && !out.seed; ++k) {
    try {
      const RunArguments arguments = arguments_of(program, seed, values_of_seed(seed));
      std::vector<Tensor> expected = arguments.buffers;
      if (runs(program, expected, arguments.scalars)) {
        out.ran = true;
        if (goes_wrong(program, rewrite, arguments, expected)) out.seed = seed;
      }
    } catch (const Unsupported&) {
    }
    seed = next_random(seed) % (1u << 31);
  }
  return out;
}

}  // namespace hexproof
