#include "backend/codegen/target.h"

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <mutex>

namespace hexproof::codegen {
namespace {
void initialise() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    LLVMInitializeHexagonTargetInfo();
    LLVMInitializeHexagonTarget();
    LLVMInitializeHexagonTargetMC();
    LLVMInitializeHexagonAsmPrinter();
    LLVMInitializeHexagonAsmParser();
  });
}
}  // namespace

std::unique_ptr<llvm::TargetMachine> make_machine(Target target, Effort effort) {
  initialise();
  std::string triple, cpu, features;
  switch (target) {
    case Target::Host:
      triple = llvm::sys::getProcessTriple();
      cpu = llvm::Triple(triple).getArch() == llvm::Triple::x86_64 ? "x86-64" : "generic";
      break;
    case Target::Hexagon:
      triple = "hexagon-unknown-linux-musl";
      cpu = "hexagonv66";
      // Without small data, addresses need no GP-relative relocation, which LLD lacks for 64-bit constants.
      features = "+hvxv66,+hvx-length128b,-small-data";
      break;
  }
  std::string error;
  const llvm::Target* found = llvm::TargetRegistry::lookupTarget(triple, error);
  HEXPROOF_CHECK(found, "LLVM has no target " + triple + ": " + error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  auto reloc = target == Target::Host ? llvm::Reloc::PIC_ : llvm::Reloc::Static;
  auto level = effort == Effort::Fast ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
  std::unique_ptr<llvm::TargetMachine> machine(
      found->createTargetMachine(triple, cpu, features, options, reloc, llvm::CodeModel::Small, level));
  HEXPROOF_CHECK(machine != nullptr, "no machine for " + triple);
  if (target == Target::Host && effort == Effort::Fast) machine->setFastISel(true);
  return machine;
}

void set_target(llvm::Module& module, const llvm::TargetMachine& machine) {
  module.setTargetTriple(machine.getTargetTriple().str());
  module.setDataLayout(machine.createDataLayout());
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::PipelineTuningOptions tuning;
  // "Off" means: only where llvm.loop metadata asks for it.
  tuning.LoopInterleaving = false;
  tuning.LoopVectorization = false;
  tuning.LoopUnrolling = false;
  tuning.SLPVectorization = false;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

std::vector<uint8_t> object_code(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream out(buffer);
  llvm::legacy::PassManager passes;
  bool failed = machine.addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile,
                                            /*DisableVerify=*/true);
  HEXPROOF_CHECK(!failed, "the target emits no object files");
  passes.run(module);
  return {buffer.begin(), buffer.end()};
}

std::string text_of(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, nullptr);
  return text;
}

void verify(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (llvm::verifyModule(module, &out)) internal_error(__FILE__, __LINE__, "LLVM IR is not well formed: " + text);
}

}  // namespace hexproof::codegen
