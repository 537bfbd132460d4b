#include "tools/api/certificate/derivation_folder.h"

#include <map>

#include "ir/base/file.h"
#include "rewrite/report/certificate.h"
#include "tools/api/certificate/audit_files.h"
#include "tools/api/version.h"

namespace hexproof::api {

Json made_by_apply(bool trust_rules, const Session& session) {
  return {{"command", "apply"}, {"trust_rules", trust_rules}, {"rlimit", session.limits().rlimit}};
}

void save_derivation(const std::string& path, const ScheduledDetail& done, const Program& program,
                     const ScheduleText& schedule, Session& session) {
  Prover& prover = session.prover();
  OutputFolder folder(path);
  std::map<std::string, std::string> files;
  auto write = [&](const std::string& name, const std::string& bytes) { folder.write(name, files[name] = bytes); };
  const Json made = made_by_apply(done.trust_rules, session);
  if (done.transformed.single()) {
    const Derivation& derivation = done.transformed.function();
    const CheckReport &source_check = done.transformed.source_check(),
                      &final_check = *done.validated.at(0).second.check;
    write_certificate(write, {.derivation = derivation,
                              .source_check = source_check,
                              .final_check = final_check,
                              .models = given_models(derivation, source_check, final_check, prover),
                              .source_path = program.path(),
                              .source_text = program.text(),
                              .schedule_path = schedule.name,
                              .schedule_text = schedule.text,
                              .versions = version_json(),
                              .validation = done.judged(),
                              .made = made});
  } else {
    const ModuleReport report = done.report();
    write_module_certificate(write, {.report = report,
                                     .models = given_models(report, prover),
                                     .source_path = program.path(),
                                     .source_text = program.text(),
                                     .schedule_path = schedule.name,
                                     .schedule_text = schedule.text,
                                     .versions = version_json(),
                                     .made = made});
  }
  folder.write(kSums, sums_of(files));
  folder.commit();
}

}  // namespace hexproof::api
