// The concrete meaning of programs: runs them and finds every error of the semantics.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/function.h"
#include "ir/interpreter/error_kind.h"
#include "ir/interpreter/scalar_arguments.h"

namespace hexproof {

/// A dense, row-major tensor; floats and integers as their machine bytes (little endian), bool as one byte.
struct Tensor {
  DType dtype;
  std::vector<int64_t> shape;
  std::vector<uint8_t> data;
  std::vector<uint8_t> initialised;  // one byte per element: 0 uninitialised, 1 a value, 2 undef; empty: all 1

  int64_t size() const;
};
Tensor make_tensor(DType dtype, std::vector<int64_t> shape);
/// Zeros in this shape for an argument of `func`; Unsupported for one of vectors.
Tensor make_argument(const PrimFunc& func, const Buffer& argument, std::vector<int64_t> shape);

/// numpy's .npy format 1.0 and 2.0, C order. Errors name the path.
Tensor read_npy(const std::string& path);
void write_npy(const std::string& path, const Tensor& tensor);

struct RunOptions {
  uint64_t undef_seed = 0;  // chooses the values of undef
  uint64_t max_steps = 0;   // statements executed; 0: no bound
  bool check_races = true;  // conflicts between iterations of parallel and vectorized loops
};

/// An error of semantics.md, where it happened.
struct RunError {
  ErrorKind kind;
  std::string message;  // "read out of bounds: index 131072 of axis 0 of buffer 'packed_input_global' (size 131072)"
  std::string statement;
  std::vector<std::pair<std::string, int64_t>> loops;  // loop variables, outermost first, with their values
  Span span;
  Stmt stmt = {};  // the one that met it, of the program that ran; missing where a function ends
  std::string str() const;
};

struct RunResult {
  std::optional<RunError> error;  // the first one in program order
  bool out_of_steps = false;
  uint64_t steps = 0;
};

/// Runs `func` on one tensor per buffer parameter (changed in place) and one value per scalar parameter.
/// Shape variables are solved from the tensors' shapes; a mismatch is an Error.
RunResult run(const PrimFunc& func, std::vector<Tensor>& buffers, const ScalarArguments& scalars = {},
              const RunOptions& options = {});

}  // namespace hexproof
