// Everything static that is said of a program, asserted while it runs: a wrong fact is found even where no result
// changes.
#pragma once
#include <string>
#include <vector>

#include "ir/interpreter/interpreter.h"
#include "verify/access/footprint.h"
#include "verify/check/check.h"
#include "verify/memory/content.h"

namespace hexproof {

/// What is said of one statement, and of the moment at which it starts.
struct StaticPlace {
  Facts facts;                     // true whenever it starts
  std::vector<Access> footprint;   // covers what happens in it; what is exact happens
  std::vector<MemoryFact> cells;   // true whenever it starts
  std::vector<Obligation> proved;  // true for the values at hand, and for others of the variables that have none
};

/// What is said of one program.
struct StaticClaims {
  PrimFunc func;
  std::map<Path, StaticPlace> places;
  /// What blocks claim (domains, regions, independence) was proved; else it is the user's word, and not asserted.
  bool block_claims = false;
};

/// As `walk_with_facts`, `footprint` and `Content` say of each statement. No block claims, nothing proved.
StaticClaims static_claims(const PrimFunc& func);
/// Adds the obligations among these that were proved and whose place is one statement of the program.
void add_proved(StaticClaims* claims, const std::vector<std::pair<Obligation, Answer>>& answered);
/// The same for what `check` proved of all values (not that some values satisfy the assumes); the claims of blocks,
/// too, where it found the program free of errors.
void add_proved(StaticClaims* claims, const CheckReport& report);

/// A static statement that is false in a run. Whoever made the statement has a bug.
struct FalseAssertion {
  std::string kind;     // "fact", "value of a variable", "footprint", "content", "obligation", "block claim"
  std::string what;     // a sentence
  std::string formula;  // what is false
  std::string values;   // "i = 3, A[i] = 0"
  Place where;
  std::vector<std::pair<std::string, int64_t>> loops = {};  // around the place, outermost first
  std::string str() const;
};

/// How often something was looked at; `unknown`: it holds an opaque value, and nothing could be said.
struct AssertCounts {
  uint64_t facts = 0, accesses = 0, exact = 0, cells = 0, obligations = 0, claims = 0, unknown = 0;
  uint64_t skipped = 0;  // executions of statements that were not looked at, for the bound
};

struct AssertOptions {
  RunOptions run = {};
  /// Formulas evaluated; when half of them are used up, only some executions of each statement are looked at.
  uint64_t evaluations = 4'000'000;
};

struct AssertedRun {
  RunResult result;
  std::optional<FalseAssertion> failure;  // the first one
  /// The run ended at an assume that these inputs do not satisfy: its error is nobody's mistake.
  bool assume_is_false = false;
  AssertCounts counts;
};

/// Runs the program and asserts the claims on the way. Tensors and scalars as for `run`.
AssertedRun run_asserting(const StaticClaims& claims, std::vector<Tensor>& buffers, const ScalarArguments& scalars = {},
                          const AssertOptions& options = {});

}  // namespace hexproof
