// hexproof-check asks of the program that is compiled what it asks of the source, whatever the certificate calls it.
#include <tuple>

#include "tests/tools/certificates/checker_fixture.h"

namespace hexproof {
namespace checker_test {

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

// With the permission to read it goes what a function says of padding that nobody filled.
TEST_F(CheckerOn, AFunctionThatIsLoweredNamesNoPadding) {
  const std::string path = made_of(
      "@T.prim_func\ndef main(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
      "    T.func_attr({\"hexproof.padding.0\": \"lambda i: i >= 4\"})\n"
      "    for i in range(8):\n        T.assume(i < 4 or A[i] == T.undef())\n"
      "    for i in range(8):\n        B[i] = A[i]\n",
      "permitted");
  EXPECT_EQ(check(path, kCvc5).code, 0) << check(path, kCvc5).text;
  const std::string lowered = "\"hexproof.lowered\": T.bool(True)";
  replace_in(path + "/final.py", lowered, lowered + ", \"hexproof.padding.0\": \"lambda i: i >= 5\"");
  write_certificate(path, certificate_json(path));
  EXPECT_EQ(check(path, kCvc5).code, 12) << check(path, kCvc5).text;
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

}  // namespace checker_test
}  // namespace hexproof
