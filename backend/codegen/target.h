// The machines that code is generated for. Includes LLVM: for the backend's own files only.
#pragma once
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <mutex>

#include "backend/kernel.h"

namespace hexproof::codegen {

/// How hard the code generator tries. Fast is for code that runs once on little data (tests, fuzzing).
enum class Effort : uint8_t { Fast, Full };

/// A machine for `target` with strict floating point: no operation is contracted, no libcall is folded into
/// another. The host's is plain x86-64 (or the generic model of another host) where nobody says more, so that code
/// does not depend on the machine that it is generated on.
std::unique_ptr<llvm::TargetMachine> make_machine(Target target, Effort effort, const HostCpu& host = {});

/// Tells the module what it is for: triple and data layout.
void set_target(llvm::Module& module, const llvm::TargetMachine& machine);

/// Optimises the module. The loops stay as the schedule left them: they are unrolled and vectorized only where
/// metadata asks for it, and never interleaved, so a tile that was chosen is a tile that runs.
void optimise(llvm::Module& module, llvm::TargetMachine& machine);

/// The relocatable object of a module.
std::vector<uint8_t> object_code(const llvm::Module& module, const llvm::TargetMachine& machine,
                                 Addressing addressing = Addressing::PostIncrement);

/// The same as assembly.
std::string assembly_of(const llvm::Module& module, const llvm::TargetMachine& machine,
                        Addressing addressing = Addressing::PostIncrement);

/// Held while code depends on LLVM's options for the whole process, and while something sets them (LLD does).
std::mutex& llvm_options();

/// The LLVM IR as text.
std::string text_of(const llvm::Module& module);

/// Throws InternalError with LLVM's message when the module is not well formed.
void verify(const llvm::Module& module);

}  // namespace hexproof::codegen
