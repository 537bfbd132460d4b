#include "rewrite/layout/pad_value.h"

#include <algorithm>
#include <cmath>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/layout/inverse_map.h"
#include "rewrite/site/buffers.h"

namespace hexproof {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw NotApplicable("the pad value " + what); }

/// A constant in the buffer's type, bit by bit what Python's number means there.
Expr constant_of(const Expr& e, DType type) {
  if (!type.is_scalar()) refuse("of elements that are vectors is undef, not " + print(e));
  if (e->op == Op::FloatImm) {
    if (!type.is_float()) refuse(print(e) + " is no " + type.str());
    Expr value = fimm(type, e->float_value());
    if (std::isfinite(e->float_value()) && !std::isfinite(value->float_value())) {
      refuse(print(e) + " does not fit " + type.str());
    }
    return value;
  }
  Wide number = int_value(e);
  if (type.is_float()) {
    if (number > (Wide(1) << 53) || number < -(Wide(1) << 53)) refuse(print(e) + " is not exact in " + type.str());
    Expr value = fimm(type, static_cast<double>(number));
    if (static_cast<Wide>(value->float_value()) != number) refuse(print(e) + " is not exact in " + type.str());
    return value;
  }
  if (!fits_type(type, number)) refuse(print(e) + " does not fit " + type.str());
  return imm(type, number);
}

bool is_number(const Expr& e) { return e->op == Op::IntImm || e->op == Op::FloatImm; }

bool known(const Expr& e) {
  if (e->op == Op::Cast) return !(e->args[0]->dtype.is_float() && !e->dtype.is_float());
  return e->op == Op::Var || is_number(e) || (e->op >= Op::Add && e->op <= Op::IfThenElse);
}

/// "undef", or a constant as it is printed: "T.float32(-0.0)".
Expr constant_text(const std::string& text, DType type) {
  if (text == "undef" || text == "T.undef()") return undef(type);
  try {
    // As an operand: a constant alone is no statement.
    std::string body = "    T.evaluate(T.call_pure_extern(\"int32\", \"pad\", " + text + "))\n";
    PrimFunc func = parse_module("def f():\n" + body, "<pad value>").functions.at(0);
    const Evaluate* e = func.body.as<Evaluate>();
    bool one = e && e->value->op == Op::Call && e->value->args.size() == 1;
    if (one && is_number(e->value->args[0])) return constant_of(e->value->args[0], type);
  } catch (const Error&) {
    // No constant: below.
  } catch (const Unsupported&) {
    // Likewise.
  }
  refuse("is no constant: " + text);
}

/// The value of a function of the index, over the indices and the cells of the buffer.
Expr function_value(const IndexMap& map, const Buffer& after, const std::vector<Var>& indices) {
  if (map.outputs.size() != 1) refuse("is a function with " + std::to_string(map.outputs.size()) + " results");
  if (map.inputs.size() != after->ndim()) {
    refuse("takes " + std::to_string(map.inputs.size()) + " indices, but '" + after->name + "' has " +
           std::to_string(after->ndim()) + " in the new layout");
  }
  VarMap values;
  for (size_t d = 0; d < indices.size(); ++d) {
    Expr index(indices[d]);
    values.emplace(map.inputs[d], index->dtype == kInt32 ? index : cast(kInt32, index));
  }
  Expr value = rewrite_expr(substitute(map.outputs[0], values), [&](const Expr& e) {
    if (e->op != Op::Call || e->text() != kTransformedCell) return e;
    if (e->args.size() != after->ndim()) refuse("reads '" + after->name + "' with the wrong number of indices");
    if (!(e->dtype == after->dtype)) refuse("reads '" + after->name + "' as " + e->dtype.str());
    for (const Expr& index : e->args) {
      if (!index->dtype.is_integer() || is_data(index)) refuse("reads '" + after->name + "' at " + print(index));
    }
    return load(after, e->args);
  });
  if (value->op == Op::Undef) return value;
  visit_expr(value, [&](const Expr& e) {
    if (e->op == Op::Load && e->buffer() == after) return true;
    if (!known(e) || !e->dtype.is_scalar()) {
      refuse("may use constants, the index and the buffer itself, but holds " + print(e));
    }
    return true;
  });
  for (const Var& v : free_vars(value)) {
    if (std::find(indices.begin(), indices.end(), v) == indices.end()) refuse("depends on '" + v.name() + "'");
  }
  if (is_number(value)) return constant_of(value, after->dtype);
  if (value->dtype == after->dtype) return value;
  if (!value->dtype.is_integer() || after->dtype.is_bool() || !after->dtype.is_scalar()) {
    refuse("has type " + value->dtype.str() + ", but '" + after->name + "' holds " + after->dtype.str());
  }
  return cast(after->dtype, value);
}

Stmt nest(const Buffer& box, const std::vector<Var>& vars, Stmt body) {
  for (size_t d = vars.size(); d-- > 0;) {
    body = make_stmt(For{.var = vars[d], .min = zero(vars[d].dtype()), .extent = box->shape[d], .body = body});
  }
  return body;
}

/// The padding over fresh variables.
Padding renamed(const Padding& padding) {
  Padding out = padding;
  VarMap map;
  for (Var& v : out.indices) {
    Var fresh = Var::fresh(v.name(), v.dtype());
    map.emplace(v, Expr(fresh));
    v = fresh;
  }
  out.predicate = substitute(padding.predicate, map);
  if (padding.value) out.value = substitute(padding.value, map);
  return out;
}

bool is_wrapper(const Stmt& s) {
  const Block* block = s.as<Block>();
  bool root = block && block->iters.empty() && !block->init && !block->predicate;
  return root || s.as<AllocBuffer>() || s.as<DeclBuffer>() || s.as<Allocate>();
}

}  // namespace

Padding padding_arg(const std::optional<PadArg>& given, const Buffer& after, const std::vector<std::string>& names) {
  Padding out{.kind = Padding::Kind::Unreadable};
  const IndexMap* function = given ? std::get_if<IndexMap>(&*given) : nullptr;
  for (size_t d = 0; d < after->ndim(); ++d) {
    bool named = function && function->inputs.size() == after->ndim();
    out.indices.push_back(Var::fresh(named ? function->inputs[d].name() : names.at(d), after->shape[d]->dtype));
  }
  if (!given) return out;
  out.kind = Padding::Kind::Value;
  if (function) {
    out.value = function_value(*function, after, out.indices);
  } else if (const int64_t* number = std::get_if<int64_t>(&*given)) {
    out.value = constant_of(imm(kInt64, *number), after->dtype);
  } else if (const Expr* e = std::get_if<Expr>(&*given); e && *e && (is_number(*e) || (*e)->op == Op::Undef)) {
    out.value = is_number(*e) ? constant_of(*e, after->dtype) : *e;
  } else if (const std::string* text = std::get_if<std::string>(&*given)) {
    out.value = constant_text(*text, after->dtype);
  } else {
    refuse("is a number, undef, or a function of the index");
  }
  if (out.value->op == Op::Undef) out.kind = Padding::Kind::Undefined, out.value = Expr();
  return out;
}

bool reads_cells(const Padding& padding) {
  bool found = false;
  if (padding.value) {
    visit_expr(padding.value, [&](const Expr& e) {
      found = found || e->op == Op::Load;
      return !found;
    });
  }
  return found;
}

Stmt pad_stage(const Buffer& after, const Padding& given, bool in_block) {
  Padding padding = renamed(given);
  std::vector<Var> loops = padding.indices, cell = padding.indices;
  Block block{.name = after->name + "_padding"};
  if (in_block) {
    cell.clear();
    VarMap bound;
    for (size_t d = 0; d < loops.size(); ++d) {
      cell.push_back(Var::fresh("v" + loops[d].name(), loops[d].dtype()));
      bound.emplace(loops[d], Expr(cell.back()));
      block.iters.push_back({cell.back(), {zero(loops[d].dtype()), after->shape[d]}, IterKind::Spatial, loops[d]});
    }
    padding.predicate = substitute(padding.predicate, bound);
    if (padding.value) padding.value = substitute(padding.value, bound);
  }
  Expr value = padding.value ? padding.value : undef(after->dtype);
  Stmt body = make_stmt(If{padding.predicate, make_stmt(Store{after, exprs(cell), value}), {}});
  if (in_block) {
    block.body = body;
    body = make_stmt(std::move(block));
  }
  return nest(after, loops, body);
}

Stmt assume_stage(const Buffer& after, const Padding& given) {
  if (!after->dtype.is_scalar()) refuse("of elements that are vectors cannot be assumed of an argument");
  Padding padding = renamed(given);
  Expr cell = load(after, exprs(padding.indices));
  Expr value = padding.value ? padding.value : undef(after->dtype);
  Expr holds = eq(cell, value);
  const bool of_integer = value->op == Op::Cast && value->args[0]->dtype.is_integer();
  if (value->op == Op::FloatImm && std::isnan(value->float_value())) {
    holds = ne(cell, cell);
  } else if (padding.value && after->dtype.is_float() && !is_number(value) && !of_integer) {
    holds = lor(holds, land(ne(cell, cell), ne(value, value)));
  }
  Expr condition = as_int(padding.predicate) ? holds : lor(negated(padding.predicate), holds);
  return nest(after, padding.indices, make_stmt(Assume{condition}));
}

Stmt behind_last_write(const Stmt& stmt, const Buffer& buffer, const Stmt& stage) {
  if (!stores_to_buffer(stmt, buffer)) return in_front(stmt, stage);
  std::vector<Stmt> parts = children(stmt);
  if (stmt.as<Seq>()) {
    size_t last = parts.size() - 1;
    while (!stores_to_buffer(parts[last], buffer)) --last;
    parts[last] = behind_last_write(parts[last], buffer, stage);
    return seq(std::move(parts));
  }
  if (!is_wrapper(stmt) && !stmt.as<LetStmt>()) return seq({stmt, stage});
  parts.back() = behind_last_write(parts.back(), buffer, stage);
  return with_children(stmt, parts);
}

namespace {

/// How many parts at the start assume something of scalars alone: what is done of a buffer may as well stand behind.
size_t assumes_of_scalars(const Seq& parts) {
  size_t count = 0;
  for (const Stmt& s : parts.stmts) {
    const Assume* assume = s.as<Assume>();
    if (!assume || is_data(assume->condition)) break;
    ++count;
  }
  return count;
}

}  // namespace

Path front_of(const Stmt& stmt) {
  Path at;
  Stmt here = stmt;
  while (is_wrapper(here)) {
    at.push_back(static_cast<int>(children(here).size()) - 1);
    here = children(here).back();
  }
  const Seq* parts = here.as<Seq>();
  if (parts && !parts->stmts.empty()) {
    at.push_back(static_cast<int>(std::min(assumes_of_scalars(*parts), parts->stmts.size() - 1)));
  }
  return at;
}

Stmt in_front(const Stmt& stmt, const Stmt& stage) {
  if (const Seq* list = stmt.as<Seq>()) {
    std::vector<Stmt> parts = list->stmts;
    parts.insert(parts.begin() + static_cast<long>(assumes_of_scalars(*list)), stage);
    return seq(std::move(parts));
  }
  if (!is_wrapper(stmt)) return seq({stage, stmt});
  std::vector<Stmt> parts = children(stmt);
  parts.back() = in_front(parts.back(), stage);
  return with_children(stmt, parts);
}

void owe_pad_value(const std::string& rule, const Place& where, const std::vector<Expr>& given, const Buffer& after,
                   const Padding& padding, std::vector<Obligation>* needs) {
  if (!padding.value || is_number(padding.value)) return;
  Facts facts;
  facts.conditions = given;
  facts.conditions.push_back(padding.predicate);
  needs->push_back({rule, "computing the pad value is no error", where, facts.conditions, fits(padding.value)});
  walk_expr_with_facts(padding.value, facts, [&](const Expr& e, const Facts& known) {
    if (e->op != Op::Load) return;
    VarMap at;
    for (size_t d = 0; d < e->args.size(); ++d) {
      const Expr &index = e->args[d], &extent = after->shape[d];
      const DType type = index->dtype;
      const bool wider = type.is_int() && extent->dtype.is_int() && type.bits < extent->dtype.bits;
      if (type != extent->dtype && !wider)  // a narrower copy of it may be another number
        throw NotApplicable("the pad value reads at an index of " + type.str() + ", which no extent of the buffer is");
      const Expr same = wider ? cast(extent->dtype, index) : index;
      for (const Expr& goal : {le(zero(same->dtype), same), lt(same, extent)}) {
        needs->push_back({rule, "the pad value reads a cell of the buffer", where, known.conditions, goal});
      }
      at.emplace(padding.indices[d], same);
    }
    needs->push_back({rule, "the pad value reads no padding, neither its own cell nor another", where, known.conditions,
                      negated(substitute(padding.predicate, at))});
  });
}

}  // namespace hexproof
