// What hexproof-check prints of what a certificate chooses, what it compares of what a certificate says in words, and
// honest certificates that it must not reject.
#include <fmt/format.h>

#include <sstream>

#include "ir/base/codes.h"
#include "ir/base/formula_file.h"
#include "tests/tools/certificates/checker_fixture.h"

namespace hexproof {
namespace checker_test {

bool has_line(const std::string& text, const std::string& wanted) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line == wanted) return true;
  }
  return false;
}

/// The certificate of a schedule.
std::string made_by(const std::string& folder, const std::string& program, const std::string& schedule,
                    const std::string& options = "") {
  const CommandResult made =
      hexproof_command(fmt::format("apply {} {} {} --certificate {} -o {}.out", temporary("words.py", program),
                                   temporary("words.sch.py", schedule), options, folder, folder));
  EXPECT_EQ(made.code, 0) << made.text;
  return folder;
}
std::string fresh(const std::string& folder) {
  fs::remove_all(folder);
  return folder;
}

const char* kLoop = "def main(C: T.Buffer((4,), \"int32\"), n: T.int32):\n    for i in range(4):\n        C[i] = 1\n";

// Bindings that are put into each other double what they stand for.
TEST_F(CheckerOn, EndsInItsTime) {
  const std::string path = made_by(fresh(folder_ + "/nested"), kLoop, "sch.annotate(sch.get_loop(\"i\"), \"k\", 1)\n");
  std::string program = "def main(C: T.Buffer((4,), \"int32\"), n: T.int32):\n    for i in range(4):\n";
  std::string last = "i", indent = "        ";
  for (int k = 0; k < 40; ++k) {
    const std::string var = "v" + std::to_string(k);
    program +=
        fmt::format("{0}with T.block(\"{1}\"):\n{0}    {1} = T.axis.spatial(4, T.min({2}, {2}))\n", indent, var, last);
    last = var, indent += "    ";
  }
  program += indent + "C[" + last + "] = 1\n";
  write_file(path + "/source.py", program);
  write_certificate(path, certificate_json(path));
  CommandResult r = check(path, "--seconds 1");
  EXPECT_EQ(r.code, 5) << r.text;
  EXPECT_NE(r.text.find("open: what asks no solver takes more time"), r.text.npos) << r.text;
}

// One function prints, and spells out what begins or ends a line.
TEST(Checker, PrintsThroughOneDoor) {
  size_t doors = 0;
  for (const auto& entry : fs::directory_iterator(HEXPROOF_SOURCE_DIR "/tools/checker")) {
    const std::string text = read_file(entry.path().string());
    for (const char* way : {"fmt::print(", "printf(", "puts(", "putc", "cout", "cerr", "fwrite("}) {
      for (size_t at = text.find(way); at != text.npos; at = text.find(way, at + 1)) ++doors;
    }
  }
  EXPECT_EQ(doors, 1u);
}

TEST_F(CheckerOn, ANameIsNoVerdict) {
  const std::string path = made_by(fresh(folder_ + "/named"), kLoop, "sch.annotate(sch.get_loop(\"i\"), \"k\", 1)\n");
  for (const std::string& name :
       {std::string("steps/001.py and final.py\naccepted\n\x1b[8m"), std::string("steps/\n::error::x\raccepted")}) {
    Json json = certificate_json(path);
    const std::string old = json["steps"][0]["program"];
    const std::string program =
        "def main(C: T.Buffer((4,), \"int32\"), n: T.int32):\n    if n > 5:\n        C[3] = 666\n";
    fs::remove(path + "/" + old);
    json["files"].erase(old);
    json["files"][name] = "";
    json["steps"][0]["program"] = name;
    write_file(path + "/" + name, program);
    write_file(path + "/final.py", program);
    write_certificate(path, json);
    CommandResult r = check(path, kCvc5);
    EXPECT_EQ(r.code, 0) << r.text;
    EXPECT_TRUE(has_line(r.text, "accepted; believed: 1 annotate")) << r.text;
    EXPECT_FALSE(has_line(r.text, "accepted")) << r.text;
    EXPECT_EQ(r.text.find_first_of("\x1b\r"), r.text.npos) << r.text;
    // As the place of a formula, of a rejection, and of what is not known.
    for (const char* body : {"    C[4] = 666\n", "accepted\n", "    C[x] = 1\n", "    T.accepted(1)\n"}) {
      const std::string other = "def main(C: T.Buffer((4,), \"int32\"), n: T.int32):\n" + std::string(body);
      write_file(path + "/" + name, other);
      write_file(path + "/final.py", other);
      write_certificate(path, json);
      r = check(path, kCvc5);
      EXPECT_TRUE(r.code == 5 || r.code == 12) << r.text;
      EXPECT_FALSE(has_line(r.text, "accepted")) << r.text;
      EXPECT_FALSE(has_line(r.text, "::error::x")) << r.text;
      EXPECT_EQ(r.text.find_first_of("\x1b\r"), r.text.npos) << r.text;
    }
    write_file(path + "/" + name, program);
    write_file(path + "/final.py", program);
    write_certificate(path, json);
  }
}

TEST_F(CheckerOn, WhatAMessageQuotesIsNoVerdict) {
  const std::string path = copy();
  Json json = certificate_json(path);
  json["steps"][0]["obligations"][0]["verdict"] = "unknown";
  json["steps"][0]["obligations"][0]["why"] = "because\naccepted\n\x1b[8m";
  write_certificate(path, json);
  const CommandResult r = check(path, kCvc5);
  EXPECT_EQ(r.code, 12) << r.text;
  EXPECT_FALSE(has_line(r.text, "accepted")) << r.text;
  EXPECT_EQ(r.text.find('\x1b'), r.text.npos) << r.text;
}

TEST_F(CheckerOn, AFileThatBelongsToNoStep) {
  const std::string path = copy();
  fs::create_directories(path + "/steps");
  write_file(path + "/steps/099-fuse.py", "this is no program\n");
  Json json = certificate_json(path);
  json["files"]["steps/099-fuse.py"] = "";
  write_certificate(path, json);
  expect_rejected(path, "steps/099-fuse.py: belongs to no step");
}

TEST_F(CheckerOn, AssumesAreThoseOfTheSource) {
  std::string path =
      made_of("def main(C: T.Buffer((4,), \"int32\"), n: T.int32):\n    T.assume(n > 3)\n    C[0] = 1\n", "told");
  EXPECT_EQ(check(path).code, 0) << check(path).text;
  Json json = certificate_json(path);
  EXPECT_EQ(json["assumes"]["of_the_program"].size(), 1u);
  json["assumes"]["of_the_program"] = Json::array();
  write_certificate(path, json);
  expect_rejected(path, "says other assumes than source.py");
  path = made_by(fresh(folder_ + "/told-module"),
                 "@I.ir_module\nclass Module:\n"
                 "    @T.prim_func\n    def main(A: T.Buffer((16,), \"int32\")):\n        Module.fill(A.data, 16)\n"
                 "    @T.prim_func\n    def fill(B: T.Buffer((16,), \"int32\"), n: T.int32):\n"
                 "        T.assume(n <= 16)\n        for i in range(n):\n            B[i] = 1\n",
                 "sch.work_on(\"fill\")\nsch.annotate(sch.get_loop(\"i\"), \"k\", 1)\n");
  EXPECT_EQ(check(path).code, 0) << check(path).text;
  json = certificate_json(path);
  json["functions"][1]["assumes"]["of_the_program"] = Json::array();
  write_certificate(path, json);
  expect_rejected(path, "says other assumes than source.py");
}

// `check` refutes each of them (HX0408); in a value an undef decides nothing.
TEST_F(CheckerOn, AnUndefThatDecides) {
  const std::string head = "def main(C: T.Buffer((4,), \"int32\"), n: T.int32):\n";
  const std::string path = made_of(head + "    C[0] = T.undef(\"int32\")\n", "undef");
  EXPECT_EQ(check(path, kCvc5).code, 0) << check(path, kCvc5).text;
  const std::string undef = "T.undef(\"int32\")", within = "T.max(T.min(" + undef + ", 3), 0)";
  for (const std::string& body :
       {std::string("    if T.undef(\"bool\"):\n        C[0] = 1\n"),
        "    C[0] = T.if_then_else(" + undef + " > 0, 1, 2)\n",
        "    for i in range(" + within + "):\n        C[i] = 1\n",
        "    with T.LetStmt(" + undef + ") as x:\n        if x > 0:\n            C[0] = 1\n",
        "    with T.LetStmt(" + within + ") as x:\n        C[x] = 1\n",
        "    for i in range(4):\n        with T.block(\"b\"):\n            v = T.axis.opaque(4, " + within +
            ")\n            C[v] = 1\n"}) {
    const std::string text = head + body;
    for (const char* file : {"/source.py", "/final.py"}) write_file(path + file, text);
    const CommandResult engine = hexproof_command("check " + path + "/source.py");
    EXPECT_NE(engine.code, 0) << text << engine.text;
    write_certificate(path, certificate_json(path));
    const CommandResult r = check(path, kCvc5);
    EXPECT_TRUE(r.code == 5 || r.code == 12) << text << r.text;
    EXPECT_TRUE(r.code == 12 || r.text.find("no undef decides: sat") != r.text.npos) << text << r.text;
  }
}

// Flags of a function's own, of a command, and both.
TEST_F(CheckerOn, HonestFlags) {
  const std::string body = "        for i in range(4):\n            A[i] = T.float32(1)\n";
  const std::string module =
      "@I.ir_module\nclass Module:\n"
      "    @T.prim_func\n    def f(A: T.Buffer((4,), \"float32\")):\n"
      "        T.func_attr({\"hexproof.fp\": \"contract nsz\"})\n" +
      body + "    @T.prim_func\n    def g(A: T.Buffer((4,), \"float32\")):\n" +
      "        T.func_attr({\"hexproof.fp\": \"nsz\"})\n" + body;
  const std::string unroll = "sch.unroll(sch.get_loop(\"i\"))\n";
  for (const char* options : {"", "--fp contract"}) {
    const std::string path = made_by(fresh(folder_ + "/granted"), module, "sch.work_on(\"f\")\n" + unroll, options);
    const CommandResult audit = hexproof_command("audit " + path);
    EXPECT_EQ(audit.code, 0) << options << audit.text;
    EXPECT_EQ(check(path, kCvc5).code, 0) << options << check(path, kCvc5).text;
  }
  const std::string alone =
      "@T.prim_func\ndef main(A: T.Buffer((4,), \"float32\")):\n    T.func_attr({\"hexproof.fp\": \"contract nsz\"})\n"
      "    for i in range(4):\n        A[i] = T.float32(1)\n";
  for (const char* options : {"", "--fp contract", "--fp \"nsz contract\""}) {
    const std::string path = made_by(fresh(folder_ + "/granted"), alone, unroll, options);
    const CommandResult audit = hexproof_command("audit " + path);
    EXPECT_EQ(audit.code, 0) << options << audit.text;
    const CommandResult r = check(path, kCvc5);
    EXPECT_EQ(r.code, 0) << options << r.text;
    EXPECT_EQ(r.text.find("believed"), r.text.npos) << options << r.text;
  }
}

// That extents are equal which are no one expression is asked: it is no disagreement, and it is not believed.
TEST_F(CheckerOn, ExtentsThatAreEqual) {
  const std::string path = made_by(fresh(folder_ + "/extents"),
                                   "@I.ir_module\nclass Module:\n"
                                   "    @T.prim_func\n    def main(n: T.int32, A: T.Buffer((n + n,), \"int32\")):\n"
                                   "        Module.f(n, A.data)\n"
                                   "    @T.prim_func\n    def f(k: T.int32, B: T.Buffer((2 * k,), \"int32\")):\n"
                                   "        for i in range(k):\n            B[i] = 1\n",
                                   "sch.work_on(\"f\")\nsch.annotate(sch.get_loop(\"i\"), \"k\", 1)\n");
  EXPECT_EQ(check(path, kCvc5).code, 0) << check(path, kCvc5).text;
  EXPECT_EQ(check(path).code, 0) << check(path).text;
  const Json json = certificate_json(path);
  for (const char* other : {"3 * k", "k + 1"}) {
    const std::string changed = changed_copy(path, folder_ + "/extents-changed");
    for (const std::string& file : certificate_files(changed)) {
      const bool program = file == "source.py" || file == "final.py" || file.starts_with("steps/");
      if (program) replace_in(changed + "/" + file, "2 * k", other);
    }
    write_certificate(changed, json);
    expect_open(changed, "are equal: sat");
  }
}

// Names of formulas hold the start of a digest: a second formula under one name is not left out.
TEST(Formulas, OfOneNameAreAnError) {
  FormulaNames names;
  const std::string start(16, 'a');
  EXPECT_EQ(names.add(start + "0"), "obligations/" + start + ".smt2");
  EXPECT_EQ(names.add(start + "0"), std::nullopt);
  EXPECT_THROW(names.add(start + "1"), CodedError);
}

}  // namespace checker_test
}  // namespace hexproof
