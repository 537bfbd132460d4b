// Index or data is decided once, when the program is read, for each operation; the text says it where the operands
// would say otherwise.
#include "ir/arith_class.h"

#include <gtest/gtest.h>

#include "ir/base/diagnostic.h"
#include "ir/interpreter/interpreter.h"
#include "ir/interpreter/paths.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace arith_class_test {

/// B[0] = value, with the lines before it.
PrimFunc storing(const std::string& value, const std::string& lines = "") {
  return parse_module("def f(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\"), n: T.int32):\n" + lines +
                      "    B[0] = " + value + "\n")
      .functions.at(0);
}
Expr stored_value(const PrimFunc& func) {
  Expr out;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Store* store = s.as<Store>()) out = store->value;
    return true;
  });
  return out;
}
bool wraps(const std::string& value, const std::string& lines = "") {
  return stored_value(storing(value, lines))->wraps;
}

void round_trips(const PrimFunc& func) {
  ASSERT_EQ(ill_formed(func), "") << print(func);
  PrimFunc back = parse_module(print(func)).functions.at(0);
  EXPECT_TRUE(same_program(func, back)) << print(func) << print(back);
  EXPECT_EQ(print(back), print(func));
}

/// "overflow", or the cell that was stored; both ways of running agree.
std::string result(const PrimFunc& func, int32_t a, int64_t n = 0) {
  std::vector<Tensor> args{make_tensor(kInt32, {4}), make_tensor(kInt32, {4})};
  for (int i = 0; i < 4; ++i) store_scalar(int_scalar(kInt32, a), &args[0].data[static_cast<size_t>(i) * 4]);
  std::vector<Tensor> copy = args;
  Arguments bound = bind_arguments(func, args, {n});
  auto text = [](const RunResult& r, const Tensor& out) {
    if (!r.error) return std::to_string(load_scalar(kInt32, out.data.data()).i());
    return r.error->kind == ErrorKind::Overflow ? "overflow" : r.error->message;
  };
  std::string walked = text(run_by_walk(func, args, bound, {}), args[1]);
  if (auto fast = run_by_bytecode(func, copy, bound, {})) {
    EXPECT_EQ(text(*fast, copy[1]), walked) << print(func);
  }
  return walked;
}

TEST(ArithClass, OperandsDecideWhenTheProgramIsRead) {
  EXPECT_FALSE(wraps("n + 1"));
  EXPECT_TRUE(wraps("A[n + 1] + 1"));
  EXPECT_FALSE(stored_value(storing("A[n + 1] + 1"))->args[0]->args[0]->wraps);  // the index
  EXPECT_TRUE(wraps("T.if_then_else(A[0] > 0, 1, 2) + n"));
  EXPECT_TRUE(wraps("T.Cast(\"int32\", A[0] > 0) << n"));
  EXPECT_TRUE(wraps("T.undef() - n"));
  EXPECT_FALSE(wraps("n * 3"));
  EXPECT_FALSE(wraps("A[0] // n"));  // no operation that overflows wraps or not
}

TEST(ArithClass, VariablesAreWhatTheirValuesAre) {
  EXPECT_TRUE(wraps("x + 1", "    x: T.int32 = A[0]\n"));
  EXPECT_TRUE(wraps("y + 1", "    x: T.int32 = A[0]\n    y: T.int32 = x // 2\n"));
  EXPECT_FALSE(wraps("x + 1", "    x: T.int32 = n\n"));
  PrimFunc block = parse_module(R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(A[0]):
        with T.block("b"):
            v = T.axis.opaque(4, i)
            w = T.axis.opaque(4, A[i] % 4)
            B[v + 1] = w + v
)")
                       .functions.at(0);
  const Store* store = nullptr;
  visit_stmt(block.body, [&](const Stmt& s) {
    if (s.as<Store>()) store = s.as<Store>();
    return true;
  });
  EXPECT_FALSE(store->indices[0]->wraps);  // a loop variable is an index, whatever its bound is
  EXPECT_TRUE(store->value->wraps);
  round_trips(block);
}

// The body decides, with the variable data when its value is.
TEST(ArithClass, LetExpressions) {
  const std::string x = "    x = T.int32()\n", xy = x + "    y = T.int32()\n";
  EXPECT_FALSE(wraps("T.Let(n - 4, where={x: A[0]}) + 2147483647", x));
  EXPECT_TRUE(wraps("T.Let(x - 4, where={x: A[0]}) + 2147483647", x));
  EXPECT_FALSE(wraps("T.Let(x - 4, where={x: n}) + 1", x));
  PrimFunc inner = storing("T.Let(T.Let(y + 1, where={y: x + 2}), where={x: A[0]})", xy);
  EXPECT_TRUE(stored_value(inner)->args[2]->args[2]->wraps);
  EXPECT_TRUE(stored_value(inner)->args[2]->args[1]->wraps);
  EXPECT_TRUE(stored_value(inner)->args[2]->args[0]->var().is_data());
  PrimFunc told = storing("T.Let(T.nowrap(x + 1) + T.wrap(n + 1), where={x: A[0]})", x);
  const Expr body = stored_value(told)->args[2];
  EXPECT_TRUE(body->wraps);
  EXPECT_FALSE(body->args[0]->wraps);
  EXPECT_TRUE(body->args[1]->wraps);
  for (const PrimFunc& func : {inner, told}) round_trips(func);
}

TEST(ArithClass, TheTextSaysIt) {
  for (const char* value : {"T.wrap(n + 1)", "T.wrap(n * 2) - 1", "T.nowrap(A[0] + 1)", "T.nowrap(A[0] + 1) * 2",
                            "T.wrap(T.wrap(n + 1) - n)", "T.wrap(T.int32(3) + 4)", "T.nowrap(A[0] << n)",
                            "T.max(T.wrap(n - 1), 2)", "T.nowrap(T.nowrap(A[0] + n) - 1)"}) {
    PrimFunc func = storing(value);
    EXPECT_NE(print(func).find(std::string("B[0] = ") + value), std::string::npos) << print(func);
    round_trips(func);
  }
  // Only where it is needed.
  EXPECT_NE(print(storing("T.wrap(A[0] + 1)")).find("B[0] = A[0] + 1"), std::string::npos);
  EXPECT_NE(print(storing("T.nowrap(n + 1)")).find("B[0] = n + 1"), std::string::npos);
  PrimFunc plain = storing("n + 1"), wrapping = storing("T.wrap(n + 1)");
  EXPECT_FALSE(same_program(plain, wrapping));
  EXPECT_FALSE(stored_value(plain) == stored_value(wrapping));
}

TEST(ArithClass, OnlyOperationsHaveOne) {
  for (const char* value : {"T.wrap(n)", "T.wrap(3)", "T.wrap(n // 2)", "T.nowrap(A[0])", "T.wrap(T.max(n, 1))",
                            "T.wrap()", "T.nowrap(n + 1, n)"}) {
    EXPECT_THROW(storing(value), Error) << value;
  }
}

// Other operands do not change the class, and the text follows.
TEST(ArithClass, SubstitutionKeepsIt) {
  PrimFunc func = storing("x + 1", "    x: T.int32 = A[0]\n");
  const LetStmt* let = func.body.as<LetStmt>();
  PrimFunc put_in = func;
  put_in.body = substitute(let->body, VarMap{{let->var, i32(2147483647)}});
  EXPECT_NE(print(put_in).find("B[0] = T.wrap(T.int32(2147483647) + 1)"), std::string::npos) << print(put_in);
  round_trips(put_in);
  EXPECT_EQ(result(put_in, 0), "-2147483648");
  // A variable that is bound to an index now: what is computed of it still wraps.
  PrimFunc turned = func;
  turned.body = make_stmt(LetStmt{let->var, i32(2147483647), let->body});
  EXPECT_NE(print(turned).find("T.wrap(x + 1)"), std::string::npos) << print(turned);
  round_trips(turned);
  EXPECT_EQ(result(turned, 0), "-2147483648");
  Stmt copy = refresh(func.body);
  EXPECT_TRUE(copy.as<LetStmt>()->var.is_data());
  PrimFunc index = storing("n + 1");
  index.body = substitute(index.body, VarMap{{index.params[2].var, load(index.params[0].buffer, {i32(0)})}});
  index.params.pop_back();
  EXPECT_NE(print(index).find("T.nowrap(A[0] + 1)"), std::string::npos) << print(index);
  round_trips(index);
}

TEST(ArithClass, RangesReadBack) {
  Buffer b = make_buffer("B", kInt32, {i32(64)});
  Var n = Var::fresh("n", kInt32), i = Var::fresh("i", kInt32);
  Expr start = Expr(n), end = Expr(n) * i32(2);
  for (const Expr& extent : {end - start, with_class(end - start, true), with_class(start + end, true),
                             with_class(with_class(end, true) - start, false), with_class(end, true)}) {
    PrimFunc func{"f", {{Var::fresh("h", kHandle), b}, {n, {}}}, {}, {}};
    func.body = make_stmt(For{.var = i, .min = start, .extent = extent, .body = make_stmt(Store{b, {i32(0)}, i})});
    round_trips(func);
  }
}

TEST(ArithClass, RampsHaveOne) {
  PrimFunc func = parse_module(R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "uint8"), n: T.uint8):
    B[0:4] = T.Cast("uint8", T.Broadcast(A[0], 4)) + T.wrap(T.Ramp(n, T.uint8(1), 4))
)")
                      .functions.at(0);
  round_trips(func);
  EXPECT_NE(print(func).find("T.wrap(T.Ramp(n, T.uint8(1), 4))"), std::string::npos) << print(func);
  auto lanes = [](const PrimFunc& f) {
    std::vector<Tensor> args{make_tensor(kInt32, {4}), make_tensor(kUInt8, {4})};
    RunResult out = run(f, args, {254});
    return out.error ? std::vector<uint8_t>{} : args[1].data;
  };
  EXPECT_EQ(lanes(func), (std::vector<uint8_t>{254, 255, 0, 1}));
  std::string text = print(func);
  text.erase(text.find("T.wrap("), 7), text.erase(text.rfind(')'), 1);
  EXPECT_TRUE(lanes(parse_module(text).functions.at(0)).empty());
}

TEST(ArithClass, BothWaysOfRunningDoAsTheNodeSays) {
  EXPECT_EQ(result(storing("n + 1"), 0, 2147483647), "overflow");
  EXPECT_EQ(result(storing("T.wrap(n + 1)"), 0, 2147483647), "-2147483648");
  EXPECT_EQ(result(storing("A[0] + 1"), 2147483647), "-2147483648");
  EXPECT_EQ(result(storing("T.nowrap(A[0] + 1)"), 2147483647), "overflow");
  EXPECT_EQ(result(storing("T.nowrap(A[0] + 1)"), 7), "8");
  EXPECT_EQ(result(storing("T.nowrap(A[0] * A[1])"), 65536), "overflow");
  EXPECT_EQ(result(storing("T.wrap(n << 31)"), 0, 3), "-2147483648");
  EXPECT_EQ(result(storing("T.nowrap(A[0] << 31)"), 3), "overflow");
  EXPECT_EQ(result(storing("T.wrap(T.int32(2147483647) + 1) + T.nowrap(A[0] - 1)"), 1), "-2147483648");
  EXPECT_EQ(result(storing("T.if_then_else(n > 0, A[0], 3) + 2147483647"), 1, 0), "-2147483646");
  const std::string x = "    x = T.int32()\n";
  EXPECT_EQ(result(storing("T.Let(n - 4, where={x: A[0]}) + 2147483647 + 1", x), 0, 4), "overflow");
  EXPECT_EQ(result(storing("T.Let(x - 4, where={x: A[0]}) + 2147483647 + 1", x), 4), "-2147483648");
  EXPECT_EQ(result(storing("B[T.wrap(n + 1) - n]"), 0, 2147483647), "overflow");  // the difference is index arithmetic
}

}  // namespace arith_class_test
}  // namespace hexproof
