// The end of rewriting: what was there for proofs alone goes, and no rule that uses it may follow.
#pragma once
#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// Has the function lost its assumes or its undefs (kLoweredAttribute)? The kernel sets and reads the attribute, nobody
/// takes it away: rules other than those of lowering are not applicable any more.
bool is_lowered(const PrimFunc& func);
PrimFunc lowered(PrimFunc func);
/// Without the loops, branches, bindings and allocations in which nothing stands.
Stmt without_empty(const Stmt& stmt);

/// Lowers what the code generator has no code for: assumes, stores of undef, other undefs. Every function goes through,
/// with as many undef stores dropped as can be proved; nothing to do is fine.
void lower_hints(Derivation& derivation, Prover& prover, const std::string& primitive = "", const Span& span = {});
/// The last program of the derivation that was not lowered yet. What `check` proves of it holds of the lowered one: the
/// steps in between take errors away, and choose values for undefs.
const PrimFunc& before_lowering(const Derivation& derivation);
/// TVM's RemoveAssume and RemoveStoreUndef, one by one. Each returns whether anything changed.
bool lower_assumes(Derivation& derivation, Prover& prover, const std::string& primitive = "", const Span& span = {});
bool lower_undefs(Derivation& derivation, Prover& prover, const std::string& primitive = "", const Span& span = {});

}  // namespace hexproof
