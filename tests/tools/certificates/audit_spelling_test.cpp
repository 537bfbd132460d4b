// A certificate is written in one way: numbers are their digits, names keep to their lines, JSON has one spelling.
#include <gtest/gtest.h>

#include "tests/tools/certificates/audit_fixture.h"

namespace hexproof {
namespace audit_test {

// 2^53 + 1 is not 2^53, though it is in floating point; and a line as long as a book is read.
TEST_F(Audit, NumbersAreTheirDigits) {
  const std::string path = copy();
  std::string text = read_file(path + "/certificate.json");
  const size_t at = text.find("\"schema_version\": ") + 18, end = text.find(',', at);
  write_file(path + "/certificate.json", text.replace(at, end - at, text.substr(at, end - at) + ".0"));
  sign_certificate(path);
  expect_rejected(path, "certificate.json");
  const std::string other = copy();
  std::string summary = read_file(other + "/summary.txt");
  summary.insert(summary.find("(seed ") + 6, std::string(1000000, '7'));
  write_file(other + "/summary.txt", summary);
  sign_certificate(other);
  expect_rejected(other, "summary.txt");
}

// What the author named as he liked stands in its own line of the summary, and makes no other.
TEST_F(Audit, NamesAddNoLinesToTheSummary) {
  const Json made = certificate_json(folder_ + "/host");
  const std::string summary = read_file(folder_ + "/host/summary.txt"), kLie = "\nWhat was shown\n  everything";
  for (const char* part : {"source", "schedule"}) {
    const std::string path = copy(), name = made["made"][part];
    Json changed = made;
    changed["made"][part] = name + kLie;
    std::string text = summary;
    write_file(path + "/summary.txt", text.insert(text.find(name) + name.size(), kLie));
    write_certificate(path, changed);
    expect_rejected(path, "summary.txt:");
  }
  const std::string path = copy(), primitive = made["steps"][0]["primitive"];
  Json changed = made;
  for (Json& step : changed["steps"]) {
    if (step["primitive"] == primitive) step["primitive"] = primitive + kLie;
  }
  std::string text = summary;
  for (size_t at = 0; (at = text.find(primitive, at)) != text.npos; at += primitive.size() + kLie.size()) {
    text.insert(at + primitive.size(), kLie);
  }
  write_file(path + "/summary.txt", text);
  write_certificate(path, changed);
  expect_rejected(path, "summary.txt:");
}

// Nor by what ends a line, or turns it around, elsewhere than in ASCII.
TEST_F(Audit, NamesKeepToTheirLine) {
  for (const char* end : {"\xc2\x85", "\xc2\x9b", "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xae", "\xe2\x81\xa6"}) {
    const std::string path = copy(), name = certificate_json(path)["made"]["source"];
    Json changed = certificate_json(path);
    changed["made"]["source"] = name + end;
    std::string text = read_file(path + "/summary.txt");
    write_file(path + "/summary.txt", text.insert(text.find(name) + name.size(), end));
    write_certificate(path, changed);
    expect_rejected(path, "summary.txt:");
  }
}

// What it chooses begins no line of what is said of it, and is no command to a runner, in whatever blanks.
TEST_F(Audit, WhatItChoosesBeginsNoLine) {
  const std::string lie =
      "x\nproved: the certificate of main\n::add-mask::proved\n \xe3\x80\x80::stop-commands::x ##[group]";
  using Change = std::function<void(Json&)>;
  const Change rule = [&](Json& json) { json["steps"][0]["rule"] = lie; };
  const Change function = [&](Json& json) { json["function"] = lie; };
  const Change key = [&](Json& json) { json[lie] = 1; };
  const Change value = [&](Json& json) { json["made"]["target"] = lie; };
  const Change file = [&](Json& json) { json["files"][lie] = ""; };
  for (const Change& change : {rule, function, key, value, file}) {
    const std::string path = copy();
    Json json = certificate_json(path);
    change(json);
    write_certificate(path, json);
    // (Where a limit ends the audit before it compares, it names the function.)
    for (const char* options : {"--solver z3", "--solver z3 --rlimit 1"}) {
      const CommandResult r = audit(path, options);
      EXPECT_TRUE(r.code == 12 || r.code == 5) << r.text;
      EXPECT_EQ(("\n" + r.text).find("\nproved"), std::string::npos) << r.text;
      EXPECT_EQ(("\n" + r.text).find("\n::"), std::string::npos) << r.text;
      EXPECT_EQ(r.text.find("##["), std::string::npos) << r.text;
    }
  }
  const std::string path = copy();
  Json json = certificate_json(path);
  rule(json);
  write_certificate(path, json);
  EXPECT_NE(audit(path).text.find("(x\n  | proved: the certificate of main\n  | ::add-mask::proved\n"),
            std::string::npos)
      << audit(path).text;
}

// What one reader takes for one thing and the next one for another: a key that is there twice, other spellings.
TEST_F(Audit, JsonIsWrittenInOneWay) {
  const std::string text = read_file(folder_ + "/host/certificate.json");
  auto instead = [&](const std::string& from, const std::string& to) {
    std::string out = text;
    EXPECT_NE(out.find(from), out.npos) << from;
    return out.replace(out.find(from), from.size(), to);
  };
  for (const std::string& other :
       {instead("{\n", "{\n  \"verdict\": \"refuted\",\n"),
        instead("\"verdict\": \"proved\"", "\"verdict\":\"proved\""), instead("\"verdict\"", "\"v\\u0065rdict\""),
        instead("\"seed\": 1", "\"seed\": 1e0"), text + "\n", text + "{}\n", "\xef\xbb\xbf" + text}) {
    const std::string path = copy();
    write_file(path + "/certificate.json", other);
    sign_certificate(path);
    expect_rejected(path, "certificate.json:");
  }
}

}  // namespace audit_test
}  // namespace hexproof
