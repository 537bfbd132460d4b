#include <llvm/IR/LLVMContext.h>

#include "backend/codegen/contained.h"
#include "backend/codegen/function.h"
#include "backend/codegen/registers.h"
#include "backend/codegen/target.h"
#include "backend/kernel.h"
#include "backend/row_tables.h"
#include "backend/scopes.h"
#include "backend/symbol.h"
#include "backend/workspace.h"
#include "ir/link/link.h"
#include "ir/visit.h"

namespace hexproof {
namespace {
/// The LLVM IR after optimisation, the object, and the assembly where that is asked for, made where LLVM may break
/// down. Throws Breakdown.
std::vector<std::string> compile(const Kernel& kernel, const EmitOptions& options,
                                 const std::set<Var>& scalar_loops = {},
                                 std::vector<VectorizedLoop>* vectorized = nullptr) {
  auto machine = codegen::make_machine(options.target, codegen::Effort::Full, options.cpu);
  llvm::LLVMContext context;
  llvm::Module module(kernel.symbol, context);
  codegen::set_target(module, *machine);
  codegen::FunctionEmitter emitter(module, {.target = options.target,
                                            .cpu = options.cpu,
                                            .grants = options.grants,
                                            .scalar_loops = scalar_loops,
                                            .registers = options.optimise});
  emitter.emit(kernel.func, kernel.symbol);
  codegen::verify(module);
  auto said = std::make_shared<codegen::Vectorizer>();
  codegen::listen_to_vectorizer(context, said);
  std::vector<std::string> parts = codegen::contained([&]() -> std::vector<std::string> {
    if (options.optimise) codegen::optimise(module, *machine);
    HEXPROOF_CHECK(module.getFunction(kernel.symbol)->use_empty(),
                   "the kernel has the name of a function that it calls");
    std::string text = codegen::text_of(module), left = codegen::left_in_memory(module);
    if (!left.empty()) return {left};
    std::vector<uint8_t> object = codegen::object_code(module, *machine, options.addressing);
    return {text, std::string(object.begin(), object.end()),
            options.assembly ? codegen::assembly_of(module, *machine, options.addressing) : "",
            codegen::to_text(*said)};
  });
  if (parts.size() == 1) {
    throw Unsupported(
        emitter.place_of_registers(parts[0]),
        "LLVM leaves a part of the buffer '" + parts[0] + "' of scope \"local\" in memory",
        "access it everywhere by vectors of one length, or everywhere by single cells; or use scope \"global\"");
  }
  HEXPROOF_CHECK(parts.size() == 4, "the code generator made something else than three texts and an object");
  if (vectorized && options.optimise) *vectorized = codegen::settled(emitter.vectorized(), parts[3]);
  return parts;
}

bool compiles(const Kernel& kernel, const EmitOptions& options, const std::set<Var>& scalar_loops) {
  try {
    compile(kernel, options, scalar_loops);
    return true;
  } catch (const codegen::Breakdown&) {
    return false;
  } catch (const Unsupported&) {  // of other code than was asked for
    return false;
  }
}

/// Where LLVM breaks down: the first vectorized loop without whose vector code it does not; else the function.
[[noreturn]] void refuse(const Kernel& kernel, const EmitOptions& options, const codegen::Breakdown& breakdown) {
  std::string target = options.target == Target::Hexagon ? "Hexagon" : "this machine";
  std::vector<std::pair<Var, Span>> loops;
  visit_stmt(kernel.func.body, [&](const Stmt& s) {
    const For* loop = s.as<For>();
    if (loop && loop->kind == ForKind::Vectorized) loops.emplace_back(loop->var, s->span);
    return true;
  });
  std::set<Var> scalar;
  for (const auto& [var, span] : loops) scalar.insert(var);
  std::string said = std::string("LLVM said: ") + breakdown.what();
  if (!loops.empty() && compiles(kernel, options, scalar)) {
    std::pair<Var, Span> blamed = loops.front();
    for (const auto& loop : loops) {
      if (loops.size() > 1 && !compiles(kernel, options, {loop.first})) continue;
      blamed = loop;
      break;
    }
    throw Unsupported(blamed.second ? blamed.second : kernel.func.span,
                      "LLVM cannot make vector code of the loop '" + blamed.first.name() + "' for " + target,
                      said + "; as a serial loop it compiles");
  }
  throw Unsupported(kernel.func.span, "LLVM cannot compile this function for " + target, said);
}
}  // namespace

Kernel emit(const Derivation& derivation, const EmitOptions& options) {
  demand_no_calls(derivation.current());
  demand_scopes(derivation.current(), options.target);
  demand_physical_axes(derivation.current(), options.target);
  HEXPROOF_CHECK(options.grants.good_for(derivation.current()), "the grants were made for another program");
  Kernel kernel;
  kernel.func = derivation.current();
  kernel.symbol = kernel_symbol(kernel.func.name);
  kernel.target = options.target;
  kernel.cpu = options.cpu;
  kernel.grants = options.grants;
  try {
    std::vector<std::string> parts = compile(kernel, options, {}, &kernel.vectorized);
    kernel.llvm_ir = std::move(parts[0]);
    kernel.object.assign(parts[1].begin(), parts[1].end());
    kernel.assembly = std::move(parts[2]);
  } catch (const codegen::Breakdown& breakdown) {
    refuse(kernel, options, breakdown);
  }
  return kernel;
}

}  // namespace hexproof
