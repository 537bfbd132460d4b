// What `check` asks: obligations with what is needed to replay a refutation.
#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "verify/access/footprint.h"
#include "verify/check/check.h"
#include "verify/memory/content.h"

namespace hexproof {

/// One thing that must hold for the program to be free of errors.
struct CheckItem {
  Obligation obligation;
  Path path;                      // of the statement
  std::vector<Expr> guards = {};  // conditions inside the statement under which `probe` runs
  Stmt probe = {};  // meets the error by itself when it runs at `path`; missing: only the program shows it
  /// A program over the scalars of the function alone that shows a false claim by a false assume, with the values
  /// of the model put in; missing for errors proper.
  std::function<std::optional<PrimFunc>(const Model&)> demonstration = {};
  std::vector<CheckItem> instead = {};  // if the obligation is not proved, these suffice
};

/// Memory of the function: of a parameter, T.alloc_buffer or T.allocate.
struct MemoryInfo {
  bool param = false;
  bool constant = false;      // T.allocate_const
  Path path;                  // of the allocating statement
  size_t loops = 0;           // how many loops stand around it
  std::vector<Expr> extents;  // over loop variables and scalars
  Expr elements;              // its size, in int64: by the strides where it has some
  DType dtype;
  bool strided = false;
};

struct CheckContext {
  const PrimFunc& func;
  Prover& prover;
  std::map<Var, MemoryInfo> memories;  // by data variable
  std::set<Var> may_hold_undef;        // memory with cells that may be computed from T.undef()
  std::set<Var> undef_vars;            // let and block variables that may be
  std::vector<CheckItem> questions = {};
  std::string unsupported = {};                      // the first construct that is not modelled
  std::shared_ptr<const Content> content = nullptr;  // of the function, once needed
  std::optional<std::vector<Access>> undef_stores = {};
};

CheckContext survey(const PrimFunc& func, Prover& prover);

/// `check` of `func`. That accesses are in bounds, and what they do to each other (races, claims of blocks, copies in
/// flight), is asked of `meets`: the same function with every access that it makes, where `func` has something else for
/// some of them.
CheckReport check(const PrimFunc& func, const PrimFunc& meets, Prover& prover);

/// Is `path` that of the statement at `top`, or of one in it?
inline bool is_at_or_below(const Path& path, const Path& top) {
  return path.size() >= top.size() && std::equal(top.begin(), top.end(), path.begin());
}

/// The writes after which a cell may hold a value that was computed from an undef. A cell that none of them meets holds
/// none. Asks the prover whether what is copied from such memory comes from other cells of it.
const std::vector<Access>& undef_stores(CheckContext& context);

// Each adds questions.
void ask_safety(CheckContext& context);   // bounds, overflow, division, shifts, casts, sizes, views, constants, undef
void ask_layouts(CheckContext& context);  // strides of arguments
void ask_races(CheckContext& context);
void ask_claims(CheckContext& context);     // of blocks
void ask_in_flight(CheckContext& context);  // of asynchronous copies

/// Runs a false claim at values of a model: each given condition guards, then the claim is assumed.
std::function<std::optional<PrimFunc>(const Model&)> demonstration(const PrimFunc& func, std::vector<Expr> given,
                                                                   Expr claim);

/// One question per read at or below `path` of a cell that may be without a value: some write that surely ran before
/// hits it.
std::vector<Obligation> initialised_at(CheckContext& context, const Path& path);

/// Answers one read of uninitialised memory after the other; `open` receives those that are not proved.
void prove_initialised(CheckContext& context, std::vector<CheckedObligation>* answered,
                       std::vector<std::pair<CheckItem, Answer>>* open);

/// Vacuous, or a false assume, or nothing.
struct AssumeFinding {
  std::string vacuous;               // which assume no execution gets past, and why; or empty
  std::vector<Place> clashing = {};  // a least set of assumes that contradict each other there
  bool always = false;               // no branch and no loop decides whether that place is reached
  std::vector<std::pair<CheckItem, Answer>> refuted;
  std::vector<CheckedObligation> answered = {};
};
AssumeFinding check_assumes(CheckContext& context);

}  // namespace hexproof
