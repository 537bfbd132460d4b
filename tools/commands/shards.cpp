// hexproof obligations, discharge, merge: the formulas of a schedule as files, for many machines.
#include <fmt/format.h>

#include "ir/base/digest.h"
#include "ir/base/file.h"
#include "ir/base/parallel_for.h"
#include "tools/api/certificate/formula_folder.h"
#include "tools/api/detail.h"
#include "tools/command.h"
#include "tools/rejected.h"
#include "tools/reports/report.h"
#include "tools/shard.h"
#include "tools/verdict.h"
#include "verify/prove/effort.h"

namespace hexproof::tools {
namespace {

struct ShardArguments : Common {
  std::string file, schedule, folder, function, shard = "1/1";
};

int write_obligations(const ShardArguments& o) {
  o.begin({.inputs = {{"FILE", o.file}, {"SCHEDULE", o.schedule}},
           .outputs = {{"--out", o.folder.empty() ? "" : o.folder + "/index.json"}},
           .made = {{"--out", o.folder}}});
  api::Session session = o.session();
  session.begin();
  const auto [program, schedule] = o.program(o.file, o.schedule);
  std::vector<std::string> says;
  const api::Transformed done = api::transform(program, schedule, o.function, false, session, &says);
  for (const std::string& line : says) o.say(exit_code(done.verdict), line);
  if (done.verdict != api::Verdict::Proved) {
    Json report = checks_json(done, nullptr);
    report["lines"] = says;
    write_report(report, exit_code(done.verdict));
    return exit_code(done.verdict);
  }
  api::FormulaList formulas;
  for (const CheckedObligation& one : done.source_check().obligations) formulas.add(one.obligation, "check");
  size_t number = 0;
  for (const Step& step : done.function().steps()) {
    ++number;
    for (const auto& [obligation, answer] : step.obligations) {
      formulas.add(obligation, fmt::format("step {} ({})", number, step.rule));
    }
  }
  demand_unread({"--out", o.folder + "/index.json"});
  formulas.write(o.folder, sha256(program.text()), sha256(schedule.text));
  write_report({{"verdict", "listed"}, {"formulas", formulas.size()}, {"steps", number}}, kProved);
  o.say(fmt::format("{} formulas of the check and of {} steps: {}", formulas.size(), number, o.folder));
  return kProved;
}

int discharge_shard(const ShardArguments& o) {
  o.begin({.sources = {{"DIR", o.folder}}});
  const auto [which, count] = shard_of(o.shard, 1);
  const api::FormulaFolder all = api::read_formulas(o.folder);
  if (!all.wrong.empty()) return rejected_files(o.folder, all.wrong);
  std::vector<const api::ListedFormula*> mine;
  size_t there = 0;
  for (size_t k = which; k < all.formulas.size(); k += count) {
    api::stored_answers(o.folder, all.formulas[k]) ? void(++there) : mine.push_back(&all.formulas[k]);
  }
  if (!mine.empty()) demand_folder(o.folder + "/answers");
  const api::Limits limits{.rlimit = o.rlimit, .jobs = o.jobs, .seconds = 0};
  // (Reading a formula and writing it out in bits are under no other bound.)
  TimeBudget::start(o.budget * static_cast<double>(mine.size()));
  parallel_for(mine.size(), o.jobs,
               [&](size_t k) { api::write_answers(o.folder, *mine[k], api::ask_formula(mine[k]->text, {}, limits)); });
  write_report({{"verdict", "listed"}, {"formulas", mine.size()}, {"answered_before", there}}, kProved);
  o.say(fmt::format("shard {}: {} formulas asked, {} were answered before", o.shard, mine.size(), there));
  return kProved;
}

int merge_answers(const ShardArguments& o) {
  o.begin({.sources = {{"DIR", o.folder}}});
  const api::FormulaFolder all = api::read_formulas(o.folder);
  if (!all.wrong.empty()) return rejected_files(o.folder, all.wrong);
  std::vector<std::string> missing, open;
  std::vector<api::AuditFinding> contradicted;
  std::map<std::string, size_t> unsat, sat;
  for (const api::ListedFormula& one : all.formulas) {
    const auto answers = api::stored_answers(o.folder, one);
    if (!answers) {
      missing.push_back(one.file);
      continue;
    }
    bool shown = false;
    for (const auto& [solver, said] : *answers) {
      shown |= said == one.shown_by;
      unsat[solver] += said == api::FormulaAnswer::Unsat;
      sat[solver] += said == api::FormulaAnswer::Sat;
    }
    if (!shown) open.push_back(one.file);
    if (!api::contradict(*answers)) continue;
    contradicted.push_back({.file = one.file, .why = "two solvers contradict each other", .solvers = true});
  }
  if (!contradicted.empty()) return rejected_files(o.folder, contradicted);
  const int code = missing.empty() && open.empty() ? kProved : kUndecided;
  write_report(
      {{"formulas", all.formulas.size()}, {"missing", missing}, {"open", open}, {"unsat", unsat}, {"sat", sat}}, code);
  const size_t done = all.formulas.size() - missing.size();
  o.say(code, fmt::format("{}: {} of {} formulas have an answer{}, {} are shown", verdict_word(code), done,
                          all.formulas.size(), missing.empty() ? "" : " (incomplete)", done - open.size()));
  for (const std::string& name : open) o.say(code, "  open: " + name);
  return code;
}

}  // namespace

void add_shards(CLI::App& app, Run& run) {
  auto add = [&](const char* name, const char* about, int (*work)(const ShardArguments&), auto more) {
    auto o = std::make_shared<ShardArguments>();
    CLI::App* command = app.add_subcommand(name, about);
    more(*command, *o);
    o->add_to(*command);
    command->callback([o, work, &run] { run = [o, work] { return work(*o); }; });
  };
  add("obligations", "write the formulas of a schedule into a folder", write_obligations,
      [](CLI::App& command, ShardArguments& o) {
        command.add_option("FILE", o.file, "the program, in TVMScript; or alone, a script of tensor expressions")
            ->required();
        command.add_option("SCHEDULE", o.schedule, "the schedule, in Python with TVM's names");
        command.add_option("--out", o.folder, "the folder")->required();
        command.add_option("--function", o.function, "the function, when the file has several");
      });
  add("discharge", "ask solvers for the formulas of a folder, or for a part of them", discharge_shard,
      [](CLI::App& command, ShardArguments& o) {
        add_shard(command, o.shard, 1, "i/n: the i-th of n parts, which counts from 1");
        command.add_option("DIR", o.folder, "what `obligations` wrote")->required();
      });
  add("merge", "say whether all formulas of a folder are shown", merge_answers,
      [](CLI::App& command, ShardArguments& o) {
        command.add_option("DIR", o.folder, "what `obligations` wrote")->required();
      });
}

}  // namespace hexproof::tools
