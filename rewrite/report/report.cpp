#include "rewrite/report/report.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "ir/base/digest.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/report/counterexample.h"
#include "verify/prove/model_value.h"
#include "verify/prove/vacuous.h"

namespace hexproof {

std::string_view to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::Proved:
      return "proved";
    case Verdict::Refuted:
      return "refuted";
    case Verdict::Unknown:
      return "unknown";
  }
  internal_error(__FILE__, __LINE__, "no such verdict");
}

std::string obligation_file(const Obligation& obligation) { return formula_file(sha256(to_smtlib(obligation))); }

namespace {
constexpr std::string_view kBySat = "\n; sat means that it can hold\n", kByUnsat = "\n; unsat means proved\n";
}

std::string formula_text(const Obligation& obligation) {
  return "; " + obligation.rule + ": " + obligation.why + std::string(asks_for_values(obligation) ? kBySat : kByUnsat) +
         to_smtlib(obligation);
}

bool is_shown_by_sat(const std::string& formula) {
  const size_t line = std::min(formula.find('\n'), formula.size());
  return std::string_view(formula).substr(line).starts_with(kBySat);
}

Json to_json(const Obligation& obligation, const Answer& answer, const GivenModels* models) {
  Json out;
  out["rule"] = obligation.rule;
  out["why"] = obligation.why;
  out["function"] = obligation.where.function;
  out["statement"] = obligation.where.statement;
  if (obligation.where.span) out["line"] = obligation.where.span.line, out["column"] = obligation.where.span.column;
  // By one set of names: a variable is called the same in what is given and in the goal.
  const Obligation named = with_canonical_names(obligation);
  std::vector<Expr> formulas = {named.goal};
  formulas.insert(formulas.end(), named.given.begin(), named.given.end());
  std::vector<std::string> texts = print_over({}, formulas).exprs;
  out["goal"] = texts.front();
  texts.erase(texts.begin());
  if (!texts.empty()) out["given"] = texts;
  out["verdict"] = to_text(answer.verdict);
  out["solver"] = answer.solver;
  out["rlimit"] = answer.rlimit;
  if (!answer.reason.empty()) out["reason"] = answer.reason;
  if (!answer.model.empty()) {
    Json values = Json::object();
    for (const auto& [var, value] : answer.model) values[var.name()] = text_of_model(var.dtype(), value);
    out["values"] = values;
  }
  if (models) {
    if (std::optional<size_t> number = models->number_of(obligation)) out["given_model"] = *number;
  }
  try {
    out["smtlib"] = obligation_file(obligation);
  } catch (const Error&) {
    // A formula with what is not modelled, as vectors, has no file, and no solver was asked.
  }
  return out;
}

Json to_json(const CheckReport& report, const GivenModels* models) {
  Json out;
  out["finding"] = to_text(report.finding);
  if (!report.counterexample.empty()) out["counterexample"] = report.counterexample;
  if (report.finding != Finding::Proved) out["code"] = info(code_of(report)).id;
  if (report.met) {
    out["error_met"] = to_json(*report.met);
    for (const ErrorMet& one : report.met->others) out["other_errors"].push_back(to_json(one));
  }
  if (!report.clashing.empty()) out["clashing"] = clashing_json(report);
  if (!report.reason.empty()) out["reason"] = report.reason;
  out["obligations"] = Json::array();
  for (const CheckedObligation& o : report.obligations) {
    out["obligations"].push_back(to_json(o.obligation, o.answer, models));
  }
  return out;
}

namespace {
std::string shape_of(const Buffer& buffer) {
  std::string out = "(";
  for (size_t i = 0; i < buffer->shape.size(); ++i) out += (i ? ", " : "") + print(buffer->shape[i]);
  return out + ")";
}
}  // namespace

Json to_json(const Args& args) {
  Json out = Json::object();
  for (const auto& [name, value] : args) {
    out[name] =
        std::visit(match{[](int64_t v) { return Json(v); }, [](const std::string& v) { return Json(v); },
                         [](const Expr& v) { return Json(print(v)); }, [](const IndexMap& v) { return Json(print(v)); },
                         [](const Path& v) { return Json(v); }, [](const Var& v) { return Json(print(Expr(v))); },
                         [](const Buffer& v) { return Json(v->name); },
                         [](const std::vector<Expr>& list) {
                           Json all = Json::array();
                           for (const Expr& e : list) all.push_back(print(e));
                           return all;
                         },
                         [](const std::vector<Path>& list) { return Json(list); },
                         [](const std::vector<Var>& list) {
                           Json all = Json::array();
                           for (const Var& v : list) all.push_back(print(Expr(v)));
                           return all;
                         }},
                   value);
  }
  return out;
}

namespace {
/// What the padding holds, for the parameter it belongs to.
Json to_json(const Padding& padding, bool written) {
  auto text_at = [&](const Expr& e) { return print(IndexMap{padding.indices, {e}, {}}); };
  std::string when = written ? "at the end" : "at the start";
  std::string predicate = text_at(padding.predicate);
  Json out;
  switch (padding.kind) {
    case Padding::Kind::Absent:
      break;
    case Padding::Kind::Unreadable:
      out = {{"kind", "none"}, {"predicate", predicate}};
      out["text"] = "padding at " + predicate + " is not read";
      break;
    case Padding::Kind::Undefined:
      out = {{"kind", "undef"}, {"predicate", predicate}};
      out["text"] = "padding at " + predicate + " may hold anything";
      break;
    case Padding::Kind::Value:
      out = {{"kind", "value"}, {"predicate", predicate}, {"value", text_at(padding.value)}};
      out["text"] = "padding at " + predicate + " holds " + text_at(padding.value) + " " + when;
      break;
  }
  return out;
}
}  // namespace

Json to_json(const InterfaceChange& change) {
  Json out = {{"parameter", change.param},
              {"buffer", change.before()->name},
              {"shape_before", shape_of(change.before())},
              {"shape_after", shape_of(change.after())},
              {"map", print(change.map())},
              {"written", change.written}};
  for (const LayoutChange& layer : change.layers) {
    Json one = {{"shape", shape_of(layer.after)}, {"map", print(layer.map)}};
    if (layer.padding.kind != Padding::Kind::Absent) one["padding"] = to_json(layer.padding, change.written);
    out["layers"].push_back(one);
  }
  return out;
}

Json to_json(const Step& step, const GivenModels* models) {
  Json out;
  out["rule"] = step.rule;
  out["primitive"] = step.primitive;
  if (step.span) out["schedule_line"] = step.span.line;
  out["arguments"] = to_json(step.args);
  out["obligations"] = Json::array();
  const std::vector<bool> rests_on_contradiction = vacuous(step.obligations);
  for (size_t k = 0; k < step.obligations.size(); ++k) {
    const auto& [obligation, answer] = step.obligations[k];
    out["obligations"].push_back(to_json(obligation, answer, models));
    if (rests_on_contradiction[k]) out["obligations"].back()["vacuous"] = true;
  }
  out["interface"] = Json::array();
  for (const InterfaceChange& change : step.interface_changes) out["interface"].push_back(to_json(change));
  return out;
}

std::string flags_used(const Step& step) {
  std::string out;
  for (const char* flag : {"nnan", "ninf", "nsz", "reassoc", "contract"}) {
    bool used = std::any_of(step.obligations.begin(), step.obligations.end(), [&](const auto& o) {
      const std::vector<std::string>& flags = o.first.flags;
      return std::find(flags.begin(), flags.end(), flag) != flags.end();
    });
    if (used) out.append(out.empty() ? "" : " ").append(flag);
  }
  return out;
}

void Tally::add(const Answer& answer) {
  ++obligations;
  switch (answer.verdict) {
    case Verdict::Proved:
      ++proved;
      break;
    case Verdict::Refuted:
      ++refuted;
      break;
    case Verdict::Unknown:
      ++unknown;
      break;
  }
  ++by_solver[answer.solver];
}

std::string Tally::str() const {
  std::string out = std::to_string(obligations) + (obligations == 1 ? " obligation: " : " obligations: ") +
                    std::to_string(proved) + " proved";
  if (refuted) out += ", " + std::to_string(refuted) + " refuted";
  if (unknown) out += ", " + std::to_string(unknown) + " open";
  if (vacuous) out += ", " + std::to_string(vacuous) + " of them vacuous";
  std::string solvers;
  for (const auto& [name, count] : by_solver) {
    if (!name.empty()) solvers += (solvers.empty() ? "" : ", ") + std::to_string(count) + " " + name;
  }
  return solvers.empty() ? out : out + " (" + solvers + ")";
}

namespace {

size_t count_vacuous(std::span<const std::pair<Obligation, Answer>> answered) {
  std::vector<bool> which = vacuous(answered);
  return static_cast<size_t>(std::count(which.begin(), which.end(), true));
}

}  // namespace

Tally tally(const CheckReport& report) {
  Tally out;
  std::vector<std::pair<Obligation, Answer>> answered;
  for (const CheckedObligation& o : report.obligations) {
    out.add(o.answer);
    answered.emplace_back(o.obligation, o.answer);
  }
  out.vacuous = count_vacuous(answered);
  return out;
}

Tally tally(const Derivation& derivation) {
  Tally out;
  for (const Step& step : derivation.steps()) {
    for (const auto& [obligation, answer] : step.obligations) out.add(answer);
    out.vacuous += count_vacuous(step.obligations);
  }
  return out;
}

namespace {

/// How many bytes at the start of the text end a line, or change the order in which a terminal shows it: control
/// characters (C0, C1 in UTF-8), U+2028 and U+2029, and the marks, embeddings and isolates of bidirectional text
/// (Unicode Standard Annex 9). 0: none.
size_t breaks_the_line(std::string_view text) {
  auto byte = [&](size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0; };
  constexpr unsigned kDelete = 0x7f;
  if (byte(0) < ' ' || byte(0) == kDelete) return 1;
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0) return 2;  // U+0080 to U+009F
  if (byte(0) == 0xd8 && byte(1) == 0x9c) return 2;                    // U+061C
  if (byte(0) != 0xe2) return 0;
  const unsigned last = byte(2);
  if (byte(1) == 0x80 && (last == 0x8e || last == 0x8f || (last >= 0xa8 && last <= 0xae))) return 3;  // U+200E, 2028
  return byte(1) == 0x81 && last >= 0xa6 && last <= 0xa9 ? 3 : 0;                                     // U+2066
}

}  // namespace

std::string in_one_line(const std::string& text) {
  std::string out;
  for (size_t k = 0; k < text.size();) {
    const size_t escaped = breaks_the_line(std::string_view(text).substr(k));
    if (escaped == 0) out += text[k++];
    for (const size_t end = k + escaped; k < end; ++k) {
      constexpr char kHex[] = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(text[k]);
      out += std::string("\\x") + kHex[byte >> 4] + kHex[byte & 15];
    }
  }
  return out;
}

}  // namespace hexproof
