// Nanoseconds per multiply-add of the innermost statement of a packed 1x1 convolution, by bytecode and by the walk.
// Usage: bench_interpreter [outer iterations]
#include "ir/interpreter/interpreter.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "ir/interpreter/paths.h"

namespace hexproof {
namespace {

/// for wo, rc, hi, wi, ki, ri: out[wo.. ki] += in[wo.. ri] * filter[rc, ri // 4, ki, ri % 4], flat, with lets.
PrimFunc convolution(int outer) {
  auto var = [](const char* name) { return Var::fresh(name, kInt32); };
  Var wo = var("wo"), rc = var("rc_outer"), hi = var("hi"), wi = var("wi"), ki = var("ki"), ri = var("rc_inner");
  Buffer in = make_buffer("input", kFloat32, {i32(outer * 8192)}),
         filter = make_buffer("filter", kFloat32, {i32(4096)}),
         out = make_buffer("output", kFloat32, {i32(outer * 8192)});
  Var v7 = var("cse_var_7"), v6 = var("cse_var_6"), v5 = var("cse_var_5"), v4 = var("cse_var_4");
  Expr sum = load(out, {v4}) + load(in, {Expr(v7) + Expr(rc) * i32(2048) + v6 + v5 + ri}) *
                                   load(filter, {Expr(rc) * i32(1024) + floordiv(ri, i32(4)) * i32(128) +
                                                 Expr(ki) * i32(4) + floormod(ri, i32(4))});
  Stmt body = make_stmt(Store{out, {v4}, sum});
  body = make_stmt(LetStmt{v4, Expr(v7) + v6 + v5 + ki, body});
  body = make_stmt(LetStmt{v5, Expr(wi) * i32(32), body});
  body = make_stmt(LetStmt{v6, Expr(hi) * i32(256), body});
  body = make_stmt(LetStmt{v7, Expr(wo) * i32(8192), body});
  for (auto [v, n] : {std::pair{ri, 32}, {ki, 32}, {wi, 8}, {hi, 8}, {rc, 4}, {wo, outer}}) {
    body = make_stmt(For{.var = v, .min = i32(0), .extent = i32(n), .body = body});
  }
  return {.params = {{in->data, in}, {filter->data, filter}, {out->data, out}}, .body = body};
}

double nanoseconds(int outer, bool by_walk) {
  PrimFunc func = convolution(outer);
  std::vector<Tensor> args{make_tensor(kFloat32, {outer * 8192}), make_tensor(kFloat32, {4096}),
                           make_tensor(kFloat32, {outer * 8192})};
  auto start = std::chrono::steady_clock::now();
  RunResult result = by_walk ? run_by_walk(func, args, bind_arguments(func, args, {}), {}) : run(func, args);
  std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  if (result.error) std::printf("%s\n", result.error->str().c_str()), std::exit(1);
  return time.count() / (double(outer) * 4 * 8 * 8 * 32 * 32);
}

}  // namespace
}  // namespace hexproof

int main(int argc, char** argv) {
  const int outer = argc > 1 ? std::max(1, std::atoi(argv[1])) : 40;
  double fast = hexproof::nanoseconds(outer, false);
  double walk = hexproof::nanoseconds(std::max(1, outer / 40), true);
  std::printf("interpreter: %.1f ns per multiply-add by bytecode, %.0f ns by the walk (%.0f times)\n", fast, walk,
              walk / fast);
}
