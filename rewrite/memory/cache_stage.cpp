#include "rewrite/memory/cache_stage.h"

#include <algorithm>
#include <set>

#include "ir/base/diagnostic.h"
#include "ir/visit.h"
#include "rewrite/memory/assumed.h"
#include "rewrite/memory/made.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

/// Is the part at `k` an allocation around all that follows assumes? The stages stand inside of it (with_copies).
bool leads_to_stages(const Seq& parts, int k) {
  const auto at = static_cast<size_t>(k);
  if (at + 1 != parts.stmts.size() || !parts.stmts[at].as<AllocBuffer>()) return false;
  return std::all_of(parts.stmts.begin(), parts.stmts.begin() + k, [](const Stmt& s) { return s.as<Assume>(); });
}

/// The first part around which the cache of the stage is allocated.
size_t first_part_with(const Buffer& cache, const std::vector<Stmt>& parts, size_t stage) {
  if (std::all_of(cache->shape.begin(), cache->shape.end(), [](const Expr& e) { return as_int(e); })) return 0;
  for (size_t k = stage; k > 0; --k) {
    const Assume* assume = parts[k - 1].as<Assume>();
    if (assume && !free_vars(assume->condition).empty()) return k;
  }
  return 0;
}

}  // namespace

Stage stage_around(const PrimFunc& func, const Path& at) {
  Path here;
  Stmt stmt = func.body;
  while (here.size() < at.size()) {
    const Block* block = stmt.as<Block>();
    const Seq* parts = stmt.as<Seq>();
    bool root = block && block->iters.empty() && !block->init && !block->predicate;
    if (!stmt.as<AllocBuffer>() && !stmt.as<DeclBuffer>() && !stmt.as<Allocate>() && !stmt.as<AttrStmt>() && !root &&
        !(parts && leads_to_stages(*parts, at[here.size()]))) {
      break;
    }
    here.push_back(at[here.size()]);
    stmt = stmt_at(func, here);
  }
  if (stmt.as<Seq>() && here.size() < at.size()) return {here, below(here, at[here.size()]), at[here.size()]};
  return {here, here, -1};
}

Stage stage_in_loops(const PrimFunc& func, const Path& at) {
  const Stage outermost = stage_around(func, at);
  Stage out = outermost;
  Path here = outermost.at;
  while (here.size() < at.size()) {
    const Stmt stmt = stmt_at(func, here);
    if (stmt.as<Block>()) return outermost;
    const int next = at[here.size()];
    if (stmt.as<Seq>()) out = {here, below(here, next), next};
    here.push_back(next);
  }
  return out;
}

PrimFunc with_copies(const std::string& rule, const PrimFunc& func, const Stage& stage, const Copies& copies,
                     std::vector<Obligation>* needs) {
  const Stmt here = stmt_at(func, stage.seq), nest = stmt_at(func, stage.at);
  std::vector<Stmt> parts = stage.index < 0 ? std::vector<Stmt>{here} : here.as<Seq>()->stmts;
  const size_t index = stage.index < 0 ? 0 : static_cast<size_t>(stage.index);
  std::vector<Buffer> made = copies.more;
  made.insert(made.begin(), copies.cache);
  size_t first = 0;
  for (const Buffer& b : made) first = std::max(first, first_part_with(b, parts, index));

  const Facts in_front = facts_at(func, first == 0 ? stage.seq : below(stage.seq, static_cast<int>(first)));
  for (const Buffer& b : made) {
    owe_made({rule, func, nest, in_front, copies.like}, make_stmt(AllocBuffer{b, empty_stmt()}), needs);
  }
  const Facts facts = facts_at(func, stage.at);
  for (const Stmt& copy : {copies.before, copies.after}) {
    if (copy) owe_made({rule, func, nest, facts, copies.like, nest}, copy, needs);
  }

  parts.at(index) = copies.changed;
  if (copies.after) parts.insert(parts.begin() + static_cast<long>(index) + 1, copies.after);
  if (copies.before) parts.insert(parts.begin() + static_cast<long>(index), copies.before);
  const auto inside = parts.begin() + static_cast<long>(first);
  Stmt memory = seq(std::vector<Stmt>(inside, parts.end()));
  for (size_t k = made.size(); k-- > 0;) memory = make_stmt(AllocBuffer{made[k], memory}, here->span);
  parts.erase(inside, parts.end());
  parts.push_back(memory);
  const PrimFunc result = replace_at(func, stage.seq, seq(std::move(parts)));
  if (copies.before) {
    const std::vector<Path> at = find_all(result, [&](const Stmt& s) { return s.get() == copies.before.get(); });
    HEXPROOF_CHECK(at.size() == 1, "the copy in front of a stage stands in " + std::to_string(at.size()) + " places");
    owe_no_error_before_assumes(nest, result, at[0], needs);
  }
  return result;
}

std::vector<Access> accesses_between(const PrimFunc& func, const Path& outer, const Path& inner) {
  std::set<const StmtNode*> inside;
  visit_stmt(stmt_at(func, inner), [&](const Stmt& s) {
    inside.insert(s.get());
    return true;
  });
  std::vector<Access> out = footprint(stmt_at(func, outer), facts_at(func, outer));
  std::erase_if(out, [&](const Access& a) { return !inside.count(a.stmt.get()); });
  return out;
}

Stmt copy_nest(const std::string& name, const Buffer& from, const Buffer& to, const std::vector<DimRange>& region,
               const std::vector<Var>& named, const Expr& only) {
  Block block{.name = name};
  std::vector<Expr> cell;
  VarMap names;
  std::vector<Var> loops;
  for (size_t d = 0; d < region.size(); ++d) {
    DType type = region[d].extent->dtype;
    Var loop = Var::fresh("ax" + std::to_string(d), type);
    Expr index = is_int(region[d].base, 0) ? Expr(loop) : region[d].base + Expr(loop);
    loops.push_back(loop);
    if (!name.empty()) {
      Var v = Var::fresh("v" + std::to_string(d), type);
      block.iters.push_back({v, {zero(type), from->shape[d]}, IterKind::Spatial, index});
      index = Expr(v);
    }
    cell.push_back(index);
    if (only) names.emplace(named[d], index);
  }
  Expr guard = only ? substitute(only, names) : Expr{};
  Stmt nest = make_stmt(Store{to, cell, load(from, cell)});
  if (!name.empty()) {
    block.predicate = guard;
    block.body = nest;
    nest = make_stmt(std::move(block));
  } else if (guard) {
    nest = make_stmt(If{guard, nest, {}});
  }
  for (size_t d = region.size(); d-- > 0;) {
    nest = make_stmt(For{.var = loops[d], .min = zero(loops[d].dtype()), .extent = region[d].extent, .body = nest});
  }
  return nest;
}

Buffer cache_of(const Buffer& source, const std::string& scope) {
  std::string suffix = scope.empty() ? "cache" : scope;
  std::replace(suffix.begin(), suffix.end(), '.', '_');
  return make_buffer(source->name + "_" + suffix, source->dtype, source->shape,
                     {.axis_separators = source->axis_separators, .scope = scope.empty() ? "global" : scope});
}

void owe_inside(const std::string& rule, const std::string& why, const PrimFunc& func, const std::vector<Expr>& given,
                const Access& access, const std::vector<DimRange>& region, std::vector<Obligation>* needs) {
  std::vector<Expr> known = join(given, domain_of(access));
  for (size_t d = 0; d < region.size(); ++d) {
    const Expr &base = region[d].base, &extent = region[d].extent, &shape = access.buffer->shape[d];
    if (is_int(base, 0) && extent == shape && !access.stmt.as<Assume>()) continue;
    // In the index's type where it holds the region, else in one that holds both.
    DType type = access.indices[d]->dtype;
    auto holds = [&](const Expr& e) { return e->dtype == type || (as_int(e) && fits_type(type, int_value(e))); };
    if (!holds(base) || !holds(extent)) type = kInt64;
    auto typed = [&](const Expr& e) {
      return e->dtype == type                             ? e
             : as_int(e) && fits_type(type, int_value(e)) ? imm(type, int_value(e))
                                                          : cast(type, e);
    };
    Expr index = typed(access.indices[d]);
    needs->push_back(need(rule, why, func, access.stmt, known, le(typed(base), index)));
    needs->push_back(need(rule, why, func, access.stmt, known, lt(index, fold(typed(base) + typed(extent)))));
  }
}

void owe_region_in_box(const std::string& rule, const PrimFunc& func, const Stmt& stmt, const std::vector<Expr>& given,
                       const Buffer& buffer, const std::vector<DimRange>& region, std::vector<Obligation>* needs) {
  for (size_t d = 0; d < region.size(); ++d) {
    const Expr &base = region[d].base, &extent = region[d].extent, &shape = buffer->shape[d];
    if (is_int(base, 0) && extent == shape) continue;
    std::string why = "the region lies inside of buffer '" + buffer->name + "'";
    needs->push_back(need(rule, "the corner of the region fits its type", func, stmt, given, fits(base + extent)));
    needs->push_back(need(rule, why, func, stmt, given, le(zero(base->dtype), base)));
    needs->push_back(need(rule, why, func, stmt, given, le(fold(base + extent), shape)));
  }
}

Buffer accessed_arg(const PrimFunc& func, const std::optional<BufferArg>& named, const std::optional<int64_t>& index,
                    const Path& block, bool write) {
  std::vector<Buffer> found;
  for (const Access& a : footprint(stmt_at(func, block), facts_at(func, block))) {
    if (a.write == write && std::find(found.begin(), found.end(), a.buffer) == found.end()) found.push_back(a.buffer);
  }
  const char* what = write ? "write" : "read";
  if (index) {
    // An accumulator is read too, but TVM does not count it among the reads of its block.
    if (!write) {
      std::vector<Buffer> written = buffers_stored(stmt_at(func, block));
      std::erase_if(found,
                    [&](const Buffer& b) { return std::find(written.begin(), written.end(), b) != written.end(); });
    }
    if (*index < 0 || *index >= static_cast<int64_t>(found.size())) {
      throw NotApplicable("the block has no " + std::string(what) + " number " + std::to_string(*index));
    }
    return found[static_cast<size_t>(*index)];
  }
  Buffer buffer = buffer_arg(func, needed(named, "buffer")).buffer;
  if (std::find(found.begin(), found.end(), buffer) == found.end()) {
    throw NotApplicable("the block does not " + std::string(what) + " '" + buffer->name + "'");
  }
  return buffer;
}

}  // namespace hexproof
