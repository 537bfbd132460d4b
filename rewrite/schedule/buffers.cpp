// transform_layout, cache_read, cache_write, set_scope.
#include <algorithm>
#include <set>

#include "rewrite/expr_rules/strategy.h"
#include "rewrite/memory/cache_stage.h"
#include "rewrite/schedule/schedule.h"
#include "rewrite/site/places.h"

namespace hexproof {

Args Schedule::buffer_args(const BlockRef& block, const BufferChoice& buffer, bool write) {
  Path at = path_of(block);
  Args args{{"block", at}};
  Buffer chosen;
  if (buffer.name.empty()) {
    chosen = accessed_arg(func(), {{"index", buffer.index}}, at, buffer.write.value_or(write));
  } else {
    for (const Access& access : footprint(stmt_at(func(), at), facts_at(func(), at))) {
      if (access.buffer->name == buffer.name && (!buffer.write || access.write == *buffer.write))
        chosen = access.buffer;
    }
    if (!chosen) {
      std::vector<std::string> names;
      for (const Access& access : footprint(stmt_at(func(), at), facts_at(func(), at))) {
        names.push_back(access.buffer->name);
      }
      fail("the block '" + current_name(block) + "' does not access a buffer '" + buffer.name + "'",
           nearest_names(buffer.name, names));
    }
  }
  args["buffer"] = chosen;
  return args;
}

Buffer Schedule::buffer_of(const BlockRef& block, const BufferChoice& buffer) {
  Buffer out;
  primitive([&] { out = std::get<Buffer>(buffer_args(block, buffer, false).at("buffer")); });
  return out;
}

void Schedule::transform_layout(const BlockRef& block, const BufferChoice& buffer, const IndexMap& map,
                                const std::optional<Arg>& pad) {
  primitive([&] {
    Args args = buffer_args(block, buffer, false);
    args.erase("block");
    const Buffer& chosen = std::get<Buffer>(args.at("buffer"));
    if (map.inputs.size() != chosen->ndim()) {
      fail("the index map takes " + std::to_string(map.inputs.size()) + " indices, but '" + chosen->name + "' has " +
           std::to_string(chosen->ndim()));
    }
    args["map"] = map;
    if (pad) args["pad_value"] = *pad;
    apply("transform-layout", args);
    hexproof::simplify(derivation_, prover_, {}, primitive_, span_);
  });
}

BlockRef Schedule::cache(const std::string& rule, const BlockRef& block, const BufferChoice& buffer,
                         const std::string& scope, bool write) {
  BlockRef out;
  primitive([&] {
    if (buffer.write && *buffer.write != write)
      fail("the buffer is to be one that the block " + std::string(write ? "writes" : "reads"));
    Args args = buffer_args(block, buffer, write);
    args["scope"] = scope;
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
      args["cover"] = cover;
      return try_apply(rule, args);
    });
    args.erase("cover");
    if (!done) apply(rule, args);  // and say why not
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
  return cache("cache-read", block, buffer, scope, false);
}

BlockRef Schedule::cache_write(const BlockRef& block, const BufferChoice& buffer, const std::string& scope) {
  return cache("cache-write", block, buffer, scope, true);
}

void Schedule::set_scope(const BlockRef& block, const BufferChoice& buffer, const std::string& scope) {
  primitive([&] {
    Args args = buffer_args(block, buffer, true);
    args.erase("block");
    args["scope"] = scope;
    apply("set-scope", args);
  });
}

}  // namespace hexproof
