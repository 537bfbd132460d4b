// The project's own programs (tests/seeds/programs): each parses, is well formed and round-trips, and the convolutions
// compute what they say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "ir/interpreter/interpreter.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "tests/seeds/findings.h"

namespace hexproof {
namespace {

std::string program(const std::string& name) {
  return std::string(HEXPROOF_SOURCE_DIR) + "/tests/seeds/programs/" + name + ".py";
}

TEST(Programs, ParseAndRoundTrip) {
  size_t functions = 0;
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(HEXPROOF_SOURCE_DIR) + "/tests/seeds/programs")) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    IRModule module = parse_file(path.string());
    std::string printed = print(module);
    IRModule back = parse_module(printed);
    EXPECT_EQ(print(back), printed);
    ASSERT_EQ(back.functions.size(), module.functions.size());
    for (size_t i = 0; i < back.functions.size(); ++i, ++functions) {
      EXPECT_TRUE(same_program(module.functions[i], back.functions[i])) << module.functions[i].name;
      EXPECT_EQ(ill_formed(module.functions[i]), "");
    }
  }
  EXPECT_GE(functions, 60u);
}

/// Whole numbers over 64, so that every sum is exact in any order; the result starts at zero.
std::vector<Tensor> inputs(const PrimFunc& func) {
  std::mt19937 random(5);
  std::vector<Tensor> out;
  for (const Buffer& buffer : func.buffer_params()) {
    std::vector<int64_t> shape = constant_shape(buffer).value();
    Tensor tensor = make_tensor(buffer->dtype, shape);
    tensor.initialised.clear();
    float* cells = reinterpret_cast<float*>(tensor.data.data());
    bool result = out.size() == 3;
    for (int64_t i = 0; i < tensor.size(); ++i)
      cells[i] = result ? 0.0f : static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 64;
    out.push_back(std::move(tensor));
  }
  return out;
}

/// Each program is checked; all are free of errors but those listed.
TEST(Programs, Findings) {
  const ExpectedFindings expected = {
      {"conv_3x3_lowered_k1_h1 main", {Finding::Refuted, "index 131072 of axis 0 of buffer 'band'"}},
      {"conv_3x3_lowered_k2_h2 main", {Finding::Refuted, "index 196608 of axis 0 of buffer 'band'"}},
      {"overcompute out_of_bounds", {Finding::Refuted, "index 4 of axis 0 of buffer 'signal'"}},
  };
  std::map<std::string, int> met;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(HEXPROOF_SOURCE_DIR) + "/tests/seeds/programs")) {
    check_module(parse_file(entry.path().string()), entry.path().stem().string(), expected, &met);
  }
  for (const auto& [key, finding] : expected) EXPECT_EQ(met.count(key), 1u) << key << " is listed and not there";
}

/// The first two bands of eight rows: the caches are filled, used and filled again, and a run takes a second.
TEST(Programs, OneByOneConvolutionsComputeTheSame) {
  struct Case {
    const char *name, *loops, *fewer;
  };
  std::vector<uint8_t> expected;
  for (const auto& [name, loops, fewer] :
       {Case{"conv_1x1_naive", "T.grid(64, 64, 128)", "T.grid(16, 64, 128)"},
        Case{"conv_1x1_lowered_k1_h1", "kb, rows in T.grid(4, 8)", "kb, rows in T.grid(4, 2)"},
        Case{"conv_1x1_lowered_k2_h2", "kb, rows in T.grid(2, 4)", "kb, rows in T.grid(2, 1)"}}) {
    std::ifstream in(program(name));
    std::stringstream stream;
    stream << in.rdbuf();
    std::string text = stream.str();
    ASSERT_NE(text.find(loops), std::string::npos) << name;
    for (size_t at = 0; (at = text.find(loops, at)) != std::string::npos;) text.replace(at, std::strlen(loops), fewer);
    IRModule module = parse_module(text, name);
    const PrimFunc& func = pick_function(module, "");
    std::vector<Tensor> tensors = inputs(func);
    RunResult result = run(func, tensors);
    ASSERT_FALSE(result.error) << name << ": " << result.error->str();
    if (expected.empty()) expected = tensors[3].data;
    EXPECT_TRUE(tensors[3].data == expected) << name;
  }
}

TEST(Programs, ThreeByThreeSchedulesReadPastTheirCaches) {
  struct Case {
    const char* name;
    const char* message;
    int64_t half;
  };
  for (const Case& c : {Case{"conv_3x3_lowered_k1_h1", "index 131072 of axis 0 of buffer 'band' (size 131072)", -1},
                        Case{"conv_3x3_lowered_k2_h2", "index 196608 of axis 0 of buffer 'band' (size 196608)", 1}}) {
    IRModule module = parse_file(program(c.name));
    const PrimFunc& func = pick_function(module, "");
    std::vector<Tensor> tensors = inputs(func);
    RunResult result = run(func, tensors);
    ASSERT_TRUE(result.error) << c.name;
    EXPECT_NE(result.error->message.find(c.message), std::string::npos) << result.error->message;
    std::map<std::string, int64_t> at(result.error->loops.begin(), result.error->loops.end());
    EXPECT_EQ(at["column"], 7) << c.name;
    EXPECT_EQ(at["y"] + at["dy"], 8) << c.name;
    EXPECT_EQ(at["x"] + at["dx"], 8) << c.name;
    EXPECT_EQ(at.count("half") ? at["half"] : -1, c.half);
  }
}

}  // namespace
}  // namespace hexproof
