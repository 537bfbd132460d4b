#include "ir/interpreter.h"

#include <gtest/gtest.h>

#include "ir/scalar_ops.h"

namespace hexproof {
namespace {

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
  return make_stmt(For{.var = v, .min = zero(v.dtype()), .extent = std::move(extent), .kind = kind, .body = std::move(body)});
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

}  // namespace
}  // namespace hexproof
