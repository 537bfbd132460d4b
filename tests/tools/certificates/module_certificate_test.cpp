// Certificates of modules of several functions: accepted by `audit` and hexproof-check, and not when they were changed.
#include <gtest/gtest.h>

#include "tests/tools/certificates/certificate_folder.h"

namespace hexproof {
namespace module_certificate_test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const char* kProgram =
    "@I.ir_module\nclass Module:\n"
    "    @T.prim_func\n    def main(C: T.Buffer((16,), \"int32\")):\n"
    "        A = T.alloc_buffer((16,), \"int32\")\n"
    "        Module.producer(A.data, 16)\n        Module.consumer(A.data, C.data)\n"
    "    @T.prim_func\n    def producer(A: T.Buffer((16,), \"int32\"), n: T.int32):\n        T.assume(n <= 16)\n"
    "        for i in range(n):\n            A[i] = i * 2\n"
    "    @T.prim_func\n    def consumer(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n"
    "        for i in range(16):\n            with T.block(\"c\"):\n                v = T.axis.spatial(16, i)\n"
    "                B[v] = A[v] + 1\n";
const char* kSchedule =
    "sch.work_on(\"consumer\")\ni, = sch.get_loops(sch.get_block(\"c\"))\n"
    "io, ii = sch.split(i, factors=[None, 8])\nsch.parallel(io)\n";

class ModuleCertificate : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = fresh_folder("module-certificate");
    made_ = made("made", kProgram, kSchedule);
  }
  static void TearDownTestSuite() { fs::remove_all(folder_); }
  void SetUp() override { ASSERT_EQ(made_.code, 0) << made_.text; }

  static CommandResult made(const std::string& name, const std::string& program, const std::string& schedule) {
    return hexproof_command("apply " + temporary("module-" + name + ".py", program) + " " +
                            temporary("module-" + name + ".sch.py", schedule) + " -o " + folder_ + "/" + name +
                            ".py --certificate " + folder_ + "/" + name);
  }
  static CommandResult audit(const std::string& path) { return hexproof_command("audit " + path + " --solver z3"); }
  static CommandResult check(const std::string& path, const std::string& options = "") {
    return run_line("'" HEXPROOF_BINARY_DIR "/hexproof-check' " + path + " " + options);
  }
  static std::string copy() { return changed_copy(folder_ + "/made", folder_ + "/changed"); }
  static void expect_rejected(const std::string& path, const std::string& by_audit, const std::string& by_check) {
    CommandResult r = audit(path);
    EXPECT_EQ(r.code, 12) << r.text;
    EXPECT_NE(r.text.find(by_audit), std::string::npos) << r.text;
    if (by_check.empty()) return;
    r = check(path);
    EXPECT_EQ(r.code, 12) << r.text;
    EXPECT_NE(r.text.find(by_check), std::string::npos) << r.text;
  }
  static void replace(const std::string& file, const std::string& from, const std::string& to) {
    std::string text = read_file(file);
    const size_t at = text.rfind(from);
    ASSERT_NE(at, text.npos) << text;
    write_file(file, text.replace(at, from.size(), to));
  }

  static inline std::string folder_;
  static inline CommandResult made_;
};

TEST_F(ModuleCertificate, IsAccepted) {
  CommandResult r = audit(folder_ + "/made");
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_NE(r.text.find("2 steps replayed"), std::string::npos) << r.text;
  r = check(folder_ + "/made", "--solver 'cvc5 --lang=smt2'");
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_NE(r.text.find("2 steps"), std::string::npos) << r.text;
}

TEST_F(ModuleCertificate, AnyChangedFileIsRejected) {
  for (const std::string& name : certificate_files(folder_ + "/made")) {
    const std::string path = copy();
    std::string bytes = read_file(path + "/" + name);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    write_file(path + "/" + name, bytes);
    EXPECT_EQ(audit(path).code, 12) << name;
    EXPECT_EQ(check(path).code, 12) << name;
  }
}

// With digests that fit.
TEST_F(ModuleCertificate, AFunctionThatIsNotTheOneOfItsSteps) {
  const std::string path = copy();
  replace(path + "/final.py", "+ 1", "+ 2");
  write_certificate(path, certificate_json(path));
  expect_rejected(path, "final.py:", "final.py: is not the program of the last step");
}

TEST_F(ModuleCertificate, AFunctionWithoutStepsThatChanges) {
  const std::string path = copy();
  replace(path + "/final.py", "i * 2", "i * 3");
  write_certificate(path, certificate_json(path));
  expect_rejected(path, "final.py:", "final.py: is not the program of the last step");
}

TEST_F(ModuleCertificate, AFunctionThatGoes) {
  const std::string path = copy();
  Json changed = certificate_json(path);
  changed["functions"].erase(1);
  write_certificate(path, changed);
  expect_rejected(path, "certificate.json:", "other functions");
}

TEST_F(ModuleCertificate, AStepThatIsAnotherOne) {
  const std::string path = copy();
  Json changed = certificate_json(path);
  bool found = false;
  for (Json& of : changed["functions"]) {
    for (Json& step : of["steps"]) {
      if (step["rule"] == "split") step["recorded"]["factor"] = {{"int", 4}}, found = true;
    }
  }
  ASSERT_TRUE(found) << changed;
  write_certificate(path, changed);
  expect_rejected(path, "consumer-001-split.py", "");
}

TEST_F(ModuleCertificate, AnObligationThatIsLeftOut) {
  const std::string path = copy();
  Json changed = certificate_json(path);
  changed["linked"][0]["check"]["obligations"].erase(0);
  write_certificate(path, changed);
  expect_rejected(path, "certificate.json:", "");
}

// What a function assumes is shown where it is called, by the small program, too.
TEST_F(ModuleCertificate, ACallThatBreaksAnAssume) {
  const std::string path = copy();
  for (const char* file : {"/source.py", "/final.py"}) replace(path + file, "A.data, 16)", "A.data, 99)");
  write_certificate(path, certificate_json(path));
  EXPECT_EQ(audit(path).code, 12) << audit(path).text;
  CommandResult r = check(path, "--solver 'cvc5 --lang=smt2'");
  EXPECT_EQ(r.code, 5) << r.text;
  EXPECT_NE(r.text.find("<= 16): the assume holds"), std::string::npos) << r.text;
}

// Steps that change several functions at once are not followed, and that is said.
TEST_F(ModuleCertificate, JointStepsAreNotFollowed) {
  CommandResult r = made("joint",
                         "def main(A: T.Buffer((8,), \"int32\"), C: T.Buffer((1,), \"int32\")):\n"
                         "    for i in range(8):\n        A[i] = i\n    C[0] = A[3]\n",
                         "sch.hoist_stage(0, \"fill\")\n");
  ASSERT_EQ(r.code, 0) << r.text;
  r = audit(folder_ + "/joint");
  EXPECT_EQ(r.code, 13) << r.text;
  EXPECT_NE(r.text.find("joint steps"), std::string::npos) << r.text;
  r = check(folder_ + "/joint", "--solver 'cvc5 --lang=smt2'");
  EXPECT_EQ(r.code, 5) << r.text;
  EXPECT_NE(r.text.find("not followed"), std::string::npos) << r.text;
}

}  // namespace module_certificate_test
}  // namespace hexproof
