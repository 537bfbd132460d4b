// Programs on which provers have been wrong. Each folder holds programs, schedules and `expect`: lines of
//   CODES | COMMAND LINE   the command ends with one of the exit codes
//   sound | apply P S -o OUT   it is refused, or the result is proved free of errors and equal to what it came from
// OUT stands for a path of the test's own. Code 12 (two readings disagree) is none of the expected ones: the first line
// of defence has to hold by itself.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> folders() {
  std::vector<std::string> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(HEXPROOF_SOURCE_DIR "/tests/found")) {
    if (fs::exists(entry.path() / "expect")) out.push_back(entry.path().filename().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

class Found : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    folder_ = std::string(HEXPROOF_SOURCE_DIR "/tests/found/") + GetParam();
    out_ = fs::path(testing::TempDir()) / ("hexproof_found_" + GetParam());
    fs::remove_all(out_);
  }
  void TearDown() override { fs::remove_all(out_); }

  /// The exit code of `hexproof LINE`, run in the folder.
  int ends_with(std::string line) {
    if (line.find("-o OUT") != std::string::npos)
      fs::remove_all(out_);  // a folder for one command, a file for the next
    for (size_t at; (at = line.find("OUT")) != std::string::npos;) line.replace(at, 3, out_.string());
    CommandResult result = hexproof_command(line + " --cache off", "cd '" + folder_ + "' &&");
    said_ = result.text;
    return result.code;
  }

  void line(const std::string& codes, const std::string& command) {
    int code = ends_with(command);
    if (codes != "sound") {
      std::istringstream wanted(codes);
      bool met = false;
      for (int one; wanted >> one;) met |= one == code;
      EXPECT_TRUE(met) << command << " ended with " << code << "\n" << said_;
      return;
    }
    bool refused = code == 5 || code == 10 || code == 13;
    EXPECT_TRUE(refused || code == 0) << command << " ended with " << code << "\n" << said_;
    if (code != 0) return;
    std::istringstream words(command);
    std::string apply, program;
    words >> apply >> program;
    const size_t fp = command.find(" --fp ");
    const std::string granted = fp == command.npos ? "" : command.substr(fp, command.find(" -", fp + 6) - fp);
    EXPECT_EQ(ends_with("check OUT"), 0) << said_;
    EXPECT_EQ(ends_with("equiv " + program + " OUT" + granted), 0) << said_;
  }

  std::string folder_, said_;
  fs::path out_;
};

TEST_P(Found, EndsAsItShould) {
  std::ifstream expect(folder_ + "/expect");
  int lines = 0;
  for (std::string text; std::getline(expect, text);) {
    size_t bar = text.find('|');
    ASSERT_NE(bar, std::string::npos) << text;
    ++lines;
    std::string codes = text.substr(0, text.find_last_not_of(' ', bar - 1) + 1);
    line(codes, text.substr(text.find_first_not_of(' ', bar + 1)));
  }
  EXPECT_GT(lines, 0);
}

INSTANTIATE_TEST_SUITE_P(Programs, Found, testing::ValuesIn(folders()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace hexproof
