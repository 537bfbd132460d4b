#include "backend/codegen/target.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <mutex>

#include "backend/codegen/contained.h"

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

std::unique_ptr<llvm::TargetMachine> make_machine(Target target, Effort effort, const HostCpu& host) {
  UsesLlvm use;
  initialise();
  std::string triple, cpu, features;
  switch (target) {
    case Target::Host:
      triple = llvm::sys::getProcessTriple();
      cpu = llvm::Triple(triple).getArch() == llvm::Triple::x86_64 ? host.level : "generic";
      // Kernels are vector code for all of their time: whole registers pay.
      if (host.level == "x86-64-v4") features = "-prefer-256-bit";
      for (const std::string& feature : host.more) features += ",+" + feature;
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

std::mutex& llvm_options() {
  static std::mutex mutex;
  return mutex;
}

namespace {
/// An option that LLVM has for the whole process only; the caller holds llvm_options().
void set_option(const char* name, const char* value) {
  auto& options = llvm::cl::getRegisteredOptions();
  auto it = options.find(name);
  HEXPROOF_CHECK(it != options.end(), std::string("LLVM does not know the option ").append(name));
  it->second->setNumOccurrencesFlag(llvm::cl::ZeroOrMore);
  bool failed = it->second->addOccurrence(0, name, value);
  HEXPROOF_CHECK(!failed, std::string("LLVM does not know the value of its option ").append(name));
}
}  // namespace

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
  std::unique_lock<std::mutex> lock;
  if (machine.getTargetTriple().getArch() == llvm::Triple::hexagon) {
    lock = std::unique_lock(llvm_options());
    // Without it the loop vectorizer knows no vector registers of this target.
    set_option("hexagon-autohvx", "true");
  }
  UsesLlvm use;
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

namespace {
/// Hexagon's instruction selection turns `a < b ? a : b` on floats into sfmin, which takes the number where the
/// other operand is a NaN, and orders the zeros. A choice between the bits of floats has no such pattern.
void choose_floats_by_bits(llvm::Module& module) {
  std::vector<llvm::SelectInst*> selects;
  for (llvm::Function& f : module) {
    for (llvm::BasicBlock& block : f) {
      for (llvm::Instruction& i : block) {
        auto* select = llvm::dyn_cast<llvm::SelectInst>(&i);
        if (select && select->getType()->isFPOrFPVectorTy()) selects.push_back(select);
      }
    }
  }
  for (llvm::SelectInst* select : selects) {
    llvm::IRBuilder<> b(select);
    llvm::Type* real = select->getType();
    llvm::Type* bits = b.getIntNTy(real->getScalarSizeInBits());
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(real)) {
      bits = llvm::FixedVectorType::get(bits, vector->getNumElements());
    }
    llvm::Value* chosen = b.CreateSelect(select->getCondition(), b.CreateBitCast(select->getTrueValue(), bits),
                                         b.CreateBitCast(select->getFalseValue(), bits));
    select->replaceAllUsesWith(b.CreateBitCast(chosen, real));
    select->eraseFromParent();
  }
}

/// Packets that QEMU 7.2 runs wrongly have a load after a store to the same place (it gets the old value). Jumps on a
/// value of the same packet go with them as a precaution; no fault was traced to them. LLVM 19's copy propagation on
/// the data-flow graph (rdf-opt) takes away copies that save a register over a call which overwrites it. Its window
/// scheduler, which takes the loops that its software pipeliner gives up, crashes on some loops over vectors. LLVM has
/// options against all four, for the whole process only, and LLD sets all options back.
void forbid_code_that_fails() {
  set_option("slot1-store-slot0-load", "false");
  set_option("disable-nvjump", "true");
  set_option("rdf-opt", "false");
  set_option("window-sched", "off");
}
}  // namespace

namespace {
std::unique_ptr<llvm::TargetMachine> made_anew(const llvm::TargetMachine& machine) {
  const llvm::Target& target = machine.getTarget();
  return std::unique_ptr<llvm::TargetMachine>(target.createTargetMachine(
      machine.getTargetTriple().str(), machine.getTargetCPU(), machine.getTargetFeatureString(), machine.Options,
      machine.getRelocationModel(), machine.getCodeModel(), machine.getOptLevel()));
}

/// The same module to the last use, in another context.
std::unique_ptr<llvm::Module> made_anew(const llvm::Module& module, llvm::LLVMContext& context) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::WriteBitcodeToFile(module, out, /*ShouldPreserveUseListOrder=*/false);
  auto made = llvm::parseBitcodeFile({llvm::StringRef(bytes.data(), bytes.size()), module.getName()}, context);
  HEXPROOF_CHECK(static_cast<bool>(made), "LLVM does not read what it wrote");
  return std::move(*made);
}

/// LLVM's code generators order some things by their addresses. So all that they look at is made anew, in one order
/// (contained.h), and one module has one code.
llvm::SmallVector<char, 0> code_of(const llvm::Module& given, const llvm::TargetMachine& like,
                                   llvm::CodeGenFileType type, Addressing addressing) {
  take_free_memory();
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::TargetMachine> made = made_anew(like);
  const std::unique_ptr<llvm::Module> copy = made_anew(given, context);
  llvm::TargetMachine& machine = *made;
  llvm::Module& module = *copy;
  std::unique_lock<std::mutex> lock;
  if (machine.getTargetTriple().getArch() == llvm::Triple::hexagon) {
    lock = std::unique_lock(llvm_options());
    forbid_code_that_fails();
    set_option("lsr-preferred-addressing-mode", addressing == Addressing::Offsets ? "none" : "postindexed");
    choose_floats_by_bits(module);
  }
  UsesLlvm use;
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream out(buffer);
  llvm::legacy::PassManager passes;
  bool failed = machine.addPassesToEmitFile(passes, out, nullptr, type,
                                            /*DisableVerify=*/true);
  HEXPROOF_CHECK(!failed, "the target emits no such files");
  passes.run(module);
  return buffer;
}
}  // namespace

std::vector<uint8_t> object_code(const llvm::Module& module, const llvm::TargetMachine& machine,
                                 Addressing addressing) {
  llvm::SmallVector<char, 0> bytes = code_of(module, machine, llvm::CodeGenFileType::ObjectFile, addressing);
  return {bytes.begin(), bytes.end()};
}

std::string assembly_of(const llvm::Module& module, const llvm::TargetMachine& machine, Addressing addressing) {
  llvm::SmallVector<char, 0> text = code_of(module, machine, llvm::CodeGenFileType::AssemblyFile, addressing);
  return {text.begin(), text.end()};
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
