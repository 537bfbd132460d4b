#include "tools/api/certificate/replay.h"

#include <nlohmann/json.hpp>

#include "rewrite/module/changes.h"
#include "rewrite/report/recorded.h"
#include "tools/api/certificate/derivation_folder.h"
#include "tools/api/second_line.h"
#include "tools/api/version.h"

namespace hexproof::api {

namespace {

Span span_of(const Json& step, const ScheduleText& schedule) {
  if (!step.contains("schedule_line")) return {};
  auto file = std::make_shared<const SourceFile>(SourceFile{schedule.name, schedule.text});
  return {file, step.at("schedule_line").get<int>(), 1, 1};
}

/// Does it again; what keeps it from that is the certificate's fault. (What was not decided is nobody's.)
template <class F>
void again(size_t number, const std::string& rule, const std::string& program, const F& step) {
  auto bad = [&](const std::exception& e) { return BadStep{number, rule, program, e.what()}; };
  try {
    step();
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

/// The joint steps in their order, each behind the steps that its functions had by then; and the steps behind the last.
void replay_module(const Json& certificate, ModuleDerivation& module, const ScheduleText& schedule, Session& session) {
  std::map<std::string, const Json*> steps;
  for (const Json& of : certificate.at("functions")) {
    if (!steps.emplace(of.at("function").get<std::string>(), &of.at("steps")).second)
      throw Error("the certificate has two lists of steps of one function");
  }
  auto replay_up_to = [&](const std::string& name, size_t to) {
    auto of = steps.find(name);
    if (of == steps.end()) throw Error("the certificate has no steps of the function '" + name + "'");
    replay_steps(*of->second, module.function(name), schedule, session, module.step_count(name), to);
  };
  size_t number = 0;
  for (const Json& step : certificate.at("joint_steps")) {
    for (const auto& [name, count] : step.at("steps_before").items()) replay_up_to(name, count.get<size_t>());
    const std::string rule = step.at("change").get<std::string>(), function = step.at("of").get<std::string>(),
                      primitive = step.at("primitive").get<std::string>();
    const Span span = span_of(step, schedule);
    again(++number, "joint " + rule, "", [&] {
      const RuleCall call{rule, read_recorded(step.at("recorded"), module.function(function).current())};
      module.apply(joint_change(module, function, call, session.prover(), primitive, span), session.prover(), primitive,
                   span);
    });
  }
  for (const std::string& name : module.names()) replay_up_to(name, SIZE_MAX);
}

}  // namespace

void replay_steps(const Json& steps, Derivation& derivation, const ScheduleText& schedule, Session& session,
                  size_t from, size_t to) {
  for (size_t k = from; k < std::min(to, steps.size()); ++k) {
    const Json& step = steps.at(k);
    const std::string rule = step.value("rule", "?");
    const Span span = span_of(step, schedule);
    again(k + 1, rule, step.value("program", ""), [&] {
      derivation.apply(step.at("rule").get<std::string>(), read_recorded(step.at("recorded"), derivation.current()),
                       session.prover(), step.at("primitive").get<std::string>(), span);
    });
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
  replay_module(certificate, transformed.module, schedule, session);
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
                            .made = made_by_apply(trust_rules, session)});
  return out;
}

}  // namespace hexproof::api
