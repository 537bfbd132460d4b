// Figures that are the same on every machine: what a second run asks of no solver, and how large a page is.
#include <gtest/gtest.h>

#include <regex>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace figures_test {

namespace fs = std::filesystem;

struct Asked {
  int found = -1, questions = -1;
};

/// What the last line says of the proof cache.
Asked asked_of_cache(const std::string& text) {
  static const std::regex kLine(R"(proof cache: (\d+) of (\d+) questions were answered before)");
  std::smatch says;
  if (!std::regex_search(text, says, kLine)) return {};
  return {std::stoi(says[1]), std::stoi(says[2])};
}

// Over inputs that did not change at least 99 % of the questions are answered by the cache.
TEST(Figures, ASecondRunAsksNoSolver) {
  const std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-figures",
                    examples = HEXPROOF_SOURCE_DIR "/examples/";
  fs::remove_all(folder);
  for (const std::string files : {"conv2d_conv2d/conv2d_conv2d.py conv2d_conv2d/schedule_k1_h1.py",
                                  "conv1d_padded/conv1d.py conv1d_padded/schedule.py"}) {
    const size_t space = files.find(' ');
    const std::string line = "certify " + examples + files.substr(0, space) + " " + examples + files.substr(space + 1) +
                             " --target hexagon --no-run -o " + folder + "/made --cache " + folder + "/proofs.sqlite";
    const CommandResult first = hexproof_command(line), second = hexproof_command(line);
    ASSERT_EQ(first.code, 0) << first.text;
    ASSERT_EQ(second.code, 0) << second.text;
    const Asked before = asked_of_cache(first.text), now = asked_of_cache(second.text);
    EXPECT_GE(before.questions, 10) << first.text;
    EXPECT_LT(before.found, before.questions) << first.text;
    EXPECT_EQ(now.questions, before.questions) << second.text;
    EXPECT_GE(now.found * 100, now.questions * 99) << second.text;
  }
  fs::remove_all(folder);
}

}  // namespace figures_test
}  // namespace hexproof
