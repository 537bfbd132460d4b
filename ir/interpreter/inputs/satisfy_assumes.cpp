// Inputs that satisfy what a program assumes of them.
#include <set>

#include "ir/interpreter/inputs/random_inputs.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

/// Turns a program into one that writes what its assumes say: `T.assume(P or A[i] == v)` becomes `if not P: A[i] = v`.
/// Everything else that it does is left out.
class Enforcer {
 public:
  explicit Enforcer(const PrimFunc& func) {
    for (const Buffer& b : func.buffer_params()) parameters_.insert(b);
  }

  Stmt operator()(const Stmt& s) {
    if (const Assume* a = s.as<Assume>()) return enforced(a->condition);
    if (const Store* store = s.as<Store>()) return stored_.insert(store->buffer), empty_stmt();
    return s.as<Evaluate>() ? empty_stmt() : s;
  }

 private:
  Stmt enforced(const Expr& c) {
    if (c->op == Op::And) {
      Stmt both = between(c->args[0], c->args[1]);
      return both ? both : seq({enforced(c->args[0]), enforced(c->args[1])});
    }
    if (c->op == Op::Or) {
      for (size_t k : {1u, 0u}) {
        Stmt one = enforced(c->args[k]);
        if (!is_empty(one)) return make_stmt(If{lnot(c->args[1 - k]), one, {}});
      }
      return empty_stmt();
    }
    if (c->args.size() != 2) return empty_stmt();
    const Expr &a = c->args[0], &b = c->args[1];
    if (Expr value = satisfying(c->op, a, b)) return make_stmt(If{lnot(c), put(a, value), {}});
    if (Expr value = satisfying(mirrored(c->op), b, a)) return make_stmt(If{lnot(c), put(b, value), {}});
    return empty_stmt();
  }

  /// `0 <= cell and cell < n`: the remainder, so that not all cells end up on a bound.
  Stmt between(const Expr& a, const Expr& b) const {
    bool low = a->op == Op::GE || a->op == Op::LE;
    if (!low || b->op != Op::LT) return {};
    const Expr &cell = a->args[a->op == Op::GE ? 0 : 1], &least = a->args[a->op == Op::GE ? 1 : 0];
    const int64_t* n = as_int(b->args[1]);
    if (!is_int(least, 0) || !n || *n <= 0 || !(b->args[0] == cell) || !can_set(cell, least)) return {};
    return put(cell, floormod(cell, b->args[1]));
  }

  /// What makes `cell OP bound` true; a bound is satisfied by its end. Missing: nothing does, or it is no such cell.
  Expr satisfying(Op op, const Expr& cell, const Expr& bound) const {
    if (!can_set(cell, bound)) return {};
    if (op == Op::EQ || op == Op::LE || op == Op::GE) return bound;
    if (!bound->dtype.is_integer()) return {};
    if (op == Op::LT) return bound - imm(bound->dtype, 1);
    if (op == Op::GT) return bound + imm(bound->dtype, 1);
    return {};
  }
  static Op mirrored(Op op) {
    return op == Op::LT ? Op::GT : op == Op::GT ? Op::LT : op == Op::LE ? Op::GE : op == Op::GE ? Op::LE : op;
  }

  static bool is_empty(const Stmt& s) { return s.as<Seq>() && s.as<Seq>()->stmts.empty(); }
  static Stmt put(const Expr& cell, const Expr& value) {
    return make_stmt(Store{cell->buffer(), std::vector<Expr>(cell->args), value});
  }
  /// A cell of an argument that holds its first content, and a value that is one.
  bool can_set(const Expr& cell, const Expr& value) const {
    if (cell->op != Op::Load || !parameters_.count(cell->buffer()) || stored_.count(cell->buffer())) return false;
    bool plain = true;
    visit_expr(value, [&](const Expr& e) {
      plain = plain && e->op != Op::Undef;
      return plain;
    });
    return plain;
  }

  std::set<Buffer> parameters_, stored_;
};

}  // namespace

void satisfy_assumes(const PrimFunc& func, std::vector<Tensor>& inputs, const std::vector<int64_t>& scalars) {
  bool any = false;
  visit_stmt(func.body, [&](const Stmt& s) { return any = any || s.as<Assume>() != nullptr, !any; });
  if (!any) return;
  Enforcer enforcer(func);
  PrimFunc writes = func;
  writes.body = rewrite_stmt(func.body, {}, [&](const Stmt& s) { return enforcer(s); });
  std::vector<Tensor> satisfied = inputs;
  RunOptions options{.max_steps = 50'000'000, .check_races = false};
  if (!run(writes, satisfied, scalars, options).error) inputs = std::move(satisfied);
}

}  // namespace hexproof
