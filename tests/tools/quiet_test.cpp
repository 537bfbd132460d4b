// --quiet: what is fine is not said; errors, and what is not proved, are.
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace quiet_test {

std::string filled(const std::string& extent, const std::string& value) {
  return "def f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n    for i in range(" + extent +
         "):\n        with T.block(\"b\"):\n            vi = T.axis.spatial(" + extent +
         ", i)\n            B[vi] = A[vi] + " + value + "\n";
}

TEST(Quiet, SaysWhatIsNotFineAndNothingElse) {
  const std::string good = temporary("quiet-good.py", filled("8", "1")),
                    other = temporary("quiet-other.py", filled("8", "2")),
                    wrong = temporary("quiet-wrong.py", filled("9", "1")),
                    schedule = temporary("quiet.sch.py", "i, = sch.get_loops(\"b\")\nsch.split(i, [None, 4])\n"),
                    vacuous = temporary("quiet-vacuous.py",
                                        "def f(A: T.Buffer((8,), \"int32\"), n: T.int32):\n    T.assume(n > 4)\n"
                                        "    T.assume(n < 3)\n    A[0] = 1\n"),
                    script = temporary("quiet-te.py",
                                       "from tvm import te\nA = te.placeholder((16,), name=\"A\", dtype=\"int32\")\n"
                                       "B = te.compute((16,), lambda i: A[i + 1], name=\"B\")\n"
                                       "s = te.create_schedule(B.op)\n"),
                    out = testing::TempDir() + "/" + std::to_string(::getpid()) + "-quiet-out";
  for (const std::string& command : std::vector<std::string>{
           "check " + good, "apply " + good + " " + schedule + " -o " + out + ".py",
           "certify " + good + " --target host --no-run -o " + out, "equiv " + good + " " + good, "run " + good,
           "touched " + good + " --buffer A", "audit " + out, "layout --shape 14 --map 'lambda i: [i // 4, i % 4]'"}) {
    CommandResult r = hexproof_command(command + " --quiet");
    EXPECT_EQ(r.code, 0) << command;
    EXPECT_EQ(r.text, "") << command;
  }
  // A warning is not fine, though the end is.
  const std::string claims = temporary("quiet-claims.py",
                                       "def f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
                                       "    for i in range(8):\n        with T.block(\"b\"):\n"
                                       "            vi = T.axis.spatial(8, i)\n            T.reads(A[0])\n"
                                       "            B[vi] = A[vi]\n");
  for (const std::string& command : {"check " + claims, "touched " + claims + " --buffer A"}) {
    CommandResult r = hexproof_command(command + " --quiet");
    EXPECT_EQ(r.code, 0) << command << r.text;
    EXPECT_NE(r.text.find("warning: it is false that T.reads"), std::string::npos) << command << r.text;
  }
  struct Row {
    std::string command;
    int code;
    std::string says;
  };
  for (const Row& row :
       std::vector<Row>{{"check " + wrong, 10, "HX0401"},
                        {"check " + vacuous, 11, "HX0501"},
                        {"apply " + wrong + " " + schedule, 10, "HX0401"},
                        {"certify " + wrong + " --target host -o " + out + "2", 10, "HX0401"},
                        {"equiv " + good + " " + other, 10, "HX0510"},
                        {"equiv " + good + " " + good + " --method tests", 5, "HX0511"},
                        {"run " + wrong, 10, "HX0401"},
                        {"run " + wrong + " --target host", 10, "HX0401"},
                        {"touched " + wrong + " --buffer A", 10, "HX0401"},
                        {"bounds " + script, 10, "HX0401"},
                        {"obligations " + wrong + " " + schedule + " --out " + out + "3", 10, "HX0401"},
                        {"layout --shape 14 --map 'lambda i: [i // 4]'", 10, "refused"},
                        {"layout --shape n --map 'lambda i: [i // 4]'", 10, "HX0301"}}) {
    CommandResult r = hexproof_command(row.command + " --quiet");
    EXPECT_EQ(r.code, row.code) << row.command << "\n" << r.text;
    EXPECT_NE(r.text.find(row.says), std::string::npos) << row.command << "\n" << r.text;
  }
}

}  // namespace quiet_test
}  // namespace hexproof
