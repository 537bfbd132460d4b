#include "tests/rfc77/run_pair.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/layout/interface.h"
#include "rewrite/schedule/reader.h"
#include "tests/rfc77/module_pair.h"
#include "verify/equiv/equiv.h"

namespace hexproof::rfc77 {
namespace {

/// A program of the document says nothing of flags: it is compared under those of the other one.
PrimFunc granted_as(const PrimFunc& before, PrimFunc after) {
  after.attrs.erase(kFastMathAttribute);
  auto flags = before.attrs.find(kFastMathAttribute);
  if (flags != before.attrs.end()) after.attrs[kFastMathAttribute] = flags->second;
  return after;
}

EquivReport compared(const PrimFunc& before, const PrimFunc& after, const std::vector<InterfaceChange>& changes,
                     Prover& prover) {
  return equiv(pair_programs(before, granted_as(before, after), relation_request(changes)), prover,
               {.max_terms = 2'000'000});
}

std::string verdict(const EquivReport& report) {
  static const char* const kNames[] = {"proved", "refuted", "undecided", "vacuous", "unsupported"};
  std::string out = fmt::format("{} {}", kNames[static_cast<size_t>(report.finding)], report.reason);
  for (const Evidence& e : report.evidence) out += fmt::format("\n  {}: {}", e.method, e.says);
  if (report.counterexample) out += "\n" + report.counterexample->table;
  return out;
}

/// The function of a module that stands for another one: of that name, or the only one.
const PrimFunc* counterpart(const IRModule& module, const PrimFunc& of, size_t count) {
  for (const PrimFunc& f : module.functions) {
    if (f.name == of.name) return &f;
  }
  return count == 1 && module.functions.size() == 1 ? &module.functions[0] : nullptr;
}

}  // namespace

void add_refinements(const Derivation& derivation, Ran* ran) {
  for (const Step& step : derivation.steps()) {
    std::string what = fmt::format("step {} of {}, {}", ran->steps++, derivation.source().name, step.rule);
    ran->refinements.push_back({what, step.before, step.after, step.interface_changes});
    ran->obligations += step.obligations.size();
  }
  ran->refinements.push_back(
      {"the whole of " + derivation.source().name, derivation.source(), derivation.current(), derivation.interface()});
}

Ran run_schedule_on(const IRModule& before, const std::string& schedule, const std::string& name, Prover& prover) {
  bool splits = schedule.find("sch.hoist_stage(") != std::string::npos;
  if (before.functions.size() > 1 || splits) return run_schedule_on_module(before, schedule, name, prover);
  Ran out;
  Derivation derivation(before.functions.at(0));
  std::clock_t start = std::clock();
  try {
    run_schedule(derivation, prover, std::make_shared<const SourceFile>(SourceFile{name + ".py", schedule}));
  } catch (const Refused& refused) {
    out.refusal = refused.what();
  } catch (const Error& error) {
    out.refusal = error.what();
  }
  out.milliseconds = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  add_refinements(derivation, &out);
  out.after = before;
  out.after.functions = {derivation.current()};
  return out;
}

void expect_validated(const Ran& ran, Prover& prover) {
  for (const Refinement& r : ran.refinements) {
    EquivReport report = compared(r.before, r.after, r.changes, prover);
    EXPECT_EQ(report.finding, Finding::Proved) << r.what << ": " << verdict(report) << "\n"
                                               << print(r.before) << "\n"
                                               << print(r.after);
  }
}

std::string not_proved(const IRModule& before, const IRModule& after, Prover& prover) {
  for (const PrimFunc& f : before.functions) {
    const PrimFunc* g = counterpart(after, f, before.functions.size());
    if (!g) return "there is no counterpart of '" + f.name + "'";
    EquivReport report = compared(f, *g, {}, prover);
    if (report.finding != Finding::Proved) return f.name + ": " + verdict(report);
  }
  return "";
}

std::string not_refuted(const IRModule& before, const IRModule& after, const std::vector<InterfaceChange>& changes,
                        Prover& prover) {
  std::string found;
  for (const PrimFunc& f : before.functions) {
    const PrimFunc* g = counterpart(after, f, before.functions.size());
    if (!g) return "there is no counterpart of '" + f.name + "'";
    std::vector<InterfaceChange> own;
    for (const InterfaceChange& change : changes) {
      if (change.param < f.params.size() && f.params[change.param].buffer) own.push_back(change);
    }
    ProgramPair pair = pair_programs(f, granted_as(f, *g), relation_request(own, &f));
    EquivReport report = equiv(pair, prover, {.max_terms = 2'000'000});
    if (report.finding == Finding::Refuted && report.counterexample) return "";
    found += f.name + ": " + verdict(report) + "\n";
  }
  return found;
}

std::string program_difference(const IRModule& found, const IRModule& expected) {
  bool same = found.functions.size() == expected.functions.size();
  for (size_t k = 0; same && k < found.functions.size(); ++k) {
    const PrimFunc* f = counterpart(found, expected.functions[k], expected.functions.size());
    same = f && same_program(*f, expected.functions[k]);
  }
  return same ? "" : "found\n" + print(found) + "\nexpected\n" + print(expected);
}

IRModule without_flag(IRModule module, const std::string& flag) {
  for (PrimFunc& f : module.functions) {
    if (!f.granted(flag)) continue;
    std::vector<std::string> flags = f.granted_flags();
    std::erase(flags, flag);
    f.attrs.erase(kFastMathAttribute);
    if (!flags.empty()) f.attrs[kFastMathAttribute] = join_flags(flags);
  }
  return module;
}

}  // namespace hexproof::rfc77
