// Is what a statement reads from a buffer written by the same statement before? Then nothing that the buffer held
// when the statement began is seen by it.
#pragma once
#include <string>
#include <vector>

#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// What must hold for this: every read of `buffer` in the statement at `scope` reads a cell that this execution of
/// the statement has written before. The writer is looked for in the statements that stand before the read in
/// a sequence, nearest first, and in the init of the block around the read. NotApplicable when a read has no
/// such writer at all.
std::vector<Obligation> written_before_read(const std::string& rule, const PrimFunc& func, const Path& scope,
                                            const Buffer& buffer);

/// What must hold for this: every cell of the box (base + [0, extent) per dimension) is written by the
/// statement at `scope`. NotApplicable when it has no write that could.
std::vector<Obligation> writes_whole_region(const std::string& rule, const std::string& why, const PrimFunc& func,
                                            const Path& scope, const Buffer& buffer, const std::vector<Expr>& base,
                                            const std::vector<Expr>& extent);

/// The same of several statements together: each cell is written by one of them.
std::vector<Obligation> write_whole_region(const std::string& rule, const std::string& why, const PrimFunc& func,
                                           const std::vector<Path>& scopes, const Buffer& buffer,
                                           const std::vector<Expr>& base, const std::vector<Expr>& extent);

/// Which cells of the box the statement writes, as far as inverting the index maps of its stores tells: a condition
/// over `cell` (one variable per dimension) that suffices. Whether it is necessary is for the caller to prove.
/// NotApplicable when there is no such store.
Expr cells_written(const PrimFunc& func, const Path& scope, const Buffer& buffer, const std::vector<Var>& cell,
                   const std::vector<Expr>& base, const std::vector<Expr>& extent);

/// What must hold for this: every cell of the box holds a value when the statement at part `index` of the sequence
/// `seq` begins (-1: the sequence itself), the buffer being parameter `param`. Arguments are initialised but for the
/// padding that argument_padding.h names, which an earlier statement of the sequence may have written.
std::vector<Obligation> argument_region_has_values(const std::string& rule, const PrimFunc& func, const Path& seq,
                                                   int index, size_t param, const std::vector<Expr>& base,
                                                   const std::vector<Expr>& extent);

}  // namespace hexproof
