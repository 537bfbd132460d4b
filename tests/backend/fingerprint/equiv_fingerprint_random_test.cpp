// Random programs and random changes to them, right and wrong ones: whatever a fingerprint calls equal must agree in
// the interpreter, and right changes must be seen as equal.
#include <gtest/gtest.h>

#include <random>

#include "backend/field/evaluator.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "tests/backend/programs.h"
#include "verify/equiv/equiv.h"

namespace hexproof {
namespace equiv_fingerprint_random_test {

using namespace testing;

class RandomPairs {
 public:
  RandomPairs(uint64_t seed, DType type) : random_(seed), type_(type) {
    for (const char* name : {"A", "B", "C"}) buffers_.push_back(make_buffer(name, type, {i32(4)}));
  }

  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  Expr constant() { return type_.is_float() ? fimm(type_, pick(4) - 1) : imm(type_, pick(4)); }
  Expr leaf() { return pick(4) == 0 ? constant() : load(buffers_[static_cast<size_t>(pick(3))], {index()}); }
  Expr index() { return pick(2) == 0 ? Expr(i_) : i32(pick(4)); }
  Expr condition(int depth) { return binary(pick(2) == 0 ? Op::LT : Op::EQ, value(depth), value(depth)); }
  /// Of two numbers it would be index arithmetic, whose overflow is an error.
  Expr data(Op op, const Expr& a, const Expr& b) { return is_data(a) || is_data(b) ? binary(op, a, b) : a; }
  Expr value(int depth) {
    int kind = depth == 0 ? 0 : pick(8);
    if (kind == 0) return leaf();
    if (kind == 1) return select(condition(depth - 1), value(depth - 1), value(depth - 1));
    const Op ops[] = {Op::Max, Op::Sub, Op::Mul, Op::Mul, Op::Add, Op::Add};
    return data(ops[kind - 2], value(depth - 1), value(depth - 1));
  }

  /// B or C of element i, by a value over all of them; twice.
  PrimFunc program() {
    std::vector<Stmt> stores;
    for (size_t b : {1u, 2u}) stores.push_back(store(buffers_[b], {i_}, value(3)));
    return with_body(for_loop(i_, i32(4), seq(stores)));
  }
  PrimFunc with_body(Stmt body) {
    return function("f", {param(buffers_[0]), param(buffers_[1]), param(buffers_[2])}, std::move(body));
  }

  /// One node somewhere becomes what `change` makes of it; the same where it makes nothing of any.
  PrimFunc changed(const PrimFunc& func, const std::function<Expr(const Expr&)>& change) {
    std::vector<Expr> places;
    visit_all_exprs(func.body, [&](const Expr& e) {
      if (e->dtype == type_ && !(change(e) == e)) places.push_back(e);
    });
    if (places.empty()) return func;
    Expr chosen = places[static_cast<size_t>(pick(static_cast<int>(places.size())))], to = change(chosen);
    return with_body(rewrite_stmt(func.body, [&](const Expr& e) {
      return rewrite_expr(e, [&](const Expr& node) { return node == chosen ? to : node; });
    }));
  }

  /// Right on floats: commutation only. On integers also association and distribution.
  Expr right(const Expr& e) {
    if (e->op != Op::Add && e->op != Op::Mul) return e;
    const Expr &a = e->args[0], &b = e->args[1];
    if (!type_.is_float() && e->op == Op::Mul && a->op == Op::Add) return a->args[0] * b + a->args[1] * b;
    if (!type_.is_float() && a->op == e->op) return binary(e->op, a->args[0], binary(e->op, a->args[1], b));
    return binary(e->op, b, a);
  }
  /// A single-token mistake; it may still change no value.
  Expr wrong(const Expr& e, int kind) {
    if (e->op == Op::IntImm) return imm(type_, int_value(e) + 1);
    if (e->op == Op::FloatImm) return fimm(type_, kind % 2 == 0 ? e->float_value() + 1 : -e->float_value());
    if (e->op == Op::Load) return load(e->buffer(), {i32(kind % 4)});
    if (e->op == Op::Select) return select(e->args[0], e->args[2], e->args[1]);
    if (e->op != Op::Add && e->op != Op::Sub && e->op != Op::Mul && e->op != Op::Max) return e;
    if (kind % 3 == 0) return binary(e->op, e->args[1], e->args[0]);
    const Op ops[] = {Op::Add, Op::Sub, Op::Mul, Op::Max, Op::Min};
    return binary(ops[kind % 5], e->args[0], e->args[1]);
  }

 private:
  std::mt19937_64 random_;
  DType type_;
  std::vector<Buffer> buffers_;
  Var i_ = Var::fresh("i", kInt32);
};

class FingerprintRandom : public ::testing::TestWithParam<DType> {};

TEST_P(FingerprintRandom, WhatIsCalledEqualAgrees) {
  RandomPairs pairs(3, GetParam());
  Prover prover;
  auto native = make_native_evaluator();
  int equal = 0, different = 0, refuted = 0;
  for (int turn = 0; turn < 60; ++turn) {
    PrimFunc before = pairs.program();
    bool keep = turn % 3 == 0;
    int kind = pairs.pick(60);
    PrimFunc after = pairs.changed(before, [&](const Expr& e) { return keep ? pairs.right(e) : pairs.wrong(e, kind); });
    ProgramPair pair = pair_programs(before, after, {});
    Instance at = *instantiate(pair, {});
    Evidence found = equiv_fingerprint(pair, at, prover, *native, 1);
    ASSERT_NE(found.says.find("fingerprint equal") == std::string::npos, found.equal_so_far) << found.says;
    if (keep) {
      EXPECT_TRUE(found.equal_so_far) << found.says << print(before) << print(after);
    }
    refuted += found.finding == Finding::Refuted;
    if (!found.equal_so_far) {
      ++different;
      continue;
    }
    ++equal;
    Evidence tests = equiv_tests(pair, at, static_cast<uint64_t>(turn));
    ASSERT_NE(tests.finding, Finding::Refuted) << "called equal, and are not:\n" << print(before) << print(after);
  }
  // Both kinds came up, and most mistakes changed a value.
  EXPECT_GT(equal, 20);
  EXPECT_GT(different, 15);
  EXPECT_GT(refuted, 8);
}

INSTANTIATE_TEST_SUITE_P(Types, FingerprintRandom, ::testing::Values(kInt8, kUInt16, kInt32, kFloat32, kFloat16),
                         [](const ::testing::TestParamInfo<DType>& info) { return info.param.str(); });

}  // namespace equiv_fingerprint_random_test
}  // namespace hexproof
