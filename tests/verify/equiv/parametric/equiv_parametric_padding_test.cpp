// Folds over padding, for all sizes: iterations that leave the accumulator as it is, by the pad value of the layout or
// by what `before` assumes; and such that do not.
#include "tests/verify/equiv/parametric/equiv_parametric.h"

namespace hexproof {
namespace equiv_parametric_padding_test {

/// B[0] gathers UPDATE over tiles of A that hold n elements, and PAD behind them.
std::string tiles(const std::string& type, const std::string& update, const std::string& pad, bool guarded,
                  const std::string& flags = "") {
  std::string step = "B[0] = " + update + "\n", spaces = "            ";
  std::string assume = pad.empty() ? "T.evaluate(0)" : "T.assume(io * 4 + ii < n or A[io, ii] == " + pad + ")";
  return "def f(a: T.handle, b: T.handle, n: T.int32):\n" +
         (flags.empty() ? "" : "    T.func_attr({\"hexproof.fp\": \"" + flags + "\"})\n") +
         "    A = T.match_buffer(a, ((n + 3) // 4, 4), \"" + type + "\")\n    B = T.match_buffer(b, (1,), \"" + type +
         "\")\n    for io, ii in T.grid((n + 3) // 4, 4):\n        " + assume +
         "\n    for io, ii in T.grid((n + 3) // 4, 4):\n        " +
         (guarded ? "if io * 4 + ii < n:\n" + spaces + step : step);
}

struct EquivParametricPadding : EquivParametricTest {
  static void proved_both_ways(const std::string& type, const std::string& update, const std::string& pad,
                               const std::string& flags = "") {
    std::string with = tiles(type, update, pad, true, flags), without = tiles(type, update, pad, false, flags);
    proved(with, without);
    proved(without, with);
  }
  static void open_both_ways(const std::string& type, const std::string& update, const std::string& pad,
                             const std::string& flags = "") {
    std::string with = tiles(type, update, pad, true, flags), without = tiles(type, update, pad, false, flags);
    open(with, without);
    open(without, with);
  }
  /// As wrong; inputs that satisfy the assumes are rare, so a solver finds the one that shows it.
  static void wrong(const std::string& before, const std::string& after, const RelationRequest& request = {}) {
    open(before, after, request);
    ProgramPair pair = pair_programs(parse(before), parse(after), request);
    bool shown = false;
    for (const std::vector<int64_t>& sizes : small_sizes(pair, 8)) {
      std::optional<Instance> instance = instantiate(pair, sizes);
      shown = shown || (instance && equiv_symbolic(pair, *instance, prover(), 100'000).finding == Finding::Refuted);
    }
    EXPECT_TRUE(shown) << "no input shows a difference\n" << before << after;
  }
  static void wrong_both_ways(const std::string& type, const std::string& update, const std::string& pad) {
    wrong(tiles(type, update, pad, true), tiles(type, update, pad, false));
    wrong(tiles(type, update, pad, false), tiles(type, update, pad, true));
  }
};

TEST_F(EquivParametricPadding, NeutralByAnAssume) {
  for (const std::string type : {"int8", "int32"}) {
    std::string zero = "T." + type + "(0)", one = "T." + type + "(1)";
    proved_both_ways(type, "B[0] + A[io, ii]", zero);
    proved_both_ways(type, "B[0] + A[io, ii] * A[io, ii] * T." + type + "(7)", zero);
    proved_both_ways(type, "B[0] * A[io, ii]", one);
    wrong_both_ways(type, "B[0] + A[io, ii]", one);
    wrong_both_ways(type, "B[0] + A[io, ii] + T." + type + "(1)", zero);
    wrong_both_ways(type, "B[0] + A[io, ii]", "");
    std::string least = type == "int8" ? "T.int8(-128)" : "-2147483648";
    proved_both_ways(type, "T.max(B[0], A[io, ii])", least);
    wrong_both_ways(type, "T.max(B[0], A[io, ii])", zero);
    wrong_both_ways(type, "T.min(B[0], A[io, ii])", least);
  }
  proved_both_ways("uint8", "B[0] & A[io, ii]", "T.uint8(255)");
  wrong_both_ways("uint8", "B[0] & A[io, ii]", "T.uint8(127)");
}

// -0.0 + 0.0 is 0.0; max(NaN, -inf) is -inf, max(-inf, NaN) a NaN; zero times an infinity is a NaN.
TEST_F(EquivParametricPadding, FloatsByTheirFlags) {
  const std::string zero = "T.float32(0)", sum = "B[0] + A[io, ii]", least = "T.float32(\"-inf\")";
  open_both_ways("float32", sum, zero);
  proved_both_ways("float32", sum, zero, "nsz");
  Evidence e = judge(tiles("float32", sum, zero, true, "nsz"), tiles("float32", sum, zero, false, "nsz"));
  ASSERT_FALSE(e.notes.empty());
  EXPECT_NE(e.notes[0].find("nsz"), std::string::npos);
  proved_both_ways("float16", "B[0] * A[io, ii]", "T.float16(1)");
  proved_both_ways("float32", "T.max(A[io, ii], B[0])", least);
  open_both_ways("float32", "T.max(B[0], A[io, ii])", least);
  proved_both_ways("float32", "T.max(B[0], A[io, ii])", least, "nnan");
  const std::string product = "B[0] + A[io, ii] * A[0, 0]";
  open_both_ways("float32", product, zero, "nsz");
  open_both_ways("float32", product, zero, "nsz nnan");
  proved_both_ways("float32", product, zero, "nsz nnan ninf");
  // A difference needs the flag as well: the cell may hold either zero.
  open_both_ways("float32", "B[0] - A[io, ii]", zero);
}

TEST_F(EquivParametricPadding, TheAssumeMustSpeakOfTheCell) {
  std::string before = tiles("int32", "B[0] + A[io, ii]", "0", true),
              after = tiles("int32", "B[0] + A[io, ii]", "0", false);
  for (const char* other : {"A[io, 0]", "A[io, 3 - ii]"}) {
    wrong(with(before, "A[io, ii] == 0", std::string(other) + " == 0"),
          with(after, "A[io, ii] == 0", std::string(other) + " == 0"));
  }
  // It holds of cells from n on, not from n - 1 on.
  wrong(with(before, "if io * 4 + ii < n", "if io * 4 + ii < n - 1"), after);
}

std::string plain(const std::string& type, const std::string& update, const std::string& flags = "") {
  return "def f(a: T.handle, b: T.handle, n: T.int32):\n" +
         (flags.empty() ? "" : "    T.func_attr({\"hexproof.fp\": \"" + flags + "\"})\n") +
         "    A = T.match_buffer(a, (n,), \"" + type + "\")\n    B = T.match_buffer(b, (1,), \"" + type +
         "\")\n    for i in range(n):\n        B[0] = " + update + "\n";
}

RelationRequest tiled(const std::string& pad) {
  IndexMap map = EquivParametricTest::layout(1, [](const std::vector<Expr>& i) {
    return std::vector<Expr>{floordiv(i[0], i32(4)), floormod(i[0], i32(4))};
  });
  RelationRequest out{.layouts = {{"A", map}}, .pads = {}, .logical_only = {}};
  if (!pad.empty()) out.pads = {{"A", pad}};
  return out;
}

TEST_F(EquivParametricPadding, NeutralByTheLayout) {
  proved(plain("int32", "B[0] + A[i]"), tiles("int32", "B[0] + A[io, ii]", "0", false), tiled("0"));
  wrong(plain("int32", "B[0] + A[i]"), tiles("int32", "B[0] + A[io, ii]", "1", false), tiled("1"));
  open(plain("float32", "B[0] + A[i]"), tiles("float32", "B[0] + A[io, ii]", "T.float32(0)", false), tiled("0"));
  proved(plain("float32", "B[0] + A[i]", "nsz"), tiles("float32", "B[0] + A[io, ii]", "T.float32(0)", false, "nsz"),
         tiled("0"));
  // The interface fixes the bits: -0.0 is neutral without a flag.
  proved(plain("float32", "B[0] + A[i]"), tiles("float32", "B[0] + A[io, ii]", "T.float32(0)", false), tiled("-0.0"));
  // Nobody filled it.
  open(plain("int32", "B[0] + A[i]"), tiles("int32", "B[0] + A[io, ii]", "0", false), tiled(""));
}

// `A[i] == T.undef()` is the permission to read: there when the interface gives it.
TEST_F(EquivParametricPadding, PermissionToRead) {
  const std::string before = R"(
def f(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, ((n + 3) // 4, 4), "int32")
    for i in range(n):
        B[i // 4, i % 4] = A[i] + 1
    for io, ii in T.grid((n + 3) // 4, 4):
        if io * 4 + ii >= n:
            B[io, ii] = T.undef("int32")
)";
  const std::string after = R"(
def f(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, ((n + 3) // 4, 4), "int32")
    B = T.match_buffer(b, ((n + 3) // 4, 4), "int32")
    for io, ii in T.grid((n + 3) // 4, 4):
        T.assume(io * 4 + ii < n or A[io, ii] == T.undef("int32"))
    for io, ii in T.grid((n + 3) // 4, 4):
        B[io, ii] = A[io, ii] + 1
)";
  proved(before, after, tiled("undef"));
  proved(before, after, tiled("3"));
  open(before, after, tiled(""));
  wrong(before, with(after, "+ 1", "+ 2"), tiled("undef"));
}

// Indices that are clamped to an extent that they do not reach.
TEST_F(EquivParametricPadding, RemaindersThatChangeNothing) {
  const std::string before = R"(
def f(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n, 4), "int32")
    B = T.match_buffer(b, (n, 4), "int32")
    for io, ii in T.grid(n, 4):
        B[io, ii] = A[io, ii]
)";
  proved(before, with(before, "B[io, ii] = A[io, ii]", "B[io % n, ii % 4] = A[io % n, ii]"));
  proved(with(before, "B[io, ii] = A[io, ii]", "B[io % n, ii % 4] = A[io % n, ii]"), before);
  wrong(before, with(before, "B[io, ii] = A[io, ii]", "B[io % n, ii] = A[(io + 1) % n, ii]"));
  open(before, with(before, "B[io, ii] = A[io, ii]", "B[(io + 1) % n, ii] = A[(io + 1) % n, ii]"));
}

}  // namespace equiv_parametric_padding_test
}  // namespace hexproof
