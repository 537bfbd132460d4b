// The walls between folders: who may include whom.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "ir/base/file.h"

namespace hexproof {
namespace layers_test {

namespace fs = std::filesystem;

TEST(Layers, IncludesStayInsideTheWalls) {
  const std::map<std::string, std::set<std::string>> kMayInclude = {
      {"ir", {"ir"}},
      {"verify", {"ir", "verify"}},
      {"rewrite", {"ir", "verify", "rewrite"}},
      {"backend", {"ir", "verify", "rewrite", "backend"}},
      {"include", {"hexproof"}},
      {"tools/api", {"ir", "verify", "rewrite", "backend", "tools/api", "hexproof"}},
      {"fuzz", {"ir", "verify", "rewrite", "backend", "fuzz"}},
      {"tools", {"ir", "verify", "rewrite", "backend", "tools/api", "hexproof", "fuzz", "tools"}}};
  size_t files = 0;
  for (const auto& [folder, allowed] : kMayInclude) {
    fs::path root = fs::path(HEXPROOF_SOURCE_DIR) / folder;
    if (!fs::exists(root)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      if (folder == "tools" && entry.path().parent_path().filename() == "api") continue;
      ++files;
      std::string text = read_file(entry.path().string());
      const std::string kInclude = "#include ";
      for (size_t at = text.find(kInclude); at != text.npos; at = text.find(kInclude, at + 1)) {
        size_t open = at + kInclude.size(), close = text.find_first_of("\">", open + 1);
        if (close == text.npos) break;
        std::string kind = text.substr(open, 1), target = text.substr(open + 1, close - open - 1);
        std::string place = entry.path().string() + " includes " + target;
        bool llvm = target.starts_with("llvm") || target.starts_with("lld/");
        EXPECT_TRUE(!target.starts_with("z3") || folder == "verify") << place;
        EXPECT_TRUE(!llvm || folder == "backend") << place;
        const bool api = target.starts_with("tools/api/");  // the library behind include/hexproof/
        std::string first = api ? "tools/api" : target.substr(0, target.find('/'));
        EXPECT_TRUE(kind == "<" || !(kMayInclude.count(first) || first == "hexproof") || allowed.count(first)) << place;
      }
    }
  }
  EXPECT_GT(files, 20u);
}

}  // namespace
}  // namespace hexproof
