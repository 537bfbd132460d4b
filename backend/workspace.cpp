#include "backend/workspace.h"

#include <algorithm>

#include "ir/base/diagnostic.h"
#include "ir/interpreter/arguments.h"
#include "ir/interpreter/fault.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

Expr i64(const Expr& e) { return e->dtype == kInt64 ? e : cast(kInt64, e); }

int64_t aligned(int64_t bytes) { return (bytes + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment; }

/// The deepest point that the stack of allocations reaches in `stmt` when it starts at `top`.
int64_t deepest(const Stmt& stmt, int64_t top, const ScalarValues& scalars) {
  auto push = [&](const Expr& bytes) {
    std::optional<Wide> size = value_of(bytes, scalars);
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

std::optional<Wide> value_of(const Expr& e, const ScalarValues& values) {
  if (is_data(e)) return std::nullopt;
  for (const Var& v : free_vars(e)) {
    if (!values.count(v)) return std::nullopt;
  }
  try {
    return wide_value(evaluate(e, values));
  } catch (const Fault&) {
    return std::nullopt;
  }
}

int64_t workspace_bytes(const PrimFunc& func, const ScalarValues& scalars) {
  return func.body ? deepest(func.body, 0, scalars) : 0;
}

}  // namespace hexproof
