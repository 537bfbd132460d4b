// hexproof-check DIR [--solver COMMAND] [--seconds N]: a certificate looked at by a small program that has no rule and
// no solver in it. docs/audit.md says what that shows and what it does not.
#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>

#include "ir/base/codes.h"
#include "ir/base/utf8.h"
#include "tools/checker/certificate.h"

namespace hexproof::checker {
namespace {

constexpr int kAccepted = 0, kUsage = 1, kBadInput = 2, kOpen = 5, kRejected = 12;

struct Request {
  std::string folder, solver;
  int seconds = 20;
};

/// All that is printed goes through here: names and texts of the certificate begin no line.
template <typename... T>
void say(std::FILE* to, fmt::format_string<T...> line, T&&... parts) {
  fmt::print(to, "{}\n", visible_message(fmt::format(line, std::forward<T>(parts)...)));
}

/// Each formula once.
struct Needs {
  std::vector<Need> list;
  std::set<std::string> seen;
  void add(std::vector<Need> more) {
    for (Need& need : more) {
      if (seen.insert(need.shown + need.script).second) list.push_back(std::move(need));
    }
  }
};

/// What is to be shown of the first program, of the last one that was not lowered, and of what was compiled: that the
/// steps in between are nothing but lowering is the certificate's word.
Needs derived(const std::vector<Chain>& chains) {
  Needs out;
  for (const Chain& chain : chains) {
    out.add(chain.linked);
    out.add(needs(chain.source, "source.py", nullptr, chain.of_callees));
    if (chain.unchanged) continue;
    if (chain.before_file != "source.py") out.add(needs(chain.before_lowering, chain.before_file, &chain.given));
    out.add(needs(chain.last, "final.py", &chain.given));
  }
  return out;
}

/// By these no more than a branch comes, or goes. Their change has the form of one that is known here, and does not owe
/// what that would; nor does that of fold-buffer.
const std::set<std::string> kBranches = {"introduce-branch", "skip-computed", "overcompute"};

/// What single steps owe, where their kind is known: `left` counts the others by their rules; `open` names those that
/// do what their kind does not.
Needs owed(const std::vector<Chain>& chains, std::map<std::string, size_t>* left, std::vector<std::string>* open) {
  Needs out;
  for (const Chain& chain : chains) {
    for (const Step& step : chain.steps) {
      std::optional<std::vector<Need>> needs;
      const bool branch = kBranches.count(step.rule) > 0;
      if (!step.changes_layouts && !branch && step.rule != "fold-buffer")
        needs = follow(step.before, step.after, step.file, chain.given);
      if (!needs) ++(*left)[step.rule];
      if (branch && !only_a_branch(step.before, step.after, step.rule == "overcompute"))
        open->push_back(step.file + ": the step does more than one of its name");
      if (needs) out.add(std::move(*needs));
    }
  }
  return out;
}

int solve(const Request& request, const std::vector<Need>& needs, std::vector<std::string>* open) {
  const std::vector<std::string> answers = ask(request.solver, needs, request.seconds);
  std::map<std::string, size_t> said;
  for (size_t k = 0; k < answers.size(); ++k) {
    if (answers[k] == "none") return say(stderr, "error: cannot start '{}'", request.solver), kBadInput;
    // A model of a formula that leaves something open is no model of the obligation; but it is not shown here, either.
    if (answers[k] != needs[k].shown) open->push_back(needs[k].claim + ": " + answers[k]);
    ++said[answers[k]];
  }
  std::string counts;
  for (const auto& [answer, count] : said) counts += fmt::format(" {} {}", count, answer);
  say(stdout, "{}:{}", request.solver, counts);
  return kAccepted;
}

/// `believed`: what the verdict rests on besides what was shown.
int look(const Request& request, std::string* believed) {
  const Files files(read_folder(request.folder));
  const std::vector<Chain> all = chains(files);
  const Formulas stored = formulas(files, all);
  Needs needs = derived(all);
  std::map<std::string, size_t> left;
  std::vector<std::string> open;
  std::string programs = "source.py";
  Needs of_steps = owed(all, &left, &open);
  size_t steps = 0, others = 0, unfound = 0;
  auto believe = [&](size_t count, const std::string& what) {
    if (count > 0) *believed += fmt::format("{}{} {}", believed->empty() ? "; believed: " : ", ", count, what);
  };
  for (const auto& [rule, count] : left) others += count, believe(count, rule);
  for (const Json& one : files.json().value("given_models", Json::array()))
    unfound += !one.contains("values") && one.value("contradiction", Json()) != Json(true);
  believe(unfound, "lists of what is given without values");
  for (const Chain& chain : all) {
    steps += chain.steps.size();
    believe(chain.composed_maps, "index maps of several steps");
    believe(chain.open_assumes, "assumes or shapes of source.py");
    if (chain.before_file != "source.py") programs += ", " + chain.before_file;
    const std::string flags = join_flags(chain.last.granted_flags());
    if (!flags.empty()) say(stdout, "under granted fast-math flags: {}", flags);
  }
  say(stdout, "{} files, {} steps, {} obligations with {} formulas: digests, chain and formulas fit",
      files.all().size(), steps, stored.obligations, stored.needs.size());
  say(stdout, "{} formulas on bounds and on what has no order derived from {} and final.py", needs.list.size(),
      programs);
  say(stdout, "{} formulas on what {} of the steps owe derived from the programs before and after them",
      of_steps.list.size(), steps - others);
  for (const auto& [name, need] : stored.needs) of_steps.list.push_back(need);
  needs.list.insert(needs.list.end(), of_steps.list.begin(), of_steps.list.end());
  if (files.has_joint_steps()) open.push_back("joint steps changed several functions: these are not followed");
  int code = kAccepted;
  if (request.solver.empty()) say(stdout, "no --solver: neither these nor the stored formulas were asked");
  if (!request.solver.empty()) code = solve(request, needs.list, &open);
  for (const std::string& what : open) say(stdout, "  open: {}", what);
  return code == kAccepted && !open.empty() ? kOpen : code;
}

int check(int argc, char** argv) {
  Request request;
  CLI::App app("a certificate looked at without the rules", "hexproof-check");
  app.add_option("DIR", request.folder, "the certificate")->required();
  const auto words = [](const std::string& s) {
    return std::string(s.find_first_not_of(' ') == s.npos ? "empty" : "");
  };
  app.add_option("--solver", request.solver, "asked all formulas, as \"cvc5 --lang=smt2\"")->check(words);
  app.add_option("--seconds", request.seconds, "of one formula, and of all else")->check(CLI::PositiveNumber);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kAccepted : kUsage;
  }
  // Of processor time, which a child does not inherit: terms that are put into each other grow without end.
  std::signal(SIGPROF, [](int) {
    constexpr std::string_view kWords = "open: what asks no solver takes more time than --seconds\n";
    _exit(write(STDOUT_FILENO, kWords.data(), kWords.size()) < 0 ? kBadInput : kOpen);
  });
  const itimerval all_else{{}, {request.seconds, 0}};
  setitimer(ITIMER_PROF, &all_else, nullptr);
  try {
    std::string believed;
    const int code = look(request, &believed);
    const char* accepted = request.solver.empty() ? "accepted, as far as files go" : "accepted";
    const char* said = code == kAccepted ? accepted : code == kOpen ? "open: not everything was shown" : "error";
    say(stdout, "{}{}", said, believed);
    return code;
  } catch (const std::exception& e) {
    const CodedError* coded = dynamic_cast<const CodedError*>(&e);
    if (coded && coded->code == Code::CannotRead) return say(stderr, "{}", e.what()), kBadInput;
    if (dynamic_cast<const Unsupported*>(&e) || dynamic_cast<const std::bad_alloc*>(&e)) {
      say(stdout, "open: this program does not get through: {}", e.what());
      return kOpen;
    }
    // Else JSON of another shape, and calls that do not fit.
    const char* place = dynamic_cast<const Bad*>(&e) ? "" : "certificate.json: ";
    say(stderr, "rejected: {}/{}{}", request.folder, place, e.what());
    return kRejected;
  }
}

}  // namespace
}  // namespace hexproof::checker

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  const int code = hexproof::checker::check(argc, argv);
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  hexproof::checker::say(stderr, "error: cannot write to standard output");
  return hexproof::checker::kBadInput;
}
