#include "ir/layout/cells.h"

#include <cstring>

#include "ir/visit.h"

namespace hexproof {

std::vector<int64_t> cell_origins(const std::string& name, const IndexMap& map, const std::vector<int64_t>& from,
                                  const std::vector<int64_t>& to) {
  std::vector<Expr> to_shape;
  for (int64_t extent : to) to_shape.push_back(imm(kInt64, extent));
  Buffer packed = make_buffer("packed", kInt64, to_shape);
  VarMap renamed;
  std::vector<Var> vars;
  Expr flat = imm(kInt64, 0);
  for (size_t d = 0; d < from.size(); ++d) {
    vars.push_back(Var::fresh(map.inputs[d].name(), map.inputs[d].dtype()));
    renamed.emplace(map.inputs[d], Expr(vars[d]));
    flat = flat * imm(kInt64, from[d]) + (vars[d].dtype() == kInt64 ? Expr(vars[d]) : cast(kInt64, vars[d]));
  }
  std::vector<Expr> indices;
  for (const Expr& e : map.outputs) indices.push_back(substitute(e, renamed));
  Stmt body = make_stmt(Store{packed, indices, flat});
  for (size_t d = vars.size(); d-- > 0;) {
    DType type = vars[d].dtype();
    body = make_stmt(For{vars[d], zero(type), imm(type, from[d]), ForKind::Serial, body});
  }
  PrimFunc func;
  func.name = "origins";
  func.params = {{Var::fresh("packed", kHandle), packed}};
  func.body = body;
  std::vector<Tensor> tensors = {make_tensor(kInt64, to)};
  std::vector<int64_t> out(static_cast<size_t>(tensors[0].size()), -1);
  if (!out.empty()) std::memcpy(tensors[0].data.data(), out.data(), out.size() * sizeof(int64_t));
  RunResult result = run(func, tensors);
  if (result.error) throw Error("the layout of " + name + " does not fit: " + result.error->message);
  if (!out.empty()) std::memcpy(out.data(), tensors[0].data.data(), out.size() * sizeof(int64_t));
  Wide cells = 1, used = 0;
  for (int64_t extent : from) cells *= extent;
  for (int64_t cell : out) used += cell >= 0 ? 1 : 0;
  if (used != cells) {
    throw Error("the layout of " + name + " sends several indices to one place: " + to_string(cells) + " cells go to " +
                to_string(used));
  }
  return out;
}

std::vector<int64_t> index_of(int64_t flat, const std::vector<int64_t>& shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0; flat /= std::max<int64_t>(shape[d], 1)) {
    index[d] = flat % std::max<int64_t>(shape[d], 1);
  }
  return index;
}

void copy_cell(Tensor& to, int64_t at, const Tensor& from, int64_t origin) {
  size_t width = static_cast<size_t>(to.dtype.bytes());
  std::memcpy(to.data.data() + static_cast<size_t>(at) * width, from.data.data() + static_cast<size_t>(origin) * width,
              width);
  to.initialised[static_cast<size_t>(at)] =
      from.initialised.empty() ? 1 : from.initialised[static_cast<size_t>(origin)];
}

}  // namespace hexproof
