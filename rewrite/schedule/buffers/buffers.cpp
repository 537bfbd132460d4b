// transform_layout, cache_read, cache_write, set_scope.
#include "rewrite/rules/args/buffers.h"

#include <algorithm>
#include <set>

#include "ir/evaluation.h"
#include "ir/visit.h"
#include "rewrite/expr_rules/strategy.h"
#include "rewrite/memory/cache_stage.h"
#include "rewrite/schedule/schedule.h"
#include "rewrite/site/places.h"

namespace hexproof {

Buffer Schedule::chosen_buffer(const BlockRef& block, const BufferChoice& buffer, bool write) {
  Path at = path_of(block);
  Buffer chosen;
  if (buffer.name.empty()) {
    chosen = accessed_arg(func(), {}, buffer.index, at, buffer.write.value_or(write));
  } else {
    std::set<std::string> names;
    const auto access = [&](const Buffer& b, bool written) {
      names.insert(b->name);
      if (b->name == buffer.name && (!buffer.write || written == *buffer.write)) chosen = b;
    };
    visit_stmt(stmt_at(func(), at), [&](const Stmt& s) {
      for_each_operand(s, [&](Operand, const Expr& e) {
        visit_nodes(e, [&](const Expr& node) {
          if (node->op == Op::Load) access(node->buffer(), false);
          return true;
        });
      });
      if (const Store* store = s.as<Store>()) access(store->buffer, true);
      return true;
    });
    if (!chosen) {
      fail("the block '" + current_name(block) + "' does not access a buffer '" + buffer.name + "'",
           nearest_names(buffer.name, {names.begin(), names.end()}));
    }
  }
  return chosen;
}

Buffer Schedule::buffer_of(const BlockRef& block, const BufferChoice& buffer) {
  Buffer out;
  primitive([&] { out = chosen_buffer(block, buffer, false); });
  return out;
}

void Schedule::transform_layout(const BlockRef& block, const BufferChoice& buffer, const IndexMap& map,
                                const std::optional<PadArg>& pad) {
  primitive([&] {
    const Buffer chosen = chosen_buffer(block, buffer, false);
    if (map.inputs.size() != chosen->ndim()) {
      fail("the index map takes " + std::to_string(map.inputs.size()) + " indices, but '" + chosen->name + "' has " +
           std::to_string(chosen->ndim()));
    }
    apply(TransformLayoutArgs{.buffer = chosen, .map = map, .pad_value = pad});
    hexproof::simplify(derivation_, prover_, {}, primitive_, span_);
  });
}

template <class A>
BlockRef Schedule::cache(const BlockRef& block, const BufferChoice& buffer, const std::string& scope, bool write) {
  BlockRef out;
  primitive([&] {
    if (buffer.write && *buffer.write != write)
      fail("the buffer is to be one that the block " + std::string(write ? "writes" : "reads"));
    A args{.block = path_of(block), .buffer = chosen_buffer(block, buffer, write), .scope = scope};
    auto blocks = [&] {
      std::set<std::string> names;
      visit_stmt(func().body, [&](const Stmt& s) {
        if (const Block* b = s.as<Block>()) names.insert(b->name);
        return true;
      });
      return names;
    };
    std::set<std::string> before = blocks();
    // One store that writes all of the cells; several that do; or a copy that leaves out what none writes.
    std::vector<std::string> covers{"one", "all"};
    if (write) covers.push_back("guard");
    bool done = std::any_of(covers.begin(), covers.end(), [&](const std::string& cover) {
      args.cover = cover;
      return try_apply(args);
    });
    args.cover.reset();
    if (!done) apply(args);  // and say why not
    for (const std::string& name : blocks()) {
      if (!before.count(name)) out = {name};
    }
    // A program without blocks has none for the copy either.
    if (!has_blocks(func())) {
      out = {kRootBlock};
      return;
    }
    if (out.name.empty()) {
      fail("there is already a block with the name that the copy would have",
           "cache a buffer of another name, or into another scope");
    }
    renamed_.erase(out.name);
  });
  return out;
}

BlockRef Schedule::cache_read(const BlockRef& block, const BufferChoice& buffer, const std::string& scope) {
  return cache<CacheReadArgs>(block, buffer, scope, false);
}

BlockRef Schedule::cache_write(const BlockRef& block, const BufferChoice& buffer, const std::string& scope) {
  return cache<CacheWriteArgs>(block, buffer, scope, true);
}

void Schedule::set_scope(const BlockRef& block, const BufferChoice& buffer, const std::string& scope) {
  primitive([&] { apply(SetScopeArgs{.buffer = chosen_buffer(block, buffer, true), .scope = scope}); });
}

}  // namespace hexproof
