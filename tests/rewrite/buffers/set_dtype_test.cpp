#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace set_dtype_test {

constexpr const char* kRule = "set-dtype";

Args to(const std::string& dtype, const std::string& buffer = "B") { return {{"buffer", buffer}, {"dtype", dtype}}; }

std::string storing(const std::string& value, const std::string& type = "int32", const std::string& of = "int32") {
  return R"(
def before(A: T.Buffer((8,), ")" +
         of + R"("), C: T.Buffer((8,), ")" + type + R"(")):
    B = T.alloc_buffer((8,), ")" +
         type + R"(")
    for i in range(8):
        B[i] = )" +
         value + R"(
    for i in range(8):
        C[i] = B[7 - i] + B[i]
)";
}

TEST(SetDtype, ValuesThatFit) {
  expect_applies(storing("T.Cast(\"int32\", A[i])", "int32", "int8"), kRule, to("int8"), R"(
def after(A: T.Buffer((8,), "int8"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int8")
    for i in range(8):
        B[i] = T.Cast("int8", T.Cast("int32", A[i]))
    for i in range(8):
        C[i] = T.Cast("int32", B[7 - i]) + T.Cast("int32", B[i])
)");
  expect_applies(storing("i * 16"), kRule, to("uint8"), "");
  expect_applies(storing("A[i] & 127"), kRule, to("int8"), "");
  expect_applies(storing("T.undef()"), kRule, to("int8"), "");
  expect_applies(storing("A[i]"), kRule, to("int64"), "");
  expect_applies(storing("A[i]", "float32", "float32"), kRule, to("float64"), "");
}

// The block says that it reads B, and does not.
TEST(SetDtype, ABufferThatAClaimAloneNames) {
  expect_applies(R"(
def before(C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    with T.block("b"):
        vi = T.axis.spatial(8, 0)
        T.reads(B[vi])
        T.writes(C[vi])
        T.evaluate(0)
)",
                 kRule, to("int64"), "");
}

TEST(SetDtype, FlippedBits) {
  Args flipped = to("uint8");
  flipped.emplace("flip", int64_t{128});
  expect_applies(storing("A[i]", "int8", "int8"), kRule, flipped, R"(
def after(A: T.Buffer((8,), "int8"), C: T.Buffer((8,), "int8")):
    B = T.alloc_buffer((8,), "uint8")
    for i in range(8):
        B[i] = T.Cast("uint8", A[i]) ^ T.uint8(128)
    for i in range(8):
        C[i] = T.Cast("int8", B[7 - i] ^ T.uint8(128)) + T.Cast("int8", B[i] ^ T.uint8(128))
)");
  flipped.at("flip") = int64_t{256};
  expect_not_applicable(parse(storing("A[i]", "int8", "int8")), kRule, flipped, "256 is no 'uint8'");
  Args floats = to("float64");
  floats.emplace("flip", int64_t{1});
  expect_not_applicable(parse(storing("A[i]", "float32", "float32")), kRule, floats, "floats are not flipped");
}

TEST(SetDtype, DoesNotApply) {
  const PrimFunc func = parse(storing("A[i]"));
  for (const char* type : {"int32", "int31", "", "int8x4", "handle"}) {
    EXPECT_TRUE(not_applicable(func, kRule, to(type))) << type;
  }
}

TEST(SetDtype, Condition1AnAllocationThatNothingElseSpeaksOf) {
  expect_not_applicable(parse(storing("A[i]")), kRule, to("int64", "C"), "is an argument");
  expect_not_applicable(parse(storing("A[i]")), kRule, to("float64"), "integers stay integers");
  expect_not_applicable(parse(R"(
def before(C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(8):
        B[i] = i
        T.assume(B[i] == i)
        C[i] = B[i]
)"),
                        kRule, to("int8"), "an assume speaks of 'B'");
}

TEST(SetDtype, Condition2EachValueComesBack) {
  expect_refused_rightly(parse(storing("A[i]")), kRule, to("int8"), "comes back from 'int8'");
  expect_refused_rightly(parse(storing("i * 16 + 16")), kRule, to("int8"), "comes back from 'int8'");
  expect_refused_rightly(parse(storing("A[i] & 255")), kRule, to("int8"), "comes back from 'int8'");
  expect_refused_rightly(parse(storing("A[i]", "float32", "float32")), kRule, to("float16"),
                         "comes back from 'float16'");
  expect_not_applicable(parse(storing("A[i] * T.undef()")), kRule, to("int64"), "holds an undef");
}

TEST(SetDtype, Condition3TheBufferFits) {
  EXPECT_TRUE(refusal(parse(R"(
def before(C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((268435456,), "int32")
    for i in range(8):
        B[i] = i
        C[i] = B[i]
)"),
                      kRule, to("int64")));
}

}  // namespace set_dtype_test
}  // namespace hexproof
