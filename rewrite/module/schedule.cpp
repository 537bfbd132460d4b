#include "rewrite/module/schedule.h"

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/layout/pad_value.h"
#include "rewrite/memory/cache_stage.h"
#include "rewrite/site/places.h"

namespace hexproof {

ModuleSchedule::ModuleSchedule(ModuleDerivation& module, Prover& prover) : module_(module), prover_(prover) {
  std::vector<std::string> names = module.names();
  if (names.size() == 1) chosen_ = names[0];
  for (const std::string& name : names) {
    if (name == "main") chosen_ = name;
  }
}

void ModuleSchedule::fail(const std::string& message, const std::string& hint) const {
  if (span_) throw Error(span_, message, hint);
  throw Error((primitive_.empty() ? "" : primitive_ + ": ") + message + (hint.empty() ? "" : " (" + hint + ")"));
}

void ModuleSchedule::at(const std::string& primitive, const Span& span) {
  primitive_ = primitive, span_ = span;
  for (auto& [name, schedule] : schedules_) schedule->at(primitive, span);
}

void ModuleSchedule::work_on(const std::string& function) {
  std::vector<std::string> names = module_.names();
  if (std::find(names.begin(), names.end(), function) == names.end()) {
    fail("the module has no function '" + function + "'", nearest_names(function, names));
  }
  chosen_ = function;
}

Schedule& ModuleSchedule::chosen() {
  if (chosen_.empty()) fail("the module has several functions", "choose one with sch.work_on(\"name\")");
  std::unique_ptr<Schedule>& schedule = schedules_[chosen_];
  if (!schedule) {
    schedule = std::make_unique<Schedule>(module_.function(chosen_), prover_);
    schedule->at(primitive_, span_);
  }
  return *schedule;
}

Buffer ModuleSchedule::buffer_of(const BlockRef& block, const BufferChoice& buffer) {
  Schedule& schedule = chosen();
  if (buffer.name.empty() || !has_calls(schedule.func())) return schedule.buffer_of(block, buffer);
  std::vector<Buffer> owned = schedule.func().buffer_params();
  visit_stmt(schedule.func().body, [&](const Stmt& s) {
    if (const AllocBuffer* a = s.as<AllocBuffer>()) owned.push_back(a->buffer);
    return true;
  });
  Buffer found;
  std::vector<std::string> names;
  for (const Buffer& b : owned) {
    if (b->name == buffer.name && found) fail("'" + chosen_ + "' has several buffers named '" + buffer.name + "'");
    if (b->name == buffer.name) found = b;
    names.push_back(b->name);
  }
  if (!found) fail("'" + chosen_ + "' has no buffer '" + buffer.name + "'", nearest_names(buffer.name, names));
  return found;
}

void ModuleSchedule::joint(const std::string& function, const std::function<RuleCall()>& call) {
  try {
    module_.apply(joint_change(module_, function, call(), prover_, primitive_, span_), prover_, primitive_, span_);
  } catch (const PrimitiveRefused&) {
    throw;
  } catch (const Refused& refused) {
    throw PrimitiveRefused(span_, primitive_, refused);
  } catch (const NotApplicable& error) {
    fail(error.what());
  }
  // The chains may stand elsewhere now.
  schedules_.clear();
}

void ModuleSchedule::transform_layout(const BlockRef& block, const BufferChoice& choice, const IndexMap& map,
                                      const std::optional<PadArg>& pad) {
  Buffer buffer = buffer_of(block, choice);
  if (!is_shared(module_.current(), chosen_, buffer)) return chosen().transform_layout(block, choice, map, pad);
  if (map.inputs.size() != buffer->ndim()) {
    fail("the index map takes " + std::to_string(map.inputs.size()) + " indices, but '" + buffer->name + "' has " +
         std::to_string(buffer->ndim()));
  }
  joint(chosen_, [&] { return SharedLayoutArgs{.buffer = buffer, .map = map, .pad_value = pad}; });
}

/// `positions`: of the stages; empty for the one that the place is in.
void ModuleSchedule::hoist_at(const Path& path, const std::vector<int>& positions, const std::string& name,
                              ArgumentPromise told) {
  const Stage stage = stage_around(chosen().func(), path);
  const std::vector<int> parts = positions.empty() ? std::vector<int>{std::max(stage.index, 0)} : positions;
  const ModuleDerivation saved = module_;
  joint(chosen_, [&] { return HoistStageArgs{.seq = stage.seq, .parts = parts, .name = name}; });
  if (told == ArgumentPromise::Nothing) return;
  try {
    joint(name, [&] { return ExposeKnownArgs{.values = told == ArgumentPromise::Values}; });
  } catch (...) {
    schedules_.clear();
    module_ = saved;
    throw;
  }
}

void ModuleSchedule::hoist_stage(const BlockRef& block, const std::string& name, ArgumentPromise told) {
  if (block.loop) return hoist_stage(LoopRef{block.loop}, name, told);
  chosen().get_block(block.name);
  std::vector<Path> found = find_blocks(chosen().func(), block.name);
  if (found.size() != 1) fail("there is no block '" + block.name + "' to hoist");
  hoist_at(found[0], {}, name, told);
}

void ModuleSchedule::hoist_stage(const LoopRef& loop, const std::string& name, ArgumentPromise told) {
  std::optional<Path> path = find_loop(chosen().func(), loop.var);
  if (!path) fail("the loop '" + loop.var.name() + "' is gone: another primitive has replaced it");
  hoist_at(*path, {}, name, told);
}

void ModuleSchedule::hoist_stage(const std::vector<int>& positions, const std::string& name, ArgumentPromise told) {
  if (positions.empty()) fail("there is no stage to hoist");
  // Any statement will do to find the sequence of stages: the first one at the top.
  Path path;
  for (Stmt s = chosen().func().body; !children(s).empty(); s = children(s)[0]) path.push_back(0);
  hoist_at(path, positions, name, told);
}

Buffer ModuleSchedule::parameter(const std::string& name) const {
  const PrimFunc& func = module_.function(chosen_).current();
  std::vector<std::string> names;
  for (const Buffer& b : func.buffer_params()) {
    if (b->name == name) return b;
    names.push_back(b->name);
  }
  fail("'" + chosen_ + "' has no parameter '" + name + "'", nearest_names(name, names));
}

ModuleSchedule::CellsWhere ModuleSchedule::cells(const Buffer& buffer, const std::vector<std::string>& indices,
                                                 const std::string& where) const {
  if (indices.size() != buffer->ndim()) {
    fail("the condition takes " + std::to_string(indices.size()) + " indices, but '" + buffer->name + "' has " +
         std::to_string(buffer->ndim()));
  }
  const PrimFunc& func = module_.function(chosen_).current();
  std::string header;
  std::vector<Var> scalars;
  for (size_t d = 0; d < indices.size(); ++d) {
    header += indices[d] + ": T." + buffer->shape[d]->dtype.str() + ", ";
  }
  for (const Var& v : func.scalars()) {
    if (std::find(indices.begin(), indices.end(), v.name()) != indices.end()) continue;
    header += v.name() + ": T." + v.dtype().str() + ", ";
    scalars.push_back(v);
  }
  Expr condition;
  PrimFunc parsed;
  try {
    parsed = parse_module("def f(" + header + "):\n    T.evaluate(" + where + ")\n", "<where>").functions.at(0);
    if (const Evaluate* e = parsed.body.as<Evaluate>()) condition = e->value;
  } catch (const std::exception&) {
    // Below.
  }
  if (!condition || condition->dtype != kBool) {
    fail("'" + where + "' is no condition over the indices and the scalars of '" + chosen_ + "'");
  }
  CellsWhere out;
  VarMap same;
  for (size_t k = 0; k < parsed.params.size(); ++k) {
    if (k < indices.size()) {
      out.indices.push_back(parsed.params[k].var);
    } else {
      same.emplace(parsed.params[k].var, Expr(scalars.at(k - indices.size())));
    }
  }
  out.where = substitute(condition, same);
  return out;
}

void ModuleSchedule::expose(const std::string& name, const std::vector<std::string>& indices, const std::string& where,
                            const PadArg& value) {
  chosen();
  Buffer buffer = parameter(name);
  joint(chosen_, [&]() -> RuleCall {
    Padding asked = padding_arg(value, buffer, indices);
    bool any = asked.kind == Padding::Kind::Undefined;
    CellsWhere told = cells(buffer, indices, where);
    VarMap same;
    for (size_t d = 0; d < asked.indices.size(); ++d) same.emplace(asked.indices[d], Expr(told.indices.at(d)));
    return ExposeCellsArgs{.buffer = buffer,
                           .indices = told.indices,
                           .where = told.where,
                           .value = any ? undef(buffer->dtype) : substitute(asked.value, same)};
  });
}

void ModuleSchedule::permit(const std::string& name, const std::vector<std::string>& indices,
                            const std::string& where) {
  chosen();
  Buffer buffer = parameter(name);
  joint(chosen_, [&] {
    const CellsWhere told = cells(buffer, indices, where);
    return PermitCellsArgs{.buffer = buffer, .indices = told.indices, .where = told.where};
  });
}

}  // namespace hexproof
