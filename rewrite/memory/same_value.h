// One value in the place of another, as far as the granted flags tell them apart.
#pragma once
#include <string>
#include <vector>

#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// The obligation that two values are one, of which `o` says that their bits are. Equal bits are no one value where one
/// depends on an undef, and something may be decided by such a value. Under `reassoc` and `contract` an operation sees
/// how its operands were computed, also through memory: equal bits are one value there only where neither was computed,
/// or one is the constant zero and the other a zero before it is rounded. Elsewhere it is false.
Obligation seen_alike(Obligation o, const PrimFunc& func, const Expr& a, const Expr& b);

/// Under what is known at `at`, two values are one: to the bit, or as far as the function's flags allow.
Obligation same_value(const std::string& rule, const std::string& why, const PrimFunc& func, const Path& at,
                      const Facts& facts, const Expr& before, const Expr& after, const std::vector<Expr>& where = {});
/// What nobody looks at is in a cell all the same: where `nnan` or `ninf` are granted, it is none that they promise no
/// cell to hold.
std::vector<Obligation> keeps_promise(const std::string& rule, const PrimFunc& func, const Path& at);
/// The store at `at` leaves the bits that its cell holds, or adds a zero to a sum of which nobody sees but the end.
std::vector<Obligation> leaves_bits(const std::string& rule, const PrimFunc& func, const Path& at,
                                    const std::vector<Expr>& where = {});

}  // namespace hexproof
