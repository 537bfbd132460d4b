#include "ir/text/parse/parser.h"

namespace hexproof::text {

void Parser::block_statement(const Call& call, const Span& at) {
  Arguments a = arguments(call, at, {"name", "no_realize"}, 0);
  BlockState state;
  if (a[0]) {
    const std::string* name = a[0]->as<std::string>();
    if (!name) throw Unsupported(a[0]->span, "a block with a list of domains", "write vi = T.axis.spatial(...)");
    state.block.name = *name;
  }
  if (a[1] && !(a[1]->as<bool>() && !*a[1]->as<bool>())) throw Unsupported(a[1]->span, "no_realize");
  state.block.body = suite(&state);
  if (state.predicate) state.block.predicate = *state.predicate;
  add(make_stmt(std::move(state.block), at));
}

void Parser::init_statement(const Span& at) {
  if (!block_) throw Error(at, "T.init() stands directly in a block");
  BlockState* block = block_;
  if (block->block.init) throw Error(at, "this block has a T.init() already");
  block->block.init = suite(nullptr);
}

bool Parser::is_block_part(const std::string& name) const {
  return name == "T.reads" || name == "T.writes" || name == "T.where" || name == "T.block_attr" ||
         name == "T.sblock_attr" || name.starts_with("T.axis.");
}

void Parser::block_part(const Call& call, const Span& at) {
  if (!block_) throw Error(at, "'" + call.name + "' stands directly in a block");
  Block& block = block_->block;
  auto once = [&](bool given) {
    if (given) throw Error(at, "this block has a '" + call.name + "' already");
  };
  if (call.name == "T.reads") {
    once(block.reads.has_value());
    block.reads = regions(call);
  } else if (call.name == "T.writes") {
    once(block.writes.has_value());
    block.writes = regions(call);
  } else if (call.name == "T.where") {
    once(block_->predicate.has_value());
    block_->predicate = to_condition(*arguments(call, at, {"predicate"}, 1)[0], "the predicate of a block");
  } else if (call.name.starts_with("T.axis.")) {
    throw Error(at, "the result of '" + call.name + "' needs a name");
  } else {
    for (auto& [key, value] : annotations(*arguments(call, at, {"attrs"}, 1)[0])) block.annotations[key] = value;
  }
}

std::vector<Var> Parser::axes(const Call& call, const std::vector<std::string>& names, const Span& at) {
  if (!block_) throw Error(at, "'" + call.name + "' stands directly in a block");
  if (!items_->empty()) throw Error(at, "the iteration variables of a block stand before its other statements");
  std::vector<IterVar>& iters = block_->block.iters;
  std::vector<Var> out;
  if (call.name == "T.axis.remap") {
    Arguments a = arguments(call, at, {"kinds", "bindings", "dtype"}, 2);
    const std::string* kinds = a[0]->as<std::string>();
    const List* bindings = a[1]->as<List>();
    if (!kinds || !bindings) throw Error(at, "T.axis.remap takes a string of kinds and a list of loop variables");
    if (kinds->size() != bindings->items.size() || names.size() != kinds->size()) {
      throw Error(at, "T.axis.remap has " + std::to_string(kinds->size()) + " kinds, " +
                          std::to_string(bindings->items.size()) + " loop variables and " +
                          std::to_string(names.size()) + " names");
    }
    for (size_t i = 0; i < kinds->size(); ++i) {
      char c = (*kinds)[i];
      if (c != 'S' && c != 'R' && c != 'O') throw Error(a[0]->span, "the kinds of T.axis.remap are S, R and O");
      const Expr* e = bindings->items[i].as<Expr>();
      auto loop = e && (*e)->op == Op::Var ? function_->loops.find((*e)->var()) : function_->loops.end();
      if (loop == function_->loops.end()) {
        throw Error(bindings->items[i].span, "T.axis.remap binds loop variables only",
                    "write T.axis.spatial(extent, expression)");
      }
      IterKind kind = c == 'S' ? IterKind::Spatial : c == 'R' ? IterKind::Reduce : IterKind::Opaque;
      Var var = Var::fresh(names[i], (*e)->dtype);
      iters.push_back({var, loop->second, kind, *e});
      out.push_back(var);
    }
    return out;
  }
  std::string kind_name = call.name.substr(7);
  IterKind kind;
  if (kind_name == "spatial" || kind_name == "S") {
    kind = IterKind::Spatial;
  } else if (kind_name == "reduce" || kind_name == "R") {
    kind = IterKind::Reduce;
  } else if (kind_name == "opaque") {
    kind = IterKind::Opaque;
  } else {
    throw Unsupported(at, "'" + call.name + "'");
  }
  Arguments a = arguments(call, at, {"dom", "binding", "dtype"}, 2);
  Value start{Wide{0}, a[0]->span}, stop = *a[0];
  if (const List* pair = a[0]->as<List>()) {
    if (pair->items.size() != 2) throw Error(a[0]->span, "a domain is an extent, or a start and an end");
    start = pair->items[0], stop = pair->items[1];
  }
  Expr binding = to_index(*a[1], "the binding of an iteration variable");
  if (start.as<Wide>() && stop.as<Wide>() && !a[1]->is_literal() && !(binding->dtype == kInt32)) {
    start = Value{to_expr(start, binding->dtype), start.span};
  }
  Range dom = to_range(start, stop, "the domain of an iteration variable");
  if (!(dom.min->dtype == binding->dtype)) {
    binding = a[1]->is_literal() ? to_expr(*a[1], dom.min->dtype)
                                 : match_types(Value{dom.min, at}, Value{binding, at}, at).second;
    if (!(dom.min->dtype == binding->dtype)) {
      dom.min = match_types(Value{dom.min, at}, Value{binding, at}, at).first;
      dom.extent = match_types(Value{dom.extent, at}, Value{binding, at}, at).first;
    }
  }
  Var var = Var::fresh(names[0], binding->dtype, binding->data);
  iters.push_back({var, dom, kind, binding});
  return {var};
}

std::vector<BufferRegion> Parser::regions(const Call& call) {
  if (!call.keywords->empty()) throw Error(call.keywords->front().value.span, call.name + " takes regions of buffers");
  std::vector<BufferRegion> out;
  for (const Value& value : *call.args) {
    if (const List* list = value.as<List>()) {
      for (const Value& item : list->items) out.push_back(region(item));
    } else {
      out.push_back(region(value));
    }
  }
  return out;
}

BufferRegion Parser::region(const Value& value) {
  BufferRegion out;
  auto point = [&](const Expr& e) { out.region.push_back({e, imm(e->dtype, 1)}); };
  if (const Region* region = value.as<Region>()) {
    out.buffer = region->buffer;
    for (size_t axis = 0; axis < region->indices.size(); ++axis) {
      const Value& index = region->indices[axis];
      const Slice* slice = index.as<Slice>();
      if (!slice) {
        point(to_index(index, "an index"));
        continue;
      }
      if (slice->step) throw Unsupported(index.span, "a region with a step");
      Value start = slice->start ? *slice->start : Value{Wide{0}, index.span};
      Value stop = slice->stop ? *slice->stop : Value{out.buffer->shape[axis], index.span};
      out.region.push_back(to_range(start, stop, "a slice"));
    }
    return out;
  }
  const Expr cell = cell_of(value);
  if (!cell) throw Error(value.span, "a region of a buffer is expected, not " + describe(value));
  out.buffer = cell->buffer();
  for (const Expr& index : cell->args) {
    if (!index->dtype.is_scalar()) throw Error(value.span, "a vector index in a region");
    point(index);
  }
  return out;
}

}  // namespace hexproof::text
