// A counterexample for people, and the elements of tensors.
#pragma once
#include <string>
#include <vector>

#include "ir/interpreter/scalar_ops.h"
#include "verify/equiv/equiv.h"

namespace hexproof {

/// An element, every NaN as the one value.
Scalar element(const Tensor& tensor, int64_t at);
void set_element(Tensor& tensor, int64_t at, const Scalar& value);
/// A constant expression's value.
Scalar constant_value(const Expr& constant);
/// "3", "-0.0"; "uninitialised", "undef".
std::string value_text(const Tensor& tensor, int64_t at);
std::vector<int64_t> index_of(int64_t flat, const std::vector<int64_t>& shape);
size_t flat_of(const std::vector<int64_t>& index, const std::vector<int64_t>& shape);

/// The sizes, the input cells that are not zero, then each cell that differs, with the statement that wrote it on each
/// side; long lists are cut, and it says so.
std::string counterexample_table(const ProgramPair& pair, const Counterexample& found);

}  // namespace hexproof
