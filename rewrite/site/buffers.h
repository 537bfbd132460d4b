// Buffers as rules see them: which one an argument means, and what it takes to change how it is accessed.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rewrite/kernel/rule_args.h"

namespace hexproof {

/// Where a buffer comes from: a parameter, or the statement that allocates it.
struct BufferSource {
  Buffer buffer;
  std::optional<size_t> param;  // position among the parameters
  std::optional<Path> alloc;    // of the AllocBuffer
};

/// What an argument means in the program; NotApplicable when there is no such thing, or more than one of that name.
BufferSource buffer_arg(const PrimFunc& func, const BufferArg& given);
Path block_arg(const PrimFunc& func, const BlockArg& given);
Path loop_arg(const PrimFunc& func, const LoopArg& given);
/// As block_arg, but a path may lead to any statement.
Path scope_arg(const PrimFunc& func, const BlockArg& given);

/// NotApplicable unless the buffer is compact (no strides, no offset), no other buffer is declared over its
/// memory, and its data variable stands in no expression: then its cells are reached by its loads and stores alone.
void demand_own_memory(const PrimFunc& func, const Buffer& buffer);
/// NotApplicable if a load or store of the buffer has a vector index, or if a part of the function that is no
/// load, store or region (an opaque call) may reach it.
void demand_scalar_indices(const Stmt& stmt, const Buffer& buffer);
/// Does the statement itself, without those in it, name a buffer for which `f` holds: it loads or stores it, declares
/// it as a view, or lists it as a region? What is so named must stay in scope.
bool names_buffer(const Stmt& stmt, const std::function<bool(const Buffer&)>& f);
/// Does the statement load or store the buffer, or a view of its memory?
bool reads_buffer(const Stmt& stmt, const Buffer& buffer);
bool stores_to_buffer(const Stmt& stmt, const Buffer& buffer);
inline bool touches_buffer(const Stmt& stmt, const Buffer& buffer) {
  return reads_buffer(stmt, buffer) || stores_to_buffer(stmt, buffer);
}
/// Every buffer that is stored to, and every one that is loaded.
std::vector<Buffer> buffers_stored(const Stmt& stmt);
std::vector<Buffer> buffers_read(const Stmt& stmt);

using Reindex = std::function<std::vector<Expr>(const std::vector<Expr>&)>;
/// Every load and store of `from` becomes one of `to` at the new indices; AllocBuffer and DeclBuffer of `from` are
/// kept. Region lists of blocks that name `from` are dropped: then the regions are what the body touches.
Stmt reindex_buffer(const Stmt& stmt, const Buffer& from, const Buffer& to, const Reindex& indices);
/// The same with the indices unchanged; region lists are kept and name `to`.
Stmt rename_buffer(const Stmt& stmt, const Buffer& from, const Buffer& to);
/// The same for loads alone: stores go on to `from`.
Stmt rename_loads(const Stmt& stmt, const Buffer& from, const Buffer& to);

/// `e`, over int32 variables, over expressions of another integer type: constants change with it, and other variables.
/// NotApplicable where that is another value, since an operation wraps.
Expr retype_index(const Expr& e, DType type, const std::map<Var, Expr>& values);
/// The outputs of the map at the indices, whatever integer types these have: narrower ones than int32 are widened,
/// and with a 64-bit one among them all are 64 bits wide.
std::vector<Expr> apply_map(const IndexMap& map, const std::vector<Expr>& indices);

/// The indices with which the parts of the block load or store the buffer, each once, in the order of the text.
std::vector<std::vector<Expr>> touched_cells(const Block& block, const Buffer& buffer);

/// Any cell of a box: a fresh variable for each dimension; and what is given, with 0 <= v < extent for each.
struct BoxIndices {
  std::vector<Expr> indices, given;
};
BoxIndices cell_of_box(const std::vector<Expr>& shape, const std::string& prefix, std::vector<Expr> given);
std::vector<Expr> exprs(const std::vector<Var>& vars);

}  // namespace hexproof
