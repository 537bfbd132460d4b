// What may look on while a program runs, one statement and one access after the other.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/interpreter/interpreter.h"
#include "ir/interpreter/scalar_ops.h"

namespace hexproof {

/// What a variable or a cell of memory holds, and whether it was computed from T.undef().
struct SeenValue {
  Scalar value;
  bool undef = false;
};

/// Where an element lies: `at` counts scalars from the start of the memory of the buffer's data variable.
struct SeenCell {
  int64_t at = 0;
  std::optional<SeenValue> value;  // nothing: uninitialised
};

/// The state of a run as it is when it is asked.
class RunState {
 public:
  virtual ~RunState() = default;
  /// Nothing when the variable has no value here, or is a vector.
  virtual std::optional<SeenValue> value(const Var& var) const = 0;
  /// Lane `lane` of an element; nothing when the buffer is not declared here or the indices are out of bounds.
  virtual std::optional<SeenCell> cell(const Buffer& buffer, const std::vector<int64_t>& indices, int lane) const = 0;
};

/// One access of one scalar.
struct SeenAccess {
  enum class Kind : uint8_t { Read, Write, Permission };  // Permission: an assume gave an uninitialised cell some value
  const Buffer& buffer;
  const std::vector<int64_t>& indices;
  int lane;    // of the element, when the buffer's elements are vectors
  int64_t at;  // scalars from the start of the memory
  Kind kind;
};

/// Called by the walk; what it throws ends the run.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// The run starts; `state` lives as long as it does.
  virtual void start(const RunState& state) = 0;
  /// `stmt`, which is part number `part` of the statement that was entered last (see children()), is about to run.
  virtual void enter(const Stmt& stmt, int part) = 0;
  /// It ran, without an error.
  virtual void leave(const Stmt& stmt) = 0;
  /// The access is allowed; a write has happened already, so that the state has the new value.
  virtual void access(const SeenAccess& access) = 0;
};

/// As `run`, by the general walk, with an observer.
RunResult run_observed(const PrimFunc& func, std::vector<Tensor>& buffers, const ScalarArguments& scalars,
                       const RunOptions& options, RunObserver& observer);

}  // namespace hexproof
