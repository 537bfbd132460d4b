#include "ir/buffer.h"

#include <atomic>

namespace hexproof {

Buffer make_buffer(std::string name, DType type, std::vector<Expr> shape, BufferOptions options) {
  static std::atomic<uint32_t> next{1};
  Var data = options.data ? options.data : Var::fresh(name, kHandle);
  return Buffer(std::make_shared<const BufferNode>(BufferNode{
      next++, std::move(name), type, std::move(shape), std::move(options.strides), std::move(options.elem_offset),
      std::move(options.axis_separators), std::move(options.scope), std::move(data)}));
}

Buffer with_shape(const Buffer& like, std::vector<Expr> shape) {
  return make_buffer(like->name, like->dtype, std::move(shape), {.scope = like->scope});
}

std::vector<Expr> layout_exprs(const Buffer& buffer) {
  std::vector<Expr> out = buffer->shape;
  out.insert(out.end(), buffer->strides.begin(), buffer->strides.end());
  if (buffer->elem_offset) out.push_back(buffer->elem_offset);
  return out;
}

std::optional<std::vector<int64_t>> constant_shape(const Buffer& buffer) {
  std::vector<int64_t> shape;
  for (const Expr& extent : buffer->shape) {
    const int64_t* value = as_int(extent);
    if (!value) return std::nullopt;
    shape.push_back(*value);
  }
  return shape;
}

}  // namespace hexproof
