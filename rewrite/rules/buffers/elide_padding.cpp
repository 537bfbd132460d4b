// elide-padding {buffer: Buffer or name of an allocation, shape: list of Expr, map: IndexMap}
//
//   A = alloc_buffer((4, 4))      ->      A_backing = alloc_buffer((14,))
//   ... A[e] ...                          A = decl_buffer((4, 4), data=A_backing.data)
//                                         ... A[e] ...
//
// The padded buffer becomes a view of the un-padded one, flat: `shape` is that of the logical buffer, `map` its layout.
// The view is larger than its memory. An access through it is an error where it leaves the view or the memory
// (semantics: "Memory"), so its padding is there in the index space alone. Source: RFC 77, "Unresolved questions".
//
// Side conditions
//  1. The layout is a flat alias of the logical one: for each logical index i, the row-major offset of map(i) in the
//     view is that of i in the logical buffer, and map(i) lies in the view. So the memory holds the logical elements in
//     their order, and nothing else.
//  2. No access touches padding: under its guards, the offset of each load and store is less than the number of logical
//     elements. (It is in the view, because the program before is free of errors; what an assume names is proved to
//     be.)
//  3. The number of logical elements fits its type, and so does each offset. A memory of that size exists.
// The allocation has neither strides, an offset, nor axis separators, and no other view.
#include <algorithm>

#include "ir/visit.h"
#include "rewrite/memory/memory_needs.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"
#include "verify/access/footprint.h"

namespace hexproof {
namespace {

constexpr const char* kElidePadding = "elide-padding";

Expr in_type(DType type, const Expr& e) {
  if (e->dtype == type) return e;
  return as_int(e) && fits_type(type, int_value(e)) ? imm(type, int_value(e)) : cast(type, e);
}

/// The row-major offset, as index arithmetic whatever the indices depend on; `shape` and indices have one type.
Expr offset_of(const std::vector<Expr>& shape, const std::vector<Expr>& index, DType type) {
  Expr out;
  for (size_t d = 0; d < shape.size(); ++d) {
    Expr at = in_type(type, index[d]);
    out = out ? fold(binary(Op::Add, fold(binary(Op::Mul, out, shape[d], false)), at, false)) : at;
  }
  return out ? out : imm(type, 0);
}

std::vector<Expr> inside(const std::vector<Expr>& shape, const std::vector<Expr>& index, DType type) {
  std::vector<Expr> out;
  for (size_t d = 0; d < shape.size(); ++d) {
    Expr at = in_type(type, index[d]);
    out.push_back(le(zero(type), at));
    out.push_back(lt(at, shape[d]));
  }
  return out;
}

void demand_known_scalars(const PrimFunc& func, const std::vector<Expr>& shape) {
  std::vector<Var> scalars = func.scalars();
  for (const Expr& e : shape) {
    if (!is_repeatable(e) || !e->dtype.is_integer()) throw NotApplicable("an extent of the logical buffer is no index");
    for (const Var& v : free_vars(e)) {
      if (std::find(scalars.begin(), scalars.end(), v) == scalars.end()) {
        throw NotApplicable("an extent of the logical buffer depends on '" + v.name() + "'");
      }
    }
  }
}

Rewrite elide_padding(const PrimFunc& func, const ElidePaddingArgs& args) {
  BufferSource source = buffer_arg(func, args.buffer);
  const Buffer& view_before = source.buffer;
  if (source.param) {
    throw NotApplicable("'" + view_before->name + "' is an argument: its memory belongs to the caller");
  }
  demand_own_memory(func, view_before);
  demand_scalar_indices(func.body, view_before);
  if (!view_before->axis_separators.empty()) throw NotApplicable("'" + view_before->name + "' is not flat");
  const auto& logical = args.shape;
  const IndexMap& map = args.map;
  if (map.inputs.size() != logical.size() || map.outputs.size() != view_before->ndim() || view_before->ndim() == 0) {
    throw NotApplicable("the map leads from another box, or into another one");
  }
  demand_known_scalars(func, logical);
  DType type = view_before->shape[0]->dtype;
  std::vector<Expr> shape, wide = view_before->shape;
  for (const Expr& e : logical) shape.push_back(in_type(type, e));
  for (const Expr& e : wide) {
    if (e->dtype != type) throw NotApplicable("extents of different types");
  }
  Expr size = imm(type, 1);
  for (const Expr& e : shape) size = fold(size * e);

  const Path& alloc = *source.alloc;
  Stmt old = stmt_at(func, alloc), body = stmt_at(func, below(alloc, 0));
  Facts facts = facts_at(func, below(alloc, 0));
  Rewrite out{.after = func, .needs = {}};
  std::vector<Expr> given = facts.given();
  auto owe = [&](const std::string& why, const Stmt& where, const std::vector<Expr>& known, const Expr& goal) {
    out.needs.push_back(need(kElidePadding, why, func, where, known, goal));
  };

  owe("the number of elements fits its type", old, given, fits(size));
  Buffer backing =
      make_buffer(view_before->name + "_backing", view_before->dtype, {size}, {.scope = view_before->scope});
  owe_memory(kElidePadding, func, old, facts, backing, view_before, &out.needs);
  const auto [index, in_box] = cell_of_box(shape, "i", given);
  const std::vector<Expr> image = apply_map(map, index);
  for (const Expr& e : image) owe("the layout is no error", old, in_box, fits(e));
  for (const Expr& e : inside(wide, image, type)) owe("the layout leads into the view", old, in_box, e);
  owe("the offset of an element fits its type", old, in_box, fits(offset_of(wide, image, type)));
  owe("the offset of an element fits its type", old, in_box, fits(offset_of(shape, index, type)));
  owe("every element has the offset that it had", old, in_box,
      eq(offset_of(wide, image, type), offset_of(shape, index, type)));
  for (const Access& access : footprint(body, facts)) {
    if (!(access.buffer == view_before)) continue;
    std::vector<Expr> known = join(given, domain_of(access));
    for (const Expr& e : inside(wide, access.indices, type)) {
      if (access.stmt.as<Assume>()) owe("the index in the assume is in bounds", access.stmt, known, e);
      known.push_back(e);
    }
    Expr offset = offset_of(wide, access.indices, type);
    owe("the offset fits its type", access.stmt, known, fits(offset));
    owe("no access touches padding", access.stmt, known, lt(offset, size));
  }

  Buffer view =
      make_buffer(view_before->name, view_before->dtype, wide, {.scope = view_before->scope, .data = backing->data});
  Stmt changed = make_stmt(DeclBuffer{view, rename_buffer(body, view_before, view)}, old->span);
  out.after = replace_at(func, alloc, make_stmt(AllocBuffer{backing, changed}, old->span));
  return out;
}

}  // namespace

extern const Rule k_elide_padding{
    rule<elide_padding>("A = alloc(padded)  ->  A = a view of alloc(un-padded), where no access touches padding")};

}  // namespace hexproof
