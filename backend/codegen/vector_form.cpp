#include "backend/codegen/vector_form.h"

#include "ir/visit.h"
#include "rewrite/intrinsics/linear_step.h"

namespace hexproof::codegen {

namespace {

class OnVectors {
 public:
  OnVectors(const For& loop, int lanes) : loop_(loop), lanes_(lanes) {}

  std::optional<Stmt> stmt(const Stmt& s) const {
    if (const Seq* list = s.as<Seq>()) {
      std::vector<Stmt> parts;
      for (const Stmt& part : list->stmts) {
        std::optional<Stmt> vector = stmt(part);
        if (!vector) return std::nullopt;
        parts.push_back(*vector);
      }
      return make_stmt(Seq{parts}, s->span);
    }
    if (const If* branch = s.as<If>()) {
      if (uses_var(branch->condition, loop_.var)) return std::nullopt;
      std::optional<Stmt> yes = stmt(branch->then_case), no = Stmt{};
      if (branch->else_case) no = stmt(branch->else_case);
      if (!yes || !no) return std::nullopt;
      return make_stmt(If{branch->condition, *yes, *no}, s->span);
    }
    const Store* store = s.as<Store>();
    if (!store || !store->value->dtype.is_scalar()) return std::nullopt;
    std::optional<std::vector<Expr>> indices = contiguous(store->buffer, store->indices);
    std::optional<Expr> value = expr(store->value);
    if (!indices || !value) return std::nullopt;
    return make_stmt(Store{store->buffer, *indices, wide(*value)}, s->span);
  }

 private:
  Expr wide(const Expr& e) const { return e->dtype.is_scalar() ? broadcast(e, lanes_) : e; }

  /// The indices of the cells of all iterations, when these are neighbours in the last dimension.
  std::optional<std::vector<Expr>> contiguous(const Buffer& buffer, std::vector<Expr> indices) const {
    bool unit = buffer->strides.empty() || is_int(buffer->strides.back(), 1);
    if (!buffer->dtype.is_scalar() || indices.empty() || !unit) return std::nullopt;
    for (size_t k = 0; k + 1 < indices.size(); ++k) {
      if (uses_var(indices[k], loop_.var) || !indices[k]->dtype.is_scalar()) return std::nullopt;
    }
    Expr& last = indices.back();
    if (linear_step(last, loop_.var) != Wide{1}) return std::nullopt;
    DType type = last->dtype;
    last = ramp(substitute(last, {{loop_.var, loop_.min}}), imm(type, 1), lanes_);
    if (last->wraps) return std::nullopt;
    return indices;
  }

  /// A vector, or a scalar where all lanes are the same.
  std::optional<Expr> expr(const Expr& e) const {
    if (!e->dtype.is_scalar()) return std::nullopt;
    if (!uses_var(e, loop_.var)) return e;
    switch (e->op) {
      case Op::Var:
        return ramp(loop_.min, imm(e->dtype, 1), lanes_);
      case Op::Load: {
        std::optional<std::vector<Expr>> indices = contiguous(e->buffer(), e->args);
        if (!indices) return std::nullopt;
        return load(e->buffer(), *indices);
      }
      case Op::Cast: {
        std::optional<Expr> a = expr(e->args[0]);
        if (!a) return std::nullopt;
        return cast(e->dtype.with_lanes(lanes_), *a);
      }
      case Op::Likely:
        return expr(e->args[0]);
      case HEXPROOF_CASES(Arithmetic):
      case HEXPROOF_CASES(Comparison):
      case HEXPROOF_CASES(Boolean):
      case HEXPROOF_CASES(Bits):
      case Op::Select: {
        std::vector<Expr> args;
        for (const Expr& arg : e->args) {
          std::optional<Expr> lane = expr(arg);
          if (!lane) return std::nullopt;
          args.push_back(wide(*lane));
        }
        if (e->op == Op::Select) return select(args[0], args[1], args[2]);
        if (args.size() == 1) return unary(e->op, args[0]);
        return binary(e->op, args[0], args[1], e->wraps);
      }
      case HEXPROOF_CASES(Constant):
      case Op::Undef:
      case Op::IfThenElse:
      case Op::Let:
      case HEXPROOF_CASES(Vector):
      case Op::Call:
      case HEXPROOF_CASES(ProofOnly):
        return std::nullopt;
    }
    return std::nullopt;
  }

  const For& loop_;
  int lanes_;
};

}  // namespace

std::optional<Stmt> on_vectors(const For& loop) {
  const int64_t* lanes = as_int(loop.extent);
  if (loop.kind != ForKind::Vectorized || !lanes || *lanes < 2 || *lanes > 4096) return std::nullopt;
  return OnVectors(loop, static_cast<int>(*lanes)).stmt(loop.body);
}

std::vector<VectorAccess> vector_accesses(const Stmt& form) {
  std::vector<VectorAccess> out;
  visit_stmt(form, [&](const Stmt& s) {
    const Store* store = s.as<Store>();
    if (!store) return true;
    visit_expr(store->value, [&](const Expr& e) {
      bool is_load = e->op == Op::Load;
      if (is_load && !e->args.empty() && e->args.back()->op == Op::Ramp) out.push_back({e.get(), e->buffer(), e->args});
      return !is_load;
    });
    out.push_back({store, store->buffer, store->indices});
    return true;
  });
  return out;
}

}  // namespace hexproof::codegen
