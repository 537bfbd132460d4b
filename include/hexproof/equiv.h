// Do two programs compute the same? Asked of any two programs, knowing nothing of how one became the other.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hexproof/read.h"

namespace hexproof {
struct EquivReport;
}

namespace hexproof::api {

enum class EquivMethod : uint8_t { Auto, Parametric, Symbolic, Fingerprint, Tests };
/// Weaker evidence that counts as an answer.
enum class Accept : uint8_t { ProofsOnly, Probabilistic, Tests };

struct Compared {
  std::string before, after;  // the names of the functions
  /// Proved: `after` refines `before`. Refuted: with a counterexample. Rejected: one method proved it and another
  /// refutes it, which is a bug of hexproof.
  Verdict verdict = Verdict::Undecided;
  bool accepted = false;                           // not proved, but evidence of the kind that EquivOptions accepts
  std::string method;                              // what settled it
  std::string reason;                              // Undecided, Vacuous, Unsupported
  std::string counterexample;                      // Refuted: a table of the input and the cells that differ
  std::vector<std::string> evidence;               // of each method: "parametric: ..."
  std::shared_ptr<const EquivReport> detail = {};  // for hexproof's own commands
};

struct EquivOptions {
  std::string function = {};  // empty: the only one of each file, or those of one name
  EquivMethod method = EquivMethod::Auto;
  Accept accept = Accept::ProofsOnly;
  std::vector<std::string> layouts = {};  // "A=lambda i: [i // 4, i % 4]": where the cells of an argument are after
  std::vector<std::string> pads = {};     // "A=0": what its padding holds: a number, or undef
  std::vector<std::string> logical_only = {};           // arguments whose padding is not observed
  uint64_t max_terms = 20'000'000;                      // memory bound of the symbolic method
  std::function<void(const Compared&)> on_result = {};  // told of each pair as soon as it is judged
};

/// Compares the functions of two files in pairs. Buffers and scalars pair up by position.
/// Failure (Input): functions or arguments that do not pair up, a layout that does not read or does not fit. A pair of
/// several that fails keeps none of the others from being judged: the first failure is thrown when all are.
std::vector<Compared> equiv(const Program& before, const Program& after, const EquivOptions& options, Session& session);

}  // namespace hexproof::api
