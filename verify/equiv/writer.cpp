#include "verify/equiv/writer.h"

#include <cstring>

#include "ir/interpreter/fault.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

/// A buffer of numbers of the same layout; over `data` when it is given.
Buffer shadow_of(const Buffer& like, const Var& data) {
  return make_buffer("writer", kInt32, like->shape,
                     {.strides = like->strides, .elem_offset = like->elem_offset, .data = data});
}

}  // namespace

std::vector<LastWriter> last_writers(const PrimFunc& func, size_t buffer, std::vector<Tensor> arguments,
                                     const std::vector<int64_t>& scalars) {
  const Buffer target = func.buffer_params().at(buffer);
  // Beside the buffer, and beside every view of it, stands a shadow with the same layout; after every store the
  // number of the store goes to the same place of the shadow.
  BufferMap shadows;
  const Buffer shadow = shadow_of(target, {});
  shadows.emplace(target, shadow);
  visit_stmt(func.body, [&](const Stmt& s) {
    const DeclBuffer* view = s.as<DeclBuffer>();
    if (view && view->buffer->data == target->data && view->buffer->dtype.is_scalar()) {
      shadows.emplace(view->buffer, shadow_of(view->buffer, shadow->data));
    }
    return true;
  });
  std::vector<LastWriter> writers(1);
  PrimFunc traced = func;
  traced.params.push_back({Var::fresh("writer", kHandle), shadow});
  traced.body = rewrite_stmt(
      func.body, [](const Expr& e) { return e; },
      [&](const Stmt& s) {
        if (const DeclBuffer* view = s.as<DeclBuffer>(); view && shadows.count(view->buffer)) {
          Stmt body = make_stmt(DeclBuffer{shadows.at(view->buffer), view->body}, s->span);
          return make_stmt(DeclBuffer{view->buffer, body}, s->span);
        }
        const Store* store = s.as<Store>();
        if (!store || !shadows.count(store->buffer)) return s;
        writers.push_back({one_line(s), s->span});
        Expr number = i32(static_cast<int64_t>(writers.size()) - 1);
        for (const Expr& index : store->indices) {
          if (!index->dtype.is_scalar() && number->dtype.is_scalar()) number = broadcast(number, index->dtype.lanes);
        }
        return seq({s, make_stmt(Store{shadows.at(store->buffer), store->indices, number}, s->span)});
      });
  arguments.push_back(make_tensor(kInt32, arguments.at(buffer).shape));
  RunResult result = run(traced, arguments, scalars, {.check_races = false});
  std::vector<LastWriter> out(static_cast<size_t>(arguments.back().size()));
  if (result.error) return out;
  for (size_t i = 0; i < out.size(); ++i) {
    int32_t number = 0;
    std::memcpy(&number, arguments.back().data.data() + i * sizeof number, sizeof number);
    out[i] = writers.at(static_cast<size_t>(number));
  }
  return out;
}

}  // namespace hexproof
