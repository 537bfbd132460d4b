// What IndexMap of tools/python/support/ asks of index maps of boxes of numbers; nothing is said that is not proved.
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/layout/box.h"
#include "rewrite/layout/inverse_map.h"
#include "tools/python/tensors.h"
#include "verify/prove/prover.h"

namespace hexproof::python {
namespace {

using Ranges = std::vector<std::pair<int64_t, int64_t>>;  // first and extent

IndexMap map_of(const py::object& function, size_t rank) {
  const Span span = written().span;
  const IndexMap map = calls::index_map(to_value(function, span), span, rank);
  if (map.inputs.size() != rank) {
    throw Misuse("the index map takes " + std::to_string(map.inputs.size()) + " indices, and the box has " +
                 std::to_string(rank));
  }
  return map;
}

Ranges box_of(const std::vector<int64_t>& shape) {
  Ranges out;
  for (int64_t n : shape) out.emplace_back(0, n);
  return out;
}

/// Each variable lies in its range.
std::vector<Expr> inside(const std::vector<Var>& vars, const Ranges& ranges) {
  std::vector<Expr> out;
  for (size_t k = 0; k < vars.size(); ++k) {
    const auto [first, extent] = ranges[k];
    if (extent <= 0 || !fits_type(kInt32, first) || !fits_type(kInt32, extent) || !fits_type(kInt32, first + extent)) {
      throw Misuse("the extent " + std::to_string(extent) + " from " + std::to_string(first) + " on is none");
    }
    out.push_back(land(le(i32(first), Expr(vars[k])), lt(Expr(vars[k]), i32(first + extent))));
  }
  return out;
}

Verdict proved(const std::string& why, const std::vector<Expr>& given, const Expr& goal) {
  py::gil_scoped_release others_may_run;
  return Prover().prove(Obligation{"index-map", why, {}, given, goal}).verdict;
}

/// First and extent of each output; its first and last value are ones that it takes.
Ranges map_ranges(const py::object& function, const Ranges& ranges) {
  const IndexMap map = map_of(function, ranges.size());
  const std::vector<Expr> given = inside(map.inputs, ranges);
  VarMap moved;
  std::vector<int64_t> shape;
  for (size_t k = 0; k < ranges.size(); ++k) {
    moved[map.inputs[k]] = map.inputs[k] + i32(ranges[k].first);
    shape.push_back(ranges[k].second);
  }
  Ranges out;
  for (const Expr& e : map.outputs) {
    const Expr from_zero = substitute(e, moved);
    int64_t ends[2];
    for (const bool greatest : {false, true}) {
      const auto at = extreme_index(from_zero, map.inputs, shape, greatest, std::vector<bool>(shape.size(), false));
      const auto value = at ? value_of(from_zero, map.inputs, *at) : std::nullopt;
      if (!value) throw Misuse("'" + print(e) + "' has no value somewhere", "", "UnsupportedError");
      ends[greatest ? 1 : 0] = *value;
    }
    const Expr goal = land(le(i32(ends[0]), e), le(e, i32(ends[1])));
    if (proved("the output lies between its ends", given, goal) != Verdict::Proved) {
      throw Misuse("the ends of '" + print(e) + "' were not found", "", "UnsupportedError");
    }
    out.emplace_back(ends[0], ends[1] - ends[0] + 1);
  }
  return out;
}

/// The inverse as text; and which cells of the new box hold no logical index, as text, empty when all do.
py::tuple inverse(const py::object& function, const std::vector<int64_t>& shape) {
  const IndexMap map = map_of(function, shape.size());
  const std::vector<Expr> given = inside(map.inputs, box_of(shape));
  std::vector<Expr> extents;
  for (int64_t n : shape) extents.push_back(i32(n));
  const auto [layout, fault] = layout_of(map, extents);
  if (!layout || !layout->inverse) {
    const std::string collision = layout_fault(map, shape, {});
    if (!collision.empty()) throw Misuse("not invertible: " + collision);
    throw Misuse("no inverse was found" + (fault.empty() ? "" : ": " + fault), "", "UnsupportedError");
  }
  const std::vector<Expr> back = layout->inverse->apply(map.outputs);
  for (size_t k = 0; k < back.size(); ++k) {
    const Verdict verdict = proved("the inverse leads back", given, eq(back[k], Expr(map.inputs[k])));
    if (verdict == Verdict::Proved) continue;
    const std::string collision = layout_fault(map, shape, {});
    if (!collision.empty()) throw Misuse("not invertible: " + collision);
    throw Misuse("the inverse is not proved", "", "UnsupportedError");
  }
  Ranges box;
  for (const Expr& e : layout->shape) {
    const int64_t* n = as_int(e);
    if (!n) throw Misuse("the new box is no box of numbers", "", "UnsupportedError");
    box.emplace_back(0, *n);
  }
  // By an inverse that leads back: a cell holds an index when its own leads to it.
  const Expr image = image_by(map, *layout->inverse, extents);
  const std::vector<Expr> cells = inside(layout->inverse->inputs, box);
  std::string padding;
  const Verdict onto = proved("every cell holds a logical index", cells, image);
  if (onto == Verdict::Unknown) {
    throw Misuse("whether every cell holds an index is not decided", "", "UnsupportedError");
  }
  if (onto != Verdict::Proved) {
    Expr predicate = lnot(image);
    const Expr shorter = layout->in_image;
    if (shorter && proved("the shorter predicate", cells, land(lor(lnot(shorter), image), lor(shorter, lnot(image)))) ==
                       Verdict::Proved) {
      predicate = hexproof::negated(shorter);
    }
    padding = print(IndexMap{layout->inverse->inputs, {predicate}, {}});
  }
  return py::make_tuple(print(*layout->inverse), padding);
}

}  // namespace

void define_index_maps(py::module_& native) {
  native.def("map_ranges", &map_ranges);
  native.def("inverse_map", &inverse);
}

}  // namespace hexproof::python
