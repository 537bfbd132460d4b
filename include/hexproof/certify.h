// The main job: from a program to a certified kernel.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hexproof/schedule.h"

namespace hexproof::api {

enum class Target : uint8_t { Hexagon, Host };

struct CertifyOptions {
  std::string function = {};  // empty: the only one, or the one where a module is entered
  Target target = Target::Hexagon;
  /// Of a kernel for the host: x86-64, x86-64-v3, x86-64-v4, x86-64-v4+avx512vnni, or native, what this machine has of
  /// these. The certificate names it. With another target than the host: empty.
  std::string cpu = {};
  uint64_t seed = 1;         // which random input the object runs on
  bool run = true;           // run the object against the interpreter; false: the summary says so
  bool trust_rules = false;  // do not judge the result a second time; the certificate says so
  std::function<void(const std::string&)> stage = {};  // told what it is doing
};

struct CertificateFile {
  std::string bytes;
  bool executable = false;
};

struct CertificateDetail;
struct Certificate {
  /// Proved; or what a check says of the program before or after; or Rejected, by the second line or by the run.
  Verdict verdict = Verdict::Undecided;
  std::vector<std::string> says;   // not proved: what a person should read
  Disagreement disagreement = {};  // Rejected
  /// Proved: summary.txt, certificate.json, kernel.o, kernel.h, kernel.ll, the programs, every obligation. By their
  /// names below the folder.
  std::map<std::string, CertificateFile> files = {};
  std::shared_ptr<const CertificateDetail> detail = {};  // for `run`, and for hexproof's own commands

  const std::string& summary() const { return files.at("summary.txt").bytes; }
  const std::string& json() const { return files.at("certificate.json").bytes; }
  /// Writes the folder, as a whole or not at all; one that is a certificate already is replaced. Failure (Input) when
  /// it cannot be written, or something else stands there.
  void save(const std::string& folder) const;
};

/// Checks the program, runs the schedule, judges the result (see schedule.h), emits LLVM IR and an object of it, and
/// runs that on random input against the interpreter of the program: under QEMU for Hexagon. What the code generator
/// assumes was proved. The certificate keeps the texts of program and schedule that were read.
/// Failure: as schedule(); Unsupported for a program that has no exact code, and for a run of a program with scalars or
/// symbolic shapes.
Certificate certify(const Program& program, const ScheduleText& schedule, const CertifyOptions& options,
                    Session& session);

}  // namespace hexproof::api
