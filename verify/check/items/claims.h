// What the blocks of a program claim, as obligations: `check` asks them all, a rewrite those that it may have changed.
#pragma once
#include <functional>
#include <set>
#include <vector>

#include "verify/facts/facts.h"

namespace hexproof {

/// `Obligation::rule` of all claims.
inline constexpr const char* kBlockClaims = "check-block-claims";

/// What one block claims.
struct BlockClaims {
  Path path;
  std::vector<Obligation> instances = {};           // bindings lie in their domains; spatial instances share no cell
  std::set<size_t> at_any_moment = {};              // of these: values that break one need be those of no execution
  std::vector<Obligation> reads = {}, writes = {};  // the declared regions cover the accesses
};

/// Does the block claim anything?
bool has_claims(const Block& block);
/// The claims of the blocks that `wanted` picks, in program order.
std::vector<BlockClaims> claims_of(const PrimFunc& func,
                                   const std::function<bool(const Stmt& block, const Path& path)>& wanted);

}  // namespace hexproof
