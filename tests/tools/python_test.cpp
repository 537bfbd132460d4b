// Schedules are Python: what they do to standard output, to time, and to the folder that they lie in.
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace python_test {

std::string program() {
  return "'" +
         temporary("p.py", "def main(A: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n        A[i] = i\n") + "'";
}

std::string schedule(const std::string& text, const std::string& name = "s.py") {
  return " '" + temporary(name, text) + "' ";
}

TEST(Python, WhatASchedulePrintsIsNoOutput) {
  const std::string prints = schedule("print('noise')\nimport sys\nsys.stdout.write('noise')\nsch.show()\n");
  CommandResult both = hexproof_command("apply " + program() + prints);
  EXPECT_EQ(both.code, 0) << both.text;
  EXPECT_NE(both.text.find("noise"), std::string::npos) << both.text;
  CommandResult output = hexproof_command("apply " + program() + prints + "2>/dev/null #");
  EXPECT_EQ(output.text.find("noise"), std::string::npos) << output.text;
  EXPECT_NE(output.text.find("A[i] = i"), std::string::npos) << output.text;
}

TEST(Python, ALoopWithoutEndIsInterruptedAndRunsOutOfTime) {
  const std::string endless = schedule("while True:\n    pass\n");
  CommandResult r = hexproof_command("apply " + program() + endless, "timeout --preserve-status -s INT 2 env");
  EXPECT_EQ(r.code, 130) << r.text;
  r = hexproof_command("apply --budget 0.1 " + program() + endless);
  EXPECT_EQ(r.code, 5) << r.text;
  EXPECT_NE(r.text.find("time budget"), std::string::npos) << r.text;
}

TEST(Python, MistakesEndWithTheUsersLineAndCodeTwo) {
  for (auto [text, said] :
       {std::pair{"x = (\n", "s.py:1:5: error: '(' was never closed"},
        {"def f(:\n    pass\n", "s.py:1:7: error: invalid syntax"},
        {"for x in 3:\n    pass\n", "s.py:1:1: error: TypeError: 'int' object is not iterable"},
        {"\u00e9 = 1; \u00e9 + undefined\n", "s.py:1:14: error: the name 'undefined' is not defined"},
        {"sch.get_loop(\n    'j')\n", "s.py:1:1: error: there is no loop over 'j'"},
        {"import os\nos._exit\nsch.nothing\n", "s.py:3:1: error: there is no schedule primitive"}}) {
    CommandResult r = hexproof_command("apply " + program() + schedule(text));
    EXPECT_EQ(r.code, 2) << text << r.text;
    EXPECT_NE(r.text.find(said), std::string::npos) << r.text;
    EXPECT_NE(r.text.find("^"), std::string::npos) << r.text;
  }
}

TEST(Python, FilesBesideTheScheduleAreImported) {
  temporary("beside.py", "");
  const std::string name = std::to_string(::getpid()) + "_beside";
  write_file(testing::TempDir() + "/m" + name + ".py",
             "def go(sch):\n    sch.unroll(sch.get_loop('i'))\n    sch.get_loop('k')\n");
  CommandResult r = hexproof_command("apply " + program() + schedule("from m" + name + " import go\ngo(sch)\n"));
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_NE(r.text.find("m" + name + ".py:3:5: error: there is no loop over 'k'"), std::string::npos) << r.text;
}

TEST(Python, TheEnvironmentIsNotAsked) {
  CommandResult r =
      hexproof_command("apply " + program() + schedule("sch.unroll(sch.get_loop('i'))\n"),
                       "env PYTHONHOME=/nowhere PYTHONPATH=/nowhere PYTHONSTARTUP=/nowhere PATH=/usr/bin:/bin");
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_NE(r.text.find("T.unroll(8)"), std::string::npos) << r.text;
}

TEST(Python, IndexMapsOfTheCommandLineAreData) {
  CommandResult r = hexproof_command("layout --shape 8 --map 'lambda i: [__import__(\"os\").getpid()]'");
  EXPECT_EQ(r.code == 2 || r.code == 13, true) << r.code << r.text;
}

}  // namespace python_test
}  // namespace hexproof
