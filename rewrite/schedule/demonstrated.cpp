#include "rewrite/schedule/demonstrated.h"

#include <algorithm>
#include <cstring>

#include "ir/arith_class.h"
#include "ir/evaluation.h"
#include "ir/interpreter/inputs/random_inputs.h"
#include "ir/visit.h"
#include "rewrite/kernel/shown_difference.h"
#include "rewrite/layout/interface.h"
#include "rewrite/schedule/merged_cells.h"
#include "verify/equiv/sizes.h"
#include "verify/facts/facts.h"
#include "verify/prove/opaque_name.h"

namespace hexproof {
namespace {

constexpr uint64_t kMostWork = 8'000'000;  // statements and cells of all runs

/// Is there something in `e` that an obligation knows too little of: what is `open`, memory and variables, what was
/// bound to memory, or a function, of which no formula knows more than its name?
bool speaks_of_open_values(const Expr& e, const std::set<Var>& open) {
  bool found = false;
  visit_expr(e, [&](const Expr& node) {
    if (node->op == Op::Var) found |= node->var().is_any_value() || node->var().is_data() || open.count(node->var());
    if (node->op == Op::Load) found |= open.count(node->buffer()->data) > 0;
    found |= node->op == Op::Call || node->op == Op::Undef || (node->op == Op::Opaque && is_opaque_name(node->text()));
    return !found;
  });
  return found;
}

bool speaks_of_open_values(const Obligation& obligation, const PrimFunc& func) {
  std::set<Var> open = data_written(func.body);  // it may have changed
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const LetStmt* let = s.as<LetStmt>()) open.insert(let->var);  // without its value, where it stands by its name
    return true;
  });
  return speaks_of_open_values(obligation.goal, open) ||
         std::any_of(obligation.given.begin(), obligation.given.end(),
                     [&](const Expr& e) { return speaks_of_open_values(e, open); });
}

/// An input on which the step changes a result; nothing where none is found.
std::shared_ptr<const ShownDifference> difference(const RefusedStep& step) {
  try {
    ProgramPair pair = pair_programs(step.before, step.after, relation_request(step.interface_changes));
    const Evidence runs = equiv_runs(pair, {.max_work = kMostWork, .satisfy = satisfy_assumes}).evidence;
    std::optional<Counterexample> found = runs.input ? confirmed(pair, runs) : std::nullopt;
    if (!found) return nullptr;
    return std::make_shared<const ShownDifference>(ShownDifference{std::move(pair), *std::move(found)});
  } catch (const std::runtime_error&) {
    return nullptr;  // no such runs can be made
  }
}

/// The input of a model: what it has of the arguments' cells, and else zeros, or what `like` holds, as far as the
/// assumes let it; nothing where it is large, or no instance of the pair.
std::optional<PairInput> input_of(const ProgramPair& pair, const Answer& answer, const CellValue* like) {
  constexpr int64_t kMostCells = 1 << 22;
  const std::vector<int64_t> scalars = scalars_of(pair.before, answer);
  std::optional<Instance> at = instantiate(pair, scalars);
  if (!at) return std::nullopt;
  PairInput out{*std::move(at), {}, {}};
  const std::vector<Buffer> buffers = pair.before.buffer_params();
  for (size_t b = 0; b < buffers.size(); ++b) {
    const std::vector<int64_t>& shape = out.instance.before_shapes[b];
    Wide cells = 1;
    for (int64_t extent : shape) cells *= extent;  // `instantiate` keeps it small
    if (cells > kMostCells) return std::nullopt;
    out.before.push_back(make_tensor(buffers[b]->dtype, shape));
    if (!like || buffers[b]->dtype != like->buffer->dtype) continue;
    const auto bits = static_cast<uint64_t>(like->value);
    const auto bytes = static_cast<size_t>(buffers[b]->dtype.bytes());
    auto& data = out.before.back().data;
    for (size_t at = 0; at + bytes <= data.size(); at += bytes) std::memcpy(data.data() + at, &bits, bytes);
  }
  satisfy_assumes(pair.before, out.before, parameter_values(pair.before, scalars));
  for (size_t b = 0; b < buffers.size(); ++b) {
    Tensor& tensor = out.before[b];
    for (const CellValue& cell : answer.cells) {
      if (!(cell.buffer == buffers[b]) || cell.indices.size() != tensor.shape.size() || !tensor.dtype.is_scalar())
        continue;
      Wide at = 0;
      bool inside = true;
      for (size_t d = 0; d < tensor.shape.size(); ++d) {
        inside &= cell.indices[d] >= 0 && cell.indices[d] < tensor.shape[d];
        at = at * tensor.shape[d] + cell.indices[d];
      }
      const auto bytes = static_cast<size_t>(tensor.dtype.bytes());
      const auto bits = static_cast<uint64_t>(cell.value);
      if (inside) std::memcpy(tensor.data.data() + static_cast<size_t>(at) * bytes, &bits, bytes);
    }
  }
  out.after = pack_arguments(pair, out.instance, out.before, 1);
  return out;
}

/// Is the model an example: do runs of both programs on what it has of the arguments refute them?
bool is_example(const ProgramPair& pair, const Answer& answer, const CellValue* like) {
  constexpr uint64_t kMostSteps = 20'000'000;
  std::optional<PairInput> input = input_of(pair, answer, like);
  return input && refutes(pair, {.method = "tests", .finding = Finding::Refuted, .says = {}, .input = std::move(input)},
                          kMostSteps);
}

bool has_example(const RefusedStep& step, const Answer& answer) {
  constexpr size_t kValues = 4;
  try {
    const ProgramPair pair = pair_programs(step.before, step.after, relation_request(step.interface_changes));
    bool found = is_example(pair, answer, nullptr);
    for (size_t k = 0; !found && k < std::min(kValues, answer.cells.size()); ++k)
      found = answer.cells[k].buffer->dtype.is_scalar() && is_example(pair, answer, &answer.cells[k]);
    return found;
  } catch (const std::runtime_error&) {
    return false;  // no such runs can be made
  }
}

}  // namespace

Refused as_demonstrated(const Refused& refused) {
  const bool one_way = refused.obligation.one_way;
  if (!refused.step || (refused.answer.verdict != Verdict::Refuted && !one_way)) return refused;
  RefusedStep step = *refused.step;
  Answer answer = refused.answer;
  auto told = [&](Verdict verdict, std::string reason) {
    answer.verdict = verdict, answer.reason = std::move(reason);
    return Refused(refused.obligation, answer, std::make_shared<const RefusedStep>(step));
  };
  if (merges_cells(step, answer)) return told(Verdict::Refuted, {});
  // Values of arguments alone say more of the condition than any input on which runs differ.
  const bool open_values = one_way || speaks_of_open_values(refused.obligation, step.before) ||
                           speaks_of_open_values(refused.obligation, step.after);
  if (!open_values && has_example(step, answer)) return told(Verdict::Refuted, {});
  if ((step.shown = difference(step))) {
    answer.model = {}, answer.cells = {};
    return told(Verdict::Refuted, step.shown->found.table);
  }
  if (open_values && has_example(step, answer)) return told(Verdict::Refuted, {});
  if (one_way) return refused;
  return told(Verdict::Unknown, "no input was found on which runs of the programs before and after the step differ");
}

}  // namespace hexproof
