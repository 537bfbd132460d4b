#include "ir/function.h"

#include <set>

#include "ir/index_map.h"
#include "ir/visit.h"

namespace hexproof {

std::vector<Buffer> PrimFunc::buffer_params() const {
  std::vector<Buffer> out;
  for (const Param& p : params) {
    if (p.buffer) out.push_back(p.buffer);
  }
  return out;
}

std::vector<Var> PrimFunc::scalars() const {
  std::vector<Var> out;
  std::set<Var> seen;
  auto add = [&](const Var& v) {
    if (seen.insert(v).second) out.push_back(v);
  };
  for (const Param& p : params) {
    if (!p.buffer) add(p.var);
  }
  for (const Buffer& b : buffer_params()) {
    std::vector<Expr> parts = b->shape;
    parts.insert(parts.end(), b->strides.begin(), b->strides.end());
    if (b->elem_offset) parts.push_back(b->elem_offset);
    for (const Expr& part : parts) {
      visit_expr(part, [&](const Expr& e) {
        if (e->op == Op::Var) add(e->var());
        return true;
      });
    }
  }
  return out;
}

std::vector<Expr> IndexMap::apply(const std::vector<Expr>& indices) const {
  VarMap map;
  for (size_t i = 0; i < inputs.size(); ++i) map.emplace(inputs[i], indices.at(i));
  std::vector<Expr> out;
  for (const Expr& e : outputs) out.push_back(substitute(e, map));
  return out;
}

}  // namespace hexproof
