#include "rewrite/schedule/call.h"

#include "rewrite/layout/pad_value.h"
#include "rewrite/schedule/bound.h"

namespace hexproof::calls {

std::string describe(const Value& value) {
  struct Describe {
    std::string operator()(const None&) const { return "None"; }
    std::string operator()(bool) const { return "a bool"; }
    std::string operator()(int64_t) const { return "an integer"; }
    std::string operator()(double) const { return "a float"; }
    std::string operator()(const std::string&) const { return "a string"; }
    std::string operator()(const Expr&) const { return "an index"; }
    std::string operator()(const Sequence& s) const { return s.tuple ? "a tuple" : "a list"; }
    std::string operator()(const BlockRef&) const { return "a block"; }
    std::string operator()(const LoopRef&) const { return "a loop"; }
    std::string operator()(const AxisSeparator&) const { return "an axis separator"; }
    std::string operator()(const Undefined&) const { return "undef"; }
    std::string operator()(const TransformedBuffer& b) const { return "the buffer '" + b.name + "'"; }
    std::string operator()(const Name& n) const { return "'" + n.path + "'"; }
    std::string operator()(const Foreign& f) const { return f.what; }
    std::string operator()(const std::shared_ptr<const Callable>& f) const {
      return f->name == "lambda" ? "a lambda" : "the function '" + f->name + "'";
    }
  };
  return std::visit(Describe{}, value.v);
}

Value list_of(const std::vector<LoopRef>& loops) {
  Sequence out;
  for (const LoopRef& loop : loops) out.items.push_back({loop});
  return {out};
}

Value cell_of(const TransformedBuffer& buffer, const std::vector<Value>& indices, const Span& span) {
  std::vector<Expr> at;
  for (const Value& item : indices) {
    const int64_t* number = item.as<int64_t>();
    const Expr* e = item.as<Expr>();
    if (number && fits_type(kInt32, *number)) {
      at.push_back(i32(*number));
    } else if (e && (*e)->dtype == kInt32) {
      at.push_back(*e);
    } else {
      throw Error(span, "an index is an integer, not " + describe(item));
    }
  }
  if (at.size() != buffer.ndim) {
    throw Error(span, "'" + buffer.name + "' has " + std::to_string(buffer.ndim) + " dimensions in the new layout");
  }
  return {hexproof::call(buffer.dtype, kTransformedCell, at)};
}

Schedule& PrimitiveCall::schedule() const {
  Schedule& schedule = target.module ? target.module->chosen() : *target.schedule;
  schedule.at(text, span);
  return schedule;
}

ModuleSchedule& PrimitiveCall::module() const {
  if (!target.module) throw Error(span, "sch." + name() + " needs a module, not one function of it");
  return *target.module;
}

BlockRef PrimitiveCall::block(const std::string& parameter) const {
  const Argument& one = args.at(parameter);
  if (const std::string* name = one.value.as<std::string>()) return schedule().get_block(*name);
  return Bound::as<BlockRef>(one, "a block");
}

BlockRef PrimitiveCall::nest(const std::string& parameter) const {
  if (const LoopRef* loop = args.at(parameter).value.as<LoopRef>()) return {.name = {}, .loop = loop->var};
  return block(parameter);
}

Value call_primitive(const Target& target, const std::string& name, const std::vector<Argument>& arguments,
                     const std::string& text, const Span& place) {
  const Primitive* primitive = find_primitive(name);
  if (!primitive) {
    if (std::optional<std::string> instead = instead_of_primitive(name)) {
      throw Unsupported(place, "the schedule primitive '" + name + "' is not supported", *instead);
    }
    throw Error(place, "there is no schedule primitive '" + name + "'", nearest_names(name, primitive_names()));
  }
  if (target.module) target.module->at(text, place);
  PrimitiveCall call{*primitive, target, text, place,
                     Bound(name, arguments, place, primitive->parameter_names(), primitive->required())};
  return primitive->run(call);
}

}  // namespace hexproof::calls
