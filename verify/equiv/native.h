// Native evaluation of programs over a field, as whole-program comparison needs it. backend/ implements it; it produces
// no kernel.
#pragma once
#include <cstdint>
#include <vector>

#include "ir/function.h"

namespace hexproof {

/// Programs over GF(2^61 - 1): integer parameters of index arithmetic stay numbers; every data value is a residue.
class NativeEvaluator {
 public:
  virtual ~NativeEvaluator() = default;
};

}  // namespace hexproof
