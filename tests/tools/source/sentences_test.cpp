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

/// A literal of more than one word, perhaps in a std::string; and the functions that compare with what they are given.
const std::string kWords = R"re((?:std::string(?:_view)?[({] *)?R?"[^"\n]*[A-Za-z]+ +[A-Za-z]+[^"\n]*")re";
const std::string kFunctions =
    R"re(\b(?:find|rfind|find_first_of|starts_with|ends_with|contains|compare|count|erase|equal_range|strcmp|strncmp|strstr))re";
/// What sentences for people are kept in.
const std::string kSentence = R"re((?:\.|->)(?:why|reason|says|message|what\(\)))re";

std::string first_match(const std::string& line, const std::regex& what) {
  std::smatch match;
  return std::regex_search(line, match, what) ? match.str() : "";
}

/// The constants of a file that are literals of more than one word.
std::vector<std::string> constants(const std::string& text) {
  static const std::regex kConstant(
      R"re(\bconst(?:expr)? (?:std::string|std::string_view|auto|char)\*? ?(?:const )?(\w+)(?:\[\])? *[=({] *)re" +
      kWords);
  std::vector<std::string> out;
  for (std::sregex_iterator it(text.begin(), text.end(), kConstant), end; it != end; ++it) out.push_back((*it)[1]);
  return out;
}

/// The first place of each line that compares a text with a literal of more than one word, or with a constant that is
/// one; that looks for one, as it is or by an expression; that has one as a key; or that compares what sentences are
/// kept in.
std::vector<std::string> comparisons(const std::string& text) {
  static const std::regex kLiteral(R"re([=!]= *)re" + kWords + "|" + kWords + R"re(s?v? *[=!]=[^=]|)re" + kFunctions +
                                   R"re(\((?:[^"()\n]*, *)?)re" + kWords + R"re(|\bregex \w+[({] *)re" + kWords +
                                   R"re(|\bregex_\w+\([^"\n]*)re" + kWords + R"re(|\bcase )re" + kWords);
  static const std::regex kKept("[=!]= *[a-z_.>-]*" + kSentence + R"re(\b(?! *[.(])|)re" + kSentence +
                                R"re( *[=!]= *[^ ])re");
  static const char* const kCalls[] = {"find",    "starts_with(", "ends_with(", "contains(",    "compare(",
                                       "count(",  "erase(",       "strcmp(",    "equal_range(", "strncmp(",
                                       "strstr(", "regex",        "case "};
  std::vector<std::string> out;
  const std::vector<std::string> named = constants(text);
  std::string all;
  for (const std::string& name : named) all += (all.empty() ? "(?:" : "|") + name;
  const std::regex named_ones(all.empty() ? "$^"
                                          : "[=!]= *" + all + R"re()\b|\b)re" + all + ") *[=!]=|" + kFunctions +
                                                R"re(\()re" + all + R"re()\b)re");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool compares = line.find("==") != line.npos || line.find("!=") != line.npos;
    bool asks = compares;  // (an expression on all lines takes long)
    for (const char* call : kCalls) asks = asks || line.find(call) != line.npos;
    std::string found;
    if (asks && line.find('"') != line.npos) found = first_match(line, kLiteral);
    if (found.empty() && compares) found = first_match(line, kKept);
    if (found.empty() && !named.empty()) found = first_match(line, named_ones);
    if (!found.empty()) out.push_back(found);
  }
  return out;
}

TEST(Sentences, AreSeenWhereTheyAreCompared) {
  EXPECT_EQ(comparisons(R"(if (error.message == "the assume is false") return;)").size(), 1u);
  EXPECT_EQ(comparisons(R"(if (why.starts_with("the view ")) return;)").size(), 1u);
  EXPECT_EQ(comparisons(R"(if (why.find("one element") != why.npos) return;)").size(), 1u);
  EXPECT_EQ(comparisons(R"(if ("the assume is false" == error.text) return;)").size(), 1u);
  EXPECT_EQ(comparisons(R"(if (text == std::string("the assume is false")) return;)").size(), 1u);
  EXPECT_EQ(comparisons(R"(if (std::strcmp(text, "one element") == 0) return;)").size(), 1u);
  EXPECT_EQ(comparisons(R"(static const std::regex kView("the view .* is");)").size(), 1u);
  EXPECT_EQ(
      comparisons("const char* const kNo = \"no value\";\nif (text == kNo) return;\nif (text.find(kNo)) x();\n").size(),
      2u);
  EXPECT_EQ(comparisons(R"(if (a.why == b.why) return;)").size(), 1u);
  EXPECT_EQ(comparisons(R"(if (answer.reason == kNone) return;)").size(), 1u);
  EXPECT_EQ(comparisons(R"(if (known.count("one element")) return;)").size(), 1u);
  EXPECT_EQ(comparisons(R"(if (name == "list" || name == "T.target") text += "no dtype " + name;)").size(), 0u);
}

TEST(Sentences, DecideNothing) {
  // What other programs call their own things; the first line of a file; lines of a file that has others each time; and
  // the line of a formula that says which answer shows it.
  const std::set<std::string> kProtocols = {
      "== \"rlimit count\"",
      "starts_with(begin",
      "!= kMagic",
      "starts_with(kBySat",
      "find(kStart",
      "find(kQuestion",
      "regex kSize(R\"((.*: )(\\d+) of (\\d+)( elements bit-equal to the interpreter's))\"",
      "regex kPadding(R\"((.*: the padding )differs at \\d{1,18})\"",
      "regex_match(claimed, says, kPadding)) return agreeing == says[1].str() + \"holds its value\"",
      "regex kGiven(R\"(^ *what is given, [^\\n]*\\n)\"",
      "regex kLines(R\"(^ *(object|inner loops): [^\\n]*\\n)\""};
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

}  // namespace sentences_test
}  // namespace hexproof
