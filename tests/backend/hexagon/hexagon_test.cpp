// Kernels as Hexagon programs, run under QEMU.
#include "backend/hexagon.h"

#include <gtest/gtest.h>

#include "backend/arguments.h"
#include "backend/host.h"
#include "ir/base/diagnostic.h"
#include "tests/backend/programs.h"

namespace hexproof {
namespace hexagon_test {

using namespace testing;

#define NEEDS_QEMU() \
  if (!have_qemu()) GTEST_SKIP() << "qemu-hexagon is not installed: nothing was run"

HexagonRun run_on_hexagon(const PrimFunc& func, std::vector<Tensor>& buffers,
                          const std::vector<int64_t>& scalars = {}) {
  Kernel kernel = emit(Derivation(func), {.target = Target::Hexagon});
  return run_hexagon(link_hexagon(kernel), buffers, scalars);
}

TEST(Hexagon, AMatrixProductIsBitEqualToTheHost) {
  NEEDS_QEMU();
  for (DType type : {kFloat32, kFloat64, kFloat16}) {
    std::vector<Tensor> buffers;
    for (std::vector<int64_t> shape : {std::vector<int64_t>{7, 9}, {9, 5}, {7, 5}}) {
      Tensor t{type, shape, std::vector<uint8_t>(size_t(shape[0] * shape[1] * type.bytes())), {}};
      for (size_t i = 0; i < t.data.size(); ++i) t.data[i] = static_cast<uint8_t>(i * 37 + i / 3);
      buffers.push_back(t);
    }
    std::vector<Tensor> native = buffers;
    PrimFunc func = matmul(7, 5, 9, type);
    HexagonRun run = run_on_hexagon(func, buffers);
    EXPECT_GT(run.packets, 7u * 5 * 9);
    EXPECT_GE(run.instructions, run.packets);
    EXPECT_EQ(run.hvx, 0u);
    HostBatch batch;
    batch.add(func);
    batch.compile();
    batch.run(0, native);
    EXPECT_EQ(first_difference(buffers[2], native[2]), -1) << type.str();
  }
}

TEST(Hexagon, ScalarsShapesAndWorkspaceReachTheKernel) {
  NEEDS_QEMU();
  Var n = Var::fresh("n", kInt32), k = Var::fresh("k", kInt64), i = Var::fresh("i", kInt32),
      j = Var::fresh("j", kInt32);
  Buffer A = make_buffer("A", kInt64, {n}), T = make_buffer("T", kInt64, {n});
  Stmt body = seq({for_loop(i, n, store(T, {i}, floordiv(load(A, {i}), Expr(k)))),
                   for_loop(j, n, store(A, {j}, load(T, {n - i32(1) - Expr(j)})))});
  PrimFunc func = function("reverse quotient", {param(A), {k, {}}}, make_stmt(AllocBuffer{T, body}));
  std::vector<Tensor> buffers = {tensor<int64_t>(kInt64, {3}, {-7, 7, int64_t{1} << 40})};
  Kernel kernel = emit(Derivation(func), {.target = Target::Hexagon});
  Executable program = link_hexagon(kernel, bind_scalars(func, buffers, {-2}));
  EXPECT_EQ(program.workspace_bytes, 128);
  run_hexagon(program, buffers, {-2});
  EXPECT_EQ(values<int64_t>(buffers[0]), (std::vector<int64_t>{-(int64_t{1} << 39), -4, 3}));
}

TEST(Hexagon, AnEmulatorThatIsNotThereIsSaidClearly) {
  std::vector<Tensor> buffers(3);
  PrimFunc func = matmul(1, 1, 1);
  for (Tensor& t : buffers) t = tensor<float>(kFloat32, {1, 1}, {1});
  Executable program = link_hexagon(emit(Derivation(func), {.target = Target::Hexagon}));
  HexagonOptions options{.qemu = "no-such-emulator"};
  EXPECT_FALSE(have_qemu(options));
  try {
    run_hexagon(program, buffers, {}, options);
    FAIL() << "it ran";
  } catch (const HexagonFailure& e) {
    EXPECT_NE(std::string(e.what()).find("no-such-emulator"), std::string::npos) << e.what();
  }
}

TEST(Hexagon, AProgramThatRunsTooLongIsStopped) {
  NEEDS_QEMU();
  Buffer A = make_buffer("A", kInt32, {i32(1)});
  Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32);
  Stmt step = store(A, {i32(0)}, load(A, {i32(0)}) * i32(3) + i32(1));
  PrimFunc func = function("slow", {param(A)}, for_loop(i, i32(1 << 30), for_loop(j, i32(1 << 30), step)));
  std::vector<Tensor> buffers = {tensor<int32_t>(kInt32, {1}, {0})};
  Executable program = link_hexagon(emit(Derivation(func), {.target = Target::Hexagon}));
  EXPECT_THROW(run_hexagon(program, buffers, {}, {.seconds = 0.3}), HexagonFailure);
}

TEST(Hexagon, FunctionsWithoutExactCodeAreRefused) {
  Buffer A = make_buffer("A", kFloat32, {i32(1)});
  PrimFunc func = function("f", {param(A)}, store(A, {i32(0)}, call(kFloat32, "T.exp", {load(A, {i32(0)})})));
  EXPECT_THROW(emit(Derivation(func), {.target = Target::Hexagon}), Unsupported);
  EXPECT_NO_THROW(emit(Derivation(func), {.target = Target::Host}));
}

TEST(Hexagon, AssumeAndUndefMustBeGoneBeforeAKernelIsMade) {
  Buffer A = make_buffer("A", kInt32, {i32(1)});
  PrimFunc with_assume = function("f", {param(A)}, make_stmt(Assume{boolean(true)}));
  PrimFunc with_undef = function("f", {param(A)}, store(A, {i32(0)}, undef(kInt32)));
  EXPECT_THROW(emit(Derivation(with_assume)), Unsupported);
  EXPECT_THROW(emit(Derivation(with_undef)), Unsupported);
}

}  // namespace hexagon_test
}  // namespace hexproof
