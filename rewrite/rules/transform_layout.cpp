// transform-layout {buffer: Buffer or name, map: IndexMap, inverse: IndexMap (optional)}
//
//   A[i]  ->  A'[map(i)]        at every load and store; A' has the smallest box that holds the image
//
// `buffer` is a parameter or an allocation whose name is unique. `map` takes one int32 variable per dimension; its
// axis separators (positions among the outputs) become those of A'. A parameter's layout is part of the function's
// interface: the step records the change. An inverse is found for maps that rearrange digits, such as
// `lambda n, c: [n, c // 32, c % 32]` and `lambda i, j, k: [i * 64 + j, k // 4, k % 4]`; for others it may be given.
//
// Side conditions (only maps without padding; with symbolic extents, only dimensions that are carried over)
//  1. For every logical index in the box of A, computing the map is no error, and the image is in the box of A'.
//  2. The map is injective: the inverse brings every logical index back. Without an inverse: two logical indices
//     with one image are equal.
//  3. The map is onto, so that there is no padding and the box is the smallest one: every cell of A' is the image of
//     its inverse, which is a logical index. Without an inverse: the boxes have equally many cells (then injective
//     is onto).
//  4. An index in an `assume` may be out of bounds where it does not matter; under the map it would name another
//     cell. So indices in assumes are proved to be in bounds.
// Every other index is in the box because the program before is free of errors. Strided buffers, views of the same
// memory and vector accesses are refused.
#include <algorithm>

#include "ir/text.h"
#include "ir/visit.h"
#include "rewrite/buffers.h"
#include "rewrite/find.h"
#include "rewrite/inverse_map.h"

namespace hexproof {
namespace {

constexpr const char* kRule = "transform-layout";

void demand_fitting_map(const IndexMap& map, const Buffer& buffer) {
  if (map.inputs.size() != buffer->ndim()) {
    throw NotApplicable("the map takes " + std::to_string(map.inputs.size()) + " indices, but '" + buffer->name +
                        "' has " + std::to_string(buffer->ndim()));
  }
  if (map.outputs.empty()) throw NotApplicable("the map has no outputs");
  for (const Var& v : map.inputs) {
    if (v.dtype() != kInt32) throw NotApplicable("the inputs of a map are int32");
  }
  for (const Expr& e : map.outputs) {
    visit_expr(e, [&](const Expr& node) {
      bool known = node->op == Op::Var || node->op == Op::IntImm || (node->op >= Op::Add && node->op <= Op::Max);
      if (node->dtype != kInt32 || !known || node->op == Op::Div) {
        throw NotApplicable("output " + print(e) + " of the map is no int32 arithmetic over its inputs");
      }
      return true;
    });
    for (const Var& v : free_vars(e)) {
      if (std::find(map.inputs.begin(), map.inputs.end(), v) == map.inputs.end()) {
        throw NotApplicable("output " + print(e) + " of the map uses '" + v.name() + "', which is no input");
      }
    }
  }
  int last = 0;
  for (int s : map.axis_separators) {
    if (s <= last || s >= static_cast<int>(map.outputs.size()))
      throw NotApplicable("an axis separator is out of place");
    last = s;
  }
}

struct Question {
  std::vector<Obligation>* needs;
  Place where;
  void owe(const std::string& why, const std::vector<Expr>& given, const Expr& goal) const {
    needs->push_back({kRule, why, where, given, goal});
  }
};

/// 0 <= index < extent, one goal each.
void owe_in_box(const Question& q, const std::string& why, const std::vector<Expr>& given,
                const std::vector<Expr>& index, const std::vector<Expr>& shape) {
  for (size_t d = 0; d < index.size(); ++d) {
    q.owe(why, given, le(zero(index[d]->dtype), index[d]));
    q.owe(why, given, lt(index[d], shape[d]));
  }
}

void owe_bijection(const Question& q, const IndexMap& map, const std::vector<Expr>& shape,
                   const std::vector<Expr>& new_shape, const std::optional<IndexMap>& inverse,
                   const std::string& fault) {
  std::vector<Expr> in_box;
  std::vector<Expr> logical = exprs(box_vars(shape, "i", &in_box));
  std::vector<Expr> image = map.apply(logical);
  for (const Expr& e : image) q.owe("the new index fits its type", in_box, fits(e));
  owe_in_box(q, "every logical index has its image in the new box", in_box, image, new_shape);
  std::string onto =
      "every cell of the new box holds a logical element: the box is minimal and the map needs no padding";
  std::string injective = "no two logical indices go to one cell";
  if (!fault.empty()) onto += " (" + fault + ")", injective += " (" + fault + ")";
  if (inverse) {
    std::vector<Expr> back = inverse->apply(image);
    for (size_t d = 0; d < shape.size(); ++d) q.owe(injective, in_box, eq(back[d], logical[d]));
    std::vector<Expr> in_new_box;
    std::vector<Expr> cell = exprs(box_vars(new_shape, "p", &in_new_box));
    std::vector<Expr> source = inverse->apply(cell);
    owe_in_box(q, onto, in_new_box, source, shape);
    std::vector<Expr> again = map.apply(source);
    for (size_t d = 0; d < new_shape.size(); ++d) q.owe(onto, in_new_box, eq(again[d], cell[d]));
    return;
  }
  std::vector<Expr> both = in_box;
  std::vector<Expr> other = exprs(box_vars(shape, "j", &both));
  std::vector<Expr> other_image = map.apply(other);
  for (size_t d = 0; d < image.size(); ++d) both.push_back(eq(image[d], other_image[d]));
  for (size_t d = 0; d < shape.size(); ++d) q.owe(injective, both, eq(logical[d], other[d]));
  Expr cells = imm(kInt64, 1), new_cells = imm(kInt64, 1);
  for (const Expr& n : shape) cells = cells * cast(kInt64, n);
  for (const Expr& n : new_shape) new_cells = new_cells * cast(kInt64, n);
  q.owe(onto, {}, eq(cells, new_cells));
}

/// Condition 4.
void owe_assumes(const PrimFunc& func, const Buffer& buffer, std::vector<Obligation>* needs) {
  walk_with_facts(func, [&](const Stmt& s, const Path&, const Facts& facts) {
    const Assume* assume = s.as<Assume>();
    if (!assume) return true;
    visit_expr(assume->condition, [&](const Expr& e) {
      if (e->op == Op::Load && e->buffer() == buffer) {
        std::vector<Expr> index;
        for (const Expr& i : e->args) index.push_back(facts.resolve(i));
        owe_in_box({needs, place_of(func, s)}, "the index in the assume is in bounds", facts.given(), index,
                   buffer->shape);
      }
      return true;
    });
    return true;
  });
}

Rewrite transform_layout(const PrimFunc& func, const Args& args) {
  BufferSource source = buffer_arg(func, args, "buffer");
  const Buffer& before = source.buffer;
  const IndexMap& map = arg<IndexMap>(args, "map");
  demand_fitting_map(map, before);
  demand_own_memory(func, before);
  demand_scalar_indices(func.body, before);

  // The shape as int32: obligations speak of the box in the type of the map.
  std::vector<Expr> shape;
  std::vector<int64_t> numbers;
  bool constant = constant_shape(before, &numbers);
  for (const Expr& n : before->shape) {
    if (as_int(n) && (int_value(n) <= 0 || int_value(n) > max_value(kInt32))) {
      throw NotApplicable("an extent of '" + before->name + "' is no positive int32");
    }
    if (!as_int(n) && n->dtype != kInt32) throw NotApplicable("a symbolic extent must be int32");
    shape.push_back(as_int(n) ? i32(*as_int(n)) : n);
  }
  std::optional<Layout> layout = layout_of(map, shape);
  if (!layout) throw NotApplicable("the box of " + print(map) + " cannot be found for '" + before->name + "'");
  std::optional<IndexMap> inverse = layout->inverse;
  if (args.count("inverse")) {
    inverse = arg<IndexMap>(args, "inverse");
    if (inverse->inputs.size() != map.outputs.size() || inverse->outputs.size() != map.inputs.size()) {
      throw NotApplicable("the inverse has another number of dimensions than the map");
    }
  }
  if (!inverse && !constant) throw NotApplicable("no inverse of " + print(map) + " is known");

  std::string fault;
  std::vector<int64_t> new_numbers;
  for (const Expr& n : layout->shape) new_numbers.push_back(as_int(n) ? *as_int(n) : 0);
  if (constant) {
    Wide cells = 1, new_cells = 1;
    for (int64_t n : numbers) cells *= n;
    for (int64_t n : new_numbers) new_cells *= n;
    if (!inverse || cells != new_cells) fault = layout_fault(map, numbers, new_numbers);
  }

  DType type = before->shape.empty() ? kInt32 : before->shape[0]->dtype;
  std::vector<Expr> new_shape;
  for (const Expr& n : layout->shape) new_shape.push_back(as_int(n) ? imm(type, *as_int(n)) : n);
  Buffer after = make_buffer(before->name, before->dtype, new_shape,
                             {.axis_separators = map.axis_separators, .scope = before->scope});

  Rewrite out{.after = func, .needs = {}};
  out.after.body = reindex_buffer(func.body, before, after,
                                  [&](const std::vector<Expr>& indices) { return apply_map(map, indices); });
  if (source.param) {
    out.after.params[*source.param].buffer = after;
    if (out.after.scalars().size() != func.scalars().size()) {
      throw NotApplicable("a shape variable would be left without an argument that defines it");
    }
    out.interface_changes.push_back({*source.param, before, after, map});
  } else {
    Stmt alloc = stmt_at(out.after, *source.alloc);
    out.after =
        replace_at(out.after, *source.alloc, make_stmt(AllocBuffer{after, alloc.as<AllocBuffer>()->body}, alloc->span));
  }
  Place where{func.name, "transform_layout(" + before->name + ", " + print(map) + ")",
              source.alloc ? stmt_at(func, *source.alloc)->span : func.span};
  owe_bijection({&out.needs, where}, map, shape, layout->shape, inverse, fault);
  owe_assumes(func, before, &out.needs);
  return out;
}

}  // namespace

extern const Rule k_transform_layout{"transform-layout", "A[i]  ->  A'[map(i)], for a map without padding",
                                     &transform_layout};

}  // namespace hexproof
