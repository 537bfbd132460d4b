#include "verify/check/replay.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "ir/base/mutant.h"
#include "ir/evaluation.h"
#include "ir/float_format.h"
#include "ir/interpreter/arguments.h"
#include "ir/interpreter/fault.h"
#include "ir/interpreter/interpreter.h"
#include "ir/interpreter/scalar_ops.h"
#include "ir/layout/cells.h"
#include "ir/visit.h"
#include "verify/check/items/assumes_hold.h"
#include "verify/check/items/cells_read.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {

namespace {

constexpr uint64_t kSteps = 1'500'000;
constexpr int64_t kElements = int64_t{1} << 22;  // of all arguments together

/// The inputs: one value per scalar and shape variable.
class ReplayInputs {
 public:
  ReplayInputs(const PrimFunc& func, const Model& model) : func_(func) {
    std::set<Var> params;
    for (const Param& p : func.params) {
      if (!p.buffer) params.insert(p.var);
    }
    for (const Var& v : func.scalars()) values_[v] = int_scalar(v.dtype(), params.count(v) ? 1 : 4);
    for (const auto& [var, value] : model) {
      auto it = values_.find(var);
      if (it != values_.end()) it->second = int_scalar(var.dtype(), value);
    }
  }

  std::vector<int64_t> scalars() const {
    std::vector<int64_t> out;
    for (const Param& p : func_.params) {
      if (!p.buffer) out.push_back(values_.at(p.var).i());
    }
    return out;
  }

  /// Nothing when they would be too large, or have no shape, or when it is not known which cells hold a value.
  std::optional<std::vector<Tensor>> tensors(int kind) const {
    std::vector<Tensor> out;
    Wide total = 0;
    std::mt19937_64 random(static_cast<uint64_t>(kind) * 77 + 5);
    for (size_t k = 0; k < func_.params.size(); ++k) {
      const Buffer& b = func_.params[k].buffer;
      if (!b) continue;
      std::vector<int64_t> shape;
      Wide size = 1;
      for (const Expr& e : b->shape) {
        Wide extent = wide_value(evaluate(e, values_));
        if (extent < 0 || extent > kElements) return std::nullopt;
        size *= extent;
        if (size > kElements) return std::nullopt;
        shape.push_back(static_cast<int64_t>(extent));
      }
      total += size;
      if (total > kElements || !b->dtype.is_scalar()) return std::nullopt;
      out.push_back(make_tensor(b->dtype, shape));
      if (kind > 0) fill(&out.back(), kind, random);
      if (std::optional<ArgumentPadding> padding = argument_padding(func_, k)) {
        if (!leave_open(*padding, &out.back())) return std::nullopt;
      }
    }
    return out;
  }

  /// Padding that nobody filled holds no value. (A large tensor is left as it is: it shows fewer errors.) False where
  /// it is not known of a cell whether it is such padding.
  bool leave_open(const ArgumentPadding& padding, Tensor* tensor) const {
    if (tensor->size() > kElements / 64) return true;
    tensor->initialised.assign(static_cast<size_t>(tensor->size()), 1);
    Valuation scalars;
    for (const auto& [var, value] : values_) scalars.vars.emplace(var, wide_value(value));
    for (int64_t flat = 0; flat < tensor->size(); ++flat) {
      const std::optional<bool> open = padding.holds(scalars, index_of(flat, tensor->shape));
      if (!open) return false;
      tensor->initialised[static_cast<size_t>(flat)] = *open ? 0 : 1;
    }
    return true;
  }

  /// Is the memory that the function allocates small enough to be tried? What exceeds the limit is no memory at all: a
  /// run that gets there meets the error.
  bool small(const CheckContext& context) const {
    for (const auto& [data, memory] : context.memories) {
      std::optional<Wide> size = number(memory.elements);
      if (!size && !memory.strided) {
        size = 1;
        for (const Expr& e : memory.extents) {
          if (*size <= kElements) *size *= number(e).value_or(1);
        }
      }
      bool exists = size && *size * memory.dtype.bytes() * memory.dtype.lanes <= kMaxBufferBytes;
      if (exists && *size > kElements) return false;
    }
    return true;
  }

  /// By name.
  std::vector<std::pair<std::string, std::string>> shown() const {
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& [var, value] : values_) out.emplace_back(var.name(), to_string(wide_value(value)));
    return out;
  }
  const std::map<Var, Scalar>& values() const { return values_; }

 private:
  /// The value of `e`, where the scalars tell it.
  std::optional<Wide> number(const Expr& e) const {
    for (const Var& v : free_vars(e)) {
      if (!values_.count(v)) return std::nullopt;
    }
    if (is_data(e)) return std::nullopt;
    try {
      return wide_value(evaluate(e, values_));
    } catch (const Fault&) {
      return std::nullopt;
    }
  }

  static void fill(Tensor* tensor, int kind, std::mt19937_64& random) {
    DType type = tensor->dtype;
    for (int64_t i = 0; i < tensor->size(); ++i) {
      uint64_t r = random();
      int64_t small = static_cast<int64_t>(r % 9) - (type.is_uint() ? 0 : 3);
      uint8_t* at = tensor->data.data() + i * type.bytes();
      uint64_t bits = r;
      if (type.is_bool()) {
        bits = r & 1;
      } else if (type.is_float()) {
        double value =
            kind % 2 == 1 ? static_cast<double>(small) : static_cast<double>(static_cast<int64_t>(r)) / 65536.0;
        bits = float_to_raw(type, value);
      } else if (kind % 2 == 1) {
        bits = static_cast<uint64_t>(small);
      } else if (r % 4 == 0) {
        bits = static_cast<uint64_t>(static_cast<int64_t>(r % 8 < 4 ? min_value(type) : max_value(type)));
      }
      std::memcpy(at, &bits, static_cast<size_t>(type.bytes()));
    }
  }

  const PrimFunc& func_;
  std::map<Var, Scalar> values_;
};

/// Does memory decide whether the place is reached? (Facts alone do not tell: a condition on memory that changes on
/// the way is none of them.)
bool memory_decides(const PrimFunc& func, const Path& path) {
  bool found = false;
  walk_with_facts(func, [&](const Stmt& s, const Path& at, const Facts& facts) {
    if (at.size() > path.size() || !std::equal(at.begin(), at.end(), path.begin())) return false;
    if (at.size() == path.size()) return false;
    if (const If* branch = s.as<If>()) found |= is_data(facts.resolve(branch->condition));
    if (const For* loop = s.as<For>())
      found |= is_data(facts.resolve(loop->min)) || is_data(facts.resolve(loop->extent));
    if (const Block* block = s.as<Block>()) {
      if (block->predicate) found |= is_data(facts.resolve(block->predicate));
      for (const IterVar& iter : block->iters) {
        found |= is_data(facts.resolve(iter.binding)) && (block->predicate || block->init);
      }
    }
    return true;
  });
  return found;
}

/// The function with nothing but what stands around the place and the probe; nothing when memory decides on the way.
std::optional<PrimFunc> slice(const CheckContext& context, const CheckItem& q, const Model& model) {
  if (!q.probe || memory_decides(context.func, q.path)) return std::nullopt;
  Facts facts = facts_at(context.func, q.path);
  VarMap values;
  for (const auto& [var, value] : model) {
    if (var.dtype().is_integer() && fits_type(var.dtype(), value)) values.emplace(var, imm(var.dtype(), value));
  }
  Stmt body = q.probe;
  std::vector<Expr> conditions = facts.conditions;
  conditions.insert(conditions.end(), q.guards.begin(), q.guards.end());
  if (std::any_of(conditions.begin(), conditions.end(), is_data)) return std::nullopt;
  // What is bound and allocated on the way stands under the conditions, too: under all that do not speak of what is
  // bound inside.
  std::set<Var> inside;
  auto under_conditions = [&] {
    for (size_t i = conditions.size(); i-- > 0;) {
      const std::set<Var> vars = free_vars(conditions[i]);
      if (std::any_of(vars.begin(), vars.end(), [&](const Var& v) { return inside.count(v) > 0; })) continue;
      // (Of an assume no more is evaluated; a branch whose condition is in error is asked about by itself.)
      body = make_stmt(
          If{HEXPROOF_MUTANT("check/replay-evaluates-all", decided_in_order(conditions[i]), conditions[i]), body, {}},
          body->span);
    }
  };
  under_conditions();
  // From the place outwards: loops at their values, and the buffers that are declared on the way.
  std::vector<Stmt> around;
  Stmt at = context.func.body;
  for (int step : q.path) {
    around.push_back(at);
    at = children(at)[static_cast<size_t>(step)];
  }
  size_t loop = facts.loops.size();
  for (size_t i = around.size(); i-- > 0;) {
    if (around[i].as<For>()) {
      const LoopRange& range = facts.loops[--loop];
      if (is_data(range.min) || is_data(range.extent)) return std::nullopt;
      auto it = values.find(range.var);
      Expr value = it != values.end() ? it->second : range.min;
      Facts pinned;
      pinned.inlined.emplace(range.var, value);
      body = make_stmt(For{.var = range.var, .min = value, .extent = imm(value->dtype, 1), .body = body}, body->span);
      Expr runs = ge(range.extent, imm(range.extent->dtype, 1));
      std::vector<Expr> in = {runs};
      for (const Expr& e : range_of(range)) in.push_back(pinned.resolve(e));
      for (size_t k = in.size(); k-- > 0;) body = make_stmt(If{in[k], body, {}}, body->span);
      inside.insert(range.var);
      under_conditions();
    } else if (around[i].as<AllocBuffer>() || around[i].as<Allocate>() || around[i].as<DeclBuffer>()) {
      body = with_children(around[i], {body});
      under_conditions();
    }
  }
  PrimFunc out = context.func;
  out.body = body;
  return out;
}

bool same_place(const Span& a, const Span& b) { return a.line == b.line && a.column == b.column; }

/// Is it the error of an input that the program does not have to accept?
bool unmet_assume(const RunError& error) { return error.kind == ErrorKind::FalseAssume; }

struct ReplayAttempt {
  std::optional<RunError> error;
  std::string why;
  uint64_t steps = 0;
  bool passed = false;  // the whole run, without an error
};

ReplayAttempt attempt(const PrimFunc& func, const ReplayInputs& inputs, int kind, bool assume_counts) {
  try {
    std::optional<std::vector<Tensor>> tensors = inputs.tensors(kind);
    if (!tensors)
      return {std::nullopt,
              "no arguments could be made: they would be too large to run, or which of their cells hold a value is not "
              "known",
              kSteps};
    RunOptions options;
    options.max_steps = kSteps;
    RunResult result = run(func, *tensors, inputs.scalars(), options);
    if (result.error && (assume_counts || !unmet_assume(*result.error))) return {result.error, {}, result.steps};
    if (result.error) return {std::nullopt, "the inputs that were tried do not satisfy the assumes", result.steps};
    if (result.out_of_steps)
      return {std::nullopt, "the run stopped at its bound of " + std::to_string(kSteps) + " steps", result.steps};
    return {std::nullopt, "the runs that were tried met no error", result.steps, true};
  } catch (const Error& e) {
    return {std::nullopt, e.what(), kSteps};
  } catch (const Unsupported& e) {
    return {std::nullopt, e.what(), kSteps};
  } catch (const Fault& f) {
    return {std::nullopt, f.message, kSteps};
  }
}

/// Do the assumes that may run before the statement hold on the input that the scalars alone make? What stands alone
/// does not meet them.
bool assumes_hold(const CheckContext& context, const Path& path, const ReplayInputs& inputs) {
  const std::optional<PrimFunc> assumes = assumes_before(context.func, path);
  if (!assumes || !assumes->body) return assumes.has_value();
  std::optional<std::vector<Tensor>> tensors = inputs.tensors(0);
  if (!tensors) return false;
  RunOptions options;
  options.max_steps = kSteps;
  try {
    const RunResult result = run(*assumes, *tensors, inputs.scalars(), options);
    return !result.error && !result.out_of_steps;
  } catch (const std::runtime_error&) {
    return false;
  }
}

/// A false claim ends no run: it is one of those inputs alone that pass every assume, those behind the block, too.
bool satisfies_all(const CheckContext& context, const ReplayInputs& inputs) {
  if (assumes_hold(context, {}, inputs)) return true;
  if (!inputs.small(context)) return false;
  const ReplayAttempt whole = attempt(context.func, inputs, 0, true);
  return whole.error ? !unmet_assume(*whole.error) : whole.passed;
}

/// Does a stride or an offset of an argument name a variable of its own? Runs are made of compact arguments alone.
bool names_a_spacing(const PrimFunc& func) {
  std::set<Var> known;
  for (const Param& p : func.params) {
    if (!p.buffer) known.insert(p.var);
  }
  for (const Buffer& b : func.buffer_params()) {
    for (const Expr& e : b->shape) {
      if (e->op == Op::Var) known.insert(e->var());
    }
  }
  bool found = false;
  for (const Buffer& b : func.buffer_params()) {
    std::vector<Expr> spacing = b->strides;
    if (b->elem_offset) spacing.push_back(b->elem_offset);
    for (const Expr& e : spacing) {
      for (const Var& v : free_vars(e)) found |= !known.count(v);
    }
  }
  return found;
}

/// The error with the input that shows it. `kind`: of the tensors; below zero: the scalars alone show it.
Replayed met(const CheckContext& context, const CheckItem& q, RunError error, const ReplayInputs& inputs, int kind) {
  ErrorMet out{.error = std::move(error), .scalars = inputs.shown(), .cells = {}};
  out.is_claim = bool(q.demonstration);
  std::optional<std::vector<Tensor>> tensors = kind < 0 ? std::nullopt : inputs.tensors(kind);
  if (tensors && out.error.statement == q.obligation.where.statement) {
    out.cells = cells_read(context.func, inputs.values(), *tensors, q.path, out.error);
  }
  if (tensors) {
    const std::vector<Buffer> buffers = context.func.buffer_params();
    for (size_t k = 0; k < tensors->size(); ++k) {
      out.arguments.emplace_back(buffers[k]->name, std::move((*tensors)[k]));
    }
  }
  std::string text = out.str();
  return {true, text, std::make_shared<const ErrorMet>(std::move(out))};
}

}  // namespace

Replayed replay(const CheckContext& context, const CheckItem& question, const Answer& answer) {
  const Place& where = question.obligation.where;
  ReplayInputs inputs(context.func, answer.model);
  if (question.demonstration) {
    std::optional<PrimFunc> shown = question.demonstration(answer.model);
    if (!shown || memory_decides(context.func, question.path)) return {false, "the claim depends on memory"};
    ReplayInputs scalars(*shown, answer.model);
    ReplayAttempt a = attempt(*shown, scalars, 0, true);
    if (!a.error || !unmet_assume(*a.error)) return {false, a.error ? a.error->message : a.why};
    if (names_a_spacing(context.func)) return {false, "no run has the spacing of the arguments for which it is false"};
    if (!satisfies_all(context, inputs)) return {false, "no input is seen that satisfies the assumes"};
    a.error->message = "the claim is false: " + question.obligation.why;
    a.error->statement = where.statement;
    a.error->span = where.span;
    return met(context, question, *a.error, inputs, -1);
  }
  if (!inputs.small(context)) return {false, "the memory would be too large to run"};
  if (std::optional<PrimFunc> alone = slice(context, question, answer.model)) {
    ReplayAttempt a = attempt(*alone, inputs, 0, question.probe.as<Assume>() != nullptr);
    // The writes that would have come before are not in the slice.
    if (a.error && a.error->kind != ErrorKind::Uninitialised && assumes_hold(context, question.path, inputs)) {
      a.error->statement = where.statement;
      a.error->span = where.span;
      return met(context, question, *a.error, inputs, 0);
    }
  }
  std::string why;
  const bool wants_assume =
      question.obligation.rule == "check-assume" || question.obligation.kind == ObligationKind::CalleeAssume;
  uint64_t steps = 0;
  for (int round = 0; round < 80; ++round) {
    int kind = round < 2 ? 1 - round : round;  // small values first, then zeros, then small and large ones in turn
    ReplayAttempt a = attempt(context.func, inputs, kind, wants_assume);
    if (a.error && wants_assume && unmet_assume(*a.error) && !same_place(a.error->span, where.span)) {
      a.why = "the inputs that were tried do not satisfy the other assumes";
      a.error.reset();
    }
    if (a.error) return met(context, question, *a.error, inputs, kind);
    why = a.why;
    steps += a.steps;
    if (kind >= 2 && steps > kSteps / 8) break;  // more contents are tried only where a run is short
  }
  return {false, why};
}

}  // namespace hexproof
