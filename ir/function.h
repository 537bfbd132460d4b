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

  /// The fast-math flags (LLVM's names: nnan ninf nsz reassoc contract) that the user grants this function by its
  /// attribute "hexproof.fp", a text such as "nnan nsz" (kFastMathAttribute). Everything that uses a flag asks here.
  /// Error, with the function's place, for an unknown flag and for an attribute that is no text.
  std::vector<std::string> granted_flags() const;
  bool granted(const std::string& flag) const;
};

inline constexpr const char* kFastMathAttribute = "hexproof.fp";
/// A function with this attribute has lost its assumes or its undefs, and knows memory as machines do.
inline constexpr const char* kLoweredAttribute = "hexproof.lowered";
/// The flags in a text that has spaces or commas between them, each once; Error for an unknown one, naming `origin`.
std::vector<std::string> fast_math_flags(const std::string& text, const std::string& origin);
/// "nnan nsz"
std::string join_flags(const std::vector<std::string>& flags);

struct IRModule {
  std::string name = "Module";
  std::vector<PrimFunc> functions;
};

}  // namespace hexproof
