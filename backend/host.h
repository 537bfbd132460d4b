// Native evaluation of programs on this machine, for tests, fuzzing and whole-program comparison. It yields no kernel:
// there is no object, no text and no symbol to take away.
#pragma once
#include <memory>
#include <vector>

#include "ir/interpreter/interpreter.h"

namespace hexproof {

struct HostOptions {
  /// Full optimisation pays for programs that run long; without it a small program compiles in well under 1 ms.
  bool optimise = false;
};

/// Programs compiled together. Only what is free of errors on the given input may run: native code checks
/// nothing (an access out of bounds, a division by zero have no meaning in it). An assume is skipped, an undef is
/// zero. One thread per batch; batches are independent of each other.
class HostBatch {
 public:
  explicit HostBatch(HostOptions options = {});
  ~HostBatch();
  HostBatch(HostBatch&&) noexcept;
  HostBatch(const HostBatch&) = delete;

  /// Adds a program and gives its number. Unsupported, with the place, for what has no native code; the batch
  /// is as before then.
  size_t add(const PrimFunc& func);
  size_t size() const;
  /// Compiles everything added since the last time.
  void compile();
  /// Runs a compiled program on one tensor per buffer parameter (changed in place) and one value per scalar
  /// parameter. `initialised` is neither read nor changed.
  void run(size_t index, std::vector<Tensor>& buffers, const ScalarArguments& scalars = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hexproof
