// hexproof mutants: campaigns against planted faults (docs/mutants.md). Only in the build of the preset `mutants`.
#include "ir/mutant.h"

#ifdef HEXPROOF_MUTANTS

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <thread>

#include "fuzz/hunt.h"
#include "ir/file.h"
#include "tools/command.h"
#include "tools/verdict.h"

extern char** environ;

namespace hexproof::tools {
namespace {

struct MutantsOptions : Common {
  HuntOptions hunt;
  std::vector<std::string> names;
  bool list = false, one = false;
};

/// What a child of this command writes of one mutant.
int hunt_one(const MutantsOptions& o) {
  Hunted hunted = hunt(o.hunt);
  Json json;
  json["found"] = hunted.found;
  json["seconds"] = hunted.seconds;
  json["cases"] = hunted.cases;
  json["finding"] = hunted.finding;
  write_file(o.json, json.dump(2) + "\n");
  return kProved;
}

/// Runs this program again with the mutant switched on; what it wrote, or nothing but how it ended.
Json in_child(const MutantsOptions& o, const std::string& name, const std::string& report) {
  std::vector<std::string> words = {"hexproof",
                                    "--mutant",
                                    name,
                                    "mutants",
                                    "--one",
                                    "--time",
                                    std::to_string(o.hunt.seconds),
                                    "--seed",
                                    std::to_string(o.hunt.seed),
                                    "--json",
                                    report};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, argv.data(), environ) != 0) {
    throw Error("cannot start a process for the mutant " + name);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  std::error_code error;
  if (status == 0 && std::filesystem::exists(report, error)) {
    Json json = Json::parse(read_file(report));
    std::filesystem::remove(report, error);
    return json;
  }
  // A fault that takes the process down is found, too.
  Json json;
  json["found"] = true;
  json["seconds"] = nullptr;
  json["cases"] = nullptr;
  json["finding"] = "the campaign ended with status " + std::to_string(status);
  return json;
}

int campaigns(const MutantsOptions& o) {
  std::vector<PlantedFault> faults = planted_faults();
  if (!o.names.empty()) {
    std::erase_if(faults, [&](const PlantedFault& f) {
      return std::none_of(o.names.begin(), o.names.end(), [&](const std::string& name) {
        return f.name == name || (name.ends_with('/') && f.name.starts_with(name));
      });
    });
    if (faults.empty()) throw Error("--mutant: there is none of this name");
  }
  namespace fs = std::filesystem;
  fs::path folder = fs::temp_directory_path() / ("hexproof-mutants-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::vector<Json> results(faults.size());
  std::atomic<size_t> next{0};
  std::mutex mutex;
  auto work = [&] {
    for (size_t k; (k = next++) < faults.size();) {
      results[k] = in_child(o, faults[k].name, (folder / std::to_string(k)).string());
      std::lock_guard lock(mutex);
      const Json& r = results[k];
      std::string time = r["seconds"].is_null() ? "" : " in " + std::to_string(r["seconds"].get<int>()) + " s";
      o.say(std::string(r["found"] ? "found" : "NOT FOUND") + time + "  " + faults[k].name + ": " + faults[k].breaks);
      if (r["found"]) o.say("    " + r["finding"].get<std::string>().substr(0, 400));
    }
  };
  std::vector<std::jthread> threads;
  int jobs = o.jobs > 0 ? o.jobs : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  for (int t = 0; t < jobs; ++t) threads.emplace_back(work);
  threads.clear();
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
  std::printf("%zu of %zu mutants found\n", found, faults.size());
  if (!o.json.empty()) {
    Json json = report_header("mutants");
    json["seconds_for_each"] = o.hunt.seconds;
    json["seed"] = o.hunt.seed;
    json["found"] = found;
    json["mutants"] = std::move(list);
    write_file(o.json, json.dump(2) + "\n");
  }
  return found == faults.size() ? kProved : kUndecided;
}

int list_all() {
  for (const PlantedFault& f : planted_faults()) std::printf("%s: %s\n", f.name.c_str(), f.breaks.c_str());
  return kProved;
}

}  // namespace

void add_mutants(CLI::App& app, Run& run) {
  auto o = std::make_shared<MutantsOptions>();
  CLI::App* command = app.add_subcommand("mutants", "campaigns against each planted fault");
  command->add_option("--time", o->hunt.seconds, "seconds for each mutant")->check(CLI::PositiveNumber);
  command->add_option("--seed", o->hunt.seed, "which random cases");
  command->add_option("--mutant", o->names, "only these (or all that start so, with a / at the end)");
  command->add_flag("--list", o->list, "their names and what they break");
  command->add_flag("--one", o->one, "look for the one that is switched on, in this process");
  o->add_to(*command);
  command->callback([o, &run] { run = [o] { return o->list ? list_all() : o->one ? hunt_one(*o) : campaigns(*o); }; });
}

}  // namespace hexproof::tools

#endif
