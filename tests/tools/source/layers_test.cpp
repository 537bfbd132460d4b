// The walls between folders: who may include whom.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

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
      if (folder == "tools" && fs::relative(entry.path(), root).string().starts_with("api/")) continue;
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

/// The folders of a page's first table, by row: "| `ir/text/` | ...".
std::map<std::string, int> rooms_of(const std::string& page) {
  std::map<std::string, int> out;
  std::istringstream lines(page.substr(0, page.find("\n## ")));
  int row = 0;
  for (std::string line; std::getline(lines, line); ++row) {
    if (!line.starts_with("| `")) continue;
    const std::string first = line.substr(0, line.find('|', 1));
    for (size_t at = first.find('`'); at != first.npos; at = first.find('`', at + 1)) {
      const size_t end = first.find('`', at + 1);
      out[first.substr(at + 1, end - at - 2)] = row;  // without the last bar
      at = end;
    }
  }
  return out;
}

/// The innermost of the rooms that a file is in; "" for none.
std::string room_of(const std::map<std::string, int>& rooms, std::string path) {
  while (path.find('/') != path.npos) {
    path.erase(path.rfind('/'));
    if (rooms.count(path)) return path;
  }
  return "";
}

TEST(Layers, NoRoomIncludesOneBelowItInTheTable) {
  const fs::path source = HEXPROOF_SOURCE_DIR;
  const std::map<std::string, int> rooms = rooms_of(read_file((source / "docs/architecture.md").string()));
  ASSERT_GT(rooms.size(), 20u);
  EXPECT_EQ(room_of(rooms, "verify/equiv/symbolic/terms/terms.h"), "verify/equiv");
  // Rooms that know each other, as the page says.
  const std::vector<std::set<std::string>> kOne = {{"ir", "ir/text", "ir/layout", "ir/interpreter"},
                                                   {"verify/prove", "verify/prove/solvers"},
                                                   {"rewrite/kernel", "rewrite/site"}};
  // The kernel's list of rules, and those that lowering applies; the quick look at whether a path is dead; what a rule
  // is told of stores that nobody observes.
  const std::set<std::pair<std::string, std::string>> kKnown = {
      {"rewrite/kernel/kernel.cpp", "rewrite/rules/rules.def"},
      {"rewrite/kernel/lowering.cpp", "rewrite/rules/args/statements.h"},
      {"rewrite/kernel/lowering.cpp", "rewrite/rules/args/stores.h"},
      {"rewrite/kernel/kernel.cpp", "rewrite/intrinsics/intrinsic.h"},
      {"verify/prove/vacuous.cpp", "verify/memory/quick.h"},
      {"rewrite/rules/args/traces.h", "rewrite/memory/unobservable_stores.h"}};
  size_t includes = 0;
  for (const char* folder : {"ir", "verify", "rewrite", "backend", "fuzz", "tools"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      const std::string file = fs::relative(entry.path(), source).string(), room = room_of(rooms, file);
      ASSERT_NE(room, "") << file << " is in no room of docs/architecture.md";
      const std::string text = read_file(entry.path().string()), include = "#include \"";
      for (size_t at = text.find(include); at != text.npos; at = text.find(include, at + 1)) {
        const size_t begin = at + include.size();
        const std::string target = text.substr(begin, text.find('"', begin) - begin), other = room_of(rooms, target);
        if (other.empty()) continue;
        ++includes;
        bool one = rooms.at(other) <= rooms.at(room) || kKnown.count({file, target}) > 0;
        for (const std::set<std::string>& known : kOne) one = one || (known.count(room) > 0 && known.count(other) > 0);
        EXPECT_TRUE(one) << file << " includes " << target << ", from a room below its own";
      }
    }
  }
  EXPECT_GT(includes, 1000u);
}

}  // namespace layers_test
}  // namespace hexproof
