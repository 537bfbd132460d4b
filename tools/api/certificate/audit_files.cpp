#include "tools/api/certificate/audit_files.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "ir/base/codes.h"
#include "ir/base/digest.h"
#include "ir/base/folder.h"
#include "ir/base/read_json.h"

namespace hexproof::api {

CertificateBytes read_certificate(const std::string& folder, std::vector<AuditFinding>* no_files) {
  FolderFiles all = read_folder(folder);
  for (const std::string& name : all.others) {
    no_files->push_back({.file = name, .why = "is no regular file"});
    all.bytes[name];
  }
  return std::move(all.bytes);
}

std::vector<AuditFinding> compare_sums(const CertificateBytes& files) {
  std::vector<AuditFinding> out;
  auto found = files.find(kSums);
  if (found == files.end()) return {{.file = kSums, .why = "the list of digests is missing"}};
  std::istringstream lines(found->second);
  std::set<std::string> listed;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const bool formed = line.size() > 66 && line[64] == ' ' && line[65] == ' ';
    const std::string name = formed ? line.substr(66) : "";
    if (!formed || !listed.insert(name).second) {
      out.push_back({.file = kSums, .line = number, .column = 1, .why = "not a digest, two blanks and a name"});
      continue;
    }
    auto file = files.find(name);
    if (file == files.end()) {
      out.push_back({.file = name, .why = "is listed in SHA256SUMS and is not there"});
    } else if (sha256(file->second) != line.substr(0, 64)) {
      out.push_back({.file = name, .line = 1, .column = 1, .why = "has another digest than SHA256SUMS says"});
    }
  }
  for (const auto& [name, bytes] : files) {
    if (name != kSums && !listed.count(name)) out.push_back({.file = name, .why = "is not listed in SHA256SUMS"});
  }
  // Line ends and order are part of the list.
  if (out.empty() && found->second != hexproof::sums_of(files))
    out.push_back({.file = kSums, .why = "is not in order"});
  return out;
}

ListedFiles read_listed(const std::string& folder) {
  // (A large folder that is something else is not read first.)
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::symlink_status(folder + "/certificate.json", error)))
    throw CodedError(Code::CannotRead, "'" + folder + "' is no certificate: it has no certificate.json");
  ListedFiles out;
  out.files = read_certificate(folder, &out.wrong);
  if (out.wrong.empty()) out.wrong = compare_sums(out.files);
  return out;
}

std::pair<int, int> place_of(const std::string& text, size_t at) {
  std::pair<int, int> out{1, 1};
  for (size_t k = 0; k < std::min(at, text.size()); ++k) {
    ++out.second;
    if (text[k] == '\n') ++out.first, out.second = 1;
  }
  return out;
}

std::pair<int, int> json_place(const std::string& text, const std::string& path) {
  size_t at = 0;
  std::istringstream parts(path);
  for (std::string part; std::getline(parts, part, '/');) {
    const size_t next = part.empty() ? std::string::npos : text.find("\"" + part + "\"", at);
    if (next != std::string::npos) at = next;
  }
  return place_of(text, at);
}

std::optional<AuditFinding> compare_text(const std::string& name, const std::string& stored, const std::string& made) {
  if (stored == made) return std::nullopt;
  size_t at = 0;
  while (at < stored.size() && at < made.size() && stored[at] == made[at]) ++at;
  AuditFinding out{.file = name, .why = "is not what the recorded steps give"};
  std::tie(out.line, out.column) = place_of(stored, at);
  return out;
}

namespace {

std::string shortened(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() > 120 ? text.substr(0, 120) + "..." : text;
}

/// The path of the first difference, and what stands there on both sides.
std::optional<std::pair<std::string, std::string>> difference(const Json& stored, const Json& made,
                                                              const std::string& path,
                                                              const std::function<bool(const std::string&)>& skipped) {
  if (skipped(path)) return std::nullopt;
  // (2^53 + 1 and 2^53 as a float would be equal.)
  const bool alike = stored.type() == made.type();
  if (alike && !stored.is_structured() && stored == made) return std::nullopt;
  auto differ = [&] {
    return std::pair(path.empty() ? "/" : path,
                     shortened(stored) + " is stored, and " + shortened(made) + " comes out");
  };
  if (!alike || !stored.is_structured()) return differ();
  if (stored.is_array()) {
    if (stored.size() != made.size()) {
      return std::pair(path, std::to_string(stored.size()) + " entries are stored, and " + std::to_string(made.size()) +
                                 " come out");
    }
    for (size_t k = 0; k < stored.size(); ++k) {
      if (auto one = difference(stored[k], made[k], path + "/" + std::to_string(k), skipped)) return one;
    }
    return std::nullopt;
  }
  for (const auto& [key, value] : stored.items()) {
    const std::string below = path + "/" + key;
    if (skipped(below)) continue;
    if (!made.contains(key)) return std::pair(below, std::string("is stored, and does not come out"));
    if (auto one = difference(value, made.at(key), below, skipped)) return one;
  }
  for (const auto& [key, value] : made.items()) {
    const std::string below = path + "/" + key;
    if (!skipped(below) && !stored.contains(key)) return std::pair(below, std::string("comes out, and is not stored"));
  }
  return std::nullopt;
}

}  // namespace

std::optional<AuditFinding> compare_json(const std::string& name, const std::string& stored_text, const Json& made,
                                         const std::function<bool(const std::string& path)>& skipped) {
  const Json stored = read_json(stored_text);
  if (stored.is_discarded()) return AuditFinding{.file = name, .why = "is no JSON"};
  auto found = difference(stored, made, "", skipped);
  if (!found) return std::nullopt;
  AuditFinding out{.file = name, .why = found->first + ": " + found->second};
  std::tie(out.line, out.column) = json_place(stored_text, found->first);
  return out;
}

}  // namespace hexproof::api
