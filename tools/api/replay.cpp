#include "tools/api/replay.h"

#include <nlohmann/json.hpp>

#include "rewrite/report/recorded.h"
#include "tools/api/second_line.h"
#include "tools/api/version.h"

namespace hexproof::api {

void replay_steps(const Json& steps, Derivation& derivation, const ScheduleText& schedule, Session& session) {
  auto file = std::make_shared<const SourceFile>(SourceFile{schedule.name, schedule.text});
  size_t number = 0;
  for (const Json& step : steps) {
    ++number;
    auto bad = [&](const std::exception& e) {
      return BadStep{number, step.value("rule", "?"), step.value("program", ""), e.what()};
    };
    Span span;
    if (step.contains("schedule_line")) span = {file, step.at("schedule_line").get<int>(), 1, 1};
    try {
      derivation.apply(step.at("rule").get<std::string>(), read_recorded(step.at("recorded"), derivation.current()),
                       session.prover(), step.at("primitive").get<std::string>(), span);
    } catch (const Refused& e) {
      if (e.answer.verdict != hexproof::Verdict::Refuted) throw;
      throw bad(e);
    } catch (const NotApplicable& e) {
      throw bad(e);
    } catch (const Error& e) {
      throw bad(e);
    } catch (const Unsupported& e) {
      throw bad(e);
    } catch (const InternalError& e) {
      throw bad(e);
    }
  }
}

ModuleAnew module_anew(const Json& certificate, const Program& program, const ScheduleText& schedule,
                       Session& session) {
  ModuleAnew out;
  const Json& made = certificate.at("made");
  const bool trust_rules = made.at("trust_rules").get<bool>();
  ScheduledDetail detail{transform(program, {}, "", true, session, &out.says), {}, trust_rules};
  Transformed& transformed = detail.transformed;
  out.verdict = transformed.verdict;
  if (out.verdict != Verdict::Proved) return out;
  for (const Json& of : certificate.at("functions")) {
    replay_steps(of.at("steps"), transformed.module.function(of.at("function").get<std::string>()), schedule, session);
  }
  transformed.linked = transformed.module.prove_linked(session.prover());
  if (!trust_rules) {
    for (const ModulePart& part : parts_to_judge(transformed.module, session.prover())) {
      Validation validation = second_line(part.first, part.last, part.interface, session.prover(), true, false);
      if (!validation.disagrees.empty()) {
        out.wrong = part.what + ": " + validation.witness;
        return out;
      }
      detail.validated.emplace_back(part.what, std::move(validation));
    }
  }
  const ModuleReport report = detail.report();
  write_module_certificate([&](const std::string& name, const std::string& bytes) { out.files[name] = bytes; },
                           {.report = report,
                            .models = out.models = given_models(report, session.prover()),
                            .source_path = program.path(),
                            .source_text = program.text(),
                            .schedule_path = schedule.name,
                            .schedule_text = schedule.text,
                            .versions = version_json(),
                            .made = {{"command", "apply"}, {"trust_rules", trust_rules}}});
  return out;
}

}  // namespace hexproof::api
