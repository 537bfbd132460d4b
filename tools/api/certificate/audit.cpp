#include "tools/api/certificate/audit.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "backend/cpu.h"
#include "backend/scratch.h"
#include "hexproof/schedule.h"
#include "ir/base/codes.h"
#include "ir/base/read_json.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/report/certificate.h"
#include "tools/api/certificate/audit_compare.h"
#include "tools/api/certificate/audit_excuses.h"
#include "tools/api/certificate/audit_files.h"
#include "tools/api/certificate/audit_form.h"
#include "tools/api/certificate/certify.h"
#include "tools/api/certificate/derivation_folder.h"
#include "tools/api/certificate/replay.h"
#include "tools/api/certificate/run_record.h"
#include "tools/api/certificate/stored_run.h"
#include "tools/api/second_line.h"
#include "tools/api/version.h"

namespace hexproof::api {
namespace {

/// The derivation that the recorded steps make of the source: each goes through the kernel, which proves it.
Transformed replayed(const Json& certificate, const Program& program, const ScheduleText& schedule, Session& session,
                     std::vector<std::string>* says) {
  Transformed out = transform(program, {}, certificate.at("function").get<std::string>(), false, session, says);
  if (out.verdict != Verdict::Proved) return out;
  replay_steps(certificate.at("steps"), out.function(), schedule, session);
  return out;
}

/// The files of a certificate that `apply` wrote: as tools/commands/apply.cpp does.
CertificateBytes applied(const Transformed& transformed, const Program& program, const ScheduleText& schedule,
                         const Json& made, Session& session, GivenModels* models, Audited* out) {
  const Derivation& derivation = transformed.function();
  const bool trust_rules = made.at("trust_rules").get<bool>();
  Validation validation = second_line(derivation.source(), before_lowering(derivation), derivation.interface(),
                                      session.prover(), !trust_rules, true);
  CertificateBytes files;
  if (!validation.disagrees.empty()) {
    out->findings.push_back(
        {.file = "final.py", .line = 1, .column = 1, .why = "the result is wrong: " + validation.witness});
    return files;
  }
  *models = given_models(derivation, transformed.source_check(), *validation.check, session.prover());
  write_certificate([&](const std::string& name, const std::string& bytes) { files[name] = bytes; },
                    {.derivation = derivation,
                     .source_check = transformed.source_check(),
                     .final_check = *validation.check,
                     .models = *models,
                     .source_path = program.path(),
                     .source_text = program.text(),
                     .schedule_path = schedule.name,
                     .schedule_text = schedule.text,
                     .versions = version_json(),
                     .validation = trust_rules ? nullptr : &validation,
                     .made = made_by_apply(trust_rules, session)});
  return files;
}

class Auditor {
 public:
  Auditor(const std::string& folder, const AuditOptions& options, const Limits& limits)
      : folder_(folder), options_(options), limits_(limits) {
    limits_.cache.clear();  // what is kept is a hint, and an audit takes none
  }

  Audited run() {
    stage("reading");
    stored_ = read_certificate(folder_, &out_.findings);
    out_.files = stored_.size();
    for (AuditFinding& one : compare_sums(stored_)) out_.findings.push_back(std::move(one));
    if (!out_.findings.empty() || !read_json()) return done();
    try {
      make_anew();
    } catch (const BadStep& bad) {
      finding_at_step(bad);
    } catch (const Json::exception& e) {
      reject("certificate.json", std::string("a part is missing, or of another kind: ") + e.what());
    } catch (const Failure& e) {
      undecided_or_rejected(e);
    } catch (...) {
      undecided_or_rejected(current_failure());
    }
    // What was not compared is not decided; the rest is judged all the same.
    if (out_.findings.empty() && (out_.verdict == Verdict::Proved || not_compared_)) {
      stage("asking solvers for the stored formulas");
      discharge(stored_, options_, limits_, &out_);
    }
    return done();
  }

 private:
  void stage(const char* what) {
    if (options_.stage) options_.stage(what);
  }
  void reject(const std::string& file, const std::string& why) {
    out_.findings.push_back({.file = file, .line = 1, .column = 1, .why = why});
  }
  Audited done() {
    if (!out_.findings.empty()) out_.verdict = Verdict::Rejected;
    return out_;
  }

  /// The certificate, and whether it has the form of one.
  bool read_json() {
    auto found = stored_.find("certificate.json");
    certificate_ = found == stored_.end() ? Json() : hexproof::read_json(found->second);
    if (auto wrong = wrong_form(certificate_, found == stored_.end() ? "" : found->second)) {
      out_.findings.push_back(std::move(*wrong));
    }
    return out_.findings.empty();
  }

  void finding_at_step(const BadStep& bad) {
    AuditFinding out{.file = "certificate.json", .line = 1, .column = 1, .why = {}};
    out.why = "step " + std::to_string(bad.number) + " (" + bad.rule + ") does not replay: " + bad.message;
    // Its line: that of its program's name, which is there once.
    const std::string& text = stored_.at("certificate.json");
    const size_t at = text.find("\"program\": \"" + bad.program + "\"");
    for (size_t k = 0; at != text.npos && k < at; ++k) out.line += text[k] == '\n';
    out_.findings.push_back(out);
  }

  void undecided_or_rejected(const Failure& failure) {
    // (What is written here is scratch: that there is no room says nothing of the certificate.)
    const bool no_room = failure.code == info(Code::CannotWrite).id;
    if (no_room || failure.kind == Failure::Kind::Undecided || failure.kind == Failure::Kind::Internal) {
      if (failure.kind == Failure::Kind::Internal) throw failure;
      out_.verdict = Verdict::Undecided;
      out_.reason = failure.what();
      return;
    }
    const bool source = failure.file == certificate_["made"].value("source", "");
    out_.findings.push_back({.file = source ? "source.py" : "certificate.json",
                             .line = std::max(failure.line, 1),
                             .column = std::max(failure.column, 1),
                             .why = failure.what()});
  }

  void make_anew() {
    const Json& made = certificate_.at("made");
    const bool of_module = certificate_.contains("module");
    out_.function = certificate_.at(of_module ? "module" : "function").get<std::string>();
    for (const Json& of : of_module ? certificate_.at("functions") : Json::array({certificate_})) {
      out_.steps += of.at("steps").size();
    }
    if (of_module) out_.steps += certificate_.at("joint_steps").size();
    const std::string flags = certificate_.at("granted_flags").get<std::string>();
    if (!flags.empty()) out_.notes.push_back("under granted fast-math flags: " + flags);
    bool all_the_same = true;  // else no command granted them
    if (of_module) {
      for (const Json& of : certificate_.at("functions")) {  // compared with what comes out, as all else
        const std::string own = of.at("granted_flags").get<std::string>();
        all_the_same &= own == flags;
        if (own != flags)
          out_.notes.push_back("under granted fast-math flags in " + of.at("function").get<std::string>() + ": " + own);
      }
    }
    const Program program =
        read_text(text("source.py"), made.at("source").get<std::string>(), {.fast_math = all_the_same ? flags : ""});
    const std::string schedule_path = made.at("schedule").get<std::string>();
    const ScheduleText schedule{schedule_path, schedule_path.empty() ? "" : text("schedule.py")};
    const uint64_t rlimit = made.at("rlimit").get<uint64_t>();
    if (options_.rlimit && *options_.rlimit < rlimit) {
      throw Failure(Failure::Kind::Undecided, "made with --rlimit " + std::to_string(rlimit) +
                                                  ": what takes so much cannot be repeated with --rlimit " +
                                                  std::to_string(*options_.rlimit));
    }
    Limits limits = limits_;
    limits.rlimit = rlimit;
    Session session(limits);
    session.begin();
    stage("replaying the steps");
    CertificateBytes anew;
    if (of_module) {
      ModuleAnew module = module_anew(certificate_, program, schedule, session);
      if (!module.wrong.empty()) reject("final.py", "the result is wrong: " + module.wrong);
      if (!demand_proved(module.verdict, module.says)) return;
      anew = std::move(module.files);
      models_ = std::move(module.models);
    } else if (made.at("command").get<std::string>() == "apply") {
      std::vector<std::string> says;
      Transformed transformed = replayed(certificate_, program, schedule, session, &says);
      if (!demand_proved(transformed.verdict, says)) return;
      anew = applied(transformed, program, schedule, made, session, &models_, &out_);
    } else {
      CertifyOptions options;
      options.function = out_.function;
      options.target = made.at("target").get<std::string>() == "host" ? Target::Host : Target::Hexagon;
      if (options.target == Target::Host) options.cpu = made.value("cpu", "");
      options.trust_rules = made.at("trust_rules").get<bool>();
      claims_a_run_ = made.at("run").get<bool>();
      if (claims_a_run_ != certificate_.at("kernel").contains("run")) {
        reject("certificate.json", "/made/run: does not fit the figures of a run in /kernel/run");
        return;
      }
      options.run = options_.run && claims_a_run_;
      demand_machine(options);
      options.seed = made.at("seed").get<uint64_t>();
      options.stage = options_.stage;
      // Where nothing runs, the figures are believed, and nothing else of what is said of the run.
      const ClaimedRun claimed = claimed_run(certificate_.at("kernel"));
      const Certificate again = certified(
          program, schedule, options, session,
          [&](std::vector<std::string>* says) { return replayed(certificate_, program, schedule, session, says); },
          claims_a_run_ && !options.run ? &claimed : nullptr);
      if (!again.disagreement.seen_by.empty()) {
        reject("final.py",
               "the result is wrong, seen by " + again.disagreement.seen_by + ": " + again.disagreement.witness);
        return;
      }
      if (!demand_proved(again.verdict, again.says)) return;
      for (const auto& [name, file] : again.files) anew[name] = file.bytes;
      models_ = again.detail->models;
      if (claims_a_run_ && !options.run) {
        out_.notes.push_back("the run of the object was not repeated (--run does it): its figures are not vouched for");
      }
      if (options.trust_rules) out_.notes.push_back("made with --trust-rules: nothing but the rules judged the result");
      compare(std::move(anew));
      if (options_.run && out_.findings.empty()) run_what_is_stored(*again.detail, options);
      return;
    }
    if (made.at("trust_rules").get<bool>())
      out_.notes.push_back("made with --trust-rules: nothing but the rules judged the result");
    if (out_.findings.empty()) compare(std::move(anew));
  }

  /// Whatever the certificate says of itself: what runs is the object that it holds. The one that comes out ran already
  /// where the certificate claims a run and the two are equal.
  void run_what_is_stored(const CertificateDetail& detail, const CertifyOptions& options) {
    if (options.run && !other_llvm_) return;
    stage("running the stored object");
    const StoredRun run = run_stored(detail.transformed.function(), detail.kernel, stored_, options.seed);
    if (!run.ran && run.open) {
      out_.verdict = Verdict::Undecided;
      out_.reason = "the stored object was not run: " + run.why;
    } else if (!run.ran) {
      out_.notes.push_back("the stored object was not run: " + run.why);
    } else if (run.equal) {
      out_.notes.push_back("the stored object agrees with the interpreter on one random input");
    } else {
      reject("kernel.o", "the run of the stored object: " + run.why);
    }
  }

  /// What this machine lacks says nothing of the certificate.
  static void demand_machine(const CertifyOptions& options) {
    const bool host = options.target == Target::Host;
    const HostCpu cpu = host ? host_cpu(options.cpu) : HostCpu{};
    try {
      if (host && options.run) demand_runs_here(cpu);
      if (!host) ScratchFolder();
    } catch (const std::runtime_error& e) {
      throw Failure(Failure::Kind::Undecided, e.what());
    }
  }

  const std::string& text(const std::string& name) {
    auto found = stored_.find(name);
    if (found == stored_.end()) throw Error(name + " is missing");
    return found->second;
  }

  bool demand_proved(Verdict verdict, const std::vector<std::string>& says) {
    if (verdict == Verdict::Proved) return true;
    std::string all;
    for (const std::string& line : says) all += (all.empty() ? "" : "\n") + line;
    if (verdict == Verdict::Undecided) {
      out_.verdict = verdict;
      out_.reason = all;
    } else {
      reject("source.py", all);
    }
    return false;
  }

  void compare(CertificateBytes anew) {
    Comparing all(stored_, certificate_, out_);
    all.compare(std::move(anew), models_);
    not_compared_ = all.left_something_out(), other_llvm_ = all.left_out(kOtherLlvm);
  }

  std::string folder_;
  AuditOptions options_;
  Limits limits_;
  CertificateBytes stored_;
  Json certificate_;
  GivenModels models_;  // of the obligations that came out
  bool not_compared_ = false, other_llvm_ = false, claims_a_run_ = false;
  Audited out_;
};

}  // namespace

Audited audit(const std::string& folder, const AuditOptions& options, const Limits& limits) {
  return translated([&] { return Auditor(folder, options, limits).run(); });
}

}  // namespace hexproof::api
