#include "verify/equiv/writer.h"

#include <cstring>

#include "ir/interpreter/fault.h"
#include "ir/visit.h"

namespace hexproof {

std::vector<std::string> last_writers(const PrimFunc& func, size_t buffer, std::vector<Tensor> arguments,
                                      const std::vector<int64_t>& scalars) {
  const Buffer target = func.buffer_params().at(buffer);
  Buffer shadow = make_buffer("writer", kInt32, target->shape);
  std::vector<std::string> lines = {""};
  // After every store to the buffer, its number goes to the same place of a shadow of it.
  PrimFunc traced = func;
  traced.params.push_back({Var::fresh("writer", kHandle), shadow});
  traced.body = rewrite_stmt(
      func.body, [](const Expr& e) { return e; },
      [&](const Stmt& s) {
        const Store* store = s.as<Store>();
        if (!store || store->buffer != target) return s;
        lines.push_back(one_line(s));
        Expr number = i32(static_cast<int64_t>(lines.size()) - 1);
        for (const Expr& index : store->indices) {
          if (!index->dtype.is_scalar() && number->dtype.is_scalar()) number = broadcast(number, index->dtype.lanes);
        }
        return seq({s, make_stmt(Store{shadow, store->indices, number}, s->span)});
      });
  arguments.push_back(make_tensor(kInt32, arguments.at(buffer).shape));
  RunResult result = run(traced, arguments, scalars, {.check_races = false});
  std::vector<std::string> out(static_cast<size_t>(arguments.back().size()));
  if (result.error) return out;
  for (size_t i = 0; i < out.size(); ++i) {
    int32_t number = 0;
    std::memcpy(&number, arguments.back().data.data() + i * sizeof number, sizeof number);
    out[i] = lines.at(static_cast<size_t>(number));
  }
  return out;
}

}  // namespace hexproof
