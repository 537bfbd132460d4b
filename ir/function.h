// Functions and modules.
#pragma once
#include <string>
#include <vector>

#include "ir/stmt.h"

namespace hexproof {

/// A scalar parameter (buffer missing), or a handle that the buffer is matched against.
struct Param {
  Var var;
  Buffer buffer;
};

/// A program. Shape variables of the parameters' buffers that are no scalar parameter are defined by the
/// arguments' shapes. Parameters with data of their own never alias (semantics: "Memory").
struct PrimFunc {
  std::string name = "main";
  std::vector<Param> params;
  Annotations attrs = {};
  Stmt body;
  Span span = {};

  /// The buffers among the parameters, in order.
  std::vector<Buffer> buffer_params() const;
  /// Scalar parameters and shape variables: the free scalar variables of the function, in order.
  std::vector<Var> scalars() const;
};

struct IRModule {
  std::string name = "Module";
  std::vector<PrimFunc> functions;
};

}  // namespace hexproof
