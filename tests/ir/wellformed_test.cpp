// ill_formed names what is wrong: one program for each rule, and the sound program that it was made from.
#include "ir/wellformed.h"

#include <gtest/gtest.h>

#include "ir/text/text.h"

namespace hexproof {
namespace wellformed_test {

struct Fixture : testing::Test {
  Var n = Var::fresh("n", kInt32), i = Var::fresh("i", kInt32), h = Var::fresh("h", kHandle);
  Buffer a = make_buffer("A", kInt32, {i32(8), i32(4)});

  PrimFunc with(Stmt body) const { return {"main", {{n, {}}, {h, a}}, {}, std::move(body)}; }
  Stmt put(Expr row, Expr value) const { return make_stmt(Store{a, {std::move(row), i32(0)}, std::move(value)}); }
  Stmt loop(Var var, Stmt body) const {
    return make_stmt(For{std::move(var), i32(0), i32(8), ForKind::Serial, std::move(body)});
  }
  std::string defect(Stmt body) const { return ill_formed(with(std::move(body))); }
};
using WellFormed = Fixture;

TEST_F(WellFormed, ASoundProgram) { EXPECT_EQ(defect(loop(i, put(i, n))), ""); }

TEST_F(WellFormed, VariablesInScopeAndBoundOnce) {
  EXPECT_EQ(defect(put(i, n)), "the variable 'i' has no value here");
  EXPECT_EQ(defect(seq({loop(i, put(i, n)), put(i, n)})), "the variable 'i' has no value here");
  EXPECT_EQ(defect(seq({loop(i, put(i, n)), loop(i, put(i, n))})), "the variable 'i' is bound twice");
  EXPECT_EQ(defect(loop(i, loop(i, put(i, n)))), "the variable 'i' is bound twice");
  EXPECT_EQ(defect(make_stmt(For{i, i32(0), i, ForKind::Serial, put(i, n)})), "the variable 'i' has no value here");
  Expr let_i = let(i, n, Expr(i) + i32(1));
  EXPECT_EQ(defect(put(i32(0), let_i)), "");
  EXPECT_EQ(defect(put(i32(0), let_i + let_i)), "the variable 'i' is bound twice");
  EXPECT_EQ(defect(put(i, let_i)), "the variable 'i' has no value here");
}

TEST_F(WellFormed, Types) {
  EXPECT_EQ(defect(put(i32(0), imm(kInt8, 1))), "a int8 is stored to 'A', which takes int32");
  EXPECT_EQ(defect(make_stmt(If{n, put(i32(0), n), {}})), "a condition is int32, not bool");
  EXPECT_EQ(defect(make_stmt(Assume{n})), "what is assumed is int32, not bool");
  EXPECT_EQ(defect(make_stmt(For{i, imm(kInt64, 0), imm(kInt64, 4), ForKind::Serial, put(i, n)})),
            "the loop variable 'i', its start and its extent differ in type");
  EXPECT_EQ(defect(make_stmt(LetStmt{Var::fresh("x", kInt64), n, put(i32(0), n)})),
            "a let binds a value of another type");
  EXPECT_EQ(defect(make_stmt(Evaluate{string_imm("s")})), "a string stands where a value is expected");
  EXPECT_EQ(defect(make_stmt(Evaluate{fits(n)})), "a program contains 'Fits', which only proofs may");
  EXPECT_EQ(defect(put(undef(kInt32), n)), "undef stands in an index of 'A'");
}

TEST_F(WellFormed, Accesses) {
  EXPECT_EQ(defect(make_stmt(Store{a, {i32(0)}, n})), "'A' has 2 dimensions, an access has 1 indices");
  EXPECT_EQ(defect(make_stmt(Store{a, {fimm(kFloat32, 0), i32(0)}, n})), "an index of 'A' is no integer");
  Buffer other = make_buffer("B", kInt32, {i32(4)});
  EXPECT_EQ(defect(put(i32(0), load(other, {i32(0)}))), "the buffer 'B' is not in scope");
  Stmt use = make_stmt(Store{other, {i32(0)}, n});
  EXPECT_EQ(defect(make_stmt(AllocBuffer{other, use})), "");
  EXPECT_EQ(defect(seq({make_stmt(AllocBuffer{other, use}), use})), "the buffer 'B' is not in scope");
  EXPECT_EQ(defect(seq({make_stmt(AllocBuffer{other, use}), make_stmt(AllocBuffer{other, use})})),
            "the variable 'B' is bound twice");
}

TEST_F(WellFormed, Memory) {
  Var p = Var::fresh("P", kHandle);
  Buffer view = make_buffer("V", kInt32, {i32(2)}, {.data = p});
  Stmt use = make_stmt(DeclBuffer{view, make_stmt(Store{view, {i32(0)}, n})});
  EXPECT_EQ(defect(make_stmt(Allocate{p, kInt32, {i32(2)}, "global", use})), "");
  EXPECT_EQ(defect(use), "the memory of the buffer 'V' is not in scope");
  EXPECT_EQ(defect(make_stmt(Allocate{p, kInt32, {i32(2)}, "global", use, {i32(1), i32(2)}})),
            "a store to 'V', which views a constant");
  EXPECT_EQ(defect(make_stmt(Allocate{p, kInt32, {i32(3)}, "global", use, {i32(1), i32(2)}})),
            "the constant 'P' has another size than its extents");
  Buffer negative = make_buffer("N", kInt32, {i32(-2)});
  EXPECT_EQ(defect(make_stmt(AllocBuffer{negative, empty_stmt()})), "the buffer 'N' has a negative extent");
  Buffer strided = make_buffer("S", kInt32, {i32(2)}, {.strides = {i32(1), i32(1)}});
  EXPECT_EQ(defect(make_stmt(AllocBuffer{strided, empty_stmt()})),
            "the buffer 'S' has another number of strides than of dimensions");
  Buffer data = make_buffer("D", kInt32, {load(a, {i32(0), i32(0)})});
  EXPECT_EQ(defect(make_stmt(AllocBuffer{data, empty_stmt()})), "the shape of 'D' depends on the content of a buffer");
}

TEST_F(WellFormed, Blocks) {
  Var v = Var::fresh("v", kInt32);
  Block block{.name = "b", .iters = {{v, {i32(0), i32(8)}, IterKind::Spatial, i}}, .body = put(v, n)};
  EXPECT_EQ(defect(loop(i, make_stmt(block))), "");
  Block bad = block;
  bad.iters[0].binding = v;
  EXPECT_EQ(defect(loop(i, make_stmt(bad))), "the variable 'v' has no value here");
  bad = block;
  bad.iters[0].dom.extent = imm(kInt64, 8);
  EXPECT_EQ(defect(loop(i, make_stmt(bad))),
            "the iteration variable 'v' of block 'b' differs in type from its domain or binding");
  bad = block;
  bad.reads = {{a, {{v, i32(1)}}}};
  EXPECT_EQ(defect(loop(i, make_stmt(bad))), "a region of 'A' has another number of dimensions");
  bad = block;
  bad.body = {};
  EXPECT_EQ(defect(loop(i, make_stmt(bad))), "a statement is missing");
  bad = block;
  bad.predicate = v;
  EXPECT_EQ(defect(loop(i, make_stmt(bad))), "the predicate of block 'b' is int32, not bool");
}

TEST_F(WellFormed, ThreadsAndParameters) {
  EXPECT_EQ(defect(make_stmt(For{i, i32(0), i32(4), ForKind::ThreadBinding, put(i, n)})),
            "the loop over 'i' has a thread axis if and only if it is bound to one");
  EXPECT_EQ(ill_formed({"main", {{h, {}}}, {}, empty_stmt()}), "the parameter 'h' is a pointer without a buffer");
  EXPECT_EQ(ill_formed({"main", {{n, {}}, {n, {}}}, {}, empty_stmt()}), "the variable 'n' is bound twice");
  EXPECT_EQ(ill_formed({"main", {}, {}, {}}), "the function has no body");
  Var m = Var::fresh("m", kInt32);
  Buffer shaped = make_buffer("S", kInt32, {m});
  EXPECT_EQ(ill_formed({"main", {{h, shaped}}, {}, make_stmt(Evaluate{m})}), "")
      << "a shape variable comes with its argument";
}

TEST_F(WellFormed, TheStatementIsNamed) {
  auto file = std::make_shared<const SourceFile>(SourceFile{"t.py", "x\ny\n"});
  Stmt bad = make_stmt(Store{a, {i32(0)}, n}, Span{file, 2, 1, 1});
  EXPECT_EQ(ill_formed(with(loop(i, bad))), "t.py:2:1: 'A' has 2 dimensions, an access has 1 indices");
}

}  // namespace wellformed_test
}  // namespace hexproof
