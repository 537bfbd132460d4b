// What blocks claim, after a rule: kinds, domains and regions hold of the new program, or go.
#pragma once
#include <string>

#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// Claims compute nothing, so no rule has conditions for them; they are settled here, for all rules alike. `after`
/// stands in `rewrite`, its sequences flattened.
/// - Domains and kinds of a block that may run at other values than before, or touch other cells, are owed. Which
///   blocks these are follows from the rule: a rule of the list in claims.cpp leaves them as they are.
/// - Regions that are not seen to cover what the block touches now are dropped: then they are as the body has them.
void settle_claims(const std::string& rule, const Args& args, const PrimFunc& before, Rewrite* rewrite);

}  // namespace hexproof
