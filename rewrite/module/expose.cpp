#include <set>

#include "ir/visit.h"
#include "rewrite/layout/pad_value.h"
#include "rewrite/module/changes.h"
#include "rewrite/site/buffers.h"

namespace hexproof {
namespace {

/// The function, which must be called by another one: else a promise would be asked of nobody, and given to nobody.
const PrimFunc& callee(const IRModule& module, const std::string& function, const Buffer& buffer) {
  const PrimFunc& func = *find_function(module, function);
  bool called = false;
  for (const std::string& entry : entries(module)) called = called || entry == function;
  if (called) throw NotApplicable("no function of the module calls '" + function + "'");
  for (const Buffer& b : func.buffer_params()) {
    if (b == buffer) return func;
  }
  throw NotApplicable("'" + buffer->name + "' is no parameter of '" + function + "'");
}

bool has_blocks(const Stmt& stmt) {
  bool found = false;
  visit_stmt(stmt, [&](const Stmt& s) {
    found = found || s.as<Block>();
    return !found;
  });
  return found;
}

/// One index for each dimension, of its type, and a condition on them that reads no memory.
void demand_cells(const Buffer& buffer, const std::vector<Var>& indices, const Expr& where) {
  bool fits =
      indices.size() == buffer->ndim() && std::set<Var>(indices.begin(), indices.end()).size() == indices.size();
  for (size_t d = 0; fits && d < indices.size(); ++d) fits = indices[d].dtype() == buffer->shape[d]->dtype;
  if (!fits) throw NotApplicable("the indices are not those of '" + buffer->name + "'");
  if (where->dtype != kBool || is_data(where)) throw NotApplicable("the cells are told by no condition on indices");
}

}  // namespace

JointChange expose_cells(const ModuleDerivation& module, const std::string& function, const ExposeCellsArgs& args) {
  const auto& [buffer, indices, where, value] = args;
  PrimFunc func = callee(module.current(), function, buffer);
  demand_cells(buffer, indices, where);
  if (value->dtype != buffer->dtype || (is_data(value) && value->op != Op::Undef))
    throw NotApplicable("the value is none that the cells of '" + buffer->name + "' can be told to hold");
  bool any = value->op == Op::Undef;
  const Padding padding = {.kind = any ? Padding::Kind::Undefined : Padding::Kind::Value,
                           .indices = indices,
                           .predicate = where,
                           .value = any ? Expr() : value};
  func.body = in_front(func.body, assume_stage(buffer, padding));
  return {.extended = {}, .replaced = {func}, .interface = {}};
}

JointChange permit_cells(const ModuleDerivation& module, const std::string& function, const PermitCellsArgs& args) {
  const auto& [buffer, indices, where] = args;
  PrimFunc func = callee(module.current(), function, buffer);
  demand_cells(buffer, indices, where);
  if (!stores_to_buffer(func.body, buffer)) {
    throw NotApplicable("'" + function + "' does not write '" + buffer->name + "'");
  }
  const Padding padding = {.kind = Padding::Kind::Undefined, .indices = indices, .predicate = where};
  func.body = behind_last_write(func.body, buffer, pad_stage(buffer, padding, has_blocks(func.body)));
  return {.extended = {}, .replaced = {func}, .interface = {}};
}

}  // namespace hexproof
