// How much memory a buffer takes: what is owed where one is made, and what is known where one exists.
#pragma once
#include <string>
#include <vector>

#include "ir/buffer.h"
#include "ir/visit.h"

namespace hexproof {

struct Facts;

/// The layout of a memory, over what is known at its place. Memory is counted by strides: a stride of 0 costs nothing.
struct MemoryLayout {
  std::vector<Expr> shape;
  std::vector<Expr> strides = {};  // empty: compact
  Expr offset = {};                // missing: zero
  DType dtype = kFloat32;
};
/// The layout of a buffer, each part as `resolve` gives it.
MemoryLayout layout_of_memory(const Buffer& buffer, const std::function<Expr(const Expr&)>& resolve);

/// The extents of a memory as they were evaluated where it is allocated, under the facts there: whatever is stored
/// later to what they read.
std::vector<Expr> extents_of(const Allocate& memory, const Facts& facts);

/// The number of elements, in int64.
Expr memory_elements(const MemoryLayout& layout);

/// One thing that must hold for a memory to exist.
struct SizeGoal {
  std::string why;
  std::vector<Expr> given;  // when it must: an empty memory has no size
  Expr goal;
};
/// What must hold for the memory called `name` to exist: no extent is negative, and its bytes are within the limit
/// (kMaxBufferBytes). Nothing for what constants show. The extents are evaluated; that this is no error is asked
/// elsewhere.
std::vector<SizeGoal> size_goals(const MemoryLayout& layout, const std::string& name);

/// The same as facts, for where the memory exists: of an argument from the start, of an allocation inside of it,
/// because it was evaluated there.
void size_facts(const MemoryLayout& layout, std::vector<Expr>* out);

/// As int64: numbers as numbers, and the largest for one that int64 does not hold: no memory has room for either.
Expr wide(const Expr& e);
/// Is it a number that int64 holds? Bounds, extents and groups of copies are counted in int64; any other is an error.
Expr counted_in_int64(const Expr& e);

}  // namespace hexproof
