#include "verify/check/check.h"

#include <fmt/format.h>

#include <optional>

#include "ir/base/mutant.h"
#include "ir/link/link.h"
#include "verify/check/check_item.h"
#include "verify/check/replay.h"
#include "verify/memory/argument_padding.h"
#include "verify/prove/open_rounding.h"
#include "verify/prove/vacuous.h"

namespace hexproof {

namespace {

using Open = std::vector<std::pair<CheckItem, Answer>>;

/// Shape variables and scalars kept small, so that a replay is cheap: the smallest bound under which the obligation
/// still fails.
Answer small_model(CheckContext& context, const CheckItem& q, const Answer& answer) {
  std::vector<Var> scalars = context.func.scalars();
  if (scalars.empty()) return answer;
  for (int64_t bound : {6, 40, 3000}) {
    Obligation o = q.obligation;
    for (const Var& v : scalars) {
      if (!v.dtype().is_integer() || v.dtype().bits < 16) continue;
      o.given.push_back(le(Expr(v), imm(v.dtype(), bound)));
      if (v.dtype().is_int()) o.given.push_back(ge(Expr(v), imm(v.dtype(), -bound)));
    }
    Answer smaller = context.prover.prove(o);
    if (smaller.verdict == Verdict::Refuted) return smaller;
  }
  return answer;
}

/// Answers the questions; what is not proved goes to `open`.
void answer_all(CheckContext& context, const std::vector<CheckItem>& questions,
                std::vector<CheckedObligation>* answered, Open* open) {
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

/// Errors of one function, each at a place of its own.
class ErrorsMet {
 public:
  /// Is there nothing yet at the place of the question?
  bool wanted(const CheckItem& q) const {
    if (all_.empty()) return true;
    return all_.size() < kShown && q.obligation.where.span &&
           std::none_of(all_.begin(), all_.end(),
                        [&](const ErrorMet& e) { return same_place(e.error.span, q.obligation.where.span); });
  }
  /// The first one may be any; another one must be that of the question: a run ends at the first error that it meets.
  bool add(const CheckItem& q, const Replayed& shown) {
    if (!shown.error || !shown.met) return false;
    if (!all_.empty() && !same_place(shown.met->error.span, q.obligation.where.span)) return false;
    text_ += (text_.empty() ? "" : "\n") + shown.text;
    all_.push_back(*shown.met);
    return true;
  }
  bool empty() const { return all_.empty(); }
  void tell(CheckReport* report) const {
    report->finding = Finding::Refuted;
    report->counterexample = text_;
    ErrorMet first = all_.front();
    first.others.assign(all_.begin() + 1, all_.end());
    report->met = std::make_shared<const ErrorMet>(std::move(first));
  }

 private:
  static constexpr size_t kShown = 8;
  static bool same_place(const Span& a, const Span& b) { return a.line == b.line && a.column == b.column; }
  std::vector<ErrorMet> all_;
  std::string text_;
};

/// Replays what is open. True when an error was met: the report is a refutation then.
bool refute(CheckContext& context, Open& open, CheckReport* report) {
  constexpr size_t kReplays = 12;
  size_t replays = 0;
  ErrorsMet met;
  for (auto& [q, answer] : open) {
    if (met.wanted(q) && replays < kReplays) {
      ++replays;
      Answer model = answer.verdict == Verdict::Refuted ? small_model(context, q, answer) : answer;
      Replayed shown = replay(context, q, model);
      if (met.add(q, shown)) {
        model.verdict = Verdict::Refuted;
        answer = model;
      } else {
        if (!answer.reason.empty()) answer.reason += "; ";
        answer.reason += "replay: " + (shown.error ? "another error comes first" : shown.text);
        answer.verdict = Verdict::Unknown;
      }
    } else {
      if (answer.verdict == Verdict::Refuted) answer.reason = "not replayed";
      answer.verdict = Verdict::Unknown;
    }
    report->obligations.push_back({q.obligation, answer});
  }
  if (met.empty()) return false;
  met.tell(report);
  return true;
}

}  // namespace

namespace {

/// What rests on a contradiction says so.
void add_unreachable(Prover& prover, CheckReport* report) {
  std::vector<Obligation> asked;
  for (const CheckedObligation& o : report->obligations) asked.push_back(o.obligation);
  for (Obligation& o : unreachable_places(asked)) {
    Answer answer = prover.prove(o);
    if (answer.verdict == Verdict::Proved) report->obligations.push_back({std::move(o), std::move(answer)});
  }
}

}  // namespace

CheckReport check(const PrimFunc& func, Prover& prover) { return check(func, func, prover); }

CheckReport check(const PrimFunc& func, const PrimFunc& meets, Prover& prover) {
  demand_no_calls(func);
  OpenRoundingScope rounding(open_rounding_of(func));
  CheckReport report;
  report.program = func;
  CheckContext context = survey(func, prover);
  try {
    AssumeFinding assumes = check_assumes(context);
    report.obligations = std::move(assumes.answered);
    if (!assumes.refuted.empty() && refute(context, assumes.refuted, &report)) return report;
    if (!assumes.vacuous.empty()) {
      report.finding = Finding::Vacuous;
      report.reason = assumes.vacuous;
      report.clashing = assumes.clashing;
      report.always_clashing = assumes.always;
      return report;
    }
    ask_layouts(context);
    ask_safety(context);
    Open open;
    answer_all(context, context.questions, &report.obligations, &open);
    if (refute(context, open, &report)) return report;
    Open undecided = std::move(open);

    context.questions.clear();
    std::optional<CheckContext> other;
    CheckContext& met = &meets == &func ? context : other.emplace(survey(meets, prover));
    // (What the accesses evaluate on their way is evaluated by the reads of `func`, which stand in their place.)
    ask_races(met);
    ask_claims(met);
    ask_in_flight(met);
    open.clear();
    answer_all(met, met.questions, &report.obligations, &open);
    if (&meets != &func) {
      if (refute(met, open, &report)) return report;
      undecided.insert(undecided.end(), std::make_move_iterator(open.begin()), std::make_move_iterator(open.end()));
      open.clear();
    }
    prove_initialised(context, &report.obligations, &open);
    if (refute(context, open, &report)) return report;
    undecided.insert(undecided.end(), open.begin(), open.end());
    undecided.insert(undecided.end(), assumes.refuted.begin(), assumes.refuted.end());

    if (!context.unsupported.empty()) {
      report.finding = Finding::Unsupported;
      report.reason = context.unsupported;
    } else if (!undecided.empty()) {
      const auto& [q, answer] = undecided.front();
      report.finding = Finding::Undecided;
      report.reason = fmt::format("{} of {} obligations stayed open. The first one:\n{}\n{}", undecided.size(),
                                  report.obligations.size(), print(q.obligation), answer.reason);
    } else {
      add_unreachable(prover, &report);
      report.finding = Finding::Proved;
      for (const CheckedObligation& o : report.obligations) {
        if (o.answer.verdict == Verdict::Proved) continue;
        report.finding = Finding::Undecided;
        report.reason = print(o.obligation) + "\n" + o.answer.reason;
        break;
      }
    }
  } catch (const Unsupported& e) {
    report.finding = Finding::Unsupported;
    report.reason = e.what();
  }
  return report;
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
