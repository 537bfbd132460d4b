// Parameters of several physical axes (RFC 39): which a target supports, and the tables of rows by which Hexagon has
// two.
//
// A table holds one pointer for each index of the first group of axes, row-major; behind it lie the cells of the second
// group, row-major. The contract of its caller: nobody writes the table while the kernel runs, each row stands at a
// multiple of kParameterAlignment bytes and holds all its cells, and rows overlap nothing else.
#pragma once
#include "backend/kernel.h"

namespace hexproof {

/// Unsupported, at its place: a parameter of more physical axes than the target supports (the host: one; Hexagon: two);
/// one of two that has strides, an offset, or a separator behind all its axes; an access to its memory through a view
/// whose rows are of another size.
void demand_physical_axes(const PrimFunc& func, Target target);

/// Is the parameter passed as a table of rows?
inline bool is_row_table(const Buffer& param) { return param->axis_separators.size() == 1; }
/// Is the buffer a parameter that is passed so, or a view of one, with its rows?
bool in_rows(const PrimFunc& func, const Buffer& buffer);

/// How many axes stand before the separator: those whose indices pick the row.
inline size_t axes_of_table(const Buffer& buffer) { return static_cast<size_t>(buffer->axis_separators.at(0)); }
/// The extents of both groups.
struct RowAxes {
  std::vector<Expr> table, row;
};
RowAxes row_axes(const Buffer& buffer);
/// How many rows there are, and the bytes of each: int64 expressions over the variables of the shape.
Expr number_of_rows(const Buffer& buffer);
Expr bytes_of_row(const Buffer& buffer);
/// "a table of rows: a pointer for each index of (4, 4), to the elements of (8,)".
std::string text_of_table(const Buffer& buffer);

}  // namespace hexproof
