// Whatever is thrown is a std::exception, so that the last handler of a program can say what went wrong.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "ir/base/file.h"

namespace hexproof {
namespace thrown_test {

namespace fs = std::filesystem;

/// The classes of ours behind `throw`, without their namespaces.
std::set<std::string> thrown(const std::string& text) {
  static const std::regex kThrow(R"(\bthrow ([\w:]*::)?([A-Z]\w*)[({])");
  std::set<std::string> out;
  for (std::sregex_iterator it(text.begin(), text.end(), kThrow), end; it != end; ++it) {
    if ((*it)[1] == "std::" || (*it)[1] == "py::" || (*it)[1] == "CLI::") continue;
    out.insert((*it)[2]);
  }
  return out;
}

/// The bases of the classes that a text defines; "" without one.
std::multimap<std::string, std::string> bases(const std::string& text) {
  static const std::regex kClass(R"(\b(?:class|struct) (\w+)(?: final)?(?: : (?:public )?([\w:]+))? \{)");
  std::multimap<std::string, std::string> out;
  for (std::sregex_iterator it(text.begin(), text.end(), kClass), end; it != end; ++it) out.emplace((*it)[1], (*it)[2]);
  return out;
}

TEST(Thrown, NamesAndBasesAreRead) {
  EXPECT_EQ(thrown("throw Fault{a}; throw api::Failure(b); throw std::bad_alloc(); throw again(); throw;"),
            (std::set<std::string>{"Fault", "Failure"}));
  EXPECT_EQ(bases("struct A : B {\nclass C final : public std::exception {\nstruct D {"),
            (std::multimap<std::string, std::string>{{"A", "B"}, {"C", "std::exception"}, {"D", ""}}));
}

TEST(Thrown, IsAnException) {
  std::set<std::string> names;
  std::multimap<std::string, std::string> base;
  for (const char* folder : {"ir", "verify", "rewrite", "backend", "fuzz", "tools", "include"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(HEXPROOF_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      const std::string text = read_file(entry.path().string());
      names.merge(thrown(text));
      base.merge(bases(text));
    }
  }
  ASSERT_GT(names.size(), 25u);
  const std::set<std::string> kStandard = {"std::exception", "std::runtime_error", "std::logic_error"};
  for (const std::string& name : names) {
    std::string at = name;
    for (int depth = 0; depth < 8 && !kStandard.count(at); ++depth) {
      std::string next;
      for (auto [it, end] = base.equal_range(at); it != end; ++it) {
        if (!it->second.empty()) next = it->second;
      }
      at = next.substr(next.rfind(':') != next.npos && !kStandard.count(next) ? next.rfind(':') + 1 : 0);
    }
    EXPECT_TRUE(kStandard.count(at)) << name << " is thrown and is no std::exception";
  }
}

}  // namespace thrown_test
}  // namespace hexproof
