// The certificates of the examples: accepted by hexproof-check and by `audit`. Each is changed in all ways of
// certificate_changes.h: `audit` rejects them (one for each example), hexproof-check too, or says what it believes.
// (That of maxpool.py with schedule.py is looked at where it is made: certify_padded_test.cpp.)
#include <gtest/gtest.h>

#include <optional>
#include <sstream>

#include "tests/tools/certificates/certificate_changes.h"

namespace hexproof {
namespace examples_test {

/// All: hexproof-check with a solver, and `audit`, of what was made and of one that is changed. Where that takes too
/// long for every run of the tests, hexproof-check has no solver: Audit: what was made is audited all the same; Files:
/// it is not (10 to 15 s of a processor each).
enum class Look : uint8_t { All, Audit, Files };

struct Example {
  const char *name, *files, *options;
  Look look = Look::All;
};

constexpr const char *kHexagon = "--target hexagon", *kHost = "--target host",
                     *kVectors = "--target host --cpu x86-64-v4";
const Example kExamples[] = {
    {"Conv2dPairK1", "conv2d_conv2d/conv2d_conv2d.py conv2d_conv2d/schedule_k1_h1.py", kHexagon},
    {"Conv2dPairK2", "conv2d_conv2d/conv2d_conv2d.py conv2d_conv2d/schedule_k2_h2.py", kHexagon, Look::Audit},
    {"Conv2dPairRegisters", "conv2d_conv2d/conv2d_conv2d.py conv2d_conv2d/schedule_k1_h1_registers.py", kHexagon,
     Look::Audit},
    {"Conv2dPairK1Host", "conv2d_conv2d/conv2d_conv2d.py conv2d_conv2d/schedule_k1_h1_host.py", kVectors, Look::Audit},
    {"Conv2dPairK2Host", "conv2d_conv2d/conv2d_conv2d.py conv2d_conv2d/schedule_k2_h2_host.py", kVectors, Look::Files},
    {"Conv2d3x3PairK1Host", "conv2d_conv2d/conv2d_conv2d_3x3.py conv2d_conv2d/schedule_3x3_k1_h1_host.py", kVectors,
     Look::Files},
    {"Conv2d3x3PairK2Host", "conv2d_conv2d/conv2d_conv2d_3x3.py conv2d_conv2d/schedule_3x3_k2_h2_host.py", kVectors,
     Look::Files},
    {"Int8Conv1x1ZeroPoints", "conv2d_int8/conv2d_1x1_zero_points.py conv2d_int8/schedule_1x1_zero_points.py",
     kHexagon},
    {"Int8Conv3x3ZeroPoints", "conv2d_int8/conv2d_3x3_zero_points.py conv2d_int8/schedule_3x3_zero_points.py",
     kHexagon},
    {"Int8Conv1x1PackedInside", "conv2d_int8/conv2d_1x1.py conv2d_int8/schedule_1x1_packed_inside.py", kHexagon},
    {"Conv2dFloat", "conv2d_float32/conv2d_1x1.py conv2d_float32/schedule_1x1.py", kHexagon},
    {"Conv2dFloatHost", "conv2d_float32/conv2d_1x1.py conv2d_float32/schedule_1x1_host.py", kHost},
    {"Int8Conv1x1", "conv2d_int8/conv2d_1x1.py conv2d_int8/schedule_1x1.py", kHexagon},
    {"Int8Conv1x1Requant", "conv2d_int8/conv2d_1x1_requant.py conv2d_int8/schedule_1x1_requant.py", kHexagon},
    {"Int8Conv1x1U8S8", "conv2d_int8/conv2d_1x1_u8s8.py conv2d_int8/schedule_1x1_u8s8.py", kHexagon},
    {"Int8Conv1x1Host", "conv2d_int8/conv2d_1x1_u8s8.py conv2d_int8/schedule_1x1_host.py", kVectors},
    {"Int8Conv3x3", "conv2d_int8/conv2d_3x3.py conv2d_int8/schedule_3x3.py", kHexagon},
    {"Int8Conv3x3Requant", "conv2d_int8/conv2d_3x3_requant.py conv2d_int8/schedule_3x3_requant.py", kHexagon},
    {"Int8Conv3x3U8S8", "conv2d_int8/conv2d_3x3_u8s8.py conv2d_int8/schedule_3x3_u8s8.py", kHexagon},
    {"Int8Conv3x3Host", "conv2d_int8/conv2d_3x3_u8s8.py conv2d_int8/schedule_3x3_host.py", kVectors},
    {"Int8ConvPair", "conv2d_int8/conv2d_conv2d.py conv2d_int8/schedule_conv2d.py", kHexagon, Look::Files},
    {"Depthwise", "depthwise_int8/depthwise_3x3.py depthwise_int8/schedule_3x3.py", kHexagon},
    {"Conv1d", "conv1d_padded/conv1d.py conv1d_padded/schedule.py", kHexagon},
    {"Conv1dBranching", "conv1d_padded/conv1d.py conv1d_padded/schedule_branching.py", kHexagon},
    {"Conv1dFloat", "conv1d_padded/conv1d_float32.py conv1d_padded/schedule.py", "--target hexagon --fp 'nnan ninf'"},
    {"Conv1dFloatBranching", "conv1d_padded/conv1d_float32.py conv1d_padded/schedule_branching.py", kHexagon},
    {"Conv1dTwice", "conv1d_padded/conv1d_twice.py conv1d_padded/schedule_twice.py", kHexagon},
    {"MaxpoolBranching", "maxpool_padded/maxpool.py maxpool_padded/schedule_branching.py", kHexagon},
    {"MaxpoolFloat", "maxpool_padded/maxpool_float32.py maxpool_padded/schedule_float32.py", kHexagon},
    {"EmbedScale", "embed/scale.py embed/scale.schedule.py", kHost},
    {"AveragePool", "schedules/average_pool.py schedules/average_pool.schedule.py", kHost},
    {"BatchMatmul", "schedules/batch_matmul.py schedules/batch_matmul.schedule.py", kHost},
    {"BlockizeDot4", "schedules/blockize_dot4.py schedules/blockize_dot4.schedule.py", kHost},
    {"Conv2dInt8", "schedules/conv2d_int8.py schedules/conv2d_int8.schedule.py", kHost},
    {"Conv2dNhwc", "schedules/conv2d_nhwc.py schedules/conv2d_nhwc.schedule.py", kHost},
    {"DecomposePadding", "schedules/decompose_padding.py schedules/decompose_padding.schedule.py", kHost},
    {"DepthwiseFloat", "schedules/depthwise.py schedules/depthwise.schedule.py", kHost},
    {"DoubleBuffer", "schedules/double_buffer.py schedules/double_buffer.schedule.py", kHost},
    {"Elementwise", "schedules/elementwise.py schedules/elementwise.schedule.py", kHost},
    {"Layernorm", "schedules/layernorm.py schedules/layernorm.schedule.py", kHost},
    {"LayernormTwoSums", "schedules/layernorm_two_sums.py schedules/layernorm_two_sums.schedule.py", kHost},
    {"Matmul", "schedules/matmul.py schedules/matmul.schedule.py", kHost},
    {"MaxPool", "schedules/max_pool.py schedules/max_pool.schedule.py", kHost},
    {"Metaschedule", "schedules/metaschedule.py schedules/metaschedule.schedule.py", kHost},
    {"Rfactor", "schedules/rfactor.py schedules/rfactor.schedule.py", kHost},
    {"RfactorFloat", "schedules/rfactor_float32.py schedules/rfactor_float32.schedule.py", kHost},
    {"Softmax", "schedules/softmax.py schedules/softmax.schedule.py", kHost},
    {"Transpose", "schedules/transpose.py schedules/transpose.schedule.py", kHost},
};

// An example that is added is looked at, too.
TEST(ExampleList, HasEverySchedule) {
  const std::string root = HEXPROOF_SOURCE_DIR "/examples/";
  std::string all = "maxpool_padded/schedule.py ";  // certify_padded_test.cpp
  for (const Example& e : kExamples) all += std::string(e.files) + " ";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string name = fs::relative(entry.path(), root).generic_string();
    if (name.find("schedule") == name.npos || !name.ends_with(".py")) continue;
    if (name.starts_with("schedules/") && !name.ends_with(".schedule.py")) continue;
    EXPECT_NE(all.find(name + " "), std::string::npos) << name;
  }
}

/// The formulas of a certificate, with answers as its files say, and those that hexproof-check derives of it.
class Formulas {
 public:
  Formulas(const std::string& path, const std::string& folder) : known_(folder + "/known"), file_(folder + "/answers") {
    std::string lines;
    for (const std::string& name : certificate_files(path)) {
      if (!name.starts_with("obligations/")) continue;
      const std::string text = read_file(path + "/" + name);
      const size_t first = text.find('\n'), second = text.find('\n', first + 1);
      const bool sat = text.substr(first, second - first).find("; sat ") != text.npos;
      lines += sha256(text.substr(second + 1)) + (sat ? " sat\n" : " unsat\n");
    }
    write_file(known_, lines);
  }
  /// Options of a run that adds those that are derived of the certificate itself.
  std::string learning() const { return solver(known_ + " learn"); }
  /// Of a run on a changed one.
  std::string asking() const {
    write_file(file_, read_file(known_));
    return solver(file_);
  }

 private:
  static std::string solver(const std::string& words) {
    return "--solver '" HEXPROOF_BINARY_DIR "/hexproof python " HEXPROOF_SOURCE_DIR "/tests/support/known_answers.py " +
           words + "'";
  }
  std::string known_, file_;
};

class Examples : public testing::TestWithParam<size_t> {
 protected:
  static CommandResult check(const std::string& path, const std::string& options = "") {
    return run_line("'" HEXPROOF_BINARY_DIR "/hexproof-check' " + path + " " + options);
  }
  static CommandResult audit(const std::string& path) { return hexproof_command("audit " + path + " --solver z3"); }
};

TEST_P(Examples, AreAcceptedAndNotWhenTheyAreChanged) {
  const Example& e = kExamples[GetParam()];
  const std::string folder = fresh_folder(std::string("example-") + e.name), made = folder + "/made";
  std::string line = "certify --no-run";
  std::istringstream words(e.files);
  for (std::string file; words >> file;) line += " " HEXPROOF_SOURCE_DIR "/examples/" + file;
  const CommandResult certified = hexproof_command(line + " -o " + made + " " + e.options);
  ASSERT_EQ(certified.code, 0) << certified.text;
  CommandResult r = check(made, e.look == Look::All ? "--solver 'cvc5 --lang=smt2'" : "");
  EXPECT_EQ(r.code, 0) << r.text;
  if (e.look != Look::Files) {
    r = audit(made);
    EXPECT_EQ(r.code, 0) << r.text;
  }
  std::optional<Formulas> known;
  size_t tried = 0, audited = 0;
  for (size_t k = 0; k < std::size(kChanges); ++k) {
    // `audit` sees one of those that hexproof-check does not reject: over all examples each.
    const Change& change = kChanges[(GetParam() + k) % std::size(kChanges)];
    SCOPED_TRACE(change.name);
    const std::string path = changed_copy(made, folder + "/changed");
    Json certificate = certificate_json(path);
    const std::string rule = change.make(path, certificate);
    if (rule.empty()) continue;
    ++tried;
    write_certificate(path, certificate);
    if (change.seen == Seen::ByFiles) {
      r = check(path);
      EXPECT_EQ(r.code, 12) << r.text;
      continue;
    }
    const auto says_so = [&] { return r.text.find(" " + rule, r.text.find("believed: ")) != std::string::npos; };
    r = check(path);
    // Of a certificate that takes long a solver is asked only where nothing else tells of the change.
    if (change.seen == Seen::ByFormula && r.code == 0 && (e.look == Look::All || !says_so())) {
      if (!known) check(made, known.emplace(made, folder).learning());
      r = check(path, known->asking());
    }
    if (change.seen == Seen::ByFormula) {
      // (Two steps may be one that it derives.)
      const bool one = change.make == leave_a_step_out && kDerived.count(rule) > 0;
      EXPECT_TRUE(r.code == 5 || r.code == 12 || (r.code == 0 && (says_so() || one))) << rule << "\n" << r.text;
    } else {
      EXPECT_EQ(r.code, 0) << r.text;
      EXPECT_TRUE(says_so() || (change.seen == Seen::NotStored && kDerived.count(rule) > 0)) << rule << "\n" << r.text;
    }
    if (e.look != Look::All || audited++ > 0) continue;
    r = audit(path);
    EXPECT_EQ(r.code, 12) << r.text;
  }
  EXPECT_GE(tried, 5u);
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Certificates, Examples, testing::Range<size_t>(0, std::size(kExamples)),
                         [](const auto& one) { return std::string(kExamples[one.param].name); });

}  // namespace examples_test
}  // namespace hexproof
