#include "rewrite/schedule/relations.h"

#include <algorithm>
#include <set>

#include "ir/visit.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

std::set<Var> memory_of(const std::vector<Buffer>& buffers) {
  std::set<Var> out;
  for (const Buffer& b : buffers) out.insert(b->data);
  return out;
}

bool meet(const std::set<Var>& a, const std::set<Var>& b) {
  return std::any_of(a.begin(), a.end(), [&](const Var& v) { return b.count(v) > 0; });
}

/// A block with iteration variables, or one that holds no other: those around a whole body compute nothing themselves.
std::vector<Path> working_blocks(const PrimFunc& func) {
  std::vector<Path> out;
  for (const Path& at : find_all(func, [](const Stmt& s) { return s.as<Block>() != nullptr; })) {
    if (child_blocks(func, at).empty()) out.push_back(at);
  }
  return out;
}

}  // namespace

std::vector<Path> child_blocks(const PrimFunc& func, const Path& at) {
  std::vector<Path> out;
  for (const Path& path : find_all(func, [](const Stmt& s) { return s.as<Block>() != nullptr; })) {
    const bool here = is_within(path, at) && path != at;
    if (here && (out.empty() || !is_within(path, out.back()))) out.push_back(path);
  }
  return out;
}

std::vector<Path> producer_blocks(const PrimFunc& func, const Path& block) {
  const std::set<Var> read = memory_of(buffers_read(stmt_at(func, block)));
  std::vector<Path> out;
  for (const Path& other : working_blocks(func)) {
    if (other != block && meet(read, memory_of(buffers_stored(stmt_at(func, other))))) out.push_back(other);
  }
  return out;
}

std::vector<Path> consumer_blocks(const PrimFunc& func, const Path& block) {
  const std::set<Var> written = memory_of(buffers_stored(stmt_at(func, block)));
  std::vector<Path> out;
  for (const Path& other : working_blocks(func)) {
    if (other != block && meet(written, memory_of(buffers_read(stmt_at(func, other))))) out.push_back(other);
  }
  return out;
}

std::vector<Path> output_blocks(const PrimFunc& func, const Path& at) {
  std::set<Var> own;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const AllocBuffer* memory = s.as<AllocBuffer>()) own.insert(memory->buffer->data);
    if (const Allocate* memory = s.as<Allocate>()) own.insert(memory->data);
    return true;
  });
  std::vector<Path> out;
  for (const Path& block : working_blocks(func)) {
    if (!is_within(block, at)) continue;
    const std::set<Var> written = memory_of(buffers_stored(stmt_at(func, block)));
    if (std::any_of(written.begin(), written.end(), [&](const Var& v) { return !own.count(v); })) out.push_back(block);
  }
  return out;
}

}  // namespace hexproof
