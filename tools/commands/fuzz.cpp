// hexproof fuzz: campaigns over random programs and schedules, and the replay of what they found.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <set>

#include "fuzz/campaign.h"
#include "fuzz/verdicts.h"
#include "ir/base/file.h"
#include "ir/base/folder.h"
#include "ir/base/input_file.h"
#include "tools/command.h"
#include "tools/progress.h"
#include "tools/reports/report.h"
#include "tools/shard.h"
#include "tools/verdict.h"

namespace hexproof::tools {
namespace {

struct FuzzOptions : Common {
  CampaignOptions campaign;
  std::string shard = "0/1", replayed;
  std::vector<std::string> merged;
  bool list_empty = false, cover = false;
};

std::string line_of(const CampaignReport& r) {
  char text[200];
  std::snprintf(text, sizeof text, "%llu runs, %llu steps accepted, %llu refused, %llu unsound, %.0f pairs/s",
                static_cast<unsigned long long>(r.runs), static_cast<unsigned long long>(r.accepted),
                static_cast<unsigned long long>(r.refused), static_cast<unsigned long long>(r.unsound),
                r.seconds > 0 ? static_cast<double>(r.runs) / r.seconds : 0.0);
  return text;
}

/// A bar where there is an end, and what came out so far.
std::function<void(const CampaignReport&)> progress_of(const FuzzOptions& o) {
  if (o.quiet) return {};
  return [runs = o.campaign.runs](const CampaignReport& r) {
    std::string bar;
    if (runs > 0) {
      // (--cover adds cases to those that were asked for.)
      const size_t filled = std::min<size_t>(30, static_cast<size_t>(30 * r.runs / runs));
      bar = "[" + std::string(filled, '#') + std::string(30 - filled, '.') + "] ";
    }
    progress(bar + line_of(r));
  };
}

/// What the words of --shard and --runs come to. A shard without a case would pass and have tested nothing.
void take_shard(FuzzOptions* o) {
  const Shard shard = shard_of(o->shard, 0);
  o->campaign.shard = shard.which, o->campaign.shards = shard.count;
  if (o->campaign.runs > 0 && o->campaign.shard >= o->campaign.runs)
    throw CLI::ValidationError("--shard",
                               "'" + o->shard + "' has none of the " + std::to_string(o->campaign.runs) + " cases");
}

int campaign(const FuzzOptions& options) {
  options.begin({.made = {{"--corpus", options.campaign.corpus}}});
  FuzzOptions o = options;
  o.campaign.jobs = o.jobs;
  o.campaign.rlimit = o.rlimit;
  CampaignReport report =
      o.cover ? run_covering_campaign(o.campaign, progress_of(o)) : run_campaign(o.campaign, progress_of(o));
  o.say(line_of(report));
  o.say(std::to_string(report.sound) + " pairs sound, " + std::to_string(report.no_step) +
        " programs without an accepted step, " + std::to_string(report.erroneous) + " erroneous before any step");
  if (report.te.cases > 0) o.say(report.te.text());
  o.say(report.coverage.text());
  o.say("primitives (tried, went through, refused):");
  for (const auto& [name, cell] : report.primitives) {
    o.say(fmt::format("  {:<40} {:>9} {:>9} {:>9}", name, cell.tried, cell.fired, cell.refused));
  }
  std::vector<std::string> empty;
  for (const Coverage::Place& place : report.coverage.empty_cells()) empty.push_back(Coverage::name(place));
  o.say(std::to_string(empty.size()) + " cells that can be reached were not");
  for (const std::string& cell : empty) {
    if (o.list_empty) o.say("  " + cell);
  }
  for (const std::string& finding : report.findings)
    std::fprintf(o.json == "-" ? stderr : stdout, "unsound: %s\n", finding.c_str());
  // (A campaign that its time ends before the first case has tested nothing.)
  int code = report.unsound > 0 ? kRefuted : report.runs == 0 ? kUndecided : kProved;
  Json json;
  if (code == kProved) json["verdict"] = "passed";  // tested, not proved
  if (code == kUndecided) json["reason"] = "no case was tried within the time";
  json["seed"] = o.campaign.seed;
  json["runs"] = report.runs;
  json["sound"] = report.sound;
  json["without_step"] = report.no_step;
  json["erroneous"] = report.erroneous;
  json["unsound"] = report.unsound;
  json["accepted_by_rule"] = report.accepted_by_rule;
  json["coverage"] = report.coverage.json();
  for (const auto& [name, cell] : report.primitives) {
    json["primitives"][name] = {{"tried", cell.tried}, {"accepted", cell.fired}, {"refused", cell.refused}};
  }
  json["empty_cells"] = empty;
  json["te"] = report.te.text();
  json["findings"] = report.findings;
  write_report(json, code);
  return code;
}

int replay(const FuzzOptions& o) {
  o.begin({.inputs = {{"FILE", o.replayed}}});
  api::Session session = o.session();
  Trial trial = judge_with_verdicts(parse_case(read_bounded(o.replayed), o.replayed), session.prover());
  switch (trial.outcome) {
    case Outcome::Unsound:
      o.say(kRefuted, "unsound: " + trial.finding);
      write_report({{"findings", {trial.finding}}}, kRefuted);
      return kRefuted;
    case Outcome::Erroneous:
      o.say(kVacuous, "the program reaches an error on these inputs: nothing is owed");
      write_report({{"reason", "the program reaches an error on these inputs: nothing is owed"}}, kVacuous);
      return kVacuous;
    case Outcome::NoStep:
    case Outcome::Sound:
      o.say("sound: " + std::to_string(trial.accepted.size()) + " steps accepted, " + std::to_string(trial.refused) +
            " refused, " + std::to_string(trial.not_applicable) + " not applicable");
      write_report({{"verdict", "passed"},
                    {"accepted", trial.accepted.size()},
                    {"refused", trial.refused},
                    {"not_applicable", trial.not_applicable}},
                   kProved);
      return kProved;
  }
  internal_error(__FILE__, __LINE__, "no such outcome");
}

/// Gathers the failures of several corpora in the first one; equal files have equal names.
int merge(const FuzzOptions& o) {
  namespace fs = std::filesystem;
  GivenFiles files;
  for (const std::string& folder : o.merged) files.sources.push_back({"DIR", folder});
  files.made.push_back({"DIR", o.merged[0]});
  o.begin(std::move(files));
  size_t copied = 0;
  for (size_t i = 1; i < o.merged.size(); ++i) {
    for (const fs::directory_entry& entry : fs::directory_iterator(o.merged[i])) {
      if (entry.path().extension() != ".py") continue;
      fs::path to = fs::path(o.merged[0]) / entry.path().filename();
      // (Also where a link stands that leads nowhere.)
      if (fs::symlink_status(to).type() != fs::file_type::not_found) continue;
      write_file(to.string(), read_regular_file(entry.path().string()));
      ++copied;
    }
  }
  o.say(std::to_string(copied) + " cases copied to " + o.merged[0]);
  write_report({{"verdict", "merged"}, {"copied", copied}}, kProved);
  return kProved;
}

}  // namespace

void add_fuzz(CLI::App& app, Run& run) {
  auto o = std::make_shared<FuzzOptions>();
  o->rlimit = o->campaign.rlimit;
  o->campaign.te = 2;
  CLI::App* command = app.add_subcommand("fuzz", "random programs and schedules against the interpreter and the host");
  command->add_option("--runs", o->campaign.runs, "how many pairs; 0 means until --time is over");
  command->add_option("--time", o->campaign.seconds, "seconds; 0 means no limit")->check(CLI::NonNegativeNumber);
  command->add_option("--seed", o->campaign.seed, "which random cases");
  command->add_option("--padded", o->campaign.padded, "per cent of programs over padded buffers, tried with passes")
      ->check(CLI::Range(0, 100));
  command->add_option("--granted", o->campaign.granted, "per cent of programs on floats under granted fast-math flags")
      ->check(CLI::Range(0, 100));
  command->add_option("--te", o->campaign.te, "per cent of programs that are schedules of tensor expressions")
      ->check(CLI::Range(0, 100));
  command
      ->add_option("--schedules", o->campaign.schedules,
                   "per cent of pipelines that are tried with schedule primitives")
      ->check(CLI::Range(0, 100));
  command
      ->add_option("--constructs", o->campaign.constructs,
                   "per cent of programs that are made of constructs, half of them for one cell of the table each")
      ->check(CLI::Range(0, 100));
  command->add_option("--from-seeds", o->campaign.seeds, "per cent of programs that are seeds, half of them changed")
      ->check(CLI::Range(0, 100));
  command->add_option("--verdicts", o->campaign.verdicts,
                      "one case in so many is shown to check and equiv, too; 0 means none");
  command->add_option("--inside", o->campaign.inside,
                      "one case in so many runs with everything static asserted on the way; 0 means none");
  command->add_flag("--cover", o->cover, "and then cases for each cell of the table that can be reached and was not");
  command->add_flag("--list-empty", o->list_empty, "name the cells of the table that can be reached and were not");
  add_shard(*command, o->shard, 0, "i/n: every n-th case, from the i-th on, which counts from 0");
  command->add_option("--corpus", o->campaign.corpus, "where failures are saved");
  o->add_to(*command);
  CLI::App* replayed = command->add_subcommand("replay", "run one saved case again")->fallthrough();
  replayed->add_option("FILE", o->replayed, "a case that a campaign saved")->required();
  CLI::App* merged = command->add_subcommand("merge", "gather saved cases in the first of the folders")->fallthrough();
  merged->add_option("DIR", o->merged, "folders")->required()->expected(2, 1000)->check(CLI::ExistingDirectory);
  command->callback([o, replayed, merged, &run] {
    if (replayed->parsed()) {
      run = [o] { return replay(*o); };
    } else if (merged->parsed()) {
      run = [o] { return merge(*o); };
    } else {
      take_shard(o.get());
      run = [o] { return campaign(*o); };
    }
  });
}

}  // namespace hexproof::tools
