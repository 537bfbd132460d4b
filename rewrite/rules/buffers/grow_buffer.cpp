// grow-buffer {buffer: Buffer or name, shape: list of Expr, one extent per dimension}
//
//   A = alloc_buffer((n, m))       ->      A = alloc_buffer((n, m + p))
//
// Each cell keeps its indices; what is new is touched by nobody. So rows can lie as far apart as a bank or a vector
// wants them to.
//
// Side conditions
//  1. The buffer is an allocation, which no other one is declared over: the memory of a parameter is the caller's. No
//     assume speaks of it: what is out of bounds there would not be so any more (checked here).
//  2. No extent is smaller than before: every index that was in bounds is so.
//  3. The extents are no error, depend on scalars and loops around the allocation alone, and the buffer fits in memory.
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/memory/memory_needs.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr const char* kGrowBuffer = "grow-buffer";

Rewrite grow_buffer(const PrimFunc& func, const GrowBufferArgs& args) {
  const BufferSource source = buffer_arg(func, args.buffer);
  const Buffer& before = source.buffer;
  if (source.param) throw NotApplicable("'" + before->name + "' is an argument, not an allocation");
  demand_own_memory(func, before);
  demand_scalar_indices(func.body, before);
  const std::vector<Expr>& shape = args.shape;
  if (shape.size() != before->ndim()) throw NotApplicable("the shape has an extent for each dimension");
  if (shape == before->shape) throw NotApplicable("the shape is the same");
  visit_stmt(func.body, [&](const Stmt& s) {
    if (s.as<Assume>() && reads_buffer(s, before)) throw NotApplicable("an assume speaks of '" + before->name + "'");
    return true;
  });
  const Path& alloc = *source.alloc;
  const Stmt stmt = stmt_at(func, alloc);
  const Facts facts = facts_at(func, alloc);
  std::set<Var> known;
  for (const LoopRange& loop : facts.loops) known.insert(loop.var);
  for (const Var& v : func.scalars()) known.insert(v);
  Rewrite out{.after = func, .needs = {}};
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d]->dtype != before->shape[d]->dtype) throw NotApplicable("an extent has another type than before");
    require_index(func, shape[d], "an extent");
    for (const Var& v : free_vars(shape[d])) {
      if (!known.count(v)) throw NotApplicable("'" + v.name() + "' is not known where the buffer is allocated");
    }
    if (shape[d] == before->shape[d]) continue;
    out.needs.push_back(need(kGrowBuffer, "no extent is smaller than before", func, stmt, facts.given(),
                             le(facts.resolve(before->shape[d]), facts.resolve(shape[d]))));
  }
  const Buffer after = make_buffer(before->name, before->dtype, shape,
                                   {.axis_separators = before->axis_separators, .scope = before->scope});
  owe_memory(kGrowBuffer, func, stmt, facts, after, before, &out.needs);
  const Stmt body = rename_buffer(stmt_at(func, below(alloc, 0)), before, after);
  out.after = replace_at(func, alloc, make_stmt(AllocBuffer{after, body}, stmt->span));
  return out;
}

}  // namespace

extern const Rule k_grow_buffer{rule<grow_buffer>("A = alloc_buffer(shape)  ->  a larger one, with the same indices")};

}  // namespace hexproof
