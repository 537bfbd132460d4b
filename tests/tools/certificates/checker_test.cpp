// hexproof-check: small, without rules and solvers, and not taken in by a certificate that was changed.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "tests/tools/certificates/checker_fixture.h"

namespace hexproof {
namespace checker_test {

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
  EXPECT_EQ(check(folder_ + "/made", "--solver 'echo unsat'").code, 5);  // that what is given can hold is `sat`
  EXPECT_EQ(check(folder_ + "/made", "--solver 'echo sat'").code, 5);
  EXPECT_EQ(check(folder_ + "/made", "--solver 'echo unsat sat'").code, 5);
  EXPECT_EQ(check(folder_ + "/made", "--solver /no/such/solver").code, 2);
  const std::string path = made_of("def main(A: T.Buffer((1,), \"int32\")):\n    A[0] = 1\n", "one");
  CommandResult late = check(path, "--solver 'sleep 60' --seconds 1");
  EXPECT_EQ(late.code, 5);
  EXPECT_NE(late.text.find("time"), std::string::npos) << late.text;
}

TEST_F(CheckerOn, FormulasOfOneTextMayAskForTwoAnswers) {
  const std::string path = made_of("def main(A: T.Buffer((4,), \"int32\")):\n    A[0] = 1\n", "two");
  for (const char* name : {"/source.py", "/final.py"}) {
    replace_in(path + name, "    A[0] = 1\n",
               "    B = T.decl_buffer((8,), \"int8\", data=A.data)\n    B[100] = T.int8(1)\n");
  }
  write_certificate(path, certificate_json(path));
  const CommandResult r = check(path, kCvc5);
  EXPECT_EQ(r.code, 5) << r.text;
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
  const std::string left = "; believed: ";
  CommandResult r = check(path, kCvc5);
  ASSERT_EQ(r.code, 0) << r.text;
  EXPECT_EQ(r.text.find(left), r.text.npos) << r.text;
  for (const std::string& file : certificate_files(path)) {
    if (file.starts_with("steps/") || file == "final.py") {
      replace_in(path + "/" + file, "\"pragma_note\", 1", "\"pragma_note\", 2");
    }
  }
  write_certificate(path, certificate_json(path));
  EXPECT_NE(check(path, kCvc5).text.find(left + "1 split"), r.text.npos) << check(path, kCvc5).text;
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
  // Values are asked for: none of them, and the assume is not shown to hold anywhere.
  EXPECT_NE(check(path, kCvc5).text.find(" 2 sat"), std::string::npos) << check(path, kCvc5).text;
  EXPECT_EQ(check(path, "--solver 'echo unsat'").code, 5);
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
  Json json = certificate_json(path);
  std::string told = json["assumes"]["of_the_program"].at(0);
  json["assumes"]["of_the_program"] = Json::array({told.replace(told.find("16"), 2, "99")});
  write_certificate(path, json);
  expect_open(path, "<= 16): the assume holds");
}

// It is shown whatever is passed: in the callee it was given, since there it reads no memory.
TEST_F(CheckerOn, WhatACalleeAssumesOfDataIsShown) {
  const std::string module =
      "@I.ir_module\nclass Module:\n"
      "    @T.prim_func\n    def main(A: T.Buffer((16,), \"int32\"), K: T.Buffer((1,), \"int32\"), "
      "L: T.Buffer((1,), \"int32\")):\n        K[0] = 3\n        Module.fill(A.data, K.data, 5)\n"
      "    @T.prim_func\n"
      "    def fill(C: T.Buffer((16,), \"int32\"), D: T.Buffer((1,), \"int32\"), n: T.int32):\n"
      "        T.assume(n <= 16)\n        T.assume(D[0] < 7)\n"
      "        for i in range(4):\n            if n < 17:\n                C[i] = 1\n";
  const std::string path = folder_ + "/callee-data", arg = "A.data, K.data, 5)";
  const CommandResult made =
      hexproof_command("apply " + temporary("callee-data.py", module) + " " +
                       temporary("callee-data.sch.py", "sch.work_on(\"fill\")\nsch.remove_branches()\n") +
                       " --trust-rules --certificate " + path + " -o " + folder_ + "/callee-data.out");
  ASSERT_EQ(made.code, 0) << made.text;
  EXPECT_EQ(check(path, kCvc5).code, 0) << check(path, kCvc5).text;
  for (const char* file : {"/source.py", "/final.py"}) replace_in(path + file, arg, "A.data, K.data, L[0])");
  write_certificate(path, certificate_json(path));
  expect_open(path, "<= 16): the assume holds");
  // (What it assumes of memory was not given in it.)
  EXPECT_EQ(check(path, kCvc5).text.find("< 7): the assume"), std::string::npos) << check(path, kCvc5).text;
}

// What it assumes of memory is believed at each call, and the verdict says so.
TEST_F(CheckerOn, WhatACalleeAssumesOfMemoryIsBelieved) {
  const std::string path = made_of(
      "@I.ir_module\nclass Module:\n"
      "    @T.prim_func\n    def main(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\")):\n"
      "        A[0] = 5\n        Module.g(A.data, B.data)\n        Module.g(A.data, B.data)\n"
      "    @T.prim_func\n    def g(X: T.Buffer((4,), \"int32\"), Y: T.Buffer((4,), \"int32\")):\n"
      "        T.assume(X[0] == 5)\n        Y[0] = X[0]\n",
      "memory");
  for (const char* value : {"A[0] = 5", "A[0] = 3"}) {
    for (const std::string& file : certificate_files(path)) {
      const bool program = file == "source.py" || file == "final.py" || file.starts_with("steps/");
      if (program) replace_in(path + "/" + file, "A[0] = 5", value);
    }
    write_certificate(path, certificate_json(path));
    const CommandResult r = check(path, kCvc5);
    EXPECT_EQ(r.code, 0) << r.text;
    EXPECT_NE(r.text.find("believed: 2 assumes or shapes of source.py\n"), std::string::npos) << r.text;
  }
}

// With what it calls put in, a function grants what all of it grants.
TEST_F(CheckerOn, FlagsThatACalleeDoesNotGrant) {
  const std::string program = temporary("linked_flags.py",
                                        "@I.ir_module\nclass Module:\n"
                                        "    @T.prim_func\n    def g(X: T.Buffer((16,), \"float32\")):\n"
                                        "        for i in range(16):\n            X[i] = X[i] + T.float32(1)\n"
                                        "    @T.prim_func\n    def f(A: T.Buffer((16,), \"float32\")):\n"
                                        "        T.func_attr({\"hexproof.fp\": \"contract\"})\n"
                                        "        Module.g(A.data)\n"
                                        "        for k in range(16):\n            A[k] = A[k] * T.float32(2)\n");
  const std::string schedule = temporary("linked_flags.sch.py", "sch.split(sch.get_loop(\"k\"), factors=[None, 4])\n");
  const std::string path = folder_ + "/linked_flags";
  const CommandResult made =
      hexproof_command("certify " + program + " " + schedule + " --function f --target host --no-run -o " + path);
  ASSERT_EQ(made.code, 0) << made.text;
  EXPECT_EQ(check(path, kCvc5).code, 0) << check(path, kCvc5).text;
}

// What is granted is told of each function, and of the whole what all are granted.
TEST_F(CheckerOn, FlagsOfAModuleAreThoseOfItsPrograms) {
  const std::string program = temporary("flags.py",
                                        "@I.ir_module\nclass Module:\n"
                                        "    @T.prim_func\n    def f(A: T.Buffer((4,), \"float32\")):\n"
                                        "        T.func_attr({\"hexproof.fp\": \"nsz contract\"})\n"
                                        "        A[0] = T.float32(1)\n"
                                        "    @T.prim_func\n    def g(A: T.Buffer((4,), \"float32\")):\n"
                                        "        T.func_attr({\"hexproof.fp\": \"nsz\"})\n"
                                        "        for i in range(4):\n            A[i] = T.float32(1)\n");
  const std::string schedule = temporary("flags.sch.py", "sch.work_on(\"g\")\nsch.unroll(sch.get_loop(\"i\"))\n");
  const std::string path = folder_ + "/flags";
  const CommandResult made = hexproof_command("apply " + program + " " + schedule + " --certificate " + path + " -o " +
                                              folder_ + "/flags.out");
  ASSERT_EQ(made.code, 0) << made.text;
  EXPECT_EQ(check(path).code, 0) << check(path).text;
  const Json right = certificate_json(path);
  EXPECT_EQ(right["granted_flags"], "nsz");
  for (const char* said : {"", "contract", "nsz contract"}) {
    Json whole = right, second = right;
    whole["granted_flags"] = said;
    second["functions"][1]["granted_flags"] = said;
    for (const Json& changed : {whole, second}) {
      write_certificate(path, changed);
      expect_rejected(path, "says other granted flags than its programs");
    }
  }
}

// What the user assumes holds from where it stands, though something is called.
TEST_F(CheckerOn, AnAccessInFrontOfAnAssume) {
  const std::string path = made_of(
      "@I.ir_module\nclass Module:\n"
      "    @T.prim_func\n    def main(A: T.Buffer((8,), \"int32\"), n: T.int32):\n        Module.fill(A.data)\n"
      "        T.assume(n >= 0)\n        T.assume(n < 8)\n        A[n] = 5\n"
      "    @T.prim_func\n    def fill(B: T.Buffer((8,), \"int32\")):\n        B[0] = 1\n",
      "front");
  CommandResult shown = check(path, kCvc5);
  EXPECT_EQ(shown.code, 0) << shown.text;
  const std::string store = "        A[n] = 5\n";
  replace_in(path + "/source.py", store, "");
  replace_in(path + "/source.py", "        T.assume(n >= 0)\n", store + "        T.assume(n >= 0)\n");
  write_certificate(path, certificate_json(path));
  expect_open(path, "the store to A is in bounds");
}

// Each file is one that certificate.json names, with its digest, and each function has one list of steps.
TEST_F(CheckerOn, FilesAndListsThatNobodyFollows) {
  std::string path = copy();
  fs::create_directories(path + "/steps");
  write_file(path + "/steps/099-fuse.py", "this is no program\n");
  sign_certificate(path);
  expect_rejected(path, "steps/099-fuse.py: is not listed");
  path = copy();
  write_file(path + "/kernel.o", "something else");
  sign_certificate(path);
  expect_rejected(path, "another digest of kernel.o");
  const std::string program = temporary("twice.py",
                                        "@I.ir_module\nclass Module:\n"
                                        "    @T.prim_func\n    def f(A: T.Buffer((4,), \"int32\")):\n        A[0] = 1\n"
                                        "    @T.prim_func\n    def g(A: T.Buffer((4,), \"int32\")):\n"
                                        "        for i in range(4):\n            A[i] = 1\n");
  const std::string schedule = temporary("twice.sch.py", "sch.work_on(\"g\")\nsch.unroll(sch.get_loop(\"i\"))\n");
  path = folder_ + "/twice";
  const CommandResult made = hexproof_command("apply " + program + " " + schedule + " --certificate " + path + " -o " +
                                              folder_ + "/twice.out");
  ASSERT_EQ(made.code, 0) << made.text;
  EXPECT_EQ(check(path).code, 0) << check(path).text;
  Json changed = certificate_json(path);
  changed["functions"].insert(changed["functions"].begin(), changed["functions"][0]);
  write_certificate(path, changed);
  expect_rejected(path, "has a function twice");
}

TEST_F(CheckerOn, Usage) {
  EXPECT_EQ(check("").code, 1);
  EXPECT_EQ(check("a b").code, 1);
  EXPECT_EQ(check(folder_ + "/none").code, 2);
}

}  // namespace checker_test
}  // namespace hexproof
