#include "verify/check/replay.h"

#include <algorithm>

#include "ir/base/mutant.h"
#include "ir/evaluation.h"
#include "ir/interpreter/fault.h"
#include "ir/visit.h"
#include "verify/check/asked_errors.h"
#include "verify/check/items/assumes_hold.h"
#include "verify/check/items/cells_read.h"
#include "verify/check/replay_inputs.h"

namespace hexproof {

bool memory_decides(const PrimFunc& func, const Path& path, const std::function<bool(const Expr&)>& open) {
  bool found = false;
  walk_with_facts(func, [&](const Stmt& s, const Path& at, const Facts& facts) {
    if (at.size() > path.size() || !std::equal(at.begin(), at.end(), path.begin())) return false;
    if (at.size() == path.size()) return false;
    if (const If* branch = s.as<If>()) found |= open(facts.resolve(branch->condition));
    if (const For* loop = s.as<For>()) found |= open(facts.resolve(loop->min)) || open(facts.resolve(loop->extent));
    if (const Block* block = s.as<Block>()) {
      if (block->predicate) found |= open(facts.resolve(block->predicate));
      const bool decides = HEXPROOF_MUTANT("check/domains-decide-nothing", bool(block->init), false);
      for (const IterVar& iter : block->iters) {
        found |= open(facts.resolve(iter.binding)) && (block->predicate || block->init);
        if (decides && iter.kind == IterKind::Reduce) found |= open(facts.resolve(iter.dom.min));
      }
    }
    return true;
  });
  return found;
}

namespace {

constexpr uint64_t kSteps = 1'500'000;
constexpr uint64_t kStepsPast = 4'000'000, kAllStepsPast = 12'000'000;  // of one run past its errors; of a function

/// Where the probe of a slice stands: at no place of the text. An error anywhere else is of what the slice evaluates on
/// the way, which the program may evaluate in another order or not at all.
const Span kProbe{.file = {}, .line = -1, .column = 1};
bool is_of_probe(const Span& span) {
  return HEXPROOF_MUTANT("check/slice-errs-on-the-way", !span.file && span.line == kProbe.line, true);
}

Stmt placed_at(const Stmt& stmt, const Span& span) {
  std::vector<Stmt> parts = children(stmt);
  for (Stmt& part : parts) part = placed_at(part, span);
  return Stmt(std::make_shared<const StmtNode>(StmtNode{with_children(stmt, parts)->record, span}));
}

/// The function with nothing but what stands around the place and the probe; nothing when memory decides on the way.
std::optional<PrimFunc> slice(const CheckContext& context, const CheckItem& q, const Model& model) {
  if (!q.probe || memory_decides(context.func, q.path)) return std::nullopt;
  Facts facts = facts_at(context.func, q.path);
  VarMap values;
  for (const auto& [var, value] : model) {
    if (var.dtype().is_integer() && fits_type(var.dtype(), value)) values.emplace(var, imm(var.dtype(), value));
  }
  Stmt body = placed_at(q.probe, kProbe);
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
          If{HEXPROOF_MUTANT("check/replay-evaluates-all", decided_in_order(conditions[i]), conditions[i]), body, {}});
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
      body = make_stmt(For{.var = range.var, .min = value, .extent = imm(value->dtype, 1), .body = body});
      Expr runs = ge(range.extent, imm(range.extent->dtype, 1));
      std::vector<Expr> in = {runs};
      for (const Expr& e : range_of(range)) in.push_back(pinned.resolve(e));
      for (size_t k = in.size(); k-- > 0;) body = make_stmt(If{in[k], body, {}});
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

/// Is it the error of an input that the program does not have to accept?
bool unmet_assume(const RunError& error) { return error.kind == ErrorKind::FalseAssume; }

ReplayAttempt attempt(const PrimFunc& func, const ReplayInputs& inputs, int kind) {
  try {
    std::optional<std::vector<Tensor>> tensors = inputs.tensors(kind);
    if (!tensors)
      return {std::nullopt,
              "no arguments could be made: they would be too large to run, have vectors as elements, or which of their "
              "cells hold a value is not known",
              kSteps};
    RunOptions options;
    options.max_steps = kSteps;
    RunResult result = run(func, *tensors, inputs.scalars(), options);
    if (result.error) return {result.error, {}, result.steps};
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
  const ReplayAttempt whole = attempt(context.func, inputs, 0);
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
std::shared_ptr<ErrorMet> met(const CheckContext& context, const CheckItem& q, RunError error,
                              const ReplayInputs& inputs, int kind) {
  auto out = std::make_shared<ErrorMet>(ErrorMet{.error = std::move(error), .scalars = inputs.shown(), .cells = {}});
  out->is_claim = bool(q.demonstration);
  std::optional<std::vector<Tensor>> tensors = kind < 0 ? std::nullopt : inputs.tensors(kind);
  if (tensors && out->error.statement == q.obligation.where.statement) {
    out->cells = cells_read(context.func, inputs.values(), *tensors, q.path, out->error);
  }
  if (tensors) {
    const std::vector<Buffer> buffers = context.func.buffer_params();
    for (size_t k = 0; k < tensors->size(); ++k) {
      out->arguments.emplace_back(buffers[k]->name, std::move((*tensors)[k]));
    }
  }
  return out;
}

bool asks_of_assume(const CheckItem& q) {
  return q.obligation.rule == "check-assume" || q.obligation.kind == ObligationKind::CalleeAssume;
}

}  // namespace

bool is_error_of(const PrimFunc& func, const CheckItem& question, const RunError& error) {
  const Place& where = question.obligation.where;
  if (!asks_about(question.obligation, error.kind)) return false;
  // (What is linked in twice stands twice, at one place of the text.)
  if (question.obligation.kind == ObligationKind::CalleeAssume)
    return error.stmt.get() == stmt_at(func, question.path).get();
  if (same_place(error.span, error.statement, where.span, where.statement)) return true;
  if (error.kind != ErrorKind::Race) return false;
  bool inside = false;
  visit_stmt(stmt_at(func, question.path), [&](const Stmt& s) {
    inside |= same_place(error.span, error.statement, s->span, error.span ? "" : one_line(s));
    return !inside;
  });
  return inside;
}

Replayed Replayer::replay(const CheckItem& question, const Answer& answer) {
  const Place& where = question.obligation.where;
  const ReplayInputs of_model(context_.func, answer.model);
  if (question.demonstration) {
    std::optional<PrimFunc> shown = question.demonstration(answer.model);
    if (!shown || memory_decides(context_.func, question.path)) return {.why = "the claim depends on memory"};
    ReplayInputs scalars(*shown, answer.model);
    ReplayAttempt a = attempt(*shown, scalars, 0);
    if (!a.error || !unmet_assume(*a.error)) return {.why = a.error ? a.error->message : a.why};
    if (names_a_spacing(context_.func)) return {.why = "no run has the spacing of the arguments for which it is false"};
    if (!satisfies_all(context_, of_model)) return {.why = "no input is seen that satisfies the assumes"};
    a.error->message = "the claim is false: " + question.obligation.why;
    a.error->statement = where.statement;
    a.error->span = where.span;
    a.error->stmt = stmt_at(context_.func, question.path);
    return {.met = met(context_, question, *a.error, of_model, -1), .asked = true};
  }
  const ReplayInputs inputs = of_model.with_layouts();
  if (!inputs.small(context_)) return {.why = "the memory would be too large to run"};
  if (std::optional<PrimFunc> alone = slice(context_, question, answer.model)) {
    ReplayAttempt a = attempt(*alone, inputs, 0);
    if (a.error && is_of_probe(a.error->span) && asks_about(question.obligation, a.error->kind) &&
        assumes_hold(context_, question.path, inputs)) {
      a.error->statement = where.statement;
      a.error->span = where.span;
      a.error->stmt = stmt_at(context_.func, question.path);
      return {.met = met(context_, question, *a.error, inputs, 0), .asked = true};
    }
  }
  return whole(question, inputs);
}

bool Replayer::is_passed_over(const RunError& error) const {
  return unmet_assume(error) && false_assumes_.count(error.stmt.get()) > 0;
}

bool Replayer::is_told(const RunError& error) const {
  return std::any_of(told_.begin(), told_.end(),
                     [&](const RunError& e) { return same_place(error.span, error.statement, e.span, e.statement); });
}

Replayed Replayer::whole(const CheckItem& question, const ReplayInputs& inputs) {
  constexpr int kRounds = 80, kRoundsToOther = 8;
  const CheckContext& context = context_;
  std::string why;
  uint64_t steps = 0;
  std::optional<std::pair<RunError, int>> other;
  for (int round = 0; round < (other ? kRoundsToOther : kRounds); ++round) {
    int kind = round < 2 ? 1 - round : round;  // small values first, then zeros, then small and large ones in turn
    const ReplayAttempt& a = run_of(inputs, kind);
    if (a.error && is_error_of(context.func, question, *a.error)) {
      return {.met = met(context, question, *a.error, inputs, kind), .asked = true};
    }
    why = a.why;
    if (a.error && unmet_assume(*a.error) && !is_passed_over(*a.error)) {
      why = std::string("the inputs that were tried do not satisfy the ") +
            (asks_of_assume(question) ? "other assumes" : "assumes");
    } else if (a.error && !other) {
      other.emplace(*a.error, kind);
    }
    steps += a.steps;
    if (kind >= 2 && steps > kSteps / 8) break;  // more contents are tried only where a run is short
  }
  if (!other) return {.why = why};
  // Every run that gets far enough ends before.
  bool out_of_steps = false;
  for (int kind : {other->second, 1, 0, 2, 3}) {
    const PastErrors& past = past_errors(inputs, kind);
    out_of_steps |= past.out_of_steps;
    for (size_t k = 0; k < past.errors.size(); ++k) {
      const RunError& error = past.errors[k];
      // (That memory goes away too early is met elsewhere than where the copy stands.)
      const bool in_flight =
          error.kind == ErrorKind::InFlight && asks_about(question.obligation, error.kind) && !is_told(error);
      if (!in_flight && !is_error_of(context.func, question, error)) continue;
      std::shared_ptr<ErrorMet> out = met(context, question, error, inputs, kind);
      for (size_t j = 0; j < k; ++j) out->behind.push_back(past.errors[j].span);
      return {.met = std::move(out), .asked = true};
    }
  }
  const std::string first = other->first.span ? " at " + other->first.span.str() : ": " + other->first.statement;
  why = "the error" + first + " comes first in the runs that were tried, and past it they " +
        (out_of_steps ? "stopped at their bound of steps" : "did not meet this one");
  if (is_passed_over(other->first)) return {.why = why};
  return {.met = met(context, question, other->first, inputs, other->second), .why = why};
}

const ReplayAttempt& Replayer::run_of(const ReplayInputs& inputs, int kind) {
  const auto [it, fresh] = runs_.try_emplace({inputs.shown(), kind});
  if (fresh) it->second = attempt(context_.func, inputs, kind);
  return it->second;
}

const PastErrors& Replayer::past_errors(const ReplayInputs& inputs, int kind) {
  static const PastErrors none{.errors = {}, .out_of_steps = true};
  const std::pair key{inputs.shown(), kind};
  if (auto it = past_.find(key); it != past_.end()) return it->second;
  if (steps_past_ >= kAllStepsPast) return none;
  PastErrors& out = past_[key];
  try {
    const std::optional<std::vector<Tensor>> tensors = inputs.tensors(kind);
    if (!tensors) return out;
    out = run_past_errors(context_.func, *tensors, inputs.scalars(), {.max_steps = kStepsPast}, false_assumes_);
    steps_past_ += out.steps;
  } catch (const Error&) {
    return out;
  } catch (const Unsupported&) {
    return out;
  } catch (const Fault&) {
    return out;
  }
  return out;
}

}  // namespace hexproof
