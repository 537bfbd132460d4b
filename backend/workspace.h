// Where allocations live: in one workspace, as a stack, each at a multiple of 128 bytes.
#pragma once
#include <cstdint>
#include <map>
#include <optional>

#include "ir/function.h"
#include "ir/interpreter/scalar_ops.h"

namespace hexproof {

inline constexpr int64_t kWorkspaceAlignment = 128;

/// The bytes that a buffer's memory takes, as an int64 expression over the variables of its shape: up to the
/// last cell that its shape, strides and offset reach; at least 0.
Expr bytes_of(const Buffer& buffer);
/// The bytes of `count` = extents[0] * ... elements of `type`.
Expr bytes_of(DType type, const std::vector<Expr>& extents);

/// Values of scalar parameters and shape variables.
using ScalarValues = std::map<Var, Scalar>;

/// The value of an integer expression over `values`. Nothing when it reads anything else, or is an error.
std::optional<Wide> value_of(const Expr& e, const ScalarValues& values = {});

/// The bytes of workspace that `func` needs for these values of its scalars. An allocation whose size depends
/// on anything but scalars is Unsupported, with its place.
int64_t workspace_bytes(const PrimFunc& func, const ScalarValues& scalars = {});

}  // namespace hexproof
