// What a certificate says of the run of its object: figures are believed where nothing runs, and nothing else.
#include "tests/tools/certificates/audit_fixture.h"

namespace hexproof {
namespace audit_test {

// Figures of a run: there when it says that it ran, and not else.
TEST_F(Audit, ForgedRuns) {
  std::string path = copy();
  Json changed = certificate_json(path);
  changed["made"]["run"] = false;
  write_certificate(path, changed);
  expect_rejected(path, "certificate.json:");
  path = copy();
  changed = certificate_json(path);
  changed["kernel"].erase("run");
  write_certificate(path, changed);
  expect_rejected(path, "certificate.json:");
}

TEST_F(Audit, OfARunNothingIsBelievedButFigures) {
  const Json made = certificate_json(folder_ + "/host");
  const std::vector<std::function<void(Json&)>> forged = {
      [](Json& run) { run["results"][0] = "all bits are golden"; },
      [](Json& run) { run["results"][0] = "C: 14 of 14 elements bit-equal to the interpreter's"; },
      [](Json& run) { run["results"][0] = "A: 15 of 15 elements bit-equal to the interpreter's"; },
      [](Json& run) {
        run["results"][0] = "A: 13 of 14 elements bit-equal to the interpreter's, the first difference at 2";
      },
      [](Json& run) { run["results"].erase(0); },
      [](Json& run) { run["results"].push_back("differences are no error"); },
      [](Json& run) { run["results"] = 7; },
      [](Json& run) { run["seed"] = 2; },
      [](Json& run) { run["bit_equal"] = "yes"; },
      [](Json& run) { run["reviewed_by"] = "a committee"; },
      [](Json& run) { run = Json::array(); },
  };
  for (const auto& forge : forged) {
    const std::string path = copy();
    Json changed = made;
    forge(changed["kernel"]["run"]);
    write_certificate(path, changed);
    expect_rejected(path, "certificate.json:");
  }
  Json changed = made;
  const std::string path = copy();
  changed["kernel"]["addressing"] = {{"post-increment", 7}, {"offsets", 8}, {"kept", "post-increment"}};
  write_certificate(path, changed);
  expect_rejected(path, "certificate.json:");
}

TEST_F(Audit, OfARunTheSummaryTellsNothingElse) {
  const std::string summary = read_file(folder_ + "/host/summary.txt"), kHead = "What was tested, not proved\n";
  ASSERT_NE(summary.find(kHead), summary.npos) << summary;
  auto after_head = [&](const std::string& line) {
    std::string text = summary;
    return text.insert(text.find(kHead) + kHead.size(), line);
  };
  auto instead = [&](const std::string& from, const std::string& to) {
    std::string text = summary;
    EXPECT_NE(text.find(from), text.npos) << text;
    return text.replace(text.find(from), from.size(), to);
  };
  const std::string last = "    B: 14 of 14 elements bit-equal to the interpreter's\n";
  for (const std::string& text :
       {after_head("  arguments may overlap: proved\n"),
        after_head("    overlap: 14 of 14 elements bit-equal to the interpreter's\n"),
        instead("    B: 14 of 14", "    B: 140 of 140"), instead("    B: 14 of 14", "    everything: 14 of 14"),
        instead("seed 1", "seed 7"), instead("on this machine", "under QEMU"), instead(last, ""),
        instead(last, last + last), instead(last, last + "  seconds 1.000, 2.00 in the interpreter\n")}) {
    const std::string path = copy();
    write_file(path + "/summary.txt", text);
    write_certificate(path, certificate_json(path));
    expect_rejected(path, "summary.txt:");
  }
  const CommandResult r = audit(folder_ + "/host");
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_NE(r.text.find("its figures are not vouched for"), std::string::npos) << r.text;
}

// A function that cannot be run on random input: not rejected for that, and no claim of a run is believed.
TEST_F(Audit, OfWhatCannotRun) {
  const std::string made = folder_ + "/no-run";
  for (const char* argument : {"(T.int64(4) * T.int64(4),), \"int32\"", "(16,), \"int32\", strides=[2]"}) {
    fs::remove_all(made);
    const std::string program = temporary("no-run.py", std::string("def main(A: T.Buffer(") + argument +
                                                           ")):\n    for i in range(16):\n        A[i] = 1\n");
    const CommandResult r = hexproof_command("certify " + program + " --target host --no-run -o " + made);
    ASSERT_EQ(r.code, 0) << r.text;
    const CommandResult ran = audit(made, "--solver z3 --run");
    EXPECT_EQ(ran.code, 0) << ran.text;
    EXPECT_NE(ran.text.find("the stored object was not run"), std::string::npos) << ran.text;
    Json claims = certificate_json(made);
    claims["made"]["run"] = true;
    claims["kernel"]["run"] = {
        {"seed", 1}, {"bit_equal", true}, {"results", {"A: 16 of 16 elements bit-equal to the interpreter's"}}};
    const std::string path = changed_copy(made, folder_ + "/changed");
    write_certificate(path, claims);
    EXPECT_EQ(audit(path).code, 12) << audit(path).text;
  }
}

}  // namespace audit_test
}  // namespace hexproof
