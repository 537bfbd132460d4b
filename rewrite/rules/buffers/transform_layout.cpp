// transform-layout {buffer: Buffer or name, map: IndexMap, inverse: IndexMap (optional), pad_value (optional)}
//
//   A[i]  ->  A'[map(i)]        at every load and store; A' has the smallest box that holds the image
//
// `buffer` is a parameter or an allocation whose name is unique. `map` takes one int32 variable per dimension; its
// axis separators (positions among the outputs) become those of A'. An inverse is found for maps that rearrange digits,
// such as `lambda n, c: [n, c // 32, c % 32]`, `lambda i: [(i + 2) // 8, (i + 2) % 8]` and
// `lambda i, j, k: [i * 64 + j, k // 4, k % 4]`, and flip bits of some by others, as in
// `lambda i, j: [i, j ^ (i % 8)]`; for others it may be given. Loops stay as they are.
//
// Cells of A' that no index maps to are padding. What they hold is said by `pad_value` (see padding_arg):
// - none: they may be neither read nor relied on; nothing is added.
// - a value, undef, or a function of the new index that may read cells of A' that are no padding:
//     stored to by the function:  for p: if padding(p): A'[p] = value(p)                  behind the last store
//     a parameter otherwise:      for p: T.assume(not padding(p) or A'[p] == value(p))    in front of everything
// A parameter's layout and padding are part of the function's interface: the step records the change. Padding of a
// parameter that may not be read at the start is named by an attribute (verify/memory/argument_padding.h).
//
// Side conditions
//  1. For every logical index in the box of A, computing the map is no error, and the image is in the box of A'.
//  2. The box starts at 0 and is the smallest one: each output reaches 0 (a remainder need not) and its last index.
//  3. The map is injective: the inverse brings every logical index back. Without an inverse: two logical indices
//     with one image are equal.
//  4. The padding predicate is exactly "no logical index maps here": no image of a logical index satisfies it, and
//     every other cell is the image of its inverse, which is a logical index. Without an inverse there must be no
//     padding: the boxes have equally many cells (then injective is onto).
//  5. An index in an `assume` may be out of bounds where it does not matter; under the map it would name another
//     cell. So indices in assumes are proved to be in bounds.
//  6. Computing the pad value is no error, and it reads only cells of A' that are no padding and hold a value: its own
//     cell, other padding, and what an allocation holds before it is written are out. Nothing in it is decided by a
//     cell that may hold an undef (checked here).
//  7. The extents of A' are not negative. If A is allocated: they are no error, and A' fits in memory. (Arguments fit:
//     both layouts exist.) The bounds of the loops over padding are no error.
//  8. Where `nnan` or `ninf` promise of floats what no cell holds, padding that may be read keeps the promise: its
//     value is a constant that does, or that of another cell (checked here).
//  9. The map uses an index once that holds an undef, or that the granted flags leave open: it is one value (checked
//     here).
// Every other index is in the box because the program before is free of errors, so no access of the program before
// touches padding. Strided buffers, views of the same memory and vector accesses are refused.
#include <algorithm>
#include <cmath>

#include "ir/base/mutant.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/kernel/engine_limit.h"
#include "rewrite/layout/needs.h"
#include "rewrite/layout/pad_value.h"
#include "rewrite/memory/made.h"
#include "rewrite/memory/memory_needs.h"
#include "rewrite/memory/must_write.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"
#include "verify/memory/argument_padding.h"
#include "verify/memory/undef_flow.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace {

constexpr const char* kTransformLayout = "transform-layout";

void demand_index_arithmetic(const IndexMap& map) {
  for (const Expr& e : map.outputs) {
    visit_expr(e, [&](const Expr& node) {
      const bool number = node->op >= Op::Add && node->op <= Op::Max;
      const bool bits = node->op >= Op::BitAnd && node->op <= Op::Shr;
      bool known = node->op == Op::Var || node->op == Op::IntImm || number || bits;
      if (node->dtype != kInt32 || !known || node->op == Op::Div || node->wraps) {
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
}

void demand_fitting_map(const IndexMap& map, const Buffer& buffer) {
  if (map.inputs.size() != buffer->ndim()) {
    throw NotApplicable("the map takes " + std::to_string(map.inputs.size()) + " indices, but '" + buffer->name +
                        "' has " + std::to_string(buffer->ndim()));
  }
  if (map.outputs.empty()) throw NotApplicable("the map has no outputs");
  for (const Var& v : map.inputs) {
    if (v.dtype() != kInt32) throw NotApplicable("the inputs of a map are int32");
  }
  demand_index_arithmetic(map);
  int last = 0;
  for (int s : map.axis_separators) {
    if (s <= last || s >= static_cast<int>(map.outputs.size()))
      throw NotApplicable("an axis separator is out of place");
    last = s;
  }
}

/// Condition 4.
void owe_assumed_layout(const PrimFunc& func, const Buffer& buffer, std::vector<Obligation>* needs) {
  walk_with_facts(func, [&](const Stmt& s, const Path&, const Facts& facts) {
    const Assume* assume = s.as<Assume>();
    if (!assume) return true;
    visit_expr(assume->condition, [&](const Expr& e) {
      if (e->op == Op::Load && e->buffer() == buffer) {
        std::vector<Expr> index;
        for (const Expr& i : e->args) index.push_back(facts.resolve(i));
        for (size_t d = 0; d < index.size(); ++d) {
          // Compared in the wider of the two types.
          Expr at = index[d], extent = buffer->shape[d];
          if (at->dtype.bits < extent->dtype.bits) at = cast(extent->dtype, at);
          if (!(at->dtype == extent->dtype)) extent = cast(at->dtype, extent);
          for (const Expr& goal : {le(zero(at->dtype), at), lt(at, extent)}) {
            needs->push_back(
                {kTransformLayout, "the index in the assume is in bounds", place_of(func, s), facts.given(), goal});
          }
        }
      }
      return true;
    });
    return true;
  });
}

bool holds_blocks(const Stmt& stmt) {
  bool found = false;
  visit_stmt(stmt, [&](const Stmt& s) {
    found = found || s.as<Block>();
    return !found;
  });
  return found;
}

bool reads_memory(const Expr& e) { return is_data(e); }

/// Every shape variable is still the extent of some argument, or a scalar parameter: else no caller could say it.
void demand_defined_scalars(const PrimFunc& before, const PrimFunc& after) {
  auto defined = [](const PrimFunc& func) {
    std::set<Var> out;
    for (const Param& p : func.params) {
      if (!p.buffer) out.insert(p.var);
      for (const Expr& n : p.buffer ? p.buffer->shape : std::vector<Expr>{}) {
        if (n->op == Op::Var) out.insert(n->var());
      }
    }
    return out;
  };
  std::set<Var> still = defined(after);
  for (const Var& v : defined(before)) {
    if (!still.count(v)) {
      throw NotApplicable("the shape variable '" + v.name() +
                          "' would be left without an argument that defines it: make it a scalar parameter");
    }
  }
}

/// Condition 6 for an allocation: what the pad stage reads was written before.
void owe_written(const PrimFunc& result, const Path& scope, const Buffer& after, const Stmt& stage,
                 std::vector<Obligation>* needs) {
  std::set<std::string> own;
  visit_stmt(stage, [&](const Stmt& s) {
    own.insert(place_of(result, s).statement);
    return true;
  });
  for (Obligation& o : written_before_read(kTransformLayout, result, scope, after)) {
    if (own.count(o.where.statement)) needs->push_back(std::move(o));
  }
}

/// Condition 7 of a parameter: where the buffer before exists, the one after does, as far as its extents go. (That both
/// fit in memory is given: the caller has made them.)
void owe_extents(const Place& where, const std::vector<Expr>& given, const Buffer& after,
                 std::vector<Obligation>* needs) {
  for (const Expr& n : after->shape) {
    if (as_int(n)) continue;
    needs->push_back(
        {kTransformLayout, "the extents of " + after->name + " are not negative", where, given, le(zero(n->dtype), n)});
  }
}

/// The shape as int32: obligations speak of the box in the type of the map.
std::vector<Expr> int32_shape(const Buffer& buffer) {
  std::vector<Expr> shape;
  for (const Expr& n : buffer->shape) {
    if (as_int(n) && (int_value(n) <= 0 || int_value(n) > max_value(kInt32))) {
      throw NotApplicable("an extent of '" + buffer->name + "' is no positive int32");
    }
    if (!as_int(n) && n->dtype != kInt32) throw NotApplicable("a symbolic extent must be int32");
    shape.push_back(as_int(n) ? i32(*as_int(n)) : n);
  }
  return shape;
}

Layout layout_arg(const TransformLayoutArgs& args, const IndexMap& map, const Buffer& before,
                  const std::vector<Expr>& shape) {
  auto [layout, fault] = layout_of(map, shape);
  if (!layout) throw NotApplicable("the box of " + print(map) + " for '" + before->name + "': " + fault);
  if (args.inverse) {
    layout->inverse = args.inverse;
    const IndexMap& inverse = *layout->inverse;
    if (inverse.inputs.size() != map.outputs.size() || inverse.outputs.size() != map.inputs.size()) {
      throw NotApplicable("the inverse has another number of dimensions than the map");
    }
    demand_index_arithmetic(inverse);
    const bool constant = constant_shape(before).has_value();
    Wide cells = 1, new_cells = 1;
    for (const Expr& n : shape) cells *= constant ? int_value(n) : 0;
    for (const Expr& n : layout->shape) new_cells *= as_int(n) ? int_value(n) : -1;
    layout->in_image = cells == new_cells ? boolean(true) : image_by(map, inverse, shape);
  }
  return *layout;
}

/// `over`, a condition on the inputs of the inverse, on the indices.
Expr at_indices(const Expr& over, const IndexMap& inverse, const std::vector<Var>& indices) {
  if (as_int(over)) return over;
  return apply_map(IndexMap{inverse.inputs, {over}, {}}, exprs(indices))[0];
}

/// `after` with the attribute of a parameter whose padding nobody fills before the function starts, and what of an
/// earlier change still stands.
PrimFunc with_unreadable(const PrimFunc& func, size_t param, const LayoutChange& layer, const Layout& layout,
                         bool written, PrimFunc after) {
  const Padding& padding = layer.padding;
  Expr predicate;
  bool filled = padding.kind == Padding::Kind::Absent || (padding.kind != Padding::Kind::Unreadable && !written);
  if (!filled) predicate = padding.predicate;
  if (std::optional<ArgumentPadding> earlier = argument_padding(func, param)) {
    if (!HEXPROOF_MUTANT("layout/padding-without-an-inverse", layout.inverse.has_value(), true))
      throw EngineLimit("an argument with padding that nobody fills, under a map without a known inverse");
    Expr old = boolean(true);
    if (layout.inverse) old = earlier->at(apply_map(*layout.inverse, exprs(padding.indices)));
    // (Padding that the caller fills is no cell of the layout before, whatever the inverse gives for it.)
    if (filled && padding.predicate) old = land(lnot(padding.predicate), old);
    predicate = predicate ? lor(predicate, old) : old;
  }
  auto named = with_argument_padding(std::move(after), param, padding.indices, predicate);
  if (!named) throw EngineLimit("two scalars of the function have one name, so the padding cannot be named");
  return std::move(*named);
}

/// Condition 9.
void demand_evaluated_once(const PrimFunc& func, const Buffer& buffer, const IndexMap& map) {
  const OpenRounding open = open_rounding_of(func);
  auto demand = [&](const Buffer& accessed, const std::vector<Expr>& indices) {
    if (!(accessed == buffer)) return;
    for (size_t d = 0; d < indices.size(); ++d) {
      size_t uses = 0;
      for (const Expr& output : map.outputs) {
        visit_expr(output, [&](const Expr& e) { return uses += e->op == Op::Var && e->var() == map.inputs[d], true; });
      }
      if (uses > 1 && chooses(indices[d], open)) {
        throw NotApplicable("an index would be evaluated again, and it holds " + what_chooses(indices[d], open));
      }
    }
  };
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Store* store = s.as<Store>()) demand(store->buffer, store->indices);
    return true;
  });
  visit_all_exprs(func.body, [&](const Expr& e) {
    if (e->op == Op::Load) demand(e->buffer(), e->args);
  });
}

/// Condition 8.
void demand_promised(const PrimFunc& func, const Padding& padding, DType type) {
  const bool nnan = func.granted("nnan"), ninf = func.granted("ninf");
  const bool any = padding.kind == Padding::Kind::Undefined, value = padding.kind == Padding::Kind::Value;
  if ((!nnan && !ninf) || (!any && !value) || !type.is_float()) return;
  if (value && padding.value->op == Op::Load) return;
  const std::string flags = nnan && ninf ? "`nnan` and `ninf` promise" : nnan ? "`nnan` promises" : "`ninf` promises";
  const double number = value && padding.value->op == Op::FloatImm ? padding.value->float_value() : 0;
  const bool constant = value && padding.value->op == Op::FloatImm;
  if (constant && !(nnan && std::isnan(number)) && !(ninf && std::isinf(number))) return;
  throw NotApplicable("the padding would hold " + (value ? print(padding.value) : std::string("any value")) + ", and " +
                      flags + " that no cell holds a float of that kind: give a constant that keeps it");
}

Rewrite transform_layout(const PrimFunc& func, const TransformLayoutArgs& args) {
  BufferSource source = buffer_arg(func, args.buffer);
  const Buffer& before = source.buffer;
  const IndexMap& map = args.map;
  demand_fitting_map(map, before);
  demand_own_memory(func, before);
  demand_scalar_indices(func.body, before);
  demand_evaluated_once(func, before, map);
  std::vector<Expr> shape = int32_shape(before);
  Layout layout = layout_arg(args, map, before, shape);
  std::string fault;
  std::vector<int64_t> new_numbers;
  if (!layout.inverse) {
    const std::optional<std::vector<int64_t>> numbers = constant_shape(before);
    if (!numbers) {
      fault = symbolic_fault(map, shape);
      throw NotApplicable("no inverse of " + print(map) + " is known" + (fault.empty() ? "" : ": " + fault));
    }
    for (const Expr& n : layout.shape) new_numbers.push_back(*as_int(n));
    fault = layout_fault(map, *numbers, new_numbers);
  }
  bool padded = layout.in_image && !is_int(layout.in_image, 1);

  // As the map computes them: what is written down is what is owed.
  DType type = !before->shape.empty() && before->shape[0]->dtype == kInt64 ? kInt64 : kInt32;
  std::vector<Expr> new_shape;
  Wide bytes = before->dtype.bytes();
  for (const Expr& n : layout.shape) {
    new_shape.push_back(as_int(n) ? imm(type, *as_int(n)) : n);
    if (as_int(n) && bytes <= max_value(kInt32)) bytes *= *as_int(n);
  }
  if (bytes > max_value(kInt32)) throw NotApplicable("the padded buffer would not fit in memory");
  Buffer after = make_buffer(before->name, before->dtype, new_shape,
                             {.axis_separators = map.axis_separators, .scope = before->scope});
  Padding padding = padding_arg(args.pad_value, after, output_names(map));
  if (padded) {
    padding.predicate = negated(at_indices(layout.in_image, *layout.inverse, padding.indices));
  } else {
    padding.kind = Padding::Kind::Absent;
    padding.value = Expr();
  }
  demand_promised(func, padding, before->dtype);
  bool written = stores_to_buffer(func.body, before);
  bool filled = padding.kind == Padding::Kind::Value || padding.kind == Padding::Kind::Undefined;

  Rewrite out{.after = func, .needs = {}};
  PrimFunc& result = out.after;
  result.body = reindex_buffer(func.body, before, after,
                               [&](const std::vector<Expr>& indices) { return apply_map(map, indices); });
  Path scope = source.alloc ? below(*source.alloc, 0) : Path{};
  if (source.alloc) {
    Stmt alloc = stmt_at(result, *source.alloc);
    result =
        replace_at(result, *source.alloc, make_stmt(AllocBuffer{after, alloc.as<AllocBuffer>()->body}, alloc->span));
  }
  Stmt stage;
  if (filled && (written || source.alloc)) {
    stage = pad_stage(after, padding, holds_blocks(func.body));
    result = replace_at(result, scope, behind_last_write(stmt_at(result, scope), after, stage));
  } else if (filled) {
    stage = assume_stage(after, padding);
    result = replace_at(result, scope, in_front(stmt_at(result, scope), stage));
  }
  if (source.param) {
    result.params[*source.param].buffer = after;
    demand_defined_scalars(func, result);
    out.interface_changes.push_back({*source.param, written, {{before, after, map, padding}}});
    if (reads_cells(padding) && argument_padding(func, *source.param)) {
      throw NotApplicable("the pad value reads '" + before->name + "', some cells of which may be unreadable padding");
    }
    result =
        with_unreadable(func, *source.param, out.interface_changes[0].layers[0], layout, written, std::move(result));
  }

  Place where{func.name, "transform_layout(" + before->name + ", " + print(map) + ")",
              source.alloc ? stmt_at(func, *source.alloc)->span : func.span};
  Facts facts = facts_at(func, scope);
  std::erase_if(facts.conditions, reads_memory);
  if (source.alloc) {
    owe_memory(kTransformLayout, func, stmt_at(func, *source.alloc), facts, after, before, &out.needs);
  } else {
    owe_extents(where, facts.given(), after, &out.needs);
  }
  if (stage) {
    Path front = scope;
    for (int part : front_of(stmt_at(func, scope))) front.push_back(part);
    Facts there = facts_at(func, front);
    std::erase_if(there.conditions, reads_memory);
    there.conditions = join(there.conditions, known_of_memory(facts, after));
    owe_made({kTransformLayout, func, func.body, there, source.alloc ? after : Buffer{}}, stage, &out.needs);
  }
  std::vector<Expr> given = join(facts.given(), known_of_memory(facts, after));
  std::erase_if(given, reads_memory);
  for (Obligation& o : layout_needs({kTransformLayout, where, given, map, shape, layout, fault}))
    out.needs.push_back(std::move(o));
  owe_assumed_layout(func, before, &out.needs);
  if (padding.kind == Padding::Kind::Value) {
    std::vector<Expr> in_box = given;
    for (size_t d = 0; d < padding.indices.size(); ++d) {
      Expr p(padding.indices[d]);
      in_box.push_back(le(zero(p->dtype), p));
      in_box.push_back(lt(p, after->shape[d]));
    }
    if (reads_cells(padding) && decided_by_undef(padding.value, undef_flow(result))) {
      throw NotApplicable("the pad value decides by a cell that may hold an undef");
    }
    owe_pad_value(kTransformLayout, where, in_box, after, padding, &out.needs);
    if (source.alloc && reads_cells(padding)) owe_written(result, scope, after, stage, &out.needs);
  }
  return out;
}

}  // namespace

extern const Rule k_transform_layout{rule<transform_layout>("A[i]  ->  A'[map(i)], padded as pad_value says")};

}  // namespace hexproof
