// Native evaluation over the field of 2^61 - 1.
#include <gtest/gtest.h>

#include <random>

#include "backend/field/evaluator.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "tests/backend/fingerprint/field_reference.h"
#include "tests/backend/programs.h"
#include "verify/equiv/fingerprint/bounds.h"

namespace hexproof {
namespace field_test {

using namespace testing;
using fingerprint::Algebra;
using Cells = std::vector<std::vector<uint64_t>>;

PrimFunc parse(const std::string& text) {
  return pick_function(parse_module("from tvm.script import tir as T\n\n" + text), "");
}

Cells arguments_of(const PrimFunc& func, const Algebra& algebra) {
  Cells out;
  for (const Buffer& b : func.buffer_params()) {
    std::vector<int64_t> shape = constant_shape(b).value();
    int64_t count = b->dtype.lanes;
    for (int64_t extent : shape) count *= extent;
    size_t width = algebra.words(b->dtype);
    std::vector<uint64_t> cells(static_cast<size_t>(count) * width);
    for (int64_t i = 0; i < count; ++i) {
      algebra.variable(algebra.label(b->name), static_cast<uint64_t>(i), b->dtype,
                       &cells[static_cast<size_t>(i) * width]);
    }
    out.push_back(cells);
  }
  return out;
}

void expect_agreement(const PrimFunc& func, const std::string& what) {
  for (bool reassociate : {false, true}) {
    Algebra algebra(7, reassociate ? 1 : 3, reassociate);
    Cells native = arguments_of(func, algebra), slow = native;
    // Optimised code is what runs at full size; both kinds are looked at in turn.
    make_native_evaluator()->run(func, algebra, FieldView::Residues, native, {.optimise = reassociate});
    run_over_field(func, algebra, slow);
    for (size_t b = 0; b < native.size(); ++b) {
      for (size_t i = 0; i < native[b].size(); ++i) {
        ASSERT_EQ(field_canonical(native[b][i]), slow[b][i]) << what << ", argument " << b << ", word " << i << "\n"
                                                             << print(func);
      }
    }
  }
}

TEST(Field, OperationsAgreeWithRemainders) {
  std::vector<uint64_t> values = {0, 1, 2, 3, 60, 61, kFieldPrime - 1, kFieldPrime - 2, uint64_t{1} << 60};
  std::mt19937_64 random(1);
  while (values.size() < 60) values.push_back(random() % kFieldPrime);
  for (uint64_t a : values) {
    for (uint64_t b : values) {
      EXPECT_EQ(field_add(a, b), static_cast<uint64_t>((Wide128{a} + b) % kFieldPrime));
      EXPECT_EQ(field_sub(a, b), static_cast<uint64_t>((Wide128{a} + kFieldPrime - b) % kFieldPrime));
      EXPECT_EQ(field_mul(a, b), static_cast<uint64_t>(Wide128{a} * b % kFieldPrime));
    }
  }
  for (uint64_t word : {uint64_t{0}, kFieldPrime, kFieldPrime + 1, ~uint64_t{0}, ~uint64_t{0} - 7}) {
    EXPECT_EQ(field_canonical(word), word % kFieldPrime);
  }
}

TEST(Field, RandomWordsDependOnEverythingAbsorbed) {
  auto word = [](std::array<uint64_t, 2> key, std::vector<uint64_t> list) {
    RandomWords words(key);
    for (uint64_t w : list) words.absorb(w);
    return words.residue();
  };
  uint64_t one = word({1, 2}, {3, 4});
  EXPECT_EQ(one, word({1, 2}, {3, 4}));
  EXPECT_NE(one, word({1, 2}, {4, 3}));
  EXPECT_NE(one, word({1, 2}, {3}));
  EXPECT_NE(one, word({2, 2}, {3, 4}));
  EXPECT_NE(one, word({1, 3}, {3, 4}));
  EXPECT_LT(one, kFieldPrime);
}

TEST(Field, ConstantsOfTheRingAreTheirResidues) {
  Algebra algebra(1, 1, false);
  auto residue = [&](DType type, Wide value) {
    uint64_t out = 0;
    algebra.constant(int_scalar(type, value), &out);
    return out;
  };
  EXPECT_EQ(residue(kInt32, 5), 5u);
  EXPECT_EQ(residue(kInt32, -5), kFieldPrime - 5);
  EXPECT_EQ(residue(kUInt8, 255), kFieldPrime - 1);  // equal modulo 256
  EXPECT_EQ(residue(kInt64, std::numeric_limits<int64_t>::min()), kFieldPrime - 4);
  uint64_t zero = 0, negative = 0, half = 0;
  algebra.constant(float_scalar(kFloat32, 0.0), &zero);
  algebra.constant(float_scalar(kFloat32, -0.0), &negative);
  algebra.constant(float_scalar(kFloat16, 0.0), &half);
  EXPECT_NE(zero, negative);
  EXPECT_NE(zero, half);
}

TEST(FieldNative, StatementsAgreeWithTheWalk) {
  expect_agreement(matmul(3, 4, 5), "a reduction with an init");
  expect_agreement(matmul(3, 4, 5, kInt8), "a reduction of int8");
  expect_agreement(parse(R"(
@T.prim_func
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    t = T.allocate([8], "float32", "global")
    for i in range(2):
        t1 = T.Buffer((8,), data=t)
        t1[T.Ramp(0, 1, 8)] = A[T.Ramp(i * 8, 1, 8)] * T.Broadcast(T.float32(2), 8)
        for j in T.vectorized(8):
            if j % 2 == 0:
                B[i * 8 + j] = t1[7 - j] + T.Cast("float32", i * 8 + j)
            else:
                B[i * 8 + j] = T.if_then_else(j < 4, t1[j], T.float32(1.5))
)"),
                   "vectors, views, branches");
  expect_agreement(parse(R"(
@T.prim_func
def f(A: T.Buffer((6,), "int8"), B: T.Buffer((6,), "int32"), C: T.Buffer((6,), "float16"), D: T.Buffer((6,), "bool")):
    for i in range(6):
        x: T.int32 = T.Cast("int32", A[i]) * (i - 3)
        B[i] = T.max(x, T.Cast("int32", A[5 - i])) + x // 3 - (x & 7)
        C[i] = T.exp(C[i] / T.Cast("float16", x)) - T.Cast("float16", i)
        D[i] = D[i] and (C[i] > C[5 - i] or x == 2) and not D[5 - i]
        A[i] = T.Cast("int8", B[i]) + T.Select(D[i], A[i], T.Select(i < 3, A[0], T.int8(-1)))
)"),
                   "casts, integers, choices");
}

/// An expression of type `type` over element `i` of the buffers.
Expr random_expr(std::mt19937_64& random, DType type, const std::vector<Buffer>& buffers, const Expr& i, int depth) {
  auto pick = [&](int n) { return static_cast<int>(random() % static_cast<uint64_t>(n)); };
  auto sub = [&](DType t) { return random_expr(random, t, buffers, i, depth - 1); };
  const std::vector<DType> types = {kInt8, kInt32, kUInt16, kFloat32, kFloat16, kBool};
  if (depth == 0 || pick(6) == 0) {
    if (pick(4) == 0) {
      if (type.is_float()) return fimm(type, pick(5) - 2);
      return type.is_bool() ? boolean(pick(2) == 0) : imm(type, pick(4));
    }
    for (const Buffer& b : buffers) {
      if (b->dtype == type) return load(b, {pick(2) == 0 ? i : i32(pick(4))});
    }
  }
  if (pick(6) == 0) return cast(type, sub(types[static_cast<size_t>(pick(6))]));
  if (pick(6) == 0) return select(sub(kBool), sub(type), sub(type));
  if (type.is_bool()) {
    if (pick(3) == 0) return pick(2) == 0 ? land(sub(kBool), sub(kBool)) : lnot(sub(kBool));
    DType t = types[static_cast<size_t>(pick(5))];
    Op op = static_cast<Op>(static_cast<int>(Op::EQ) + pick(6));
    return binary(op, sub(t), sub(t));
  }
  std::vector<Op> ops = {Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max};
  if (type.is_float()) ops.push_back(Op::Div);
  if (type.is_integer()) ops.insert(ops.end(), {Op::BitAnd, Op::BitXor});
  Op op = ops[static_cast<size_t>(pick(static_cast<int>(ops.size())))];
  Expr left = sub(type), right = sub(type);
  // Arithmetic on numbers alone may overflow, which is an error.
  if (!is_data(left) && !is_data(right)) return left;
  return binary(op, left, right);
}

TEST(FieldNative, RandomExpressionsAgreeWithTheWalk) {
  std::mt19937_64 random(11);
  for (int turn = 0; turn < 40; ++turn) {
    std::vector<Buffer> buffers;
    std::vector<Param> params;
    for (DType type : {kInt8, kInt32, kUInt16, kFloat32, kFloat16, kBool}) {
      buffers.push_back(make_buffer(type.str(), type, {i32(4)}));
      params.push_back(param(buffers.back()));
    }
    Var i = Var::fresh("i", kInt32);
    std::vector<Stmt> stores;
    for (const Buffer& b : buffers) stores.push_back(store(b, {i}, random_expr(random, b->dtype, buffers, i, 3)));
    ASSERT_NO_FATAL_FAILURE(
        expect_agreement(function("f", params, for_loop(i, i32(4), seq(stores))), "turn " + std::to_string(turn)));
  }
}

double word(uint64_t bits) { return std::bit_cast<double>(bits); }

TEST(FieldNative, DegreesCountLeaves) {
  // ((0 + a * b) + a * b) + ...: one constant, and two leaves per step.
  PrimFunc func = matmul(2, 2, 5);
  Cells cells(3);
  cells[0].assign(10, std::bit_cast<uint64_t>(1.0)), cells[1].assign(10, std::bit_cast<uint64_t>(1.0));
  cells[2].assign(4, std::bit_cast<uint64_t>(1.0));
  make_native_evaluator()->run(func, Algebra(1, 1, false), FieldView::Degrees, cells);
  for (uint64_t c : cells[2]) EXPECT_EQ(word(c), 11);
}

TEST(FieldNative, BoundsOfIntegersCountCoefficients) {
  PrimFunc func = parse(R"(
@T.prim_func
def f(A: T.Buffer((2,), "int32"), B: T.Buffer((3,), "int32")):
    B[0] = (A[0] + A[1]) * (A[0] - A[1]) * 3
    B[1] = T.max(A[0] * A[1], A[0]) + A[1]
    B[2] = T.max(B[0], B[1])
)");
  fingerprint::CellBounds start;
  std::vector<uint64_t> cell;
  for (double d : {start.degree, start.norm, start.applications, start.most_degree, start.most_norm}) {
    cell.push_back(std::bit_cast<uint64_t>(d));
  }
  Cells cells(2);
  for (int i = 0; i < 2; ++i) cells[0].insert(cells[0].end(), cell.begin(), cell.end());
  for (int i = 0; i < 3; ++i) cells[1].insert(cells[1].end(), cell.begin(), cell.end());
  make_native_evaluator()->run(func, Algebra(1, 1, false), FieldView::Bounds, cells);
  auto at = [&](size_t c, size_t k) { return word(cells[1][c * 5 + k]); };
  // Rounded up by a hair.
  EXPECT_NEAR(at(0, 0), 2, 1e-9);
  EXPECT_GE(at(0, 0), 2);
  EXPECT_NEAR(at(0, 1), 12, 1e-9);
  EXPECT_GE(at(0, 1), 12);
  EXPECT_EQ(at(0, 2), 0);
  EXPECT_NEAR(at(1, 0), 1, 1e-9);  // the maximum is one variable
  EXPECT_NEAR(at(1, 1), 2, 1e-9);
  EXPECT_NEAR(at(1, 2), 1, 1e-9);  // one random function,
  EXPECT_NEAR(at(1, 3), 2, 1e-9);  // applied to a polynomial of degree 2
  EXPECT_NEAR(at(2, 2), 2, 1e-9);
  EXPECT_NEAR(at(2, 4), 12, 1e-9);  // the norm below the second maximum is kept
}

TEST(FieldNative, WatchSeesLoadsOfWhatIsUnset) {
  PrimFunc func = parse(R"(
@T.prim_func
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((3,), "float32")):
    A[2] = A[0]
    for i in range(3):
        B[i] = A[i]
)");
  double infinity = std::numeric_limits<double>::infinity();
  auto run = [&](std::vector<double> a, bool watch) {
    Cells cells(2);
    for (double d : a) cells[0].push_back(std::bit_cast<uint64_t>(d));
    cells[1].assign(3, std::bit_cast<uint64_t>(1.0));
    return make_native_evaluator()->run(func, Algebra(1, 1, false), FieldView::Degrees, cells,
                                        {.watched = {watch, false}});
  };
  EXPECT_FALSE(run({1, 1, infinity, infinity}, true));  // one is stored first, the other never read
  EXPECT_TRUE(run({1, infinity, 1, 1}, true));
  EXPECT_FALSE(run({1, infinity, 1, 1}, false));
}

TEST(FieldNative, RefusesWhatDataSteers) {
  auto refused = [&](const std::string& body, const std::string& reason) {
    PrimFunc func = parse("@T.prim_func\ndef f(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\")):\n" + body);
    Algebra algebra(1, 1, false);
    Cells cells = arguments_of(func, algebra);
    try {
      make_native_evaluator()->run(func, algebra, FieldView::Residues, cells);
      ADD_FAILURE() << "not refused: " << body;
    } catch (const Unsupported& e) {
      EXPECT_NE(std::string(e.what()).find(reason), std::string::npos) << e.what();
      EXPECT_TRUE(bool(e.span)) << body;
    }
  };
  refused("    if A[0] > 0:\n        B[0] = 1\n", "a condition that depends on the content of a buffer");
  refused("    B[A[0]] = 1\n", "an index that depends on the content of a buffer");
  refused("    B[0] = A[A[1]]\n", "an index that depends on the content of a buffer");
  refused("    for i in range(A[0]):\n        B[i] = 1\n", "the extent of a loop that depends");
  refused("    B[0] = T.if_then_else(A[0] > 0, A[1], 2)\n", "the condition of T.if_then_else that depends");
  refused("    B[0] = T.undef(dtype=\"int32\")\n", "T.undef");
}

}  // namespace field_test
}  // namespace hexproof
