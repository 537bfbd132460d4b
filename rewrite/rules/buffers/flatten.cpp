// flatten {buffer: Buffer or name (optional: every parameter and allocation)}
//
//   A = alloc_buffer((n0, n1, n2, n3), axis_separators=[2])  ->  A' = alloc_buffer((n0*n1, n2*n3), axis_separators=[1])
//   A[i0, i1, i2, i3]                                        ->  A'[i0*n1 + i1, i2*n3 + i3]
//
// Row-major within each group of axes. An allocation is replaced; a parameter keeps its shape, which callers see, and
// is reached through a flat view that is declared over its memory at the start of the function. The separators of the
// flat buffer are 1, 2, ...: flattening it again changes nothing.
//
// Side conditions, asked once for the box and, in a product of many axes, one level at a time
//  1. The flat index of every index in the box fits its type. (Indices in the program are in the box: it is
//     free of errors.)
//  2. For every level: with 0 <= a < A and 0 <= b < B, a*B + b lies in [0, A*B), and its quotient and remainder by B
//     are a and b: no two cells meet. Every cell p of the flat level has the source (p // B, p % B).
//  3. The index that is written down (a sum of strides) is the one that the levels build.
//  4. Indices in assumes are in bounds.
#include <algorithm>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"
#include "verify/access/footprint.h"

namespace hexproof {
namespace {

constexpr const char* kFlatten = "flatten";

/// The dimensions [begin, end) of each group.
std::vector<std::pair<size_t, size_t>> groups_of(const Buffer& buffer) {
  std::vector<std::pair<size_t, size_t>> out;
  size_t begin = 0;
  for (int s : buffer->axis_separators) {
    out.emplace_back(begin, static_cast<size_t>(s));
    begin = static_cast<size_t>(s);
  }
  out.emplace_back(begin, buffer->ndim());
  return out;
}

bool is_flat(const Buffer& buffer) { return buffer->ndim() == groups_of(buffer).size(); }

Expr product(const std::vector<Expr>& shape, size_t begin, size_t end, DType type) {
  Expr out;
  for (size_t d = begin; d < end; ++d) out = out ? fold(out * shape[d]) : shape[d];
  return out ? out : imm(type, 1);
}

/// The flat index of one group: a sum of strides when these are constants, else level by level.
Expr flat_index(const std::vector<Expr>& indices, const std::vector<Expr>& shape, size_t begin, size_t end,
                bool by_level) {
  DType type = shape.empty() ? kInt32 : shape[0]->dtype;
  Expr sum;
  for (size_t d = begin; d < end; ++d) {
    Expr stride = product(shape, d + 1, end, type);
    by_level = by_level || !as_int(stride);  // and from there on: what came before is multiplied level by level
    if (by_level) {
      sum = sum ? fold(fold(sum * shape[d]) + indices[d]) : indices[d];
      continue;
    }
    Expr term = fold(indices[d] * stride);
    sum = sum ? fold(sum + term) : term;
  }
  return sum ? sum : imm(type, 0);
}

/// The same for an access, of which one index may be a ramp; all in the type of the shape.
std::vector<Expr> flat_access(const Buffer& buffer, const std::vector<Expr>& indices) {
  DType type = buffer->shape.empty() ? kInt32 : buffer->shape[0]->dtype;
  std::vector<Expr> typed;
  Expr step;  // of the ramp, in the flat index
  size_t vector_dim = indices.size();
  int lanes = 1;
  for (size_t d = 0; d < indices.size(); ++d) {
    Expr index = indices[d];
    if (!index->dtype.is_scalar()) {
      if (index->op != Op::Ramp) throw NotApplicable("a vector index of '" + buffer->name + "' is no ramp");
      if (index->wraps) throw NotApplicable("a vector index of '" + buffer->name + "' may wrap");
      lanes = index->dtype.lanes, vector_dim = d, step = index->args[1];
      index = index->args[0];
    }
    auto in_type = [&](const Expr& e) {
      return e->dtype == type                             ? e
             : as_int(e) && fits_type(type, int_value(e)) ? imm(type, int_value(e))
                                                          : cast(type, e);
    };
    if (index->dtype.bits > type.bits || (index->dtype.bits == type.bits && index->dtype != type)) {
      if (!as_int(index)) throw NotApplicable("an index of '" + buffer->name + "' is wider than its shape");
    }
    typed.push_back(in_type(index));
    if (step && vector_dim == d) {
      // It may be negative, which an index never is.
      const bool fits = as_int(step) ? fits_type(type, int_value(step))
                                     : min_value(type) <= min_value(step->dtype.element()) &&
                                           max_value(step->dtype.element()) <= max_value(type);
      if (!fits)
        throw NotApplicable("the stride of a vector access to '" + buffer->name + "' is none of its shape's type");
      step = in_type(step);
    }
  }
  std::vector<Expr> out;
  for (auto [begin, end] : groups_of(buffer)) {
    Expr flat = flat_index(typed, buffer->shape, begin, end, false);
    if (vector_dim >= begin && vector_dim < end) {
      Expr stride = product(buffer->shape, vector_dim + 1, end, type);
      if (!as_int(stride)) throw NotApplicable("a vector access along a symbolic stride of '" + buffer->name + "'");
      flat = ramp(flat, fold(step * stride), lanes);
    }
    out.push_back(flat);
  }
  return out;
}

void owe_flat(const PrimFunc& func, const BufferSource& source, std::vector<Obligation>* needs) {
  const Buffer& buffer = source.buffer;
  Place where{func.name, "flatten(" + buffer->name + ")", func.span};
  auto owe = [&](const std::string& why, const std::vector<Expr>& given, const Expr& goal) {
    needs->push_back({kFlatten, why, where, given, goal});
  };
  const Facts facts = source.alloc ? facts_at(func, below(*source.alloc, 0)) : entry_facts(func);
  std::vector<Expr> known = facts.given(), shape;
  for (const Expr& n : buffer->shape) {
    shape.push_back(inline_lets(facts.resolve(n), facts.loops));
    known.push_back(le(zero(n->dtype), shape.back()));
  }
  const auto [cell, in_box] = cell_of_box(shape, "i", known);
  for (auto [begin, end] : groups_of(buffer)) {
    if (end - begin < 2) continue;
    Expr written = flat_index(cell, shape, begin, end, false);
    Expr levels = flat_index(cell, shape, begin, end, true);
    Expr size = product(shape, begin, end, shape[begin]->dtype);
    if (!as_int(size)) owe("the flat extent fits its type", known, fits(size));
    owe("the flat index fits its type", in_box, fits(written));
    if (!(written == levels)) owe("the sum of strides is the row-major index", in_box, eq(written, levels));
    DType type = shape[begin]->dtype;
    for (size_t d = begin + 1; d < end; ++d) {
      Expr inner = shape[d], outer = product(shape, begin, d, type);
      const auto [ab, level] = cell_of_box({outer, inner}, "a", known);
      Expr both = ab[0] * inner + ab[1];
      owe("a level of the flat index stays inside of its level", level, le(zero(type), both));
      owe("a level of the flat index stays inside of its level", level, lt(both, fold(outer * inner)));
      owe("no two cells have one flat index", level, eq(floordiv(both, inner), ab[0]));
      owe("no two cells have one flat index", level, eq(floormod(both, inner), ab[1]));
      const auto [only, flat] = cell_of_box({fold(outer * inner)}, "p", known);
      const Expr& p = only.front();
      owe("every cell of the flat buffer is a cell of the box", flat, lt(floordiv(p, inner), outer));
      owe("every cell of the flat buffer is a cell of the box", flat, le(zero(type), floordiv(p, inner)));
    }
  }
}

void owe_assumes(const PrimFunc& func, const Buffer& buffer, std::vector<Obligation>* needs) {
  walk_with_facts(func, [&](const Stmt& s, const Path&, const Facts& facts) {
    const Assume* assume = s.as<Assume>();
    if (!assume) return true;
    visit_expr(assume->condition, [&](const Expr& e) {
      if (e->op != Op::Load || !(e->buffer() == buffer)) return true;
      for (size_t d = 0; d < e->args.size(); ++d) {
        Expr index = facts.resolve(e->args[d]);
        const std::string why = "the index in the assume is in bounds";
        const auto [at, extent] = alike(index, buffer->shape[d]);
        needs->push_back(need(kFlatten, why, func, s, facts.given(), le(zero(at->dtype), at)));
        needs->push_back(need(kFlatten, why, func, s, facts.given(), lt(at, extent)));
      }
      return true;
    });
    return true;
  });
}

/// Does the body name the buffer itself, not only a view of it?
bool used_directly(const Stmt& body, const Buffer& buffer) {
  std::vector<Buffer> read = buffers_read(body), written = buffers_stored(body);
  return std::find(read.begin(), read.end(), buffer) != read.end() ||
         std::find(written.begin(), written.end(), buffer) != written.end();
}

void flatten_one(const BufferSource& source, Rewrite* out) {
  const PrimFunc func = out->after;
  const Buffer& before = source.buffer;
  // A parameter that is reached through a view already is as flat as it gets.
  if (is_flat(before) || (source.param && !used_directly(func.body, before))) return;
  demand_own_memory(func, before);
  std::vector<Expr> shape;
  for (size_t d = 1; d < before->ndim(); ++d) {
    if (before->shape[d]->dtype != before->shape[0]->dtype) throw NotApplicable("extents of different types");
  }
  DType type = before->shape.empty() ? kInt32 : before->shape[0]->dtype;
  std::vector<int> separators;
  for (auto [begin, end] : groups_of(before)) {
    if (!shape.empty()) separators.push_back(static_cast<int>(shape.size()));
    shape.push_back(product(before->shape, begin, end, type));
  }
  BufferOptions options{.axis_separators = separators, .scope = before->scope, .data = {}};
  if (source.param) options.data = before->data;
  Buffer flat = make_buffer(source.param ? before->name + "_flat" : before->name, before->dtype, shape, options);
  auto index = [&](const std::vector<Expr>& indices) { return flat_access(before, indices); };
  out->after.body = reindex_buffer(func.body, before, flat, index);
  if (source.param) {
    out->after.body = make_stmt(DeclBuffer{flat, out->after.body}, func.body->span);
  } else {
    Stmt alloc = stmt_at(out->after, *source.alloc);
    out->after =
        replace_at(out->after, *source.alloc, make_stmt(AllocBuffer{flat, children(alloc).front()}, alloc->span));
  }
  owe_flat(func, source, &out->needs);
  owe_assumes(func, before, &out->needs);
}

Rewrite flatten(const PrimFunc& func, const FlattenArgs& args) {
  Rewrite out{.after = func, .needs = {}};
  if (args.buffer) {
    flatten_one(buffer_arg(func, *args.buffer), &out);
    return out;
  }
  for (const Path& at : find_all(func, [](const Stmt& s) { return s.as<AllocBuffer>() != nullptr; })) {
    // An allocation may stay in its place: only the record changes.
    flatten_one({stmt_at(out.after, at).as<AllocBuffer>()->buffer, std::nullopt, at}, &out);
  }
  for (const Buffer& buffer : func.buffer_params()) {
    flatten_one(buffer_arg(out.after, buffer), &out);
  }
  return out;
}

}  // namespace

extern const Rule k_flatten{rule<flatten>("A[i0, i1]  ->  A'[i0*n1 + i1], one axis per group of axes")};

}  // namespace hexproof
