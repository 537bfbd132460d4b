// sink-alloc {buffer: Buffer or name, loop: Path, Var or name (optional)}
//
//   A = alloc_buffer(...)              for x:
//   for x: S(A)                  ->      A = alloc_buffer(...)
//                                        S(A)
//
// The allocation moves to the body of the loop, or, without one, as far inwards as all uses of the buffer stay inside,
// but into no block. Statements that do not use the buffer stay outside where they are.
//
// Side conditions
//  1. Every use of the buffer is inside of the new place.
//  2. If the allocation moves into a loop: nothing flows from one iteration to the next: what is read from the buffer
//     was written before in the same execution of the new place. No such loop is vectorized.
#include <algorithm>

#include "ir/visit.h"
#include "rewrite/memory/must_write.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

Rewrite sink_alloc(const PrimFunc& func, const SinkAllocArgs& args) {
  BufferSource source = buffer_arg(func, args.buffer);
  const Buffer& buffer = source.buffer;
  if (source.param) throw NotApplicable("'" + buffer->name + "' is an argument, not an allocation");
  demand_own_memory(func, buffer);
  const Path alloc = *source.alloc;
  const std::vector<Path> used =
      find_all(func, [&](const Stmt& s) { return names_buffer(s, [&](const Buffer& b) { return b == buffer; }); });
  if (used.empty()) throw NotApplicable("'" + buffer->name + "' is not used");
  Path place = used.front();
  if (args.loop) {
    place = below(loop_arg(func, *args.loop), 0);
  } else {
    for (const Path& at : used) {
      auto [end, ignored] = std::mismatch(place.begin(), place.end(), at.begin(), at.end());
      place.erase(end, place.end());
    }
    for (size_t n = alloc.size() + 1; n < place.size(); ++n) {
      Path at(place.begin(), place.begin() + static_cast<long>(n));
      const Block* block = stmt_at(func, at).as<Block>();
      if (block) place = at;
    }
    // A loop that holds all uses is its only part's place.
    while (place.size() > alloc.size() + 1 && !stmt_at(func, above(place)).as<For>() &&
           !stmt_at(func, place).as<Seq>()) {
      place = above(place);
    }
  }
  if (!is_within(place, below(alloc, 0))) {
    throw NotApplicable("there is no place further inwards for the allocation of '" + buffer->name + "'");
  }
  for (const Path& at : used) {
    if (!is_within(at, place)) throw NotApplicable("'" + buffer->name + "' is used outside of the new place");
  }
  bool into_loop = false;
  for (Path at = above(place); at.size() > alloc.size(); at = above(at)) {
    Stmt here = stmt_at(func, at);
    if (here.as<Block>()) throw NotApplicable("an allocation does not move into a block");
    const For* loop = here.as<For>();
    if (loop && loop->kind == ForKind::Vectorized)
      throw NotApplicable("an allocation does not move into a vectorized loop");
    into_loop |= loop != nullptr;
  }

  bool only_allocations = true;
  for (Path at = above(place); at.size() > alloc.size(); at = above(at)) {
    only_allocations &= stmt_at(func, at).as<AllocBuffer>() != nullptr;
  }
  if (only_allocations) throw NotApplicable("the allocation of '" + buffer->name + "' is as far inwards as its uses");

  Rewrite out{.after = func, .needs = {}};
  if (into_loop) out.needs = written_before_read("sink-alloc", func, place, buffer);
  Stmt inner = stmt_at(func, place);
  out.after = replace_at(func, place, make_stmt(AllocBuffer{buffer, inner}, stmt_at(func, alloc)->span));
  out.after = replace_at(out.after, alloc, children(stmt_at(out.after, alloc)).front());
  return out;
}

}  // namespace

extern const Rule k_sink_alloc{rule<sink_alloc>("an allocation around a loop  ->  one in each iteration")};

}  // namespace hexproof
