// Which vectorized loops became vector code, and what LLVM says of the others.
#pragma once
#include <llvm/IR/LLVMContext.h>

#include <map>
#include <memory>
#include <set>
#include <string>

#include "backend/kernel.h"

namespace hexproof::codegen {

/// A vectorized loop as it was emitted.
struct EmittedLoop {
  VectorizedLoop loop;           // `why` is said already where LLVM is not asked
  std::set<std::string> blocks;  // where LLVM may look for it: the names of its first blocks
};

/// What LLVM's vectorizer says, by the name of the block that it calls a loop by.
struct Vectorizer {
  std::set<std::string> made;
  std::map<std::string, std::string> why_not;
};
/// From now on what the vectorizer says in this context goes there, and nowhere else.
void listen_to_vectorizer(llvm::LLVMContext& context, std::shared_ptr<Vectorizer> said);
/// As text, from one process to another.
std::string to_text(const Vectorizer& said);

/// One entry a loop: a loop that was emitted several times is scalar where any of them is.
std::vector<VectorizedLoop> settled(const std::vector<EmittedLoop>& loops, const std::string& said);

}  // namespace hexproof::codegen
