// hexproof mutants: campaigns against planted faults (docs/mutants.md). Only in the build of the preset `mutants`.
#include "ir/base/mutant.h"

#ifdef HEXPROOF_MUTANTS

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <set>

#include "fuzz/hunt/hunt.h"
#include "fuzz/hunt/hunt_conditions.h"
#include "fuzz/hunt/hunt_needs.h"
#include "fuzz/hunt/redundant_faults.h"
#include "ir/base/file.h"
#include "ir/base/parallel_for.h"
#include "tools/command.h"
#include "tools/reports/report.h"
#include "tools/verdict.h"

extern char** environ;

namespace hexproof::tools {
namespace {

struct MutantsOptions : Common {
  HuntOptions hunt;
  std::vector<std::string> names;
  bool list = false, one = false, needs = false;
};

bool is_condition(const std::string& name) { return name.starts_with("expr/"); }
bool is_need(const std::string& name) { return name.starts_with("rule/") || name == "kernel/block-claims"; }
/// Looked for together, not by a process each.
bool is_of_family(const PlantedFault& fault) { return is_need(fault.name) || is_condition(fault.name); }

/// Of the time: conditions are found soon.
constexpr double kConditionsShare = 5;

Json json_of(const Hunted& hunted) {
  Json json;
  json["found"] = hunted.found;
  json["seconds"] = hunted.seconds;
  json["cases"] = hunted.cases;
  json["finding"] = hunted.finding;
  return json;
}

/// What a child of this command writes: of the mutant that is switched on, or of each in the list.
int hunt_one(const MutantsOptions& o) {
  write_file(o.json, json_of(hunt(o.hunt)).dump(2) + "\n");
  return kProved;
}
int hunt_list(const MutantsOptions& o) {
  Json json;
  std::set<std::string> conditions, needs;
  for (const std::string& name : o.names) (is_condition(name) ? conditions : needs).insert(name);
  HuntOptions half = o.hunt;
  if (!needs.empty()) half.seconds /= kConditionsShare;
  if (!conditions.empty()) {
    for (const auto& [name, hunted] : hunt_conditions(half, conditions)) json[name] = json_of(hunted);
  }
  if (!needs.empty()) {
    for (const auto& [name, hunted] : hunt_needs(o.hunt, needs)) json[name] = json_of(hunted);
  }
  write_file(o.json, json.dump(2) + "\n");
  return kProved;
}

/// Runs this program again with such options; what it wrote, or nothing when it broke down.
std::optional<Json> in_child(const MutantsOptions& o, std::vector<std::string> words, uint64_t seed,
                             const std::string& report, int* status) {
  for (const std::string& word : {std::string("--time"), std::to_string(o.hunt.seconds), std::string("--seed"),
                                  std::to_string(seed), std::string("--json"), report}) {
    words.push_back(word);
  }
  if (!o.hunt.seeds) words.push_back("--no-seeds");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, argv.data(), environ) != 0) {
    throw Error("cannot start a process that looks for mutants");
  }
  ::waitpid(child, status, 0);
  std::error_code error;
  if (*status != 0 || !std::filesystem::exists(report, error)) return std::nullopt;
  Json json = Json::parse(read_file(report));
  std::filesystem::remove(report, error);
  return json;
}

/// A campaign with the mutant switched on.
Json campaign_of(const MutantsOptions& o, const std::string& name, const std::string& report) {
  int status = 0;
  std::optional<Json> json =
      in_child(o, {"hexproof", "--mutant", name, "mutants", "--one"}, o.hunt.seed, report, &status);
  if (json) return *json;
  // A fault that takes the process down is found, too; a campaign that ends in any other way has found nothing.
  const bool down = WIFSIGNALED(status) && (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGABRT ||
                                            WTERMSIG(status) == SIGBUS || WTERMSIG(status) == SIGFPE);
  const bool internal = WIFEXITED(status) && WEXITSTATUS(status) == exit_code(api::Failure::Kind::Internal);
  Json broken;
  broken["found"] = down || internal;
  broken["seconds"] = nullptr;
  broken["cases"] = nullptr;
  broken["finding"] = WIFSIGNALED(status) ? "the campaign was ended by signal " + std::to_string(WTERMSIG(status))
                                          : "the campaign ended with code " + std::to_string(WEXITSTATUS(status));
  return broken;
}

/// One campaign for all of the families rule/ and expr/ on each core.
Json campaign_of_needs(const MutantsOptions& o, const std::vector<std::string>& names, uint64_t seed,
                       const std::string& report) {
  std::vector<std::string> words = {"hexproof", "mutants", "--needs"};
  for (const std::string& name : names) words.insert(words.end(), {"--mutant", name});
  int status = 0;
  std::optional<Json> json = in_child(o, std::move(words), seed, report, &status);
  if (!json) throw Error("the campaign of the families rule/ and expr/ ended with status " + std::to_string(status));
  return *json;
}

int campaigns(const MutantsOptions& o) {
  o.begin({});
  std::vector<PlantedFault> faults = planted_faults();
  if (!o.names.empty()) {
    std::erase_if(faults, [&](const PlantedFault& f) {
      return std::none_of(o.names.begin(), o.names.end(), [&](const std::string& name) {
        return f.name == name || (name.ends_with('/') && f.name.starts_with(name));
      });
    });
    if (faults.empty()) throw Error("--mutant: there is none of this name");
  }
  std::vector<std::pair<PlantedFault, std::string>> redundant;
  std::erase_if(faults, [&](const PlantedFault& f) {
    std::string reason = why_redundant(f.name);
    if (!reason.empty()) redundant.emplace_back(f, reason);
    return !reason.empty();
  });
  namespace fs = std::filesystem;
  fs::path folder = fs::temp_directory_path() / ("hexproof-mutants-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::vector<Json> results(faults.size());
  std::mutex mutex;
  auto tell = [&](size_t k) {
    const Json& r = results[k];
    std::string time = r["seconds"].is_null() ? "" : " in " + std::to_string(r["seconds"].get<int>()) + " s";
    o.say(std::string(r["found"] ? "found" : "NOT FOUND") + time + "  " + faults[k].name + ": " + faults[k].breaks);
    std::string finding = r["finding"];
    if (!finding.empty()) o.say("    " + finding.substr(0, 400));
    std::fflush(stdout);
  };
  std::vector<std::string> needs, unsound;
  for (const PlantedFault& f : faults) {
    if (is_of_family(f)) needs.push_back(f.name);
  }
  if (!needs.empty()) {
    const size_t jobs = threads_for(o.jobs);
    parallel_for(jobs, static_cast<int>(jobs), [&](size_t t) {
      Json all = campaign_of_needs(o, needs, o.hunt.seed + 1000 * t, (folder / ("needs" + std::to_string(t))).string());
      std::lock_guard lock(mutex);
      if (all.contains(kNoFault)) unsound.push_back(all.at(kNoFault).at("finding"));
      for (size_t k = 0; k < faults.size(); ++k) {
        if (!is_of_family(faults[k])) continue;
        const Json& mine = all.at(faults[k].name);
        bool first = results[k].is_null() || (mine["found"] && !results[k]["found"]);
        if (first || (mine["found"] && mine["seconds"] < results[k]["seconds"])) results[k] = mine;
      }
    });
    for (size_t k = 0; k < faults.size(); ++k) {
      if (is_of_family(faults[k])) tell(k);
    }
  }
  parallel_for(faults.size(), o.jobs, [&](size_t k) {
    if (is_of_family(faults[k])) return;
    results[k] = campaign_of(o, faults[k].name, (folder / std::to_string(k)).string());
    std::lock_guard lock(mutex);
    tell(k);
  });
  std::error_code error;
  fs::remove_all(folder, error);
  size_t found = 0;
  Json list = Json::array();
  for (size_t k = 0; k < faults.size(); ++k) {
    Json entry = results[k];
    entry["mutant"] = faults[k].name;
    entry["breaks"] = faults[k].breaks;
    found += entry["found"].get<bool>();
    list.push_back(std::move(entry));
  }
  for (const auto& [fault, reason] : redundant) o.say("cannot change a result  " + fault.name + ": " + reason);
  for (const std::string& finding : unsound) o.say("UNSOUND WITHOUT A FAULT\n" + finding);
  std::printf("%zu of %zu mutants found, %zu cannot change a result\n", found, faults.size(), redundant.size());
  const int verdict = !unsound.empty() ? kRejected : found == faults.size() ? kProved : kUndecided;
  if (!o.json.empty()) {
    Json json;
    if (verdict == kProved) json["verdict"] = "passed";
    json["seconds_for_each"] = o.hunt.seconds;
    json["seed"] = o.hunt.seed;
    json["found"] = found;
    json["mutants"] = std::move(list);
    json["cannot_change_a_result"] = Json::object();
    for (const auto& [fault, reason] : redundant) json["cannot_change_a_result"][fault.name] = reason;
    json["unsound_without_a_fault"] = unsound;
    write_report(json, verdict);
  }
  return verdict;
}

int list_all() {
  for (const PlantedFault& f : planted_faults()) std::printf("%s: %s\n", f.name.c_str(), f.breaks.c_str());
  return kProved;
}

}  // namespace

void add_mutants(CLI::App& app, Run& run) {
  auto o = std::make_shared<MutantsOptions>();
  CLI::App* command = app.add_subcommand("mutants", "campaigns against each planted fault");
  command->add_option("--time", o->hunt.seconds, "seconds of processor time for each mutant")
      ->check(CLI::PositiveNumber);
  command->add_option("--seed", o->hunt.seed, "which random cases");
  command->add_option("--mutant", o->names, "only these (or all that start so, with a / at the end)");
  command->add_flag("!--no-seeds", o->hunt.seeds, "look with programs that are made at random alone");
  command->add_flag("--list", o->list, "their names and what they break");
  command->add_flag("--one", o->one, "look for the one that is switched on, in this process");
  command->add_flag("--needs", o->needs, "look for the needs that are named, in this process");
  o->add_to(*command);
  command->callback([o, &run] {
    run = [o] { return o->list ? list_all() : o->one ? hunt_one(*o) : o->needs ? hunt_list(*o) : campaigns(*o); };
  });
}

}  // namespace hexproof::tools

#endif
