// What is read: UTF-8 to its letter, marks of editors, bounds; and names of files that would steer a terminal.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ir/base/utf8.h"
#include "tests/tools/command_line.h"

namespace hexproof {
namespace texts_test {

namespace fs = std::filesystem;

const std::string kProgram =
    "def main(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
    "    for i in range(8):\n"
    "        with T.block(\"b\"):\n"
    "            vi = T.axis.spatial(8, i)\n"
    "            B[vi] = A[vi]\n";
const std::string kMark = "\xef\xbb\xbf";

bool says(const CommandResult& r, const std::string& text) { return r.text.find(text) != std::string::npos; }

/// A folder for files of any name.
std::string folder_of(const std::string& name) {
  std::string path = testing::TempDir() + "/" + std::to_string(::getpid()) + "-texts-" + name;
  fs::remove_all(path);
  fs::create_directories(path);
  return path;
}

TEST(Texts, CharactersOfUtf8AreThoseOfUnicode) {
  for (const char* good : {"a", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf",
                           "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(utf8_length(good, 0), std::string(good).size()) << visible(good);
  }
  for (const char* bad :
       {"\x80", "\xc1\xbf", "\xc2", "\xc2z", "\xe0\x9f\xbf", "\xe0\xa0", "\xed\xa0\x80", "\xed\xbf\xbf",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf0\x90\x80", "\xff"}) {
    EXPECT_EQ(utf8_length(bad, 0), 0u) << visible(bad);
    CommandResult r = hexproof_command("check " + temporary("bad.py", "# " + std::string(bad) + "\n" + kProgram));
    EXPECT_EQ(r.code, 2) << r.text;
    EXPECT_TRUE(says(r, "bad.py:1:3: error: not a text file: invalid UTF-8")) << r.text;
    EXPECT_TRUE(says(r, "HX0010")) << r.text;
  }
}

TEST(Texts, AMarkOfEditorsSaysNothing) {
  const std::string program = temporary("mark.py", kMark + kProgram);
  CommandResult r =
      hexproof_command("apply " + program + " " +
                       temporary("mark.s.py", kMark + "i, = sch.get_loops(\"b\")\nio, ii = sch.split(i, [None, 4])\n"));
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_TRUE(says(r, "for i_0, i_1 in T.grid(2, 4):")) << r.text;
  r = hexproof_command("apply " + program + " " + temporary("mark.s.py", kMark + "sch.nope(1)\n"));
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_TRUE(says(r, "mark.s.py:1:1: error: there is no schedule primitive 'nope'\n  sch.nope(1)\n  ^")) << r.text;
}

TEST(Texts, WhatHasNoEndIsNotReadForEver) {
  const std::string program = temporary("good.py", kProgram);
  const std::string much = temporary("much.s.py", "# " + std::string(17 << 20, 'x') + "\n");
  for (const std::string& arguments : std::vector<std::string>{
           "check /dev/zero", "bounds /dev/zero", "fuzz replay /dev/zero",
           "run '" + program + "' --input /dev/zero /dev/zero", "apply '" + program + "' /dev/zero",
           "apply '" + program + "' '" + much + "'", "check '" + much + "'"}) {
    CommandResult r = hexproof_command(arguments, "ulimit -v 8000000; timeout 60 env");
    EXPECT_EQ(r.code, 2) << arguments << "\n" << r.text;
    EXPECT_TRUE(says(r, "HX0010")) << r.text;
  }
  EXPECT_TRUE(says(hexproof_command("apply " + program + " " + much), "is larger than 16 MB"));
}

TEST(Texts, AClosedStandardInputIsNoProgram) {
  CommandResult r = run_line("'" HEXPROOF_BINARY_DIR "/hexproof' check - <&-");
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_TRUE(says(r, "cannot read standard input")) << r.text;
  EXPECT_TRUE(says(r, "HX0010")) << r.text;
}

TEST(Texts, NamesOfFilesSteerNoTerminalAndNoRunner) {
  const std::string folder = folder_of("names");
  const std::string escape = "a\x1b[31m\rb\xc2\x9b.py", lines = "x\n::error::y.py", command = "::error::x.py";
  for (const std::string& name : {escape, lines, command}) {
    write_file(folder + "/" + name, "def main(A: T.Buffer((8,), \"int32\")):\n    A[8] = x\n");
    for (const std::string arguments : {"check", "apply", "certify --target host -o out", "touched --buffer A"}) {
      CommandResult r = hexproof_command(arguments + " -- '" + name + "'" + (arguments == "check" ? "" : " s.py"),
                                         "cd '" + folder + "' &&");
      EXPECT_NE(r.code, 0) << r.text;
      EXPECT_EQ(r.text.find_first_of("\x1b\r"), std::string::npos) << visible(r.text);
      EXPECT_FALSE(says(r, "\xc2\x9b")) << visible(r.text);
      EXPECT_FALSE(("\n" + r.text).find("\n::") != std::string::npos) << r.text;
    }
  }
  CommandResult r = hexproof_command("check --json report.json -- '" + escape + "'", "cd '" + folder + "' &&");
  EXPECT_TRUE(says(r, "a\\x1b[31m\\x0db\\x9b.py:2:12: error: ")) << r.text;
  r = hexproof_command("check './" + lines + "' --json report.json", "cd '" + folder + "' &&");
  EXPECT_TRUE(says(r, "x\\n::error::y.py:2:")) << r.text;
  // For machines it is the name that it is.
  EXPECT_EQ(nlohmann::json::parse(read_file(folder + "/report.json"))["error"]["file"], "./" + lines);
  r = hexproof_command("check -- '" + command + "'", "cd '" + folder + "' &&");
  EXPECT_TRUE(says(r, "./::error::x.py:2:12: error: ")) << r.text;
  r = hexproof_command("check $'missing\\n::error::y.py'", "cd '" + folder + "' &&");
  EXPECT_TRUE(r.code == 2) << r.text;
  EXPECT_FALSE(says(r, "\n::")) << r.text;
  write_file(folder + "/good.py", kProgram);
  r = hexproof_command("certify good.py --target host --no-run -o kept", "cd '" + folder + "' &&");
  ASSERT_EQ(r.code, 0) << r.text;
  write_file(folder + "/kept/\x1b[31m\n::error::z", "");
  r = hexproof_command("audit kept", "cd '" + folder + "' &&");
  EXPECT_EQ(r.code, 12) << r.text;
  EXPECT_TRUE(says(r, "rejected: kept/\\x1b[31m\\n::error::z")) << r.text;
}

// A runner skips blanks in front of `::`, and obeys `##[...]` wherever it stands.
TEST(Texts, WhatARunnerTakesForACommandIsSpelledOut) {
  EXPECT_EQ(visible("::error::x"), "\\x3a:error::x");
  EXPECT_EQ(visible("a ::error::x"), "a ::error::x");
  EXPECT_EQ(visible("a\n \t::error::x"), "a\n \t\\x3a:error::x");
  EXPECT_EQ(visible(" \xc2\xa0::error::x"), " \xc2\xa0\\x3a:error::x");
  EXPECT_EQ(visible_line("a\n::error::x"), "a\\n::error::x");
  EXPECT_EQ(visible_path("::error::x.py"), "./::error::x.py");
  EXPECT_EQ(visible_path(" ::error::x.py"), " \\x3a:error::x.py");
  EXPECT_EQ(visible_message("a\n::error::x\nb"), "a\n  | ::error::x\n  | b");
  EXPECT_EQ(visible("a ##[group]x ###vso[y] ## [z] #[1]"), "a \\x23#[group]x #\\x23#vso[y] ## [z] #[1]");
  const std::string text = "def main(A: T.Buffer((8,), \"int32\")):\n    A[0] = 1\n::add-mask::proved ##[group]x\n";
  CommandResult r = hexproof_command("check " + temporary("runner.py", text));
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_TRUE(says(r, "\n  \\x3a:add-mask::proved \\x23#[group]x\n")) << r.text;
}

TEST(Texts, ValuesOfOptionsMeanSomething) {
  const std::string program = "check " + temporary("good.py", kProgram) + " ";
  for (const char* options : {"--budget nan", "--budget inf", "--budget -1", "--budget=-nan", "--rlimit 1e23",
                              "--rlimit=-5", "--rlimit 99999999999999999999999", "--json ''", "--junit=", "--sarif ''",
                              "--cache ''", "--save ''", "--fp ''"}) {
    CommandResult r = hexproof_command(program + options);
    EXPECT_EQ(r.code, 1) << options << "\n" << r.text;
    EXPECT_FALSE(says(r, "proved")) << options << "\n" << r.text;
  }
  EXPECT_EQ(hexproof_command(program + "--budget 1.5e2 --rlimit 1000000 --cache off").code, 0);
  for (const char* line : {"rules", "check x.py"}) {
    CommandResult r = hexproof_command(std::string(line) + " --fp fast");
    EXPECT_EQ(r.code, 2) << r.text;
    EXPECT_TRUE(says(r, "HX0310")) << r.text;
  }
  const std::string file = temporary("good.py", kProgram);
  for (const std::string& line : std::vector<std::string>{
           "apply " + file + " ''", "apply " + file + " s.py -o ''", "apply " + file + " s.py --certificate ''",
           "certify " + file + " --target host -o ''", "tune " + file + " s.py --seconds nan", "fuzz --time nan",
           "fuzz --corpus ''", "run " + file + " --input ''", "report ''  -o x", "rules --json ''", "explain --json ''",
           "layout --shape '' --map 'lambda i: [i]'", "fuzz --seed=-1 --runs 1", "python --json '' -c 1"}) {
    CommandResult r = hexproof_command(line);
    EXPECT_EQ(r.code, 1) << line << "\n" << r.text;
  }
}

}  // namespace texts_test
}  // namespace hexproof
