// What comes out of an audit, held against what is stored.
#pragma once
#include <nlohmann/json.hpp>

#include "rewrite/report/models.h"
#include "tools/api/certificate/audit_excuses.h"
#include "tools/api/certificate/audit_files.h"

namespace hexproof::api {

class Comparing {
 public:
  /// Findings, notes, and what was not compared, go to `out`.
  Comparing(const CertificateBytes& stored, const nlohmann::ordered_json& certificate, Audited& out)
      : stored_(stored), certificate_(certificate), out_(out) {}

  /// `models`: of the obligations that came out.
  void compare(CertificateBytes anew, const GivenModels& models);
  /// Was something excused, so that it differs and nothing is said of it?
  bool left_something_out() const { return excuses_ != 0 && out_.findings.empty(); }
  bool left_out(Excuse what) const { return (excuses_ & what) != 0; }

 private:
  void reject(const std::string& file, const std::string& why) {
    out_.findings.push_back({.file = file, .line = 1, .column = 1, .why = why});
  }
  /// The values under which what is given holds are evaluated, whoever found them.
  void judge_models(const GivenModels& models, bool made_elsewhere);
  /// The digests in certificate.json are those of the files beside it, whoever made them.
  void own_digests();
  void tell_what_was_not_compared(const nlohmann::ordered_json& there, const nlohmann::ordered_json& here);

  const CertificateBytes& stored_;
  const nlohmann::ordered_json& certificate_;
  Audited& out_;
  unsigned excuses_ = 0;             // of Excuse: those that were needed
  std::vector<std::string> differ_;  // files that another LLVM would excuse
};

}  // namespace hexproof::api
