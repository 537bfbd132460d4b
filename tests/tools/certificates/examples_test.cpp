// The certificates of the examples: accepted by hexproof-check and by `audit`, and not when one thing in them is
// another one. (That of maxpool.py with schedule.py is looked at where it is made: certify_padded_test.cpp.)
#include <gtest/gtest.h>

#include <sstream>

#include "tests/tools/certificates/certificate_folder.h"

namespace hexproof {
namespace examples_test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// What is done to a certificate, with digests that fit. `audit` sees each.
struct Change {
  const char* name;
  bool (*make)(const std::string& path, Json& certificate);  // false: there is nothing to change
  bool seen_by_check;                                        // by hexproof-check without a solver, too
};

bool replace_in(const std::string& file, const std::string& from, const std::string& to) {
  std::string text = read_file(file);
  const size_t at = text.rfind(from);
  if (at == text.npos) return false;
  write_file(file, text.replace(at, from.size(), to));
  return true;
}

Json* step_with(Json& certificate, const char* list) {
  for (Json& step : certificate["steps"]) {
    if (!step[list].empty()) return &step;
  }
  return nullptr;
}

/// What is asserted last, the negated goal, is false: a formula that everybody shows.
bool weaken_a_formula(const std::string& path, Json& certificate) {
  Json* step = step_with(certificate, "obligations");
  if (!step) return false;
  const std::string name = (*step)["obligations"][0]["smtlib"], text = read_file(path + "/" + name);
  const size_t head = text.find("(set-logic"), goal = text.rfind("(assert ");
  const std::string body = text.substr(head, goal - head) + "(assert false)\n(check-sat)\n";
  const std::string weaker = "obligations/" + sha256(body).substr(0, 16) + ".smt2";
  write_file(path + "/" + weaker, text.substr(0, head) + body);
  fs::remove(path + "/" + name);
  auto renamed = [&](Json& obligations) {
    for (Json& o : obligations) {
      if (o["smtlib"] == name) o["smtlib"] = weaker;
    }
  };
  for (Json& one : certificate["steps"]) renamed(one["obligations"]);
  for (const char* check : {"source_check", "final_check"}) renamed(certificate[check]["obligations"]);
  certificate["files"].erase(name);
  certificate["files"][weaker] = "";
  return true;
}

bool leave_an_obligation_open(const std::string&, Json& certificate) {
  Json* step = step_with(certificate, "obligations");
  if (!step) return false;
  (*step)["obligations"].back()["verdict"] = "unknown";
  return true;
}

bool leave_an_obligation_out(const std::string&, Json& certificate) {
  Json* step = step_with(certificate, "obligations");
  if (!step) return false;
  (*step)["obligations"].erase(0);
  return true;
}

bool hide_a_change_of_the_interface(const std::string&, Json& certificate) {
  Json* step = step_with(certificate, "interface");
  if (!step) return false;
  (*step)["interface"] = Json::array();
  return true;
}

/// The last program stores a sum where the steps make another one.
bool change_the_last_program(const std::string& path, Json&) {
  return replace_in(path + "/final.py", " + ", " - ") || replace_in(path + "/final.py", " * ", " + ");
}

/// The program after a step, and all that is said to come of it.
bool change_the_programs_of_steps(const std::string& path, Json& certificate) {
  const Json& steps = certificate["steps"];
  bool changed = false;
  for (size_t k = steps.size() / 2; k < steps.size(); ++k) {
    changed = replace_in(path + "/" + steps[k]["program"].get<std::string>(), " + ", " - ") || changed;
  }
  return replace_in(path + "/final.py", " + ", " - ") || changed;
}

bool change_the_source(const std::string& path, Json&) {
  return replace_in(path + "/source.py", " + ", " - ") || replace_in(path + "/source.py", " * ", " + ");
}

bool leave_a_step_out(const std::string& path, Json& certificate) {
  if (certificate["steps"].size() < 2) return false;
  const std::string program = certificate["steps"][0]["program"];
  certificate["steps"].erase(0);
  certificate["files"].erase(program);
  fs::remove(path + "/" + program);
  return true;
}

bool say_that_nothing_holds(const std::string&, Json& certificate) {
  for (Json& one : certificate["given_models"]) {
    if (one.contains("none")) continue;
    one = {{"none", "it was late"}};
    return true;
  }
  return false;
}

const Change kChanges[] = {
    {"an obligation is open", leave_an_obligation_open, true},
    {"a formula is weaker", weaken_a_formula, false},
    {"an obligation is left out", leave_an_obligation_out, false},
    {"a change of the interface is hidden", hide_a_change_of_the_interface, true},
    {"the last program is another one", change_the_last_program, true},
    {"the programs of steps are others", change_the_programs_of_steps, false},
    {"the source is another one", change_the_source, false},
    {"a step is left out", leave_a_step_out, false},
    {"nothing is said to hold", say_that_nothing_holds, false},
};

/// All: hexproof-check with a solver, and `audit`. Files: hexproof-check without a solver, where all takes too long for
/// every run of the tests.
enum class Look : uint8_t { All, Files };

struct Example {
  const char *name, *files, *options;
  Look look = Look::All;
};

constexpr const char *kHexagon = "--target hexagon", *kHost = "--target host",
                     *kVectors = "--target host --cpu x86-64-v4";
const Example kExamples[] = {
    {"Conv2dPairK1", "conv2d_conv2d/conv2d_conv2d.py conv2d_conv2d/schedule_k1_h1.py", kHexagon},
    {"Conv2dPairK2", "conv2d_conv2d/conv2d_conv2d.py conv2d_conv2d/schedule_k2_h2.py", kHexagon, Look::Files},
    {"Conv2dPairRegisters", "conv2d_conv2d/conv2d_conv2d.py conv2d_conv2d/schedule_k1_h1_registers.py", kHexagon,
     Look::Files},
    {"Conv2dPairK1Host", "conv2d_conv2d/conv2d_conv2d.py conv2d_conv2d/schedule_k1_h1_host.py", kVectors, Look::Files},
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
    {"Int8Conv1x1Host", "conv2d_int8/conv2d_1x1_u8s8.py conv2d_int8/schedule_1x1_host.py", kVectors, Look::Files},
    {"Int8Conv3x3", "conv2d_int8/conv2d_3x3.py conv2d_int8/schedule_3x3.py", kHexagon},
    {"Int8Conv3x3Requant", "conv2d_int8/conv2d_3x3_requant.py conv2d_int8/schedule_3x3_requant.py", kHexagon},
    {"Int8Conv3x3U8S8", "conv2d_int8/conv2d_3x3_u8s8.py conv2d_int8/schedule_3x3_u8s8.py", kHexagon},
    {"Int8Conv3x3Host", "conv2d_int8/conv2d_3x3_u8s8.py conv2d_int8/schedule_3x3_host.py", kVectors, Look::Files},
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
  if (e.look == Look::All) {
    r = audit(made);
    EXPECT_EQ(r.code, 0) << r.text;
  }
  // One change for each example, and over all of them each change.
  size_t at = GetParam() % std::size(kChanges);
  for (size_t tried = 0; tried < std::size(kChanges); ++tried, at = (at + 1) % std::size(kChanges)) {
    const Change& change = kChanges[at];
    if (e.look == Look::Files && !change.seen_by_check) continue;
    const std::string path = changed_copy(made, folder + "/changed");
    Json certificate = certificate_json(path);
    if (!change.make(path, certificate)) continue;
    write_certificate(path, certificate);
    r = change.seen_by_check ? check(path) : audit(path);
    EXPECT_EQ(r.code, 12) << change.name << "\n" << r.text;
    fs::remove_all(folder);
    return;
  }
  ADD_FAILURE() << "nothing to change";
}

INSTANTIATE_TEST_SUITE_P(Certificates, Examples, testing::Range<size_t>(0, std::size(kExamples)),
                         [](const auto& one) { return std::string(kExamples[one.param].name); });

}  // namespace examples_test
}  // namespace hexproof
