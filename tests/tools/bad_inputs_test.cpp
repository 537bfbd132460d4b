// What may be wrong in a call of any command (bad_inputs.txt): it ends with the documented code, names the error and,
// where a file is wrong, the place in it, and leaves nothing behind.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "ir/base/parallel_for.h"
#include "tests/tools/command_line.h"

namespace hexproof {
namespace bad_inputs_test {

namespace fs = std::filesystem;

struct Bad {
  int code;
  std::string error, place, arguments;
};

std::map<std::string, std::vector<Bad>> all_bad() {
  std::map<std::string, std::vector<Bad>> out;
  std::istringstream lines(read_file(HEXPROOF_SOURCE_DIR "/tests/tools/bad_inputs.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    Bad bad;
    std::string bar;
    std::istringstream words(line);
    words >> bad.code >> bad.error >> bad.place >> bar;
    std::getline(words >> std::ws, bad.arguments);
    out[bad.arguments.substr(0, bad.arguments.find(' '))].push_back(bad);
  }
  return out;
}

const char* kCommands[] = {"check",     "apply",  "certify", "run",    "fuzz",  "equiv",  "rules",
                           "layout",    "bounds", "touched", "tune",   "audit", "report", "obligations",
                           "discharge", "merge",  "explain", "python", "manual"};

class BadInputsOf : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "/" + std::to_string(::getpid()) + "-bad-inputs-" + GetParam();
    fs::remove_all(folder_);
    file("folder/keep", "x\n");
    file("no-certificate/thesis.txt", "forty years of work\n");
    file("good.py",
         "def main(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n"
         "        with T.block(\"copy\"):\n            vi = T.axis.spatial(8, i)\n            B[vi] = A[vi]\n");
    file("ok.sch.py", "i, = sch.get_loops(\"copy\")\nsch.split(i, [None, 4])\n");
    file("utf8.py", "def main(A: T.Buffer((8,), \"int32\")):\n    A[0] = 1 # \xff\xfe\n");
    file("zero.py", std::string("a\0b", 3));
    file("noise", "\x01\x02\xff\xfe");
    file("some.json", "{\"a\": 1}\n");
    file("half.json", "{\"verdict\": \"pro");
    file("list.json", "[1]");
    file("not.npy", "no array");
    for (const char* empty : {"empty", "te.py"}) file(empty, "");
    const std::string name = GetParam();
    if (name == "audit" || name == "report" || name == "run") make_certificates();
    if (name == "discharge" || name == "merge") make_formulas();
  }
  void TearDown() override { fs::remove_all(folder_); }

  void file(const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(folder_ + "/" + name).parent_path());
    write_file(folder_ + "/" + name, text);
  }
  CommandResult command(const std::string& arguments) {
    return hexproof_command(arguments + " < /dev/null", "cd '" + folder_ + "' &&");
  }
  void copied(const std::string& from, const std::string& to) {
    fs::copy(folder_ + "/" + from, folder_ + "/" + to, fs::copy_options::recursive);
  }
  void make_certificates() {
    ASSERT_EQ(command("certify good.py ok.sch.py --target host --no-run -o certificate").code, 0);
    for (const char* name : {"damaged", "short", "nojson"}) copied("certificate", name);
    file("damaged/final.py", read_file(folder_ + "/damaged/final.py") + "\n");
    fs::remove(folder_ + "/short/final.py");
    file("nojson/certificate.json", "{");
  }
  void make_formulas() {
    ASSERT_EQ(command("obligations good.py ok.sch.py --out proofs").code, 0);
    for (const char* name : {"badproofs", "cut"}) copied("proofs", name);
    file("badproofs/index.json", "{");
    std::set<fs::path> formulas;
    for (const auto& entry : fs::directory_iterator(folder_ + "/cut/obligations")) formulas.insert(entry.path());
    write_file(formulas.begin()->string(), read_file(formulas.begin()->string()) + "(exit)\n");
  }

  std::string folder_;
};

TEST_P(BadInputsOf, EndAsDocumented) {
  const std::vector<Bad> bad = all_bad()[GetParam()];
  EXPECT_GE(bad.size(), 8u);
  const auto before = contents_of(folder_);
  parallel_for(bad.size(), 2, [&](size_t k) {
    const Bad& one = bad[k];
    SCOPED_TRACE(one.arguments);
    const CommandResult r = command(one.arguments);
    EXPECT_EQ(r.code, one.code) << r.text;
    EXPECT_LT(r.text.size(), 40'000u);
    if (one.error != "-") {
      EXPECT_NE(r.text.find(one.error), std::string::npos) << r.text;
    }
    if (one.place != "-") {
      EXPECT_NE(r.text.find(one.place), std::string::npos) << r.text;
    }
  });
  EXPECT_EQ(contents_of(folder_), before);
}

TEST(BadInputList, AreOfAllCommands) {
  size_t count = 0;
  const auto all = all_bad();
  for (const auto& [name, list] : all) count += list.size();
  EXPECT_GE(count, 300u);
  EXPECT_EQ(all.size(), std::size(kCommands));
  // (`manual` is for packages, and not listed.)
  const std::string help = hexproof_command("--help").text;
  std::istringstream lines(help.substr(help.find("Subcommands:")));
  std::string line;
  std::getline(lines, line);
  for (; std::getline(lines, line);) {
    std::string name;
    std::istringstream(line) >> name;
    EXPECT_TRUE(name.empty() || all.count(name) > 0) << name;
  }
}

// A device takes what is written, or the command says that it did not.
TEST(BadInputList, Devices) {
  const std::string good = temporary("device.py",
                                     "def main(A: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n"
                                     "        with T.block(\"one\"):\n            vi = T.axis.spatial(8, i)\n"
                                     "            A[vi] = 1\n");
  const std::string schedule = temporary("device.sch.py", "i, = sch.get_loops(\"one\")\nsch.split(i, [None, 4])\n");
  const std::string layout = "layout --shape 14 --map 'lambda i: [i // 4, i % 4]'";
  const std::vector<std::string> lines = {"check " + good + " --json DEVICE",
                                          "check " + good + " --sarif DEVICE",
                                          "check " + good + " --junit DEVICE",
                                          "apply " + good + " " + schedule + " -o DEVICE",
                                          "apply " + good + " " + schedule + " > DEVICE",
                                          "run " + good + " --output DEVICE",
                                          layout + " --svg DEVICE",
                                          layout + " > DEVICE",
                                          "rules --json DEVICE",
                                          "explain HX0001 > DEVICE",
                                          "manual man > DEVICE"};
  for (const std::string& line : lines) {
    SCOPED_TRACE(line);
    auto with = [&](const std::string& device) {
      std::string text = line;
      return hexproof_command(text.replace(text.find("DEVICE"), 6, device));
    };
    EXPECT_EQ(with("/dev/null").code, 0);
    const CommandResult full = with("/dev/full");
    EXPECT_EQ(full.code, 2) << full.text;
    // (What goes to standard output and fails has its message on standard error, which stands there, too, here.)
    EXPECT_TRUE(line.find('>') != line.npos || full.text.find("cannot write") != full.text.npos) << full.text;
    EXPECT_TRUE(fs::is_character_file("/dev/full") && fs::is_character_file("/dev/null"));
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, BadInputsOf, testing::ValuesIn(kCommands),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace bad_inputs_test
}  // namespace hexproof
