#include "rewrite/intrinsics/user_description.h"

#include <algorithm>
#include <set>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/intrinsics/linear_step.h"

namespace hexproof {
namespace {

/// Does each index move by constant steps with each loop?
bool moves_by_steps(const std::vector<Expr>& indices, const std::vector<For>& loops, const VarMap& bound) {
  for (const Expr& index : indices) {
    const Expr put = substitute(index, bound);
    for (const For& l : loops) {
      if (!linear_step(put, l.var)) return false;
    }
  }
  return true;
}

std::string fault_of(const PrimFunc& func, const Stmt& body) {
  std::vector<For> loops;
  Stmt here = body;
  for (const For* f = here.as<For>(); f; f = here.as<For>()) {
    const int64_t* extent = as_int(f->extent);
    if (!extent || *extent < 1 || !is_int(f->min, 0) || f->kind != ForKind::Serial) {
      return "its loop over '" + f->var.name() + "' is not one from 0 to a constant";
    }
    loops.push_back(*f);
    here = f->body;
  }
  if (loops.empty()) return "it is no nest of loops";
  VarMap bound;
  if (const Block* block = here.as<Block>()) {
    if (block->init || block->predicate) return "its block has an init or a condition";
    for (const IterVar& iter : block->iters) bound.emplace(iter.var, iter.binding);
    here = block->body;
  }
  const Store* store = here.as<Store>();
  if (!store || !store->value->dtype.is_scalar()) return "in its loops stands something else than one store";
  if (!func.scalars().empty() || func.buffer_params().size() != func.params.size()) {
    return "it has parameters that are no buffers of constant shapes";
  }
  std::set<Buffer> used{store->buffer};
  bool steps = true;
  auto look = [&](const std::vector<Expr>& indices) {
    steps &= moves_by_steps(indices, loops, bound) &&
             std::none_of(indices.begin(), indices.end(), [](const Expr& e) { return is_data(e); });
  };
  look(store->indices);
  visit_expr(store->value, [&](const Expr& e) {
    if (e->op == Op::Load) used.insert(e->buffer()), look(e->args);
    return true;
  });
  if (!steps) return "an operand does not move by constant steps with its loops";
  for (const Buffer& buffer : func.buffer_params()) {
    if (!buffer->strides.empty() || !constant_shape(buffer)) {
      return "the operand '" + buffer->name + "' has no shape of constants";
    }
    if (used.erase(buffer) == 0) return "the operand '" + buffer->name + "' is not used";
  }
  return used.empty() ? "" : "'" + (*used.begin())->name + "' is no operand";
}

}  // namespace

std::variant<PrimFunc, std::string> user_description(const std::string& text) {
  PrimFunc func;
  try {
    func = pick_function(parse_module(text, "description"), "");
  } catch (const std::runtime_error& e) {
    return std::string(e.what());
  }
  for (const Block* root = func.body.as<Block>(); root; root = func.body.as<Block>()) {
    if (!root->iters.empty() || root->init || root->predicate) break;
    func.body = Stmt(root->body);
  }
  if (std::string fault = fault_of(func, func.body); !fault.empty()) return fault;
  Buffer written;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Store* store = s.as<Store>()) written = store->buffer;
    return true;
  });
  std::stable_partition(func.params.begin(), func.params.end(), [&](const Param& p) { return p.buffer == written; });
  return func;
}

}  // namespace hexproof
