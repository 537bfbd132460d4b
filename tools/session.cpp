#include "tools/session.h"

#include "ir/base/file.h"
#include "rewrite/module/schedule.h"
#include "rewrite/schedule/reader.h"
#include "tools/verdict.h"

namespace hexproof::tools {

std::optional<Transformed> transform(const Common& common, const std::string& file, const std::string& schedule,
                                     const std::string& function, Prover& prover, int* code) {
  Linked linked = common.program(file, function, prover);
  const PrimFunc& func = linked.func;
  Transformed out{read_file(file), schedule.empty() ? "" : read_file(schedule), Derivation(func),
                  check(linked, prover)};
  *code = exit_code(out.source_check.finding);
  if (*code != kProved) {
    say_check(common, func.name, out.source_check);
    common.say("the program is not transformed: a program with errors would make every rewrite right");
    return std::nullopt;
  }
  if (!schedule.empty()) {
    run_schedule(out.derivation, prover, std::make_shared<const SourceFile>(SourceFile{schedule, out.schedule_text}));
  }
  return out;
}

std::optional<TransformedModule> transform_module(const Common& common, const std::string& file,
                                                  const std::string& schedule, Prover& prover, int* code) {
  const IRModule source = common.module(file);
  TransformedModule out{read_file(file), schedule.empty() ? "" : read_file(schedule), ModuleDerivation(source), {}, {}};
  *code = kProved;
  common.begin_functions(source.functions.size());
  for (const PrimFunc& func : source.functions) {
    CheckReport checked = check(link(source, func.name, prover), prover);
    *code = worse(*code, exit_code(checked.finding));
    if (checked.finding != Finding::Proved) say_check(common, func.name, checked);
    out.source_checks.emplace_back(func.name, std::move(checked));
  }
  if (*code != kProved) {
    common.say("the program is not transformed: a program with errors would make every rewrite right");
    return std::nullopt;
  }
  if (!schedule.empty()) {
    run_schedule(out.module, prover, std::make_shared<const SourceFile>(SourceFile{schedule, out.schedule_text}));
  }
  out.linked = out.module.prove_linked(prover);
  return out;
}

}  // namespace hexproof::tools
