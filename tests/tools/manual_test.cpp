// The man page and the completions, which are made of what the help is made of.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace manual_test {

namespace fs = std::filesystem;

std::string manual(const std::string& kind) {
  CommandResult r = hexproof_command("manual " + kind);
  EXPECT_EQ(r.code, 0) << r.text;
  return r.text;
}

/// The commands that the help lists.
std::set<std::string> commands() {
  std::istringstream help(hexproof_command("--help").text);
  std::set<std::string> out;
  bool listed = false;
  for (std::string line; std::getline(help, line);) {
    if (line.starts_with("Subcommands:")) listed = true;
    if (listed && line.starts_with("  ") && line[2] != ' ') out.insert(line.substr(2, line.find(' ', 2) - 2));
  }
  return out;
}

TEST(Manual, NamesEveryCommandAndItsOptions) {
  const std::set<std::string> all = commands();
  ASSERT_GT(all.size(), 12u);
  EXPECT_EQ(all.count("manual"), 0u);
  const std::string page = manual("man"), bash = manual("bash"), zsh = manual("zsh"), fish = manual("fish");
  for (const std::string& name : all) {
    EXPECT_NE(page.find(".SS hexproof " + name), std::string::npos) << name;
    EXPECT_NE(bash.find("    " + name + ") "), std::string::npos) << name;
    EXPECT_NE(zsh.find("    " + name + ")\n"), std::string::npos) << name;
    EXPECT_NE(fish.find("-a " + name + " "), std::string::npos) << name;
  }
  EXPECT_NE(page.find("\\fB\\-\\-solver\\fR \\fIz3|cvc5\\fR"), std::string::npos) << page;
  EXPECT_NE(fish.find("audit' -l solver -x -a 'z3 cvc5'"), std::string::npos) << fish;
  EXPECT_EQ(hexproof_command("manual csh").code, 1);
}

/// What the shell of that name says to a script. (./dev installs them all.)
void runs(const std::string& shell, const std::string& script, const std::string& says) {
  CommandResult r = run_line(shell + " -c '" + script + "'");
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_NE(r.text.find(says), std::string::npos) << shell << ": " << r.text;
}

TEST(Manual, ShellsTakeTheCompletions) {
  const std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-manual";
  fs::create_directories(folder);
  for (const char* kind : {"man", "bash", "zsh", "fish"}) write_file(folder + "/" + kind, manual(kind));
  const std::string ask =
      "source " + folder + "/bash; COMP_WORDS=(hexproof %); COMP_CWORD=@; _hexproof; echo ${COMPREPLY[*]}";
  auto bash = [&](const std::string& words, const std::string& at, const std::string& says) {
    std::string script = ask;
    script.replace(script.find('%'), 1, words).replace(script.find('@'), 1, at);
    runs("bash", script, says);
  };
  bash("au", "1", "audit");
  bash("audit --sol", "2", "--solver");
  bash("audit --solver c", "3", "cvc5");
  runs("zsh", "autoload -Uz compinit; compinit -D; functions[_hexproof]=\"$(cat " + folder + "/zsh)\"; echo read",
       "read");
  runs("fish", "source " + folder + "/fish; complete -C \"hexproof audit --solver \"", "cvc5");
  const CommandResult page = run_line("MANWIDTH=100 man --warnings -l " + folder + "/man 2>&1");
  EXPECT_EQ(page.code, 0) << page.text;
  EXPECT_EQ(page.text.find(": warning"), std::string::npos) << page.text;
  EXPECT_NE(page.text.find("re-check a certificate"), std::string::npos) << page.text;
  fs::remove_all(folder);
}

}  // namespace manual_test
}  // namespace hexproof
