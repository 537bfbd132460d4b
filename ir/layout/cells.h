// A change of layout, cell by cell.
#pragma once
#include <string>
#include <vector>

#include "ir/interpreter/interpreter.h"
#include "ir/layout/index_map.h"

namespace hexproof {

/// The indices of element number `flat`, row-major.
std::vector<int64_t> index_of(int64_t flat, const std::vector<int64_t>& shape);

/// For each cell of the box `to` the cell of the box `from` that the map sends there, -1 for padding; by running the
/// map as a program, so that maps have one meaning only. Error, which names the buffer, when the map leaves the box or
/// sends two cells to one place.
std::vector<int64_t> cell_origins(const std::string& name, const IndexMap& map, const std::vector<int64_t>& from,
                                  const std::vector<int64_t>& to);

/// to[at] = from[origin], and whether it is initialised.
void copy_cell(Tensor& to, int64_t at, const Tensor& from, int64_t origin);

}  // namespace hexproof
