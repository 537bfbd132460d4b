// An obligation is data: a closed formula with where it comes from. Rules make them, the prover answers.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/expr.h"
#include "ir/stmt.h"

namespace hexproof {

/// Where an obligation arises, for people: the function, the statement as text, the loops around it.
struct Place {
  std::string function;
  std::string statement;  // one line of TVMScript
  Span span;
};

enum class ObligationKind : uint8_t {
#define OBLIGATION_KIND(name, meaning) name,
#include "verify/prove/obligation_kinds.def"
#undef OBLIGATION_KIND
};

/// `given` and `goal` are bool expressions over free variables, all of which are universally quantified.
///
/// How expressions are read in a formula:
/// - A variable of integer type ranges over its dtype; nothing else is known of it but what `given` says.
/// - Index arithmetic (no load, call or undef inside) is read as mathematical integers. That nothing overflowed is
/// known
///   only where `given` says `fits(e)`, of what was evaluated; whoever builds a *new* index expression owes `fits(e)`
///   as a goal.
/// - Data arithmetic wraps at its dtype.
/// - A load is an uninterpreted function of buffer and indices (equal indices, equal value): all loads of one
///   formula see one memory state. Floats have IEEE meaning.
struct Obligation {
  std::string rule;  // kebab-case: the rule or the check
  std::string why;   // one sentence a user can read: "the flat index fits its type"
  Place where;
  std::vector<Expr> given;
  Expr goal;
  ObligationKind kind = ObligationKind::Condition;
  std::vector<std::string> flags = {};  // the granted fast-math flags that it rests on: "nsz"
  /// One way of several to see what is owed, which a search proposed: where it is false, what is owed may be true.
  bool one_way = false;
};

/// The same, each as one way of several.
std::vector<Obligation> as_one_way(std::vector<Obligation> obligations);

/// The same obligation with its opaque values (uninterpreted functions with a '#' in their names) numbered in
/// order of first occurrence, given first. What is written down thus depends on the obligation alone, and not on how
/// many others were made before it.
Obligation with_canonical_names(Obligation obligation);
/// The sentence, the formulas and the place, as a person reads them, with canonical names.
std::string print(const Obligation& obligation);

enum class Verdict : uint8_t { Proved, Refuted, Unknown };  // Unknown is never success

/// Values of the free variables under which `given` holds and the goal does not. A float is its IEEE bits.
using Model = std::vector<std::pair<Var, Wide>>;

struct ExprHash {
  size_t operator()(const Expr& e) const { return e->hash; }
};

/// What a cell of memory holds in a model.
struct CellValue {
  Buffer buffer;
  std::vector<Wide> indices;
  Wide value = 0;  // a float is its IEEE bits
};

struct Answer {
  Verdict verdict = Verdict::Unknown;
  std::string solver;                                   // "interval", "normal-form", "z3", "z3-bv", "cvc5"
  std::string reason;                                   // Unknown: why (resource limit, incomplete)
  Model model;                                          // Refuted
  std::vector<CellValue> cells;                         // Refuted: the cells that the formula reads
  std::unordered_map<Expr, Wide, ExprHash> terms = {};  // Refuted: the loads and calls themselves
  uint64_t rlimit = 0;                                  // solver resource units
  double milliseconds = 0;
  bool cached = false;
};

/// The obligation as an SMT-LIB 2 script, with names made canonical: two obligations that differ only in
/// variable ids give the same bytes. Its hash is the key of the proof cache. Unsatisfiable means proved; that an assume
/// can hold is shown by a model (asks_for_values). Throws Error when the formula holds a construct that is not modelled
/// (vectors, handles).
std::string to_smtlib(const Obligation& obligation);
inline bool asks_for_values(const Obligation& obligation) { return obligation.kind == ObligationKind::AssumeCanHold; }

}  // namespace hexproof
