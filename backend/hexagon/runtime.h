// The functions that LLVM's Hexagon code calls where the machine has no instruction: divisions, float64 products,
// square roots, rounding to whole numbers, filling and copying memory. They are written with integers, and are exact:
// IEEE-754, to nearest even, with subnormals.
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace hexproof::hexagon {

/// Adds every routine to the module, under the names by which LLVM calls them.
void add_runtime(llvm::Module& module);
/// Parts of add_runtime.
void add_integer_division(llvm::Module& module);
void add_float_arithmetic(llvm::Module& module);
void add_rounding(llvm::Module& module);
void add_memory_routines(llvm::Module& module);

/// A new function, and its entry block.
llvm::Function* begin(llvm::Module& module, llvm::IRBuilder<>& b, const std::string& name, llvm::Type* result,
                      const std::vector<llvm::Type*>& arguments);

}  // namespace hexproof::hexagon
