// The walk over cells that are not values: texts, and counts.
#include <gtest/gtest.h>

#include "ir/interpreter/walk/walk.h"

namespace hexproof {
namespace interpreter_walk_test {

/// Cells are the expressions that made them, as text; an input is its name.
struct TextDomain {
  using Cell = std::string;
  int undefs = 0;
  std::vector<std::string> assumed;

  Cell constant(const Scalar& s) { return text_of(s); }
  Cell unary(Op op, const Cell& a, DType) { return std::string(info(op).text) + a; }
  Cell binary(Op op, const Cell& a, const Cell& b, DType) {
    std::string out = "(";
    return out.append(a).append(info(op).text).append(b).append(")");
  }
  Cell cast(DType to, const Cell& a, DType) { return to.str().append("(").append(a).append(")"); }
  Cell select(const Cell& c, const Cell& a, const Cell& b, DType) {
    std::string out = "(";
    return out.append(c).append("?").append(a).append(":").append(b).append(")");
  }
  Cell call(const std::string& name, DType, const std::vector<Cell>&) { return name; }
  Cell undef(DType) { return std::string("u").append(std::to_string(undefs++)); }
  std::optional<Scalar> number(const Cell&, DType, const std::string&) { return std::nullopt; }
  void assume(const Cell& c) { assumed.push_back(c); }
};

Stmt store(const Buffer& b, std::vector<Expr> indices, Expr value) {
  return make_stmt(Store{b, std::move(indices), std::move(value)});
}

struct Fixture {
  Buffer a = make_buffer("A", kFloat32, {i32(3)}), c = make_buffer("C", kFloat32, {i32(3)});
  Var i = Var::fresh("i", kInt32);
  TextDomain domain;
  Walk<TextDomain> walk{domain};
  WalkMemory<std::string>* out = nullptr;

  RunResult run(Stmt body, Expr extent = i32(3)) {
    auto& in = walk.bind_buffer({.buffer = a, .shape = {3}, .strides = {1}, .elements = 3});
    for (size_t k = 0; k < 3; ++k) {
      in.cells[k] = std::string("a").append(std::to_string(k));
      in.filled[k] = 1;
    }
    out = &walk.bind_buffer({.buffer = c, .shape = {3}, .strides = {1}, .elements = 3});
    return walk.run(make_stmt(For{.var = i, .min = i32(0), .extent = extent, .body = std::move(body)}));
  }
};

TEST(Walk, CellsAreTermsAndIndicesAreNumbers) {
  Fixture f;
  Expr reversed = load(f.a, {i32(2) - f.i});
  Expr chosen = if_then_else(lt(f.i, i32(1)), reversed + cast(kFloat32, f.i), load(f.c, {i32(0)}) * load(f.a, {f.i}));
  ASSERT_FALSE(f.run(store(f.c, {f.i}, chosen)).error);
  EXPECT_EQ(f.out->cells, (std::vector<std::string>{"(a2+0)", "((a2+0)*a1)", "((a2+0)*a2)"}));
}

TEST(Walk, ErrorsAreTheSame) {
  Fixture f;
  RunResult result = f.run(store(f.c, {f.i}, load(f.a, {Expr(f.i) + i32(1)})));
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->message, "read out of bounds: index 3 of axis 0 of buffer 'A' (size 3)");
  EXPECT_EQ(result.error->loops, (std::vector<std::pair<std::string, int64_t>>{{"i", 2}}));
}

TEST(Walk, ContentThatSteersIsUnsupportedUnlessTheDomainDecides) {
  Fixture f;
  Expr positive = gt(load(f.a, {f.i}), fimm(kFloat32, 0));
  EXPECT_THROW(f.run(make_stmt(If{positive, store(f.c, {f.i}, fimm(kFloat32, 1)), {}})), Unsupported);
  Fixture g;
  Expr also = gt(load(g.a, {g.i}), fimm(kFloat32, 0));
  ASSERT_FALSE(g.run(store(g.c, {g.i}, select(also, fimm(kFloat32, 1), fimm(kFloat32, 2)))).error);
  EXPECT_EQ(g.out->cells[1], "((a1>0)?1:2)");
}

TEST(Walk, AssumesGoToTheDomain) {
  Fixture f;
  Expr fact = lor(lt(f.i, i32(2)), eq(load(f.a, {f.i}), fimm(kFloat32, 0)));
  ASSERT_FALSE(f.run(make_stmt(Assume{fact})).error);
  EXPECT_EQ(f.domain.assumed, std::vector<std::string>{"(a2==0)"});  // where the left side does not decide
}

TEST(Walk, UndefIsAFreshCell) {
  Fixture f;
  ASSERT_FALSE(f.run(store(f.c, {f.i}, undef(kFloat32) + undef(kFloat32))).error);
  EXPECT_EQ(f.out->cells[2], "(u4+u5)");
}

/// Cells count the operations on the way to them, over the numbers themselves: control may depend on content.
struct CountingDomain {
  struct Cell {
    Scalar value;
    int operations = 0;
  };
  Cell constant(const Scalar& s) { return {s}; }
  Cell unary(Op op, const Cell& a, DType) { return {apply_unary(op, a.value), a.operations + 1}; }
  Cell binary(Op op, const Cell& a, const Cell& b, DType) {
    return {apply_binary(op, a.value, b.value, Arith::Data).value, a.operations + b.operations + 1};
  }
  Cell cast(DType to, const Cell& a, DType) { return {apply_cast(to, a.value).value, a.operations + 1}; }
  Cell select(const Cell& c, const Cell& a, const Cell& b, DType) { return c.value.truth() ? a : b; }
  Cell call(const std::string& name, DType, const std::vector<Cell>&) { throw Unsupported(Span{}, name); }
  Cell undef(DType t) { return {zero_scalar(t)}; }
  std::optional<Scalar> number(const Cell& a, DType, const std::string&) { return a.value; }
  void assume(const Cell&) {}
};

TEST(Walk, ADomainMayDecideControl) {
  Buffer a = make_buffer("A", kInt32, {i32(4)});
  Var i = Var::fresh("i", kInt32);
  CountingDomain domain;
  Walk<CountingDomain> walk(domain);
  auto& memory = walk.bind_buffer({.buffer = a, .shape = {4}, .strides = {1}, .elements = 4});
  for (size_t k = 0; k < 4; ++k) memory.cells[k] = {int_scalar(kInt32, 3 - static_cast<int>(k))}, memory.filled[k] = 1;
  // for i in range(A[0]): A[A[i]] = A[A[i]] * 2 + 1
  Expr target = load(a, {i});
  Stmt body = store(a, {target}, load(a, {target}) * i32(2) + i32(1));
  RunResult result = walk.run(make_stmt(For{.var = i, .min = i32(0), .extent = load(a, {i32(0)}), .body = body}));
  ASSERT_FALSE(result.error) << result.error->str();
  EXPECT_EQ(memory.cells[3].value.i(), 3);   // A[3] = 0 * 2 + 1, then 1 * 2 + 1
  EXPECT_EQ(memory.cells[2].value.i(), 3);   // A[2] = 1 * 2 + 1
  EXPECT_EQ(memory.cells[3].operations, 4);  // the second time through A[2] = 3
}

}  // namespace interpreter_walk_test
}  // namespace hexproof
