#include "tools/api/certificate/audit_form.h"

#include <algorithm>
#include <cctype>

#include "tools/api/certificate/audit_files.h"
#include "tools/api/version.h"

namespace hexproof::api {
namespace {

/// One word for each program that hexproof names the version of: which, is believed.
bool well_formed_versions(const Json& versions) {
  const Json here = version_json();
  if (!versions.is_object() || versions.size() != here.size()) return false;
  for (const auto& [name, version] : versions.items()) {
    constexpr size_t kLongest = 40;
    const std::string text = version.is_string() ? version.get<std::string>() : "";
    const bool word = !text.empty() && text.size() <= kLongest && std::all_of(text.begin(), text.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '+' || c == '~';
    });
    if (!here.contains(name) || !word) return false;
  }
  return true;
}

/// A number as hexproof writes its seeds and limits: what is none would be read as some other one.
bool is_count(const Json& made, const char* part) {
  return made.is_object() && made.contains(part) && made.at(part).is_number_unsigned();
}

}  // namespace

std::optional<AuditFinding> wrong_form(const Json& certificate, const std::string& text) {
  const std::string name = "certificate.json";
  auto wrong = [&](const std::string& why) { return AuditFinding{.file = name, .line = 1, .column = 1, .why = why}; };
  if (!certificate.is_object()) return wrong("is missing, or no JSON object");
  if (std::optional<AuditFinding> other = compare_text(name, text, certificate.dump(2) + "\n")) {
    // A key that is there twice, or a number that is spelled in another way, says one thing to each who reads it.
    other->why = "is not written as hexproof writes JSON";
    return other;
  }
  if (!well_formed_versions(certificate.value("versions", Json())))
    return wrong("/versions: is no list of the versions that hexproof names");
  if (certificate.value("schema_version", Json()) != kSchemaVersion)
    return wrong("is of another schema_version than this hexproof writes");
  if (certificate.value("verdict", Json()) != "proved") return wrong("does not say proved");
  if (!certificate.contains("made")) return wrong("does not say how it was made");
  const Json& made = certificate.at("made");
  if (!is_count(made, "rlimit") || made.at("rlimit") == 0) return wrong("/made/rlimit: is no limit of proofs");
  if (made.contains("seed") && !is_count(made, "seed")) return wrong("/made/seed: is no seed");
  return std::nullopt;
}

}  // namespace hexproof::api
