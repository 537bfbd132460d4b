// Each error of the semantics: found, worded and located, by the bytecode and by the walk.
#include <gtest/gtest.h>

#include "ir/interpreter/interpreter.h"
#include "ir/interpreter/paths.h"
#include "ir/interpreter/scalar_ops.h"

namespace hexproof {
namespace interpreter_errors_test {

Var v32(const char* name) { return Var::fresh(name, kInt32); }
Stmt store(const Buffer& b, std::vector<Expr> indices, Expr value) {
  return make_stmt(Store{b, std::move(indices), std::move(value)});
}
Stmt loop(const Var& v, Expr extent, Stmt body, ForKind kind = ForKind::Serial) {
  return make_stmt(
      For{.var = v, .min = zero(v.dtype()), .extent = std::move(extent), .kind = kind, .body = std::move(body)});
}
Buffer buffer(const char* name, std::vector<int> shape, DType type = kInt32) {
  std::vector<Expr> extents;
  for (int n : shape) extents.push_back(i32(n));
  return make_buffer(name, type, extents);
}
PrimFunc function(const std::vector<Buffer>& buffers, Stmt body) {
  PrimFunc func{.params = {}, .body = std::move(body)};
  for (const Buffer& b : buffers) func.params.push_back({b->data, b});
  return func;
}

/// Zeroed tensors for the parameters.
std::vector<Tensor> zeros(const PrimFunc& func) {
  std::vector<Tensor> out;
  for (const Buffer& b : func.buffer_params()) {
    std::vector<int64_t> shape = constant_shape(b).value();
    out.push_back(make_tensor(b->dtype, shape));
  }
  return out;
}

/// Runs both ways where there are two, which must agree.
RunResult run_both(const PrimFunc& func, std::vector<Tensor>& args, RunOptions options = {}) {
  std::vector<Tensor> copy = args;
  Arguments bound = bind_arguments(func, args, {});
  RunResult walked = run_by_walk(func, args, bound, options);
  if (auto fast = run_by_bytecode(func, copy, bound, options)) {
    EXPECT_EQ(fast->error.has_value(), walked.error.has_value());
    if (fast->error && walked.error) {
      EXPECT_EQ(fast->error->str(), walked.error->str());
    }
    for (size_t i = 0; i < args.size(); ++i) {
      EXPECT_EQ(args[i].data, copy[i].data);
      EXPECT_EQ(args[i].initialised, copy[i].initialised);
    }
  }
  return walked;
}
std::string error_of(const PrimFunc& func) {
  std::vector<Tensor> args = zeros(func);
  RunResult result = run_both(func, args);
  return result.error ? result.error->str() : "no error";
}

TEST(InterpreterErrors, EveryDimensionIsChecked) {
  Buffer a = buffer("A", {2, 3}), c = buffer("C", {6});
  Var i = v32("i"), j = v32("j");
  // Inside of the flat memory, but outside of axis 1.
  Stmt body = store(c, {i32(0)}, load(a, {i, Expr(j) + i32(2)}));
  EXPECT_EQ(error_of(function({a, c}, loop(i, i32(2), loop(j, i32(3), body)))),
            "read out of bounds: index 3 of axis 1 of buffer 'A' (size 3), at A[0, 3]\n"
            "  in: C[0] = A[i, j + 2]\n"
            "  at: i = 0, j = 1");
  EXPECT_EQ(error_of(function({a, c}, loop(i, i32(7), store(c, {Expr(i) - i32(1)}, i)))),
            "write out of bounds: index -1 of axis 0 of buffer 'C' (size 6)\n"
            "  in: C[i - 1] = i\n"
            "  at: i = 0");
}

TEST(InterpreterErrors, ALoadThatIsThrownAwayCounts) {
  Buffer a = buffer("A", {4});
  EXPECT_EQ(error_of(function({a}, make_stmt(Evaluate{load(a, {i32(4)})}))),
            "read out of bounds: index 4 of axis 0 of buffer 'A' (size 4)\n  in: T.evaluate(A[4])");
  Expr thrown = select(boolean(true), i32(1), load(a, {i32(9)}));
  EXPECT_NE(error_of(function({a}, store(a, {i32(0)}, thrown))), "no error");
  Expr guarded = if_then_else(boolean(true), i32(1), load(a, {i32(9)}));
  EXPECT_EQ(error_of(function({a}, store(a, {i32(0)}, guarded))), "no error");
}

TEST(InterpreterErrors, AndOrEvaluateBothSides) {
  Buffer a = buffer("A", {4});
  Var i = v32("i");
  Expr guard = land(lt(i, i32(4)), eq(load(a, {i}), i32(0)));
  EXPECT_NE(error_of(function({a}, loop(i, i32(5), make_stmt(If{guard, empty_stmt(), {}})))), "no error");
  // In an assume they are plain logic.
  Expr assumed = lor(ge(i, i32(4)), eq(load(a, {i}), i32(0)));
  EXPECT_EQ(error_of(function({a}, loop(i, i32(5), make_stmt(Assume{assumed})))), "no error");
  Expr other_way = lor(eq(load(a, {i}), i32(0)), ge(i, i32(4)));
  EXPECT_NE(error_of(function({a}, loop(i, i32(5), make_stmt(Assume{other_way})))), "no error");
}

TEST(InterpreterErrors, UninitialisedCells) {
  Buffer t = buffer("L", {4}), c = buffer("C", {4});
  Var i = v32("i");
  Stmt body = seq({store(t, {i32(1)}, i32(5)), loop(i, i32(4), store(c, {i}, load(t, {i})))});
  EXPECT_EQ(error_of(function({c}, make_stmt(AllocBuffer{t, body}))),
            "read of the uninitialised cell L[0]\n  in: C[i] = L[i]\n  at: i = 0");
  // Each execution of the allocation gives fresh memory.
  Var k = v32("k");
  Stmt first = make_stmt(If{eq(k, i32(0)), store(t, {i32(0)}, i32(1)), store(c, {i32(0)}, load(t, {i32(0)}))});
  EXPECT_EQ(error_of(function({c}, loop(k, i32(2), make_stmt(AllocBuffer{t, first})))),
            "read of the uninitialised cell L[0]\n  in: C[0] = L[0]\n  at: k = 1");
}

TEST(InterpreterErrors, PaddingOfAnArgument) {
  Buffer a = buffer("A", {3}), c = buffer("C", {3});
  Var i = v32("i");
  PrimFunc func = function({a, c}, loop(i, i32(3), store(c, {i}, load(a, {i}))));
  std::vector<Tensor> args = zeros(func);
  args[0].initialised = {1, 1, 0};
  args[1].initialised = {0, 0, 0};
  RunResult result = run_both(func, args);
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->message, "read of the uninitialised cell A[2]");
  EXPECT_EQ(args[1].initialised, (std::vector<uint8_t>{1, 1, 0}));
}

TEST(InterpreterErrors, IndexOverflowIsAnErrorAndDataWraps) {
  Buffer c = buffer("C", {1}), d = buffer("D", {1}, kInt8);
  Var i = v32("i");
  Expr large = Expr(i) * i32(1 << 30);
  EXPECT_EQ(
      error_of(function({c}, loop(i, i32(3), make_stmt(Evaluate{large})))),
      "integer overflow in index arithmetic: 2 * 1073741824 of int32\n  in: T.evaluate(i * 1073741824)\n  at: i = 2");
  Var x = Var::fresh("x", kInt8, true), y = Var::fresh("x", kInt8);
  Stmt wraps = make_stmt(LetStmt{x, load(d, {i32(0)}), store(d, {i32(0)}, Expr(x) + imm(kInt8, 100))});
  PrimFunc func = function({d}, seq({wraps, wraps}));
  std::vector<Tensor> args = zeros(func);
  ASSERT_FALSE(run_both(func, args).error);
  EXPECT_EQ(static_cast<int8_t>(args[0].data[0]), -56);
  // A loop variable that a let renames is still an index.
  Stmt renamed = make_stmt(LetStmt{y, cast(kInt8, i), make_stmt(Evaluate{Expr(y) + imm(kInt8, 127)})});
  EXPECT_EQ(error_of(function({c}, loop(i, i32(3), renamed))),
            "integer overflow in index arithmetic: 1 + 127 of int8\n  in: T.evaluate(x + T.int8(127))\n  at: i = 1");
}

TEST(InterpreterErrors, DivisionsShiftsAndCasts) {
  Buffer a = buffer("A", {4}), f = buffer("F", {1}, kFloat32);
  Expr x = load(a, {i32(0)});
  auto message = [&](Expr e) { return error_of(function({a, f}, make_stmt(Evaluate{std::move(e)}))); };
  EXPECT_EQ(message(floordiv(i32(7), x)), "division by zero: 7 // 0 of int32\n  in: T.evaluate(7 // A[0])");
  EXPECT_EQ(message(binary(Op::TruncMod, i32(7), x)).substr(0, 16), "division by zero");
  Expr least = imm(kInt32, min_value(kInt32));
  EXPECT_EQ(message(floordiv(least, x - i32(1))).substr(0, 22), "overflow of a division");
  EXPECT_EQ(message(floormod(least, x - i32(1))).substr(0, 22), "overflow of a division");
  EXPECT_EQ(message(binary(Op::Shl, i32(1), x + i32(32))).substr(0, 8), "shift by");
  EXPECT_EQ(message(binary(Op::Shr, i32(1), x - i32(1))).substr(0, 8), "shift by");
  EXPECT_EQ(message(cast(kInt8, load(f, {i32(0)}) + fimm(kFloat32, 300))),
            "the float does not fit the integer type that it is cast to: 300 to int8\n"
            "  in: T.evaluate(T.Cast(\"int8\", F[0] + T.float32(300.0)))");
  Expr nan = binary(Op::Div, load(f, {i32(0)}), load(f, {i32(0)}));
  EXPECT_EQ(message(cast(kInt32, nan)).substr(0, 13), "cast of a NaN");
}

TEST(InterpreterErrors, AFalseAssume) {
  Buffer a = buffer("A", {4});
  Var i = v32("i");
  EXPECT_EQ(error_of(function({a}, loop(i, i32(4), make_stmt(Assume{lt(i, i32(2))})))),
            "the assume is false\n  in: T.assume(i < 2)\n  at: i = 2");
}

TEST(InterpreterErrors, ConflictsOfParallelIterations) {
  Buffer a = buffer("A", {8}), s = buffer("S", {1});
  Var i = v32("i"), k = v32("k");
  Stmt sum = store(s, {i32(0)}, load(s, {i32(0)}) + load(a, {i}));
  for (ForKind kind : {ForKind::Parallel, ForKind::Vectorized, ForKind::ThreadBinding}) {
    EXPECT_EQ(error_of(function({a, s}, loop(i, i32(8), sum, kind))),
              "two iterations of the parallel loop over i touch S[0]: this one reads it, another one has written it\n"
              "  in: S[0] = S[0] + A[i]\n  at: i = 1");
  }
  EXPECT_EQ(error_of(function({a, s}, loop(i, i32(8), sum))), "no error");
  // Reads alone do not conflict; a write after reads of others does.
  Stmt shifted = store(a, {i}, load(a, {floormod(Expr(i) + i32(1), i32(8))}));
  EXPECT_EQ(error_of(function({a}, loop(i, i32(8), shifted, ForKind::Parallel))),
            "two iterations of the parallel loop over i touch A[1]: this one writes it, another one has read it\n"
            "  in: A[i] = A[(i + 1) % 8]\n  at: i = 1");
  // One iteration of the parallel loop owns a cell, whatever loops are inside; two instances do not meet.
  EXPECT_EQ(error_of(function({a, s}, loop(i, i32(8), loop(k, i32(3), store(a, {i}, load(a, {i}) + load(s, {i32(0)}))),
                                           ForKind::Parallel))),
            "no error");
  EXPECT_EQ(
      error_of(function(
          {a}, loop(k, i32(3), loop(i, i32(8), store(a, {floormod(Expr(i) + k, i32(8))}, k), ForKind::Parallel)))),
      "no error");
  // Nested: the outer iterations meet although the inner ones are apart.
  EXPECT_NE(
      error_of(function({a}, loop(k, i32(2), loop(i, i32(8), store(a, {i}, k), ForKind::Parallel), ForKind::Parallel))),
      "no error");
  // Memory of the iteration's own is no meeting place.
  EXPECT_EQ(
      error_of(function({s}, loop(i, i32(4), make_stmt(AllocBuffer{a, store(a, {i32(0)}, i)}), ForKind::Parallel))),
      "no error");
  std::vector<Tensor> args{make_tensor(kInt32, {8}), make_tensor(kInt32, {1})};
  EXPECT_FALSE(run_both(function({a, s}, loop(i, i32(8), sum, ForKind::Parallel)), args, {.check_races = false}).error);
}

TEST(InterpreterErrors, ConstantMemory) {
  Var data = Var::fresh("table", kHandle);
  Buffer t = make_buffer("t", kInt32, {i32(3)}, {.data = data});
  Buffer c = buffer("C", {3});
  Var i = v32("i");
  auto with = [&](Stmt body) {
    return function({c}, make_stmt(Allocate{.data = data,
                                            .dtype = kInt32,
                                            .extents = {i32(3)},
                                            .body = make_stmt(DeclBuffer{t, body}),
                                            .constant = {i32(5), i32(6), i32(7)}}));
  };
  EXPECT_EQ(error_of(with(store(t, {i32(1)}, i32(0)))), "write to constant memory at t[1]\n  in: t[1] = 0");
  PrimFunc copy = with(loop(i, i32(3), store(c, {i}, load(t, {i}))));
  std::vector<Tensor> args = zeros(copy);
  ASSERT_FALSE(run_both(copy, args).error);
  EXPECT_EQ(args[0].data[8], 7);
}

TEST(InterpreterErrors, ExtentsOfAllocations) {
  Buffer c = buffer("C", {3});
  Var i = v32("i"), data = Var::fresh("raw", kHandle);
  Stmt allocate =
      make_stmt(Allocate{.data = data, .dtype = kInt8, .extents = {Expr(i) - i32(1)}, .body = empty_stmt()});
  EXPECT_EQ(error_of(function({c}, loop(i, i32(3), allocate))),
            "negative extent -1 of the allocation raw\n  in: raw = T.allocate([i - 1], \"int8\")\n  at: i = 0");
  Buffer b = make_buffer("B", kInt8, {i32(2), Expr(i) - i32(1)});
  EXPECT_EQ(error_of(function({c}, loop(i, i32(3), make_stmt(AllocBuffer{b, empty_stmt()})))).substr(0, 40),
            "negative extent -1 of axis 1 of buffer B");
  Stmt huge =
      make_stmt(Allocate{.data = data, .dtype = kInt64, .extents = {i32(1 << 20), i32(1 << 20)}, .body = empty_stmt()});
  EXPECT_NE(error_of(function({c}, huge)), "no error");
}

TEST(InterpreterErrors, ViewsAreCheckedAgainstShapeAndMemory) {
  Buffer a = buffer("A", {4, 4});
  Buffer view =
      make_buffer("V", kInt32, {i32(3), i32(4)}, {.strides = {i32(4), i32(1)}, .elem_offset = i32(8), .data = a->data});
  auto with = [&](Stmt body) { return function({a}, make_stmt(DeclBuffer{view, body})); };
  EXPECT_EQ(error_of(with(store(view, {i32(1), i32(3)}, i32(1)))), "no error");
  EXPECT_EQ(error_of(with(store(view, {i32(0), i32(4)}, i32(1)))).substr(0, 72),
            "write out of bounds: index 4 of axis 1 of buffer 'V' (size 4), at V[0, 4");
  EXPECT_EQ(error_of(with(store(view, {i32(2), i32(1)}, i32(1)))),
            "write outside of the memory of buffer 'V': element 17 (size 16), at V[2, 1]\n  in: V[2, 1] = 1");
  PrimFunc func = with(store(view, {i32(1), i32(3)}, i32(9)));
  std::vector<Tensor> args = zeros(func);
  ASSERT_FALSE(run_both(func, args).error);
  EXPECT_EQ(args[0].data[15 * 4], 9);
  Buffer other = make_buffer("W", kFloat32, {i32(16)}, {.data = a->data});
  EXPECT_THROW(error_of(function({a}, make_stmt(DeclBuffer{other, store(other, {i32(0)}, fimm(kFloat32, 1))}))),
               Unsupported);
}

TEST(InterpreterErrors, LoopBounds) {
  Buffer a = buffer("A", {4});
  Var i = v32("i"), b = Var::fresh("b", kInt8);
  Stmt touch = store(a, {i32(9)}, i32(0));
  EXPECT_EQ(error_of(function({a}, loop(i, i32(0), touch))), "no error");
  EXPECT_EQ(error_of(function({a}, loop(i, i32(-3), touch))), "no error");
  EXPECT_EQ(error_of(function({a}, loop(i, load(a, {i32(0)}), touch))), "no error");
  Stmt overflows = make_stmt(For{.var = b, .min = imm(kInt8, 120), .extent = imm(kInt8, 9), .body = empty_stmt()});
  EXPECT_EQ(error_of(function({a}, overflows)).substr(0, 44), "the loop variable b overflows its type int8\n");
}

TEST(InterpreterErrors, UndefMayNotSteer) {
  Buffer a = buffer("A", {4}), c = buffer("C", {4});
  auto message = [&](Stmt s) { return error_of(function({a, c}, std::move(s))); };
  EXPECT_EQ(message(store(a, {floormod(undef(kInt32), i32(4))}, i32(0))).substr(0, 55),
            "a value that depends on T.undef() stands in an index\n  ");
  EXPECT_NE(message(make_stmt(If{eq(undef(kInt32), i32(0)), empty_stmt(), {}})), "no error");
  // The tag goes with the value, through memory and arithmetic.
  Expr read = binary(Op::BitAnd, load(a, {i32(0)}), i32(3));
  EXPECT_NE(message(seq({store(a, {i32(0)}, undef(kInt32)), store(c, {read}, i32(1))})), "no error");
  EXPECT_EQ(message(seq({store(a, {i32(0)}, undef(kInt32)), store(a, {i32(0)}, i32(2)), store(c, {read}, i32(1))})),
            "no error");
}

TEST(InterpreterErrors, UnknownConstructsAreRefused) {
  Buffer a = buffer("A", {4});
  EXPECT_THROW(error_of(function({a}, make_stmt(Evaluate{call(kInt32, "T.call_extern", {string_imm("f"), i32(1)})}))),
               Unsupported);
  EXPECT_THROW(error_of(function({a}, make_stmt(Evaluate{call(kFloat32, "T.frobnicate", {fimm(kFloat32, 1)})}))),
               Unsupported);
  // Only when it is executed.
  Stmt never = make_stmt(If{ne(load(a, {i32(0)}), i32(0)), make_stmt(Evaluate{call(kInt32, "f", {i32(1)})}), {}});
  EXPECT_EQ(error_of(function({a}, never)), "no error");
}

TEST(InterpreterErrors, ArgumentsThatDoNotFit) {
  Var n = v32("n");
  Buffer a = make_buffer("A", kFloat32, {n}), b = make_buffer("B", kFloat32, {Expr(n) * i32(2)});
  PrimFunc func = function({a, b}, empty_stmt());
  auto attempt = [&](std::vector<Tensor> args, std::vector<int64_t> scalars = {}) { run(func, args, scalars); };
  attempt({make_tensor(kFloat32, {3}), make_tensor(kFloat32, {6})});
  EXPECT_THROW(attempt({make_tensor(kFloat32, {3}), make_tensor(kFloat32, {5})}), Error);
  EXPECT_THROW(attempt({make_tensor(kFloat32, {3})}), Error);
  EXPECT_THROW(attempt({make_tensor(kInt32, {3}), make_tensor(kFloat32, {6})}), Error);
  EXPECT_THROW(attempt({make_tensor(kFloat32, {3, 1}), make_tensor(kFloat32, {6})}), Error);
  EXPECT_THROW(attempt({make_tensor(kFloat32, {3}), make_tensor(kFloat32, {6})}, {1}), Error);
  Tensor torn = make_tensor(kFloat32, {3});
  torn.data.pop_back();
  EXPECT_THROW(attempt({torn, make_tensor(kFloat32, {6})}), Error);
}

TEST(InterpreterErrors, StepsAreBounded) {
  Buffer a = buffer("A", {4});
  Var i = v32("i");
  PrimFunc func = function({a}, loop(i, i32(1000), store(a, {i32(0)}, i)));
  std::vector<Tensor> args = zeros(func);
  EXPECT_TRUE(run(func, args, {}, {.max_steps = 100}).out_of_steps);
  RunResult whole = run(func, args, {}, {.max_steps = 2000});
  EXPECT_FALSE(whole.out_of_steps);
  EXPECT_EQ(whole.steps, 2000u);
}

}  // namespace interpreter_errors_test
}  // namespace hexproof
