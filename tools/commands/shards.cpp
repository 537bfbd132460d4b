// hexproof obligations, discharge, merge: the formulas of a schedule as files, for many machines.
//
// DIR/index.json lists the formulas with their digests; it is written last, so a folder without it is incomplete.
// DIR/obligations/NAME.smt2 are the formulas; DIR/answers/NAME.json is what solvers said of one. Each answer is a file
// of its own that appears under its name when it is complete, so shards may run anywhere, in any order, and again.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <mutex>
#include <set>

#include "ir/base/codes.h"
#include "ir/base/digest.h"
#include "ir/base/file.h"
#include "ir/base/read_json.h"
#include "tools/api/certificate/audit_files.h"
#include "tools/api/detail.h"
#include "tools/command.h"
#include "tools/reports/report.h"
#include "tools/verdict.h"

namespace hexproof::tools {
namespace {

namespace fs = std::filesystem;

struct ShardArguments : Common {
  std::string file, schedule, folder, function, shard = "1/1";
};

/// The formulas of a program and a schedule, by name: those of the check of the program, and those of each step.
struct Formulas {
  std::map<std::string, std::string> text;
  Json index = Json::array();

  void add(const Obligation& o, const std::string& of) {
    if (asks_for_values(o)) return;
    const std::string name = obligation_file(o), bytes = to_smtlib(o);
    if (!text.emplace(name, bytes).second) return;
    index.push_back({{"file", name},
                     {"sha256", sha256(bytes)},
                     {"of", of},
                     {"rule", o.rule},
                     {"why", o.why},
                     {"statement", o.where.statement}});
  }
};

void made_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw CodedError(Code::CannotWrite, "cannot make the folder '" + path + "': " + error.message());
}

int write_obligations(const ShardArguments& o) {
  o.begin({.inputs = {{"FILE", o.file}, {"SCHEDULE", o.schedule}},
           .outputs = {{"--out", o.folder.empty() ? "" : o.folder + "/index.json"}}});
  api::Session session = o.session();
  session.begin();
  const api::Program program = o.program(o.file);
  const api::ScheduleText schedule = o.schedule.empty() ? api::ScheduleText{} : api::read_schedule(o.schedule);
  std::vector<std::string> says;
  const api::Transformed done = api::transform(program, schedule, o.function, false, session, &says);
  for (const std::string& line : says) o.say(line);
  if (done.verdict != api::Verdict::Proved) {
    write_report({{"lines", says}}, exit_code(done.verdict));
    return exit_code(done.verdict);
  }
  Formulas formulas;
  for (const CheckedObligation& one : done.source_check().obligations) formulas.add(one.obligation, "check");
  size_t number = 0;
  for (const Step& step : done.function().steps()) {
    ++number;
    for (const auto& [obligation, answer] : step.obligations) {
      formulas.add(obligation, fmt::format("step {} ({})", number, step.rule));
    }
  }
  std::error_code error;
  const std::string index_file = o.folder + "/index.json";
  const Json index = {{"schema_version", kSchemaVersion},
                      {"program", sha256(program.text())},
                      {"schedule", sha256(schedule.text)},
                      {"formulas", formulas.index}};
  const std::string text = index.dump(2) + "\n";
  if (fs::exists(index_file, error) && read_file(index_file) != text) {
    throw CodedError(Code::CannotWrite, "'" + o.folder + "' holds the formulas of something else; it stays as it is");
  }
  made_folder(o.folder + "/obligations");
  made_folder(o.folder + "/answers");
  for (const auto& [name, bytes] : formulas.text) write_file(o.folder + "/" + name, bytes);
  write_file(index_file, text);
  write_report({{"verdict", "listed"}, {"formulas", formulas.text.size()}, {"steps", number}}, kProved);
  o.say(fmt::format("{} formulas of the check and of {} steps: {}", formulas.text.size(), number, o.folder));
  return kProved;
}

/// The index of a folder, and its formulas as they were written.
struct Listed {
  std::vector<std::string> names;
  std::map<std::string, std::string> text;
  std::vector<std::string> changed;  // whose digest is another one, or that are missing
};

Listed listed(const std::string& folder) {
  std::error_code error;
  if (!fs::is_regular_file(folder + "/index.json", error)) {
    throw CodedError(Code::CannotRead, "'" + folder + "' has no index.json: `hexproof obligations` makes it");
  }
  const Json index = read_json(read_file(folder + "/index.json"));
  Listed out;
  try {
    for (const Json& one : index.at("formulas")) {
      const std::string name = one.at("file").get<std::string>();
      const bool plain = name.starts_with("obligations/") && name.find("..") == name.npos;
      if (!plain) throw CodedError(Code::CannotRead, folder + "/index.json names '" + name + "'");
      out.names.push_back(name);
      const std::string path = folder + "/" + name;
      std::string bytes = fs::is_regular_file(path, error) ? read_file(path) : "";
      if (sha256(bytes) != one.at("sha256").get<std::string>()) out.changed.push_back(name);
      out.text[name] = std::move(bytes);
    }
  } catch (const Json::exception& e) {
    throw CodedError(Code::CannotRead, folder + "/index.json is no index: " + e.what());
  }
  for (const fs::directory_entry& one : fs::directory_iterator(folder + "/obligations", error)) {
    const std::string name = "obligations/" + one.path().filename().string();
    if (one.path().extension() == ".smt2" && !out.text.count(name)) out.changed.push_back(name);
  }
  return out;
}

int rejected_formulas(const std::string& folder, const std::vector<std::string>& names, const char* why, Code code) {
  Json report = {{"rejections", Json::array()}};
  for (const std::string& name : names) {
    const std::string place = folder + "/" + name;
    report["rejections"].push_back(
        {{"code", info(code).id}, {"file", place}, {"line", 1}, {"column", 1}, {"why", why}});
    std::fprintf(stderr, "rejected: %s:1:1: %s\n%s\n", place.c_str(), why, code_line(code).c_str());
  }
  write_report(report, kRejected);
  return kRejected;
}

std::string answer_file(const std::string& folder, const std::string& name) {
  return folder + "/answers/" + fs::path(name).stem().string() + ".json";
}

/// "2/5" as which of how many.
std::pair<size_t, size_t> shard_of(const std::string& text) {
  auto number = [](std::string_view digits) {
    size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() ? value : 0;
  };
  const size_t slash = std::min(text.find('/'), text.size());
  const size_t which = number(std::string_view(text).substr(0, slash)),
               count = number(std::string_view(text).substr(std::min(slash + 1, text.size())));
  if (which < 1 || which > count || count > 1'000'000) {
    throw CodedError(Code::Option, "--shard wants I/N, with I from 1 to N, not '" + text + "'");
  }
  return {which - 1, count};
}

int discharge_shard(const ShardArguments& o) {
  o.begin({.folders = {{"DIR", o.folder}}});
  const auto [which, count] = shard_of(o.shard);
  const Listed all = listed(o.folder);
  if (!all.changed.empty()) {
    return rejected_formulas(o.folder, all.changed, "is not the formula that index.json lists", Code::BadCertificate);
  }
  made_folder(o.folder + "/answers");
  std::vector<std::string> mine;
  size_t there = 0;
  for (size_t k = which; k < all.names.size(); k += count) {
    std::error_code error;
    fs::exists(answer_file(o.folder, all.names[k]), error) ? void(++there) : mine.push_back(all.names[k]);
  }
  const api::Limits limits{.rlimit = o.rlimit, .jobs = o.jobs, .seconds = 0};
  api::each_parallel(mine.size(), o.jobs, [&](size_t k) {
    const std::string& name = mine[k];
    Json answer = {{"sha256", sha256(all.text.at(name))}, {"answers", Json::object()}};
    for (const auto& [solver, said] : api::ask_formula(all.text.at(name), {}, limits)) {
      answer["answers"][solver] = api::to_text(said);
    }
    write_file(answer_file(o.folder, name), answer.dump(2) + "\n");
  });
  write_report({{"verdict", "listed"}, {"formulas", mine.size()}, {"answered_before", there}}, kProved);
  o.say(fmt::format("shard {}: {} formulas asked, {} were answered before", o.shard, mine.size(), there));
  return kProved;
}

int merge_answers(const ShardArguments& o) {
  o.begin({.folders = {{"DIR", o.folder}}});
  const Listed all = listed(o.folder);
  if (!all.changed.empty()) {
    return rejected_formulas(o.folder, all.changed, "is not the formula that index.json lists", Code::BadCertificate);
  }
  std::vector<std::string> missing, open, contradicted;
  std::map<std::string, size_t> unsat;
  for (const std::string& name : all.names) {
    std::error_code error;
    const std::string path = answer_file(o.folder, name);
    const Json answer = fs::is_regular_file(path, error) ? read_json(read_file(path)) : Json();
    const bool fits = answer.is_object() && answer.value("sha256", Json()) == sha256(all.text.at(name)) &&
                      answer.contains("answers") && answer.at("answers").is_object() && !answer.at("answers").empty();
    if (!fits) {  // missing, cut off, or of another formula: it is to be asked again
      missing.push_back(name);
      continue;
    }
    bool proved = false, refuted = false;
    for (const auto& [solver, said] : answer.at("answers").items()) {
      if (solver != "z3" && solver != "cvc5") continue;  // nobody that `discharge` asks
      proved |= said == "unsat", refuted |= said == "sat";
      unsat[solver] += said == "unsat";
    }
    if (proved && refuted) contradicted.push_back(name);
    if (!proved) open.push_back(name);
  }
  if (!contradicted.empty()) {
    return rejected_formulas(o.folder, contradicted, "two solvers contradict each other", Code::SolversDisagree);
  }
  const int code = missing.empty() && open.empty() ? kProved : kUndecided;
  write_report({{"formulas", all.names.size()}, {"missing", missing}, {"open", open}, {"unsat", unsat}}, code);
  const size_t done = all.names.size() - missing.size();
  o.say(fmt::format("{}: {} of {} formulas have an answer{}, {} are shown", verdict_word(code), done, all.names.size(),
                    missing.empty() ? "" : " (incomplete)", done - open.size()));
  for (const std::string& name : open) o.say("  open: " + name);
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
        command.add_option("FILE", o.file, "the program, in TVMScript")->required();
        command.add_option("SCHEDULE", o.schedule, "the schedule, in Python with TVM's names");
        command.add_option("--out", o.folder, "the folder")->required();
        command.add_option("--function", o.function, "the function, when the file has several");
      });
  add("discharge", "ask solvers for the formulas of a folder, or for a part of them", discharge_shard,
      [](CLI::App& command, ShardArguments& o) {
        command.add_option("--shard", o.shard, "I/N: the I-th of N parts");
        command.add_option("DIR", o.folder, "what `obligations` wrote")->required();
      });
  add("merge", "say whether all formulas of a folder are shown", merge_answers,
      [](CLI::App& command, ShardArguments& o) {
        command.add_option("DIR", o.folder, "what `obligations` wrote")->required();
      });
}

}  // namespace hexproof::tools
