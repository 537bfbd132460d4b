// Programs compiled for this machine.
#include "backend/host.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "ir/base/diagnostic.h"
#include "ir/float_format.h"
#include "ir/text/text.h"
#include "tests/backend/programs.h"

namespace hexproof {
namespace host_test {

using namespace testing;

void run_one(const PrimFunc& func, std::vector<Tensor>& buffers, const std::vector<int64_t>& scalars = {}) {
  for (bool optimise : {true, false}) {
    HostBatch batch({.optimise = optimise});
    size_t index = batch.add(func);
    batch.compile();
    std::vector<Tensor> copy = buffers;
    batch.run(index, copy, scalars);
    if (!optimise) buffers = copy;
  }
}

TEST(Host, BlockWithInitComputesAMatrixProduct) {
  std::vector<float> a(6), b(12), c(8, -1);
  for (size_t i = 0; i < a.size(); ++i) a[i] = float(i) + 0.1f;
  for (size_t i = 0; i < b.size(); ++i) b[i] = 1.0f / float(i + 1);
  std::vector<Tensor> buffers = {tensor(kFloat32, {2, 3}, a), tensor(kFloat32, {3, 4}, b), tensor(kFloat32, {2, 4}, c)};
  run_one(matmul(2, 4, 3), buffers);
  std::vector<float> got = values<float>(buffers[2]);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j) {
      float sum = 0;
      for (int k = 0; k < 3; ++k) sum = sum + a[i * 3 + k] * b[k * 4 + j];
      EXPECT_EQ(got[i * 4 + j], sum);
    }
  }
}

// All NaNs are one value: pow(nan, 0), pow(1, nan) and hypot(inf, nan) are numbers, of a signalling NaN, too.
TEST(Host, SignallingNansAreTheNanOfTheProgram) {
  const PrimFunc func = pick_function(parse_module(R"(
@T.prim_func
def f(A: T.Buffer((3,), "uint32"), B: T.Buffer((3,), "float32")):
    for i in range(3):
        x: T.float32 = T.reinterpret("float32", A[i])
        B[i] = T.pow(x, T.float32(0)) + T.pow(T.float32(1), x) + T.hypot(x, T.reinterpret("float32", T.uint32(2139095040)))
)"),
                                      "");
  std::vector<Tensor> want = {tensor<uint32_t>(kUInt32, {3}, {0x7f800001, 0x7fc00000, 0xff800001}),
                              make_tensor(kFloat32, {3})};
  std::vector<Tensor> got = want;
  ASSERT_FALSE(run(func, want).error);
  run_one(func, got);
  EXPECT_EQ(got[1].data, want[1].data);
}

TEST(Host, OnlyTheChosenBranchOfIfThenElseReads) {
  // B[i] = if_then_else(i < 3, A[i], -1): reading A[2^20] of a small buffer would fault.
  Buffer A = make_buffer("A", kInt32, {i32(3)}), B = make_buffer("B", kInt32, {i32(4)});
  Var i = Var::fresh("i", kInt32);
  Expr far = i + i * i32(1 << 28) * i32(0) + floordiv(Expr(i), i32(3)) * i32(1 << 29);
  PrimFunc func = function("f", {param(A), param(B)});
  func.body = for_loop(i, i32(4), store(B, {i}, if_then_else(lt(i, i32(3)), load(A, {far}), i32(-1))));
  std::vector<Tensor> buffers = {tensor<int32_t>(kInt32, {3}, {5, 6, 7}), tensor<int32_t>(kInt32, {4}, {0, 0, 0, 0})};
  run_one(func, buffers);
  EXPECT_EQ(values<int32_t>(buffers[1]), (std::vector<int32_t>{5, 6, 7, -1}));
}

TEST(Host, LoopsOfNoIterationsAndNegativeExtentsDoNotRun) {
  Buffer A = make_buffer("A", kInt32, {i32(2)});
  Var n = Var::fresh("n", kInt32), i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32);
  PrimFunc func = function("f", {param(A), {n, {}}});
  func.body = seq({for_loop(i, n, store(A, {i32(0)}, i32(1))),
                   make_stmt(For{j, n, i32(2), ForKind::Serial, store(A, {i32(1)}, Expr(j))})});
  std::vector<Tensor> buffers = {tensor<int32_t>(kInt32, {2}, {7, 7})};
  run_one(func, buffers, {-5});
  EXPECT_EQ(values<int32_t>(buffers[0]), (std::vector<int32_t>{7, -4}));
}

TEST(Host, NestedAllocationsShareTheWorkspaceAndDoNotMeet) {
  // Outer T[n] lives while each of two inner buffers U, V comes and goes.
  Var n = Var::fresh("n", kInt32), i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32),
      k = Var::fresh("k", kInt32);
  Buffer A = make_buffer("A", kInt16, {n}), T = make_buffer("T", kInt16, {n}),
         U = make_buffer("U", kInt16, {n + i32(3)}), V = make_buffer("V", kInt16, {i32(8)});
  Stmt fill = for_loop(i, n, store(T, {i}, load(A, {i}) * imm(kInt16, 3)));
  Stmt first = make_stmt(AllocBuffer{U, for_loop(j, n + i32(3), store(U, {j}, imm(kInt16, 9)))});
  Stmt second = make_stmt(AllocBuffer{
      V, seq({store(V, {i32(7)}, imm(kInt16, 100)), for_loop(k, n, store(A, {k}, load(T, {k}) + load(V, {i32(7)})))})});
  PrimFunc func = function("f", {param(A)});
  func.body = make_stmt(AllocBuffer{T, seq({fill, first, second})});
  std::vector<Tensor> buffers = {tensor<int16_t>(kInt16, {3}, {1, -2, 32767})};
  run_one(func, buffers);
  EXPECT_EQ(values<int16_t>(buffers[0]), (std::vector<int16_t>{103, 94, int16_t(32767 * 3 + 100)}));
}

TEST(Host, ViewsReachTheSameMemory) {
  // A view of A from cell 1 on with stride 2.
  Buffer A = make_buffer("A", kInt32, {i32(6)});
  Buffer odd = make_buffer("odd", kInt32, {i32(3)}, {.strides = {i32(2)}, .elem_offset = i32(1), .data = A->data});
  Var i = Var::fresh("i", kInt32);
  PrimFunc func = function("f", {param(A)});
  func.body = make_stmt(DeclBuffer{odd, for_loop(i, i32(3), store(odd, {i}, Expr(i)))});
  std::vector<Tensor> buffers = {tensor<int32_t>(kInt32, {6}, {9, 9, 9, 9, 9, 9})};
  run_one(func, buffers);
  EXPECT_EQ(values<int32_t>(buffers[0]), (std::vector<int32_t>{9, 0, 9, 1, 9, 2}));
}

TEST(Host, AViewThatIsLargerThanItsMemory) {
  // Four by four over 14 cells: what the program does not touch need not be there.
  Buffer A = make_buffer("A", kInt32, {i32(14)}), memory = make_buffer("memory", kInt32, {i32(14)});
  Buffer view = make_buffer("view", kInt32, {i32(4), i32(4)}, {.data = memory->data});
  Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32);
  auto cell = [](const Var& v) { return std::vector<Expr>{floordiv(v, i32(4)), floormod(v, i32(4))}; };
  PrimFunc func = function("f", {param(A)});
  Stmt fill = for_loop(i, i32(14), store(view, cell(i), Expr(i) * i32(3)));
  Stmt copy = for_loop(j, i32(14), store(A, {j}, load(view, cell(j)) + i32(1)));
  func.body = make_stmt(AllocBuffer{memory, make_stmt(DeclBuffer{view, seq({fill, copy})})});
  std::vector<Tensor> buffers = {tensor<int32_t>(kInt32, {14}, std::vector<int32_t>(14, 9))};
  run_one(func, buffers);
  std::vector<int32_t> expected;
  for (int k = 0; k < 14; ++k) expected.push_back(3 * k + 1);
  EXPECT_EQ(values<int32_t>(buffers[0]), expected);
}

TEST(Host, VectorsLoadAndStoreLaneByLane) {
  Buffer A = make_buffer("A", kFloat16, {i32(2), i32(8)}), B = make_buffer("B", kBool, {i32(8)});
  Var i = Var::fresh("i", kInt32);
  Expr row = load(A, {i32(0), ramp(i32(0), i32(1), 8)});
  Expr even = load(A, {i32(0), ramp(i32(6), i32(-2), 4)});
  PrimFunc func = function("f", {param(A), param(B)});
  func.body = seq({store(B, {ramp(i32(0), i32(1), 8)}, gt(row, broadcast(fimm(kFloat16, 2.5), 8))),
                   store(A, {i32(1), ramp(i32(0), i32(2), 4)}, even + broadcast(fimm(kFloat16, 2048), 4))});
  std::vector<uint16_t> a(16);
  for (int k = 0; k < 16; ++k) a[k] = double_to_half(k);
  std::vector<Tensor> buffers = {tensor(kFloat16, {2, 8}, a), tensor(kBool, {8}, std::vector<uint8_t>(8, 7))};
  run_one(func, buffers);
  EXPECT_EQ(values<uint8_t>(buffers[1]), (std::vector<uint8_t>{0, 0, 0, 1, 1, 1, 1, 1}));
  std::vector<uint16_t> got = values<uint16_t>(buffers[0]);
  // 2048 + 6, 4, 2, 0: at 2048 the last place is 2.
  for (int k = 0; k < 4; ++k) EXPECT_EQ(half_to_double(got[8 + 2 * k]), 2048 + 6 - 2 * k);
  EXPECT_EQ(half_to_double(got[9]), 9);
}

TEST(Host, EveryHalfAndEveryRoundingOfItIsRight) {
  // All 2^16 halves widened, and doubles around each rounded: exact, just above and below, and the tie.
  Buffer H = make_buffer("H", kFloat16, {i32(65536)}), F = make_buffer("F", kFloat32, {i32(65536)}),
         D = make_buffer("D", kFloat64, {i32(65536), i32(4)}), R = make_buffer("R", kFloat16, {i32(65536), i32(4)}),
         S = make_buffer("S", kFloat16, {i32(65536), i32(4)});
  Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32);
  PrimFunc func = function("f", {param(H), param(F), param(D), param(R), param(S)});
  func.body = for_loop(i, i32(65536),
                       seq({store(F, {i}, cast(kFloat32, load(H, {i}))),
                            for_loop(j, i32(4),
                                     seq({store(R, {i, j}, cast(kFloat16, load(D, {i, j}))),
                                          store(S, {i, j}, cast(kFloat16, cast(kFloat32, load(D, {i, j}))))}))}));
  std::vector<uint16_t> h(65536);
  std::vector<double> d(65536 * 4);
  for (int k = 0; k < 65536; ++k) {
    h[k] = static_cast<uint16_t>(k);
    double x = half_to_double(h[k]), next = half_to_double(static_cast<uint16_t>(k + 1));
    double tie = (x + next) / 2;
    double four[] = {x, tie, std::nextafter(tie, 1e300), std::nextafter(tie, -1e300)};
    for (int l = 0; l < 4; ++l) d[k * 4 + l] = four[l];
  }
  std::vector<Tensor> buffers = {tensor(kFloat16, {65536}, h), tensor(kFloat32, {65536}, std::vector<float>(65536)),
                                 tensor(kFloat64, {65536, 4}, d),
                                 tensor(kFloat16, {65536, 4}, std::vector<uint16_t>(65536 * 4)),
                                 tensor(kFloat16, {65536, 4}, std::vector<uint16_t>(65536 * 4))};
  run_one(func, buffers);
  std::vector<float> f = values<float>(buffers[1]);
  std::vector<uint16_t> r = values<uint16_t>(buffers[3]), s = values<uint16_t>(buffers[4]);
  for (int k = 0; k < 65536; ++k) {
    double x = half_to_double(h[k]);
    if (std::isnan(x)) {
      ASSERT_TRUE(std::isnan(f[k]));
      continue;
    }
    ASSERT_EQ(std::signbit(f[k]), std::signbit(x));
    ASSERT_EQ(f[k], x);
  }
  for (size_t k = 0; k < d.size(); ++k) {
    ASSERT_EQ(r[k], double_to_half(d[k])) << d[k];
    ASSERT_EQ(s[k], double_to_half(static_cast<float>(d[k]))) << d[k];
  }
}

TEST(Host, RefusesWhatHasNoCode) {
  Buffer A = make_buffer("A", kInt32, {i32(4)});
  PrimFunc func = function("f", {param(A)});
  func.body = store(A, {i32(0)}, call(kInt32, "T.mystery", {i32(3)}));
  HostBatch batch;
  EXPECT_THROW(batch.add(func), Unsupported);
  EXPECT_EQ(batch.size(), 0u);
  func.body = store(A, {i32(0)}, i32(3));
  size_t index = batch.add(func);
  batch.compile();
  std::vector<Tensor> buffers = {tensor<int32_t>(kInt32, {4}, {0, 0, 0, 0})};
  batch.run(index, buffers);
  EXPECT_EQ(values<int32_t>(buffers[0])[0], 3);
  std::vector<Tensor> wrong = {tensor<int32_t>(kInt32, {3}, {0, 0, 0})};
  EXPECT_THROW(batch.run(index, wrong), Error);
}

TEST(Host, ASmallProgramCompilesInWellUnderAMillisecond) {
  HostBatch batch;
  auto start = std::chrono::steady_clock::now();
  constexpr int kPrograms = 100;
  for (int i = 0; i < kPrograms; ++i) batch.add(matmul(2 + i % 3, 4, 3));
  auto added = std::chrono::steady_clock::now();
  batch.compile();
  auto compiled = std::chrono::steady_clock::now();
  std::vector<Tensor> buffers = {tensor(kFloat32, {2, 3}, std::vector<float>(6, 1)),
                                 tensor(kFloat32, {3, 4}, std::vector<float>(12, 1)),
                                 tensor(kFloat32, {2, 4}, std::vector<float>(8))};
  for (int i = 0; i < kPrograms; i += 3) batch.run(static_cast<size_t>(i), buffers);
  auto ran = std::chrono::steady_clock::now();
  auto ms = [](auto a, auto b) { return std::chrono::duration<double, std::milli>(b - a).count() / kPrograms; };
  RecordProperty("add_ms", std::to_string(ms(start, added)));
  RecordProperty("compile_ms", std::to_string(ms(added, compiled)));
  std::printf("add %.3f ms, compile %.3f ms, run %.4f ms per program\n", ms(start, added), ms(added, compiled),
              ms(compiled, ran) * 3);
  EXPECT_LT(ms(start, compiled), 20.0);  // a bound that a loaded machine keeps, too
}

}  // namespace host_test
}  // namespace hexproof
