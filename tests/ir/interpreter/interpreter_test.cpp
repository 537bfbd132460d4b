#include "ir/interpreter/interpreter.h"

#include <gtest/gtest.h>

#include <set>

#include "ir/interpreter/scalar_ops.h"

namespace hexproof {
namespace interpreter_test {

template <class T>
Tensor tensor_of(DType type, std::vector<T> values) {
  Tensor t = make_tensor(type, {static_cast<int64_t>(values.size())});
  std::memcpy(t.data.data(), values.data(), values.size() * sizeof(T));
  return t;
}
template <class T>
std::vector<T> values_of(const Tensor& t) {
  std::vector<T> out(t.data.size() / sizeof(T));
  std::memcpy(out.data(), t.data.data(), t.data.size());
  return out;
}

Stmt store(const Buffer& b, std::vector<Expr> indices, Expr value) {
  return make_stmt(Store{b, std::move(indices), std::move(value)});
}
Stmt loop(const Var& v, Expr extent, Stmt body, ForKind kind = ForKind::Serial) {
  return make_stmt(
      For{.var = v, .min = zero(v.dtype()), .extent = std::move(extent), .kind = kind, .body = std::move(body)});
}
Param param(const Buffer& b) { return {b->data, b}; }

TEST(Interpreter, AddsTwoBuffers) {
  Var n = Var::fresh("n", kInt32), i = Var::fresh("i", kInt32);
  Buffer a = make_buffer("A", kFloat32, {n}), b = make_buffer("B", kFloat32, {n}), c = make_buffer("C", kFloat32, {n});
  PrimFunc func{.params = {param(a), param(b), param(c)},
                .body = loop(i, n, store(c, {i}, load(a, {i}) + load(b, {i})))};
  std::vector<Tensor> args{tensor_of<float>(kFloat32, {1, 2, 3}), tensor_of<float>(kFloat32, {10, 20, 30}),
                           make_tensor(kFloat32, {3})};
  RunResult result = run(func, args);
  ASSERT_FALSE(result.error) << result.error->str();
  EXPECT_EQ(values_of<float>(args[2]), (std::vector<float>{11, 22, 33}));
  EXPECT_EQ(result.steps, 6u);
}

TEST(Interpreter, OutOfBoundsIsLocated) {
  Var i = Var::fresh("i", kInt32);
  Buffer a = make_buffer("A", kFloat32, {i32(4)}), c = make_buffer("C", kFloat32, {i32(4)});
  PrimFunc func{.params = {param(a), param(c)}, .body = loop(i, i32(4), store(c, {i}, load(a, {Expr(i) + i32(1)})))};
  std::vector<Tensor> args{tensor_of<float>(kFloat32, {1, 2, 3, 4}), make_tensor(kFloat32, {4})};
  RunResult result = run(func, args);
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->message, "read out of bounds: index 4 of axis 0 of buffer 'A' (size 4)");
  EXPECT_EQ(result.error->statement, "C[i] = A[i + 1]");
  ASSERT_EQ(result.error->loops.size(), 1u);
  EXPECT_EQ(result.error->loops[0], (std::pair<std::string, int64_t>("i", 3)));
}

PrimFunc function(const std::vector<Buffer>& buffers, Stmt body) {
  PrimFunc func{.params = {}, .body = std::move(body)};
  for (const Buffer& b : buffers) func.params.push_back(param(b));
  return func;
}

TEST(Interpreter, BlockBindsPredicatesAndInitialises) {
  // C[vi] = sum over vk of A[vi, vk], for vi < 3 only.
  Var i = Var::fresh("i", kInt32), k = Var::fresh("k", kInt32), vi = Var::fresh("vi", kInt32),
      vk = Var::fresh("vk", kInt32);
  Buffer a = make_buffer("A", kInt32, {i32(4), i32(5)}), c = make_buffer("C", kInt32, {i32(4)});
  Block block{.name = "sum"};
  block.iters = {{vi, {i32(0), i32(4)}, IterKind::Spatial, i},
                 {vk, {i32(1), i32(5)}, IterKind::Reduce, Expr(k) + i32(1)}};
  block.predicate = lt(i, i32(3));
  block.init = store(c, {vi}, i32(100));
  block.body = store(c, {vi}, load(c, {vi}) + load(a, {vi, Expr(vk) - i32(1)}));
  PrimFunc func = function({a, c}, loop(i, i32(4), loop(k, i32(5), make_stmt(block))));
  std::vector<int32_t> input(20);
  for (int n = 0; n < 20; ++n) input[static_cast<size_t>(n)] = n;
  std::vector<Tensor> args{tensor_of<int32_t>(kInt32, input), make_tensor(kInt32, {4})};
  args[0].shape = {4, 5};
  RunResult result = run(func, args);
  ASSERT_FALSE(result.error) << result.error->str();
  EXPECT_EQ(values_of<int32_t>(args[1]), (std::vector<int32_t>{110, 135, 160, 0}));
}

TEST(Interpreter, VectorsLoadAllLanesBeforeTheyStore) {
  Buffer a = make_buffer("A", kInt32, {i32(8)});
  Expr value = load(a, {ramp(i32(0), i32(1), 4)}) + broadcast(i32(10), 4);
  PrimFunc func = function({a}, store(a, {ramp(i32(7), i32(-2), 4)}, value));
  std::vector<Tensor> args{tensor_of<int32_t>(kInt32, {0, 1, 2, 3, 4, 5, 6, 7})};
  ASSERT_FALSE(run(func, args).error);
  EXPECT_EQ(values_of<int32_t>(args[0]), (std::vector<int32_t>{0, 13, 2, 12, 4, 11, 6, 10}));
  PrimFunc outside = function({a}, store(a, {ramp(i32(5), i32(1), 4)}, broadcast(i32(0), 4)));
  EXPECT_EQ(run(outside, args).error->message, "write out of bounds: index 8 of axis 0 of buffer 'A' (size 8)");
}

TEST(Interpreter, BuffersOfVectorsAndChoices) {
  DType four = kFloat32.with_lanes(4);
  Buffer a = make_buffer("A", four, {i32(2)}), c = make_buffer("C", kFloat32, {i32(8)});
  Var v = Var::fresh("v", four);
  Expr clipped = select(lt(v, broadcast(fimm(kFloat32, 3), 4)), v, broadcast(fimm(kFloat32, -1), 4));
  PrimFunc func =
      function({a, c}, make_stmt(LetStmt{v, load(a, {i32(1)}), store(c, {ramp(i32(0), i32(1), 4)}, clipped)}));
  std::vector<Tensor> args{tensor_of<float>(kFloat32, {9, 9, 9, 9, 1, 2, 3, 4}), make_tensor(kFloat32, {8})};
  args[0].shape = {2, 4};
  RunResult result = run(func, args);
  ASSERT_FALSE(result.error) << result.error->str();
  EXPECT_EQ(values_of<float>(args[1]), (std::vector<float>{1, 2, -1, -1, 0, 0, 0, 0}));
}

TEST(Interpreter, UndefIsChosenAnewAndMarksItsCell) {
  Buffer a = make_buffer("A", kInt32, {i32(3)});
  PrimFunc func = function({a}, seq({store(a, {i32(0)}, undef(kInt32)),
                                     store(a, {i32(1)}, undef(kInt32) - undef(kInt32)), store(a, {i32(2)}, i32(4))}));
  std::set<int32_t> differences;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<Tensor> args{make_tensor(kInt32, {3})}, again = args;
    ASSERT_FALSE(run(func, args, {}, {.undef_seed = seed}).error);
    ASSERT_FALSE(run(func, again, {}, {.undef_seed = seed}).error);
    EXPECT_EQ(args[0].data, again[0].data);  // the same seed, the same choices
    EXPECT_EQ(args[0].initialised, (std::vector<uint8_t>{2, 2, 1}));
    differences.insert(values_of<int32_t>(args[0])[1]);
  }
  EXPECT_GT(differences.size(), 5u);
}

TEST(Interpreter, AnAssumePermitsToReadUndef) {
  Buffer a = make_buffer("A", kInt32, {i32(4)}), c = make_buffer("C", kInt32, {i32(4)});
  Var i = Var::fresh("i", kInt32);
  Expr fact = lor(lt(i, i32(2)), eq(load(a, {i}), undef(kInt32)));
  Stmt copy = store(c, {i}, load(a, {i}));
  std::vector<Tensor> args{tensor_of<int32_t>(kInt32, {1, 2, 0, 0}), make_tensor(kInt32, {4})};
  args[0].initialised = {1, 1, 0, 0};
  std::vector<Tensor> again = args;
  EXPECT_TRUE(run(function({a, c}, loop(i, i32(4), copy)), again).error);
  again = args;
  RunResult result = run(function({a, c}, loop(i, i32(4), seq({make_stmt(Assume{fact}), copy}))), again);
  ASSERT_FALSE(result.error) << result.error->str();
  EXPECT_EQ(again[1].initialised, (std::vector<uint8_t>{1, 1, 2, 2}));
}

TEST(Interpreter, ArgumentsWithStridesAndSymbolicShapes) {
  Var n = Var::fresh("n", kInt32), m = Var::fresh("m", kInt32), s = Var::fresh("s", kInt32),
      i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32);
  Buffer a = make_buffer("A", kInt32, {n, m}, {.strides = {Expr(m) + i32(3), i32(1)}, .elem_offset = i32(2)});
  Buffer c = make_buffer("C", kInt32, {m, n}, {.strides = {s, i32(1)}});
  PrimFunc func = function({a, c}, loop(i, n, loop(j, m, store(c, {j, i}, load(a, {i, j})))));
  std::vector<Tensor> args{tensor_of<int32_t>(kInt32, {1, 2, 3, 4, 5, 6}), make_tensor(kInt32, {3, 2})};
  args[0].shape = {2, 3};
  RunResult result = run(func, args);
  ASSERT_FALSE(result.error) << result.error->str();
  EXPECT_EQ(values_of<int32_t>(args[1]), (std::vector<int32_t>{1, 4, 2, 5, 3, 6}));
}

TEST(Interpreter, ScalarParameters) {
  Var n = Var::fresh("n", kInt8);
  Buffer a = make_buffer("A", kInt8, {i32(1)});
  PrimFunc func = function({a}, store(a, {i32(0)}, n));
  func.params.push_back({n, {}});
  std::vector<Tensor> args{make_tensor(kInt8, {1})};
  ASSERT_FALSE(run(func, args, {-5}).error);
  EXPECT_EQ(values_of<int8_t>(args[0])[0], -5);
  EXPECT_THROW(run(func, args, {128}), Error);
}

}  // namespace interpreter_test
}  // namespace hexproof
