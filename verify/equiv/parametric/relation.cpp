#include "verify/equiv/parametric/relation.h"

#include <set>

#include "verify/access/footprint_witness.h"

namespace hexproof::parametric {

namespace {

Expr as_int32(const Expr& e) {
  if (e->dtype == kInt32) return e;
  if (as_int(e) && fits_type(kInt32, int_value(e))) return i32(*as_int(e));
  return cast(kInt32, e);
}

std::vector<Expr> at(std::vector<Expr> shape, const VarMap& scalars) {
  for (Expr& e : shape) e = substitute(e, scalars);
  return shape;
}

/// Loops over all cells of a shape.
std::vector<LoopRange> loops_over(const std::vector<Expr>& shape, bool int32) {
  std::vector<LoopRange> out;
  for (const Expr& extent : shape) {
    Expr e = int32 ? as_int32(extent) : extent;
    out.push_back({Var::fresh("i" + std::to_string(out.size()), e->dtype), zero(e->dtype), e});
  }
  return out;
}

std::vector<Expr> variables(const std::vector<LoopRange>& loops) {
  std::vector<Expr> out;
  for (const LoopRange& loop : loops) out.push_back(Expr(loop.var));
  return out;
}

}  // namespace

Relation::AnyCell Relation::any_cell(const std::vector<Expr>& shape, bool int32) {
  std::vector<LoopRange> loops = loops_over(shape, int32);
  AnyCell out{.indices = variables(loops), .facts = {}};
  for (const LoopRange& loop : loops) {
    for (Expr& e : range_of(loop)) out.facts.push_back(std::move(e));
  }
  return out;
}

Relation::Steps Relation::layout_steps(size_t k) {
  const BufferPair& p = pair_.buffers[k];
  Steps out(p.before->ndim());
  if (p.identity) return out;
  std::map<Var, std::set<Wide>> found;
  for (const Expr& output : p.map.outputs) {
    visit_nodes(output, [&](const Expr& e) {
      cuts(e, &found);
      return true;
    });
  }
  for (size_t d = 0; d < out.size(); ++d) out[d] = found[p.map.inputs[d]];
  return out;
}

Relation::AnyIndex Relation::any_logical(size_t k, const Steps& steps) {
  const BufferPair& p = pair_.buffers[k];
  AnyIndex out;
  std::vector<LoopRange> loops = loops_over(p.before->shape, !p.identity);
  for (size_t d = 0; d < loops.size(); ++d) {
    const LoopRange& loop = loops[d];
    DType type = loop.var.dtype();
    Expr sum;
    Wide below = 1;
    auto digit = [&](Wide count) {
      Var var = Var::fresh(loop.var.name(), type);
      for (Expr& e : range_of({var, imm(type, 0), imm(type, count)})) out.facts.push_back(std::move(e));
      out.digits.emplace(var, std::pair{d, below});
      Expr part = below == 1 ? Expr(var) : Expr(var) * imm(type, below);
      sum = sum ? part + sum : part;
    };
    const int64_t* extent = as_int(loop.extent);
    if (type.bits < 16 || (extent && *extent < 1)) extent = nullptr, below = 0;
    for (Wide step : steps[d]) {
      // Digits fit together where each size divides the next one.
      if (below == 0 || step <= below || step % below != 0 || (extent && step >= *extent)) continue;
      if (!fits_type(type, step)) continue;
      digit(step / below);
      below = step;
    }
    if (below <= 1) {
      for (Expr& e : range_of(loop)) out.facts.push_back(std::move(e));
      out.digits.emplace(loop.var, std::pair{d, 1});
      out.index.push_back(Expr(loop.var));
      continue;
    }
    // A buffer has at most 2^31 - 1 bytes, and an extent fits its type.
    const Wide most = std::min(max_value(kInt32), max_value(type));
    digit(extent ? (*extent + below - 1) / below : most / below + 1);
    if (!extent || *extent % below != 0) out.facts.push_back(lt(sum, loop.extent));
    out.index.push_back(sum);
  }
  return out;
}

Relation::ParamCell Relation::cell_of_param(const std::vector<Buffer>& params, const Cell& cell,
                                            const VarMap& scalars) {
  for (size_t k = 0; k < params.size(); ++k) {
    if (params[k] == cell.buffer) return {k, cell};
    if (!(params[k]->data == cell.buffer->data) || params[k]->dtype != cell.buffer->dtype) continue;
    std::vector<LoopRange> loops = loops_over(params[k]->shape, false);
    Access whole = cells(params[k], variables(loops), loops);
    for (const Witness& w : witnesses(whole, cells(cell.buffer, cell.indices), scenario_.given())) {
      bool hits = true;
      for (const Expr& c : w.conditions) hits = hits && scenario_.proves(substitute(c, scalars));
      if (!hits) continue;
      Cell out{params[k], {}};
      for (const LoopRange& loop : whole.loops) out.indices.push_back(substitute(w.values.at(loop.var), scalars));
      return {k, out};
    }
  }
  throw Open{"the cells of the view " + cell.buffer->name + " were not found in an argument"};
}

Expr Relation::entry_before(const Cell& cell) {
  const Cell at = cell_of_param(pair_.before.buffer_params(), cell, {}).cell;
  return load(at.buffer, at.indices);
}

Expr Relation::entry_after(const Cell& cell) {
  const auto [k, at] = cell_of_param(pair_.after.buffer_params(), cell, pair_.after_scalars);
  const BufferPair& p = pair_.buffers[k];
  if (p.identity) return load(p.before, at.indices);
  std::optional<Origin> from = origin(k, at.indices);
  if (!from) throw Open{"the layout of " + p.before->name + " could not be inverted"};
  Expr logical = load(p.before, from->index);
  if (scenario_.quick(all(from->conditions)) || scenario_.proves(all(from->conditions))) return logical;
  return if_then_else(all(from->conditions), logical, padding_on_entry(k, at.indices, *from));
}

Expr Relation::padding_on_entry(size_t k, const std::vector<Expr>& at_cell, const Origin& from) {
  const BufferPair& p = pair_.buffers[k];
  // Which layer brought the cell is not asked, and a pad value reads no padding.
  const bool of_one_layer = p.layers.size() == 1 && !in_pad_ && complete(k, at_cell, from);
  if (!of_one_layer || p.layers[0].padding.kind != Padding::Kind::Value || p.written) {
    // Some value of this cell: each cell holds one on entry, whatever brought it there.
    return same_function("padding." + std::to_string(k), p.before->dtype, at_cell);
  }
  struct InPad {
    explicit InPad(bool& flag) : flag(flag) { flag = true; }
    ~InPad() { flag = false; }
    bool& flag;
  } in_pad(in_pad_);
  return pad_at(k, at_cell, [&](const Cell& cell) { return entry_after(cell); });
}

Expr Relation::pad_at(size_t k, const std::vector<Expr>& at_cell, const std::function<Expr(const Cell&)>& content) {
  const BufferPair& p = pair_.buffers[k];
  const LayoutChange& layer = p.layers.at(0);
  VarMap here;
  for (size_t d = 0; d < layer.padding.indices.size(); ++d) {
    const Expr& e = at_cell.at(d);
    here.emplace(layer.padding.indices[d],
                 e->dtype == layer.padding.indices[d].dtype() ? e : cast(layer.padding.indices[d].dtype(), e));
  }
  return rewrite_expr(substitute(layer.padding.value, here), [&](const Expr& e) {
    return e->op == Op::Load ? content({p.after, e->args}) : e;
  });
}

std::optional<Relation::Origin> Relation::origin(size_t k, const std::vector<Expr>& at_cell) {
  const BufferPair& p = pair_.buffers[k];
  std::vector<LoopRange> loops = loops_over(p.before->shape, true);
  Access image = cells(p.after, p.map.apply(variables(loops)), loops);
  for (const Witness& w : witnesses(image, cells(p.after, at_cell), scenario_.given())) {
    Origin out;
    for (const LoopRange& loop : image.loops) {
      out.index.push_back(scenario_.tidy(substitute(w.values.at(loop.var), pair_.after_scalars)));
    }
    // All that makes it the origin, said in full: in the box, and mapped here.
    for (size_t d = 0; d < image.loops.size(); ++d) {
      for (const Expr& e : range_of(image.loops[d])) {
        out.conditions.push_back(substitute(e, {{image.loops[d].var, out.index[d]}}));
      }
    }
    std::vector<Expr> there = p.map.apply(out.index);
    for (size_t d = 0; d < there.size(); ++d) out.conditions.push_back(equal_integers(there[d], at_cell[d]));
    if (!scenario_.proves(fits(all(out.conditions)))) continue;
    return out;
  }
  return std::nullopt;
}

bool Relation::complete(size_t k, const std::vector<Expr>& at_cell, const Origin& from) {
  const BufferPair& p = pair_.buffers[k];
  auto [x, facts] = any_cell(p.before->shape, true);
  std::vector<Expr> there = p.map.apply(x);
  for (size_t d = 0; d < there.size(); ++d) facts.push_back(equal_integers(there[d], at_cell[d]));
  Scenario::Under under(scenario_, facts);
  for (size_t d = 0; d < x.size(); ++d) {
    if (!scenario_.proves(equal_integers(x[d], from.index[d]))) return false;
  }
  return true;
}

bool Relation::no_padding(size_t k) {
  if (pair_.buffers[k].identity) return true;
  if (auto it = covers_.find(k); it != covers_.end()) return it->second;
  const auto [y, facts] = any_cell(at(pair_.buffers[k].after->shape, pair_.after_scalars), false);
  Scenario::Under under(scenario_, facts);
  std::optional<Origin> from = origin(k, y);
  return covers_[k] = from && scenario_.proves(all(from->conditions));
}

}  // namespace hexproof::parametric
