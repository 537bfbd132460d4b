// Hexagon executables, and running them under QEMU's user mode.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backend/hexagon/argument_block.h"
#include "backend/kernel.h"
#include "backend/workspace.h"
#include "ir/interpreter/interpreter.h"

namespace hexproof {

/// A freestanding program: it reads the scalars and buffers from standard input, runs the kernel once, and writes what
/// it counted and the buffers to standard output.
struct Executable {
  PrimFunc func;
  std::vector<uint8_t> elf;
  ArgumentBlock block;  // of memory that is read and written
  int64_t workspace_bytes = 0;
};

/// Links a Hexagon kernel with its start code and the routines that it calls, in this process. `scalars` gives the
/// values of shape variables (bind_scalars); a program of constant shapes needs none.
Executable link_hexagon(const Kernel& kernel, const ScalarValues& scalars = {});

struct HexagonOptions {
  std::string qemu = "qemu-hexagon";
  double seconds = 3600;  // a backstop: longer, and the program is stopped
};

/// What one run cost. QEMU models no stalls and no cache: these are counts, not cycles. They are 32 bits wide in the
/// machine, and wrap.
struct HexagonRun {
  uint32_t packets = 0, instructions = 0, hvx = 0;
  double seconds = 0;  // of the emulator, by the wall clock
};

/// Why a program did not run to its end: no emulator, an instruction that it does not support, time.
class HexagonFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Is there an emulator by this name?
bool have_qemu(const HexagonOptions& options = {});

/// Runs the program on one tensor per buffer parameter (changed in place) and one value per scalar parameter.
HexagonRun run_hexagon(const Executable& program, std::vector<Tensor>& buffers, const ScalarArguments& scalars = {},
                       const HexagonOptions& options = {});

/// The routines for what Hexagon has no instruction for, compiled for this machine, so that tests can hold
/// them against its hardware. The names are those by which LLVM calls them ("__hexagon_divdf3").
class RuntimeOnHost {
 public:
  RuntimeOnHost();
  ~RuntimeOnHost();
  void* address(const std::string& name) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hexproof
