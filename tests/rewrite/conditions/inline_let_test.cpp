#include "tests/rewrite/support.h"

namespace hexproof {
namespace inline_let_test {

Args first_let(const PrimFunc& func) { return {{"at", nth<LetStmt>(func)}}; }

TEST(InlineLet, AnIndex) {
  const char* text = R"(
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(15):
        x: T.int32 = i + 1
        B[x] = A[x] + A[x]
)";
  expect_applies(text, "inline-let", first_let(parse(text)), R"(
def after(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(15):
        B[i + 1] = A[i + 1] + A[i + 1]
)");
}

TEST(InlineLet, DataThatStays) {
  for (const char* type : {"int8", "float32", "uint16"}) {
    std::string text = R"(
def before(A: T.Buffer((16,), "TYPE"), B: T.Buffer((16,), "TYPE")):
    for i in range(16):
        x: T.TYPE = A[i]
        B[i] = x * x
)";
    for (size_t at; (at = text.find("TYPE")) != std::string::npos;) text.replace(at, 4, type);
    expect_applies(text, "inline-let", first_let(parse(text)), "");
  }
}

TEST(InlineLet, Condition1DataThatTheBodyChanges) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        x: T.int32 = A[i]
        A[i] = 3
        B[i] = x
)");
  expect_refused_rightly(func, "inline-let", first_let(func), "changes nothing that the value reads");
  const char* neighbour = R"(
def before(A: T.Buffer((17,), "int32"), B: T.Buffer((17,), "int32")):
    for i in range(16):
        x: T.int32 = A[i]
        A[i + 1] = 3
        B[i] = x
)";
  expect_applies(neighbour, "inline-let", first_let(parse(neighbour)), "");
}

// A value bound to data through another let is data too.
TEST(InlineLet, DataBehindAnotherLet) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    x: T.int32 = A[0]
    y: T.int32 = A[1] + x
    A[1] = 5
    B[0] = y
)");
  expect_refused_rightly(func, "inline-let", {{"at", nth<LetStmt>(func, 1)}}, "changes nothing that the value reads");
  // x is read before the store either way.
  PrimFunc after = applied(func, "inline-let", first_let(func));
  EXPECT_EQ(difference(func, after), "");
}

TEST(InlineLet, Condition2AnUndefIsOneValue) {
  PrimFunc func = parse(R"(
def before(B: T.Buffer((1,), "int32")):
    x: T.int32 = T.undef(dtype="int32")
    B[0] = x - x
)");
  EXPECT_TRUE(not_applicable(func, "inline-let", first_let(func)));
}

TEST(InlineLet, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 1
)");
  EXPECT_TRUE(not_applicable(func, "inline-let", {{"at", loop_named(func, "i")}}));
}

// Each use would round anew what the flags leave open, and D and E would differ.
TEST(InlineLet, OpenRoundingIsEvaluatedOnce) {
  auto program = [](const std::string& flags, const std::string& value, const std::string& second) {
    return parse(
        "def before(A: T.Buffer((16,), \"float32\"), D: T.Buffer((16,), \"float32\"), E: T.Buffer((16,), "
        "\"float32\")):\n    T.func_attr({\"hexproof.fp\": \"" +
        flags + "\"})\n    for i in range(16):\n        x: T.float32 = " + value +
        "\n        D[i] = x\n        E[i] = " + second + "\n");
  };
  for (const char* flags : {"contract", "reassoc", "contract reassoc"}) {
    PrimFunc twice = program(flags, "A[i] * A[i] - A[0]", "x");
    EXPECT_TRUE(not_applicable(twice, "inline-let", first_let(twice))) << flags;
    PrimFunc once = program(flags, "A[i] * A[i] - A[0]", "A[i]");
    applied(once, "inline-let", first_let(once));
    PrimFunc copy = program(flags, "A[i]", "x");  // nothing is rounded
    applied(copy, "inline-let", first_let(copy));
  }
  PrimFunc product = program("contract", "A[i] * A[i]", "x");  // rounded in one way
  applied(product, "inline-let", first_let(product));
  PrimFunc strict = program("nnan", "A[i] * A[i] - A[0]", "x");
  applied(strict, "inline-let", first_let(strict));
  // One use, in a loop.
  PrimFunc loop = parse(R"(
def before(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    x: T.float32 = A[0] * A[1] - A[2]
    for i in range(16):
        D[i] = x
)");
  EXPECT_TRUE(not_applicable(loop, "inline-let", first_let(loop)));
  // One use, in the layout of a view, which is evaluated in each iteration.
  PrimFunc layout = parse(R"(
def before(A: T.Buffer((16,), "float32"), D: T.Buffer((4,), "float32"), a: T.float32, b: T.float32, c: T.float32):
    T.func_attr({"hexproof.fp": "contract"})
    x: T.int32 = T.if_then_else(a * b + c > T.float32(0), 1, 0)
    for i in range(4):
        V = T.decl_buffer((8,), "float32", data=A.data, elem_offset=x)
        D[i] = V[i]
)");
  EXPECT_TRUE(not_applicable(layout, "inline-let", first_let(layout)));
  // Never used: it may go.
  PrimFunc unused = parse(R"(
def before(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    x: T.float32 = A[0] * A[1] - A[2]
    for i in range(16):
        D[i] = A[i]
)");
  applied(unused, "inline-let", first_let(unused));
}

}  // namespace inline_let_test
}  // namespace hexproof
