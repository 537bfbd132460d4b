// The interface relation of padded layouts: what may be relied on, and what may not.
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "rewrite/layout/inverse_map.h"
#include "rewrite/report/report.h"
#include "tests/rewrite/layouts/layouts.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {
namespace transform_layout_relation_test {

constexpr const char* kTiles = "lambda i: [i // 4, i % 4]";

PrimFunc copy(const std::string& type, int size = 14) {
  std::string n = std::to_string(size);
  return parse("def main(A: T.Buffer((" + n + ",), \"" + type + "\"), B: T.Buffer((" + n + ",), \"" + type +
               "\")):\n    for i in range(" + n + "):\n        B[i] = A[i]\n");
}

/// The bits of an element.
uint64_t bits(const Tensor& t, int64_t at) {
  uint64_t out = 0;
  std::memcpy(&out, t.data.data() + at * t.dtype.bytes(), static_cast<size_t>(t.dtype.bytes()));
  return out;
}

TEST(LayoutRelation, PadValuesKeepTheirBits) {
  struct Case {
    const char* type;
    Expr pad;
    uint64_t bits;
  };
  double inf = std::numeric_limits<double>::infinity();
  for (const Case& c : {Case{"float32", fimm(kFloat64, -0.0), 0x80000000}, Case{"float32", i32(0), 0},
                        Case{"float16", fimm(kFloat64, -inf), 0xfc00}, Case{"float16", fimm(kFloat64, 0.1), 0x2e66},
                        Case{"int8", i32(-128), 0x80}, Case{"int32", i32(-1), 0xffffffff}}) {
    for (const char* buffer : {"A", "B"}) {
      Derivation d(copy(c.type));
      d.apply("transform-layout", layout(buffer, kTiles, c.pad), test_prover());
      expect_related(d);
      std::vector<Tensor> end = pack_all(d, random_inputs(d.source(), 1), Moment::End);
      for (int64_t cell : {14, 15}) EXPECT_EQ(bits(end[buffer[0] == 'A' ? 0 : 1], cell), c.bits) << c.type;
    }
  }
}

// NaN == NaN is false: as an assume it would make every input an error.
TEST(LayoutRelation, NaNPadding) {
  Derivation d(copy("float32"));
  d.apply("transform-layout", layout("A", kTiles, fimm(kFloat64, std::nan(""))), test_prover());
  EXPECT_NE(print(d.current()).find("or A[io, ii] != A[io, ii]"), std::string::npos) << print(d.current());
  expect_related(d);
}

TEST(LayoutRelation, UndefinedPadding) {
  Derivation d(copy("int32"));
  d.apply("transform-layout", layout("A", kTiles, std::string("undef")), test_prover());
  d.apply("transform-layout", layout("B", kTiles, undef(kInt32)), test_prover());
  expect_program(d.current(), R"(
def main(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.padding.1": "lambda io, ii: io * 4 + ii >= 14"})
    for io, ii in T.grid(4, 4):
        T.assume(io * 4 + ii < 14 or A[io, ii] == T.undef())
    for i in range(14):
        B[i // 4, i % 4] = A[i // 4, i % 4]
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            B[io, ii] = T.undef()
)");
  expect_related(d);
}

// Trap 4: nobody filled the padding, so a program that reads it is wrong, and the interpreter says so.
TEST(LayoutRelation, UnreadablePaddingIsUninitialised) {
  Derivation d(copy("int32"));
  d.apply("transform-layout", layout("A", kTiles), test_prover());
  std::vector<Tensor> inputs = pack_all(d, random_inputs(d.source(), 1));
  PrimFunc reads = parse(R"(
def main(A: T.Buffer((4, 4), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        B[i] = A[i // 4, i % 4] + A[3, 2]
)");
  RunResult result = run(reads, inputs);
  ASSERT_TRUE(result.error);
  EXPECT_NE(result.error->str().find("uninitialised"), std::string::npos);
  std::optional<ArgumentPadding> padding = argument_padding(d.current(), 0);
  ASSERT_TRUE(padding);
  EXPECT_EQ(print(padding->at({i32(3), i32(2)})), "T.int32(3) * 4 + 2 >= 14");
  EXPECT_FALSE(argument_padding(d.current(), 1));
  // It survives being printed and read.
  EXPECT_TRUE(argument_padding(parse(print(d.current())), 0));
}

TEST(LayoutRelation, AttributeThatDoesNotRead) {
  for (const char* text : {"io * 4 >= 14", "lambda io: io >= 3", "lambda io, ii: io +", "lambda io, ii: io >= m",
                           "lambda io, ii: io", "lambda , : 1", ""}) {
    PrimFunc func = copy("int32");
    func.params[0].buffer = make_buffer("A", kInt32, {i32(4), i32(4)});
    func.attrs["hexproof.padding.0"] = std::string(text);
    std::optional<ArgumentPadding> padding = argument_padding(func, 0);
    ASSERT_TRUE(padding) << text;
    EXPECT_TRUE(is_int(padding->predicate, 1)) << text;
  }
}

// The padding of the first change is content to the second, which brings padding of its own.
TEST(LayoutRelation, TwoChangesCompose) {
  for (const char* buffer : {"A", "B"}) {
    Derivation d(copy("float32"));
    d.apply("transform-layout", layout(buffer, kTiles, i32(-1)), test_prover());
    d.apply("transform-layout", layout(buffer, "lambda a, b: [b, a // 3, a % 3]", i32(-2)), test_prover());
    ASSERT_EQ(d.interface().size(), 1u);
    const InterfaceChange change = d.interface()[0];
    EXPECT_EQ(change.layers.size(), 2u);
    EXPECT_EQ(print(change.map()), "lambda i: [i % 4, i // 4 // 3, i // 4 % 3]");
    expect_related(d);
    Tensor end = pack(change, random_inputs(d.source(), 1)[0], Moment::End);
    EXPECT_EQ(end.shape, (std::vector<int64_t>{4, 2, 3}));
    // [3, 2] of the first, at [2, 1, 0], and a row that the second added, at [2, 1, 1].
    EXPECT_EQ(bits(end, 2 * 6 + 3), 0xbf800000u);
    EXPECT_EQ(bits(end, 2 * 6 + 4), 0xc0000000u);
    EXPECT_EQ(to_json(change)["layers"].size(), 2u);
  }
}

// The pad value of the first change reads the buffer at 32 bits, in a buffer whose extents have 64.
TEST(LayoutRelation, IndicesOfTwoWidths) {
  Derivation d(parse(R"(
def main(A: T.Buffer((T.int64(5),), "int32"), B: T.Buffer((T.int64(5),), "int32")):
    for i in range(T.int64(5)):
        B[i] = A[i]
)"));
  IndexMap pad = index_map("lambda p: [0]");
  pad.outputs = {call(kInt32, "transformed", {floordiv(pad.inputs[0], i32(3)) * i32(2)})};
  d.apply("transform-layout", layout("A", "lambda i: [i * 2]", pad), test_prover());
  d.apply("transform-layout", layout("A", "lambda i: [(i + 1) // 3, (i + 1) % 3]", std::string("undef")),
          test_prover());
  expect_related(d);
}

// After a change without pad value, a second one must not read what the first left open.
TEST(LayoutRelation, SecondChangeMustNotReadUnreadable) {
  Derivation d(copy("int32"));
  d.apply("transform-layout", layout("A", kTiles), test_prover());
  IndexMap pad = index_map("lambda p, q, r: [0]");
  pad.outputs = {call(kInt32, "transformed", {i32(1), i32(1), i32(0)})};
  EXPECT_TRUE(not_applicable(d.current(), "transform-layout", layout("A", "lambda a, b: [a // 3, b, a % 3]", pad)));
  d.apply("transform-layout", layout("A", "lambda a, b: [a // 3, b, a % 3]", i32(0)), test_prover());
  std::optional<ArgumentPadding> left = argument_padding(d.current(), 0);
  ASSERT_TRUE(left);
  expect_related(d);
}

// A cache is filled row by row; where nobody filled the padding, it must be left out, or have been written.
TEST(LayoutRelation, CacheOfPaddedArgument) {
  PrimFunc func = parse(R"(
def main(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        with T.block("fill"):
            v = T.axis.spatial(14, i)
            B[v] = A[v]
    for i in range(14):
        with T.block("more"):
            v = T.axis.spatial(14, i)
            A[v] = B[v] + 1
)");
  Args cache_b = {{"block", std::string("more")}, {"buffer", std::string("B")}};
  Derivation open(func), filled(func);
  open.apply("transform-layout", layout("B", kTiles), test_prover());
  std::optional<Refused> refused = refusal(open.current(), "cache-read", cache_b);
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->obligation.why.find("no padding that nobody filled"), std::string::npos) << refused->what();
  std::vector<Tensor> inputs = pack_all(open, random_inputs(func, 1));
  EXPECT_TRUE(run(proposed(open.current(), "cache-read", cache_b), inputs).error);
  filled.apply("transform-layout", layout("B", kTiles, i32(0)), test_prover());
  filled.apply("cache-read", cache_b, test_prover());
  expect_related(filled);
}

/// Maps of one index out of a family that holds good ones and bad ones.
std::string random_map(std::mt19937& rng) {
  auto number = [&](int low, int high) { return std::to_string(low + static_cast<int>(rng() % (high - low + 1))); };
  std::string k = number(2, 6), o = number(0, 5), m = number(2, 4);
  switch (rng() % 9) {
    case 0:
      return "lambda i: [(i + " + o + ") // " + k + ", (i + " + o + ") % " + k + "]";
    case 1:
      return "lambda i: [i % " + k + ", i // " + k + " % " + m + ", i // " + k + " // " + m + "]";
    case 2:
      return "lambda i: [i * " + k + " + " + o + "]";
    case 3:
      return "lambda i: [i // " + k + " * " + number(2, 8) + " + i % " + k + "]";
    case 4:
      return "lambda i: [" + number(5, 15) + " - i]";
    case 5:
      return "lambda i: [(i * " + m + " + 1) // " + k + ", (i * " + m + " + 1) % " + k + "]";
    case 6:
      return "lambda i: [(i + " + o + ") % " + k + ", i // " + k + "]";
    case 7:
      return "lambda i: [i // " + k + ", i % " + m + "]";
    default:
      return "lambda i: [(i + " + o + ") // " + k + " // " + m + ", (i + " + o + ") % " + k + ", (i + " + o + ") // " +
             k + " % " + m + "]";
  }
}

// Against enumeration: what is accepted is injective, its box minimal, its predicate exactly "nothing maps here".
TEST(LayoutRelation, AgreesWithEnumeration) {
  std::mt19937 rng(7);
  int accepted = 0, right = 0;
  for (int round = 0; round < 300; ++round) {
    int size = 1 + static_cast<int>(rng() % 20);
    IndexMap map = index_map(random_map(rng));
    std::set<std::vector<int64_t>> images;
    std::vector<int64_t> greatest(map.outputs.size(), 0);
    bool starts_at_zero = true, injective = true;
    std::vector<int64_t> least(map.outputs.size(), 1 << 20);
    for (int64_t i = 0; i < size; ++i) {
      std::vector<int64_t> image = *map_values(map, {i});
      injective &= images.insert(image).second;
      for (size_t d = 0; d < image.size(); ++d) {
        greatest[d] = std::max(greatest[d], image[d]);
        least[d] = std::min(least[d], image[d]);
      }
    }
    for (size_t d = 0; d < least.size(); ++d) {
      bool remainder = map.outputs[d]->op == Op::FloorMod;
      starts_at_zero &= least[d] == 0 || (remainder && least[d] > 0);
    }
    right += injective && starts_at_zero;
    Derivation d(copy("int32", size));
    try {
      d.apply("transform-layout", layout("B", map, i32(7)), test_prover());
    } catch (const NotApplicable&) {
      continue;
    } catch (const Refused&) {
      continue;
    }
    ++accepted;
    ASSERT_TRUE(injective && starts_at_zero) << size << " " << print(map);
    Tensor end = pack(d.interface()[0], random_inputs(d.source(), 1)[1], Moment::End);
    for (size_t k = 0; k < greatest.size(); ++k) EXPECT_EQ(end.shape[k], greatest[k] + 1) << size << " " << print(map);
    expect_related(d, {}, 2);
    const Padding padding = d.interface()[0].layers[0].padding;
    EXPECT_EQ(padding.kind == Padding::Kind::Absent, end.size() == size) << size << " " << print(map);
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(accepted, right * 9 / 10) << "of " << right << " right maps";
}

}  // namespace transform_layout_relation_test
}  // namespace hexproof
