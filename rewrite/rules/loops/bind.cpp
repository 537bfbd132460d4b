// bind {at: loop, thread: axis}
//
//   for i in [m, m + n): S(i)     ->     for i in T.thread_binding(m, m + n, thread=axis): S(i)
//
// Side conditions
//  1. The loop is serial, the axis one of blockIdx.*, threadIdx.* and vthread*, and the function after means with
//     threads what it means with iterations (ir/notes/thread_axes.h; checked here): no second loop over the axis in the
//     kernel, no memory that threads share, none that would wait for each other.
//  2. For all p < q: no access of S(p) and access of S(q) touch one cell with one of them writing.
//  3. Where S holds an assume, S is free of errors without those of earlier iterations.
#include "ir/notes/thread_axes.h"
#include "ir/visit.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/loops/loop_kind.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

Rewrite bind(const PrimFunc& func, const BindArgs& args) {
  const Path& at = args.at;
  const std::string& axis = args.thread;
  bool known = axis.starts_with("vthread");
  for (const char* kind : {"blockIdx.", "threadIdx."}) {
    for (const char* name : {"x", "y", "z"}) known |= axis == std::string(kind) + name;
  }
  if (!known) throw NotApplicable("'" + axis + "' is no axis of threads");
  Rewrite result = with_kind("bind", func, at, ForKind::ThreadBinding);
  const Stmt stmt = stmt_at(result.after, at);
  For loop = *stmt.as<For>();
  loop.thread_tag = axis;
  result.after = replace_at(result.after, at, make_stmt(std::move(loop), stmt->span));
  if (auto threads = thread_axes_defect(result.after)) throw NotApplicable("there would be " + threads->message);
  return result;
}

}  // namespace

extern const Rule k_bind{rule<bind>("for i: S  ->  for i in T.thread_binding: S")};

}  // namespace hexproof
