// --depfile: what an output is made of, also what a schedule reads on its way.
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace depfile_test {

namespace fs = std::filesystem;

TEST(Depfile, NamesWhatTheScheduleImportsAndReads) {
  const std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-depfile with a blank";
  fs::create_directories(folder + "/package");
  write_file(folder + "/k.py",
             "def main(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n"
             "        with T.block(\"b\"):\n            vi = T.axis.spatial(8, i)\n            B[vi] = A[vi]\n");
  write_file(folder + "/k.s.py",
             "import json, os\nimport helper, package\n"
             "factor = json.load(open(os.path.join(os.path.dirname(__file__), 'tile $#.json')))\n"
             "i, = sch.get_loops(\"b\")\nhelper.tile(sch, i, factor)\n");
  write_file(folder + "/helper.py", "def tile(sch, i, factor):\n    sch.split(i, [None, factor])\n");
  write_file(folder + "/package/__init__.py", "from . import part\n");
  write_file(folder + "/package/part.py", "\n");
  write_file(folder + "/tile $#.json", "4\n");
  // A schedule's own files may be compiled already: what counts is their source.
  ASSERT_EQ(run_line("/usr/bin/python3 -m compileall -q '" + folder + "/package'").code, 0);
  const std::string place = fs::canonical(folder).string();
  std::string made = place;
  for (size_t at = 0; (at = made.find(' ', at)) != std::string::npos; at += 2) made.insert(at, "\\");
  CommandResult r =
      hexproof_command("certify k.py k.s.py --target host --no-run -o out --depfile k.d", "cd '" + folder + "' &&");
  ASSERT_EQ(r.code, 0) << r.text;
  EXPECT_EQ(read_file(folder + "/k.d"), "out/kernel.o: \\\n k.py \\\n k.s.py \\\n " + made + "/helper.py \\\n " + made +
                                            "/package/__init__.py \\\n " + made + "/package/part.py \\\n " + made +
                                            "/tile\\ $$\\#.json\n");
  r = hexproof_command("apply k.py k.s.py -o out.py --depfile k.d", "cd '" + folder + "' &&");
  ASSERT_EQ(r.code, 0) << r.text;
  EXPECT_TRUE(read_file(folder + "/k.d").starts_with("out.py: \\\n k.py \\\n k.s.py \\\n " + made)) << r.text;
  // What cannot stand in a rule is no rule, and nothing was written.
  const std::string broken = folder + "/a\nall:";
  fs::create_directories(broken);
  fs::copy_file(folder + "/k.py", broken + "/k.py");
  for (const char* command : {"apply \"$(printf 'a\\nall:')/k.py\" k.s.py -o new",
                              "certify \"$(printf 'a\\nall:')/k.py\" k.s.py --target host --no-run -o new"}) {
    r = hexproof_command(std::string(command) + " --depfile n.d", "cd '" + folder + "' &&");
    EXPECT_EQ(r.code, 2) << command << r.text;
    EXPECT_FALSE(fs::exists(folder + "/new") || fs::exists(folder + "/n.d")) << command;
  }
  // Backslashes in front of a blank are quoted, too, and so are colons.
  fs::copy_file(folder + "/k.py", folder + "/a\\ b:c.py");
  r = hexproof_command("apply 'a\\ b:c.py' k.s.py -o out.py --depfile k.d", "cd '" + folder + "' &&");
  ASSERT_EQ(r.code, 0) << r.text;
  EXPECT_TRUE(read_file(folder + "/k.d").starts_with("out.py: \\\n a\\\\\\ b\\:c.py \\\n"))
      << read_file(folder + "/k.d");
  // It is an output like others.
  r = hexproof_command("apply k.py k.s.py -o out.py --depfile k.py", "cd '" + folder + "' &&");
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_EQ(hexproof_command("apply k.py k.s.py --depfile k.d", "cd '" + folder + "' &&").code, 1);
}

}  // namespace depfile_test
}  // namespace hexproof
