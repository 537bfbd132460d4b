// Outputs harm nothing that stands where they go, and no file is two of those that a command line names.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace outputs_test {

namespace fs = std::filesystem;

const char* kProgram = "def f(A: T.Buffer((4,), \"int32\")):\n    for i in range(4):\n        A[i] = 1\n";

/// A folder of its own, with a program, a schedule and a tensor.
std::string room(const std::string& name) {
  std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-outputs-" + name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  write_file(folder + "/p.py", kProgram);
  write_file(folder + "/s.py", "sch.simplify()\n");
  return folder + "/";
}

struct stat seen(const std::string& path) {
  struct stat out = {};
  EXPECT_EQ(::lstat(path.c_str(), &out), 0) << path;
  return out;
}

void expect_refused(const CommandResult& r, const std::string& why) {
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_NE(r.text.find(why), std::string::npos) << r.text;
  EXPECT_NE(r.text.find("nothing was written"), std::string::npos) << r.text;
}

TEST(Outputs, APipeIsWrittenTo) {
  std::string in = room("pipe");
  ASSERT_EQ(::mkfifo((in + "pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] {
    std::ifstream pipe(in + "pipe");
    got.assign(std::istreambuf_iterator<char>(pipe), {});
  });
  CommandResult r = hexproof_command("apply " + in + "p.py " + in + "s.py --quiet -o " + in + "pipe");
  if (!S_ISFIFO(seen(in + "pipe").st_mode)) fs::rename(in + "p.py", in + "pipe");  // so that the reader ends
  reader.join();
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_TRUE(S_ISFIFO(seen(in + "pipe").st_mode));
  EXPECT_NE(got.find("def f("), std::string::npos) << got;
}

// Standard output by the name of a device, and what a shell puts for >(...), where no file stands behind it.
TEST(Outputs, AnOpenPipeIsWrittenTo) {
  const std::string in = room("open-pipe");
  const CommandResult r =
      run_line("'" HEXPROOF_BINARY_DIR "/hexproof' check " + in + "p.py --quiet --json /dev/stdout | cat");
  EXPECT_TRUE(r.text.starts_with("{") && r.text.ends_with("}\n")) << r.text;
  run_line("'" HEXPROOF_BINARY_DIR "/hexproof' check " + in +
           "p.py --quiet --json /dev/fd/3 3>&1 > /dev/null | cat > " + in + "got");
  EXPECT_TRUE(read_file(in + "got").starts_with("{")) << read_file(in + "got");
}

TEST(Outputs, LinksAndModesStay) {
  std::string in = room("links");
  write_file(in + "target", "old\n");
  fs::create_symlink("target", in + "link");
  fs::create_symlink("not-there-yet", in + "dangling");
  fs::create_symlink("circle", in + "circle");
  write_file(in + "secret", "old\n");
  ASSERT_EQ(::chmod((in + "secret").c_str(), 0600), 0);
  fs::create_hard_link(in + "secret", in + "secret-too");
  write_file(in + "private", "old\n");
  ASSERT_EQ(::chmod((in + "private").c_str(), 0640), 0);
  for (const char* name : {"link", "dangling", "secret", "private"}) {
    CommandResult r = hexproof_command("apply " + in + "p.py " + in + "s.py --quiet -o " + in + name);
    EXPECT_EQ(r.code, 0) << r.text;
    EXPECT_NE(read_file(in + name).find("def f("), std::string::npos) << name;
  }
  EXPECT_TRUE(fs::is_symlink(in + "link"));
  EXPECT_TRUE(fs::is_symlink(in + "dangling"));
  EXPECT_NE(read_file(in + "target").find("def f("), std::string::npos);
  EXPECT_TRUE(fs::is_regular_file(in + "not-there-yet"));
  EXPECT_EQ(seen(in + "secret").st_mode & 0777, 0600u);
  EXPECT_EQ(seen(in + "secret").st_ino, seen(in + "secret-too").st_ino);
  EXPECT_EQ(seen(in + "private").st_mode & 0777, 0640u);
  CommandResult circle = hexproof_command("check " + in + "p.py --quiet --json " + in + "circle");
  EXPECT_EQ(circle.code, 2) << circle.text;
}

TEST(Outputs, ACertificateBehindALinkKeepsTheLinkAndTheMode) {
  std::string in = room("folder");
  fs::create_directory(in + "real");
  fs::permissions(in + "real", fs::perms::owner_all);
  fs::create_symlink("real", in + "link");
  std::string options = " --target host --no-run --quiet -o " + in;
  CommandResult r = hexproof_command("certify " + in + "p.py" + options + "link");
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_TRUE(fs::is_symlink(in + "link"));
  EXPECT_TRUE(fs::exists(in + "real/certificate.json"));
  EXPECT_EQ(seen(in + "real").st_mode & 0777, 0700u);
  // What is certified must not lie in the folder that goes.
  expect_refused(hexproof_command("certify " + in + "real/final.py" + options + "link"), "lies in the folder");
  EXPECT_TRUE(fs::exists(in + "real/certificate.json"));
  EXPECT_EQ(hexproof_command("certify " + in + "p.py" + options + "x --json " + in + "x").code, 2);
  CommandResult dash = hexproof_command("certify " + in + "p.py --target host --no-run -o -");
  EXPECT_EQ(dash.code, 2) << dash.text;
}

TEST(Outputs, NoTwoAreOneFile) {
  std::string in = room("twice");
  const std::string p = in + "p.py", s = in + "s.py";
  fs::create_hard_link(p, in + "hard.py");
  fs::create_symlink("p.py", in + "soft.py");
  for (const std::string& name :
       {p, in + "hard.py", in + "soft.py", in + "../" + fs::path(in).parent_path().filename().string() + "/p.py"}) {
    expect_refused(hexproof_command("check " + p + " --json " + name), "are one file");
    expect_refused(hexproof_command("apply " + p + " " + s + " -o " + name), "are one file");
    EXPECT_EQ(read_file(p), kProgram);
  }
  expect_refused(hexproof_command("apply " + p + " " + s + " -o " + in + "x --json " + in + "./x"), "are one file");
  EXPECT_FALSE(fs::exists(in + "x"));
  expect_refused(hexproof_command("run " + p + " --output " + in + "o.npy --json " + in + "o.npy"), "are one file");
  expect_refused(hexproof_command("check " + p + " --cache " + p), "are one file");
  EXPECT_EQ(read_file(p), kProgram);
  expect_refused(hexproof_command("apply - - < " + p), "it can be read once");
  for (const char* report : {"--json -", "--junit -", "--sarif -", "--json /dev/stdout"}) {
    expect_refused(hexproof_command("apply " + p + " " + s + " -o - " + report), "are one file");
    expect_refused(hexproof_command("apply " + p + " " + s + " " + report), "are one file");
  }
  // A program compared with itself is read twice, and nothing is written.
  EXPECT_EQ(hexproof_command("equiv " + p + " " + p).code, 0);
}

// What a schedule imports is an input, which is known when it has run.
TEST(Outputs, NoneIsWhatAScheduleImports) {
  std::string in = room("imported");
  const std::string helper = in + "helper.py", p = in + "p.py ", s = in + "imports.py ", text = "NAME = \"i\"\n";
  fs::create_directories(in + "made");
  for (const char* ends_well : {"", "sch.get_block(\"none\")\n"}) {
    write_file(in + "imports.py", std::string("import helper\n") + ends_well);
    for (const std::string& output :
         {"-o " + helper, "-o " + in + "x --json " + helper, "-o " + in + "x --depfile " + helper}) {
      write_file(helper, text);
      const CommandResult r = hexproof_command("apply " + p + s + output);
      EXPECT_EQ(r.code, 2) << r.text;
      EXPECT_EQ(read_file(helper), text) << output;
    }
  }
  write_file(in + "imports.py", "import helper\n");
  const CommandResult r = hexproof_command("certify " + p + s + "--target host --no-run -o " + in);
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_EQ(read_file(helper), text);
  EXPECT_EQ(hexproof_command("apply " + p + s + "-o " + in + "made/x").code, 0);
  for (const std::string& output : {"--json " + helper, "--junit " + helper}) {
    const CommandResult listed = hexproof_command("obligations " + p + s + "--out " + in + "listed " + output);
    EXPECT_EQ(listed.code, 2) << listed.text;
    EXPECT_EQ(read_file(helper), text) << output;
  }
  write_file(
      in + "te.py",
      "import helper\nA = te.placeholder((8,), name=\"A\")\nB = te.compute((8,), lambda i: A[i] * 2, name=\"B\")\n"
      "s = te.create_schedule(B.op)\n");
  EXPECT_EQ(hexproof_command("bounds " + in + "te.py --svg " + in + "drawn.svg").code, 0);
  for (const std::string& output : {"--svg " + helper, "--json " + helper}) {
    const CommandResult drawn = hexproof_command("bounds " + in + "te.py " + output);
    EXPECT_EQ(drawn.code, 2) << drawn.text;
    EXPECT_EQ(read_file(helper), text) << output;
  }
  // Of a search it is known behind the first candidate.
  write_file(in + "imports.py", "import helper\ntile = 1  # tune: 1, 2\n");
  const CommandResult tuned = hexproof_command("tune " + p + s + "-o " + helper);
  EXPECT_EQ(tuned.code, 2) << tuned.text;
  EXPECT_NE(tuned.text.find("HX0012"), std::string::npos) << tuned.text;
  EXPECT_EQ(read_file(helper), text);
  // Nor is it one of the files of a counterexample.
  fs::create_directories(in + "saved");
  fs::create_hard_link(helper, in + "saved/counterexample.txt");
  write_file(in + "imports.py", "import helper\nsch.parallel(sch.get_loop(\"i\"))\n");
  write_file(in + "scatter.py",
             "def f(I: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n"
             "        T.assume(I[i] >= 0 and I[i] < 8)\n        B[I[i]] = i\n");
  const std::string refused = "apply " + in + "scatter.py " + s + "-o " + in + "x --save " + in;
  EXPECT_EQ(hexproof_command(refused + "saved").code, 2);
  EXPECT_EQ(read_file(helper), text);
  EXPECT_EQ(hexproof_command(refused + "saved2").code, 10);
  EXPECT_TRUE(fs::exists(in + "saved2/counterexample.txt"));
}

// A file in a folder has other names, too: what is written to them is written to it.
TEST(Outputs, NoneIsAFileInAFolder) {
  std::string in = room("held");
  const std::string p = in + "p.py", made = in + "made", again = " --target host --no-run --quiet -o " + made;
  ASSERT_EQ(hexproof_command("certify " + p + again).code, 0);
  const std::string held = read_file(made + "/final.py");
  fs::create_hard_link(made + "/final.py", in + "hard");
  fs::create_symlink("hard", in + "soft");
  for (const std::string& name : {in + "hard", in + "soft", made + "/new"}) {
    for (const std::string& command :
         {"audit " + made + " --json " + name, "audit " + made + " --sarif " + name, "report " + made + " -o " + name,
          "run " + made + " --output " + name, "certify " + p + again + " --json " + name}) {
      CommandResult r = hexproof_command(command);
      EXPECT_EQ(r.code, 2) << command << r.text;
      EXPECT_NE(r.text.find("HX0012"), std::string::npos) << command << r.text;
      EXPECT_EQ(read_file(made + "/final.py"), held) << command;
    }
  }
  // An input is only read, and the folder that is replaced leaves its file to the other name.
  EXPECT_EQ(hexproof_command("certify " + in + "hard" + again).code, 0);
  EXPECT_EQ(read_file(in + "hard"), held);
}

TEST(Outputs, DashIsStandardInputAndOutput) {
  std::string in = room("dash");
  auto at = [&](const std::string& arguments, const std::string& from) {
    return hexproof_command(arguments + " < " + in + from + " 2> " + in + "err #", "cd " + in + " &&");
  };
  CommandResult program = at("apply - s.py -o -", "p.py");
  EXPECT_EQ(program.code, 0) << program.text;
  EXPECT_TRUE(program.text.find("def f(") != std::string::npos && program.text.find("proved") == std::string::npos)
      << program.text;
  EXPECT_NE(read_file(in + "err").find("proved: "), std::string::npos);
  CommandResult json = at("check - --json -", "p.py");
  EXPECT_EQ(json.code, 0) << json.text;
  EXPECT_TRUE(json.text.starts_with("{") && json.text.ends_with("}\n")) << json.text;
  EXPECT_EQ(at("apply p.py - -o out.py", "s.py").code, 0);
  CommandResult tensor = at("run - --output -", "p.py");
  EXPECT_TRUE(tensor.text.starts_with("\x93NUMPY")) << tensor.text;
  EXPECT_FALSE(fs::exists(in + "-"));
  write_file(in + "bad.py", "def f(\n");
  EXPECT_EQ(at("check -", "bad.py").code, 2);
  EXPECT_NE(read_file(in + "err").find("<stdin>:1:6: error"), std::string::npos) << read_file(in + "err");
}

}  // namespace outputs_test
}  // namespace hexproof
