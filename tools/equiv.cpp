// hexproof equiv BEFORE AFTER: do two programs compute the same?
#include "verify/equiv/equiv.h"

#include <algorithm>
#include <filesystem>

#include "backend/field/evaluator.h"
#include "fuzz/program.h"
#include "ir/base/file.h"
#include "rewrite/schedule/reader.h"
#include "tools/command.h"
#include "tools/verdict.h"
#include "verify/prove/effort.h"

namespace hexproof::tools {
namespace {

struct EquivArguments : Common {
  std::string before, after, function, method = "auto", accept, save;
  std::vector<std::string> layouts, pads, logical_only;
  uint64_t max_terms = EquivOptions{}.max_terms;
};

const std::map<std::string, Method> kMethods = {{"auto", Method::Auto},
                                                {"parametric", Method::Parametric},
                                                {"symbolic", Method::Symbolic},
                                                {"fingerprint", Method::Fingerprint},
                                                {"tests", Method::Tests}};

/// "A=..." in two parts.
std::pair<std::string, std::string> named(const std::string& option, const std::string& text) {
  size_t sign = text.find('=');
  if (sign == 0 || sign == std::string::npos || sign + 1 == text.size()) {
    throw Error(option + " wants a buffer, '=' and what belongs to it, not '" + text + "'");
  }
  return {text.substr(0, sign), text.substr(sign + 1)};
}

RelationRequest relation(const EquivArguments& o) {
  RelationRequest out;
  for (const std::string& text : o.layouts) {
    auto [buffer, map] = named("--layout", text);
    out.layouts.emplace(buffer, read_index_map(std::make_shared<SourceFile>(SourceFile{"--layout " + buffer, map})));
  }
  for (const std::string& text : o.pads) out.pads.insert(named("--pad", text));
  out.logical_only = o.logical_only;
  return out;
}

/// The functions of a file that may be compared. In a module with calls these are the ones that no other calls, unless
/// the user names one: what is inside is free to change.
std::vector<PrimFunc> comparable(const EquivArguments& o, const std::string& path, Prover& prover) {
  std::vector<PrimFunc> out;
  const IRModule module = o.module(path);
  std::vector<std::string> names = entries(module);
  for (const PrimFunc& func : module.functions) {
    bool chosen = o.function.empty() ? std::count(names.begin(), names.end(), func.name) > 0 : func.name == o.function;
    if (chosen) out.push_back(link(module, func.name, prover).func);
  }
  return out;
}

/// The pairs to compare: the only function of each file, or functions of one name.
std::vector<std::pair<PrimFunc, PrimFunc>> function_pairs(const EquivArguments& o, Prover& prover) {
  std::vector<std::pair<PrimFunc, PrimFunc>> out;
  std::vector<PrimFunc> before = comparable(o, o.before, prover), after = comparable(o, o.after, prover);
  if (o.function.empty() && before.size() == 1 && after.size() == 1) {
    out.emplace_back(before[0], after[0]);
    return out;
  }
  for (const PrimFunc& f : before) {
    if (!o.function.empty() && f.name != o.function) continue;
    auto same = std::find_if(after.begin(), after.end(), [&](const PrimFunc& g) { return g.name == f.name; });
    if (same != after.end()) {
      out.emplace_back(f, *same);
    } else if (o.function.empty()) {
      throw Error(f.span, "'" + f.name + "' is not in " + o.after + " as a function that no other calls",
                  "name the function that is to be compared: --function NAME");
    }
  }
  if (out.empty()) {
    throw Error(o.function.empty() ? "no function has the same name in both files"
                                   : "no function named '" + o.function + "' in both files");
  }
  return out;
}

const char* name_of(Finding finding) {
  switch (finding) {
    case Finding::Proved:
      return "proved";
    case Finding::Refuted:
      return "refuted";
    case Finding::Undecided:
      return "undecided";
    case Finding::Vacuous:
      return "vacuous";
    case Finding::Unsupported:
      return "unsupported";
  }
  internal_error(__FILE__, __LINE__, "no such finding");
}

/// "rejected" where a proof of one method is refuted by another.
std::string verdict_of(const EquivReport& report) {
  return report.contradicted.empty() ? name_of(report.finding) : "rejected";
}

/// Weaker evidence that the user takes for an answer; the report says which.
bool accepted(const EquivArguments& o, const EquivReport& report) {
  if (report.finding != Finding::Undecided) return false;
  for (const Evidence& e : report.evidence) {
    if (!e.equal_so_far) continue;
    if (e.method == "fingerprint" && !o.accept.empty()) return true;
    if (e.method == "tests" && o.accept == "tests") return true;
  }
  return false;
}

Json json_of(const EquivReport& report) {
  Json out = {{"before", report.pair.before.name},   {"after", report.pair.after.name},
              {"verdict", verdict_of(report)},       {"method", report.method},
              {"contradicted", report.contradicted}, {"granted_flags", report.pair.before.granted_flags()},
              {"notes", report.pair.notes},          {"evidence", Json::array()}};
  for (const Evidence& e : report.evidence) {
    out["evidence"].push_back(
        {{"method", e.method}, {"verdict", name_of(e.finding)}, {"says", e.says}, {"notes", e.notes}});
  }
  if (!report.reason.empty()) out["reason"] = report.reason;
  if (report.counterexample) out["counterexample"] = report.counterexample->table;
  return out;
}

void say_report(const EquivArguments& o, const EquivReport& report, bool weaker) {
  std::string verdict = weaker ? "accepted, not proved" : verdict_of(report);
  std::string pair = report.pair.before.name;
  if (report.pair.after.name != pair) pair += " and " + report.pair.after.name;
  o.say(verdict + ": " + pair + (report.method.empty() ? "" : " (" + report.method + ")"));
  for (const std::string& note : report.pair.notes) o.say("  " + note);
  for (const Evidence& e : report.evidence) {
    o.say("  " + e.method + ": " + e.says);
    for (const std::string& note : e.notes) o.say("    " + note);
  }
  if (report.counterexample) o.say(report.counterexample->table);
  if (!report.contradicted.empty()) {
    o.say(
        "the " + report.contradicted +
        " method called this pair proved, and the interpreter shows a difference: a bug of hexproof. Please report it "
        "with the two programs and the options.");
  }
  if (report.evidence.empty() && !report.reason.empty()) o.say(report.reason);
}

/// The arguments of both sides as .npy files, and the table.
void save(const std::string& folder, const EquivReport& report) {
  if (folder.empty() || !report.counterexample) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error("cannot make the folder " + folder + ": " + error.message());
  const PairInput& input = report.counterexample->input;
  for (size_t b = 0; b < report.pair.buffers.size(); ++b) {
    const BufferPair& buffer = report.pair.buffers[b];
    write_npy(folder + "/before_" + buffer.before->name + ".npy", input.before[b]);
    write_npy(folder + "/after_" + buffer.after->name + ".npy", input.after[b]);
  }
  write_file(folder + "/counterexample.txt", report.counterexample->table + "\n");
}

int compare(const EquivArguments& o) {
  std::unique_ptr<Prover> prover = o.prover();
  std::unique_ptr<NativeEvaluator> native = make_native_evaluator();
  EquivOptions options{
      .method = kMethods.at(o.method), .max_terms = o.max_terms, .native = native.get(), .satisfy = satisfy_assumes};
  RelationRequest request = relation(o);
  Json json = report_header("equiv");
  int code = kProved;
  for (const auto& [before, after] : function_pairs(o, *prover)) {
    o.begin_functions();
    ProgramPair pair = pair_programs(before, after, request);
    EquivReport report;
    try {
      report = equiv(pair, *prover, options);
    } catch (const OutOfTime& e) {
      report = {};
      report.pair = pair;
      report.finding = Finding::Undecided;
      report.reason = e.what();
    }
    bool weaker = accepted(o, report);
    say_report(o, report, weaker);
    Json entry = json_of(report);
    entry["accepted"] = weaker ? o.accept : "";
    json["pairs"].push_back(entry);
    save(o.save, report);
    int own = !report.contradicted.empty() ? +kRejected : weaker ? +kProved : exit_code(report.finding);
    code = worse(code, own);
  }
  if (!o.json.empty()) write_file(o.json, json.dump(2) + "\n");
  return code;
}

}  // namespace

void add_equiv(CLI::App& app, Run& run) {
  auto o = std::make_shared<EquivArguments>();
  CLI::App* command = app.add_subcommand("equiv", "judge whether two programs compute the same");
  command->add_option("BEFORE", o->before, "the program before, in TVMScript")->required();
  command->add_option("AFTER", o->after, "the program after")->required();
  command->add_option("--function", o->function, "the function to compare, when the files have several");
  command->add_option("--layout", o->layouts, "A=lambda i: [i // 4, i % 4]: where the cells of an argument are after")
      ->allow_extra_args(false);
  command->add_option("--pad", o->pads, "A=0: what the padding of an argument holds (a number, or undef)")
      ->allow_extra_args(false);
  command->add_option("--logical-only", o->logical_only, "an argument whose padding is not observed")
      ->allow_extra_args(false);
  command->add_option("--method", o->method, "auto, parametric, symbolic, fingerprint or tests")
      ->check(CLI::IsMember({"auto", "parametric", "symbolic", "fingerprint", "tests"}));
  command->add_option("--accept", o->accept, "exit 0 on weaker evidence too: probabilistic or tests")
      ->check(CLI::IsMember({"probabilistic", "tests"}));
  command->add_option("--max-terms", o->max_terms, "memory bound of the symbolic method")->check(CLI::PositiveNumber);
  command->add_option("--save", o->save, "write the arguments of a counterexample as .npy files into this folder");
  o->add_to(*command);
  command->callback([o, &run] { run = [o] { return compare(*o); }; });
}

}  // namespace hexproof::tools
