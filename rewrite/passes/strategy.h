// What all passes share: where to work, and attempts at rules. A pass edits nothing: it looks for places.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rewrite/kernel/rule_args.h"
#include "rewrite/site/places.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {

/// A pass at work on a derivation: on the whole function, or on the nest of a block.
class Strategy {
 public:
  /// `block`: the pass works on the block of that name with the loops around it, up to the block around those. Empty:
  /// on everything. `loop`: on that loop and all that stands in it, instead.
  Strategy(Derivation& derivation, Prover& prover, std::string block = "", std::string primitive = "", Span span = {},
           Var loop = {})
      : derivation(derivation),
        prover(prover),
        rounding_(open_rounding_of(derivation.current())),
        block_(std::move(block)),
        primitive_(std::move(primitive)),
        span_(std::move(span)),
        loop_(std::move(loop)) {}

  const PrimFunc& func() const { return derivation.current(); }
  /// Where the pass works, as the program stands; nothing when the block is gone.
  std::optional<Path> scope() const;
  /// The statements in the scope for which `f` holds, in program order.
  std::vector<Path> places(const std::function<bool(const Stmt&)>& f) const;
  template <class Record>
  std::vector<Path> all() const {
    return places([](const Stmt& s) { return s.as<Record>() != nullptr; });
  }

  /// Applies the rule if it applies and is proved. The first refusal is kept: it says why a pass did nothing.
  bool apply(const RuleCall& call);
  /// Tries the rule at each statement for which `f` holds, the last one first, found anew each time: a change may
  /// move the places of the others, but not their order. Returns how often it was applied.
  template <class A>
  int everywhere(A args, const std::function<bool(const Stmt&)>& f) {
    return everywhere_by([&](const Path& at) -> RuleCall { return args.at = at, args; }, f);
  }
  /// Expression rules on the statement at `at` and all below it; `conditions`: only on the conditions of ifs.
  bool simplify(const Path& at, bool conditions = false);

  const std::optional<Refused>& refusal() const { return refusal_; }

  Derivation& derivation;
  Prover& prover;

 private:
  int everywhere_by(const std::function<RuleCall(const Path&)>& call, const std::function<bool(const Stmt&)>& f);

  OpenRoundingScope rounding_;  // questions that a pass asks before it tries a rule are about this program
  std::optional<Refused> refusal_;
  std::string block_, primitive_;
  Span span_;
  Var loop_;
};

}  // namespace hexproof
