// An error that the interpreter has met on an input, as data: where, at which values, and what decided.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "ir/interpreter/interpreter.h"

namespace hexproof {

/// A cell of an argument, as it is when the function starts.
struct CellMet {
  std::string buffer;
  std::vector<int64_t> indices;
  std::string value;  // as the interpreter prints it: "-1", "0.5", "-0.0"

  /// "idx[0] = -1"
  std::string str() const;
};

struct ErrorMet {
  RunError error;                                              // kind, message, statement, loops, place
  std::vector<std::pair<std::string, std::string>> scalars;    // sizes and scalar parameters, with their values
  std::vector<CellMet> cells;                                  // that the way to the error and its statement read
  std::vector<std::pair<std::string, Tensor>> arguments = {};  // the whole input; empty where scalars alone show it
  std::vector<ErrorMet> others = {};                           // of the same function, at other places
  bool is_claim = false;                                       // of a block, false for these values: no run meets it
  std::string broken = {};                                     // of a callee: which of its assumes, or empty

  /// As it is told: what is broken, the place, the message, the statement, the loops, and the input.
  std::string str() const;
};

/// The error that a run met on these arguments, with the cells that decided. `scalars`: one value per scalar parameter.
ErrorMet error_met(const PrimFunc& func, RunError error, const std::vector<Tensor>& arguments,
                   const std::vector<int64_t>& scalars);

}  // namespace hexproof
