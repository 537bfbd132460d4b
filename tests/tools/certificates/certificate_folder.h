// Folders of certificates: copied, changed, and signed again as somebody forges them who can compute digests.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "ir/base/digest.h"
#include "tests/tools/command_line.h"

namespace hexproof {

/// A folder of this process under the tests' temporary one; empty.
inline std::string fresh_folder(const std::string& name) {
  std::string out = testing::TempDir() + "/" + std::to_string(::getpid()) + "-" + name;
  std::filesystem::remove_all(out);
  std::filesystem::create_directories(out);
  return out;
}
/// A copy of the certificate at `from`, to be changed.
inline std::string changed_copy(const std::string& from, const std::string& to) {
  std::filesystem::remove_all(to);
  std::filesystem::copy(from, to, std::filesystem::copy_options::recursive);
  return to;
}
inline std::vector<std::string> certificate_files(const std::string& path) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) out.push_back(std::filesystem::relative(entry.path(), path).generic_string());
  }
  std::sort(out.begin(), out.end());
  return out;
}
inline void sign_certificate(const std::string& path) {
  std::string sums;
  for (const std::string& name : certificate_files(path)) {
    if (name != "SHA256SUMS") sums += sha256(read_file(path + "/" + name)) + "  " + name + "\n";
  }
  write_file(path + "/SHA256SUMS", sums);
}
inline nlohmann::ordered_json certificate_json(const std::string& path) {
  return nlohmann::ordered_json::parse(read_file(path + "/certificate.json"));
}
/// With digests that fit.
inline void write_certificate(const std::string& path, nlohmann::ordered_json json) {
  for (auto& [name, digest] : json["files"].items()) {
    if (std::filesystem::exists(path + "/" + name)) digest = sha256(read_file(path + "/" + name));
  }
  write_file(path + "/certificate.json", json.dump(2) + "\n");
  sign_certificate(path);
}

}  // namespace hexproof
