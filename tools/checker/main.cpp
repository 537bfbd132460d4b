// hexproof-check DIR [--solver COMMAND] [--seconds N]: a certificate without rules (docs/audit.md says what that shows)
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>

#include "ir/base/codes.h"
#include "tools/checker/certificate.h"

namespace hexproof::checker {
namespace {

constexpr int kAccepted = 0, kUsage = 1, kBadInput = 2, kOpen = 5, kRejected = 12;

struct Request {
  std::string folder, solver;
  int seconds = 20;
};

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

/// Of the first program, the last one before lowering, and what was compiled: that lowering is no more is believed.
Needs derived(const std::vector<Chain>& chains) {
  Needs out;
  for (const Chain& chain : chains) {
    out.add(needs(chain.source, "source.py", nullptr, chain.of_callees));
    if (chain.unchanged) continue;
    if (chain.before_file != "source.py") out.add(needs(chain.before_lowering, chain.before_file, &chain.given));
    out.add(needs(chain.last, "final.py", &chain.given));
  }
  return out;
}

/// Changes of a known form that do not owe what it would. By the first three no more than a branch comes, or goes.
const std::set<std::string> kLeft = {"introduce-branch", "skip-computed", "overcompute", "fold-buffer"};

/// What single steps owe, where their kind is known: `left` counts the others by their rules, and names those that do
/// what their kind does not.
Needs owed(const std::vector<Chain>& chains, std::map<std::string, size_t>* left, std::string* of_no_kind) {
  Needs out;
  for (const Chain& chain : chains) {
    for (const Step& step : chain.steps) {
      std::optional<std::vector<Need>> needs;
      if (!step.changes_layouts && !kLeft.count(step.rule))
        needs = follow(step.before, step.after, step.file, chain.given);
      if (!needs) ++(*left)[step.rule];
      const bool branch = kLeft.count(step.rule) > 0 && step.rule != "fold-buffer";
      if (branch && !only_a_branch(step.before, step.after, step.rule == "overcompute"))
        *of_no_kind += "  " + step.file + ": the step does more than one of its name\n";
      if (needs) out.add(std::move(*needs));
    }
  }
  return out;
}

int solve(const Request& request, const Formulas& formulas, const std::vector<Need>& needs) {
  std::vector<Need> all;
  for (const auto& [name, script] : formulas.scripts)
    all.push_back({name, "", script, formulas.of_others.count(name) ? "unsat" : "sat"});
  all.insert(all.end(), needs.begin(), needs.end());
  std::vector<std::string> scripts;
  for (const Need& need : all) scripts.push_back(need.script);
  const std::vector<std::string> answers = ask(request.solver, scripts, request.seconds);
  std::map<std::string, size_t> said;
  size_t open = 0;
  for (size_t k = 0; k < answers.size(); ++k) {
    if (answers[k] == "none") {
      std::fprintf(stderr, "error: cannot start '%s'\n", request.solver.c_str());
      return kBadInput;
    }
    if (answers[k] != all[k].shown && ++open)
      std::printf("  %s%s%s: %s\n", all[k].place.c_str(), all[k].claim.empty() ? "" : ": ", all[k].claim.c_str(),
                  answers[k].c_str());
    ++said[answers[k]];
  }
  std::printf("%s:", request.solver.c_str());
  for (const auto& [answer, count] : said) std::printf(" %zu %s", count, answer.c_str());
  std::printf("\n");
  // A model of a formula that leaves something open is no model of the obligation; but it is not shown here, either.
  return open == 0 ? kAccepted : kOpen;
}

/// `believed`: what the verdict rests on besides what was shown.
int look(const Request& request, std::string* believed) {
  const Files files(read_folder(request.folder));
  const std::vector<Chain> all = chains(files);
  const Formulas stored = formulas(files, all);
  Needs needs = derived(all);
  std::map<std::string, size_t> left;
  std::string of_no_kind, programs = "source.py";
  Needs of_steps = owed(all, &left, &of_no_kind);
  size_t steps = 0, others = 0, unfound = 0;
  auto believe = [&](size_t count, const std::string& what) {
    if (count > 0) *believed += (believed->empty() ? "; believed: " : ", ") + std::to_string(count) + " " + what;
  };
  for (const auto& [rule, count] : left) others += count, believe(count, rule);
  for (const Json& one : files.json().value("given_models", Json::array()))
    unfound += one.contains("none") && !one.contains("contradiction");
  believe(unfound, "lists of what is given without values");
  for (const Chain& chain : all) {
    steps += chain.steps.size();
    believe(chain.composed_maps, "index maps of several steps");
    believe(chain.open_assumes, "assumes or shapes of source.py");
    if (chain.before_file != "source.py") programs += ", " + chain.before_file;
    const std::string flags = join_flags(chain.last.granted_flags());
    if (!flags.empty()) std::printf("under granted fast-math flags: %s\n", flags.c_str());
  }
  std::printf("%zu files, %zu steps, %zu obligations with %zu formulas: digests, chain and formulas fit\n",
              files.all().size(), steps, stored.obligations, stored.scripts.size());
  std::printf(
      "%zu formulas on bounds and on what has no order derived from %s and final.py\n"
      "%zu formulas on what %zu of the steps owe derived from the programs before and after them\n",
      needs.list.size(), programs.c_str(), of_steps.list.size(), steps - others);
  needs.list.insert(needs.list.end(), of_steps.list.begin(), of_steps.list.end());
  const int code = request.solver.empty() ? kAccepted : solve(request, stored, needs.list);
  if (request.solver.empty()) std::puts("no --solver: neither these nor the stored formulas were asked");
  if (has_joint_steps(files)) of_no_kind += "joint steps changed several functions: these are not followed\n";
  std::printf("%s", of_no_kind.c_str());
  return of_no_kind.empty() ? code : kOpen;
}

int check(int argc, char** argv) {
  Request request;
  CLI::App app("a certificate looked at without the rules", "hexproof-check");
  app.add_option("DIR", request.folder, "the certificate")->required();
  const auto words = [](const std::string& s) {
    return std::string(s.find_first_not_of(' ') == s.npos ? "empty" : "");
  };
  app.add_option("--solver", request.solver, "asked all formulas, as \"cvc5 --lang=smt2\"")->check(words);
  app.add_option("--seconds", request.seconds, "of one formula")->check(CLI::PositiveNumber);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kAccepted : kUsage;
  }
  try {
    std::string believed;
    const int code = look(request, &believed);
    const char* accepted = request.solver.empty() ? "accepted, as far as files go" : "accepted";
    const char* said = code == kAccepted ? accepted : code == kOpen ? "open: not everything was shown" : "error";
    std::printf("%s%s\n", said, believed.c_str());
    return code;
  } catch (const Bad& e) {
    std::fprintf(stderr, "rejected: %s/%s\n", request.folder.c_str(), e.what());
  } catch (const Unsupported& e) {
    std::printf("%s\nopen: this program does not know it\n", e.what());
    return kOpen;
  } catch (const std::bad_alloc&) {
    std::printf("out of memory\nopen: not everything was shown\n");
    return kOpen;
  } catch (const std::exception& e) {
    const CodedError* coded = dynamic_cast<const CodedError*>(&e);
    if (coded && coded->code == Code::CannotRead) {
      std::fprintf(stderr, "%s\n", e.what());
      return kBadInput;
    }
    // JSON of another shape, programs that do not read
    std::fprintf(stderr, "rejected: %s/certificate.json: %s\n", request.folder.c_str(), e.what());
  }
  return kRejected;
}

}  // namespace
}  // namespace hexproof::checker

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  const int code = hexproof::checker::check(argc, argv);
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  std::fputs("error: cannot write to standard output\n", stderr);
  return hexproof::checker::kBadInput;
}
