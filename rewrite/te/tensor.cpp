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
  return outputs_of(register_operation(std::move(op)));
}

struct Axes {
  std::mutex mutex;
  std::set<uint32_t> ids;
};
Axes& axes() {
  static auto* all = new Axes;
  return *all;
}

/// A reducer speaks of its operands alone, so that no operation evaluates more than its own expressions.
void demand_fitting(const std::string& name, const Reduction& r) {
  const Reducer& of = *r.reducer;
  const size_t n = of.results.size();
  if (n == 0 || of.lhs.size() != n || of.rhs.size() != n || r.sources.size() != n || r.init.size() != n) {
    throw std::invalid_argument("the reduction of '" + name + "' has " + std::to_string(r.sources.size()) +
                                " values, and its reducer combines " + std::to_string(n));
  }
  std::set<Var> operands(of.lhs.begin(), of.lhs.end());
  operands.insert(of.rhs.begin(), of.rhs.end());
  for (size_t k = 0; k < n; ++k) {
    const DType type = of.results[k]->dtype;
    for (const DType other : {of.lhs[k].dtype(), of.rhs[k].dtype(), r.sources[k]->dtype, r.init[k]->dtype}) {
      if (other == type) continue;
      throw std::invalid_argument("the reduction of '" + name + "' combines " + type.str() + " and " + other.str());
    }
    bool closed = true;
    visit_expr(of.results[k], [&](const Expr& e) {
      closed = closed && e->op != Op::Load && (e->op != Op::Var || operands.count(e->var()) > 0);
      return closed;
    });
    if (!closed) throw std::invalid_argument("the reducer '" + of.name + "' speaks of more than its operands");
  }
  if (r.condition && !(r.condition->dtype == kBool)) {
    throw std::invalid_argument("the condition of '" + name + "' is " + r.condition->dtype.str() + ", not bool");
  }
}

/// A domain is known before anything is computed.
void demand_size(const std::string& axis, const Expr& e) {
  visit_expr(e, [&](const Expr& node) {
    if (node->op == Op::Load) {
      throw std::invalid_argument("the axis '" + axis + "' runs over what '" + node->buffer()->name +
                                  "' holds: an axis runs over constants and sizes");
    }
    if (node->op == Op::Var && is_axis(node->var())) {
      throw std::invalid_argument("the axis '" + axis + "' runs over what depends on the axis '" + node->var().name() +
                                  "': an axis runs over constants and sizes; 'where' leaves out parts of a reduction");
    }
    return true;
  });
}

}  // namespace

IterVar make_axis(const std::string& name, Range dom, IterKind kind, const std::string& tag) {
  for (const Expr& e : {dom.min, dom.extent}) {
    if (e) demand_size(name, e);
  }
  if (dom.min && dom.extent && !(dom.min->dtype == dom.extent->dtype)) {
    throw std::invalid_argument("the axis '" + name + "' starts at " + dom.min->dtype.str() +
                                ", and has an extent of " + dom.extent->dtype.str());
  }
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

OperationRef register_operation(Operation op) {
  auto out = std::make_shared<const Operation>(std::move(op));
  std::lock_guard lock(registry().mutex);
  for (const Buffer& buffer : out->outputs) registry().by_buffer[buffer->id] = out;
  return out;
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
  for (const Expr& e : reduction->sources) {
    out.push_back(reduction->condition ? if_then_else(reduction->condition, e, zero(e->dtype)) : e);
  }
  out.insert(out.end(), reduction->init.begin(), reduction->init.end());
  return out;
}

Operation Operation::with(const std::function<Expr(const Expr&)>& f) const {
  Operation out = *this;
  for (Expr& e : out.bodies) e = f(e);
  if (!out.reduction) return out;
  for (Expr& e : out.reduction->sources) e = f(e);
  for (Expr& e : out.reduction->init) e = f(e);
  if (out.reduction->condition) out.reduction->condition = f(out.reduction->condition);
  return out;
}

std::vector<Buffer> Operation::reads() const {
  std::vector<Buffer> out;
  if (scan) {
    for (const Tensor& t : scan->init) out.push_back(t.buffer());
    for (const Tensor& t : scan->update) out.push_back(t.buffer());
  }
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
    op.axes.push_back(make_axis("i" + std::to_string(k), {zero(shape[k]->dtype), shape[k]}, IterKind::Spatial));
  }
  return {register_operation(std::move(op)), 0};
}

std::vector<Tensor> compute(const std::string& name, std::vector<IterVar> axes, std::vector<Expr> bodies,
                            const Span& written) {
  std::vector<DType> types;
  for (const Expr& e : bodies) types.push_back(e->dtype);
  return made({.name = name, .axes = std::move(axes), .bodies = std::move(bodies), .outputs = {}, .written = written},
              types);
}

std::vector<Tensor> compute(const std::string& name, std::vector<IterVar> axes, Reduction reduction,
                            const Span& written) {
  if (reduction.init.empty()) reduction.init = reduction.reducer->identity;
  demand_fitting(name, reduction);
  std::vector<DType> types;
  for (const Expr& e : reduction.reducer->results) types.push_back(e->dtype);
  return made(
      {.name = name, .axes = std::move(axes), .reduction = std::move(reduction), .outputs = {}, .written = written},
      types);
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
  return std::make_shared<const Operation>(op.with([&](const Expr& e) { return with_buffers(e, map); }));
}

std::string identifier(const std::string& name) {
  std::string out;
  for (char c : name) out += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0]))) out.insert(0, "_");
  return out;
}

}  // namespace hexproof::te
