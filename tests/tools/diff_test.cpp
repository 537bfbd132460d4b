// --diff: what each step changed, as patch reads it.
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace diff_test {

const char* kProgram =
    "def main(A: T.Buffer((8, 8), \"int32\"), B: T.Buffer((8, 8), \"int32\")):\n"
    "    for i, j in T.grid(8, 8):\n"
    "        with T.block(\"b\"):\n"
    "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "            B[vi, vj] = A[vi, vj]\n";
const char* kSchedule =
    "i, j = sch.get_loops(\"b\")\nio, ii = sch.split(i, [None, 4])\nsch.reorder(ii, io)\nsch.lower_blocks()\n";

bool says(const CommandResult& r, const std::string& text) { return r.text.find(text) != std::string::npos; }

/// Every step is a hunk of what the steps before left: the source becomes the result.
TEST(Diff, PatchMakesTheResultOfTheSource) {
  const std::string program = temporary("diff.py", kProgram), schedule = temporary("diff.s.py", kSchedule);
  const std::string now = temporary("now.py", ""), out = testing::TempDir() + "/diff-out.py";
  // The source as hexproof prints it.
  ASSERT_EQ(hexproof_command("apply " + program + " " + temporary("none.s.py", "sch.show()\n") + " -o " + now).code, 0);
  CommandResult r = hexproof_command("apply " + program + " " + schedule + " --diff -o " + out);
  ASSERT_EQ(r.code, 0) << r.text;
  for (const char* part :
       {"--- main, source\n+++ main, step 1 (", "--- main, step 1 (", "\n@@ -", "\n-    for i, j in T.grid(8, 8):\n"}) {
    EXPECT_TRUE(says(r, part)) << part << "\n" << r.text;
  }
  // (patch goes by names: those of steps are none of files.)
  std::string diff, line;
  std::istringstream lines(r.text.substr(r.text.find("--- ")));
  while (std::getline(lines, line)) {
    if (line.starts_with("--- "))
      diff += "--- a\n";
    else if (line.starts_with("+++ "))
      diff += "+++ a\n";
    else if (line.find_first_of("@+- ") == 0)
      diff += line + "\n";
  }
  const CommandResult patched = run_line("patch " + now + " " + temporary("the.diff", diff));
  EXPECT_EQ(patched.code, 0) << patched.text << "\n" << diff;
  EXPECT_EQ(read_file(now), read_file(out)) << diff;
  EXPECT_EQ(hexproof_command("apply " + program + " " + schedule + " --diff --quiet -o " + out).text, "");
}

TEST(Diff, StandardOutputIsTheProgramAlone) {
  const std::string program = temporary("diff.py", kProgram), schedule = temporary("diff.s.py", kSchedule);
  const std::string files = "apply " + program + " " + schedule;
  const CommandResult plain = hexproof_command(files), both = hexproof_command(files + " --diff 2>/dev/null )", "(");
  EXPECT_EQ(plain.text, both.text);
  EXPECT_TRUE(says(hexproof_command(files + " --diff 2>&1 >/dev/null )", "("), "\n+++ main, step 1 ("));
}

TEST(Diff, OfACertificateAndOfTwoPrograms) {
  const std::string program = temporary("diff.py", kProgram), schedule = temporary("diff.s.py", kSchedule);
  CommandResult r = hexproof_command("certify " + program + " " + schedule + " --target host --no-run --diff -o " +
                                     testing::TempDir() + "/" + std::to_string(::getpid()) + "-diff-certificate");
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_TRUE(says(r, "--- main, source\n+++ main, step 1 (")) << r.text;
  std::string other = kProgram;
  other.replace(other.find("= A[vi, vj]"), 11, "= A[vi, vj] * 2");
  const std::string changed = temporary("diff2.py", other);
  r = hexproof_command("equiv " + program + " " + changed + " --diff");
  EXPECT_EQ(r.code, 10) << r.text;
  EXPECT_TRUE(says(r, "--- " + program + ", main\n+++ " + changed + ", main\n@@ -")) << r.text;
  EXPECT_TRUE(says(r, "\n-            B[vi, vj] = A[vi, vj]\n+            B[vi, vj] = A[vi, vj] * 2\n")) << r.text;
  EXPECT_TRUE(says(hexproof_command("equiv " + program + " " + program + " --diff"), "no text differs"));
}

}  // namespace diff_test
}  // namespace hexproof
