// Certificates that tests of `audit` share, and how a changed one is judged.
#pragma once
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/certificates/certificate_folder.h"

namespace hexproof {
namespace audit_test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

inline const char* const kProgram =
    "def main(A: T.Buffer((14,), \"int32\"), B: T.Buffer((14,), \"int32\")):\n"
    "    for i in range(14):\n"
    "        with T.block(\"copy\"):\n"
    "            vi = T.axis.spatial(14, i)\n"
    "            B[vi] = A[vi] * 2\n";
inline const char* const kSchedule =
    "b = sch.get_block(\"copy\")\n"
    "sch.transform_layout(b, (\"write\", 0), lambda i: [i // 4, i % 4], pad_value=0)\n"
    "i, = sch.get_loops(b)\n"
    "io, ii = sch.split(i, factors=[None, 4])\n"
    "sch.unroll(ii)\n";

/// Certificates that tests share: made once.
class Audit : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = fresh_folder("audit");
    const std::string program = temporary("audit.py", kProgram), schedule = temporary("audit.sch.py", kSchedule);
    const std::string both = program + " " + schedule;
    made_ = hexproof_command("certify " + both + " --target host -o " + folder_ + "/host");
    applied_ = hexproof_command("apply " + both + " --certificate " + folder_ + "/applied -o " + folder_ + "/out.py");
  }
  static void TearDownTestSuite() { fs::remove_all(folder_); }

  void SetUp() override {
    ASSERT_EQ(made_.code, 0) << made_.text;
    ASSERT_EQ(applied_.code, 0) << applied_.text;
  }
  static CommandResult audit(const std::string& path, const std::string& options = "--solver z3") {
    return hexproof_command("audit " + path + " " + options);
  }
  /// A copy of a certificate, to be changed.
  static std::string copy(const std::string& name = "host") {
    return changed_copy(folder_ + "/" + name, folder_ + "/changed");
  }
  static void expect_rejected(const std::string& path, const std::string& place) {
    CommandResult r = audit(path);
    EXPECT_EQ(r.code, 12) << r.text;
    EXPECT_NE(r.text.find("rejected: " + path + "/" + place), std::string::npos) << place << "\n" << r.text;
  }

  static inline std::string folder_;
  static inline CommandResult made_, applied_;
};

}  // namespace audit_test
}  // namespace hexproof
