#include "verify/check/check.h"

#include <fmt/format.h>

#include <optional>

#include "ir/base/mutant.h"
#include "ir/link/link.h"
#include "verify/check/check_item.h"
#include "verify/check/errors_met.h"
#include "verify/check/items/clashing.h"
#include "verify/prove/effort.h"
#include "verify/prove/interrupted.h"
#include "verify/prove/open_rounding.h"
#include "verify/prove/vacuous.h"

namespace hexproof {

namespace {

/// Answers the questions; what is not proved goes to `open`.
void answer_all(CheckContext& context, const std::vector<CheckItem>& questions,
                std::vector<CheckedObligation>* answered, OpenItems* open) {
  std::vector<Obligation> obligations;
  obligations.reserve(questions.size());
  for (const CheckItem& q : questions) obligations.push_back(q.obligation);
  std::vector<Answer> answers = context.prover.prove_all(obligations);
  for (size_t i = 0; i < questions.size(); ++i) {
    if (answers[i].verdict == Verdict::Proved) {
      answered->push_back({std::move(obligations[i]), std::move(answers[i])});
    } else if (!questions[i].instead.empty()) {
      answer_all(context, questions[i].instead, answered, open);
    } else if (questions[i].obligation.kind == ObligationKind::WholeView) {
      continue;  // nothing is accessed through it
    } else {
      open->emplace_back(questions[i], std::move(answers[i]));
    }
  }
}

/// What rests on a contradiction says so.
void add_unreachable(Prover& prover, CheckReport* report) {
  std::vector<Obligation> asked;
  for (const CheckedObligation& o : report->obligations) asked.push_back(o.obligation);
  for (Obligation& o : unreachable_places(asked)) {
    Answer answer = prover.prove(o);
    if (answer.verdict == Verdict::Proved) report->obligations.push_back({std::move(o), std::move(answer)});
  }
}

/// Asks of a function, phase by phase. Each phase has all that the ones before it asked given. Where that is refuted,
/// the later ones are asked for the errors that they find; what they prove then shows nothing, and is left out.
class Judge {
 public:
  Judge(const PrimFunc& func, const PrimFunc& meets, Prover& prover)
      : func_(func), meets_(meets), prover_(prover), context_(survey(func, prover)), replayer_(context_) {
    report_.program = func;
  }

  CheckReport report() && {
    try {
      ask();
    } catch (const Unsupported& e) {
      if (errors_.any()) {
        errors_.tell(&report_, std::string("not all was asked: ") + e.what());
      } else {
        report_.finding = Finding::Unsupported;
        report_.reason = e.what();
      }
    } catch (const OutOfTime& e) {
      if (!errors_.any() || work_is_interrupted) throw;
      errors_.tell(&report_, std::string("not all was asked: ") + e.what());
    }
    return std::move(report_);
  }

 private:
  void ask() {
    AssumeFinding assumes = check_assumes(context_);
    report_.obligations = std::move(assumes.answered);
    std::set<const void*> refuted;
    for (const auto& [q, answer] : assumes.refuted) {
      const Stmt assume = stmt_at(func_, q.path);
      refuted.insert(assume.as<Assume>()->condition.get());
      replayer_.pass_over(assume);
    }
    replay(replayer_, context_, assumes.refuted);
    if (!errors_.any() && assumes.always) {
      report_.finding = Finding::Vacuous;
      report_.reason = assumes.vacuous;
      report_.clashing = assumes.clashing;
      report_.always_clashing = assumes.always;
      return;
    }
    if (!errors_.any()) {
      ask_rest(context_, meets_, std::move(assumes.refuted));
      // Executions that do not get there count: what is behind it alone is proved of none.
      if (report_.finding == Finding::Proved) report_.reason = assumes.vacuous;
      return;
    }
    // Behind an assume that is false wherever it runs all would hold.
    const PrimFunc rest = without_assumes(func_, refuted), meets = without_assumes(meets_, refuted);
    CheckContext context = survey(rest, prover_);
    ask_rest(context, meets, std::move(assumes.refuted));
  }

  /// `context` and `meets`: of the two programs, without the assumes that are refuted.
  void ask_rest(CheckContext& context, const PrimFunc& meets, OpenItems refuted_assumes) {
    const bool same = &meets_ == &func_;
    ask_layouts(context);
    ask_safety(context);
    OpenItems open, undecided;
    answer(context, &open);
    replay(replayer_, context_, open);
    undecided = std::move(open);
    // The verdict is known: what else is wrong is looked for with little effort.
    constexpr uint64_t kUnitsBehindAnError = 300'000;
    std::optional<Allowance> little;
    if (errors_.any()) little.emplace(kUnitsBehindAnError);

    context.questions.clear();
    std::optional<CheckContext> other;
    CheckContext& met = same ? context : other.emplace(survey(meets, prover_));
    // (What the accesses evaluate on their way is evaluated by the reads of `func`, which stand in their place.)
    ask_races(met);
    ask_claims(met);
    ask_in_flight(met);
    open.clear();
    answer(met, &open);
    if (!same) {
      const CheckContext all = survey(meets_, prover_);
      Replayer replayer(all);
      replay(replayer, all, open);
      undecided.insert(undecided.end(), std::make_move_iterator(open.begin()), std::make_move_iterator(open.end()));
      open.clear();
    }
    std::vector<CheckedObligation> rests;
    prove_initialised(context, errors_.any() ? &rests : &report_.obligations, &open);
    replay(replayer_, context_, open);
    undecided.insert(undecided.end(), open.begin(), open.end());
    undecided.insert(undecided.end(), refuted_assumes.begin(), refuted_assumes.end());
    conclude(context, undecided);
  }

  void answer(CheckContext& context, OpenItems* open) {
    std::vector<CheckedObligation> rests;
    answer_all(context, context.questions, errors_.any() ? &rests : &report_.obligations, open);
  }

  void replay(Replayer& replayer, const CheckContext& context, OpenItems& open) {
    errors_.replay_all(replayer, context, open, &report_);
  }

  void conclude(const CheckContext& context, const OpenItems& undecided) {
    if (errors_.any()) {
      errors_.tell(&report_, context.unsupported.empty() ? "" : "not all was asked: " + context.unsupported);
    } else if (!context.unsupported.empty()) {
      report_.finding = Finding::Unsupported;
      report_.reason = context.unsupported;
    } else if (!undecided.empty()) {
      const auto& [q, answer] = undecided.front();
      report_.finding = Finding::Undecided;
      report_.reason = fmt::format("{} of {} obligations stayed open. The first one:\n{}\n{}", undecided.size(),
                                   report_.obligations.size(), print(q.obligation), answer.reason);
    } else {
      add_unreachable(prover_, &report_);
      report_.finding = Finding::Proved;
      for (const CheckedObligation& o : report_.obligations) {
        if (o.answer.verdict == Verdict::Proved) continue;
        report_.finding = Finding::Undecided;
        report_.reason = print(o.obligation) + "\n" + o.answer.reason;
        break;
      }
    }
  }

  const PrimFunc& func_;
  const PrimFunc& meets_;
  Prover& prover_;
  CheckContext context_;
  Replayer replayer_;
  ErrorsMet errors_;
  CheckReport report_;
};

}  // namespace

CheckReport check(const PrimFunc& func, Prover& prover) { return check(func, func, prover); }

CheckReport check(const PrimFunc& func, const PrimFunc& meets, Prover& prover) {
  demand_no_calls(func);
  OpenRoundingScope rounding(open_rounding_of(func));
  return Judge(func, meets, prover).report();
}

std::vector<Obligation> claims_hold(const PrimFunc& func, const Path& path) {
  Prover unasked;
  CheckContext context = survey(func, unasked);
  ask_claims(context);
  std::vector<Obligation> out;
  for (CheckItem& q : context.questions) {
    if (is_at_or_below(q.path, path)) out.push_back(std::move(q.obligation));
  }
  return out;
}

std::vector<Obligation> free_of_errors(const PrimFunc& func, const Path& path) {
  Prover unasked;
  CheckContext context = survey(func, unasked);
  ask_safety(context);
  ask_races(context);
  if (!context.unsupported.empty()) {
    throw Unsupported(func.span, "a construct that is not modelled: " + context.unsupported);
  }
  std::vector<Obligation> out;
  for (CheckItem& q : context.questions) {
    bool race = q.obligation.rule == "check-race";
    // A view may be declared around the statement, and reached inside of it.
    for (CheckItem& one : q.instead) {
      if (is_at_or_below(one.path, path)) out.push_back(std::move(one.obligation));
    }
    if (!q.instead.empty() || (!is_at_or_below(q.path, path) && !(race && is_at_or_below(path, q.path)))) continue;
    out.push_back(std::move(q.obligation));
  }
  for (Obligation& o : initialised_at(context, path)) out.push_back(std::move(o));
  return out;
}

std::vector<Obligation> reads_find_values(const PrimFunc& func) {
  Prover unasked;
  CheckContext context = survey(func, unasked);
  return initialised_at(context, {});
}

}  // namespace hexproof
