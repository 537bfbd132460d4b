#include "rewrite/module/report.h"

#include <fmt/format.h>

#include <set>

#include "ir/base/digest.h"
#include "ir/text/text.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/report/models.h"
#include "rewrite/report/recorded.h"
#include "rewrite/report/shown.h"

namespace hexproof {
namespace {

constexpr const char* kApart =
    "no function calls another: each stands for itself, under its own interface, and whoever calls them must use the "
    "layouts and padding that are listed";

std::string interface_line(const InterfaceChange& change) {
  Json json = to_json(change);
  std::string out = fmt::format("{} {} -> {}, {}", change.before()->name, json["shape_before"].get<std::string>(),
                                json["shape_after"].get<std::string>(), json["map"].get<std::string>());
  for (const Json& layer : json["layers"]) {
    if (layer.count("padding")) out += ", " + layer["padding"]["text"].get<std::string>();
  }
  return out;
}

Json to_json(const LinkedProof& proof, const GivenModels* models) {
  return {{"entry", proof.entry}, {"refines_by", proof.method}, {"check", to_json(proof.check, models)}};
}

std::string step_file(const std::string& function, size_t number, const Step& step) {
  return fmt::format("steps/{}-{:03}-{}.py", function, number, step.rule);
}

/// What every function of the module grants: what the user granted, and perhaps more.
std::vector<std::string> granted_by_all(const IRModule& module) {
  std::vector<std::string> out = module.functions.at(0).granted_flags();
  for (const PrimFunc& func : module.functions) {
    const std::vector<std::string> one = func.granted_flags();
    std::erase_if(out, [&](const std::string& flag) { return std::find(one.begin(), one.end(), flag) == one.end(); });
  }
  return out;
}

/// What a function assumes of its arguments, first and last, and the flags that it is granted; nothing where it is not
/// there.
struct Assumed {
  std::string flags;
  std::vector<std::string> first, last;
};
Assumed assumed(const ModuleDerivation& module, const std::string& name) {
  Assumed out;
  const IRModule now = module.current();
  if (const PrimFunc* was = find_function(module.source(), name)) out.first = assumes_of(*was);
  if (const PrimFunc* is = find_function(now, name)) {
    out.flags = join_flags(is->granted_flags());
    out.last = assumes_of(*is);
  }
  return out;
}

template <class F>
void each_step(const ModuleDerivation& module, const std::string& name, const F& f) {
  for (const FunctionChain& chain : module.chains(name)) {
    for (const Step& step : chain.derivation.steps()) f(step);
  }
}

template <class F>
void each_obligation(const ModuleReport& report, const F& f) {
  auto checked = [&](const CheckReport& one) {
    for (const CheckedObligation& o : one.obligations) f(o.obligation);
  };
  auto of_step = [&](const Step& step) {
    for (const auto& [obligation, answer] : step.obligations) f(obligation);
  };
  for (const auto& [name, one] : report.source_checks) checked(one);
  for (const JointStep& step : report.module.joint_steps()) {
    for (const LinkedProof& proof : step.proofs) checked(proof.check);
    for (const Step& one : step.around_calls) of_step(one);
  }
  for (const LinkedProof& proof : report.linked) checked(proof.check);
  for (const std::string& name : report.module.names()) each_step(report.module, name, of_step);
}

}  // namespace

GivenModels given_models(const ModuleReport& report, Prover& prover) {
  GivenModels out;
  each_obligation(report, [&](const Obligation& o) { out.add(o); });
  out.find(prover);
  return out;
}

std::vector<ModulePart> parts_to_judge(const ModuleDerivation& module, Prover& prover) {
  std::vector<ModulePart> out;
  for (const std::string& name : module.names()) {
    for (const FunctionChain& chain : module.chains(name)) {
      const Derivation& d = chain.derivation;
      if (d.steps().empty()) continue;
      out.push_back({name, d.source(), before_lowering(d), d.interface()});
    }
  }
  const IRModule last = module.current();
  for (const std::string& entry : entries(last)) {
    const PrimFunc *was = find_function(module.source(), entry), *is = find_function(last, entry);
    if (!was || (!has_calls(*was) && !has_calls(*is))) continue;
    out.push_back({entry + " with what it calls", as_program(link(module.source(), entry, prover)),
                   as_program(link(last, entry, prover)), module.interface(entry)});
  }
  return out;
}

std::vector<std::string> summary_lines(const ModuleReport& report) {
  const ModuleDerivation& module = report.module;
  std::vector<std::string> out;
  for (const std::string& name : module.names()) {
    size_t steps = 0;
    Tally all;
    each_step(module, name, [&](const Step& step) {
      ++steps;
      for (const auto& [obligation, answer] : step.obligations) all.add(answer);
    });
    out.push_back(fmt::format("{}: {} steps, {}", name, steps, all.str()));
    for (const InterfaceChange& change : module.interface(name)) out.push_back("  " + interface_line(change));
  }
  for (const JointStep& step : module.joint_steps()) {
    out.push_back(
        fmt::format("joint step {}: changes {}", in_one_line(step.primitive), fmt::join(step.functions, ", ")));
    for (const Step& one : step.around_calls) {
      out.push_back(fmt::format("  {} around its calls: {}, {} obligations proved", one.before.name, one.rule,
                                one.obligations.size()));
    }
    for (const LinkedProof& proof : step.proofs) {
      out.push_back(
          fmt::format("  {} with what it calls: free of errors and every assume proved at its call, {}; refines the "
                      "one before ({})",
                      proof.entry, tally(proof.check).str(), proof.method));
    }
  }
  for (const LinkedProof& proof : report.linked) {
    out.push_back(fmt::format("{} with what it calls, first to last: free of errors, {}; refines the first ({})",
                              proof.entry, tally(proof.check).str(), proof.method));
  }
  if (report.trust_rules) out.push_back("by validation: left out (--trust-rules)");
  for (const auto& [what, validation] : report.validated) {
    out.push_back(fmt::format("{}, by validation: {}", what, validation_row(what, "", validation).by_validation));
  }
  if (!has_calls(module.current())) out.push_back(kApart);
  return out;
}

Json to_json(const ModuleReport& report, const GivenModels* models) {
  const ModuleDerivation& module = report.module;
  Json out;
  for (const auto& [name, checked] : report.source_checks) {
    Json entry = to_json(checked, models);
    entry["function"] = name;
    out["source_checks"].push_back(entry);
  }
  for (const std::string& name : module.names()) {
    const Assumed given = assumed(module, name);
    Json entry = {{"function", name},
                  {"granted_flags", given.flags},
                  {"assumes", {{"of_the_program", given.first}, {"of_the_last", given.last}}},
                  {"interface", Json::array()},
                  {"steps", Json::array()}};
    for (const InterfaceChange& change : module.interface(name)) entry["interface"].push_back(to_json(change));
    size_t count = 0;
    each_step(module, name, [&](const Step& step) {
      Json one = to_json(step, models);
      one["program"] = step_file(name, ++count, step);
      one["recorded"] = recorded(step.args, step.before);
      entry["steps"].push_back(one);
    });
    out["functions"].push_back(entry);
  }
  out["joint_steps"] = Json::array();
  for (const JointStep& step : module.joint_steps()) {
    Json entry = {{"primitive", step.primitive}};
    if (step.span) entry["schedule_line"] = step.span.line;
    entry.update({{"functions", step.functions},
                  {"change", step.call.rule},
                  {"of", step.of.name},
                  {"recorded", recorded(step.call.args, step.of)},
                  {"steps_before", step.steps_before},
                  {"proofs", Json::array()}});
    for (const LinkedProof& proof : step.proofs) entry["proofs"].push_back(to_json(proof, models));
    for (const Step& one : step.around_calls) entry["around_calls"].push_back(to_json(one, models));
    out["joint_steps"].push_back(entry);
  }
  out["linked"] = Json::array();
  for (const LinkedProof& proof : report.linked) out["linked"].push_back(to_json(proof, models));
  out["by_validation"] = report.trust_rules ? by_validation_json(nullptr) : Json::object();
  for (const auto& [what, validation] : report.validated) {
    out["by_validation"]["parts"].push_back({{"part", what}, {"shown", by_validation_json(&validation)}});
  }
  if (!has_calls(module.current())) out["note"] = kApart;
  return out;
}

std::string write_module_certificate(const WriteFile& file, const ModuleCertificateInput& input) {
  const ModuleDerivation& module = input.report.module;
  Json digests = Json::object();
  auto write = [&](const std::string& name, const std::string& text) {
    if (digests.count(name)) return;
    file(name, text);
    digests[name] = sha256(text);
  };
  FormulaNames names;
  each_obligation(input.report, [&](const Obligation& o) {
    const std::optional<std::string> name = names.add(sha256(to_smtlib(o)));
    if (name) write(*name, formula_text(o));
  });
  write("source.py", input.source_text);
  if (!input.schedule_path.empty()) write("schedule.py", input.schedule_text);
  write("final.py", print(module.current()));
  for (const std::string& name : module.names()) {
    size_t count = 0;
    each_step(module, name, [&](const Step& step) { write(step_file(name, ++count, step), print(step.after)); });
  }
  std::string summary = fmt::format("proved: module {} of {}", module.source().name, in_one_line(input.source_path));
  if (!input.schedule_path.empty()) summary += " under " + in_one_line(input.schedule_path);
  summary += "\n\n";
  for (const std::string& line : summary_lines(input.report)) summary += line + "\n";
  summary += models_line(input.models) + "\n\nWhat is assumed of the arguments\n";
  for (const std::string& name : module.names()) {
    const Assumed given = assumed(module, name);
    for (const std::string& line : given.first) summary += "  " + name + ": " + line + "\n";
    for (const std::string& line : given.last) summary += "  " + name + ", last: " + line + "\n";
    summary += "  " + name + ": granted fast-math flags: " + (given.flags.empty() ? "none" : given.flags) + "\n";
  }
  summary += "\nTaken on trust\n";
  for (const Json& line : trusted()) summary += "  - " + line.get<std::string>() + "\n";
  Json out;
  out["schema_version"] = kSchemaVersion;
  out["verdict"] = "proved";
  out["versions"] = input.versions;
  out["made"] = input.made;
  out["made"]["source"] = input.source_path;
  out["made"]["schedule"] = input.schedule_path;
  out["module"] = module.source().name;
  out["granted_flags"] = join_flags(granted_by_all(module.source()));
  out["trusted"] = trusted();
  out.update(to_json(input.report, &input.models));
  out["given_models"] = to_json(input.models);
  out["files"] = digests;
  file("certificate.json", out.dump(2) + "\n");
  file("summary.txt", summary);
  return summary;
}

}  // namespace hexproof
