// hexproof tune FILE TEMPLATE: the values of a schedule's parameters with which its kernel takes the fewest packets.
//
// The template is a schedule. A line of it that ends in a comment of this form is a parameter:
//   tile = 8  # tune: 4, 7, 8, 14
// The search starts with the values as they stand, and changes one parameter at a time for as long as that helps. Every
// candidate is certified: proved before it runs, and compared with the interpreter when it does. What is refused is
// noted, too, with the reason.
#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <regex>
#include <sstream>

#include "hexproof/certify.h"
#include "ir/base/codes.h"
#include "ir/base/diagnostic.h"
#include "rewrite/report/counterexample.h"
#include "tools/api/detail.h"
#include "tools/command.h"
#include "tools/progress.h"
#include "tools/rejected.h"
#include "tools/reports/report.h"
#include "tools/verdict.h"

namespace hexproof::tools {
namespace {

struct TuneArguments : Common {
  std::string file, schedule, output;
  size_t tries = 40;
  double seconds = 0;
  api::CertifyOptions options;
};

struct Parameter {
  std::string name;
  size_t line = 0;
  std::string comment;  // what stands behind its value
  std::vector<std::string> values;
};
/// Of each parameter, the position of its value.
using Choice = std::vector<size_t>;

std::string trimmed(const std::string& text) {
  size_t from = text.find_first_not_of(" \t"), to = text.find_last_not_of(" \t\r");
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

class Template {
 public:
  explicit Template(api::ScheduleText schedule) : schedule_(std::move(schedule)) {
    static const std::regex form(R"(^([A-Za-z_][A-Za-z_0-9]*) = (.+?)([ \t]+# tune:(.*))$)");
    std::istringstream in(schedule_.text);
    for (std::string line; std::getline(in, line); lines_.push_back(line)) {
      constexpr size_t kLongest = 4096;  // std::regex recurses with each character that it matches
      std::smatch parts;
      const std::string own = line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
      if (own.size() > kLongest || !std::regex_match(own, parts, form)) {
        if (line.find("# tune:") != std::string::npos) fail(lines_.size(), "is no parameter");
        continue;
      }
      Parameter p{parts[1], lines_.size(), line.substr(static_cast<size_t>(parts.position(3))), {}};
      std::istringstream list(parts[4]);
      for (std::string value; std::getline(list, value, ',');) {
        value = trimmed(value);
        if (value.empty()) fail(p.line, "has an empty value");
        if (std::find(p.values.begin(), p.values.end(), value) == p.values.end()) p.values.push_back(value);
      }
      auto now = std::find(p.values.begin(), p.values.end(), trimmed(parts[2]));
      if (now == p.values.end()) fail(p.line, "stands at a value that is none of its own");
      first_.push_back(static_cast<size_t>(now - p.values.begin()));
      parameters_.push_back(std::move(p));
    }
    if (parameters_.empty()) {
      throw CodedError(Code::Schedule,
                       schedule_.name + " has no parameter: a line such as `tile = 8  # tune: 4, 8, 16` is one");
    }
  }

  const std::vector<Parameter>& parameters() const { return parameters_; }
  const Choice& first() const { return first_; }
  api::ScheduleText at(const Choice& choice) const {
    std::vector<std::string> lines = lines_;
    for (size_t k = 0; k < choice.size(); ++k) {
      const Parameter& p = parameters_[k];
      lines[p.line] = p.name + " = " + p.values[choice[k]] + p.comment;
    }
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return {schedule_.name, text};
  }
  std::string words(const Choice& choice) const {
    std::string out;
    for (size_t k = 0; k < choice.size(); ++k) {
      out += (k ? ", " : "") + parameters_[k].name + " = " + parameters_[k].values[choice[k]];
    }
    return out;
  }

 private:
  [[noreturn]] void fail(size_t line, const std::string& what) const {
    throw CodedError(Code::Schedule, schedule_.name + ":" + std::to_string(line + 1) +
                                         ": the line marked with `# tune:` " + what +
                                         ": `NAME = VALUE  # tune: VALUE, VALUE` is one");
  }

  api::ScheduleText schedule_;
  std::vector<std::string> lines_;
  std::vector<Parameter> parameters_;
  Choice first_;
};

/// What became of one candidate.
struct Tried {
  std::optional<uint64_t> packets;  // missing: it did not run
  std::string verdict, says;
  int code = kProved;                                // what a command that certifies it ends with
  std::string text = {};                             // not proved: all that it prints
  std::shared_ptr<const api::Failure> failure = {};  // the schedule did not go through
  std::optional<api::Certificate> made = {};         // it did, and the result is not proved
};

/// As a report has it.
Json error_json(const api::Failure& failure) {
  const std::string text = failure.what();
  Json out = {{"code", failure.code}, {"message", text.substr(0, text.find('\n'))}, {"text", text}};
  if (failure.line != 0) out.update({{"file", failure.file}, {"line", failure.line}, {"column", failure.column}});
  if (failure.detail && failure.detail->refused) out["condition"] = to_json(*failure.detail->refused);
  return out;
}

class Search {
 public:
  Search(const TuneArguments& o, const Template& text)
      : o_(o), text_(text), program_(o.program(o.file)), session_(o.session()) {}

  void run() {
    best_ = text_.first();
    measure(best_);
    demand_unread({"-o", o_.output});
    for (bool better = true; better && !over();) {
      better = false;
      for (size_t k = 0; k < best_.size(); ++k) {
        for (size_t value = 0; value < text_.parameters()[k].values.size() && !over(); ++value) {
          Choice next = best_;
          next[k] = value;
          if (measure(next) && packets(next) < packets(best_)) best_ = next, better = true;
        }
      }
    }
  }

  const Choice& best() const { return best_; }
  std::optional<uint64_t> best_packets() const { return tried_.at(best_).packets; }
  const Tried& first() const { return tried_.at(text_.first()); }
  /// A candidate that is proved and wrong; null: there is none. It ends the search.
  const Tried* rejected() const { return is_rejected_ ? &tried_.at(order_.back()) : nullptr; }
  bool complete() const { return complete_; }
  Json json() const {
    Json out = Json::array();
    for (const Choice& choice : order_) {
      const Tried& tried = tried_.at(choice);
      Json values = Json::object();
      for (size_t k = 0; k < choice.size(); ++k) {
        values[text_.parameters()[k].name] = text_.parameters()[k].values[choice[k]];
      }
      out.push_back({{"values", values}, {"verdict", tried.verdict}});
      if (tried.packets) out.back()["packets"] = *tried.packets;
      if (!tried.says.empty()) out.back()["says"] = tried.says;
    }
    return out;
  }

 private:
  uint64_t packets(const Choice& choice) const { return tried_.at(choice).packets.value_or(~uint64_t{0}); }
  bool over() {
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    bool is_over = is_rejected_ || order_.size() >= o_.tries || (o_.seconds > 0 && seconds >= o_.seconds);
    complete_ &= !is_over;
    return is_over;
  }

  /// Whether it is new, and ran.
  bool measure(const Choice& choice) {
    if (tried_.count(choice)) return false;
    progress(text_.words(choice));
    Tried tried;
    try {
      api::Certificate made = api::certify(program_, text_.at(choice), o_.options, session_);
      tried.verdict = api::to_text(made.verdict);
      tried.code = exit_code(made.verdict);
      is_rejected_ = made.verdict == api::Verdict::Rejected;
      if (made.verdict == api::Verdict::Proved) {
        tried.packets = Json::parse(made.json()).at("kernel").at("run").at("packets").get<uint64_t>();
      } else {
        for (const std::string& line : made.says) tried.text += (tried.text.empty() ? "" : "\n") + line;
        tried.made = std::move(made);
      }
    } catch (const api::Failure& failure) {
      if (failure.kind == api::Failure::Kind::Internal) throw;
      // A mistake of the template itself shows with the values that it has.
      if (order_.empty() && failure.kind == api::Failure::Kind::Input) throw;
      tried.verdict = failure.kind == api::Failure::Kind::Undecided ? "undecided" : "refused";
      tried.code = exit_code(failure.kind);
      tried.text = failure.what();
      const CodeInfo* code = code_named(failure.code);
      if (code) tried.text += "\n" + code_line(code->code);
      tried.failure = std::make_shared<const api::Failure>(failure);
    }
    tried.says = tried.text.substr(0, tried.text.find('\n'));
    o_.say(text_.words(choice) + ": " +
           (tried.packets ? std::to_string(*tried.packets) + " packets"
                          : (tried.says.starts_with(tried.verdict) ? "" : tried.verdict + ": ") + tried.says));
    order_.push_back(choice);
    tried_[choice] = std::move(tried);
    return true;
  }

  const TuneArguments& o_;
  const Template& text_;
  api::Program program_;
  api::Session session_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::map<Choice, Tried> tried_;
  std::vector<Choice> order_;
  Choice best_;
  bool complete_ = true, is_rejected_ = false;
};

/// A kernel of which its own run, or what judges a result, says that it is wrong.
int end_rejected(const TuneArguments& o, const Tried& tried) {
  if (!tried.made->disagreement.report.empty())
    return rejected(tried.made->disagreement, tried.made->detail->validation);
  o.say("rejected: the object and the interpreter disagree; this is a bug of hexproof, LLVM or QEMU");
  write_report({{"lines", tried.made->says}}, kRejected);
  return kRejected;
}

int tune(const TuneArguments& o) {
  o.begin({.inputs = {{"FILE", o.file}, {"TEMPLATE", o.schedule}}, .outputs = {{"-o", o.output}}});
  const Template text(api::read_schedule(o.schedule));
  Search search(o, text);
  search.run();
  Json report = {{"tried", search.json()}, {"complete", search.complete()}};
  if (const Tried* wrong = search.rejected()) return end_rejected(o, *wrong);
  if (!search.best_packets()) {
    // What keeps the template from running as it stands is the answer: the others are changes of it.
    const Tried& first = search.first();
    o.say(first.code, "no candidate ran; the first one:\n" + first.text);
    if (first.failure) report["error"] = error_json(*first.failure);
    if (first.made) report.update(checks_json(first.made->detail->transformed, &first.made->detail->validation));
    write_report(report, first.code);
    return first.code;
  }
  report["packets"] = *search.best_packets();
  write_output({"-o", o.output}, text.at(search.best()).text);
  write_report(report, kProved);
  o.say("best: " + text.words(search.best()) + ": " + std::to_string(*search.best_packets()) + " packets, of " +
        std::to_string(report["tried"].size()) + " tried" +
        (search.complete() ? "; no change of one parameter helps" : "; stopped by the budget"));
  return kProved;
}

}  // namespace

void add_tune(CLI::App& app, Run& run) {
  auto o = std::make_shared<TuneArguments>();
  CLI::App* command = app.add_subcommand("tune", "values of a schedule's parameters, by packets under QEMU");
  command->add_option("FILE", o->file, "the program, in TVMScript")->required();
  command->add_option("TEMPLATE", o->schedule, "the schedule; `tile = 8  # tune: 4, 8, 16` is a parameter")->required();
  command->add_option("-o,--output", o->output, "the schedule with the best values");
  command->add_option("--function", o->options.function, "the function, when the file has several");
  command->add_option("--tries", o->tries, "candidates at most")->check(CLI::PositiveNumber);
  command->add_option("--seconds", o->seconds, "the search starts no candidate after so many; 0: no end")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--seed", o->options.seed, "which random input the kernels run on");
  o->add_to(*command);
  add_trust_rules(*command, o->options.trust_rules);
  command->callback([o, &run] { run = [o] { return tune(*o); }; });
}

}  // namespace hexproof::tools
