// Short ways to build programs and tensors for the tests of this folder.
#pragma once
#include <cstring>

#include "ir/function.h"
#include "ir/interpreter/interpreter.h"
#include "ir/interpreter/scalar_ops.h"
#include "rewrite/layout/interface.h"

namespace hexproof::testing {

template <class T>
Tensor tensor(DType type, std::vector<int64_t> shape, const std::vector<T>& values) {
  Tensor t{type, std::move(shape), std::vector<uint8_t>(values.size() * sizeof(T)), {}};
  std::memcpy(t.data.data(), values.data(), t.data.size());
  return t;
}
template <class T>
std::vector<T> values(const Tensor& t) {
  std::vector<T> out(t.data.size() / sizeof(T));
  std::memcpy(out.data(), t.data.data(), t.data.size());
  return out;
}
inline PrimFunc function(std::string name, std::vector<Param> params, Stmt body = {}) {
  PrimFunc func;
  func.name = std::move(name), func.params = std::move(params), func.body = std::move(body);
  return func;
}
inline Param param(const Buffer& b) { return {b->data, b}; }
inline Stmt for_loop(const Var& v, Expr extent, Stmt body, ForKind kind = ForKind::Serial) {
  return make_stmt(For{v, i32(0), std::move(extent), kind, std::move(body)});
}
inline Stmt store(const Buffer& b, std::vector<Expr> indices, Expr value) {
  return make_stmt(Store{b, std::move(indices), std::move(value)});
}

/// C[i, j] = sum over k of A[i, k] * B[k, j], as a block with an init.
inline PrimFunc matmul(int n, int m, int r, DType type = kFloat32) {
  Buffer A = make_buffer("A", type, {i32(n), i32(r)}), B = make_buffer("B", type, {i32(r), i32(m)}),
         C = make_buffer("C", type, {i32(n), i32(m)});
  Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32), k = Var::fresh("k", kInt32);
  Var vi = Var::fresh("vi", kInt32), vj = Var::fresh("vj", kInt32), vk = Var::fresh("vk", kInt32);
  Block block{.name = "C"};
  block.iters = {{vi, {i32(0), i32(n)}, IterKind::Spatial, i},
                 {vj, {i32(0), i32(m)}, IterKind::Spatial, j},
                 {vk, {i32(0), i32(r)}, IterKind::Reduce, k}};
  block.init = store(C, {vi, vj}, zero(type));
  block.body = store(C, {vi, vj}, load(C, {vi, vj}) + load(A, {vi, vk}) * load(B, {vk, vj}));
  return function("matmul", {param(A), param(B), param(C)},
                  for_loop(i, i32(n), for_loop(j, i32(m), for_loop(k, i32(r), make_stmt(block)))));
}

}  // namespace hexproof::testing
