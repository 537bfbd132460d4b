#include "tools/api/second_line.h"

#include "backend/field/evaluator.h"
#include "ir/interpreter/inputs/random_inputs.h"
#include "ir/text/text.h"
#include "rewrite/layout/interface.h"
#include "tools/api/version.h"

namespace hexproof::api {
namespace {

std::string section(const std::string& head, const std::string& text) {
  return "==== " + head + "\n" + text + (text.ends_with('\n') ? "" : "\n");
}

}  // namespace

Validation second_line(const PrimFunc& first, const PrimFunc& last, const std::vector<InterfaceChange>& interface,
                       Prover& prover, bool compare, bool thorough) {
  std::unique_ptr<NativeEvaluator> native = make_native_evaluator();
  return validate(first, last, relation_request(interface, &first), prover,
                  {.compare = compare, .thorough = thorough, .native = native.get(), .satisfy = satisfy_assumes});
}

Disagreement disagreement(const Validation& validation, const Evidenced& with) {
  const std::string& flags = with.program.fast_math();
  std::string report =
      section("hexproof " + with.command + ": a proved result is wrong",
              version_text() + (flags.empty() ? "" : "\n--fp " + flags) + "\nseen by: " + validation.disagrees);
  report += section("witness", validation.witness);
  report += section("program " + with.program.path(), with.program.text());
  if (!with.schedule.name.empty()) report += section("schedule " + with.schedule.name, with.schedule.text);
  report += section("first", print(with.first));
  report += section("last", print(with.last));
  report += "==== end\n";
  return {validation.disagrees, validation.witness, report};
}

}  // namespace hexproof::api
