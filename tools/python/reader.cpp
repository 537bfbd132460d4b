// run_schedule: a schedule is a program of the user's, which Python runs.
#include "rewrite/schedule/reader.h"

#include "ir/text/lexer.h"
#include "ir/text/text.h"
#include "rewrite/module/schedule.h"
#include "tools/python/interpreter.h"
#include "tools/python/objects.h"

namespace hexproof {
namespace {

void run(const std::shared_ptr<python::ScheduleObject>& schedule, const std::shared_ptr<const SourceFile>& file) {
  require_text(file);
  python::start_python();
  pybind11::gil_scoped_acquire lock;
  try {
    pybind11::object code = python::compile_file(file);
    python::support().attr("run")(code, file->path, schedule);
  } catch (pybind11::error_already_set& e) {
    schedule->end();
    python::throw_as_ours(e, file);
  }
}

}  // namespace

void run_schedule(Derivation& derivation, Prover& prover, std::shared_ptr<const SourceFile> file) {
  Schedule schedule(derivation, prover);
  auto object = std::make_shared<python::ScheduleObject>();
  object->target.schedule = &schedule;
  object->script = [&] { return print(derivation.current()); };
  object->functions = {derivation.source().name};
  run(object, file);
}

void run_schedule(ModuleDerivation& module, Prover& prover, std::shared_ptr<const SourceFile> file) {
  ModuleSchedule schedule(module, prover);
  auto object = std::make_shared<python::ScheduleObject>();
  object->target.module = &schedule;
  object->script = [&] { return print(module.current()); };
  for (const PrimFunc& func : module.source().functions) object->functions.push_back(func.name);
  run(object, file);
}

}  // namespace hexproof
