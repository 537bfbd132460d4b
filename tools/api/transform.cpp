// From a program and a schedule to a proved derivation, and to its judgement: what `schedule` and `certify` share.
#include "ir/text/text.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/module/schedule.h"
#include "rewrite/schedule/reader.h"
#include "rewrite/te/lower/lower.h"
#include "tools/api/detail.h"
#include "tools/api/second_line.h"
#include "verify/equiv/satisfiable.h"

namespace hexproof::api {

Transformed transform(const Program& program, const ScheduleText& schedule, const std::string& function, bool whole,
                      Session& session, std::vector<std::string>* says) {
  Prover& prover = session.prover();
  std::vector<Linked> sources;
  if (!whole) sources.push_back(linked_function(program, function, session));
  Transformed out{ModuleDerivation(whole ? program.module() : IRModule{program.module().name, {sources[0].func}}), {}};
  if (whole) session.begin(program.module().functions.size());
  for (const PrimFunc& func : out.module.source().functions) {
    CheckReport checked = check_program(whole ? linked(program.module(), func.name, prover) : sources[0], prover);
    out.verdict = worse(out.verdict, verdict_of(checked.finding));
    if (checked.finding != Finding::Proved) {
      for (std::string& line : check_lines(func.name, checked)) says->push_back(std::move(line));
      if (schedule.recorded) {
        for (std::string& line : line_of_script({program, schedule}, checked)) says->push_back(std::move(line));
      }
    }
    out.source_checks.emplace_back(func.name, std::move(checked));
  }
  if (out.verdict != Verdict::Proved) {
    says->push_back("the program is not transformed: a program with errors would make every rewrite right");
    return out;
  }
  if (schedule.recorded) {
    coded(Code::Schedule, Code::UnsupportedPrimitive, [&] { te::lower(*schedule.recorded, out.function(), prover); });
  } else if (!schedule.name.empty()) {
    auto file = std::make_shared<const SourceFile>(SourceFile{schedule.name, schedule.text});
    coded(Code::Schedule, Code::UnsupportedPrimitive,
          [&] { whole ? run_schedule(out.module, prover, file) : run_schedule(out.function(), prover, file); });
  }
  if (whole) out.linked = out.module.prove_linked(prover);
  return out;
}

ModuleReport ScheduledDetail::report() const {
  ModuleReport out{transformed.module, transformed.source_checks, transformed.linked};
  out.trust_rules = trust_rules;
  if (!trust_rules) out.validated = validated;
  return out;
}

namespace {

/// What the second line judges. Of a single function also one that no step changed.
std::vector<ModulePart> parts(const Transformed& done, const ScheduleOptions& options, Prover& prover) {
  if (!done.single()) return options.trust_rules ? std::vector<ModulePart>{} : parts_to_judge(done.module, prover);
  if (options.trust_rules && !options.thorough) return {};
  const Derivation& d = done.function();
  return {{d.source().name, d.source(), before_lowering(d), d.interface()}};
}

}  // namespace

Scheduled schedule(const Program& program, const ScheduleText& schedule, const ScheduleOptions& options,
                   Session& session) {
  return translated([&] {
    Scheduled out;
    auto detail = std::make_shared<ScheduledDetail>(
        ScheduledDetail{transform(program, schedule, options.function, options.function.empty(), session, &out.says),
                        {},
                        options.trust_rules});
    out.detail = detail;
    const Transformed& done = detail->transformed;
    out.verdict = done.verdict;
    if (out.verdict != Verdict::Proved) return out;
    for (const ModulePart& part : parts(done, options, session.prover())) {
      bool thorough = options.thorough && done.single();
      Validation validation =
          second_line(part.first, part.last, part.interface, session.prover(), !options.trust_rules, thorough);
      if (!validation.disagrees.empty()) {
        out.verdict = Verdict::Rejected;
        out.disagreement = disagreement(validation, {"apply", program, schedule, part.first, part.last});
      }
      bool vacuous = done.single() && validation.check && validation.check->finding == Finding::Vacuous;
      if (out.verdict == Verdict::Proved && vacuous) {
        out.verdict = Verdict::Vacuous;
        out.says = check_lines("the transformed program", *validation.check);
      }
      detail->validated.emplace_back(part.what, std::move(validation));
      if (out.verdict != Verdict::Proved) return out;
    }
    out.program = done.single() ? print(done.function().current()) : print(done.module.current());
    return out;
  });
}

}  // namespace hexproof::api
