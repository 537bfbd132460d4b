// hexproof rules: the list of rules, and the proof of every expression rule.
#include <atomic>

#include "rewrite/expr_rules/prove.h"
#include "tools/command.h"
#include "tools/progress.h"
#include "tools/reports/report.h"
#include "tools/verdict.h"
#include "verify/prove/effort.h"

namespace hexproof::tools {
namespace {

struct RulesOptions : Common {
  bool prove = false;
};

int list(const RulesOptions& o) {
  Json report = {{"verdict", "listed"}};
  o.say("statement rules");
  for (const Rule* rule : all_rules()) {
    o.say("  " + rule->name + ": " + rule->summary);
    report["statement_rules"].push_back({{"name", rule->name}, {"summary", rule->summary}});
  }
  o.say("expression rules");
  for (const RuleInstance& instance : rule_instances()) {
    // One line a rule: its first instance shows the law.
    if (instance.types != instance.rule->types.front()) continue;
    o.say("  " + print(instance));
    report["expression_rules"].push_back({{"name", instance.rule->name}, {"law", print(instance.rewrite)}});
  }
  write_report(report, kProved);
  return kProved;
}

int prove(const RulesOptions& o) {
  std::atomic<size_t> proved{0}, refuted{0}, open{0};
  TimeBudget::start(o.budget * static_cast<double>(expr_rules().size()));  // (a rule is a function's worth of work)
  std::vector<RuleProof> proofs = prove_rules("", o.jobs, [&](const RuleProof& p) {
    (p.answer.verdict == Verdict::Proved ? proved : p.answer.verdict == Verdict::Refuted ? refuted : open)++;
    progress(std::to_string(proved + refuted + open) + " theorems, last: " + p.str());
  });
  Json report;
  for (const RuleProof& p : proofs) {
    report["proofs"].push_back(
        {{"claim", p.str()}, {"verdict", to_text(p.answer.verdict)}, {"solver", p.answer.solver}});
    std::string why = p.answer.reason.empty() ? "" : ": " + p.answer.reason;
    o.say(p.answer.verdict == Verdict::Proved ? +kProved : +kUndecided,
          std::string(to_text(p.answer.verdict)) + ": " + p.str() + " (" + p.answer.solver + ")" + why);
  }
  o.say(std::to_string(expr_rules().size()) + " rules, " + std::to_string(proofs.size()) + " theorems: " +
        std::to_string(proved) + " proved, " + std::to_string(refuted) + " refuted, " + std::to_string(open) + " open");
  int code = refuted > 0 ? kRefuted : open > 0 ? kUndecided : kProved;
  write_report(report, code);
  return code;
}

}  // namespace

void add_rules(CLI::App& app, Run& run) {
  auto o = std::make_shared<RulesOptions>();
  CLI::App* command = app.add_subcommand("rules", "list the rules, or prove every expression rule anew");
  command->add_flag("--prove", o->prove, "prove every expression rule, for each type");
  o->add_to(*command);
  command->callback([o, &run] {
    run = [o] {
      o->begin({});
      return o->prove ? prove(*o) : list(*o);
    };
  });
}

}  // namespace hexproof::tools
