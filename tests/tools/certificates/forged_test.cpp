// Certificates that somebody forges who can compute digests: what `hexproof-check` must not take for derived, and what
// no reader may die of.
#include "tests/tools/certificates/certificate_folder.h"

namespace hexproof {
namespace forged_test {

class Forged : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// The certificate of a schedule.
  std::string made(const std::string& program, const std::string& schedule) {
    const std::string path = folder_ + "/made";
    const CommandResult r = hexproof_command("apply " + temporary("forged.py", program) + " " +
                                             temporary("forged.sch.py", schedule) + " --certificate " + path);
    EXPECT_EQ(r.code, 0) << r.text;
    return path;
  }
  /// The same with another program at the end, and behind its only step.
  std::string ends_with(const std::string& path, const std::string& program) {
    const nlohmann::ordered_json json = certificate_json(path);
    EXPECT_EQ(json["steps"].size(), 1u);
    for (const std::string& file : {std::string("final.py"), json["steps"].back()["program"].get<std::string>()}) {
      write_file(path + "/" + file, program);
    }
    write_certificate(path, json);
    return path;
  }
  static CommandResult check(const std::string& path) {
    return run_line("'" HEXPROOF_BINARY_DIR "/hexproof-check' " + path + " --solver 'cvc5 --lang=smt2'");
  }

  std::string folder_ = fresh_folder("forged");
};

// A flag that the source does not grant lets the kernel round once where the program rounds twice.
TEST_F(Forged, AFunctionIsGrantedNothingOnTheWay) {
  const std::string head = "def main(X: T.Buffer((4,), \"float32\"), C: T.Buffer((4,), \"float32\")):\n",
                    body = "        C[i] = X[i] * X[i] - T.float32(1.0)\n";
  const std::string path = made(head + "    for i in range(4):\n" + body, "sch.unroll(sch.get_loop(\"i\"))\n");
  EXPECT_EQ(check(path).code, 0) << check(path).text;
  ends_with(path, "@T.prim_func\n" + head + "    T.func_attr({\"hexproof.fp\": \"contract\"})\n" +
                      "    for i in T.unroll(4):\n" + body);
  CommandResult r = check(path);
  EXPECT_EQ(r.code, 12) << r.text;
  EXPECT_NE(r.text.find("says other granted flags than its programs"), std::string::npos) << r.text;
  // At the end it is granted nothing.
  write_file(path + "/final.py", "@T.prim_func\n" + head + "    for i in T.unroll(4):\n" + body);
  write_certificate(path, certificate_json(path));
  r = check(path);
  EXPECT_EQ(r.code, 12) << r.text;
  EXPECT_NE(r.text.find("is granted other flags than the program before"), std::string::npos) << r.text;
}

TEST_F(Forged, GrantedFlagsAreToldToTheReader) {
  const std::string program = temporary("granted.py",
                                        "def main(X: T.Buffer((4,), \"float32\"), C: T.Buffer((4,), \"float32\")):\n"
                                        "    for i in range(4):\n        C[i] = X[i] * X[i] - T.float32(1.0)\n");
  const std::string path = folder_ + "/granted";
  const CommandResult r =
      hexproof_command("apply " + program + " " + temporary("granted.sch.py", "sch.unroll(sch.get_loop(\"i\"))\n") +
                       " --fp contract --certificate " + path);
  ASSERT_EQ(r.code, 0) << r.text;
  EXPECT_EQ(check(path).code, 0) << check(path).text;
  EXPECT_NE(check(path).text.find("under granted fast-math flags: contract"), std::string::npos);
  const CommandResult audit = hexproof_command("audit " + path);
  EXPECT_EQ(audit.code, 0) << audit.text;
  EXPECT_NE(audit.text.find("under granted fast-math flags: contract"), std::string::npos) << audit.text;
}

// Which flags are granted is told by the programs.
TEST_F(Forged, FlagsThatAreDenied) {
  const std::string path = made(
      "def main(X: T.Buffer((4,), \"float32\"), C: T.Buffer((4,), \"float32\")):\n"
      "    T.func_attr({\"hexproof.fp\": \"nsz\"})\n    for i in range(4):\n        C[i] = X[i]\n",
      "sch.unroll(sch.get_loop(\"i\"))\n");
  EXPECT_EQ(check(path).code, 0) << check(path).text;
  EXPECT_NE(check(path).text.find("under granted fast-math flags: nsz"), std::string::npos);
  for (const char* said : {"", "nnan"}) {
    nlohmann::ordered_json json = certificate_json(path);
    json["granted_flags"] = said;
    write_certificate(path, json);
    const CommandResult r = check(path);
    EXPECT_EQ(r.code, 12) << r.text;
  }
}

// Each argument whose layout changed is told once, and none is left out.
TEST_F(Forged, AnInterfaceThatTellsOneArgumentTwice) {
  const std::string path = made(
      "def main(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n"
      "        with T.block(\"b\"):\n            vi = T.axis.spatial(8, i)\n            B[vi] = A[vi] + 1\n",
      "sch.transform_layout(\"b\", \"A\", lambda i: [7 - i])\nsch.transform_layout(\"b\", \"B\", lambda i: [7 - i])\n");
  ASSERT_EQ(check(path).code, 0) << check(path).text;
  nlohmann::ordered_json json = certificate_json(path);
  json["interface"][1] = json["interface"][0];
  write_certificate(path, json);
  const CommandResult r = check(path);
  EXPECT_EQ(r.code, 12) << r.text;
  EXPECT_NE(r.text.find("another interface"), std::string::npos) << r.text;
}

// What a caller owes of the cells of an argument is told by the source.
TEST_F(Forged, WhatTheCallerOwesOfAnArgumentStays) {
  const std::string head = "def main(X: T.Buffer((4,), \"int32\"), C: T.Buffer((4,), \"int32\")):\n",
                    pads = "    T.func_attr({\"hexproof.padding.0\": \"lambda i: i >= 3\"})\n",
                    loop = "    for i in T.unroll(3):\n        C[i] = X[i]\n";
  const std::string path =
      made(head + pads + "    for i in range(3):\n        C[i] = X[i]\n", "sch.unroll(sch.get_loop(\"i\"))\n");
  EXPECT_EQ(check(ends_with(path, "@T.prim_func\n" + head + pads + loop)).code, 0) << check(path).text;
  const CommandResult r = check(ends_with(path, "@T.prim_func\n" + head + loop));
  EXPECT_EQ(r.code, 12) << r.text;
  EXPECT_NE(r.text.find("changes parameter 0"), std::string::npos) << r.text;
}

// What the attribute says of a cell, it says of the scalar of that name.
TEST_F(Forged, WhatTheCallerOwesIsOfTheScalarThatItWas) {
  auto program = [](const std::string& scalars, const std::string& last) {
    return "def main(X: T.Buffer((4,), \"int32\"), C: T.Buffer((4,), \"int32\"), " + scalars +
           "):\n    T.func_attr({\"hexproof.padding.0\": \"lambda i: i >= n\"})\n    for i in T.unroll(4):\n"
           "        if i < " +
           last + ":\n            C[i] = X[i]\n";
  };
  const std::string path =
      made(program("n: T.int32, m: T.int32", "n"), "sch.annotate(sch.get_loop(\"i\"), \"k\", 1)\n");
  EXPECT_EQ(check(path).code, 0) << check(path).text;
  std::string changed = "@T.prim_func\n" + program("m: T.int32, n: T.int32", "m");
  changed.replace(changed.find("T.unroll(4)"), 11, "T.unroll(4, annotations={\"k\": 1})");
  write_file(path + "/final.py", changed);
  write_certificate(path, certificate_json(path));
  const CommandResult r = check(path);
  EXPECT_EQ(r.code, 12) << r.text;
  EXPECT_NE(r.text.find("final.py: changes parameter 2"), std::string::npos) << r.text;
}

// That an assume can hold is shown by a model of all that it says; of others the verdict says that it is believed.
TEST_F(Forged, AnAssumeThatIsNotModelledIsBelieved) {
  const std::string path = folder_ + "/assumes", told = "accepted; believed: ";
  auto verdict = [&](const std::string& assumes) {
    const std::string program = "def main(C: T.Buffer((4,), \"int32\"), n: T.int32, x: T.float32):\n" + assumes +
                                "    for i in range(4):\n        C[i] = i\n";
    std::filesystem::remove_all(path);
    CommandResult r =
        hexproof_command("certify " + temporary("assumes.py", program) + " --target host --no-run -o " + path);
    EXPECT_EQ(r.code, 0) << r.text;
    r = check(path);
    EXPECT_EQ(r.code, 0) << r.text;
    return r.text.substr(std::min(r.text.find("accepted"), r.text.size()));
  };
  EXPECT_EQ(verdict("    T.assume(n > 2 and n // 3 < 9)\n"), "accepted\n");
  EXPECT_EQ(verdict("    T.assume(x > T.float32(2))\n    T.assume(n > 2)\n"),
            told + "1 assumes or shapes of source.py\n");
  EXPECT_EQ(verdict("    T.assume(T.bitwise_or(n, 1) == 3)\n"), told + "1 assumes or shapes of source.py\n");
  EXPECT_EQ(verdict("    T.assume(C[0] > 5)\n    T.assume(C[0] < 9)\n"), told + "2 assumes or shapes of source.py\n");
}

// `0 < A[i] < 10` is one load that stands at two places: each is an access of its own.
TEST_F(Forged, ALoadThatStandsAtTwoPlacesLandsAtOneCell) {
  const std::string head = "def main(X: T.Buffer((4,), \"int32\"), C: T.Buffer((4,), \"int32\")):\n";
  const std::string path = made(head +
                                    "    A = T.alloc_buffer((4,), \"int32\")\n"
                                    "    for i in range(4):\n        A[i] = X[i]\n"
                                    "    for i in range(4):\n        C[i] = T.Select(0 < A[i] < 10, 1, 0)\n",
                                "sch.transform_layout(\"root\", \"A\", lambda i: [i * 2])\n");
  const std::string left = "believed: 1 transform-layout";
  EXPECT_EQ(check(path).text.find(left), std::string::npos) << check(path).text;
  ends_with(path, "@T.prim_func\n" + head +
                      "    A = T.alloc_buffer((7,), \"int32\")\n"
                      "    for i in range(4):\n        A[i * 2] = X[i]\n"
                      "    for i in range(4):\n        C[i] = T.Select(0 < A[0] and A[i * 2] < 10, 1, 0)\n");
  EXPECT_NE(check(path).text.find(left), std::string::npos) << check(path).text;
}

// A layout of an argument is not derived from programs that do not have it; and what is said of the arguments in the
// end is what the steps say.
TEST_F(Forged, ALayoutThatIsInNoProgram) {
  const std::string program =
      "def main(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n"
      "        with T.block(\"b\"):\n            vi = T.axis.spatial(8, i)\n            B[vi] = A[vi] + 1\n";
  const std::string path = made(program, "sch.transform_layout(\"b\", \"A\", lambda i: [7 - i])\n");
  EXPECT_EQ(check(path).code, 0) << check(path).text;
  EXPECT_NE(check(path).text.find("believed: 1 transform-layout"), std::string::npos);
  ends_with(path, read_file(path + "/source.py"));
  EXPECT_NE(check(path).text.find("believed: 1 transform-layout"), std::string::npos);
  nlohmann::ordered_json json = certificate_json(path);
  json["steps"][0]["interface"] = nlohmann::ordered_json::array();
  write_certificate(path, json);
  EXPECT_EQ(check(path).code, 12) << check(path).text;
  EXPECT_NE(check(path).text.find("says another interface than its steps"), std::string::npos) << check(path).text;
}

// That assumes go, wherever they stand, is derived; where more goes or comes with them, the verdict says what it rests
// on.
TEST_F(Forged, AssumesThatGoTakeNothingWithThem) {
  const std::string head = "def main(A: T.Buffer((9,), \"int32\"), n: T.int32):\n",
                    given = "    T.assume(0 < n and n < 9)\n",
                    body = "    for i in range(n):\n        A[i] = i\n    for j in range(9):\n";
  const std::string path = folder_ + "/lowered", changed = folder_ + "/lowered-changed";
  const CommandResult r = hexproof_command(
      "certify " + temporary("lowered.py", head + given + body + "        T.assume(j < 9)\n        A[j] = A[j] + 1\n") +
      " --target host --no-run -o " + path);
  ASSERT_EQ(r.code, 0) << r.text;
  ASSERT_EQ(certificate_json(path)["steps"].size(), 1u);
  EXPECT_EQ(certificate_json(path)["steps"][0]["rule"], "remove-assume");
  EXPECT_EQ(check(path).code, 0) << check(path).text;
  EXPECT_EQ(check(path).text.find("remove-assume"), std::string::npos) << check(path).text;
  const std::string lowered = "    T.func_attr({\"hexproof.lowered\": T.bool(True)})\n";
  for (const std::string& forged :
       {lowered + body + "        A[j] = A[j] + 2\n", lowered + body + "        A[j] = A[j]\n",
        lowered + "    for i in range(n):\n        A[i] = i\n"}) {
    ends_with(changed_copy(path, changed), "@T.prim_func\n" + head + forged);
    const CommandResult r = check(changed);
    EXPECT_TRUE(r.code != 0 || r.text.find("; believed: 1 remove-assume,") != std::string::npos) << forged << r.text;
  }
}

// A step that is believed is told in the verdict, and one that calls itself a branch that goes does nothing else.
TEST_F(Forged, AStepThatIsBelievedIsNamedInTheVerdict) {
  const std::string head =
                        "def main(X: T.Buffer((14,), \"int32\"), C: T.Buffer((14,), \"int32\")):\n"
                        "    A = T.alloc_buffer((16,), \"int32\")\n",
                    use = "    for i in range(14):\n        C[i] = A[i] + X[i]\n";
  const std::string path = made(head + "    for i in range(16):\n        if i < 14:\n            A[i] = 7\n" + use,
                                "sch.remove_branching_through_overcompute(\"root\")\n");
  CommandResult r = check(path);
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_NE(r.text.find("accepted; believed: 1 overcompute\n"), std::string::npos) << r.text;
  ends_with(path, "@T.prim_func\n" + head + "    for i in range(16):\n        A[i] = 8\n" + use);
  r = check(path);
  EXPECT_EQ(r.code, 5) << r.text;
  EXPECT_NE(r.text.find("overcompute.py: the step does more than one of its name\nopen: "), std::string::npos)
      << r.text;
  // Under another name it is believed, which the verdict says; and a name is a word.
  nlohmann::ordered_json json = certificate_json(path);
  json["steps"][0]["rule"] = "share-storage";
  write_certificate(path, json);
  EXPECT_NE(check(path).text.find("; believed: 1 share-storage\n"), std::string::npos) << check(path).text;
  json["steps"][0]["rule"] = "split\naccepted";
  write_certificate(path, json);
  EXPECT_EQ(check(path).code, 12) << check(path).text;
}

// With a branch nothing else comes: neither another first instance of a reduction, which its init runs in, nor an else.
TEST_F(Forged, ABranchBringsNoMore) {
  const std::string path = made(
      "def main(A: T.Buffer((4,), \"int32\"), C: T.Buffer((1,), \"int32\")):\n"
      "    for k in range(4):\n"
      "        with T.block(\"s\"):\n"
      "            vk = T.axis.reduce(4, k)\n"
      "            T.where(k < 2)\n"
      "            with T.init():\n"
      "                C[0] = 0\n"
      "            C[0] = C[0] + A[vk]\n",
      "sch.annotate(sch.get_loops(\"s\")[0], \"note\", 1)\n");
  EXPECT_EQ(check(path).code, 0) << check(path).text;
  const std::string program = read_file(path + "/final.py");
  using Changes = std::vector<std::pair<std::string, std::string>>;
  auto forged = [&](const char* rule, const Changes& changes) {
    std::string text = program;
    for (const auto& [from, to] : changes) {
      ASSERT_NE(text.find(from), text.npos) << text;
      text.replace(text.find(from), from.size(), to);
    }
    ends_with(path, text);
    nlohmann::ordered_json json = certificate_json(path);
    json["steps"][0]["rule"] = rule;
    write_certificate(path, json);
    CommandResult r = check(path);
    EXPECT_EQ(r.code, 5) << rule << ": " << r.text;
    EXPECT_NE(r.text.find("the step does more than one of its name"), r.text.npos) << r.text;
  };
  forged("overcompute", {{"T.axis.reduce(4, k)", "T.axis.reduce((-1, 5), k)"}});
  const std::string store = "            C[0] = C[0] + A[vk]\n";
  forged("introduce-branch", {{store,
                               "            if False:\n                C[0] = C[0] + A[vk]\n"
                               "            else:\n                C[vk - vk] = 666\n"}});
  // A predicate guards the init, too.
  forged("overcompute", {{"            T.where(k < 2)\n", ""},
                         {store, "            if k < 2:\n                C[0] = C[0] + A[vk]\n"}});
}

TEST_F(Forged, AMapThatSeveralStepsComposeIsBelieved) {
  const std::string path = made(
      "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n    for i in range(16):\n"
      "        with T.block(\"b\"):\n            vi = T.axis.spatial(16, i)\n            B[vi] = A[vi] + 1\n",
      "sch.transform_layout(\"b\", \"A\", lambda i: [i // 4, i % 4])\n"
      "sch.transform_layout(\"b\", \"A\", lambda i, j: [j, i])\n");
  const CommandResult r = check(path);
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_NE(r.text.find("accepted; believed: 2 transform-layout, 1 index maps of several steps\n"), std::string::npos)
      << r.text;
}

// What walks a document is recursive, and has no stack for one of a hundred thousand levels.
TEST_F(Forged, JsonOfManyLevelsIsNoCertificate) {
  const std::string path = made("def main(A: T.Buffer((4,), \"int32\")):\n    for i in range(4):\n        A[i] = 1\n",
                                "sch.unroll(sch.get_loop(\"i\"))\n");
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  std::string text = read_file(path + "/certificate.json");
  write_file(path + "/certificate.json", text.insert(text.find('{') + 1, "\"x\": " + deep + ","));
  sign_certificate(path);
  EXPECT_EQ(check(path).code, 12);
  EXPECT_EQ(hexproof_command("audit " + path).code, 12);
  EXPECT_EQ(hexproof_command("report " + path + " -o " + folder_ + "/x.html").code, 2);
}

}  // namespace forged_test
}  // namespace hexproof
