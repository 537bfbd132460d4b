// Certificates of modules of several functions: accepted by `audit` and hexproof-check, and not when they were changed.
#include <gtest/gtest.h>

#include <tuple>

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

/// Two halves with a layout between them: stages that become functions, one told what the other leaves, and changed.
const char* kStages =
    "def main(A: T.Buffer((14,), \"int32\"), C: T.Buffer((1,), \"int32\")):\n"
    "    B = T.alloc_buffer((4, 4), \"int32\")\n"
    "    with T.block(\"transform\"):\n"
    "        for io, ii in T.grid(4, 4):\n"
    "            if 4 * io + ii < 14:\n                B[io, ii] = A[4 * io + ii]\n"
    "            else:\n                B[io, ii] = 0\n"
    "    with T.block(\"compute\"):\n"
    "        C[0] = 0\n"
    "        for io, ii in T.grid(4, 4):\n"
    "            if 4 * io + ii < 14:\n                C[0] = C[0] + B[io, ii]\n";
const char* kHoisted =
    "sch.hoist_stage(\"transform\", \"transform_A\")\n"
    "sch.hoist_stage(\"compute\", \"compute_C\", expose=\"values\")\n"
    "sch.work_on(\"compute_C\")\n"
    "sch.remove_branching_through_overcompute(\"compute\")\n";
/// A buffer that functions share, in another layout, with promises of it.
const char* kShared =
    "@I.ir_module\nclass Module:\n"
    "    @T.prim_func\n    def main(C: T.Buffer((1,), \"int32\")):\n"
    "        A = T.alloc_buffer((14,), \"int32\")\n"
    "        Module.producer(A.data)\n        Module.consumer(A.data, C.data)\n"
    "    @T.prim_func\n    def producer(A: T.Buffer((14,), \"int32\")):\n"
    "        for i in range(14):\n            A[i] = 1000 + i\n"
    "    @T.prim_func\n    def consumer(A: T.Buffer((14,), \"int32\"), B: T.Buffer((1,), \"int32\")):\n"
    "        B[0] = 0\n        for i in range(14):\n            B[0] = B[0] + A[i]\n";
const char* kPromised =
    "sch.transform_layout(\"root\", \"A\", lambda i: [i // 4, i % 4], pad_value=0)\n"
    "sch.work_on(\"consumer\")\n"
    "sch.expose(\"A\", where=lambda io, ii: io * 4 + ii == 3, value=1003)\n"
    "sch.work_on(\"producer\")\nsch.simplify()\n"
    "sch.work_on(\"consumer\")\nsch.simplify()\n";
const char* kPermitted =
    "sch.work_on(\"producer\")\n"
    "sch.permit(\"A\", where=lambda i: i >= 14)\n";

// Steps that change several functions at once are replayed, too; the small program does not follow them, and says so.
TEST_F(ModuleCertificate, JointSteps) {
  const std::tuple<const char*, const char*, const char*> kCases[] = {
      {"hoisted", kStages, kHoisted}, {"promised", kShared, kPromised}, {"permitted", kShared, kPermitted}};
  for (const auto& [name, program, schedule] : kCases) {
    CommandResult r = made(name, program, schedule);
    ASSERT_EQ(r.code, 0) << r.text;
    const std::string path = folder_ + "/" + name;
    r = audit(path);
    EXPECT_EQ(r.code, 0) << r.text;
    r = check(path, "--solver 'cvc5 --lang=smt2'");
    EXPECT_EQ(r.code, 5) << r.text;
    EXPECT_NE(r.text.find("not followed"), std::string::npos) << r.text;
    // Each joint step left out, and each with other arguments.
    const Json right = certificate_json(path);
    ASSERT_FALSE(right["joint_steps"].empty());
    for (size_t k = 0; k < right["joint_steps"].size(); ++k) {
      const std::string forged = changed_copy(path, folder_ + "/forged");
      Json changed = right;
      changed["joint_steps"].erase(k);
      write_certificate(forged, changed);
      EXPECT_EQ(audit(forged).code, 12) << name << k << audit(forged).text;
      for (auto& [argument, value] : right["joint_steps"][k]["recorded"].items()) {
        changed = right;
        changed["joint_steps"][k]["recorded"].erase(argument);
        write_certificate(forged, changed);
        EXPECT_EQ(audit(forged).code, 12) << name << k << argument;
      }
      // Of the cells of a buffer: an index more, less, twice, or of another type.
      if (const Json indices = right["joint_steps"][k]["recorded"].value("indices", Json()); !indices.is_null()) {
        Json vars = indices["vars"], more = vars, less = vars, other = vars;
        more.push_back({{"own", 9}, {"name", "q"}, {"dtype", "int32"}, {"data", false}});
        less.erase(0);
        other[0] = {{"own", 9}, {"name", "q"}, {"dtype", "int64"}, {"data", false}};
        vars.insert(vars.end(), indices["vars"].begin(), indices["vars"].end());
        for (const Json& changed_vars : {more, less, other, vars}) {
          changed = right;
          changed["joint_steps"][k]["recorded"]["indices"]["vars"] = changed_vars;
          write_certificate(forged, changed);
          EXPECT_EQ(audit(forged).code, 12) << name << k << changed_vars;
        }
      }
      for (const char* part : {"change", "of", "recorded", "steps_before", "primitive"}) {
        if (k > 0) break;
        for (const Json& other : {Json("x"), Json{{"x", 1}}}) {
          changed = right;
          changed["joint_steps"][k][part] = other;
          write_certificate(forged, changed);
          EXPECT_EQ(audit(forged).code, 12) << name << k << part << other;
        }
      }
    }
  }
}

// A function that sees another layout of what its caller hands to it, by a step of its own.
TEST_F(ModuleCertificate, ACallerThatKeepsTheOldLayout) {
  CommandResult r =
      made("callee",
           "@I.ir_module\nclass Module:\n"
           "    @T.prim_func\n    def main(A: T.Buffer((4, 4), \"int32\"), C: T.Buffer((4, 4), \"int32\")):\n"
           "        Module.inner(A.data, C.data)\n"
           "    @T.prim_func\n    def inner(A: T.Buffer((4, 4), \"int32\"), C: T.Buffer((4, 4), \"int32\")):\n"
           "        for i, j in T.grid(4, 4):\n            C[i, j] = A[i, j] + 1\n",
           "sch.work_on(\"inner\")\nsch.annotate(\"root\", \"x\", 1)\n");
  ASSERT_EQ(r.code, 0) << r.text;
  const std::string path = folder_ + "/callee";
  EXPECT_EQ(check(path).code, 0) << check(path).text;
  Json changed = certificate_json(path);
  const Json layer = {{"shape", "(4, 4)"}, {"map", "lambda i, j: [j, i]"}};
  const Json change = {{"parameter", 0},
                       {"buffer", "A"},
                       {"shape_before", "(4, 4)"},
                       {"shape_after", "(4, 4)"},
                       {"map", "lambda i, j: [j, i]"},
                       {"written", false},
                       {"layers", Json::array({layer})}};
  for (Json& of : changed["functions"]) {
    if (of["function"] != "inner") continue;
    of["interface"] = of["steps"][0]["interface"] = Json::array({change});
    of["steps"][0]["rule"] = "transform-layout";
    replace(path + "/" + of["steps"][0]["program"].get<std::string>(), "A[i, j]", "A[j, i]");
  }
  replace(path + "/final.py", "A[i, j]", "A[j, i]");
  write_certificate(path, changed);
  r = check(path);
  EXPECT_EQ(r.code, 12) << r.text;
  EXPECT_NE(r.text.find("hand to each other"), std::string::npos) << r.text;
}

// What a joint step promises of another cell than the stores before it leave: refused again.
TEST_F(ModuleCertificate, AJointStepWithAnotherPromise) {
  CommandResult r = made("promise", kShared, kPromised);
  ASSERT_EQ(r.code, 0) << r.text;
  const std::string path = folder_ + "/promise";
  Json changed = certificate_json(path);
  bool found = false;
  for (Json& step : changed["joint_steps"]) {
    if (step["change"] != "expose-cells") continue;
    step["recorded"]["value"]["expr"]["value"] = 1004;
    found = true;
  }
  ASSERT_TRUE(found);
  write_certificate(path, changed);
  expect_rejected(path, "(joint expose-cells) does not replay", "");
}

// What the functions assume, and which flags they are granted, is told: a proof that rests on them is no other one's.
TEST_F(ModuleCertificate, TellsWhatIsAssumedAndGranted) {
  std::string program = kProgram;
  const std::string head = "B: T.Buffer((16,), \"int32\")):\n";
  program.insert(program.find(head) + head.size(), "        T.func_attr({\"hexproof.fp\": \"nsz\"})\n");
  const std::string path = folder_ + "/granted";
  const CommandResult r = made("granted", program, kSchedule);
  ASSERT_EQ(r.code, 0) << r.text;
  const std::string summary = read_file(path + "/summary.txt");
  for (const char* line : {"  producer: n <= 16\n", "  consumer: granted fast-math flags: nsz\n",
                           "  main: granted fast-math flags: none\n", "Taken on trust\n  - the meaning of programs"}) {
    EXPECT_NE(summary.find(line), std::string::npos) << line << summary;
  }
  const CommandResult judged = audit(path);
  EXPECT_EQ(judged.code, 0) << judged.text;
  EXPECT_NE(judged.text.find("under granted fast-math flags in consumer: nsz"), std::string::npos) << judged.text;
  Json changed = certificate_json(path);
  for (Json& of : changed["functions"]) of["granted_flags"] = "";
  write_certificate(path, changed);
  EXPECT_EQ(audit(path).code, 12);
}

}  // namespace module_certificate_test
}  // namespace hexproof
