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
  const size_t seconds = summary.find("  seconds "), end = summary.find('\n', seconds) + 1;
  ASSERT_NE(seconds, summary.npos) << summary;
  const std::string last = summary.substr(seconds, end - seconds);
  for (const std::string& text :
       {after_head("  arguments may overlap: proved\n"),
        after_head("    overlap: 14 of 14 elements bit-equal to the interpreter's\n"),
        instead("    B: 14 of 14", "    B: 140 of 140"), instead("    B: 14 of 14", "    everything: 14 of 14"),
        instead("seed 1", "seed 7"), instead("on this machine", "under QEMU"), instead(last, ""),
        instead(last, last + last), instead(last, "  seconds 1, 2 in the interpreter\n")}) {
    const std::string path = copy();
    write_file(path + "/summary.txt", text);
    write_certificate(path, certificate_json(path));
    expect_rejected(path, "summary.txt:");
  }
  // Seconds are whatever they were, and not vouched for.
  const std::string path = copy();
  write_file(path + "/summary.txt", instead(last, "  seconds 17.500, 0.25 in the interpreter\n"));
  write_certificate(path, certificate_json(path));
  const CommandResult r = audit(path);
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_NE(r.text.find("its figures are not vouched for"), std::string::npos) << r.text;
}

}  // namespace audit_test
}  // namespace hexproof
