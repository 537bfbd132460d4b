// Strides of arguments: distinct indices have distinct addresses. (Where they are constant, the program is ill formed
// else.)
#include <algorithm>

#include "verify/access/footprint.h"
#include "verify/check/check_item.h"
#include "verify/check/items/claims.h"
#include "verify/facts/memory_size.h"

namespace hexproof {

namespace {

/// The stride of each axis, in this order, is larger than the address of the last element of the axes behind it.
Expr nested(const BufferNode& b, const std::vector<size_t>& order) {
  std::vector<Expr> goals;
  Expr last = imm(kInt64, 0);
  for (size_t k = order.size(); k-- > 0;) {
    Expr stride = wide(b.strides[order[k]]), extent = wide(b.shape[order[k]]);
    goals.push_back(lt(last, stride));
    last = fold(last + fold(fold(extent - imm(kInt64, 1)) * stride));
  }
  return all(goals);
}

}  // namespace

void ask_layouts(CheckContext& context) {
  for (const Buffer& buffer : context.func.buffer_params()) {
    const BufferNode& b = *buffer;
    if (b.strides.empty()) continue;
    bool constant = true;
    for (const std::vector<Expr>* parts : {&b.shape, &b.strides}) {
      for (const Expr& e : *parts) constant = constant && as_int(e);
    }
    if (constant) continue;
    const Place where{context.func.name, "the argument " + b.name, context.func.span};
    const std::string why = "distinct indices of the argument " + b.name + " have distinct addresses";
    std::vector<Expr> known = entry_facts(context.func).given(), nonempty = known;
    for (const Expr& n : b.shape) nonempty.push_back(ge(n, imm(n->dtype, 1)));
    // Two elements of one address, where axes are not seen to lie inside of each other.
    std::vector<Expr> two = known, i, j, same;
    for (const Expr& n : b.shape) {
      for (std::vector<Expr>* index : {&i, &j}) {
        Var v = Var::fresh(index == &i ? "i" : "j", n->dtype);
        index->emplace_back(v);
        two.push_back(le(zero(n->dtype), Expr(v)));
        two.push_back(lt(Expr(v), n));
      }
      same.push_back(eq(i.back(), j.back()));
    }
    const BufferLayout layout = layout_of(buffer);
    two.push_back(eq(flat_address(layout, i, kInt64), flat_address(layout, j, kInt64)));
    CheckItem elements{.obligation = {"check-layout", why, where, two, all(same)}, .path = {}};
    elements.demonstration = demonstration(context.func, two, all(same));
    // Row-major is likely, then column-major; constants tell the order.
    std::vector<size_t> order(b.ndim());
    for (size_t d = 0; d < order.size(); ++d) order[d] = d;
    auto stride = [&](size_t d) { return as_int(b.strides[d]) ? int_value(b.strides[d]) : Wide{0}; };
    std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) { return stride(x) > stride(y); });
    bool known_order = std::all_of(b.strides.begin(), b.strides.end(), [](const Expr& e) { return as_int(e); });
    if (!known_order) {
      for (size_t d = 0; d < order.size(); ++d) order[d] = d;
    }
    CheckItem rows{.obligation = {"check-layout", why, where, nonempty, nested(b, order)}, .path = {}};
    std::reverse(order.begin(), order.end());
    CheckItem columns{.obligation = {"check-layout", why, where, nonempty, nested(b, order)}, .path = {}};
    columns.instead = {std::move(elements)};
    rows.instead = {std::move(columns)};
    context.questions.push_back(std::move(rows));
  }
}

}  // namespace hexproof
