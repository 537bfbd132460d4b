// Copies that are in flight while earlier iterations compute.
#include "ir/visit.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/args/stores.h"
#include "rewrite/schedule/bound.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/places.h"

namespace hexproof::calls {
namespace {

/// The buffer that the first statement of the loop fills is allocated in the loop, as far as that is proved.
void sink_what_is_filled(Steps& steps, const LoopRef& loop) {
  Stmt first = stmt_at(steps.func(), steps.path_of(loop)).as<For>()->body;
  while (first.as<AllocBuffer>()) first = first.as<AllocBuffer>()->body;
  if (const Seq* list = first.as<Seq>(); list && !list->stmts.empty()) first = list->stmts[0];
  std::vector<Buffer> written;
  visit_stmt(first, [&](const Stmt& s) {
    if (const Store* store = s.as<Store>()) written.push_back(store->buffer);
    return true;
  });
  if (!written.empty()) steps.try_apply(SinkAllocArgs{.buffer = written.front(), .loop = loop.var});
}

}  // namespace

Value make_async(PrimitiveCall& c) {
  Steps steps(c.schedule());
  const LoopRef& loop = c.args.loop("loop");
  const int64_t slots = c.args.integer("slots");
  const Argument* given = c.args.find("ahead");
  const bool one_less = !given || given->value.as<None>();
  const int64_t ahead = one_less ? slots - 1 : Bound::as<int64_t>(*given, "an integer or None");
  const Argument* number = c.args.find("queue");
  const int64_t queue = number ? Bound::as<int64_t>(*number, "an integer") : 0;
  steps.all_or_nothing([&] {
    sink_what_is_filled(steps, loop);
    steps.apply(FillAheadArgs{.loop = loop.var, .slots = slots, .ahead = ahead});
    const Path at = steps.path_of(loop);
    Path body = below(at, 0);
    while (stmt_at(steps.func(), body).as<AllocBuffer>()) body = below(body, 0);
    MakeAsyncArgs args{
        .copies = {below(body, 0)}, .waits = {below(body, 1)}, .inflight = {imm(kInt32, ahead)}, .queue = queue};
    if (ahead > 0) {  // the loop in front, whose body is one copy
      Path front = at;
      --front.back();
      args.copies.insert(args.copies.begin(), below(front, 0));
    }
    steps.apply(args);
  });
  return {None{}};
}

}  // namespace hexproof::calls
