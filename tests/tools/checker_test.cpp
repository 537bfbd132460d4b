// hexproof-check: small, without rules and solvers, and not taken in by a certificate that was changed.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/tools/certificate_folder.h"

namespace hexproof {
namespace checker_test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

TEST(Checker, IsSmallAndLinksNeitherRulesNorSolvers) {
  size_t lines = 0;
  for (const auto& entry : fs::directory_iterator(HEXPROOF_SOURCE_DIR "/tools/checker")) {
    const std::string text = read_file(entry.path().string());
    lines += static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
    for (const char* other : {"#include \"verify/", "#include \"rewrite/", "#include \"backend/", "z3++"}) {
      EXPECT_EQ(text.find(other), std::string::npos) << entry.path() << " includes " << other;
    }
  }
  EXPECT_LT(lines, 3000u);
}

class CheckerOn : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = fresh_folder("checker");
    const std::string program = temporary("checker.py",
                                          "def main(A: T.Buffer((14,), \"int32\"), B: T.Buffer((14,), \"int32\")):\n"
                                          "    for i in range(14):\n"
                                          "        with T.block(\"copy\"):\n"
                                          "            vi = T.axis.spatial(14, i)\n"
                                          "            B[vi] = A[vi] * 2\n");
    const std::string schedule =
        temporary("checker.sch.py",
                  "b = sch.get_block(\"copy\")\n"
                  "sch.transform_layout(b, (\"write\", 0), lambda i: [i // 4, i % 4], pad_value=0)\n");
    made_ = hexproof_command("certify " + program + " " + schedule + " --target host --no-run -o " + folder_ + "/made");
  }
  static void TearDownTestSuite() { fs::remove_all(folder_); }
  void SetUp() override { ASSERT_EQ(made_.code, 0) << made_.text; }

  static CommandResult check(const std::string& path, const std::string& options = "") {
    return run_line("'" HEXPROOF_BINARY_DIR "/hexproof-check' " + path + " " + options);
  }
  static std::string copy() { return changed_copy(folder_ + "/made", folder_ + "/changed"); }
  static void expect_rejected(const std::string& path, const std::string& says) {
    CommandResult r = check(path);
    EXPECT_EQ(r.code, 12) << r.text;
    EXPECT_NE(r.text.find(says), std::string::npos) << r.text;
  }

  static inline std::string folder_;
  static inline CommandResult made_;
};

TEST_F(CheckerOn, AcceptsWhatWasMade) {
  CommandResult r = check(folder_ + "/made");
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_NE(r.text.find("accepted"), std::string::npos) << r.text;
}

// The solver is the user's: one that says yes, one that says no, one that is none, one that never ends.
TEST_F(CheckerOn, AsksASolver) {
  EXPECT_EQ(check(folder_ + "/made", "--solver 'echo unsat'").code, 0);
  EXPECT_EQ(check(folder_ + "/made", "--solver 'echo sat'").code, 5);
  EXPECT_EQ(check(folder_ + "/made", "--solver /no/such/solver").code, 2);
  CommandResult late = check(folder_ + "/made", "--solver 'sleep 60' --seconds 1");
  EXPECT_EQ(late.code, 5);
  EXPECT_NE(late.text.find("time"), std::string::npos) << late.text;
}

TEST_F(CheckerOn, AnyChangedFileIsRejected) {
  for (const std::string& name : certificate_files(folder_ + "/made")) {
    const std::string path = copy();
    std::string bytes = read_file(path + "/" + name);
    ASSERT_FALSE(bytes.empty());
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    write_file(path + "/" + name, bytes);
    CommandResult r = check(path);
    EXPECT_EQ(r.code, 12) << name << "\n" << r.text;
  }
}

TEST_F(CheckerOn, WhatDoesNotFitIsRejectedWithDigestsThatFit) {
  std::string path = copy();
  Json changed = certificate_json(path);
  std::string final_text = read_file(path + "/final.py");
  write_file(path + "/final.py", final_text.replace(final_text.find("* 2"), 3, "* 3"));
  write_certificate(path, changed);
  expect_rejected(path, "final.py: is not the program of the last step");

  path = copy();
  changed = certificate_json(path);
  changed["steps"][0]["obligations"][0]["verdict"] = "unknown";
  write_certificate(path, changed);
  expect_rejected(path, "is not proved");

  path = copy();
  changed = certificate_json(path);
  changed["source_check"]["obligations"] = Json::array();
  write_certificate(path, changed);
  EXPECT_EQ(check(path).code, 12);

  path = copy();
  changed = certificate_json(path);
  changed["steps"][0]["interface"] = Json::array();
  write_certificate(path, changed);
  expect_rejected(path, "changes parameter 1");

  path = copy();
  changed = certificate_json(path);
  const std::string formula = changed["steps"][0]["obligations"][0]["smtlib"];
  write_file(path + "/" + formula, read_file(path + "/" + formula) + "(assert false)\n");
  write_certificate(path, changed);
  expect_rejected(path, "is not named by its digest");

  path = copy();
  changed = certificate_json(path);
  changed["steps"] = 7;
  write_certificate(path, changed);
  EXPECT_EQ(check(path).code, 12);
}

// Without steps there is no other program than the source.
TEST_F(CheckerOn, AFinalProgramWithoutSteps) {
  const std::string path = folder_ + "/alone";
  const std::string program = temporary("alone.py",
                                        "def main(A: T.Buffer((14,), \"int32\"), B: T.Buffer((14,), \"int32\")):\n"
                                        "    for i in range(14):\n"
                                        "        B[i] = A[i] * 2\n");
  const CommandResult made = hexproof_command("certify " + program + " --target host --no-run -o " + path);
  ASSERT_EQ(made.code, 0) << made.text;
  EXPECT_EQ(check(path).code, 0) << check(path).text;
  std::string text = read_file(path + "/final.py");
  write_file(path + "/final.py", text.replace(text.find("* 2"), 3, "* 3"));
  write_certificate(path, Json::parse(read_file(path + "/certificate.json")));
  EXPECT_EQ(check(path).code, 12) << check(path).text;
}

TEST_F(CheckerOn, Usage) {
  EXPECT_EQ(check("").code, 1);
  EXPECT_EQ(check("a b").code, 1);
  EXPECT_EQ(check(folder_ + "/none").code, 2);
}

}  // namespace checker_test
}  // namespace hexproof
