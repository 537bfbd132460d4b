// Folders that outputs go to, and what stands in them.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <vector>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace output_folders_test {

namespace fs = std::filesystem;

const char* kProgram = "def f(A: T.Buffer((4,), \"int32\")):\n    for i in range(4):\n        A[i] = 1\n";
const char* kRefuted = "def f(A: T.Buffer((4,), \"int32\")):\n    for i in range(5):\n        A[i] = 1\n";

std::string room(const std::string& name) {
  const std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-folders-" + name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  write_file(folder + "/p.py", kProgram);
  write_file(folder + "/bad.py", kRefuted);
  write_file(folder + "/s.py", "sch.simplify()\n");
  return folder + "/";
}

CommandResult certify(const std::string& in, const std::string& out, const std::string& before = "") {
  return hexproof_command("certify " + in + "p.py --target host --no-run --quiet -o " + in + out, before);
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) out.push_back(entry.path().filename().string());
  std::sort(out.begin(), out.end());
  return out;
}

// However the path goes, the certificate stands there in the end, and nothing else does.
TEST(OutputFolders, APathThatGoesBack) {
  const std::string in = room("back");
  for (const char* path : {"out", "out/../out", "new/../out", "out/"}) {
    const CommandResult r = certify(in, path);
    EXPECT_EQ(r.code, 0) << path << r.text;
    EXPECT_EQ(names_in(in), (std::vector<std::string>{"bad.py", "out", "p.py", "s.py"})) << path;
    EXPECT_EQ(hexproof_command("audit " + in + "out --solver z3").code, 0) << path;
  }
}

// Folders that are missing around it come with a certificate, and without one they do not.
TEST(OutputFolders, FoldersAroundIt) {
  const std::string in = room("around");
  EXPECT_EQ(hexproof_command("certify " + in + "bad.py --target host --no-run -o " + in + "a/b/c").code, 10);
  EXPECT_EQ(names_in(in), (std::vector<std::string>{"bad.py", "p.py", "s.py"}));
  EXPECT_EQ(certify(in, "a/b/c").code, 0);
  EXPECT_EQ(names_in(in), (std::vector<std::string>{"a", "bad.py", "p.py", "s.py"}));
  EXPECT_EQ(names_in(in + "a/b"), std::vector<std::string>{"c"});
}

// What is no certificate is not replaced by one, nor is a file of somebody else's in it.
TEST(OutputFolders, WhatIsNoCertificateStays) {
  const std::string in = room("others");
  fs::create_directories(in + "thesis/chapters");
  write_file(in + "thesis/certificate.json", "{}\n");
  write_file(in + "thesis/chapters/1.txt", "work\n");
  CommandResult r = certify(in, "thesis");
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_NE(r.text.find("is no certificate folder; it stays as it is"), std::string::npos) << r.text;
  EXPECT_TRUE(fs::exists(in + "thesis/chapters/1.txt"));
  ASSERT_EQ(certify(in, "c").code, 0);
  write_file(in + "c/notes.txt", "mine\n");
  r = certify(in, "c");
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_NE(r.text.find("holds 'notes.txt', which no certificate has"), std::string::npos) << r.text;
  fs::remove(in + "c/notes.txt");
  fs::create_directory(in + "here");
  r = hexproof_command("certify ../p.py --target host --no-run -o .", "cd " + in + "here &&");
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_NE(r.text.find("holds the current folder"), std::string::npos) << r.text;
  EXPECT_EQ(certify(in, "c").code, 0);
}

// A counterexample goes over nothing that the command was given.
TEST(OutputFolders, SavedTensorsGoOverNothing) {
  const std::string in = room("saved");
  write_file(in + "A.npy", kRefuted);
  CommandResult r = hexproof_command("check " + in + "A.npy --save " + in);
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_NE(r.text.find("are one file"), std::string::npos) << r.text;
  EXPECT_EQ(read_file(in + "A.npy"), kRefuted);
  EXPECT_FALSE(fs::exists(in + "counterexample.txt"));
  r = hexproof_command("check " + in + "bad.py --save " + in + "out --json " + in + "out/A.npy");
  EXPECT_EQ(r.code, 2) << r.text;
  r = hexproof_command("check " + in + "bad.py --save " + in + "out");
  EXPECT_EQ(r.code, 10) << r.text;
  EXPECT_TRUE(fs::exists(in + "out/A.npy"));
}

// Each function that is refuted has its counterexample in a folder of its own.
TEST(OutputFolders, SavedTensorsOfSeveralFunctions) {
  const std::string in = room("several");
  const std::string first = std::string(kRefuted), of_name = "def f(";
  write_file(in + "two.py", first + "\n" + std::string(first).replace(first.find(of_name), of_name.size(), "def g("));
  for (const char* command : {"check two.py", "apply two.py s.py"}) {
    fs::remove_all(in + "saved");
    const CommandResult r = hexproof_command(std::string(command) + " --save saved", "cd " + in + " &&");
    EXPECT_EQ(r.code, 10) << r.text;
    EXPECT_EQ(names_in(in + "saved"), (std::vector<std::string>{"f", "g"})) << command;
    for (const char* name : {"f", "g"}) {
      EXPECT_EQ(names_in(in + "saved/" + name), (std::vector<std::string>{"A.npy", "counterexample.txt"})) << command;
    }
  }
}

// Where a schedule goes, the command stays.
TEST(OutputFolders, AScheduleThatChangesTheFolder) {
  const std::string in = room("elsewhere");
  write_file(in + "s.py", "import os\nos.chdir(\"/\")\nsch.simplify()\n");
  const CommandResult r = hexproof_command("apply p.py s.py --quiet -o out.py", "cd " + in + " &&");
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_TRUE(fs::exists(in + "out.py"));
}

// A folder that is read keeps what is in it: a certificate that runs, cases that are gathered.
TEST(OutputFolders, NothingGoesIntoAFolderThatIsAnInput) {
  const std::string in = room("sources");
  ASSERT_EQ(certify(in, "c").code, 0);
  fs::create_symlink("c", in + "link");
  const std::vector<std::string> before = names_in(in + "c");
  for (const char* output :
       {"--json c/certificate.json", "--output c/kernel.o", "--json c/new.json", "--sarif link/new"}) {
    const CommandResult r = hexproof_command(std::string("run c ") + output, "cd " + in + " &&");
    EXPECT_EQ(r.code, 2) << output << r.text;
    EXPECT_NE(r.text.find("which is an input; nothing was written"), std::string::npos) << r.text;
  }
  EXPECT_EQ(names_in(in + "c"), before);
  EXPECT_EQ(hexproof_command("audit " + in + "c --solver z3").code, 0);
  EXPECT_EQ(hexproof_command("run c --output o.npy --json r.json", "cd " + in + " &&").code, 0);

  for (const char* folder : {"a", "b"}) {
    fs::create_directory(in + folder);
    write_file(in + folder + "/" + folder + ".py", "a case\n");
  }
  for (const char* output : {"--json b/b.py", "--junit a/a.py", "--sarif b/new"}) {
    const CommandResult r = hexproof_command(std::string("fuzz merge a b ") + output, "cd " + in + " &&");
    EXPECT_EQ(r.code, 2) << output << r.text;
  }
  EXPECT_EQ(read_file(in + "b/b.py"), "a case\n");
  EXPECT_EQ(names_in(in + "a"), (std::vector<std::string>{"a.py"}));
  EXPECT_EQ(hexproof_command("fuzz merge a b --json r.json", "cd " + in + " &&").code, 0);
  EXPECT_EQ(names_in(in + "a"), (std::vector<std::string>{"a.py", "b.py"}));
  // A link that leads nowhere is no free name, and a pipe is no case.
  fs::create_symlink("../outside", in + "a/c.py");
  write_file(in + "b/c.py", "a case\n");
  EXPECT_EQ(hexproof_command("fuzz merge a b", "cd " + in + " &&").code, 0);
  EXPECT_FALSE(fs::exists(in + "outside"));
  ASSERT_EQ(::mkfifo((in + "b/d.py").c_str(), 0600), 0);
  EXPECT_EQ(hexproof_command("fuzz merge a b", "cd " + in + " &&").code, 2);
}

// A campaign that has tried nothing has not passed.
TEST(OutputFolders, ACampaignWithoutACase) {
  const CommandResult r = hexproof_command("fuzz --time 0.000001 --runs 5 --json - --quiet");
  EXPECT_EQ(r.code, 5) << r.text;
  EXPECT_NE(r.text.find("\"verdict\": \"undecided\""), std::string::npos) << r.text;
}

// A page does not go into the certificate that it is of.
TEST(OutputFolders, APageIsNoPartOfACertificate) {
  const std::string in = room("page");
  ASSERT_EQ(certify(in, "c").code, 0);
  for (const char* name : {"c/source.py", "c/page.html"}) {
    const CommandResult r = hexproof_command("report " + in + "c -o " + in + name);
    EXPECT_EQ(r.code, 2) << r.text;
  }
  EXPECT_EQ(hexproof_command("report " + in + "c -o " + in + "page.html").code, 0);
  EXPECT_EQ(hexproof_command("audit " + in + "c --solver z3").code, 0);
}

// A standard file that is closed is an error where it is needed, and no other file is taken for it.
TEST(OutputFolders, ClosedStandardFiles) {
  const std::string in = room("closed");
  ASSERT_EQ(certify(in, "c").code, 0);
  auto code_of = [&](const std::string& line) { return run_line("sh -c \"" + line + "\"").code; };
  const std::string binary = HEXPROOF_BINARY_DIR;
  EXPECT_EQ(code_of(binary + "/hexproof audit " + in + "c --solver z3 --quiet <&-"), 0);
  EXPECT_EQ(code_of(binary + "/hexproof audit " + in + "c --solver z3 <&- >&-"), 2);
  EXPECT_EQ(code_of(binary + "/hexproof check - <&-"), 2);
  EXPECT_EQ(code_of(binary + "/hexproof-check " + in + "c"), 0);
  EXPECT_EQ(code_of(binary + "/hexproof-check " + in + "c >/dev/full"), 2);
  EXPECT_EQ(code_of(binary + "/hexproof-check " + in + "c >&-"), 2);
}

// "nothing was written" is said where that is so.
TEST(OutputFolders, AnInterruptSaysWhatWasWritten) {
  const std::string in = room("interrupt");
  ASSERT_EQ(::mkfifo((in + "pipe").c_str(), 0600), 0);
  for (const char* signal : {"INT", "HUP"}) {
    fs::remove(in + "o.py");
    // The report waits for a reader of the pipe; the program was written before.
    const CommandResult r =
        run_line("sh -c \"'" HEXPROOF_BINARY_DIR "/hexproof' apply " + in + "p.py " + in +
                 "s.py --cache off --quiet -o " + in + "o.py --json " + in + "pipe & p=\\$!; while [ ! -e " + in +
                 "o.py ]; do sleep 0.05; done; sleep 0.2; kill -" + signal + " \\$p; wait \\$p; exit \\$?\"");
    EXPECT_EQ(r.code, 130) << signal << r.text;
    EXPECT_NE(r.text.find("interrupted: no file is half-written"), std::string::npos) << r.text;
  }
}

}  // namespace output_folders_test
}  // namespace hexproof
