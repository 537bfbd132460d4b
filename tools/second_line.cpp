#include "tools/second_line.h"

#include <cstdio>

#include "backend/field/evaluator.h"
#include "fuzz/program.h"
#include "ir/base/file.h"
#include "ir/text/text.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/layout/interface.h"
#include "rewrite/report/shown.h"
#include "tools/verdict.h"
#include "tools/version.h"

namespace hexproof::tools {
namespace {

std::string section(const std::string& head, const std::string& text) {
  return "==== " + head + "\n" + text + (text.ends_with('\n') ? "" : "\n");
}

}  // namespace

void Judged::add_trust_rules(CLI::App& command) {
  command.add_flag("--trust-rules", trust_rules,
                   "do not judge the result a second time (check, equiv, runs); the report says so");
}

Validation second_line(const PrimFunc& first, const PrimFunc& last, const std::vector<InterfaceChange>& interface,
                       Prover& prover, bool compare, bool thorough) {
  std::unique_ptr<NativeEvaluator> native = make_native_evaluator();
  return validate(first, last, relation_request(interface, &first), prover,
                  {.compare = compare, .thorough = thorough, .native = native.get(), .satisfy = satisfy_assumes});
}

Validation second_line(const Derivation& derivation, Prover& prover, bool compare, bool thorough) {
  return second_line(derivation.source(), before_lowering(derivation), derivation.interface(), prover, compare,
                     thorough);
}

int rejected(const Common& common, const Validation& validation, const Evidenced& with) {
  std::string report =
      section("hexproof " + with.command + ": a proved result is wrong",
              version_text() + (common.fp.empty() ? "" : "\n--fp " + common.fp) + "\nseen by: " + validation.disagrees);
  report += section("witness", validation.witness);
  report += section("program " + with.source_path, with.source_text);
  if (!with.schedule_path.empty()) report += section("schedule " + with.schedule_path, with.schedule_text);
  report += section("first", print(with.first));
  report += section("last", print(with.last));
  report += "==== end\n";
  if (!common.json.empty()) {
    Json json = report_header(with.command);
    json["verdict"] = "rejected";
    json["by_validation"] = by_validation_json(&validation);
    json["report"] = report;
    write_file(common.json, json.dump(2) + "\n");
  }
  std::fprintf(
      stderr,
      "rejected: every step was proved, and yet the result is wrong (seen by %s). This is a bug of hexproof; "
      "nothing was written.\n%s\n\nPlease report it with the text between the lines: it holds all that is "
      "needed. The schedule without the step that is wrong may be proved; --trust-rules does not mend this.\n\n%s",
      validation.disagrees.c_str(), validation.witness.c_str(), report.c_str());
  return kRejected;
}

}  // namespace hexproof::tools
