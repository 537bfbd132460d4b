#include "backend/row_tables.h"

#include <algorithm>

#include "backend/workspace.h"
#include "ir/base/diagnostic.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

bool starts_compact(const Buffer& b) { return b->strides.empty() && !b->elem_offset; }

constexpr Wide kMostRows = 1 << 16;  // a run's program holds a pointer for each

/// Each row of the view is a row of the parameter.
bool has_the_rows_of(const Buffer& param, const Buffer& view) {
  if (!is_row_table(view) || !starts_compact(view) || axes_of_table(view) >= view->ndim()) return false;
  Expr have = bytes_of_row(param), want = bytes_of_row(view);
  if (have == want) return true;
  std::optional<Wide> bytes = value_of(have), other = value_of(want);
  return bytes && other && *bytes == *other;
}

void demand_rank(const PrimFunc& func, const Buffer& b, Target target) {
  const size_t axes = b->axis_separators.size() + 1, most = target == Target::Hexagon ? 2 : 1;
  const std::string argument = "the argument '" + b->name + "'";
  if (axes > most) {
    throw Unsupported(func.span,
                      argument + " has " + std::to_string(axes) + " physical axes (axis separators), and " +
                          (most == 2 ? "Hexagon supports two, a table of rows" : "the host supports one, flat memory"),
                      most == 2 ? "set_axis_separator(block, buffer, [axis]) leaves two, and [] makes it flat"
                                : "set_axis_separator(block, buffer, []) makes it flat");
  }
  if (axes == 1) return;
  if (!starts_compact(b)) {
    throw Unsupported(func.span,
                      argument +
                          " has two physical axes (axis separators), and strides or an offset besides: where "
                          "its rows are, their pointers say");
  }
  if (axes_of_table(b) >= b->ndim()) {
    throw Unsupported(func.span, "no axis of " + argument + " stands behind its axis separator, so its rows have none",
                      "set_axis_separator(block, buffer, [axis]) puts it between two axes, and [] takes it away");
  }
  Wide rows = 1;
  for (size_t k = 0; k < axes_of_table(b) && rows <= kMostRows; ++k) {
    if (const int64_t* extent = as_int(b->shape[k])) rows *= std::max<int64_t>(*extent, 1);
  }
  if (rows > kMostRows) {
    throw Unsupported(
        func.span,
        argument + " has more than " + std::to_string(static_cast<int64_t>(kMostRows)) + " rows, each with a pointer",
        "set_axis_separator(block, buffer, [axis]) of an axis further in front makes longer rows");
  }
}

}  // namespace

void demand_physical_axes(const PrimFunc& func, Target target) {
  std::map<Var, Buffer> tables;
  for (const Buffer& b : func.buffer_params()) {
    demand_rank(func, b, target);
    if (is_row_table(b)) tables.emplace(b->data, b);
  }
  if (tables.empty() || !func.body) return;
  visit_stmt(func.body, [&](const Stmt& s) {
    auto demand = [&](const Buffer& view) {
      auto it = tables.find(view->data);
      if (it == tables.end() || has_the_rows_of(it->second, view)) return;
      throw Unsupported(s->span ? s->span : func.span,
                        "'" + view->name + "' is a view of the argument '" + it->second->name +
                            "', which has two physical axes (axis separators), and its rows are not those of the "
                            "argument",
                        "give the view two physical axes, of as many bytes in a row, without strides and offset; or "
                        "make the argument flat: set_axis_separator(block, buffer, [])");
    };
    if (const Store* store = s.as<Store>()) demand(store->buffer);
    for (const Expr& e : expressions(s)) {
      visit_expr(e, [&](const Expr& x) {
        if (x->op == Op::Load) demand(x->buffer());
        return true;
      });
    }
    return true;
  });
}

bool in_rows(const PrimFunc& func, const Buffer& buffer) {
  const std::vector<Buffer> params = func.buffer_params();
  return std::any_of(params.begin(), params.end(), [&](const Buffer& b) {
    return is_row_table(b) && b->data == buffer->data && has_the_rows_of(b, buffer);
  });
}

RowAxes row_axes(const Buffer& buffer) {
  auto separator = buffer->shape.begin() + static_cast<std::ptrdiff_t>(axes_of_table(buffer));
  return {{buffer->shape.begin(), separator}, {separator, buffer->shape.end()}};
}
// (As many as bytes in cells of one byte.)
Expr number_of_rows(const Buffer& buffer) { return bytes_of(kBool, row_axes(buffer).table); }
Expr bytes_of_row(const Buffer& buffer) { return bytes_of(buffer->dtype, row_axes(buffer).row); }

}  // namespace hexproof
