#include "rewrite/te/tensor.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <stdexcept>
#include <unordered_map>

namespace hexproof::te {
namespace {

/// Tensors in expressions are loads: this says whose. Expressions outlive the objects that they were made with.
struct Registry {
  std::mutex mutex;
  std::unordered_map<uint32_t, OperationRef> by_buffer;
};
Registry& registry() {
  static auto* one = new Registry;
  return *one;
}

OperationRef registered(Operation op) {
  auto out = std::make_shared<const Operation>(std::move(op));
  std::lock_guard lock(registry().mutex);
  for (const Buffer& buffer : out->outputs) registry().by_buffer[buffer->id] = out;
  return out;
}

std::vector<Tensor> outputs_of(const OperationRef& op) {
  std::vector<Tensor> out;
  for (size_t k = 0; k < op->outputs.size(); ++k) out.push_back({op, k});
  return out;
}

/// Variables of the body are axes of the operation, or sizes.
void demand_own_axes(const Operation& op) {
  std::set<Var> own;
  for (const IterVar& iv : op.roots()) own.insert(iv.var);
  if (own.size() != op.roots().size()) throw std::invalid_argument("an axis stands twice in '" + op.name + "'");
  for (const Expr& e : op.expressions()) {
    for (const Var& v : free_vars(e)) {
      if (own.count(v)) continue;
      // Sizes are known by how they were made.
      if (is_axis(v)) {
        throw std::invalid_argument("'" + op.name + "' uses the axis '" + v.name() +
                                    "', which is neither its own nor one that it reduces over");
      }
    }
  }
}

std::vector<Tensor> made(Operation op, const std::vector<DType>& types) {
  std::vector<Expr> shape;
  for (const IterVar& iv : op.axes) shape.push_back(iv.dom.extent);
  for (size_t k = 0; k < types.size(); ++k) {
    const std::string suffix = types.size() > 1 ? ".v" + std::to_string(k) : "";
    op.outputs.push_back(make_buffer(op.name + suffix, types[k], shape));
  }
  demand_own_axes(op);
  return outputs_of(registered(std::move(op)));
}

struct Axes {
  std::mutex mutex;
  std::set<uint32_t> ids;
};
Axes& axes() {
  static auto* all = new Axes;
  return *all;
}

}  // namespace

IterVar make_axis(const std::string& name, Range dom, IterKind kind, const std::string& tag) {
  const DType type = dom.extent ? dom.extent->dtype : kInt32;
  IterVar out{Var::fresh(name, type), std::move(dom), kind, tag};
  std::lock_guard lock(axes().mutex);
  axes().ids.insert(out.var.id());
  return out;
}

bool is_axis(const Var& var) {
  std::lock_guard lock(axes().mutex);
  return axes().ids.count(var.id()) > 0;
}

const Buffer& Tensor::buffer() const { return op->outputs.at(index); }

std::vector<IterVar> Operation::roots() const {
  std::vector<IterVar> out = axes;
  if (reduction) out.insert(out.end(), reduction->axes.begin(), reduction->axes.end());
  return out;
}

std::vector<Expr> Operation::expressions() const {
  std::vector<Expr> out = bodies;
  if (!reduction) return out;
  out.insert(out.end(), reduction->sources.begin(), reduction->sources.end());
  if (reduction->condition) out.push_back(reduction->condition);
  out.insert(out.end(), reduction->init.begin(), reduction->init.end());
  return out;
}

std::vector<Buffer> Operation::reads() const {
  std::vector<Buffer> out;
  for (const Expr& top : expressions()) {
    visit_expr(top, [&](const Expr& e) {
      if (e->op == Op::Load && std::find(out.begin(), out.end(), e->buffer()) == out.end()) out.push_back(e->buffer());
      return true;
    });
  }
  return out;
}

Tensor placeholder(std::vector<Expr> shape, DType type, const std::string& name) {
  Operation op{.name = name, .axes = {}, .outputs = {make_buffer(name, type, shape)}};
  for (size_t k = 0; k < shape.size(); ++k) {
    op.axes.push_back(make_axis("i" + std::to_string(k), {i32(0), shape[k]}, IterKind::Spatial));
  }
  return {registered(std::move(op)), 0};
}

std::vector<Tensor> compute(const std::string& name, std::vector<IterVar> axes, std::vector<Expr> bodies) {
  std::vector<DType> types;
  for (const Expr& e : bodies) types.push_back(e->dtype);
  return made({.name = name, .axes = std::move(axes), .bodies = std::move(bodies), .outputs = {}}, types);
}

std::vector<Tensor> compute(const std::string& name, std::vector<IterVar> axes, Reduction reduction) {
  std::vector<DType> types;
  for (const Expr& e : reduction.reducer->results) types.push_back(e->dtype);
  return made({.name = name, .axes = std::move(axes), .reduction = std::move(reduction), .outputs = {}}, types);
}

OperationRef operation_of(const Buffer& buffer) {
  std::lock_guard lock(registry().mutex);
  auto it = registry().by_buffer.find(buffer->id);
  return it == registry().by_buffer.end() ? nullptr : it->second;
}

std::vector<OperationRef> in_order(const std::vector<OperationRef>& ends) {
  std::vector<OperationRef> out;
  std::set<const Operation*> seen;
  auto visit = [&](const auto& self, const OperationRef& op) -> void {
    if (!seen.insert(op.get()).second) return;
    for (const Buffer& buffer : op->reads()) {
      if (OperationRef input = operation_of(buffer)) self(self, input);
    }
    out.push_back(op);
  };
  for (const OperationRef& op : ends) visit(visit, op);
  return out;
}

Expr with_buffers(const Expr& e, const std::map<Buffer, Buffer>& map) {
  return rewrite_expr(e, [&](const Expr& node) {
    if (node->op != Op::Load) return node;
    auto it = map.find(node->buffer());
    return it == map.end() ? node : load(it->second, node->args);
  });
}

OperationRef with_inputs(const Operation& op, const std::map<Buffer, Buffer>& map) {
  Operation out = op;
  for (Expr& e : out.bodies) e = with_buffers(e, map);
  if (out.reduction) {
    for (Expr& e : out.reduction->sources) e = with_buffers(e, map);
    for (Expr& e : out.reduction->init) e = with_buffers(e, map);
    if (out.reduction->condition) out.reduction->condition = with_buffers(out.reduction->condition, map);
  }
  return std::make_shared<const Operation>(std::move(out));
}

std::string identifier(const std::string& name) {
  std::string out;
  for (char c : name) out += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0]))) out.insert(0, "_");
  return out;
}

}  // namespace hexproof::te
