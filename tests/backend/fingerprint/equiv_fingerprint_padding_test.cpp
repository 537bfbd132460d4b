// Fingerprints of pairs with layouts, padding and assumes.
#include "tests/backend/fingerprint/fingerprint.h"

namespace hexproof {
namespace equiv_fingerprint_padding_test {

using namespace fingerprints;

TEST(Fingerprint, LayoutsAndPadding) {
  PrimFunc before = parse(R"(def f(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for i in range(14):
        B[i] = A[i] * T.float32(2)
)");
  auto after = [&](const std::string& body) {
    return parse("def f(A: T.Buffer((4, 4), \"float32\"), B: T.Buffer((4, 4), \"float32\")):\n" + body);
  };
  RelationRequest request;
  request.layouts.emplace("A", layout("lambda i: [i // 4, i % 4]"));
  request.layouts.emplace("B", layout("lambda i: [i // 4, i % 4]"));
  const std::string guarded =
      "    for i, j in T.grid(4, 4):\n        if i * 4 + j < 14:\n            B[i, j] = A[i, j] * T.float32(2)\n";
  const std::string whole = "    for i, j in T.grid(4, 4):\n        B[i, j] = A[i, j] * T.float32(2)\n";
  expect_equal(before, after(guarded), request);
  expect_not_equal(before, after(whole), "reads padding that no value is given for", request);
  expect_not_equal(before,
                   after("    for i, j in T.grid(4, 4):\n        if i * 4 + j < 13:\n"
                         "            B[i, j] = A[i, j] * T.float32(2)\n"),
                   "B[13] differ", request);

  request.pads = {{"A", "0"}, {"B", "undef"}};
  expect_equal(before, after(whole), request);
  request.pads["B"] = "0";
  expect_not_equal(before, after(guarded), "the padding B[3, 2] does not hold the pad value", request);
  expect_not_equal(before, after(whole), "the padding B[3, 2] does not hold the pad value", request);  // 0 * 2
  expect_equal(before, after("    for i, j in T.grid(4, 4):\n        B[i, j] = T.float32(0)\n" + guarded), request);
  // The padding of A holds zeros.
  expect_equal(before, after(guarded + "    for j in range(2):\n        B[3, j + 2] = A[3, 3 - j]\n"), request);
  request.logical_only = {"B"};
  expect_equal(before, after(guarded), request);
}

TEST(Fingerprint, AssumesOfAfterMustHold) {
  PrimFunc before = parse(R"(def f(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for i in range(14):
        B[i] = A[i]
)");
  auto after = [&](const std::string& condition) {
    return parse(
        "def f(A: T.Buffer((4, 4), \"float32\"), B: T.Buffer((4, 4), \"float32\")):\n"
        "    for i, j in T.grid(4, 4):\n        T.assume(" +
        condition + ")\n    for i, j in T.grid(4, 4):\n        B[i, j] = A[i, j]\n");
  };
  RelationRequest request;
  request.layouts.emplace("A", layout("lambda i: [i // 4, i % 4]"));
  request.layouts.emplace("B", layout("lambda i: [i // 4, i % 4]"));
  request.pads = {{"A", "0"}, {"B", "undef"}};
  const std::string refused = "an assume of the program after is neither";
  expect_equal(before, after("i * 4 + j < 14 or A[i, j] == T.float32(0)"), request);
  expect_equal(before, after("i * 4 + j < 14 or A[i, j] == T.undef(dtype=\"float32\")"), request);
  expect_not_equal(before, after("i * 4 + j < 13 or A[i, j] == T.float32(0)"), refused, request);
  expect_not_equal(before, after("i * 4 + j < 14 or A[i, j] == T.float32(1)"), refused, request);
  expect_not_equal(before, after("A[i, j] == T.float32(0)"), refused, request);
  expect_not_equal(before, after("i * 4 + j < 15"), refused, request);
  expect_equal(before, after("i * 4 + j < 16"), request);
  // A cell that is not in the buffer is not read: the left operand guards it.
  expect_equal(before, after("i * 4 + j < 14 or A[i + 0, j + (i * 4 + j) // 16] == T.float32(0)"), request);
  request.pads["A"] = "undef";
  expect_not_equal(before, after("i * 4 + j < 14 or A[i, j] == T.float32(0)"), refused, request);
  request.pads["A"] = "1";
  expect_not_equal(before, after("i * 4 + j < 14 or A[i, j] == T.float32(0)"), refused, request);
}

TEST(Fingerprint, AnAssumeOfBeforeMayStayInAfter) {
  auto f = [&](const char* assume) {
    return parse(std::string("def f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
                             "    for i in range(8):\n        T.assume(") +
                 assume + ")\n    for i in range(8):\n        B[i] = A[i] + 1\n");
  };
  expect_equal(f("A[i] >= 0 and A[i] < 100"), f("A[7 - i] < 100 and A[7 - i] >= 0"));
  expect_not_equal(f("A[i] >= 0 and A[i] < 100"), f("A[i] >= 0 and A[i] < 101"), "an assume of the program after");
  expect_not_equal(f("i >= 0"), f("A[i] >= 0"), "an assume of the program after");
  expect_equal(f("A[i] >= 0"), f("i >= 0"));
}

TEST(Fingerprint, PadsOfIntegers) {
  PrimFunc before = parse(R"(def f(A: T.Buffer((3,), "int8"), B: T.Buffer((3,), "int8")):
    for i in range(3):
        B[i] = A[i]
)"),
           after = parse(R"(def f(A: T.Buffer((2, 2), "int8"), B: T.Buffer((2, 2), "int8")):
    for i, j in T.grid(2, 2):
        B[i, j] = A[i, j] * T.int8(2) - A[i, j]
)");
  RelationRequest request;
  request.layouts.emplace("A", layout("lambda i: [i // 2, i % 2]"));
  request.layouts.emplace("B", layout("lambda i: [i // 2, i % 2]"));
  request.pads = {{"A", "-3"}, {"B", "-3"}};
  expect_equal(before, after, request);
  request.pads["B"] = "3";
  expect_not_equal(before, after, "the padding B[1, 1]", request);
}

}  // namespace equiv_fingerprint_padding_test
}  // namespace hexproof
