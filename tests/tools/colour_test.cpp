// Colours in a terminal, which `script` (of bsdutils) makes, and nowhere else.
#include "tests/tools/command_line.h"

namespace hexproof {
namespace colour_test {

/// What a terminal shows.
std::string shown(const std::string& environment, const std::string& arguments) {
  const std::string command = environment + " '" HEXPROOF_BINARY_DIR "/hexproof' " + arguments;
  const std::string file = temporary("colour.sh", "exec " + command + "\n");
  return run_line("script -qec 'sh " + file + "' /dev/null </dev/null").text;
}

const std::string kTerminal = "env -u NO_COLOR TERM=xterm";

std::string program(int end) {
  return temporary(
      "colour-" + std::to_string(end) + ".py",
      "def main(A: T.Buffer((8,), \"int32\")):\n    for i in range(" + std::to_string(end) + "):\n        A[i] = 1\n");
}

TEST(Colour, OfWhatEndedHow) {
  EXPECT_NE(shown(kTerminal, "check --cache off " + program(8)).find("\033[1;32mproved\033[0m: main"),
            std::string::npos);
  EXPECT_NE(shown(kTerminal, "check --cache off " + program(9)).find("\033[1;31mrefuted\033[0m: main"),
            std::string::npos);
  const std::string broken = temporary("colour-broken.py", "def main(\n");
  const std::string error = shown(kTerminal, "check " + broken);
  EXPECT_NE(error.find(broken + ":1:"), std::string::npos) << error;
  EXPECT_NE(error.find(": \033[1;31merror\033[0m: "), std::string::npos) << error;
}

TEST(Colour, NowhereElse) {
  const std::string check = "check --cache off " + program(8);
  for (const char* environment : {"env NO_COLOR=1 TERM=xterm", "env -u NO_COLOR TERM=dumb", "env -u NO_COLOR -u TERM"})
    EXPECT_EQ(shown(environment, check).find('\033'), std::string::npos) << environment;
  EXPECT_NE(shown("env NO_COLOR= TERM=xterm", check).find('\033'), std::string::npos);  // empty: not set
  const CommandResult piped = run_line(kTerminal + " '" HEXPROOF_BINARY_DIR "/hexproof' " + check);
  EXPECT_EQ(piped.text.find('\033'), std::string::npos) << piped.text;
  EXPECT_EQ(piped.text.rfind("proved: main", 0), 0u) << piped.text;
}

}  // namespace colour_test
}  // namespace hexproof
