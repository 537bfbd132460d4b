// Kernels: machine code of a derivation's last program. `emit` is the only door that yields one.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "backend/cpu.h"
#include "backend/grants.h"
#include "ir/interpreter/interpreter.h"
#include "rewrite/kernel/kernel.h"

namespace hexproof {

enum class Target : uint8_t { Host, Hexagon };

/// What became of a loop that the program calls vectorized.
struct VectorizedLoop {
  /// Unknown: nothing was said of it, as of a loop that LLVM removed.
  enum class Code : uint8_t { Unknown, Vector, Scalar };
  Var var;
  Span span;
  Code code = Code::Unknown;
  std::string why = {};  // of a scalar one
};

/// The compiled program. Its symbol is a C function without a result; the arguments are, in this order, a pointer
/// per buffer parameter, each scalar of PrimFunc::scalars() at its width, and the workspace:
///   void NAME(T0* arg0, ..., S0 scalar0, ..., uint8_t* workspace)
/// Pointers, that to the workspace among them, are multiples of 128; distinct parameters do not overlap. A parameter of
/// two physical axes is a table of pointers to such memory (backend/row_tables.h).
struct Kernel {
  std::string symbol;
  Target target = Target::Host;
  HostCpu cpu;                  // of one for the host
  PrimFunc func;                // what was compiled
  Grants grants;                // what the code generator was allowed to assume, and why
  std::string llvm_ir;          // after optimisation
  std::vector<uint8_t> object;  // ELF, relocatable
  std::vector<VectorizedLoop> vectorized;
  std::string assembly;  // the same code as text, where EmitOptions asks for it
};

/// How loops reach their memory on Hexagon (LLVM's lsr-preferred-addressing-mode): by pointers that each load moves on,
/// which suits the software pipeliner; or by fewer pointers and offsets, which suits long bodies.
enum class Addressing : uint8_t { PostIncrement, Offsets };

struct EmitOptions {
  Target target = Target::Host;
  HostCpu cpu = {};    // of a kernel for the host: what its code may take
  Grants grants = {};  // from grants_for; none: nothing is assumed
  bool optimise = true;
  bool assembly = false;
  Addressing addressing = Addressing::PostIncrement;  // the meaning is the same, the speed is not
};

/// The lowered program of a derivation as a kernel. Unsupported (with the place) for what has no exact code:
/// assumes and undef that are still there, opaque calls, allocations whose size depends on a loop; and for what LLVM
/// breaks down on, with what it said.
Kernel emit(const Derivation& derivation, const EmitOptions& options = {});

/// The kernel's declaration in C, with the contract that its callers keep.
std::string c_header(const Kernel& kernel);

/// A kernel did not come to its end: a signal, or time was over.
class KernelFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs the object of a host kernel on one tensor per buffer parameter (changed in place) and one value per scalar
/// parameter, in a process of its own, so that what it does to its memory is not done to this one's: throws
/// KernelFailure. The program must be free of errors on them: native code checks nothing. Unsupported for a kernel of a
/// processor that this machine is not.
void run_host(const Kernel& kernel, std::vector<Tensor>& buffers, const ScalarArguments& scalars = {});

}  // namespace hexproof
