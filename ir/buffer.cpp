#include "ir/buffer.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "ir/visit.h"

namespace hexproof {

namespace {

Buffer new_buffer(BufferNode node) {
  static std::atomic<uint32_t> next{1};
  node.id = next++;
  return Buffer(std::make_shared<const BufferNode>(std::move(node)));
}

bool same_layout(const BufferNode& a, const BufferNode& b) {
  return a.shape == b.shape && a.strides == b.strides && !a.elem_offset == !b.elem_offset &&
         (!a.elem_offset || a.elem_offset == b.elem_offset);
}

/// The views that formulas load from, of each declared one and layout one.
class MovedViews {
 public:
  Buffer of(BufferNode node) {
    uint64_t key = node.declared->id;
    auto mix = [&](const Expr& e) { key = key * 0x9e3779b97f4a7c15ull + e->hash; };
    for (const Expr& e : node.shape) mix(e);
    for (const Expr& e : node.strides) mix(e);
    if (node.elem_offset) mix(node.elem_offset);
    std::lock_guard lock(mutex_);
    if (++made_ > 2 * views_.size() + 1000) {
      std::erase_if(views_, [](const auto& one) { return one.second.expired(); });
      made_ = 0;
    }
    const auto [first, last] = views_.equal_range(key);
    for (auto at = first; at != last; ++at) {
      const std::shared_ptr<const BufferNode> known = at->second.lock();
      if (known && known->declared == node.declared && known->data == node.data && same_layout(*known, node))
        return Buffer(known);
    }
    Buffer made = new_buffer(std::move(node));
    views_.emplace(key, made.node());
    return made;
  }

 private:
  std::mutex mutex_;
  std::unordered_multimap<uint64_t, std::weak_ptr<const BufferNode>> views_;
  size_t made_ = 0;
};

}  // namespace

Buffer make_buffer(std::string name, DType type, std::vector<Expr> shape, BufferOptions options) {
  const bool view = static_cast<bool>(options.data);
  Var data = view ? options.data : Var::fresh(name, kHandle);
  return new_buffer({.name = std::move(name),
                     .dtype = type,
                     .shape = std::move(shape),
                     .strides = std::move(options.strides),
                     .elem_offset = std::move(options.elem_offset),
                     .axis_separators = std::move(options.axis_separators),
                     .scope = std::move(options.scope),
                     .data = std::move(data),
                     .view = view,
                     .declared = {}});
}

Buffer moved(const Buffer& view, const std::map<Var, Expr>& map) {
  if (!view->view) return view;
  std::optional<BufferNode> other;
  auto put_in = [&](const Expr& e, auto part) {
    if (!e || e->op == Op::IntImm) return;
    Expr after = substitute(e, map);
    if (after.get() == e.get()) return;
    if (!other) other = *view;
    part(*other) = std::move(after);
  };
  for (size_t d = 0; d < view->shape.size(); ++d) {
    put_in(view->shape[d], [&](BufferNode& node) -> Expr& { return node.shape[d]; });
  }
  for (size_t d = 0; d < view->strides.size(); ++d) {
    put_in(view->strides[d], [&](BufferNode& node) -> Expr& { return node.strides[d]; });
  }
  put_in(view->elem_offset, [](BufferNode& node) -> Expr& { return node.elem_offset; });
  if (!other) return view;
  if (!other->declared) other->declared = view;
  static auto* all = new MovedViews;  // outlives every thread
  return all->of(std::move(*other));
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
