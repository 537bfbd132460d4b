// A switch over operators names each of them: a new one does not build until every reading knows it.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "ir/base/file.h"

namespace hexproof {
namespace switches_test {

namespace fs = std::filesystem;

/// How many switches with labels of operators have a `default`.
int open_switches(const std::string& text) {
  int found = 0;
  for (size_t at = text.find("switch ("); at != text.npos; at = text.find("switch (", at + 1)) {
    // What stands in the switch itself, and in no switch inside of it.
    std::string own;
    int depth = 0, inner = 0;
    for (size_t k = text.find('{', at); k < text.size(); ++k) {
      if (inner == 0 && depth > 0 && text.compare(k, 8, "switch (") == 0) inner = depth;
      depth += text[k] == '{';
      depth -= text[k] == '}';
      if (text[k] == '}' && depth == inner) inner = 0;
      if (depth == 0) break;
      if (inner == 0) own += text[k];
    }
    const bool operators = own.find("case Op::") != own.npos || own.find("case HEXPROOF_CASES(") != own.npos;
    found += operators && own.find("default:") != own.npos;
  }
  return found;
}

TEST(Switches, ADefaultIsSeen) {
  EXPECT_EQ(open_switches("switch (op) {\n case Op::Add:\n f();\n default:\n g();\n}\n"), 1);
  EXPECT_EQ(open_switches("switch (op) {\n case HEXPROOF_CASES(Leaf): { f(); }\n default: g();\n}\n"), 1);
  EXPECT_EQ(open_switches("switch (n) {\n case 1: f();\n default: g();\n}\n"), 0);
  EXPECT_EQ(open_switches("switch (op) {\n case Op::Add: {\n switch (n) { case 1: default: g(); }\n }\n}\n"), 0);
  EXPECT_EQ(open_switches("switch (n) {\n default: {\n switch (op) { case Op::Add: g(); }\n }\n}\n"), 0);
}

TEST(Switches, OverOperatorsHaveNoDefault) {
  size_t files = 0;
  for (const char* folder : {"ir", "verify", "rewrite", "backend", "fuzz", "tools"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(HEXPROOF_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      ++files;
      EXPECT_EQ(open_switches(read_file(entry.path().string())), 0) << entry.path().string();
    }
  }
  EXPECT_GT(files, 20u);
}

}  // namespace switches_test
}  // namespace hexproof
