#include "tools/api/certificate/audit_compare.h"

#include <algorithm>

#include "ir/base/digest.h"
#include "tools/api/version.h"

namespace hexproof::api {

void Comparing::compare(CertificateBytes anew, const GivenModels& models) {
  const Json here = version_json(), there = certificate_.value("versions", Json::object());
  unsigned available = 0;
  if (there.value("llvm", "") != here.value("llvm", "")) available |= kOtherLlvm;
  for (const char* part : {"z3", "cvc5", "hexproof"}) {
    if (there.value(part, "") != here.value(part, "")) available |= kOtherSolvers;
  }
  anew.erase(kSums);
  for (const auto& [name, bytes] : anew) {
    auto found = stored_.find(name);
    if (found == stored_.end()) {
      reject(name, "comes out, and is not stored");
      continue;
    }
    out_.obligations += name.starts_with("obligations/");
    std::optional<AuditFinding> one;
    for (unsigned excuses = 0; excuses <= (kOtherSolvers | kOtherLlvm); ++excuses) {
      if (excuses & ~available) continue;
      one = compare_excused(name, found->second, bytes, excuses);
      if (one) continue;
      if (excuses & kOtherLlvm) differ_.push_back(name);
      excuses_ |= excuses;
      break;
    }
    if (one) out_.findings.push_back(std::move(*one));
  }
  for (const auto& [name, bytes] : stored_) {
    if (name != kSums && !anew.count(name)) reject(name, "is stored, and does not come out");
  }
  judge_models(models, available & kOtherSolvers);
  own_digests();
  if (excuses_ != 0 && out_.findings.empty()) tell_what_was_not_compared(there, here);
}

void Comparing::judge_models(const GivenModels& models, bool made_elsewhere) {
  const Json stored = certificate_.value("given_models", Json());
  const std::string& text = stored_.at("certificate.json");
  for (const WrongModel& wrong : wrong_models(stored, models)) {
    if (wrong.by_other_solvers && made_elsewhere) {
      excuses_ |= kOtherSolvers;
      continue;
    }
    AuditFinding one{.file = "certificate.json", .line = 1, .column = 1, .why = {}};
    one.why = "/given_models/" + std::to_string(wrong.number) + ": " + wrong.why;
    // Its line: each list has one of the two keys.
    size_t at = text.find("\"given_models\"");
    for (size_t k = 0; at != text.npos && k <= wrong.number; ++k) {
      const size_t next = std::min(text.find("\"values\":", at + 1), text.find("\"none\":", at + 1));
      if (next == text.npos) break;
      at = next;
    }
    for (size_t k = 0; at != text.npos && k < at; ++k) one.line += text[k] == '\n';
    out_.findings.push_back(std::move(one));
  }
  size_t none = 0;
  for (const Json& one : stored) none += one.is_object() && one.contains("none") && !one.contains("contradiction");
  if (none == 0) return;
  out_.notes.push_back("of " + std::to_string(stored.size()) + " lists of what is given, " + std::to_string(none) +
                       " have no stored values under which they hold: certificate.json says why");
}

void Comparing::own_digests() {
  for (const auto& [name, digest] : certificate_.at("files").items()) {
    auto found = stored_.find(name);
    if (found == stored_.end() || digest != sha256(found->second)) {
      reject("certificate.json", "/files/" + name + ": is not the digest of the file");
    }
  }
  if (!certificate_.contains("kernel")) return;
  for (const auto& [part, json] : certificate_.at("kernel").items()) {
    if (!json.is_object() || !json.contains("sha256")) continue;
    auto found = stored_.find(json.value("file", ""));
    if (found == stored_.end() || json.at("sha256") != sha256(found->second)) {
      reject("certificate.json", "/kernel/" + part + "/sha256: is not the digest of the file");
    }
  }
}

void Comparing::tell_what_was_not_compared(const Json& there, const Json& here) {
  out_.verdict = Verdict::Undecided;
  auto say = [&](const std::string& why) { out_.reason += (out_.reason.empty() ? "" : "; ") + why; };
  if (excuses_ & kOtherLlvm) {
    std::string names;
    for (const std::string& name : differ_) names += (names.empty() ? "" : ", ") + name;
    say("made with LLVM " + there.value("llvm", "?") + ", and this is " + here.value("llvm", "?") +
        ": not compared, and different, is what LLVM made: " + names);
  }
  if (excuses_ & kOtherSolvers) {
    say("made with other solvers or another hexproof: not compared, and different, is which solver answered, and at "
        "what cost; everything was proved anew");
  }
}

}  // namespace hexproof::api
