// The report of commands that prove nothing themselves: what an error means, a Python program, a case of a campaign.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace json_of_programs_test {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// The report of a command that ends with the code; null where none was written.
Json report(const std::string& before, const std::string& after, int code) {
  const std::string path = testing::TempDir() + "/" + std::to_string(::getpid()) + "-programs.json";
  fs::remove(path);
  const CommandResult r = hexproof_command(before + " --json " + path + " " + after);
  EXPECT_EQ(r.code, code) << before << after << "\n" << r.text;
  if (!fs::exists(path)) return nullptr;
  const Json out = Json::parse(read_file(path));
  EXPECT_EQ(out["schema_version"], 1);
  EXPECT_EQ(out["exit_code"], code);
  EXPECT_TRUE(out["versions"].contains("hexproof")) << out;
  return out;
}

TEST(JsonOfPrograms, Explain) {
  const Json one = report("explain", "HX0401", 0);
  EXPECT_EQ(one["command"], "explain");
  EXPECT_EQ(one["verdict"], "listed");
  ASSERT_EQ(one["codes"].size(), 1u);
  EXPECT_EQ(one["codes"][0]["code"], "HX0401");
  EXPECT_EQ(one["codes"][0]["title"], "an index is outside of its axis");
  EXPECT_GT(report("explain", "--all", 0)["codes"].size(), 30u);
  EXPECT_EQ(report("explain", "HX9999", 1), nullptr);  // wrong usage has none
}

TEST(JsonOfPrograms, Python) {
  const Json ran = report("python", "-c 'print(1)' --json x", 0);
  EXPECT_EQ(ran["command"], "python");
  EXPECT_EQ(ran["verdict"], "ran");
  EXPECT_EQ(ran["arguments"], Json({"-c", "print(1)", "--json", "x"}));
  EXPECT_EQ(report("python", "-c 'raise SystemExit(3)'", 3)["verdict"], "failed");
  EXPECT_EQ(report("python", "-c 'raise SystemExit(10)'", 10)["verdict"], "failed");
  EXPECT_EQ(report("python", "-c '1 / 0'", 1)["verdict"], "failed");
  EXPECT_EQ(report("python", "none.py", 2)["inputs"]["FILE"], "none.py");
  EXPECT_EQ(report("python", "", 2)["error"]["message"], "error: hexproof python takes a FILE, -c TEXT or -m MODULE");
}

TEST(JsonOfPrograms, AReplayedCase) {
  const std::string head = "# hexproof fuzz case 1\n# input-seed: 1\n",
                    body = "def main(A: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n        A[i] = ";
  const Json sound = report("fuzz replay", temporary("sound.py", head + body + "i\n"), 0);
  EXPECT_EQ(sound["command"], "fuzz");
  EXPECT_EQ(sound["verdict"], "passed");
  EXPECT_EQ(sound["accepted"], 0);
  // An error of the program: nothing is owed.
  const Json error = report("fuzz replay", temporary("error.py", head + body + "A[i + 8]\n"), 11);
  EXPECT_EQ(error["verdict"], "vacuous");
  EXPECT_NE(error["reason"].get<std::string>().find("reaches an error"), std::string::npos);
  const Json none = report("fuzz replay", temporary("none.py", body + "i\n"), 2);
  EXPECT_EQ(none["verdict"], "error");
  EXPECT_NE(none["error"]["message"].get<std::string>().find("is no fuzz case"), std::string::npos) << none;
}

}  // namespace json_of_programs_test
}  // namespace hexproof
