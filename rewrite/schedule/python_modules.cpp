// work_on, hoist_stage, expose, permit: the primitives of modules.
#include <algorithm>

#include "rewrite/schedule/primitives.h"
#include "rewrite/schedule/python.h"

namespace hexproof::python {
namespace {

/// The arguments by their names, as the table of primitives has them; Error at the one that does not fit.
std::map<std::string, Arguments::One> named(const std::string& callee, const Arguments& args, const Span& place) {
  const std::vector<std::string> names = find_primitive(callee)->parameter_names();
  const size_t required = find_primitive(callee)->required();
  std::map<std::string, Arguments::One> out;
  size_t next = 0;
  for (const Arguments::One& one : args.list) {
    if (one.keyword.empty() && next == names.size()) {
      throw Error(one.span, "sch." + callee + " takes " + std::to_string(names.size()) + " arguments");
    }
    std::string name = one.keyword.empty() ? names[next++] : one.keyword;
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      throw Error(one.span, "sch." + callee + " has no argument '" + name + "'", nearest_names(name, names));
    }
    if (!out.emplace(name, one).second) throw Error(one.span, "the argument '" + name + "' is given twice");
  }
  for (size_t k = 0; k < required; ++k) {
    if (!out.count(names[k])) throw Error(place, "sch." + callee + " lacks its argument '" + names[k] + "'");
  }
  return out;
}

const std::string& text_of(const Arguments::One& one, const char* what) {
  const std::string* text = one.value.as<std::string>();
  if (!text) throw Error(one.span, "expected " + std::string(what) + ", not " + describe(one.value));
  return *text;
}

/// 2, or [1, 2].
std::vector<int> positions_of(const Arguments::One& one) {
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

}  // namespace

std::pair<std::vector<std::string>, std::string> Evaluator::written_lambda(const Value& value,
                                                                           const Span& place) const {
  const Function* f = value.as<Function>();
  if (!f || !f->lambda) throw Error(place, "a condition on cells is a lambda over the indices, not " + describe(value));
  int level = 0;
  size_t end = f->body;
  for (; end < list_.tokens.size(); ++end) {
    const Token& t = list_.tokens[end];
    if (t.kind == TokenKind::End || t.kind == TokenKind::Newline) break;
    if (level == 0 && (t.is(",") || t.is(")") || t.is("]") || t.is("}"))) break;
    if (t.is("(") || t.is("[") || t.is("{")) ++level;
    if (t.is(")") || t.is("]") || t.is("}")) --level;
  }
  const Token &first = list_.tokens[f->body], &last = list_.tokens[end - 1];
  std::string text(first.text.data(), last.text.data() + last.text.size());
  std::replace(text.begin(), text.end(), '\n', ' ');
  return {f->params, text};
}

std::optional<Value> Evaluator::call_module_primitive(const std::string& name, const Arguments& args,
                                                      const Span& place) {
  if (name == "work_on") {
    auto given = named(name, args, place);
    module_->work_on(text_of(given.at("func_name"), "the name of a function"));
    return Value{None{}};
  }
  if (name == "hoist_stage") {
    auto given = named(name, args, place);
    const Arguments::One& stage = given.at("stage");
    const std::string& function = text_of(given.at("name"), "the name of the new function");
    auto told = ModuleSchedule::ArgumentPromise::Nothing;
    if (auto it = given.find("expose"); it != given.end() && !it->second.value.as<None>()) {
      const std::string& what = text_of(it->second, "\"values\", \"undef\" or None");
      if (what != "values" && what != "undef") {
        throw Error(it->second.span, "what a stage exposes is \"values\", \"undef\" or None");
      }
      told = what == "values" ? ModuleSchedule::ArgumentPromise::Values : ModuleSchedule::ArgumentPromise::MayBeRead;
    }
    if (const LoopRef* loop = stage.value.as<LoopRef>()) {
      module_->hoist_stage(*loop, function, told);
    } else if (const BlockRef* block = stage.value.as<BlockRef>()) {
      module_->hoist_stage(*block, function, told);
    } else if (const std::string* block_name = stage.value.as<std::string>()) {
      module_->hoist_stage(BlockRef{*block_name}, function, told);
    } else {
      module_->hoist_stage(positions_of(stage), function, told);
    }
    return Value{None{}};
  }
  if (name == "expose" || name == "permit") {
    bool expose = name == "expose";
    auto given = named(name, args, place);
    const std::string& buffer = text_of(given.at("buffer"), "the name of a parameter");
    auto [indices, where] = written_lambda(given.at("where").value, given.at("where").span);
    if (!expose) {
      module_->permit(buffer, indices, where);
      return Value{None{}};
    }
    const Arguments::One& value = given.at("value");
    std::optional<Arg> told;
    if (const Function* f = value.value.as<Function>(); f || !value.value.as<None>()) {
      told = pad_value(value.value, module_->parameter(buffer), indices.size(), value.span);
    }
    if (!told) throw Error(value.span, "the cells hold a number, an expression over the indices, or T.undef()");
    module_->expose(buffer, indices, where, *told);
    return Value{None{}};
  }
  return std::nullopt;
}

}  // namespace hexproof::python
