// Programs and certified kernels, run on tensors.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "hexproof/certify.h"
#include "hexproof/check.h"

namespace hexproof {
struct ErrorMet;
}

namespace hexproof::api {

/// A dense, row-major tensor; elements as machine bytes (little endian), bool as one byte.
struct Tensor {
  std::string dtype = "float32";
  std::vector<int64_t> shape = {};
  std::vector<uint8_t> data = {};
  std::vector<uint8_t> initialised = {};  // one byte per element, 0: holds no value; empty: every one holds a value

  int64_t size() const;
};
/// Zeros. Failure (Input) for a dtype that is none or a negative extent.
Tensor make_tensor(const std::string& dtype, const std::vector<int64_t>& shape);
/// numpy's .npy format 1.0 and 2.0, C order. Failure (Input) names the path.
Tensor read_npy(const std::string& path);
void write_npy(const std::string& path, const Tensor& tensor);

enum class RunTarget : uint8_t { Interpreter, Host, Hexagon };

/// A value of a scalar parameter: a whole number, or any number for a float. (One of uint64 may stand by its bits.)
using ScalarArgument = std::variant<int64_t, uint64_t, double>;
/// As it is written: "4", "-0.5", "inf", "True". Failure (Input) for a text that is no number.
ScalarArgument read_scalar_argument(const std::string& text);

struct RunOptions {
  std::string function = {};  // empty: the only one, or the one where a module is entered
  RunTarget target = RunTarget::Interpreter;
  /// With the host: a processor, as in CertifyOptions. Then it is its kernel that runs.
  std::string cpu = {};
  std::vector<ScalarArgument> scalars = {};  // values of the scalar parameters, in order
  /// With the interpreter: assert on the way everything that `check` knows of the program. What is false is Failure
  /// (Internal).
  bool assert_static = false;
  /// The last program of a certificate, which has lost the assumes that the steps rest on: where `check` does not say
  /// Proved of it by itself, it runs in the interpreter first, and natively if it meets no error there.
  bool of_certificate = false;
};

struct Ran {
  /// Proved: the run came to its end. Refuted: it met an error. Anything else: native code was not made, since `check`
  /// does not say Proved.
  Verdict verdict = Verdict::Undecided;
  std::string error = {};                    // Refuted in the interpreter: which, where, and on which input
  std::shared_ptr<const ErrorMet> met = {};  // the same, for hexproof's own commands
  Checked checked = {};                      // of a target that is not the interpreter
  std::vector<std::string> counts = {};  // of Hexagon: packets and instructions; of assert_static: what was asserted
};

/// Runs a function. `tensors` are the first buffers, in order; the others are added as zeros, and all are changed in
/// place. Failure (Input): more tensors than buffers, types or shapes that do not match; a buffer of symbolic shape
/// without a tensor.
Ran run(const Program& program, std::vector<Tensor>& tensors, const RunOptions& options, Session& session);

/// Runs the object of a certificate for the host. Tensors are those of the program that was certified, one per buffer:
/// where the schedule changed a layout they are packed before and unpacked after the run. They must satisfy what the
/// program assumes (summary.txt lists it): native code checks nothing. Failure (Input): a certificate that is not
/// Proved or not for the host, tensors that do not match.
void run(const Certificate& certificate, std::vector<Tensor>& tensors, const std::vector<int64_t>& scalars = {});

}  // namespace hexproof::api
