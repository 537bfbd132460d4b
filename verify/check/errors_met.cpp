#include "verify/check/errors_met.h"

#include <algorithm>
#include <tuple>

#include "ir/interpreter/fault.h"
#include "ir/text/text.h"
#include "verify/check/asked_errors.h"

namespace hexproof {

namespace {

constexpr size_t kShown = 32, kReplays = 48;  // of one function

/// Shape variables and scalars kept small, so that a replay is cheap: the smallest bound under which the obligation
/// still fails.
Answer small_model(const CheckContext& context, const CheckItem& q, const Answer& answer) {
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

Answer open_because(Answer answer, const std::string& why) {
  if (!answer.reason.empty()) answer.reason += "; ";
  answer.reason += why;
  answer.verdict = Verdict::Unknown;
  return answer;
}

}  // namespace

bool ErrorsMet::told(const Obligation& asked) const {
  return std::any_of(all_.begin(), all_.end(), [&](const Known& one) {
    const RunError& e = one.error.error;
    return same_place(e.span, e.statement, asked.where.span, asked.where.statement) && asks_about(asked, e.kind);
  });
}

bool ErrorsMet::is_false(const Stmt& assume) const {
  return std::any_of(all_.begin(), all_.end(), [&](const Known& one) {
    const RunError& e = one.error.error;
    return e.kind == ErrorKind::FalseAssume && !one.error.is_claim &&
           same_place(e.span, e.statement, assume->span, one_line(assume));
  });
}

bool ErrorsMet::add(const ErrorMet& error, bool answers) {
  const RunError& e = error.error;
  const bool told = std::any_of(all_.begin(), all_.end(), [&](const Known& one) {
    const RunError& other = one.error.error;
    // (An assume of a callee stands at one place of the text for all of its calls.)
    return same_place(e.span, e.statement, other.span, other.statement) && e.kind == other.kind &&
           (e.kind != ErrorKind::FalseAssume || e.stmt.get() == other.stmt.get());
  });
  if (told) return false;
  all_.push_back({error, answers});
  return true;
}

Answer ErrorsMet::replay(Replayer& replayer, const CheckContext& context, const CheckItem& question, Answer answer,
                         const std::string& about) {
  const auto known = std::find_if(
      all_.begin(), all_.end(), [&](const Known& one) { return is_error_of(context.func, question, one.error.error); });
  if (known != all_.end()) {
    if (known->answers) return open_because(std::move(answer), "not replayed: an error of this statement is told");
    known->answers = true;
    answer.verdict = Verdict::Refuted;
    return answer;
  }
  if (all_.size() >= kShown || replays_ >= kReplays) {
    return open_because(std::move(answer), "not replayed: more errors of one function are not looked for");
  }
  ++replays_;
  Answer model = answer.verdict == Verdict::Refuted ? small_model(context, question, answer) : answer;
  const Replayed shown = replayer.replay(question, model);
  if (!shown.met) return open_because(std::move(answer), "replay: " + shown.why);
  ErrorMet error = *shown.met;
  if (shown.asked) error.about = about;
  if (add(error, shown.asked)) replayer.tell(error.error);
  if (!shown.asked) return open_because(std::move(answer), "replay: " + shown.why);
  model.verdict = Verdict::Refuted;
  return model;
}

void ErrorsMet::replay_all(Replayer& replayer, const CheckContext& context, OpenItems& open, CheckReport* report) {
  for (auto& [question, answer] : open) {
    answer = replay(replayer, context, question, std::move(answer));
    report->obligations.push_back({question.obligation, answer});
  }
}

void ErrorsMet::add(const CheckReport& other, const std::function<void(ErrorMet*)>& change) {
  if (!other.met) return;
  std::vector<ErrorMet> all = {*other.met};
  all.insert(all.end(), other.met->others.begin(), other.met->others.end());
  all.front().others.clear();
  for (ErrorMet& one : all) {
    change(&one);
    add(one, true);
  }
}

void ErrorsMet::tell(CheckReport* report, const std::string& unasked) {
  report->finding = Finding::Refuted;
  report->counterexample.clear();
  // Those that a run of the whole meets first; else as they stand in the text.
  std::stable_sort(all_.begin(), all_.end(), [](const Known& a, const Known& b) {
    auto key = [](const ErrorMet& e) {
      return std::tuple(!e.behind.empty(), e.is_claim, e.error.span.line, e.error.span.column);
    };
    return key(a.error) < key(b.error);
  });
  ErrorMet first = all_.front().error;
  for (const Known& one : all_) {
    report->counterexample += (&one == all_.data() ? "" : "\n") + one.error.str();
    if (&one != all_.data()) first.others.push_back(one.error);
  }
  report->met = std::make_shared<const ErrorMet>(std::move(first));
  std::vector<const CheckedObligation*> open;
  for (const CheckedObligation& o : report->obligations) {
    if (o.answer.verdict == Verdict::Unknown && !told(o.obligation)) open.push_back(&o);
  }
  report->reason = unasked;
  if (open.empty()) return;
  if (!report->reason.empty()) report->reason += "\n";
  report->reason += std::to_string(open.size()) +
                    (open.size() == 1 ? " obligation stayed open:" : " obligations stayed open. The first one:");
  report->reason += "\n" + print(open.front()->obligation) + "\n" + open.front()->answer.reason;
}

}  // namespace hexproof
