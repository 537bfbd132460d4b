// The three conv2d -> conv2d schedules of the Hexagon document, as te scripts at full size.
#include "hexproof/equiv.h"
#include "tests/support/documents.h"
#include "tests/te/support.h"

namespace hexproof::te {
namespace conv2d_test {

std::string made(const std::string& name) {
  return made_by_file(std::string(HEXPROOF_SOURCE_DIR) + "/tests/te/conv2d/" + name + ".py");
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_HAS(text, part);
}

/// The same as TVM's lowering of the schedule, where that is at hand.
void expect_equal_to_kernel(const std::string& text, const std::string& kernel) {
  const std::filesystem::path file = documents_folder() / "kernels" / (kernel + ".py");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "without the documents";
  const auto pairs = api::equiv(api::read(file.string()), api::read_text(text), {}, session());
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].verdict, api::Verdict::Proved);
}

TEST(Conv2dTensorExpressions, Baseline) {
  const std::string text = made("k1_h1");
  expect_parts(text, {
                         "packed_input_global = T.decl_buffer((1, 1, 8, 4, 8, 8, 32)",    // 64 Ki
                         "packed_filter1_global = T.decl_buffer((1, 4, 1, 1, 8, 32, 4)",  // 4 Ki
                         "packed_filter2_global = T.decl_buffer((1, 4, 1, 1, 8, 32, 4)",
                         "temp_output = T.decl_buffer((1, 1, 8, 4, 8, 8, 32)",          // 64 Ki
                         "packed_output_global = T.decl_buffer((1, 1, 8, 1, 8, 8, 32)"  // 16 Ki
                     });
  expect_equal_to_kernel(text, "conv2d_conv2d_1x1_k1_h1");
}

TEST(Conv2dTensorExpressions, SplitOnChannelAndHeight) {
  const std::string text = made("k2_h2");
  expect_parts(text, {"packed_input_global = T.decl_buffer((1, 2, 8, 4, 8, 8, 32)",    // 128 Ki
                      "packed_filter1_global = T.decl_buffer((2, 4, 1, 1, 8, 32, 4)",  // 8 Ki
                      "temp_output = T.decl_buffer((1, 2, 8, 4, 8, 8, 32)",            // 128 Ki
                      "packed_output_global = T.decl_buffer((1, 2, 8, 2, 8, 8, 32)"});
  expect_equal_to_kernel(text, "conv2d_conv2d_1x1_k2_h2");
}

TEST(Conv2dTensorExpressions, Filter3x3) {
  // One slice more of the input, and of what the second convolution reads; guards at the bottom.
  const std::string text = made("k2_h2_3x3");
  expect_parts(text, {"packed_input_global = T.decl_buffer((1, 3, 8, 4, 8, 8, 32)",    // 192 Ki
                      "packed_filter1_global = T.decl_buffer((2, 4, 3, 3, 8, 32, 4)",  // 72 Ki
                      "packed_filter2_global = T.decl_buffer((2, 4, 3, 3, 8, 32, 4)",
                      "temp_output = T.decl_buffer((1, 3, 8, 4, 8, 8, 32)",  // 192 Ki
                      "if ax0_0 * 2 + ax0_1 < 3:", "< 8:"});
}

// The document's reuse of storage: the input is used up when the output is computed, so its cache holds the output.
// Where rows of the input live on, it may not.
TEST(Conv2dTensorExpressions, TheOutputInTheCacheOfTheInput) {
  const Args share{{"buffer", std::string("packed_output_global")}, {"with", std::string("packed_input_global")}};
  for (const char* name : {"k1_h1", "k2_h2", "k2_h2_3x3"}) {
    Derivation derivation(parse_module(made(name)).functions.at(0));
    derivation.apply("share-storage", share, session().prover());
    EXPECT_HAS(print(derivation.current()), "\"float32\", data=packed_input_global.data)");
  }
  Derivation rows(parse_module(made("k2_h2_3x3_rows")).functions.at(0));
  try {
    rows.apply("share-storage", share, session().prover());
    ADD_FAILURE() << print(rows.current());
  } catch (const NotApplicable& no) {
    EXPECT_HAS(std::string(no.what()), "used again in the next iteration");
  }
}

}  // namespace conv2d_test
}  // namespace hexproof::te
