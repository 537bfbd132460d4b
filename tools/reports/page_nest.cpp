#include "tools/reports/page_nest.h"

#include <nlohmann/json.hpp>

#include "ir/interpreter/fault.h"
#include "ir/text/text.h"

namespace hexproof::tools {
namespace {

using Json = nlohmann::ordered_json;

const char* kind_of(ForKind kind) {
  switch (kind) {
    case ForKind::Serial:
      return "serial";
    case ForKind::Parallel:
      return "parallel";
    case ForKind::Vectorized:
      return "vectorized";
    case ForKind::Unrolled:
      return "unrolled";
    case ForKind::ThreadBinding:
      return "thread";
  }
  return "serial";
}

/// 0 where an extent is no constant, or it is too much to be one.
int64_t bytes_of(DType type, const std::vector<Expr>& shape) {
  int64_t out = type.bytes();
  for (const Expr& e : shape) {
    if (e->op != Op::IntImm || __builtin_mul_overflow(out, e->int_value(), &out)) return 0;
  }
  return out;
}

Json part(const char* kind, const std::string& text, int64_t bytes, Json parts) {
  return {{"kind", kind}, {"text", text}, {"bytes", bytes}, {"parts", std::move(parts)}};
}

void add(const Stmt& stmt, Json& out) {
  Json inner = Json::array();
  Json* into = &out;
  const For* loop = stmt.as<For>();
  const AllocBuffer* buffer = stmt.as<AllocBuffer>();
  const Allocate* memory = stmt.as<Allocate>();
  if (loop || buffer || memory) into = &inner;
  for (const Stmt& child : children(stmt)) add(child, *into);
  if (loop) {
    out.push_back(part(kind_of(loop->kind), loop->var.name() + " from " + print(loop->min) + ", " + print(loop->extent),
                       0, std::move(inner)));
  } else if (buffer) {
    const int64_t bytes = bytes_of(buffer->buffer->dtype, buffer->buffer->shape);
    out.push_back(part("memory", buffer->buffer->name + ", " + buffer->buffer->scope, bytes, std::move(inner)));
  } else if (memory) {
    out.push_back(part("memory", memory->data.name() + ", " + memory->scope, bytes_of(memory->dtype, memory->extents),
                       std::move(inner)));
  } else if (const Store* store = stmt.as<Store>()) {
    out.push_back(part("store", store->buffer->name, 0, Json::array()));
  }
}

}  // namespace

Json loop_nest(const Stmt& stmt) {
  Json out = Json::array();
  if (stmt) add(stmt, out);
  return out;
}

}  // namespace hexproof::tools
