#include "tests/support/documents.h"

#include <algorithm>
#include <fstream>

namespace hexproof {

std::filesystem::path documents_folder() {
  return std::filesystem::path(HEXPROOF_SOURCE_DIR) / ".." / "shared" / "seeds";
}

std::filesystem::path rfc77_document() { return documents_folder() / "rfc-0077-layout-transform-padding.md"; }

std::vector<Definition> definitions(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<Definition> out;
  std::string line;
  size_t indent = 0;
  bool inside = false, open = false;
  for (int number = 1; std::getline(in, line); ++number) {
    std::string word = line.substr(std::min(line.size(), line.find_first_not_of(' ')));
    if (!inside) {
      if (word == "```python") inside = true, open = false, indent = line.size() - word.size();
      continue;
    }
    if (word.starts_with("```")) {
      inside = false;
      continue;
    }
    std::string rest = line.size() > indent ? line.substr(indent) : "";
    if (rest.starts_with("@")) out.push_back({number, ""}), open = true;
    if (open) out.back().text += rest + "\n";
  }
  return out;
}

}  // namespace hexproof
