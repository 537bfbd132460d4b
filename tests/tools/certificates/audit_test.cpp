// A certificate is judged from its files alone: what was made is accepted, what was changed is rejected with the place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <thread>

#include "tests/tools/certificates/audit_fixture.h"

namespace hexproof {
namespace audit_test {

TEST_F(Audit, AcceptsWhatWasMade) {
  for (const char* name : {"host", "applied"}) {
    CommandResult r = audit(folder_ + "/" + name, "");
    EXPECT_EQ(r.code, 0) << r.text;
    EXPECT_NE(r.text.find("proved: the certificate of main"), std::string::npos) << r.text;
  }
  CommandResult run = audit(folder_ + "/host", "--run");
  EXPECT_EQ(run.code, 0) << run.text;
}

TEST_F(Audit, TheSumsAreThoseOfSha256sum) {
  std::string command = "cd " + folder_ + "/host && sha256sum --quiet -c SHA256SUMS";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

/// One byte changed and put back, `changes` times over, in a copy of its own.
void change_bytes(const std::string& path, unsigned seed, int changes) {
  std::mt19937 random(seed);
  const std::vector<std::string> all = certificate_files(path);
  for (int k = 0; k < changes; ++k) {
    const std::string name = all[random() % all.size()];
    const std::string right = read_file(path + "/" + name);
    ASSERT_FALSE(right.empty()) << name;
    std::string bytes = right;
    const size_t at = random() % bytes.size();
    bytes[at] = static_cast<char>(bytes[at] ^ (1 + random() % 255));
    write_file(path + "/" + name, bytes);
    CommandResult r = hexproof_command("audit " + path + " --solver z3");
    EXPECT_EQ(r.code, 12) << name << " at " << at << "\n" << r.text;
    EXPECT_NE(r.text.find("rejected: " + path + "/"), std::string::npos) << r.text;
    if (name != "SHA256SUMS") {
      EXPECT_NE(r.text.find("/" + name), std::string::npos) << name << "\n" << r.text;
    }
    write_file(path + "/" + name, right);
  }
  EXPECT_EQ(hexproof_command("audit " + path + " --solver z3").code, 0);
}

TEST_F(Audit, AThousandChangedBytesAreRejected) {
  std::vector<std::thread> threads;
  for (unsigned k = 0; k < 4; ++k) {
    const std::string path = changed_copy(folder_ + "/host", folder_ + "/bytes" + std::to_string(k));
    threads.emplace_back([=] { change_bytes(path, 7 + k, 250); });
  }
  for (std::thread& one : threads) one.join();
}

TEST_F(Audit, FilesThatComeAndGoAreRejected) {
  std::string path = copy();
  fs::remove(path + "/final.py");
  expect_rejected(path, "final.py");
  path = copy();
  write_file(path + "/more.txt", "more\n");
  expect_rejected(path, "more.txt");
  path = copy();
  fs::remove(path + "/SHA256SUMS");
  expect_rejected(path, "SHA256SUMS");
  path = copy();
  fs::rename(path + "/kernel.o", path + "/../kernel.o");
  fs::create_symlink("../kernel.o", path + "/kernel.o");
  expect_rejected(path, "kernel.o");
  // A link is none of the files, whatever it leads to, and so is a folder with nothing in it.
  path = copy();
  for (const char* name : {"a.py", "w.py"}) fs::create_symlink("final.py", path + "/" + name);
  expect_rejected(path, "a.py");
  path = copy();
  fs::create_directory(path + "/steps/more");
  expect_rejected(path, "steps/more");
}

// With digests that fit: what does not follow from the source and the steps is rejected all the same.
TEST_F(Audit, AForgedFinalProgram) {
  std::string path = copy();
  std::string text = read_file(path + "/final.py");
  ASSERT_NE(text.find("* 2"), std::string::npos) << text;
  write_file(path + "/final.py", text.replace(text.find("* 2"), 3, "* 3"));
  write_certificate(path, certificate_json(path));
  expect_rejected(path, "final.py:");
}

// Other versions of solvers excuse which solver answered, and nothing else.
TEST_F(Audit, ForgedVersions) {
  std::string path = copy();
  Json changed = certificate_json(path);
  changed["versions"]["z3"] = "4.13.0";
  write_certificate(path, changed);
  EXPECT_EQ(audit(path).code, 0) << audit(path).text;
  changed["by_construction"]["steps"] = 77;
  write_certificate(path, changed);
  expect_rejected(path, "certificate.json:");

  for (const Json& other : {Json("none that you know"), Json(""), Json(4), Json(std::string(60, '1'))}) {
    changed = certificate_json(folder_ + "/host");
    changed["versions"]["z3"] = other;
    write_certificate(path, changed);
    expect_rejected(path, "certificate.json:");
  }
  changed = certificate_json(folder_ + "/host");
  changed["versions"]["reviewed"] = "yes";
  write_certificate(path, changed);
  expect_rejected(path, "certificate.json:");

  path = copy();
  changed = certificate_json(path);
  changed["versions"]["z3"] = "4.13.0";
  write_file(path + "/summary.txt", read_file(path + "/summary.txt") + "This kernel has no timing side channels.\n");
  write_certificate(path, changed);
  expect_rejected(path, "summary.txt:");
}

// Who answered, and at what cost, is excused by other solvers; but nobody can tell that from a change.
TEST_F(Audit, WhatIsExcusedIsNotProved) {
  const std::string path = copy();
  Json changed = certificate_json(path);
  changed["versions"]["z3"] = "4.13.0";
  changed["steps"][0]["obligations"][0]["solver"] = "somebody";
  write_certificate(path, changed);
  CommandResult r = audit(path);
  EXPECT_EQ(r.code, 5) << r.text;
  EXPECT_NE(r.text.find("which solver answered"), std::string::npos) << r.text;
  changed["versions"] = certificate_json(folder_ + "/host")["versions"];
  write_certificate(path, changed);
  expect_rejected(path, "certificate.json:");
}

// The kernel of B + 2 in the certificate of B + 1, which says that another LLVM made it.
TEST_F(Audit, AKernelThatAnotherLlvmExcuses) {
  for (const char* number : {"1", "2"}) {
    const std::string program = temporary(std::string("plus") + number + ".py",
                                          "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n"
                                          "    for i in range(16):\n        A[i] = B[i] + " +
                                              std::string(number) + "\n");
    CommandResult made =
        hexproof_command("certify " + program + " --target host --no-run -o " + folder_ + "/plus" + number);
    ASSERT_EQ(made.code, 0) << made.text;
  }
  std::string path = copy("plus1");
  Json changed = certificate_json(path);
  changed["versions"]["llvm"] = "19.1.8";
  write_certificate(path, changed);
  EXPECT_EQ(audit(path).code, 0) << audit(path).text;  // all of it came out
  for (const char* name : {"kernel.ll", "kernel.o"}) {
    fs::copy_file(folder_ + "/plus2/" + name, path + "/" + name, fs::copy_options::overwrite_existing);
  }
  changed["kernel"]["llvm_ir"]["sha256"] = sha256(read_file(path + "/kernel.ll"));
  changed["kernel"]["object"]["sha256"] = sha256(read_file(path + "/kernel.o"));
  write_certificate(path, changed);
  CommandResult r = audit(path);
  EXPECT_EQ(r.code, 5) << r.text;
  EXPECT_NE(r.text.find("made with LLVM 19.1.8"), std::string::npos) << r.text;
  EXPECT_NE(r.text.find("kernel.o"), std::string::npos) << r.text;
  // What runs is what is stored.
  r = audit(path, "--solver z3 --run");
  EXPECT_EQ(r.code, 12) << r.text;
  EXPECT_NE(r.text.find("the run of the stored object: it computes something else"), std::string::npos) << r.text;
  // Another object that computes the same is still not the one that comes out.
  std::string object = read_file(folder_ + "/plus1/kernel.o");
  write_file(path + "/kernel.o", object + std::string(8, '\0'));
  changed["kernel"]["object"]["sha256"] = sha256(read_file(path + "/kernel.o"));
  write_certificate(path, changed);
  r = audit(path, "--solver z3 --run");
  EXPECT_EQ(r.code, 5) << r.text;
  EXPECT_NE(r.text.find("agrees with the interpreter"), std::string::npos) << r.text;
  // One that does not end as a kernel does harms nobody.
  write_file(path + "/kernel.o", "no object");
  changed["kernel"]["object"]["sha256"] = sha256(read_file(path + "/kernel.o"));
  write_certificate(path, changed);
  r = audit(path, "--solver z3 --run");
  EXPECT_EQ(r.code, 12) << r.text;
  // And nothing else is excused.
  changed["kernel"]["symbol"] = "other";
  write_certificate(path, changed);
  expect_rejected(path, "certificate.json:");
  changed = certificate_json(folder_ + "/plus1");
  changed["versions"]["llvm"] = "19.1.8";
  changed["kernel"]["object"]["sha256"] = std::string(64, '0');
  write_certificate(path, changed);
  expect_rejected(path, "certificate.json:");
}

TEST_F(Audit, AForgedSource) {
  std::string path = copy();
  std::string text = read_file(path + "/source.py");
  write_file(path + "/source.py", text.replace(text.find("* 2"), 3, "* 3"));
  write_certificate(path, certificate_json(path));
  EXPECT_EQ(audit(path).code, 12);
}

TEST_F(Audit, AnObligationThatIsLeftOut) {
  std::string path = copy();
  Json changed = certificate_json(path);
  Json& obligations = changed["steps"][0]["obligations"];
  ASSERT_FALSE(obligations.empty());
  obligations.erase(obligations.size() - 1);
  write_certificate(path, changed);
  expect_rejected(path, "certificate.json:");
}

TEST_F(Audit, AFormulaThatIsWeaker) {
  std::string path = copy();
  for (const std::string& name : certificate_files(path)) {
    if (!name.starts_with("obligations/")) continue;
    std::string text = read_file(path + "/" + name);
    write_file(path + "/" + name, text.substr(0, text.find("(check-sat)")) + "(assert false)\n(check-sat)\n");
    write_certificate(path, certificate_json(path));
    expect_rejected(path, name);
    return;
  }
  FAIL() << "no formula is stored";
}

TEST_F(Audit, AnotherObject) {
  std::string path = copy();
  std::string bytes = read_file(path + "/kernel.o");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write_file(path + "/kernel.o", bytes);
  Json changed = certificate_json(path);
  changed["kernel"]["object"]["sha256"] = sha256(bytes);
  write_certificate(path, changed);
  expect_rejected(path, "kernel.o");
}

TEST_F(Audit, AStepThatIsLeftOutOrChanged) {
  std::string path = copy();
  Json changed = certificate_json(path);
  changed["steps"].erase(1);
  write_certificate(path, changed);
  EXPECT_EQ(audit(path).code, 12);
  path = copy();
  changed = certificate_json(path);
  bool found = false;
  for (Json& step : changed["steps"]) {
    if (step["rule"] != "split") continue;
    found = true;
    step["recorded"]["factor"] = {{"int", 5}};
  }
  EXPECT_TRUE(found) << changed["steps"];
  write_certificate(path, changed);
  EXPECT_EQ(audit(path).code, 12);
  path = copy();
  changed = certificate_json(path);
  changed["steps"][0]["rule"] = "no-such-rule";
  write_certificate(path, changed);
  expect_rejected(path, "certificate.json:");
}

// Whatever stands in place of a part: no crash, and rejected.
TEST_F(Audit, PartsOfAnotherKind) {
  const std::vector<std::string> kParts = {"function", "steps", "made",           "granted_flags", "source_check",
                                           "kernel",   "files", "schema_version", "verdict"};
  for (const std::string& part : kParts) {
    for (const Json& other : {Json(7), Json("x"), Json(nullptr), Json::array({1}), Json{{"a", 1}}}) {
      std::string path = copy();
      Json changed = certificate_json(path);
      changed[part] = other;
      write_file(path + "/certificate.json", changed.dump(2) + "\n");
      sign_certificate(path);
      CommandResult r = audit(path);
      EXPECT_EQ(r.code, 12) << part << " as " << other << "\n" << r.text;
    }
  }
  for (const Json& other : {Json(7), Json{{"at", "x"}}, Json{{"at", {{"expr", {{"op", "Load"}, {"dtype", "int32"}}}}}},
                            Json{{"at", {{"path", {99, 99}}}}}, Json{{"at", {{"var", -1}}}}}) {
    std::string path = copy();
    Json changed = certificate_json(path);
    changed["steps"][0]["recorded"] = other;
    write_certificate(path, changed);
    CommandResult r = audit(path);
    EXPECT_EQ(r.code, 12) << other << "\n" << r.text;
  }
}

// Which solver answers, and whether the second line stays open, depends on the limit: it is the certificate's.
TEST_F(Audit, TheLimitIsTheOneThatTheCertificateWasMadeWith) {
  const std::string example = HEXPROOF_SOURCE_DIR "/examples/schedules/metaschedule", made = folder_ + "/limited";
  const CommandResult r = hexproof_command("apply " + example + ".py " + example +
                                           ".schedule.py --rlimit 20000 --certificate " + made + " -o " + made + ".py");
  ASSERT_EQ(r.code, 0) << r.text;
  EXPECT_EQ(certificate_json(made)["made"]["rlimit"], 20000);
  EXPECT_EQ(certificate_json(folder_ + "/host")["made"]["rlimit"], 20'000'000);
  for (const char* options : {"--solver z3", "--solver z3 --rlimit 20000", "--solver z3 --rlimit 20000000"}) {
    EXPECT_EQ(audit(made, options).code, 0) << audit(made, options).text;
  }
  // Whoever allows less than it took learns nothing.
  const CommandResult less = audit(made, "--solver z3 --rlimit 19999");
  EXPECT_EQ(less.code, 5) << less.text;
  EXPECT_NE(less.text.find("made with --rlimit 20000"), std::string::npos) << less.text;
  for (const Json& other : {Json(), Json(0), Json(-1), Json(1e300), Json("20000")}) {
    const std::string path = changed_copy(made, folder_ + "/changed");
    Json changed = certificate_json(path);
    changed["made"]["rlimit"] = other;
    write_certificate(path, changed);
    expect_rejected(path, "certificate.json:1:1: /made/rlimit: is no limit of proofs");
  }
  // With another limit something else comes out, or the same.
  const std::string path = changed_copy(made, folder_ + "/changed");
  Json changed = certificate_json(path);
  changed["made"]["rlimit"] = 20'000'000;
  write_certificate(path, changed);
  expect_rejected(path, "certificate.json:");
}

// A solver of that name which says that each formula can be false; and one that says nothing.
TEST_F(Audit, ASolverThatContradictsTheProof) {
  for (const auto& [answer, code] : {std::pair<std::string, int>{"sat", 12}, {"unknown", 5}}) {
    const std::string folder = folder_ + "/solvers-" + answer;
    fs::create_directories(folder);
    write_file(
        folder + "/cvc5",
        "#!/bin/sh\n[ \"$1\" = --version ] && exec /usr/bin/cvc5 --version\ncat >/dev/null\necho " + answer + "\n",
        true);
    const CommandResult r =
        hexproof_command("audit " + folder_ + "/applied --solver cvc5", "PATH='" + folder + "':\"$PATH\"");
    EXPECT_EQ(r.code, code) << answer << r.text;
    EXPECT_NE(r.text.find(code == 12 ? "rejected: " : "decides none of the stored formulas"), std::string::npos)
        << r.text;
  }
}

TEST_F(Audit, IsNoFolderOfACertificate) {
  EXPECT_EQ(hexproof_command("audit " + folder_ + "/none").code, 2);
  EXPECT_EQ(hexproof_command("audit " + folder_ + "/out.py").code, 2);
  const std::string empty = folder_ + "/empty";
  fs::create_directories(empty);
  EXPECT_EQ(hexproof_command("audit " + empty).code, 12);
  // The report does not go into what is audited.
  EXPECT_EQ(hexproof_command("audit " + folder_ + "/host --json " + folder_ + "/host/certificate.json").code, 2);
}

}  // namespace audit_test
}  // namespace hexproof
