#include "tools/commands/suggest.h"

#include <fmt/core.h>

#include "ir/text/text.h"
#include "rewrite/schedule/padding/suggest_pad_value.h"
#include "rewrite/schedule/reader.h"
#include "tools/api/detail.h"
#include "tools/rejected.h"
#include "tools/reports/report.h"
#include "tools/verdict.h"

namespace hexproof::tools {

int suggest_pad_values(const Common& common, const SuggestOptions& o) {
  common.begin({.inputs = {{"--suggest", o.file}}});
  IndexMap map = read_index_map(std::make_shared<SourceFile>(SourceFile{"--map", o.map}));
  api::Session session = common.session();
  std::vector<std::string> says;
  api::Transformed program = api::transform(common.program(o.file), {}, o.function, false, session, &says);
  for (const std::string& line : says) common.say(exit_code(program.verdict), line);
  if (program.verdict != api::Verdict::Proved) {
    write_report(checks_json(program, nullptr), exit_code(program.verdict));
    return exit_code(program.verdict);
  }

  Schedule schedule(program.function(), session.prover());
  PadSuggestions found = schedule.suggest_pad_value({o.block}, {.name = o.buffer}, map);
  Json report;
  report["source_check"] = to_json(program.source_check());
  report["block"] = o.block;
  report["buffer"] = o.buffer;
  report["map"] = print(map);
  report["pad_values"] = Json::array();
  report["refused"] = Json::array();
  common.say("buffer  " + o.buffer + " of block " + o.block);
  common.say("map     " + print(map));
  common.say(found.proved.empty() ? "none: no pad value was found under which a branch goes"
                                  : "pad values under which branches go, each proved:");
  for (const PadSuggestion& s : found.proved) {
    common.say(fmt::format("  {}: {} branch{}, {} steps, {}", s.str(), s.branches, s.branches == 1 ? "" : "es",
                           s.proof.steps().size(), tally(s.proof).str()));
    Json one;
    one["value"] = print(s.value);
    one["flags"] = s.flags;
    one["branches"] = s.branches;
    one["steps"] = Json::array();
    for (const Step& step : s.proof.steps()) one["steps"].push_back(to_json(step));
    report["pad_values"].push_back(std::move(one));
  }
  if (!found.refused.empty()) common.say("others that were tried:");
  for (const PadRefusal& r : found.refused) {
    common.say("  " + print(r.value) + ": " + r.why.substr(0, r.why.find('\n')));
    Json one;
    one["value"] = print(r.value);
    one["why"] = r.why;
    report["refused"].push_back(std::move(one));
  }
  write_report(report, kProved);
  return kProved;
}

}  // namespace hexproof::tools
