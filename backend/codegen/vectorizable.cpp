#include "backend/codegen/vectorizable.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "ir/visit.h"

namespace hexproof::codegen {
namespace {

/// d e / d var, where e is linear in it by its form.
std::optional<Wide> coefficient(const Expr& e, const Var& var) {
  if (!uses_var(e, var)) return 0;
  if (e->op == Op::Var) return 1;
  if (e->op != Op::Add && e->op != Op::Sub && e->op != Op::Mul) return std::nullopt;
  std::optional<Wide> a = coefficient(e->args[0], var), b = coefficient(e->args[1], var);
  if (!a || !b) return std::nullopt;
  if (e->op == Op::Add) return *a + *b;
  if (e->op == Op::Sub) return *a - *b;
  if (e->args[1]->op == Op::IntImm) return *a * int_value(e->args[1]);
  if (e->args[0]->op == Op::IntImm) return *b * int_value(e->args[0]);
  return std::nullopt;
}

class Checker {
 public:
  explicit Checker(const Var& var) : var_(var) {}

  bool stmt(const Stmt& s) const {
    if (const Seq* list = s.as<Seq>()) {
      return std::all_of(list->stmts.begin(), list->stmts.end(), [&](const Stmt& part) { return stmt(part); });
    }
    if (const If* branch = s.as<If>()) {
      return value(branch->condition) && stmt(branch->then_case) && (!branch->else_case || stmt(branch->else_case));
    }
    const Store* store = s.as<Store>();
    return store && narrow(store->buffer->dtype) && step(store->buffer, store->indices) == 1 && value(store->value);
  }

 private:
  static bool narrow(DType t) { return t.is_scalar() && (t.is_integer() || t.is_bool()) && t.bits <= 32; }

  /// How many cells an access moves from one iteration to the next; nothing when that varies.
  std::optional<Wide> step(const Buffer& buffer, const std::vector<Expr>& indices) const {
    if (!buffer->strides.empty()) return std::nullopt;
    for (size_t k = 0; k + 1 < indices.size(); ++k) {
      if (uses_var(indices[k], var_)) return std::nullopt;
    }
    return indices.empty() ? std::optional<Wide>(0) : coefficient(indices.back(), var_);
  }

  bool value(const Expr& e) const {
    if (!uses_var(e, var_) && e->op != Op::Load) return narrow(e->dtype) && e->op != Op::Call && e->op != Op::Let;
    switch (e->op) {
      case Op::Var:
        return true;
      case Op::Load: {
        std::optional<Wide> cells = step(e->buffer(), {e->args.begin(), e->args.end()});
        return narrow(e->dtype) && cells && (*cells == 0 || *cells == 1);
      }
      case Op::FloorDiv:
      case Op::FloorMod:
        if (e->args[1]->op != Op::IntImm || !std::has_single_bit(static_cast<uint64_t>(int_value(e->args[1]))))
          return false;
        break;
      case Op::Shl:
      case Op::Shr:
        if (e->args[1]->op != Op::IntImm) return false;
        break;
      case Op::Add:
      case Op::Sub:
      case Op::Mul:
      case Op::Min:
      case Op::Max:
      case Op::BitAnd:
      case Op::BitOr:
      case Op::BitXor:
      case Op::BitNot:
      case Op::LT:
      case Op::LE:
      case Op::GT:
      case Op::GE:
      case Op::EQ:
      case Op::NE:
      case Op::And:
      case Op::Or:
      case Op::Not:
      case Op::Select:
      case Op::IfThenElse:
      case Op::Cast:
        break;
      case Op::Div:
      case Op::TruncDiv:
      case Op::TruncMod:
      case Op::IntImm:
      case Op::FloatImm:
      case Op::StringImm:
      case Op::Undef:
      case Op::Let:
      case Op::Ramp:
      case Op::Broadcast:
      case Op::Likely:
      case Op::Call:
      case Op::Fits:
        return false;
    }
    return narrow(e->dtype) &&
           std::all_of(e->args.begin(), e->args.end(), [&](const auto& part) { return value(Expr(part)); });
  }

  const Var& var_;
};

}  // namespace

bool vectorizable_on_hexagon(const For& loop) { return Checker(loop.var).stmt(loop.body); }

}  // namespace hexproof::codegen
