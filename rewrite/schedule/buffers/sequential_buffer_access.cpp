// sequential_buffer_access(block, buffer): the loops of the block run over the buffer in memory order. Where the access
// does not stand in a perfect nest, the loops are distributed first, and an init is split off. Nests that visit the
// buffer in memory order already stay as they are. Bindings of indices in the new loops are inlined: then their values
// are simplified.
#include <algorithm>
#include <exception>

#include "ir/visit.h"
#include "rewrite/expr_rules/strategy.h"
#include "rewrite/layout/reindex.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/args/values.h"
#include "rewrite/schedule/schedule.h"
#include "rewrite/site/nest.h"
#include "verify/access/footprint.h"

namespace hexproof {
namespace {

/// The most loops of a perfect nest of which each choice to replace is tried.
constexpr size_t kMostLoops = 6;

/// The perfect nest at `at`, as deep as it goes.
Nest deepest_nest(const PrimFunc& func, const Path& at) {
  Nest nest = nest_at(func, at, 1);
  while (true) {
    try {
      nest = nest_at(func, at, nest.loops.size() + 1);
    } catch (const NotApplicable&) {
      return nest;
    }
  }
}

/// Accesses of the wanted kind, with their positions among those to the buffer.
std::vector<std::pair<int64_t, Access>> accesses_to(const PrimFunc& func, const Stmt& stmt, const Path& at,
                                                    const Buffer& buffer, bool write) {
  std::vector<std::pair<int64_t, Access>> found;
  int64_t position = 0;
  for (const Access& access : footprint(stmt, facts_at(func, at))) {
    if (!(access.buffer == buffer)) continue;
    if (access.write == write) found.emplace_back(position, access);
    ++position;
  }
  return found;
}

/// The loops of the nest that occur, as positions.
Path occurring(const Nest& nest, const std::vector<Expr>& indices) {
  Path found;
  for (size_t k = 0; k < nest.loops.size(); ++k) {
    bool used =
        std::any_of(indices.begin(), indices.end(), [&](const Expr& e) { return uses_var(e, nest.loops[k].var); });
    if (used) found.push_back(static_cast<int>(k));
  }
  return found;
}

/// Which loops to replace, the likeliest choice first: all that occur in the access, those of them that choose what is
/// written, then any others, the more loops the earlier.
std::vector<Path> choices(const PrimFunc& func, const Nest& nest, const Path& all) {
  std::vector<Expr> written;
  for (const Access& access : footprint(nest.body, facts_at(func, nest.body_path))) {
    if (access.write) written.insert(written.end(), access.indices.begin(), access.indices.end());
  }
  Path spatial;
  for (int k : occurring(nest, written)) {
    if (std::find(all.begin(), all.end(), k) != all.end()) spatial.push_back(k);
  }
  std::vector<Path> out{all, spatial};
  if (all.size() <= kMostLoops) {
    for (size_t size = all.size(); size > 0; --size) {
      for (unsigned mask = (1u << all.size()) - 1; mask > 0; --mask) {
        Path subset;
        for (size_t k = 0; k < all.size(); ++k) {
          if (mask >> (all.size() - 1 - k) & 1) subset.push_back(all[k]);
        }
        if (subset.size() == size) out.push_back(subset);
      }
    }
  }
  std::vector<Path> distinct;
  for (const Path& choice : out) {
    if (!choice.empty() && std::find(distinct.begin(), distinct.end(), choice) == distinct.end()) {
      distinct.push_back(choice);
    }
  }
  return distinct;
}

}  // namespace

std::exception_ptr Schedule::try_reindex(const Path& at, const Buffer& buffer, bool write) {
  Nest nest = deepest_nest(func(), at);
  std::exception_ptr refused, not_applicable;
  std::vector<std::vector<Expr>> seen;
  for (const auto& [position, access] : accesses_to(func(), nest.body, nest.body_path, buffer, write)) {
    if (std::find(seen.begin(), seen.end(), access.indices) != seen.end()) continue;
    seen.push_back(access.indices);
    const Path all = occurring(nest, access.indices);
    for (const Path& replaced : choices(func(), nest, all)) {
      for (bool image : {false, true}) {
        try {
          apply(ReindexLoopsArgs{.at = at,
                                 .count = static_cast<int64_t>(nest.loops.size()),
                                 .replaced = replaced,
                                 .buffer = buffer,
                                 .access = position,
                                 .image = image});
          return nullptr;
        } catch (const InMemoryOrder&) {
          // As a whole, and not in some of its loops.
          if (seen.size() == 1 && replaced == all) throw;
        } catch (const Refused&) {
          // What the full guard is refused for counts.
          if (image && !refused) refused = std::current_exception();
        } catch (const NotApplicable&) {
          if (!not_applicable) not_applicable = std::current_exception();
        }
      }
    }
  }
  if (refused) return refused;
  if (not_applicable) return not_applicable;
  return std::make_exception_ptr(NotApplicable("the nest does not access '" + buffer->name + "' in this way"));
}

std::optional<Path> Schedule::alone_in_loops(const Path& at, const Buffer& buffer, bool write) {
  Nest nest = deepest_nest(func(), at);
  const Seq* list = nest.body.as<Seq>();
  if (!list) return std::nullopt;
  size_t which = 0;
  auto touches = [&](size_t k) {
    return !accesses_to(func(), list->stmts[k], below(nest.body_path, static_cast<int>(k)), buffer, write).empty();
  };
  while (which < list->stmts.size() && !touches(which)) ++which;
  if (which == list->stmts.size()) return std::nullopt;
  size_t count = list->stmts.size();
  // From the innermost loop outwards: each becomes the parts in front, of, and behind the access.
  std::vector<Path> around;
  for (const Path& loop : loops_around(func(), nest.body_path)) {
    if (is_within(loop, at)) around.push_back(loop);
  }
  Path target;
  for (size_t k = around.size(); k-- > 0;) {
    target = around[k];
    if (k + 1 < around.size() && !checked_at(func(), below(target, 0)).as<Seq>()) {
      throw NotApplicable("a condition stands between the loops that are to be distributed");
    }
    bool front = which > 0;
    if (which + 1 < count) {
      apply(DistributeLoopArgs{.at = target, .count = static_cast<int64_t>(which + 1)});
      if (checked_at(func(), target).as<Seq>()) target.push_back(0);
    }
    if (front) {
      apply(DistributeLoopArgs{.at = target, .count = static_cast<int64_t>(which)});
      if (checked_at(func(), target).as<Seq>()) {
        target.push_back(1);
      } else {
        ++target.back();
      }
    }
    // Around it there is now a sequence of the parts.
    count = static_cast<size_t>(1 + (which > 0) + (which + 1 < count));
    which = front;
  }
  return target;
}

bool Schedule::reindex_inside(const Path& at, const Buffer& buffer, bool write) {
  Path body = deepest_nest(func(), at).body_path;
  while (checked_at(func(), body).as<If>() && !checked_at(func(), body).as<If>()->else_case) body.push_back(0);
  const Stmt list = checked_at(func(), body);
  if (!list.as<Seq>()) return true;
  for (size_t k = 0; k < list.as<Seq>()->stmts.size(); ++k) {
    Path part = below(body, static_cast<int>(k));
    Stmt loop = checked_at(func(), part);
    if (!loop.as<For>()) continue;
    bool occurs = false;
    for (const auto& [position, access] : accesses_to(func(), loop, part, buffer, write)) {
      for (const LoopRange& own : access.loops) {
        for (const Expr& e : access.indices) occurs |= uses_var(e, own.var);
      }
    }
    if (!occurs) continue;
    if (std::exception_ptr error = try_reindex(part, buffer, write)) {
      try {
        std::rethrow_exception(error);
      } catch (const Refused&) {
        return false;
      } catch (const InMemoryOrder&) {
        // as it should be
      } catch (const NotApplicable&) {
        return false;
      }
    }
    if (!reindex_inside(part, buffer, write)) return false;
  }
  return true;
}

Path Schedule::reindex_nest(Path at, const Buffer& buffer, bool write) {
  Derivation saved = derivation_;
  std::exception_ptr error = try_reindex(at, buffer, write);
  if (!error && reindex_inside(at, buffer, write)) return at;
  if (!error) {
    // Not level by level: as one nest, then.
    derivation_ = std::move(saved);
    error = std::make_exception_ptr(NotApplicable("the loops inside do not follow '" + buffer->name + "'"));
  }
  Nest nest = deepest_nest(func(), at);
  const Block* block = nest.body.as<Block>();
  if (block && block->init) {
    std::string name = block->name;
    bool free = find_blocks(func(), name + "_init").empty() && find_blocks(func(), name + "_update").empty();
    if (!free || !try_apply(DecomposeReductionArgs{.at = nest.body_path, .loop = at})) std::rethrow_exception(error);
    rename(name, name + "_update");
    renamed_.erase(name + "_init");
    if (checked_at(func(), at).as<Seq>()) {
      at.push_back(1);
    } else {
      ++at.back();
    }
  } else if (std::optional<Path> alone = alone_in_loops(at, buffer, write)) {
    at = *alone;
  } else {
    std::rethrow_exception(error);
  }
  if (std::exception_ptr again = try_reindex(at, buffer, write)) std::rethrow_exception(again);
  return at;
}

void Schedule::inline_indices(const Path& nest) {
  auto is_index = [](const Stmt& s) { return s.as<LetStmt>() && !is_data(s.as<LetStmt>()->value); };
  std::vector<Path> lets = find_all(func(), is_index);
  for (size_t k = lets.size(); k-- > 0;) {
    if (is_within(lets[k], nest)) try_apply(InlineLetArgs{.at = lets[k]});
  }
}

std::vector<LoopRef> Schedule::sequential_buffer_access(const BlockRef& block, const BufferChoice& choice) {
  std::vector<LoopRef> out;
  primitive([&] {
    Buffer buffer = chosen_buffer(block, choice, false);
    Path at = path_of(block);
    // By name, each nest is ordered by what it writes of the buffer, or else by what it reads.
    auto followed = [&](const Path& nest) {
      bool written = !accesses_to(func(), stmt_at(func(), nest), nest, buffer, true).empty();
      return choice.write.value_or(!choice.name.empty() && written);
    };

    std::vector<Path> nests;
    std::vector<LoopRef> around = get_loops(block);
    if (around.empty()) {
      for (const Path& loop : find_all(func(), [](const Stmt& s) { return s.as<For>() != nullptr; })) {
        bool outermost = is_within(loop, at) && (nests.empty() || !is_within(loop, nests.back()));
        if (outermost && !accesses_to(func(), stmt_at(func(), loop), loop, buffer, followed(loop)).empty()) {
          nests.push_back(loop);
        }
      }
    } else {
      nests.push_back(path_of(around.front()));
    }
    // The loops from which the nest of the block is perfect, where that is not the outermost one.
    std::optional<Path> inside;
    for (const LoopRef& loop : around) {
      Path from = path_of(loop);
      Nest nest = deepest_nest(func(), from);
      if (inside || nest.body.as<Seq>() || !is_within(at, nest.body_path)) continue;
      inside = from;
    }
    if (nests.empty()) fail("the block '" + current_name(block) + "' has no loops that access '" + buffer->name + "'");
    for (size_t k = nests.size(); k-- > 0;) {
      Path nest = nests[k];
      const bool write = followed(nest);
      out.clear();
      Derivation saved = derivation_;
      auto names = renamed_;
      try {
        bool done = inside && *inside != nest && !try_reindex(*inside, buffer, write);
        nest = done ? *inside : reindex_nest(nest, buffer, write);
      } catch (const InMemoryOrder&) {
        derivation_ = std::move(saved), renamed_ = std::move(names);
        for (const For& loop : deepest_nest(func(), nest).loops) out.push_back({loop.var});
        continue;
      }
      inline_indices(nest);
      hexproof::simplify(derivation_, prover_, nest, primitive_, span_);
      // A part of the guard that always holds goes.
      for (Path here = nest;;) {
        Stmt s = checked_at(func(), here);
        if (s.as<If>() && try_apply(EliminateBranchArgs{.at = here, .takes = true})) continue;
        if (!s.as<For>() && !(s.as<If>() && !s.as<If>()->else_case)) break;
        here.push_back(0);
      }
      for (const For& loop : deepest_nest(func(), nest).loops) out.push_back({loop.var});
    }
  });
  return out;
}

}  // namespace hexproof
