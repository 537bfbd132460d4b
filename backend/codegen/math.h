// Named functions that programs call.
#pragma once
#include "backend/codegen/operators.h"
#include "backend/kernel.h"

namespace hexproof::codegen {

/// The value of a call, or null with the reason in `why` when the target has no exact code for it. On the host,
/// libm's functions at the type of the call (float16 in float, rounded once more); on Hexagon only what is exact.
llvm::Value* math_call(llvm::IRBuilder<>& b, Operators& ops, Target target, const ExprNode& call,
                       const std::vector<llvm::Value*>& args, std::string* why);

}  // namespace hexproof::codegen
