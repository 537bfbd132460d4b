// Sentences are for people: nothing is decided by comparing one.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "ir/base/file.h"

namespace hexproof {
namespace sentences_test {

namespace fs = std::filesystem;

/// Lines that compare a text with a literal of more than one word.
std::vector<std::string> comparisons(const std::string& text) {
  static const std::regex kCompared(
      R"re(([=!]= *|\b(find|rfind|starts_with|ends_with|contains|compare|count)\()"[^"\n]*[A-Za-z]+ +[A-Za-z]+[^"\n]*")re");
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("= \"") == line.npos && line.find("(\"") == line.npos)
      continue;  // an expression on all of them takes long
    for (std::sregex_iterator it(line.begin(), line.end(), kCompared), end; it != end; ++it) out.push_back(it->str());
  }
  return out;
}

TEST(Sentences, AreSeenWhereTheyAreCompared) {
  EXPECT_EQ(comparisons(R"(if (error.message == "the assume is false") return;)").size(), 1u);
  EXPECT_EQ(comparisons(R"(if (why.starts_with("the view ")) return;)").size(), 1u);
  EXPECT_EQ(comparisons(R"(if (why.find("one element") != why.npos) return;)").size(), 1u);
  EXPECT_EQ(comparisons(R"(if (name == "list" || name == "T.target") text += "no dtype " + name;)").size(), 0u);
}

TEST(Sentences, DecideNothing) {
  // What other programs call their own things.
  const std::set<std::string> kProtocols = {"== \"rlimit count\""};
  size_t files = 0;
  for (const char* folder : {"ir", "verify", "rewrite", "backend", "fuzz", "tools"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(HEXPROOF_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      ++files;
      for (const std::string& found : comparisons(read_file(entry.path().string()))) {
        EXPECT_TRUE(kProtocols.count(found)) << entry.path().string() << ": " << found;
      }
    }
  }
  EXPECT_GT(files, 20u);
}

}  // namespace
}  // namespace hexproof
