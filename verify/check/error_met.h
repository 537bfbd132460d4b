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
  std::vector<Span> behind = {};  // the errors that this run meets before and passes over (run_past_errors)
  std::string about = {};         // which assume of a callee is false at which call; empty: it is about none

  /// For people: `about`, the error, "input: n = 4, A[0] = -1", "behind: ...".
  std::string str() const;
};

/// Are they one place of the text? What comes from no text is told apart by its words.
bool same_place(const Span& a, const std::string& statement_a, const Span& b, const std::string& statement_b);

/// The error that a run met on these arguments, with the cells that decided. `scalars`: one value per scalar parameter.
ErrorMet error_met(const PrimFunc& func, RunError error, const std::vector<Tensor>& arguments,
                   const ScalarArguments& scalars);

}  // namespace hexproof
