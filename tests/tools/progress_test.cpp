// What takes long says so, whatever the command; and nothing when it is to be quiet.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace progress_test {

TEST(Progress, ALineEveryTenSecondsOfEveryCommand) {
  const std::string at = testing::TempDir() + "/" + std::to_string(::getpid()) + "-progress";
  std::filesystem::remove_all(at);
  std::filesystem::create_directories(at);
  // Who reads a pipe that nobody writes to takes long, and costs nothing.
  ASSERT_EQ(::mkfifo((at + "/never").c_str(), 0600), 0);
  const std::string never = at + "/never",
                    other = temporary("progress.py", "def f(A: T.Buffer((4,), \"int32\")):\n    A[0] = 1\n");
  const std::pair<const char*, std::string> kCommands[] = {
      {"check", never},
      {"apply", other + " " + never + " -o " + at + "/o.py"},
      {"certify", never + " " + other + " -o " + at + "/c"},
      {"equiv", other + " " + never},
      {"touched", never + " --buffer A"},
      {"bounds", never},
      {"obligations", never + " " + other + " --out " + at + "/f"},
      {"run", never},
      {"tune", other + " " + never},
      {"layout", "--map 'lambda i: [i]' --block b --buffer A --suggest " + never}};
  std::string line;
  for (const auto& [command, arguments] : kCommands) {
    for (const char* quiet : {"", " --quiet"}) {
      line += "timeout 19 '" HEXPROOF_BINARY_DIR "/hexproof' " + std::string(command) + " " + arguments + quiet +
              " --cache off > " + at + "/" + command + (*quiet ? "-quiet" : "") + " 2>&1 & ";
    }
  }
  run_line("( " + line + "wait )");
  for (const auto& [command, arguments] : kCommands) {
    EXPECT_EQ(read_file(at + "/" + command).find("10 s: " + std::string(command)), 0u)
        << command << ": " << read_file(at + "/" + command);
    const std::string quiet = read_file(at + "/" + command + "-quiet");
    EXPECT_EQ(quiet.find("10 s: "), quiet.npos) << quiet;
  }
}

}  // namespace progress_test
}  // namespace hexproof
