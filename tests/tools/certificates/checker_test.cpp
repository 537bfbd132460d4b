// hexproof-check: small, without rules and solvers, and not taken in by a certificate that was changed.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "tests/tools/certificates/certificate_folder.h"

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

TEST_F(CheckerOn, AcceptsWhatWasMade) {
  CommandResult r = check(folder_ + "/made");
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_NE(r.text.find("accepted"), std::string::npos) << r.text;
}

TEST_F(CheckerOn, WithoutASolverBoundsAreNotAsked) {
  EXPECT_NE(check(folder_ + "/made").text.find("neither these nor the stored formulas were asked"), std::string::npos);
}

// The solver is the user's: one that says yes, one that says no, one that is none, one that never ends.
TEST_F(CheckerOn, AsksASolver) {
  CommandResult shown = check(folder_ + "/made", kCvc5);
  EXPECT_EQ(shown.code, 0) << shown.text;
  EXPECT_EQ(check(folder_ + "/made", "--solver 'echo unsat'").code, 0);
  EXPECT_EQ(check(folder_ + "/made", "--solver 'echo sat'").code, 5);
  EXPECT_EQ(check(folder_ + "/made", "--solver 'echo unsat sat'").code, 5);
  EXPECT_EQ(check(folder_ + "/made", "--solver /no/such/solver").code, 2);
  const std::string path = made_of("def main(A: T.Buffer((1,), \"int32\")):\n    A[0] = 1\n", "one");
  CommandResult late = check(path, "--solver 'sleep 60' --seconds 1");
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

// Forged certificates, each with digests that fit: what has to be asked is not taken from them.
TEST_F(CheckerOn, AStatementOfTheSameTextIsAnotherOne) {
  const std::string store = "    for i in range(16):\n        A[i] = 1\n";
  const std::string path = made_of("def main(A: T.Buffer((16,), \"int32\")):\n" + store + store, "same-text");
  for (const char* file : {"/source.py", "/final.py"}) {
    replace_in(path + file, store + store, store + "    for i in range(1000):\n        A[i] = 1\n");
  }
  write_certificate(path, certificate_json(path));
  expect_open(path, "A[i] = 1: the store to A is in bounds: sat");
}

TEST_F(CheckerOn, ALoadIsAnAccessToo) {
  const std::string path = made_of(
      "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n"
      "    for i in range(16):\n        A[i] = B[i]\n",
      "load");
  for (const char* file : {"/source.py", "/final.py"}) {
    replace_in(path + file, "B: T.Buffer((16,)", "B: T.Buffer((1,)");
  }
  write_certificate(path, certificate_json(path));
  expect_open(path, "A[i] = B[i]: the load from B is in bounds: sat");
}

// What a certificate says of a loop is asked of the loop.
TEST_F(CheckerOn, AParallelLoopThatMeetsItself) {
  const std::string path = made_of(
      "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n"
      "    for i in T.parallel(16):\n        A[i] = B[i]\n",
      "parallel");
  CommandResult shown = check(path, kCvc5);
  EXPECT_EQ(shown.code, 0) << shown.text;
  for (const char* file : {"/source.py", "/final.py"}) replace_in(path + file, "B[i]", "A[15 - i]");
  write_certificate(path, certificate_json(path));
  expect_open(path, "two iterations of i share no cell of A");
}

TEST_F(CheckerOn, ALoopThatIsCalledParallelAtTheEnd) {
  const std::string path = folder_ + "/late";
  const std::string program = temporary("late.py",
                                        "def main(A: T.Buffer((16,), \"int32\")):\n    for i in range(16):\n"
                                        "        with T.block(\"b\"):\n            v = T.axis.opaque(16, i)\n"
                                        "            A[v] = A[15 - v]\n");
  const std::string schedule = temporary("late.sch.py", "sch.annotate(sch.get_loops(\"b\")[0], \"k\", 1)\n");
  const CommandResult made =
      hexproof_command("certify " + program + " " + schedule + " --target host --no-run -o " + path);
  ASSERT_EQ(made.code, 0) << made.text;
  ASSERT_EQ(check(path, kCvc5).code, 0) << check(path, kCvc5).text;
  // In every step's program and in the last one, with digests that fit.
  for (const std::string& file : certificate_files(path)) {
    if (file.starts_with("steps/") || file == "final.py") replace_in(path + "/" + file, "T.serial(16", "T.parallel(16");
  }
  write_certificate(path, certificate_json(path));
  expect_open(path, "two iterations of");
}

// A step that is said to split a loop, and changes what T.attr says beside it.
TEST_F(CheckerOn, ANoteThatChangesOnTheWay) {
  const std::string path = folder_ + "/note";
  const std::string program = temporary("note.py",
                                        "def main(A: T.Buffer((16,), \"int32\")):\n"
                                        "    with T.attr(0, \"pragma_note\", 1):\n        for i in range(16):\n"
                                        "            with T.block(\"b\"):\n                v = T.axis.spatial(16, i)\n"
                                        "                A[v] = 1\n");
  const std::string schedule = temporary("note.sch.py", "i, = sch.get_loops(\"b\")\nsch.split(i, factors=[None, 4])\n");
  const CommandResult made =
      hexproof_command("certify " + program + " " + schedule + " --target host --no-run -o " + path);
  ASSERT_EQ(made.code, 0) << made.text;
  const std::string left = "whose conditions are those of the certificate";
  CommandResult r = check(path, kCvc5);
  ASSERT_EQ(r.code, 0) << r.text;
  EXPECT_EQ(r.text.find(left), r.text.npos) << r.text;
  for (const std::string& file : certificate_files(path)) {
    if (file.starts_with("steps/") || file == "final.py") {
      replace_in(path + "/" + file, "\"pragma_note\", 1", "\"pragma_note\", 2");
    }
  }
  write_certificate(path, certificate_json(path));
  EXPECT_NE(check(path, kCvc5).text.find("1 steps " + left + ": 1 split"), r.text.npos) << check(path, kCvc5).text;
}

/// Puts a formula that has a model in the place of the obligation's own.
void put_false_formula(const std::string& path, Json& obligation) {
  const std::string body = "(set-logic QF_LIA)\n(declare-const v0 Int)\n(assert (not (< v0 16)))\n(check-sat)\n";
  const std::string name = "obligations/" + sha256(body).substr(0, 16) + ".smt2";
  write_file(path + "/" + name, "; forged\n; unsat means proved\n" + body);
  obligation["smtlib"] = name;
}

TEST_F(CheckerOn, AFormulaThatIsCalledAnAssumeIsAsked) {
  // Of a step, of a program without an assume, and of one with an assume whose formula another obligation has, too.
  for (const char* list : {"steps", "source_check", "final_check"}) {
    const std::string path = copy();
    Json changed = certificate_json(path);
    Json& obligations = (std::string(list) == "steps" ? changed["steps"][0] : changed[list])["obligations"];
    ASSERT_FALSE(obligations.empty());
    Json one = obligations[0];
    put_false_formula(path, one);
    one["rule"] = "check-assume";
    obligations.push_back(one);
    changed["files"][one["smtlib"].get<std::string>()] = "";
    write_certificate(path, changed);
    expect_open(path, one["smtlib"].get<std::string>() + ": sat");
  }
  const std::string path = made_of(
      "def main(A: T.Buffer((16,), \"int32\"), n: T.int32):\n    T.assume(n < 17)\n    for i in range(n):\n"
      "        A[i] = 1\n",
      "assume");
  ASSERT_EQ(check(path, kCvc5).code, 0) << check(path, kCvc5).text;
  Json changed = certificate_json(path);
  Json* assume = nullptr;
  Json* bounds = nullptr;
  for (Json& o : changed["source_check"]["obligations"]) (o["rule"] == "check-assume" ? assume : bounds) = &o;
  ASSERT_TRUE(assume && bounds);
  put_false_formula(path, *assume);
  (*bounds)["smtlib"] = (*assume)["smtlib"];
  changed["files"][(*assume)["smtlib"].get<std::string>()] = "";
  changed["final_check"] = changed["source_check"];
  std::set<std::string> used;
  for (const Json& o : changed["source_check"]["obligations"]) used.insert(o["smtlib"].get<std::string>());
  for (const std::string& name : certificate_files(path)) {
    if (!name.starts_with("obligations/") || used.count(name)) continue;
    fs::remove(path + "/" + name);
    changed["files"].erase(name);
  }
  write_certificate(path, changed);
  expect_open(path, (*assume)["smtlib"].get<std::string>() + ": sat");
}

TEST_F(CheckerOn, AFormulaDoesNotAnswerForTheSolver) {
  const std::string path = copy();
  Json changed = certificate_json(path);
  Json& one = changed["steps"][0]["obligations"][0];
  const std::string body = "(set-logic QF_LIA)\n(echo \"unsat\")\n(exit)\n(check-sat)\n";
  one["smtlib"] = "obligations/" + sha256(body).substr(0, 16) + ".smt2";
  write_file(path + "/" + one["smtlib"].get<std::string>(), "; forged\n; unsat means proved\n" + body);
  changed["files"][one["smtlib"].get<std::string>()] = "";
  write_certificate(path, changed);
  expect_rejected(path, "holds the command 'echo'");
}

// What a function that is called assumes, nobody has granted.
TEST_F(CheckerOn, WhatACalleeAssumesIsShown) {
  const std::string path = made_of(
      "@I.ir_module\nclass Module:\n"
      "    @T.prim_func\n    def main(A: T.Buffer((16,), \"int32\")):\n        Module.fill(A.data, 16)\n"
      "    @T.prim_func\n    def fill(B: T.Buffer((16,), \"int32\"), n: T.int32):\n        T.assume(n <= 16)\n"
      "        for i in range(n):\n            B[i] = 1\n",
      "calls");
  CommandResult shown = check(path, kCvc5);
  EXPECT_EQ(shown.code, 0) << shown.text;
  replace_in(path + "/source.py", "A.data, 16)", "A.data, 99)");
  write_certificate(path, certificate_json(path));
  expect_open(path, "<= 16): the assume holds");
}

// Which program is the last before lowering, the certificate says; so what is compiled is asked, too.
TEST_F(CheckerOn, TheFinalProgramIsAskedWhateverIsCalledLowered) {
  const std::string path = copy();
  const Json changed = certificate_json(path);
  for (const std::string& file : certificate_files(path)) {
    if (!file.starts_with("steps/") && file != "final.py") continue;
    std::string text = read_file(path + "/" + file);
    if (text.find("hexproof.lowered") == text.npos) {
      const size_t body = text.find("):\n", text.find("def ")) + 3;
      text.insert(body, "    T.func_attr({\"hexproof.lowered\": T.bool(True)})\n");
    }
    const bool last = file == "final.py" || file == changed["steps"].back()["program"].get<std::string>();
    if (size_t loop = text.find("range(14)"); last && loop != text.npos) text.replace(loop, 9, "range(99)");
    write_file(path + "/" + file, text);
  }
  write_certificate(path, changed);
  expect_open(path, "final.py:");
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

// What the user assumes is of the parameters of source.py, and their memory is that of source.py.
TEST_F(CheckerOn, AParameterIsTheOneOfTheSource) {
  const std::string program = temporary("parameters.py",
                                        "def main(A: T.Buffer((8,), \"int32\"), n: T.int32, m: T.int32):\n"
                                        "    T.assume(0 <= n and n < 8)\n    for i in range(1):\n        A[n] = m\n");
  const std::string schedule = temporary("parameters.sch.py", "sch.remove_unit_loops()\n");
  const std::string path = folder_ + "/parameters", changed = folder_ + "/parameters-changed";
  const CommandResult made =
      hexproof_command("certify " + program + " " + schedule + " --target host --no-run -o " + path);
  ASSERT_EQ(made.code, 0) << made.text;
  ASSERT_EQ(check(path, kCvc5).code, 0) << check(path, kCvc5).text;
  const std::string plain = "A: T.Buffer((8,), \"int32\"), ", numbers = "n: T.int32, m: T.int32",
                    store = "    A[n] = m\n";
  const std::tuple<const char*, std::string, std::string> forged[] = {
      {"the caller's m is n here", plain + "m: T.int32, n: T.int32", store},
      {"another stride", "A: T.Buffer((8,), \"int32\", strides=(1000,)), " + numbers, store},
      {"another offset", "A: T.Buffer((8,), \"int32\", elem_offset=1000), " + numbers, store},
      {"an allocation with extents of -2 and -3", plain + numbers,
       "    if n == 2 and m == 3:\n        M = T.alloc_buffer((0 - n, 0 - m), \"int32\")\n"
       "        V = T.decl_buffer((6,), \"int32\", data=M.data)\n        V[5] = 1\n" +
           store},
  };
  for (const auto& [what, parameters, body] : forged) {
    changed_copy(path, changed);
    const Json json = certificate_json(changed);
    for (const std::string& file : {std::string("final.py"), json["steps"].back()["program"].get<std::string>()}) {
      write_file(changed + "/" + file, "@T.prim_func\ndef main(" + parameters +
                                           "):\n    T.func_attr({\"hexproof.lowered\": T.bool(True)})\n" + body);
    }
    write_certificate(changed, json);
    const CommandResult r = check(changed, kCvc5);
    EXPECT_TRUE(r.code == 5 || r.code == 12) << what << ": " << r.text;
  }
}

// What the source assumes of a size is known of that size alone, and not of another one that bears its name.
TEST_F(CheckerOn, ASizeIsTheOneOfTheSource) {
  const std::string sizes = "    n = T.int32()\n    m = T.int32()\n", c = "C: T.Buffer((5,), \"int32\")";
  auto buffers = [](const std::string& a, const std::string& b) {
    return "    A = T.match_buffer(a, (" + a + ",), \"int32\")\n    B = T.match_buffer(b, (" + b + ",), \"int32\")\n";
  };
  const std::string head = "def main(a: T.handle, b: T.handle, " + c + "):\n" + sizes;
  const std::string program = temporary("sizes.py", head + buffers("n", "m") +
                                                        "    T.assume(0 <= n and n < 5)\n    for i in range(1):\n"
                                                        "        C[n] = 1\n");
  const std::string schedule = temporary("sizes.sch.py", "sch.remove_unit_loops()\n");
  const std::string path = folder_ + "/sizes", changed = folder_ + "/sizes-changed";
  const CommandResult made =
      hexproof_command("certify " + program + " " + schedule + " --target host --no-run -o " + path);
  ASSERT_EQ(made.code, 0) << made.text;
  ASSERT_EQ(check(path, kCvc5).code, 0) << check(path, kCvc5).text;
  const std::pair<std::string, bool> forged[] = {
      {head + buffers("m", "n"), true},
      {"def main(a: T.handle, b: T.handle, " + c + "):\n    k = T.int32()\n" + sizes + buffers("k", "n"), true},
      {"def main(a: T.handle, b: T.handle, " + c + "):\n    n = T.int32()\n    n_1 = T.int32()\n" + buffers("n_1", "n"),
       true}};
  for (const auto& [text, listed] : forged) {
    changed_copy(path, changed);
    Json json = certificate_json(changed);
    for (Json& step : json["steps"]) {
      if (listed) step["interface"] = Json::array({Json{{"parameter", 0}}, Json{{"parameter", 1}}});
    }
    for (const std::string& file : {std::string("final.py"), json["steps"].back()["program"].get<std::string>()}) {
      std::string body = text;
      body.insert(body.find("    A = "), "    T.func_attr({\"hexproof.lowered\": T.bool(True)})\n");
      write_file(changed + "/" + file, "@T.prim_func\n" + body + "    C[n] = 1\n");
    }
    write_certificate(changed, json);
    const CommandResult r = check(changed, kCvc5);
    EXPECT_TRUE(r.code == 5 || r.code == 12) << text << ": " << r.text;
  }
}

TEST_F(CheckerOn, Usage) {
  EXPECT_EQ(check("").code, 1);
  EXPECT_EQ(check("a b").code, 1);
  EXPECT_EQ(check(folder_ + "/none").code, 2);
}

}  // namespace checker_test
}  // namespace hexproof
