// What the document itself prints, compared with a program of ours.
#pragma once
#include <optional>

#include "tests/rfc77/pair_file.h"
#include "tests/rfc77/run_pair.h"

namespace hexproof::rfc77 {

/// The listing as its decorator's line names it; Error when there is none.
std::string listing_text(int line);

/// The listing is what the head of the pair says of it: a test failure where it is not. `before`: the listing in front
/// of it, repaired (for one that is refuted), and the relation under which it would have to refine that one.
void expect_listing(const Listing& listing, const IRModule& ours, const std::optional<IRModule>& before,
                    const std::vector<InterfaceChange>& changes, Prover& prover);
/// The listing with its repairs made, as a program; nothing when the document is absent or no listing is named.
std::optional<IRModule> repaired_listing(const Listing& listing);

/// Programs as people write them and as we print them: products of integers have their constant last, and attributes of
/// the project's own are left out.
IRModule respelled(IRModule module);

}  // namespace hexproof::rfc77
