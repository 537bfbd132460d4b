// Texts and places of a report in the terms of other formats.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hexproof::tools {

/// As text of XML 1.0: what that cannot hold, and bytes that are no UTF-8, are replaced.
std::string xml(const std::string& text);

/// Columns in units of UTF-16, as editors and SARIF count them; ours are bytes.
class Utf16Columns {
 public:
  /// From 1. Nothing where the line cannot be looked at: the file is none that can be read again, or has no such line.
  std::optional<int> at(const std::string& file, int line, int column);

 private:
  const std::vector<std::string>& lines(const std::string& file);
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace hexproof::tools
