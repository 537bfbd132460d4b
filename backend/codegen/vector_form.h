// A vectorized loop as statements on vectors: every store one vector store, with all lanes of its value.
#pragma once
#include <optional>
#include <vector>

#include "ir/function.h"

namespace hexproof::codegen {

/// The body of the loop for all its iterations at once: loads and stores with a unit stride in the last dimension are
/// contiguous vectors, what does not depend on the loop's variable is computed once and broadcast. Stores in their
/// order, and ifs whose condition is the same in all iterations. Nothing for any other loop. It means what the loop
/// means when no two iterations conflict.
std::optional<Stmt> on_vectors(const For& loop);

/// The accesses by vectors in such a form: loads (their nodes) before the store (its record) that they belong to.
struct VectorAccess {
  const void* node = nullptr;
  Buffer buffer;
  std::vector<Expr> indices;  // the last one is a Ramp
};
std::vector<VectorAccess> vector_accesses(const Stmt& form);

}  // namespace hexproof::codegen
