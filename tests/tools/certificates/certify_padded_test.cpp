// The padded examples: certified for both targets, and what their folders say.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ir/base/digest.h"
#include "tests/tools/certificates/certificate_folder.h"

namespace hexproof {
namespace certify_padded_test {

using Json = nlohmann::json;

struct Certified {
  std::string folder, summary, final_program;
  Json json;
  bool says(const std::string& text) const { return summary.find(text) != std::string::npos; }
};

/// `files` are a program and a schedule below examples/.
CommandResult certify(const std::string& files, const std::string& options, const std::string& folder) {
  std::string line = "certify";
  std::istringstream words(files);
  for (std::string file; words >> file;) line += " " HEXPROOF_SOURCE_DIR "/examples/" + file;
  return hexproof_command(line + " -o " + folder + " " + options);
}

/// Proved, run, all bits equal; and the folder holds what its digests say.
Certified certified(const std::string& files, const std::string& target, const std::string& options = "") {
  Certified out;
  out.folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-padded-" + target;
  CommandResult r = certify(files, "--target " + target + " " + options, out.folder);
  EXPECT_EQ(r.code, 0) << r.text;
  if (r.code != 0) return out;
  out.summary = read_file(out.folder + "/summary.txt");
  out.final_program = read_file(out.folder + "/final.py");
  out.json = Json::parse(read_file(out.folder + "/certificate.json"));
  EXPECT_EQ(out.json["verdict"], "proved");
  EXPECT_EQ(out.json["kernel"]["run"]["bit_equal"], true);
  for (const auto& [name, digest] : out.json["files"].items()) {
    EXPECT_EQ(sha256(read_file(out.folder + "/" + name)), digest) << name;
  }
  for (const Json& step : out.json["steps"]) {
    for (const Json& o : step["obligations"]) EXPECT_EQ(o["verdict"], "proved") << o;
  }
  return out;
}

bool has_branch(const std::string& program) {
  return program.find("if ") != std::string::npos || program.find("T.where") != std::string::npos;
}

TEST(CertifyPadded, Conv1dOnBothTargets) {
  for (const char* target : {"host", "hexagon"}) {
    Certified c = certified("conv1d_padded/conv1d.py conv1d_padded/schedule.py", target);
    EXPECT_TRUE(c.says("B: 4096 of 4096 elements bit-equal")) << c.summary;
    EXPECT_TRUE(c.says("A: the padding holds its value")) << c.summary;
    EXPECT_TRUE(c.says("(4096) -> (33, 128)")) << c.summary;
    EXPECT_TRUE(c.says("io * 128 + ii < 2 or io * 128 + ii >= 4098] holds lambda io, ii: [0] at the start"))
        << c.summary;
    EXPECT_TRUE(c.says("granted fast-math flags: none")) << c.summary;
    EXPECT_FALSE(c.says("used by step")) << c.summary;
    EXPECT_FALSE(has_branch(c.final_program)) << c.final_program;
    EXPECT_NE(c.final_program.find("T.vectorized(128)"), std::string::npos) << c.final_program;
    // The caller's zeros were assumed, and are lowered.
    EXPECT_EQ(c.json["assumes"]["of_the_program"].size(), 0u);
    ASSERT_EQ(c.json["assumes"]["lowered"].size(), 1u);
    EXPECT_EQ(c.final_program.find("T.assume"), std::string::npos) << c.final_program;
    EXPECT_EQ(c.json["steps"].back()["rule"], "remove-assume");
    EXPECT_EQ(c.json["interface"][0]["layers"][0]["padding"]["kind"], "value");
  }
}

TEST(CertifyPadded, OvercomputePays) {
  auto packets = [](const std::string& files) {
    return certified(files, "hexagon").json["kernel"]["run"]["packets"].get<uint64_t>();
  };
  EXPECT_LT(10 * packets("conv1d_padded/conv1d.py conv1d_padded/schedule.py"),
            packets("conv1d_padded/conv1d.py conv1d_padded/schedule_branching.py"));
  EXPECT_LT(5 * packets("maxpool_padded/maxpool.py maxpool_padded/schedule.py"),
            packets("maxpool_padded/maxpool.py maxpool_padded/schedule_branching.py"));
}

TEST(CertifyPadded, FloatsOnlyUnderFlags) {
  const std::string files = "conv1d_padded/conv1d_float32.py conv1d_padded/schedule.py";
  std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-refused";
  for (const char* flags : {"", "--fp nsz", "--fp ninf", "--fp 'nsz nnan'"}) {
    CommandResult r = certify(files, std::string("--target host ") + flags, folder);
    EXPECT_EQ(r.code, 10) << flags << r.text;
    EXPECT_NE(r.text.find("the store leaves the bits that the cell holds"), std::string::npos) << r.text;
    EXPECT_NE(r.text.find("hint: it goes through with `n"), std::string::npos) << r.text;
    EXPECT_FALSE(std::filesystem::exists(folder + "/certificate.json")) << flags;
  }
  for (const char* target : {"host", "hexagon"}) {
    Certified c = certified(files, target, "--fp 'nnan ninf'");
    EXPECT_TRUE(c.says("granted fast-math flags: nnan ninf")) << c.summary;
    EXPECT_TRUE(c.says("overcompute: nnan ninf")) << c.summary;
    size_t using_flags = 0;
    for (const Json& step : c.json["steps"]) using_flags += step.count("flags_used");
    EXPECT_EQ(using_flags, 1u);
    EXPECT_FALSE(has_branch(c.final_program)) << c.final_program;
  }
}

// The output's padding is a promise, which the run is held against; so is that of the signal in between.
TEST(CertifyPadded, OneFilterAfterTheOther) {
  for (const char* target : {"host", "hexagon"}) {
    Certified c = certified("conv1d_padded/conv1d_twice.py conv1d_padded/schedule_twice.py", target);
    EXPECT_TRUE(c.says("B: 4000 of 4000 elements bit-equal")) << c.summary;
    EXPECT_TRUE(c.says("B: the padding holds its value")) << c.summary;
    EXPECT_TRUE(c.says("io * 128 + ii >= 4002] holds lambda io, ii: [0] at the end")) << c.summary;
  }
}

TEST(CertifyPadded, MaxpoolOnBothTargets) {
  for (const char* target : {"host", "hexagon"}) {
    Certified c = certified("maxpool_padded/maxpool.py maxpool_padded/schedule.py", target);
    EXPECT_TRUE(c.says("B: 150528 of 150528 elements bit-equal")) << c.summary;
    EXPECT_TRUE(c.says("A: the padding holds its value")) << c.summary;
    EXPECT_TRUE(c.says("[co * 128 + ci >= 192] may hold anything")) << c.summary;
    EXPECT_FALSE(c.says("B: the padding holds its value")) << c.summary;
    EXPECT_FALSE(has_branch(c.final_program)) << c.final_program;
    EXPECT_EQ(c.final_program.find("T.undef"), std::string::npos) << c.final_program;
    EXPECT_NE(c.final_program.find("T.vectorized(128)"), std::string::npos) << c.final_program;
    if (std::string(target) == "hexagon") {
      EXPECT_GT(c.json["kernel"]["run"]["hvx_instructions"], 10000);
      // The small program accepts it, and not where one obligation is said to be open.
      const std::string check = "'" HEXPROOF_BINARY_DIR "/hexproof-check' " + c.folder;
      CommandResult r = run_line(check + " --solver 'cvc5 --lang=smt2'");
      EXPECT_EQ(r.code, 0) << r.text;
      c.json["steps"][0]["obligations"][0]["verdict"] = "unknown";
      write_certificate(c.folder, c.json);
      r = run_line(check);
      EXPECT_EQ(r.code, 12) << r.text;
      EXPECT_NE(r.text.find("is not proved"), std::string::npos) << r.text;
    }
  }
}

TEST(CertifyPadded, MaxpoolOfFloats) {
  for (const char* target : {"host", "hexagon"}) {
    Certified c = certified("maxpool_padded/maxpool_float32.py maxpool_padded/schedule_float32.py", target);
    EXPECT_TRUE(c.says("B: 50176 of 50176 elements bit-equal")) << c.summary;
    EXPECT_TRUE(c.says("T.float32(\"-inf\")] at the start")) << c.summary;
    EXPECT_TRUE(c.says("granted fast-math flags: none")) << c.summary;
    EXPECT_FALSE(has_branch(c.final_program)) << c.final_program;
  }
  // The operands the other way round: T.max(NaN, -inf) is -inf. That a window never ends with padding, so that its
  // result is the same, nobody sees: open, and not false.
  std::string text = read_file(HEXPROOF_SOURCE_DIR "/examples/maxpool_padded/maxpool_float32.py");
  std::string image = "A[vh * 2 + vkh - 1, vw * 2 + vkw - 1, vc]", cell = "B[vh, vw, vc]";
  std::string max = "T.max(" + image + ", " + cell + ")";
  ASSERT_NE(text.find(max), std::string::npos);
  text.replace(text.find(max), max.size(), "T.max(" + cell + ", " + image + ")");
  std::string turned =
      "apply " + temporary("turned.py", text) + " " HEXPROOF_SOURCE_DIR "/examples/maxpool_padded/schedule_float32.py";
  CommandResult r = hexproof_command(turned);
  EXPECT_EQ(r.code, 5) << r.text;
  EXPECT_NE(r.text.find("the store leaves the bits that the cell holds"), std::string::npos) << r.text;
  EXPECT_EQ(hexproof_command(turned + " --fp nnan").code, 0);
}

}  // namespace certify_padded_test
}  // namespace hexproof
