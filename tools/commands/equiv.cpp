// hexproof equiv BEFORE AFTER: do two programs compute the same?
#include "hexproof/equiv.h"

#include "ir/link/link.h"
#include "ir/text/text.h"
#include "rewrite/report/counterexample.h"
#include "tools/command.h"
#include "tools/diff.h"
#include "tools/reports/report.h"
#include "tools/save.h"
#include "tools/verdict.h"
#include "verify/equiv/equiv.h"

namespace hexproof::tools {
namespace {

struct EquivArguments : Common {
  std::string before, after, method = "auto", accept, save;
  bool diff = false;
  api::EquivOptions options;
};

const std::map<std::string, api::EquivMethod> kMethods = {{"auto", api::EquivMethod::Auto},
                                                          {"parametric", api::EquivMethod::Parametric},
                                                          {"symbolic", api::EquivMethod::Symbolic},
                                                          {"fingerprint", api::EquivMethod::Fingerprint},
                                                          {"tests", api::EquivMethod::Tests}};

Json json_of(const EquivReport& report, const char* verdict) {
  Json out = {{"before", report.pair.before.name},
              {"after", report.pair.after.name},
              {"verdict", verdict},
              {"method", report.method},
              {"contradicted", report.contradicted},
              {"granted_flags", report.pair.before.granted_flags()},
              {"notes", report.pair.notes},
              {"evidence", Json::array()}};
  out.update(place_json(report.pair.after.span));
  for (const Evidence& e : report.evidence) {
    out["evidence"].push_back(
        {{"method", e.method}, {"verdict", to_text(e.finding)}, {"says", e.says}, {"notes", e.notes}});
  }
  if (report.finding != Finding::Proved) out["code"] = info(code_of(report)).id;
  if (!report.reason.empty()) out["reason"] = report.reason;
  if (report.counterexample) {
    out["counterexample"] = report.counterexample->table;
    out["input"] = to_json(report.pair, *report.counterexample);
    if (const std::optional<ErrorMet> met = error_of_after(report.pair, *report.counterexample))
      out["error_met"] = to_json(*met);
  }
  return out;
}

void say_report(const EquivArguments& o, const api::Compared& pair_result) {
  const EquivReport& report = *pair_result.detail;
  const int code = pair_result.accepted ? +kProved : exit_code(pair_result.verdict);
  auto say = [&](const std::string& line) { o.say(code, line); };
  std::string verdict = pair_result.accepted ? "accepted, not proved" : to_text(pair_result.verdict);
  std::string pair = report.pair.before.name;
  if (report.pair.after.name != pair) pair += " and " + report.pair.after.name;
  say(verdict + ": " + pair + (report.method.empty() ? "" : " (" + report.method + ")"));
  for (const std::string& note : report.pair.notes) say("  " + note);
  for (const Evidence& e : report.evidence) {
    say("  " + e.method + ": " + e.says);
    for (const std::string& note : e.notes) say("    " + note);
  }
  if (report.counterexample) say(report.counterexample->table);
  if (!report.contradicted.empty()) {
    say("the " + report.contradicted +
        " method called this pair proved, and the interpreter shows a difference: a bug of hexproof. Please report it "
        "with the two programs and the options.");
  }
  if (report.evidence.empty() && !report.reason.empty()) say(report.reason);
  if (report.finding != Finding::Proved) say(code_line(code_of(report)));
}

int compare(const EquivArguments& o) {
  o.begin({.inputs = {{"BEFORE", o.before}, {"AFTER", o.after}},
           .outputs = {{"--save", o.save.empty() ? "" : o.save + "/counterexample.txt"}},
           .made = {{"--save", o.save}}});
  api::Session session = o.session();
  Json json;
  bool weaker = false;
  int code = kProved;
  api::EquivOptions options = o.options;
  options.method = kMethods.at(o.method);
  options.accept = o.accept.empty()      ? api::Accept::ProofsOnly
                   : o.accept == "tests" ? api::Accept::Tests
                                         : api::Accept::Probabilistic;
  const api::Program before = o.program(o.before), after = o.program(o.after);
  const bool several =
      options.function.empty() && (entries(before.module()).size() > 1 || entries(after.module()).size() > 1);
  options.on_result = [&](const api::Compared& result) {
    say_report(o, result);
    const ProgramPair& pair = result.detail->pair;
    if (o.diff) {
      o.say_diff(unified_diff(o.before + ", " + pair.before.name, print(pair.before), o.after + ", " + pair.after.name,
                              print(pair.after)),
                 false);
    }
    Json entry = json_of(*result.detail, to_text(result.verdict));
    entry["accepted"] = result.accepted ? o.accept : "";
    json["pairs"].push_back(entry);
    weaker = weaker || result.accepted;
    save_input(save_folder(o.save, pair.before.name, several), *result.detail);
    code = worse(code, result.accepted ? +kProved : exit_code(result.verdict));
    keep_report(json, code);
  };
  try {
    api::equiv(before, after, options, session);
  } catch (const api::Failure& failure) {
    if (json.empty()) throw;
    report_failure(failure, &json);
    code = worse(code, exit_code(failure.kind));
  }
  if (code == kProved && weaker) json["verdict"] = "accepted";
  write_report(json, code);
  return code;
}

}  // namespace

void add_equiv(CLI::App& app, Run& run) {
  auto o = std::make_shared<EquivArguments>();
  CLI::App* command = app.add_subcommand("equiv", "judge whether two programs compute the same");
  command->add_option("BEFORE", o->before, "the program before, in TVMScript")->required();
  command->add_option("AFTER", o->after, "the program after")->required();
  command->add_option("--function", o->options.function, "the function to compare, when the files have several");
  command
      ->add_option("--layout", o->options.layouts,
                   "A=lambda i: [i // 4, i % 4]: where the cells of an argument are after")
      ->allow_extra_args(false);
  command->add_option("--pad", o->options.pads, "A=0: what the padding of an argument holds (a number, or undef)")
      ->allow_extra_args(false);
  command->add_option("--logical-only", o->options.logical_only, "an argument whose padding is not observed")
      ->allow_extra_args(false);
  command->add_option("--method", o->method, "auto, parametric, symbolic, fingerprint or tests")
      ->check(CLI::IsMember({"auto", "parametric", "symbolic", "fingerprint", "tests"}));
  command->add_option("--accept", o->accept, "exit 0 on weaker evidence too: probabilistic or tests")
      ->check(CLI::IsMember({"probabilistic", "tests"}));
  command->add_option("--max-terms", o->options.max_terms, "memory bound of the symbolic method")
      ->check(CLI::PositiveNumber);
  add_save(*command, o->save);
  add_diff(*command, o->diff, "the two programs, as hexproof prints them");
  o->add_to(*command);
  command->callback([o, &run] { run = [o] { return compare(*o); }; });
}

}  // namespace hexproof::tools
