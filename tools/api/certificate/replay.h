// The recorded steps of a certificate, through the kernel again.
#pragma once
#include <string>
#include <vector>

#include "ir/base/early_exit.h"
#include "tools/api/certificate/audit.h"
#include "tools/api/certificate/audit_files.h"
#include "tools/api/detail.h"

namespace hexproof::api {

/// A step that does not replay.
struct BadStep : EarlyExit {
  BadStep(size_t number, std::string rule, std::string program, const std::string& why)
      : EarlyExit(why), number(number), rule(std::move(rule)), program(std::move(program)) {}
  size_t number;
  std::string rule, program;  // as the certificate has them
};

/// Each step goes through the kernel, which proves it; the first is number `from`, counted from 0. Throws BadStep.
void replay_steps(const Json& steps, Derivation& derivation, const ScheduleText& schedule, Session& session,
                  size_t from = 0, size_t to = SIZE_MAX);

/// What comes out of a module of several functions.
struct ModuleAnew {
  Verdict verdict = Verdict::Proved;
  std::vector<std::string> says;  // what is not proved
  std::string wrong;              // a part whose result was seen to be wrong
  CertificateBytes files;
  GivenModels models = {};
};
/// The certificate that `apply` writes of the module, from its source and its recorded steps.
ModuleAnew module_anew(const Json& certificate, const Program& program, const ScheduleText& schedule, Session& session);

}  // namespace hexproof::api
