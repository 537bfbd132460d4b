// Bytes of a certificate that are changed by somebody who then computes every digest anew: no digest tells, and still
// the audit rejects it, but where docs/audit.md says that nothing is compared.
#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <thread>

#include "tests/tools/certificates/audit_fixture.h"

namespace hexproof {
namespace audit_test {

/// All digests that are said anywhere fit the files again; of a formula, whose name is its digest, that name, too.
void sign_anew(const std::string& path, const std::string& name, const std::string& before) {
  if (name != "certificate.json") {
    std::string json = read_file(path + "/certificate.json");
    const std::string old = sha256(before), now = sha256(read_file(path + "/" + name));
    for (size_t at = json.find(old); at != json.npos; at = json.find(old, at)) json.replace(at, old.size(), now);
    write_file(path + "/certificate.json", json);
  }
  sign_certificate(path);
}

/// The line of `text` around that byte.
std::string line_at(const std::string& text, size_t at) {
  const size_t before = at == 0 ? text.npos : text.rfind('\n', at - 1);
  const size_t begin = before == text.npos ? 0 : before + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

/// Is it what docs/audit.md lists below "What is not compared"?
bool is_free(const std::string& name, const std::string& line) {
  if (name == "schedule.py") return true;
  if (name != "certificate.json") return false;
  for (const char* key : {"\"hexproof\": ", "\"z3\": ", "\"cvc5\": ", "\"llvm\": ", "\"source\": \"",
                          "\"schedule\": \"", "\"primitive\": ", "\"schedule_line\": "}) {
    if (line.find(key) != line.npos) return true;
  }
  // The bound of one proof, which is made/rlimit alone; other values under which what is given holds are as good.
  static const std::regex kBound(R"( {4}"rlimit": \d+,)"), kValue(R"( *"[^":]* = [^"]*",?)");
  return std::regex_match(line, kBound) || std::regex_match(line, kValue);
}

struct Tried {
  int rejected = 0, free = 0;
};

/// So many changes, each of one byte to another one that is printed, in a copy of its own.
Tried change_and_sign(const std::string& path, unsigned seed, int changes) {
  std::mt19937 random(seed);
  // Each kind of file as often: there are many formulas and one final program.
  std::map<std::string, std::vector<std::string>> kinds;
  for (const std::string& name : certificate_files(path)) {
    if (name != "SHA256SUMS") kinds[name.substr(0, name.find('/'))].push_back(name);
  }
  Tried out;
  for (int k = 0; k < changes; ++k) {
    const std::vector<std::string>& names =
        std::next(kinds.begin(), static_cast<long>(random() % kinds.size()))->second;
    const std::string name = names[random() % names.size()], right = read_file(path + "/" + name),
                      json = read_file(path + "/certificate.json");
    const size_t at = random() % right.size();
    std::string bytes = right;
    // (Texts stay texts, so that more than their form is looked at.)
    bytes[at] = static_cast<char>(33 + (static_cast<unsigned char>(right[at]) + random() % 93) % 94);
    if (bytes == right) bytes[at] = '_';
    write_file(path + "/" + name, bytes);
    sign_anew(path, name, right);
    const CommandResult r = hexproof_command("audit " + path + " --solver z3");
    if (r.code != 12 && is_free(name, line_at(right, at))) {
      ++out.free;
      EXPECT_TRUE(r.code == 0 || r.code == 5) << r.text;
    } else {
      ++out.rejected;
      EXPECT_EQ(r.code, 12) << name << " at " << at << ": " << line_at(bytes, at) << "\n" << r.text;
      EXPECT_EQ(r.text.find("another digest"), r.text.npos) << r.text;  // it is no digest that tells
    }
    write_file(path + "/" + name, right);
    write_file(path + "/certificate.json", name == "certificate.json" ? right : json);
    sign_certificate(path);
  }
  EXPECT_EQ(hexproof_command("audit " + path + " --solver z3").code, 0);
  return out;
}

TEST_F(Audit, AHundredBytesThatAreSignedAnew) {
  // (By names that are the same each time, so that the bytes are.)
  const std::string made = folder_ + "/made";
  fs::create_directories(made);
  write_file(made + "/p.py", kProgram);
  write_file(made + "/s.py", kSchedule);
  const CommandResult r = hexproof_command("certify p.py s.py --target host -o host", "cd '" + made + "' &&");
  ASSERT_EQ(r.code, 0) << r.text;
  Tried tried[4];
  std::vector<std::thread> threads;
  for (unsigned k = 0; k < 4; ++k) {
    const std::string path = changed_copy(made + "/host", folder_ + "/signed" + std::to_string(k));
    threads.emplace_back([=, &tried] { tried[k] = change_and_sign(path, 11 + k, 25); });
  }
  for (std::thread& one : threads) one.join();
  int rejected = 0, free = 0;
  for (const Tried& one : tried) rejected += one.rejected, free += one.free;
  EXPECT_EQ(rejected + free, 100);
  EXPECT_GE(rejected, 80);
  EXPECT_GE(free, 1) << "schedule.py is nobody's proof";
}

}  // namespace audit_test
}  // namespace hexproof
