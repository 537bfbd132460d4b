#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace share_storage_test {

constexpr const char* kText = R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    t = T.alloc_buffer((16,), "int32")
    u = T.alloc_buffer((2, 8), "int32")
    for i in range(16):
        t[i] = A[i] + 1
    for i in range(16):
        B[i] = t[15 - i]
    for i in range(16):
        u[i // 8, i % 8] = A[i]
    for i in range(16):
        B[i] = B[i] + u[1 - i // 8, i % 8]
)";

Args share(const std::string& buffer, const std::string& with) { return {{"buffer", buffer}, {"with", with}}; }
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}
void refused(const std::string& text, const std::string& why, const Args& args = share("u", "t")) {
  expect_not_applicable(parse(text), "share-storage", args, why);
}

TEST(ShareStorage, OneAfterTheOther) {
  expect_applies(kText, "share-storage", share("u", "t"), R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    t = T.alloc_buffer((16,), "int32")
    u = T.decl_buffer((2, 8), "int32", data=t.data)
    for i in range(16):
        t[i] = A[i] + 1
    for i in range(16):
        B[i] = t[15 - i]
    for i in range(16):
        u[i // 8, i % 8] = A[i]
    for i in range(16):
        B[i] = B[i] + u[1 - i // 8, i % 8]
)");
}

// The later one may be the one that stays, and a third one goes into the same memory.
TEST(ShareStorage, InEitherOrderAndAgain) {
  std::string text = replaced(kText, "    t = T.alloc_buffer((16,), \"int32\")\n", "");
  text = replaced(text, "    for i in range(16):\n        t[i]",
                  "    t = T.alloc_buffer((16,), \"int32\")\n    for i in range(16):\n        t[i]");
  expect_applies(text, "share-storage", share("t", "u"), "");
  const std::string third = std::string(kText) +
                            "    w = T.alloc_buffer((3,), \"int32\")\n    for i in range(3):\n"
                            "        w[i] = A[i]\n    for i in range(3):\n        B[i] = w[2 - i]\n";
  const std::string in_front = replaced(
      replaced(third, "    w = T.alloc_buffer((3,), \"int32\")\n", ""), "    for i in range(16):\n        t[i]",
      "    w = T.alloc_buffer((3,), \"int32\")\n    for i in range(16):\n        t[i]");
  const PrimFunc once = applied(parse(in_front), "share-storage", share("u", "t"));
  const PrimFunc twice = applied(once, "share-storage", share("w", "t"));
  EXPECT_EQ(difference(parse(in_front), twice), "");
}

TEST(ShareStorage, InAnIterationOfALoop) {
  const std::string text = R"(
def before(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32"), n: T.int32):
    T.assume(n >= 0 and n <= 8)
    for i in T.parallel(4):
        t = T.alloc_buffer((8,), "float32")
        for j in range(8):
            t[j] = A[i, j]
        for j in range(8):
            B[i, j] = t[7 - j]
        u = T.alloc_buffer((n,), "float32")
        for j in range(n):
            u[j] = A[i, j]
        for j in range(n):
            B[i, j] = B[i, j] + u[n - 1 - j]
)";
  for (int64_t n : {0, 3, 8}) expect_applies(text, "share-storage", share("u", "t"), "", {{"n", n}});
}

TEST(ShareStorage, Condition1OfOneKindAndInScope) {
  refused(replaced(kText, "u = T.alloc_buffer((2, 8), \"int32\")",
                   "u = T.alloc_buffer((2, 8), \"int32\", scope=\"local\")"),
          "storage of two scopes");
  refused(kText, "is allocated in the scope of the other", share("t", "t"));
  refused(R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        t = T.alloc_buffer((1,), "int32")
        t[0] = A[i]
        B[i] = t[0]
    for i in range(4):
        u = T.alloc_buffer((1,), "int32")
        u[0] = B[i]
        A[i] = u[0]
)",
          "is allocated in the scope of the other");
  refused(kText, "is an argument", share("A", "t"));
  refused(kText, "is an argument", share("u", "A"));
  refused(replaced(kText, "u = T.alloc_buffer((2, 8), \"int32\")",
                   "u = T.alloc_buffer((2, 8), \"int32\", axis_separators=[1])"),
          "more than one physical axis");
  refused(R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int64")):
    t = T.alloc_buffer((4,), "int32")
    u = T.alloc_buffer((4,), "int64")
    for i in range(4):
        t[i] = A[i]
    for i in range(4):
        u[i] = B[i]
)",
          "elements of two types");
}

TEST(ShareStorage, Condition2InUseTogether) {
  const std::string late = replaced(kText, "B[i] = B[i] + u[1 - i // 8, i % 8]", "B[i] = t[i] + u[1 - i // 8, i % 8]");
  expect_not_applicable_rightly(parse(late), "share-storage", share("u", "t"), "in use together", R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    t = T.alloc_buffer((16,), "int32")
    u = T.decl_buffer((2, 8), "int32", data=t.data)
    for i in range(16):
        t[i] = A[i] + 1
    for i in range(16):
        B[i] = t[15 - i]
    for i in range(16):
        u[i // 8, i % 8] = A[i]
    for i in range(16):
        B[i] = t[i] + u[1 - i // 8, i % 8]
)");
  refused(replaced(kText, "u[i // 8, i % 8] = A[i]", "u[i // 8, i % 8] = t[i]"), "in use together");
  // The memory of t outlives the iteration: what it holds is read in the next one.
  const char* again = R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    t = T.alloc_buffer((1,), "int32")
    u = T.alloc_buffer((1,), "int32")
    for i in range(4):
        t[0] = T.if_then_else(i == 0, 0, t[0]) + A[i]
        B[i] = t[0]
        u[0] = i
        B[i] = B[i] + u[0]
)";
  expect_not_applicable_rightly(
      parse(again), "share-storage", share("u", "t"), "used again in the next iteration of 'i'",
      replaced(again, "u = T.alloc_buffer((1,), \"int32\")", "u = T.decl_buffer((1,), \"int32\", data=t.data)"));
  refused(R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    t = T.alloc_buffer((4,), "int32")
    u = T.alloc_buffer((4,), "int32")
    for i in range(4):
        t[i] = A[i] & 3
        u[t[i]] = 5
        B[i] = t[i]
)",
          "in the next iteration");
  refused(R"(
def before(B: T.Buffer((4,), "int32")):
    t = T.alloc_buffer((4,), "int32")
    u = T.alloc_buffer((4,), "int32")
    for i in range(4):
        B[i] = i
)",
          "is not used");
}

TEST(ShareStorage, Condition3ItFits) {
  const std::string text = replaced(kText, "t = T.alloc_buffer((16,)", "t = T.alloc_buffer((15,)");
  const std::string less = replaced(replaced(text, "range(16):\n        t[i]", "range(15):\n        t[i]"),
                                    "range(16):\n        B[i] = t[15 - i]", "range(15):\n        B[i] = t[14 - i]");
  expect_refused_rightly(parse(less), "share-storage", share("u", "t"), "fits in the memory that it shares");
}

TEST(ShareStorage, Condition4NoOtherWayThere) {
  refused(replaced(kText, "    for i in range(16):\n        t[i]",
                   "    v = T.decl_buffer((16,), \"int32\", data=u.data)\n    for i in range(16):\n        t[i]"),
          "is a view of the memory of 'u'");
  // A view of t is t.
  const std::string view =
      replaced(kText, "    for i in range(16):\n        t[i]",
               "    v = T.decl_buffer((16,), \"int32\", data=t.data)\n    for i in range(16):\n        t[i]");
  expect_applies(view, "share-storage", share("u", "t"), "");
  refused(replaced(view, "B[i] = B[i] + u", "B[i] = v[i] + u"), "in use together");
}

constexpr const char* kInner = R"(
def before(A: T.Buffer((4, 8), "int32"), B: T.Buffer((8,), "int32")):
    u = T.alloc_buffer((4,), "int32")
    for i in range(4):
        t = T.alloc_buffer((8,), "int32")
        for j in range(8):
            t[j] = A[i, j]
        for j in range(8):
            B[j] = B[j] + t[7 - j]
    for j in range(4):
        u[j] = B[j]
    for j in range(4):
        B[j] = B[j] + u[3 - j]
)";

TEST(ShareStorage, TheMemoryMovesOut) {
  expect_applies(kInner, "share-storage", share("u", "t"), R"(
def before(A: T.Buffer((4, 8), "int32"), B: T.Buffer((8,), "int32")):
    t = T.alloc_buffer((8,), "int32")
    u = T.decl_buffer((4,), "int32", data=t.data)
    for i in range(4):
        for j in range(8):
            t[j] = A[i, j]
        for j in range(8):
            B[j] = B[j] + t[7 - j]
    for j in range(4):
        u[j] = B[j]
    for j in range(4):
        B[j] = B[j] + u[3 - j]
)");
}

TEST(ShareStorage, Condition5OutOfWhat) {
  // The iterations of a parallel loop would share the one memory.
  const std::string text =
      replaced(replaced(kInner, "range(4)", "T.parallel(4)"), "B[j] = B[j] + t[7 - j]", "A[i, j] = t[7 - j]");
  refused(text, "the iterations of 'i' would share 't'");
  const std::string moved = replaced(
      replaced(text, "        t = T.alloc_buffer((8,), \"int32\")\n", ""), "u = T.alloc_buffer((4,), \"int32\")",
      "t = T.alloc_buffer((8,), \"int32\")\n    u = T.decl_buffer((4,), \"int32\", data=t.data)");
  EXPECT_EQ(error_of(parse(moved), {}), ErrorKind::Race);
  refused(R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    u = T.alloc_buffer((1,), "int32")
    for i in range(4):
        with T.block("b"):
            v = T.axis.spatial(4, i)
            t = T.alloc_buffer((1,), "int32")
            t[0] = A[v]
            B[v] = t[0]
    u[0] = B[0]
    B[1] = u[0]
)",
          "does not move out of a block");
}

// The memory of what becomes a view moves out as well.
TEST(ShareStorage, Condition5OfTheView) {
  const char* text = R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    t = T.alloc_buffer((4,), "int32")
    for i in range(4):
        t[i] = A[i]
    for i in range(4):
        B[i] = t[3 - i]
    for i in T.parallel(4):
        u = T.alloc_buffer((1,), "int32")
        u[0] = A[i]
        B[i] = B[i] + u[0]
)";
  refused(text, "the iterations of 'i' would share 'u'");
  const std::string shared =
      replaced(text, "u = T.alloc_buffer((1,), \"int32\")", "u = T.decl_buffer((1,), \"int32\", data=t.data)");
  EXPECT_EQ(error_of(parse(shared), {}), ErrorKind::Race);
  expect_applies(replaced(text, "T.parallel(4)", "range(4)"), "share-storage", share("u", "t"), "");
  refused(replaced(replaced(text, "T.parallel(4)", "range(4)"),
                   "        u = T.alloc_buffer((1,), \"int32\")\n        u[0] = A[i]\n        B[i] = B[i] + u[0]\n",
                   "        with T.block(\"b\"):\n            v = T.axis.spatial(4, i)\n            u = "
                   "T.alloc_buffer((1,), \"int32\")\n            u[0] = A[v]\n            B[v] = B[v] + u[0]\n"),
          "does not move out of a block");
}

TEST(ShareStorage, Condition6ExtentsThatMayBeAnywhere) {
  refused(replaced(kInner, "T.alloc_buffer((8,)", "T.alloc_buffer((8 + i,)"), "are not seen to be those of a memory");
  // Where nobody gets, there may be more memory than there is.
  const std::string large =
      replaced(replaced(kInner, "T.alloc_buffer((8,)", "T.alloc_buffer((1073741824,)"), "range(4)", "range(0)");
  refused(large, "are not seen to be those of a memory");
}

}  // namespace share_storage_test
}  // namespace hexproof
