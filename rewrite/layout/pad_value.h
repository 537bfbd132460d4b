// The padding of a transformed buffer: what is asked for, the stages that write or assume it, and what they owe.
#pragma once
#include <string>
#include <vector>

#include "rewrite/kernel/rule_args.h"

namespace hexproof {

/// In a pad value that is a function of the index, `call(dtype, kTransformedCell, indices)` is the cell of the
/// transformed buffer at those indices.
inline constexpr const char* kTransformedCell = "transformed";

/// The padding that is asked for, without a predicate yet; indices have the types of `after`'s extents.
/// - missing: Unreadable
/// - a number (Expr constant, or int64_t): that value, converted to the buffer's type
/// - undef (an Expr, or the text "undef"): Undefined
/// - either of them as it is printed: "T.float32(-0.0)", "T.undef()"
/// - an IndexMap from the indices of `after` to one expression over them, constants and cells of the buffer
/// `names` are hints for the indices where the argument has none. NotApplicable when it does not fit.
Padding padding_arg(const std::optional<PadArg>& given, const Buffer& after, const std::vector<std::string>& names);

/// for p in the box: if predicate: after[p] = value       (in a block when `in_block`)
Stmt pad_stage(const Buffer& after, const Padding& padding, bool in_block);
/// for p in the box: T.assume(not predicate or after[p] == value). A NaN is not equal to itself, so for floats that may
/// be one the assume says so.
Stmt assume_stage(const Buffer& after, const Padding& padding);

/// The statement with `stage` behind the last part that stores to the buffer, below allocations and lets; in front of
/// everything when none does.
Stmt behind_last_write(const Stmt& stmt, const Buffer& buffer, const Stmt& stage);
/// The statement with `stage` in front of everything below its allocations.
Stmt in_front(const Stmt& stmt, const Stmt& stage);
/// A place in the statement in front of which nothing stands but what also stands in front of such stages.
Path front_of(const Stmt& stmt);

/// Obligations of the value, in the box and under the predicate: computing it is no error, and it reads only cells of
/// `after` that exist and are no padding: not its own, and none that is still to be written.
void owe_pad_value(const std::string& rule, const Place& where, const std::vector<Expr>& given, const Buffer& after,
                   const Padding& padding, std::vector<Obligation>* needs);

/// Does the value read the buffer?
bool reads_cells(const Padding& padding);

}  // namespace hexproof
