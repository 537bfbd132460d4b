#include "backend/workspace.h"

#include <algorithm>

namespace hexproof {
namespace {

Expr i64(const Expr& e) { return e->dtype == kInt64 ? e : cast(kInt64, e); }

int64_t aligned(int64_t bytes) { return (bytes + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment; }

Wide floor_div(Wide a, Wide b) {
  Wide q = a / b;
  return a % b != 0 && ((a % b < 0) != (b < 0)) ? q - 1 : q;
}

/// The deepest point that the stack of allocations reaches in `stmt` when it starts at `top`.
int64_t deepest(const Stmt& stmt, int64_t top, const std::map<Var, int64_t>& scalars) {
  auto push = [&](const Expr& bytes) {
    std::optional<Wide> size = evaluate(bytes, scalars);
    if (!size) throw Unsupported(stmt->span, "an allocation whose size is no expression over the scalar parameters");
    if (*size > INT32_MAX) throw Unsupported(stmt->span, "an allocation of more than 2^31 - 1 bytes");
    top = aligned(top + static_cast<int64_t>(*size));
  };
  if (const AllocBuffer* alloc = stmt.as<AllocBuffer>()) push(bytes_of(alloc->buffer));
  if (const Allocate* alloc = stmt.as<Allocate>(); alloc && alloc->constant.empty()) {
    push(bytes_of(alloc->dtype, alloc->extents));
  }
  int64_t most = top;
  for (const Stmt& part : children(stmt)) most = std::max(most, deepest(part, top, scalars));
  return most;
}

}  // namespace

Expr bytes_of(DType type, const std::vector<Expr>& extents) {
  Expr count = imm(kInt64, type.bytes() * type.lanes);
  for (const Expr& extent : extents) count = count * max(i64(extent), imm(kInt64, 0));
  return count;
}

Expr bytes_of(const Buffer& buffer) {
  Expr offset = buffer->elem_offset ? i64(buffer->elem_offset) : imm(kInt64, 0);
  Expr unit = imm(kInt64, buffer->dtype.bytes() * buffer->dtype.lanes);
  if (buffer->strides.empty()) return offset * unit + bytes_of(buffer->dtype, buffer->shape);
  // Strides: one past the last cell; none when an extent is zero.
  Expr cells = offset + imm(kInt64, 1), some = boolean(true);
  for (size_t i = 0; i < buffer->ndim(); ++i) {
    cells = cells + (i64(buffer->shape[i]) - imm(kInt64, 1)) * i64(buffer->strides[i]);
    some = land(some, gt(i64(buffer->shape[i]), imm(kInt64, 0)));
  }
  return select(some, max(cells, imm(kInt64, 0)) * unit, imm(kInt64, 0));
}

std::optional<Wide> evaluate(const Expr& e, const std::map<Var, int64_t>& values) {
  if (!e->dtype.is_scalar() || !(e->dtype.is_integer() || e->dtype.is_bool())) return std::nullopt;
  if (e->op == Op::IntImm) return int_value(e);
  if (e->op == Op::Var) {
    auto it = values.find(e->var());
    return it == values.end() ? std::nullopt : std::optional<Wide>(it->second);
  }
  std::vector<Wide> v;
  for (const Expr& arg : e->args) {
    std::optional<Wide> value = evaluate(arg, values);
    if (!value) return std::nullopt;
    v.push_back(*value);
  }
  auto wrapped = [&](Wide x) { return e->dtype.is_bool() ? x : wrap_to(e->dtype, x); };
  switch (e->op) {
    case Op::Add: return wrapped(v[0] + v[1]);
    case Op::Sub: return wrapped(v[0] - v[1]);
    case Op::Mul: return wrapped(v[0] * v[1]);
    case Op::FloorDiv: return v[1] == 0 ? std::nullopt : std::optional<Wide>(wrapped(floor_div(v[0], v[1])));
    case Op::FloorMod:
      return v[1] == 0 ? std::nullopt : std::optional<Wide>(v[0] - floor_div(v[0], v[1]) * v[1]);
    case Op::TruncDiv: return v[1] == 0 ? std::nullopt : std::optional<Wide>(wrapped(v[0] / v[1]));
    case Op::TruncMod: return v[1] == 0 ? std::nullopt : std::optional<Wide>(v[0] % v[1]);
    case Op::Min: return std::min(v[0], v[1]);
    case Op::Max: return std::max(v[0], v[1]);
    case Op::EQ: return v[0] == v[1];
    case Op::NE: return v[0] != v[1];
    case Op::LT: return v[0] < v[1];
    case Op::LE: return v[0] <= v[1];
    case Op::GT: return v[0] > v[1];
    case Op::GE: return v[0] >= v[1];
    case Op::And: return v[0] && v[1];
    case Op::Or: return v[0] || v[1];
    case Op::Not: return !v[0];
    case Op::Select: case Op::IfThenElse: return v[0] ? v[1] : v[2];
    case Op::Likely: return v[0];
    case Op::Cast: return e->dtype.is_bool() ? Wide{v[0] != 0} : wrapped(v[0]);
    // Shapes are not written with these.
    case Op::BitAnd: case Op::BitOr: case Op::BitXor: case Op::BitNot: case Op::Shl: case Op::Shr:
    case Op::Div: case Op::Let: case Op::Load: case Op::Ramp: case Op::Broadcast: case Op::Call: case Op::Fits:
    case Op::Var: case Op::IntImm: case Op::FloatImm: case Op::StringImm: case Op::Undef:
      break;
  }
  return std::nullopt;
}

int64_t workspace_bytes(const PrimFunc& func, const std::map<Var, int64_t>& scalars) {
  return func.body ? deepest(func.body, 0, scalars) : 0;
}

}  // namespace hexproof
