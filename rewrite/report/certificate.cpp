#include "rewrite/report/certificate.h"

#include <fmt/format.h>

#include "ir/base/digest.h"
#include "ir/text/text.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/report/models.h"
#include "rewrite/report/recorded.h"
#include "rewrite/report/shown.h"

namespace hexproof {

Json trusted() {
  return Json::array(
      {"the meaning of programs in docs/semantics.md, and that the interpreter, the encoder and the code "
       "generator agree on it (held against each other by the agreement test)",
       "the rules' side conditions as listed in docs/rules.md, and the rewrite kernel",
       "the solvers named at each obligation, LLVM's code generator and linker",
       "arguments are distinct memory, aligned to 128 bytes, of the stated shapes; every cell of "
       "an input holds a value, but for padding that is listed as not read, and padding holds what is listed"});
}

namespace {

/// Files with their digests, as they are written.
class Files {
 public:
  explicit Files(const WriteFile& write) : write_(write) {}
  void write(const std::string& name, const std::string& bytes) {
    write_(name, bytes);
    digests_[name] = sha256(bytes);
  }
  Json digests() const { return digests_; }

 private:
  const WriteFile& write_;
  Json digests_ = Json::object();
};

void write_obligations(Files& files, FormulaNames& seen, const Obligation& obligation) {
  const std::optional<std::string> name = seen.add(sha256(to_smtlib(obligation)));
  if (name) files.write(*name, formula_text(obligation));
}

std::string wrapped(const std::string& label, const std::string& text) {
  return fmt::format("  {:<12} {}\n", label, text);
}

std::string summary_of(const CertificateInput& input) {
  const Derivation& d = input.derivation;
  std::string out = fmt::format("proved: {} of {}", d.source().name, in_one_line(input.source_path));
  if (!input.schedule_path.empty()) out += " under " + in_one_line(input.schedule_path);
  out += "\n\nWhat was shown\n";
  out += print_shown(shown_rows(d, input.source_check, input.validation));
  out += models_line(input.models) + "\n";
  if (!d.interface().empty()) out += "\nArguments whose layout changed (after[map(i)] holds before[i])\n";
  for (const InterfaceChange& change : d.interface()) {
    Json json = to_json(change);
    out += fmt::format("  {:<12} {} -> {}\n", change.before()->name, json["shape_before"].get<std::string>(),
                       json["shape_after"].get<std::string>());
    for (const Json& layer : json["layers"]) {
      out += wrapped("", layer["map"].get<std::string>());
      if (layer.count("padding")) out += wrapped("", layer["padding"]["text"].get<std::string>());
    }
  }
  if (!input.summary_lines.empty()) out += "\nThe kernel\n";
  for (const std::string& line : input.summary_lines) out += "  " + line + "\n";
  if (!input.tested_lines.empty()) out += "\nWhat was tested, not proved\n";
  for (const std::string& line : input.tested_lines) out += "  " + line + "\n";
  out += "\nWhat is assumed of the arguments\n";
  for (const std::string& line : assumes_of(d.source())) out += "  the program: " + line + "\n";
  for (const std::string& line : assumes_of(before_lowering(d))) out += "  lowered: " + line + "\n";
  std::string flags = join_flags(d.source().granted_flags());
  out += "  granted fast-math flags: " + (flags.empty() ? "none" : flags) + "\n";
  for (size_t i = 0; i < d.steps().size(); ++i) {
    if (std::string used = flags_used(d.steps()[i]); !used.empty()) {
      out += fmt::format("  used by step {}, {}: {}\n", i + 1, d.steps()[i].rule, used);
    }
  }
  out += "\nTaken on trust\n";
  for (const Json& line : trusted()) out += "  - " + line.get<std::string>() + "\n";
  out += "\nSteps\n";
  for (size_t i = 0; i < d.steps().size(); ++i) {
    const Step& step = d.steps()[i];
    out += fmt::format("  {:3} {:<20} {:4} obligations   {}\n", i + 1, step.rule, step.obligations.size(),
                       in_one_line(step.primitive));
  }
  return out;
}

}  // namespace

GivenModels given_models(const Derivation& derivation, const CheckReport& source_check, const CheckReport& final_check,
                         Prover& prover) {
  GivenModels out;
  for (const CheckReport* report : {&source_check, &final_check}) {
    for (const CheckedObligation& o : report->obligations) out.add(o.obligation);
  }
  for (const Step& step : derivation.steps()) {
    for (const auto& [obligation, answer] : step.obligations) out.add(obligation);
  }
  out.find(prover);
  return out;
}

std::string write_certificate(const WriteFile& write, const CertificateInput& input) {
  const Derivation& d = input.derivation;
  Files files(write);
  FormulaNames seen;
  files.write("source.py", input.source_text);
  if (!input.schedule_path.empty()) files.write("schedule.py", input.schedule_text);
  files.write("final.py", print(d.current()));
  for (const CheckReport* report : {&input.source_check, &input.final_check}) {
    for (const CheckedObligation& o : report->obligations) write_obligations(files, seen, o.obligation);
  }
  Json steps = Json::array();
  for (size_t i = 0; i < d.steps().size(); ++i) {
    const Step& step = d.steps()[i];
    for (const auto& [obligation, answer] : step.obligations) write_obligations(files, seen, obligation);
    std::string name = fmt::format("steps/{:03}-{}.py", i + 1, step.rule);
    files.write(name, print(step.after));
    Json entry = to_json(step, &input.models);
    entry["program"] = name;
    entry["recorded"] = recorded(step.args, step.before);
    if (std::string used = flags_used(step); !used.empty()) entry["flags_used"] = used;
    steps.push_back(entry);
  }
  std::string summary = summary_of(input);
  Json out;
  out["schema_version"] = kSchemaVersion;
  out["verdict"] = "proved";
  out["versions"] = input.versions;
  out["made"] = input.made;
  out["made"]["source"] = input.source_path;
  out["made"]["schedule"] = input.schedule_path;
  out["function"] = d.source().name;
  out["granted_flags"] = join_flags(d.source().granted_flags());
  out["assumes"] = {{"of_the_program", assumes_of(d.source())}, {"lowered", assumes_of(before_lowering(d))}};
  out["trusted"] = trusted();
  out["interface"] = Json::array();
  for (const InterfaceChange& change : d.interface()) out["interface"].push_back(to_json(change));
  out["by_construction"] = by_construction_json(d, input.source_check);
  out["by_validation"] = by_validation_json(input.validation);
  out["source_check"] = to_json(input.source_check, &input.models);
  out["steps"] = steps;
  out["final_check"] = to_json(input.final_check, &input.models);
  out["given_models"] = to_json(input.models);
  out["kernel"] = input.kernel;
  out["files"] = files.digests();
  write("certificate.json", out.dump(2) + "\n");
  write("summary.txt", summary);
  return summary;
}

}  // namespace hexproof
