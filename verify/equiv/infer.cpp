#include "verify/equiv/infer.h"

#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

/// Merges neighbouring axes of `fine` so that the products are the extents of `coarse`; gives for each axis of `coarse`
/// how many axes of `fine` it takes. Axes of extent one go with their left neighbour. Nothing when they do not fit.
std::optional<std::vector<size_t>> group_axes(const std::vector<int64_t>& fine, const std::vector<int64_t>& coarse) {
  std::vector<size_t> groups;
  size_t at = 0;
  for (int64_t extent : coarse) {
    Wide product = 1;
    size_t count = 0;
    while (at < fine.size() && product * fine[at] <= extent && (count == 0 || product < extent || fine[at] == 1)) {
      product *= fine[at++];
      ++count;
    }
    if (product != extent || count == 0) return std::nullopt;
    groups.push_back(count);
  }
  if (at != fine.size()) return std::nullopt;
  return groups;
}

std::vector<Var> index_vars(size_t count) {
  std::vector<Var> out;
  for (size_t d = 0; d < count; ++d) out.push_back(Var::fresh("i" + std::to_string(d), kInt32));
  return out;
}

IndexMap flattening(const std::vector<int64_t>& shape, const std::vector<size_t>& groups) {
  IndexMap map{.inputs = index_vars(shape.size()), .outputs = {}, .axis_separators = {}};
  size_t at = 0;
  for (size_t count : groups) {
    Expr flat = map.inputs[at++];
    for (size_t k = 1; k < count; ++k, ++at) flat = flat * i32(shape[at]) + map.inputs[at];
    map.outputs.push_back(flat);
  }
  return map;
}

IndexMap unflattening(const std::vector<int64_t>& shape, const std::vector<size_t>& groups) {
  IndexMap map{.inputs = index_vars(groups.size()), .outputs = {}, .axis_separators = {}};
  size_t at = 0;
  for (size_t g = 0; g < groups.size(); ++g) {
    int64_t below = 1;
    for (size_t k = 1; k < groups[g]; ++k) below *= shape[at + k];
    for (size_t k = 0; k < groups[g]; ++k, ++at) {
      Expr digit = map.inputs[g];
      if (below != 1) digit = floordiv(digit, i32(below));
      if (k > 0) digit = floormod(digit, i32(shape[at]));
      map.outputs.push_back(digit);
      if (k + 1 < groups[g]) below /= shape[at + 1];
    }
  }
  return map;
}

/// The largest value of an expression that grows with each of its variables.
std::optional<Expr> largest(const Expr& e, const VarMap& corner) {
  if (as_int(e)) return e;
  if (e->op == Op::Var) return corner.at(e->var());
  if (e->args.size() != 2) return std::nullopt;
  const int64_t* c = as_int(e->args[1]);
  if (e->op == Op::FloorMod && c && *c > 0) return imm(e->dtype, *c - 1);
  auto left = largest(e->args[0], corner), right = largest(e->args[1], corner);
  if (!left || !right) return std::nullopt;
  bool left_is_factor = as_int(e->args[0]) && *as_int(e->args[0]) >= 0;
  if (e->op == Op::Add) return *left + *right;
  if (e->op == Op::Sub && c) return *left - *right;
  if (e->op == Op::Mul && ((c && *c >= 0) || left_is_factor)) return *left * *right;
  if (e->op == Op::FloorDiv && c && *c > 0) return floordiv(*left, *right);
  return std::nullopt;
}

}  // namespace

std::optional<IndexMap> infer_layout(const Buffer& before, const Buffer& after) {
  const std::optional<std::vector<int64_t>> from_shape = constant_shape(before), to_shape = constant_shape(after);
  if (!from_shape || !to_shape) return std::nullopt;
  const std::vector<int64_t>&from = *from_shape, &to = *to_shape;
  if (from.size() > to.size()) {
    if (auto groups = group_axes(from, to)) return flattening(from, *groups);
  } else if (from.size() < to.size()) {
    if (auto groups = group_axes(to, from)) return unflattening(to, *groups);
  }
  return std::nullopt;
}

std::vector<std::optional<Expr>> extents_of_image(const IndexMap& map, const std::vector<Expr>& shape) {
  VarMap corner;
  for (size_t d = 0; d < map.inputs.size(); ++d) {
    const Expr& extent = shape.at(d);
    DType type = map.inputs[d].dtype();
    corner.emplace(map.inputs[d], extent->dtype == type ? extent - imm(type, 1) : cast(type, extent) - imm(type, 1));
  }
  std::vector<std::optional<Expr>> out;
  for (const Expr& e : map.outputs) {
    if (e->op == Op::Var) {  // carried over as it is
      out.emplace_back(shape.at(0));
      for (size_t d = 0; d < map.inputs.size(); ++d) {
        if (map.inputs[d] == e->var()) out.back() = shape[d];
      }
      continue;
    }
    std::optional<Expr> most = largest(e, corner);
    out.push_back(most ? std::optional<Expr>(*most + imm((*most)->dtype, 1)) : std::nullopt);
  }
  return out;
}

}  // namespace hexproof
