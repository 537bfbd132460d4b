#include <llvm/IR/LLVMContext.h>

#include "backend/codegen/function.h"
#include "backend/codegen/target.h"
#include "backend/kernel.h"
#include "backend/workspace.h"
#include "ir/link.h"

namespace hexproof {
namespace {
/// A name that C and assemblers take.
std::string symbol_of(const std::string& name) {
  std::string out;
  for (char c : name) out.push_back(std::isalnum(static_cast<unsigned char>(c)) ? c : '_');
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0]))) out.insert(0, 1, '_');
  return out;
}
}  // namespace

Kernel emit(const Derivation& derivation, const EmitOptions& options) {
  demand_no_calls(derivation.current());
  HEXPROOF_CHECK(options.grants.good_for(derivation.current()), "the grants were made for another program");
  Kernel kernel;
  kernel.func = derivation.current();
  kernel.symbol = symbol_of(kernel.func.name);
  kernel.target = options.target;
  kernel.grants = options.grants;
  auto machine = codegen::make_machine(options.target, codegen::Effort::Full);
  llvm::LLVMContext context;
  llvm::Module module(kernel.symbol, context);
  codegen::set_target(module, *machine);
  codegen::FunctionEmitter emitter(module, {.target = options.target, .grants = options.grants});
  emitter.emit(kernel.func, kernel.symbol);
  codegen::verify(module);
  if (options.optimise) codegen::optimise(module, *machine);
  kernel.llvm_ir = codegen::text_of(module);
  kernel.object = codegen::object_code(module, *machine);
  return kernel;
}

}  // namespace hexproof
