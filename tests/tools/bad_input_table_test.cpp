// Bad inputs over all commands: each ends with the documented code, says which error it was, names the place where
// there is one, and leaves nothing behind but the report.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace bad_input_table_test {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A folder with inputs, in which commands run.
class BadInputs : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "/" + std::to_string(::getpid()) + "-bad-inputs";
    fs::remove_all(folder_);
    fs::create_directories(folder_ + "/no-certificate");
    write_file(folder_ + "/no-certificate/thesis.txt", "forty years of work\n");
    file("good.py",
         kHead +
             "    for i in range(8):\n        with T.block(\"copy\"):\n            vi = T.axis.spatial(8, i)\n"
             "            B[vi] = A[vi]\n");
    file("ok.sch.py", "i, = sch.get_loops(\"copy\")\nsch.split(i, [None, 4])\n");
    file("empty.py", "");
    file("noise.py", std::string("\x01\x02\xff\xfe", 4));
    file("zero.py", std::string("a\0b", 3));
    file("not.npy", "no array");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void file(const std::string& name, const std::string& text) { write_file(folder_ + "/" + name, text); }

  /// `line`: where the message says the error is; 0: it has no place.
  void ends(const std::string& arguments, int code, int line, const std::string& says = "") {
    SCOPED_TRACE(arguments);
    ++count_;
    const auto before = contents_of(folder_);
    CommandResult r = hexproof_command(arguments + " --json report.json", "cd '" + folder_ + "' &&");
    EXPECT_EQ(r.code, code) << r.text;
    EXPECT_FALSE(r.text.empty());
    EXPECT_LT(r.text.size(), 20'000u);
    EXPECT_NE(r.text.find(says), std::string::npos) << r.text;
    auto after = contents_of(folder_);
    const bool reported = after.erase("report.json") > 0;
    EXPECT_EQ(before, after);
    if (code == 1) {
      EXPECT_FALSE(reported);
      EXPECT_NE(r.text.find("HX0001"), std::string::npos) << r.text;
      return;
    }
    if (code == 2 && !reported) {
      EXPECT_NE(r.text.find("HX0012"), std::string::npos) << r.text;  // the files themselves are refused
      return;
    }
    ASSERT_TRUE(reported) << r.text;
    Json json = Json::parse(read_file(folder_ + "/report.json"));
    fs::remove(folder_ + "/report.json");
    EXPECT_EQ(json["exit_code"], code);
    if (json.contains("error")) {
      const std::string id = json["error"]["code"];
      EXPECT_TRUE(id.starts_with("HX")) << json["error"];
      EXPECT_NE(r.text.find(id), std::string::npos) << r.text;
    }
    if (line == 0) return;
    EXPECT_NE(r.text.find(":" + std::to_string(line) + ":"), std::string::npos) << r.text;
    if (json.contains("error")) {
      EXPECT_EQ(json["error"]["line"], line) << json["error"];
    }
  }

  const std::string kHead = "def main(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n";
  std::string folder_;
  int count_ = 0;
};

/// Bodies of a function with an error, and the line on which it is told (the head is line 1).
struct Wrong {
  const char* body;
  int code, line;
};

const std::vector<Wrong> kPrograms = {
    {"    for i in range(8)\n        B[i] = A[i]\n", 2, 2},
    {"    for i in range(8):\n    B[i] = A[i]\n", 2, 3},
    {"    for i in range(8):\n        B[i] = AA[i]\n", 2, 3},
    {"    for i in range(8):\n        B[j] = A[i]\n", 2, 3},
    {"    for i in range(8):\n        B[i] = A[i\n", 2, 3},
    {"    for i in range(8):\n        B[i] = A[i])\n", 2, 3},
    {"    for i in range(8):\n        B[i] = \"x\"\n", 2, 3},
    {"    for i in range(8):\n        B[i] = A[i, i]\n", 2, 3},
    {"    for i in range(8):\n        B[i, 0] = A[i]\n", 2, 3},
    {"    for i in range(8):\n        B[i] = T.frobnicate(A[i])\n", 2, 3},
    {"    for i in range(8):\n        B[i] = A[1.5]\n", 2, 3},
    {"    for i in range(8):\n        B[i] = A[i] + T.float32(1)\n", 2, 3},
    {"    for i in range(8):\n        B[i] = 99999999999\n", 2, 3},
    {"    for i in A:\n        B[i] = 1\n", 2, 2},
    {"    for i in range(1, 2, 3, 4):\n        B[i] = 1\n", 13, 2},
    {"    for i, j in range(8):\n        B[i] = 1\n", 2, 2},
    {"    for i in T.grid():\n        B[i] = 1\n", 2, 2},
    {"    for in range(8):\n        B[0] = 1\n", 2, 2},
    {"    while True:\n        B[0] = 1\n", 13, 2},
    {"    return 1\n", 13, 2},
    {"    B[0] = 1\n    break\n", 13, 3},
    {"    if A[0]:\n        B[0] = 1\n", 2, 2},
    {"    if A[0] = 1:\n        B[0] = 1\n", 2, 2},
    {"    else:\n        B[0] = 1\n", 2, 2},
    {"    B[0] = 1 +\n", 2, 2},
    {"    B[0] = = 1\n", 2, 2},
    {"    B[0] = 1 2\n", 2, 2},
    {"    B[0] = 'never closed\n", 2, 2},
    {"    B[0] = 0x\n", 2, 2},
    {"    B[0] = 1abc\n", 2, 2},
    {"    B[0] = A[0] ? 1\n", 2, 2},
    {"    B[0] = $\n", 2, 2},
    {"    B[0] = B\n", 2, 2},
    {"    1 = A[0]\n", 2, 2},
    {"    A = B = 1\n", 13, 2},
    {"    x: T.int32\n", 2, 2},
    {"    x, y = 1, 2\n", 13, 2},
    {"    import os\n", 2, 2},
    {"    def g():\n        pass\n", 2, 2},
    {"    class X:\n        pass\n", 2, 2},
    {"    lambda: 1\n", 13, 2},
    {"    with open(\"x\"):\n        pass\n", 2, 2},
    {"    with T.block(\"b\") as vi:\n        B[0] = 1\n", 13, 2},
    {"    with T.block(1):\n        B[0] = 1\n", 13, 2},
    {"    with T.init():\n        B[0] = 1\n", 2, 2},
    {"    T.axis.spatial(8, 0)\n", 2, 2},
    {"    T.reads(A[0])\n", 2, 2},
    {"    T.where(A[0] > 1)\n", 2, 2},
    {"    T.assume(1 + )\n", 2, 2},
    {"    T.assume(A)\n", 2, 2},
    {"    T.assume()\n", 2, 2},
    {"    T.assume(A[0] > 0, A[1] > 0)\n", 2, 2},
    {"    T.buffer_store(B, 1, [0])\n", 13, 2},
    {"    C = T.alloc_buffer((-4,), \"int32\")\n    B[0] = 1\n", 2, 2},
    {"    C = T.alloc_buffer((4,), \"int33\")\n    B[0] = 1\n", 2, 2},
    {"    C = T.alloc_buffer((4,), 7)\n    B[0] = 1\n", 2, 2},
    {"    C = T.alloc_buffer()\n    B[0] = 1\n", 2, 2},
    {"    C = T.alloc_buffer((4,), scope=3)\n    B[0] = 1\n", 2, 2},
    {"    C = T.alloc_buffer((4,), frob=3)\n    B[0] = 1\n", 2, 2},
    {"    T.alloc_buffer((4,), \"int32\")\n    B[0] = 1\n", 2, 2},
    {"    C = T.match_buffer(A, (4,), \"int32\")\n    B[0] = 1\n", 2, 2},
    {"    T.func_attr({1: 2})\n    B[0] = 1\n", 2, 2},
    {"    T.func_attr(3)\n    B[0] = 1\n", 2, 2},
    {"    assert A[0] > 1\n", 13, 2},
    {"    B[0] = A[0] / 0\n", 2, 2},
    {"    B[0] = 1 // 0\n", 2, 2},
    {"    B[0] = T.float32(1, 2)\n", 2, 2},
    {"    B[0] = T.cast(A[0])\n", 2, 2},
    {"    B[0] = T.Cast(\"int99\", A[0])\n", 2, 2},
    {"    B[0] = T.Select(A[0], 1, 2)\n", 2, 2},
    {"    B[0] = T.if_then_else(True, 1)\n", 2, 2},
    {"    B[0] = not A[0]\n", 2, 2},
    {"    B[0] = A[0] and A[1]\n", 2, 2},
    {"    B[0] = A[0] < T.float32(1)\n    B[1] = A\n", 2, 3},
    {"    B[0] = f\"x\"\n", 13, 2},
    {"    B[0] = A[0:9:0]\n", 2, 2},
    // What reads, and has an error that the check meets.
    {"    for i in range(9):\n        B[i] = A[i]\n", 10, 3},
    {"    for i in range(8):\n        B[i] = A[i - 1]\n", 10, 3},
    {"    for i in range(8):\n        B[A[i]] = 1\n", 10, 3},
    {"    for i in range(8):\n        B[i] = A[i] // A[0]\n", 10, 3},
    {"    for i in T.parallel(8):\n        B[0] = A[i]\n", 10, 0},
    {"    C = T.alloc_buffer((4,), \"int32\")\n    B[0] = C[1]\n", 10, 3},
    {"    T.assume(A[0] > 4)\n    T.assume(A[0] < 3)\n    B[0] = 1\n", 11, 3},
};

TEST_F(BadInputs, Programs) {
  int k = 0;
  for (const Wrong& wrong : kPrograms) {
    const std::string name = "w" + std::to_string(k++) + ".py";
    file(name, kHead + wrong.body);
    ends("check " + name, wrong.code, wrong.line);
    // Commands that prove nothing of a program before it runs meet the error itself, or do not.
    ends("certify " + name + " --target host -o out", wrong.code, wrong.line);
    ends("apply " + name + " ok.sch.py -o out.py", wrong.code, wrong.line);
    fs::remove(folder_ + "/" + name);
  }
  EXPECT_GE(count_, 240);
}

TEST_F(BadInputs, Heads) {
  const std::vector<std::pair<std::string, int>> kHeads = {
      {"def f(A: T.Buffer((-8,), \"int32\")):\n    A[0] = 1\n", 2},
      {"def f(A: T.Buffer((8,), \"int3\")):\n    A[0] = 1\n", 2},
      {"def f(A, B):\n    A[0] = 1\n", 2},
      {"def f(A: T.Buffer((8,), \"int32\"), A: T.int32):\n    A[0] = 1\n", 2},
      {"def f(A: T.handle):\n    pass\n", 13},
      {"def f(A: T.Buffer((8,), \"int32\")) -> T.int32:\n    A[0] = 1\n", 13},
      {"def f(\n", 2},
      {"def f:\n    pass\n", 2},
      {"def (A: T.int32):\n    pass\n", 2},
      {"f(A)\n", 2},
      {"@frob\ndef f(A: T.int32):\n    pass\n", 13},
      {"    def f(A: T.int32):\n        pass\n", 2},
      {"class M:\n", 2},
      {"def f(A: T.int32):\n    pass\ndef f(A: T.int32):\n    pass\n", 2},
  };
  int k = 0;
  for (const auto& [text, code] : kHeads) {
    const std::string name = "h" + std::to_string(k++) + ".py";
    file(name, text);
    for (const std::string& command : {"check " + name, "run " + name, "touched " + name + " --buffer A",
                                       "equiv good.py " + name, "certify " + name + " -o out"}) {
      ends(command, code, 0);
    }
  }
}

TEST_F(BadInputs, Files) {
  for (const std::string bad : {"none.py", "empty.py", "noise.py", "zero.py", "no-certificate", "none/none.py"}) {
    for (const std::string& command :
         {"check " + bad, "apply " + bad + " ok.sch.py -o out.py", "apply good.py " + bad + "x -o out.py",
          "certify " + bad + " -o out", "certify good.py " + bad + "x -o out", "equiv " + bad + " good.py",
          "equiv good.py " + bad, "touched " + bad + " --buffer A"}) {
      ends(command, 2, 0);
    }
  }
  ends("certify good.py --target host --no-run -o no-certificate", 2, 0, "HX0011");
  ends("apply good.py ok.sch.py --certificate no-certificate", 2, 0, "HX0011");
  ends("apply good.py ok.sch.py -o none/out.py", 2, 0, "HX0011");
  ends("run good.py --input none.npy", 2, 0, "HX0010");
  ends("run good.py --input not.npy", 2, 0, "HX0010");
  ends("check good.py --sarif good.py", 2, 0, "HX0012");
  ends("check good.py --junit report.json", 2, 0, "HX0012");
  ends("apply good.py ok.sch.py -o good.py", 2, 0, "HX0012");
}

TEST_F(BadInputs, Schedules) {
  const std::vector<Wrong> kSchedules = {
      {"b = sch.get_block(\"cppy\")\n", 2, 1},
      {"b = sch.get_block(\"copy\"\n", 2, 1},
      {"b = sch.get_block(\n", 2, 1},
      {"sch.frobnicate(1)\n", 2, 1},
      {"sch.read_at(sch.get_loops(\"copy\")[0])\n", 13, 1},
      {"x = 1\nsch.split(x, [None, 4])\n", 2, 2},
      {"i, = sch.get_loops(\"copy\")\nsch.split(i, [None, None])\n", 2, 2},
      {"i, = sch.get_loops(\"copy\")\nsch.split(i, [0, 4])\n", 2, 2},
      {"i, = sch.get_loops(\"copy\")\nsch.split(i)\n", 2, 2},
      {"i, j = sch.get_loops(\"copy\")\n", 2, 1},
      {"sch.reorder()\n", 2, 1},
      {"sch.transform_layout(\"copy\", \"Z\", lambda i: [i])\n", 2, 1},
      {"sch.transform_layout(\"copy\", (\"write\", 0), lambda i: [i // 4])\n", 10, 1},
      {"sch.transform_layout(\"copy\", (\"write\", 9), lambda i: [i])\n", 2, 1},
  };
  for (const Wrong& wrong : kSchedules) {
    file("wrong.sch.py", wrong.body);
    ends("apply good.py wrong.sch.py -o out.py", wrong.code, wrong.line);
    ends("certify good.py wrong.sch.py --target host -o out", wrong.code, wrong.line);
  }
}

// What the engine is not made for is no mistake of the user.
TEST_F(BadInputs, LimitsOfTheEngine) {
  file("two.py",
       "def main(A: T.Buffer((8, 8), \"int32\")):\n    for i, j in T.grid(8, 8):\n        with T.block(\"b\"):\n"
       "            vi, vj = T.axis.remap(\"SS\", [i, j])\n            A[vi, vj] = 1\n");
  file("limit.sch.py", "i, j = sch.get_loops(\"b\")\nsch.parallel(i)\nsch.fuse(i, j)\n");
  ends("apply two.py limit.sch.py -o out.py", 13, 3, "HX0290");
  ends("certify two.py limit.sch.py --target host -o out", 13, 3, "HX0290");
}

TEST_F(BadInputs, OptionsAndUsage) {
  for (const char* arguments : {"",
                                "frobnicate",
                                "chekc good.py",
                                "check",
                                "check --jobs many good.py",
                                "check good.py --frob",
                                "apply good.py",
                                "certify good.py",
                                "certify good.py --target z80 -o out",
                                "equiv good.py",
                                "equiv good.py good.py --method magic",
                                "run",
                                "run good.py --target z80",
                                "touched good.py",
                                "layout",
                                "check good.py --rlimit 0",
                                "check good.py --annotate gitlab",
                                "equiv good.py good.py --accept hope",
                                "check good.py --budget never",
                                "fuzz --runs minus"}) {
    ends(arguments, 1, 0);
  }
  file("other.py", "def main(A: T.Buffer((7,), \"int32\")):\n    A[0] = 1\n");
  file("wrong-always.py", "def main(A: T.Buffer((7,), \"int32\")):\n    A[7] = 1\n");
  file("number.py", "def main(A: T.int32):\n    T.evaluate(A)\n");
  ends("check good.py --fp fast", 2, 0, "HX0310");
  ends("layout --shape 14 --map 'lambda i: [j]'", 2, 0, "HX0310");
  ends("layout --shape x.y --map 'lambda i: [i]'", 2, 0, "HX0310");
  ends("layout --shape -4 --map 'lambda i: [i]'", 2, 0, "HX0310");
  ends("layout --shape 14 --map 'lambda i: [i//4]'", 10, 0);
  ends("touched good.py --buffer Z", 2, 0, "HX0310");
  ends("certify good.py --function g --target host -o out", 2, 0, "HX0310");
  ends("run good.py --function g", 2, 0, "HX0310");
  ends("run good.py --scalar 3", 2, 0, "HX0310");
  ends("run good.py --cpu native", 2, 0, "HX0310");
  ends("run good.py --assert-static --target host", 2, 0, "HX0310");
  ends("run good.py --output 1.npy 2.npy 3.npy 4.npy 5.npy", 2, 0, "HX0310");
  ends("equiv good.py good.py --layout A", 2, 0, "HX0310");
  ends("equiv good.py good.py --layout 'Z=lambda i: [i]'", 2, 0, "HX0310");
  ends("equiv good.py good.py --pad A", 2, 0, "HX0310");
  ends("equiv good.py good.py --function g", 2, 0, "HX0310");
  ends("equiv good.py other.py", 2, 0, "HX0311");
  ends("equiv other.py number.py", 2, 0, "HX0311");
  ends("equiv wrong-always.py wrong-always.py", 11, 0, "HX0513");
}

// Commands on certificates, reports, folders of formulas and scripts.
TEST_F(BadInputs, OtherCommands) {
  for (const char* bad : {"none", "good.py", "noise.py", "not.npy"}) {
    const std::string name = bad;
    ends("audit " + name, 2, 0, "HX0010");
    ends("report " + name + " -o page.html", 2, 0, "HX0010");
    ends("discharge --shard 1/2 " + name, 2, 0);
    ends("merge " + name, 2, 0);
  }
  ends("audit no-certificate", 12, 0);
  ends("audit good.py --solver vampire", 1, 0);
  ends("report no-certificate -o page.html", 2, 0, "HX0010");
  ends("merge no-certificate", 2, 0);
  ends("discharge --shard 3/2 no-certificate", 1, 0, "--shard");
  ends("obligations none.py --out proofs", 2, 0, "HX0010");
  ends("obligations good.py noise.py --out proofs", 2, 0);
  ends("bounds none.py", 2, 0, "HX0010");
  ends("tune none.py ok.sch.py", 2, 0);
  ends("manual csh", 1, 0);
  ends("rules --frob", 1, 0);
  ends("mutants --frob", 1, 0);
  for (const char* shard : {"3/2", "2/2", "0/0", "0/-1", "-1/2", "0/1x", "x0/1", "'0/ 2'", "' 0/2'", "+0/2", "0", "0/",
                            "/2", "0/2/3", "0/18446744073709551616", "7/100"}) {
    ends("fuzz --runs 5 --shard " + std::string(shard), 1, 0, "--shard");
  }
  for (const char* bad : {"none.py", "good.py", "noise.py", "empty.py"}) ends("fuzz replay " + std::string(bad), 2, 0);
  ends("fuzz replay", 1, 0);
  ends("explain HX9999", 1, 0);
  ends("explain", 1, 0);
  ends("python", 2, 0, "HX");
}

TEST_F(BadInputs, AnUnknownCommandIsNamedAndGuessed) {
  CommandResult r = hexproof_command("chekc good.py");
  EXPECT_EQ(r.code, 1);
  EXPECT_NE(r.text.find("'chekc'"), std::string::npos) << r.text;
  EXPECT_NE(r.text.find("did you mean 'check'"), std::string::npos) << r.text;
  for (const char* option : {"--jsno x", "--jsno=x", "--quite", "--sarrif=x"}) {
    r = hexproof_command("check good.py " + std::string(option));
    EXPECT_EQ(r.code, 1);
    EXPECT_NE(r.text.find("did you mean '--"), std::string::npos) << r.text;
  }
}

}  // namespace bad_input_table_test
}  // namespace hexproof
