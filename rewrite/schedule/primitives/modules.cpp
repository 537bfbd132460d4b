// Modules: which function is worked on, and what functions promise one another.
#include "rewrite/schedule/bound.h"

namespace hexproof::calls {
namespace {

/// 2, or [1, 2].
std::vector<int> positions_of(const Argument& one) {
  Sequence single{.items = {one.value}, .tuple = true};
  const Sequence* list = one.value.as<Sequence>();
  std::vector<int> out;
  for (const Value& item : (list ? *list : single).items) {
    const int64_t* number = item.as<int64_t>();
    if (!number || *number < 0 || *number > 1'000'000) {
      throw Error(one.span, "a stage is a block, its name, a loop, or positions of statements, not " + describe(item));
    }
    out.push_back(static_cast<int>(*number));
  }
  return out;
}

/// The argument "where": a condition over indices, as it is written.
const Callable& condition_of(const PrimitiveCall& c) {
  const Argument& one = c.args.at("where");
  const Callable* f = one.value.callable();
  if (!f || f->body.empty() || f->rest) {
    throw Error(one.span, "a condition on cells is a lambda over the indices, not " + describe(one.value));
  }
  return *f;
}

}  // namespace

Value work_on(PrimitiveCall& c) {
  const std::string& only = c.args.text("func_name", "the name of a function");
  if (!c.target.module && only == c.schedule().func().name) return {None{}};
  c.module().work_on(c.args.text("func_name", "the name of a function"));
  return {None{}};
}

Value hoist_stage(PrimitiveCall& c) {
  ModuleSchedule& module = c.module();
  const Argument& stage = c.args.at("stage");
  const std::string& function = c.args.text("name", "the name of the new function");
  auto told = ModuleSchedule::ArgumentPromise::Nothing;
  if (const Argument* expose = c.args.find("expose")) {
    const std::string& exposed = Bound::as<std::string>(*expose, "\"values\", \"undef\" or None");
    if (exposed != "values" && exposed != "undef") {
      throw Error(expose->span, "what a stage exposes is \"values\", \"undef\" or None");
    }
    told = exposed == "values" ? ModuleSchedule::ArgumentPromise::Values : ModuleSchedule::ArgumentPromise::MayBeRead;
  }
  if (const LoopRef* loop = stage.value.as<LoopRef>()) {
    module.hoist_stage(*loop, function, told);
  } else if (const BlockRef* block = stage.value.as<BlockRef>()) {
    module.hoist_stage(*block, function, told);
  } else if (const std::string* block_name = stage.value.as<std::string>()) {
    module.hoist_stage(BlockRef{*block_name}, function, told);
  } else {
    module.hoist_stage(positions_of(stage), function, told);
  }
  return {None{}};
}

Value expose(PrimitiveCall& c) {
  ModuleSchedule& module = c.module();
  const std::string& buffer = c.args.text("buffer", "the name of a parameter");
  const Callable& where = condition_of(c);
  const char* what = "the cells hold a number, an expression over the indices, or T.undef()";
  const Argument* value = c.args.find("value");
  if (!value) throw Error(c.span, what);
  std::optional<PadArg> told = pad_value(value->value, module.parameter(buffer), where.params.size(), value->span);
  if (!told) throw Error(value->span, what);
  module.expose(buffer, where.params, where.body, *told);
  return {None{}};
}

Value permit(PrimitiveCall& c) {
  ModuleSchedule& module = c.module();
  const std::string& buffer = c.args.text("buffer", "the name of a parameter");
  const Callable& where = condition_of(c);
  module.permit(buffer, where.params, where.body);
  return {None{}};
}

}  // namespace hexproof::calls
