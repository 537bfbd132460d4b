#include "ir/own_lets.h"

#include <set>
#include <unordered_set>
#include <vector>

#include "ir/visit.h"

namespace hexproof {
namespace {

/// The variables of the lets in it, in the order of a walk.
std::vector<Var> lets_in(const Expr& e) {
  std::vector<Var> out;
  visit_expr(e, [&](const Expr& node) {
    if (node->op == Op::Let) out.push_back(node->args[0]->var());
    return true;
  });
  return out;
}

/// Gives lets whose variable is bound already another one.
class Owner {
 public:
  Expr of(const Expr& e) {
    if (!e || bare_.count(e.get())) return e;
    const size_t before = met_;
    std::vector<Expr> args = e->args;
    bool changed = false;
    if (e->op == Op::Let) {
      ++met_;
      const Var& var = args[0]->var();
      if (!seen_.insert(var).second) {
        const Expr own = Var::fresh(var.name(), var.dtype(), var.is_data());
        seen_.insert(own->var());
        args[2] = substitute(args[2], VarMap{{var, own}});
        args[0] = own, changed = true;
      }
    }
    for (size_t i = e->op == Op::Let ? 1 : 0; i < args.size(); ++i) {
      Expr after = of(args[i]);
      changed |= after.get() != args[i].get();
      args[i] = std::move(after);
    }
    if (met_ == before) kept_.push_back(e), bare_.insert(e.get());
    return changed ? with_args(e, std::move(args)) : e;
  }

  Buffer of(const Buffer& buffer) {
    BufferNode copy = *buffer;
    bool changed = false;
    auto own = [&](Expr& e) {
      Expr after = of(e);
      changed |= after.get() != e.get();
      e = std::move(after);
    };
    for (Expr& e : copy.shape) own(e);
    for (Expr& e : copy.strides) own(e);
    own(copy.elem_offset);
    if (!changed) return buffer;
    return make_buffer(copy.name, copy.dtype, copy.shape,
                       {copy.strides, copy.elem_offset, copy.axis_separators, copy.scope, copy.data});
  }

 private:
  std::set<Var> seen_;
  size_t met_ = 0;                            // lets
  std::unordered_set<const ExprNode*> bare_;  // hold no let
  std::vector<Expr> kept_;                    // so that no other node has the place of one of them
};

}  // namespace

Stmt with_lets_of_their_own(const Stmt& body) {
  Owner owner;
  BufferMap buffers;  // (Layouts first, so that a buffer is made anew for a let of another layout alone.)
  visit_stmt(body, [&](const Stmt& s) {
    const AllocBuffer* made = s.as<AllocBuffer>();
    const DeclBuffer* view = s.as<DeclBuffer>();
    if (!made && !view) return true;
    const Buffer& buffer = made ? made->buffer : view->buffer;
    if (Buffer own = owner.of(buffer); !(own == buffer)) buffers.emplace(buffer, own);
    return true;
  });
  return rewrite_stmt(substitute(body, buffers), [&](const Expr& e) { return owner.of(e); });
}

bool same_up_to_lets(const Expr& a, const Expr& b) {
  const std::vector<Var> lets = lets_in(a), others = lets_in(b);
  if (lets.size() != others.size()) return false;
  VarMap names;
  for (size_t k = 0; k < lets.size(); ++k) names.emplace(others[k], Expr(lets[k]));
  return a == substitute(b, names);
}

}  // namespace hexproof
