// A certificate that hexproof-check accepts, and how tests change it.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/tools/certificates/certificate_folder.h"

namespace hexproof {
namespace checker_test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kCvc5 = "--solver 'cvc5 --lang=smt2'";

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
  /// The certificate of a program without a schedule.
  static std::string made_of(const std::string& program, const std::string& name) {
    const std::string path = folder_ + "/" + name;
    const CommandResult made =
        hexproof_command("certify " + temporary(name + ".py", program) + " --target host --no-run -o " + path);
    EXPECT_EQ(made.code, 0) << made.text;
    return path;
  }
  static void replace_in(const std::string& file, const std::string& from, const std::string& to) {
    std::string text = read_file(file);
    const size_t at = text.find(from);
    ASSERT_NE(at, text.npos) << text;
    write_file(file, text.replace(at, from.size(), to));
  }
  static void expect_open(const std::string& path, const std::string& says) {
    CommandResult r = check(path, kCvc5);
    EXPECT_EQ(r.code, 5) << r.text;
    EXPECT_NE(r.text.find(says), std::string::npos) << r.text;
  }
  static void expect_rejected(const std::string& path, const std::string& says) {
    CommandResult r = check(path);
    EXPECT_EQ(r.code, 12) << r.text;
    EXPECT_NE(r.text.find(says), std::string::npos) << r.text;
  }

  static inline std::string folder_;
  static inline CommandResult made_;
};

}  // namespace checker_test
}  // namespace hexproof
