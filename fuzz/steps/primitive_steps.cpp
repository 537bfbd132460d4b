#include "fuzz/steps/primitive_steps.h"

#include <map>
#include <set>

#include "fuzz/steps/described_nest.h"
#include "fuzz/steps/module_steps.h"
#include "fuzz/steps/mutate.h"
#include "fuzz/steps/proposers/proposers.h"
#include "ir/text/text.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "rewrite/schedule/primitives.h"
#include "rewrite/site/buffers.h"

namespace hexproof {
namespace {

using Json = nlohmann::ordered_json;

/// The key of an argument in a step, where "name" is that of the primitive.
std::string key_of(const std::string& parameter) { return parameter == "name" ? "name=" : parameter; }

/// The arguments of one call, made in the order of the parameters: a map fits the buffer or block that was chosen.
class CallMaker {
 public:
  CallMaker(Proposal& p, const Primitive& primitive) : p_(p), primitive_(primitive) {}

  Json make() {
    out_["name"] = primitive_.name;
    const std::vector<std::string> names = primitive_.parameter_names();
    for (size_t k = 0; k < names.size(); ++k) {
      if (k >= primitive_.required() && names[k][0] != '*' && !p_.choices.chance(50)) continue;
      if (std::optional<Json> value = value_of(names[k])) out_[key_of(names[k])] = *value;
    }
    return out_;
  }

 private:
  std::optional<Json> value_of(const std::string& parameter) {
    static const std::map<std::string, Json (CallMaker::*)()> makers = {
        {"block", &CallMaker::block},
        {"block_or_loop", &CallMaker::block_or_loop},
        {"target", &CallMaker::target},
        {"loop", &CallMaker::loop},
        {"out_of", &CallMaker::loop},
        {"*loops", &CallMaker::loops},
        {"*ordered_loops", &CallMaker::loops},
        {"factors", &CallMaker::factors},
        {"buffer", &CallMaker::buffer},
        {"read_buffer_index", &CallMaker::small},
        {"write_buffer_index", &CallMaker::small},
        {"buffer_index", &CallMaker::small},
        {"axis", &CallMaker::small},
        {"offset", &CallMaker::small},
        {"factor_axis", &CallMaker::small},
        {"cse_thresh", &CallMaker::small},
        {"factor", &CallMaker::factor},
        {"count", &CallMaker::factor},
        {"slots", &CallMaker::factor},
        {"memory_of", &CallMaker::buffer},
        {"ahead", &CallMaker::small},
        {"queue", &CallMaker::small},
        {"index", &CallMaker::index},
        {"storage_scope", &CallMaker::scope},
        {"thread_axis", &CallMaker::thread},
        {"index_map", &CallMaker::map},
        {"pad_value", &CallMaker::pad},
        {"value", &CallMaker::pad},
        {"padding", &CallMaker::padding},
        {"new_order", &CallMaker::order},
        {"axis_separators", &CallMaker::separators},
        {"ann_key", &CallMaker::key},
        {"ann_val", &CallMaker::small},
        {"dtype", &CallMaker::dtype},
        {"tensor_intrin", &CallMaker::intrinsic},
        {"func_name", &CallMaker::function},
        {"stage", &CallMaker::stage},
        {"name", &CallMaker::new_function},
        {"expose", &CallMaker::exposed},
        {"where", &CallMaker::where},
        {"clamp", &CallMaker::flag},
        {"preserve_unit_loops", &CallMaker::flag},
        {"preserve_unit_iters", &CallMaker::flag},
    };
    const auto found = makers.find(parameter);
    return found == makers.end() ? std::nullopt : std::optional((this->*found->second)());
  }

  Json named(const Path& at) {
    const For* loop = at_loop(at);
    if (!loop) return {{"loop", "none"}, {"index", 0}};
    int before = 0;
    for (const Path& other : p_.places.loops) {
      if (other == at) break;
      before += at_loop(other)->var.name() == loop->var.name();
    }
    return {{"loop", loop->var.name()}, {"index", before}};
  }
  const For* at_loop(const Path& at) const {
    return p_.places.loops.empty() ? nullptr : stmt_at(p_.func, at).as<For>();
  }

  Json block() {
    if (primitive_.name == "unannotate" && !annotated().empty())
      return stmt_at(p_.func, p_.choices.pick(annotated())).as<Block>()->name;
    if (p_.places.blocks.empty() || p_.choices.chance(20)) return "root";
    at_ = p_.choices.pick(p_.places.blocks);
    return stmt_at(p_.func, at_).as<Block>()->name;
  }
  /// Mostly one around the block, where the primitive splits what the block does.
  Json loop() {
    const bool elsewhere = primitive_.name == "compute_at" || primitive_.name == "reverse_compute_at";
    if (at_.empty() || elsewhere) return named(p_.at(p_.places.loops));
    const Path around = p_.around(at_);
    return named(at_loop(around) ? around : p_.at(p_.places.loops));
  }
  Json block_or_loop() { return p_.choices.chance(50) ? loop() : block(); }
  Json target() {
    if (p_.choices.chance(70)) return loop();
    const Json first = block();
    return Json::array({first, block()});
  }
  Json loops() {
    const bool siblings = primitive_.name.starts_with("merge");
    if (siblings) {
      const Path first = p_.at(p_.places.adjacent_loops, p_.places.loops);
      Path second = first;
      if (!second.empty()) ++second.back();
      const bool next =
          !p_.places.adjacent_loops.empty() && std::count(p_.places.loops.begin(), p_.places.loops.end(), second);
      return Json::array({named(first), named(next ? second : p_.at(p_.places.loops))});
    }
    Path outer = p_.at(p_.places.nests, p_.places.loops);
    std::vector<Json> out = {named(outer)};
    for (const uint32_t more = 1 + p_.choices.below(2); out.size() <= more;) {
      outer.push_back(0);
      if (!std::count(p_.places.loops.begin(), p_.places.loops.end(), outer)) break;
      out.push_back(named(outer));
    }
    if (primitive_.name == "reorder") std::rotate(out.begin(), out.begin() + 1, out.end());
    return out;
  }
  Json factors() {
    Json out = Json::array({nullptr, factor()});
    if (p_.choices.chance(30)) std::swap(out[0], out[1]);
    if (p_.choices.chance(25)) out.push_back(factor());
    if (p_.choices.chance(20)) out[0] = factor();
    return out;
  }
  Json buffer() {
    if (primitive_.name == "expose" || primitive_.name == "permit") {
      const std::vector<Buffer> parameters = p_.func.buffer_params();
      buffer_ = parameters.empty() ? p_.buffer() : p_.choices.pick(parameters);
    } else if (primitive_.name == "share_storage" && !p_.places.allocations.empty()) {
      buffer_ = p_.choices.pick(p_.places.allocations);
    } else if (at_.empty() || p_.choices.chance(10)) {
      buffer_ = p_.buffer();
    } else {  // one that the block touches
      const Stmt block = stmt_at(p_.func, at_);
      std::vector<Buffer> touched = buffers_read(block);
      for (const Buffer& written : buffers_stored(block)) touched.push_back(written);
      buffer_ = touched.empty() ? p_.buffer() : p_.choices.pick(touched);
    }
    return buffer_->name;
  }
  Json map() { return buffer_ ? p_.layout_text(buffer_) : at_.empty() ? "lambda i: [i]" : p_.block_map_text(at_); }
  Json pad() {
    switch (p_.choices.below(5)) {
      case 0:
        return Json{{"undef", true}};
      case 1:
        return nullptr;
      default:
        return static_cast<int64_t>(p_.choices.below(3)) - 1;
    }
  }
  Json padding() {
    Json out = Json::array();
    const Stmt at = at_.empty() ? Stmt() : stmt_at(p_.func, at_);
    const Block* block = at ? at.as<Block>() : nullptr;
    for (const IterVar& iter : block ? block->iters : std::vector<IterVar>{}) {
      const int64_t* n = as_int(iter.dom.extent);
      out.push_back(1 + static_cast<int64_t>(p_.choices.below(n && *n > 0 ? static_cast<uint32_t>(*n) + 2 : 4)));
    }
    return out;
  }
  Json order() {
    const Stmt at = at_.empty() ? Stmt() : stmt_at(p_.func, at_);
    const Block* block = at ? at.as<Block>() : nullptr;
    std::vector<int> out;
    for (size_t k = 0; k < (block ? block->iters.size() : 2); ++k) out.push_back(static_cast<int>(k));
    for (size_t k = 1; k < out.size(); ++k) std::swap(out[k], out[p_.choices.below(static_cast<uint32_t>(k + 1))]);
    return out;
  }
  Json separators() { return Json::array({1 + p_.choices.below(2)}); }
  /// Blocks with a note.
  std::vector<Path> annotated() const {
    std::vector<Path> out;
    for (const Path& at : p_.places.blocks) {
      if (!stmt_at(p_.func, at).as<Block>()->annotations.empty()) out.push_back(at);
    }
    return out;
  }
  Json key() { return p_.choices.chance(80) ? "pragma_note" : "double_buffer_scope"; }
  Json intrinsic() {
    if (p_.choices.chance(50)) {
      const Path at = p_.at(p_.places.constant_loops, p_.places.loops);
      out_["block_or_loop"] = named(at);
      if (std::optional<PrimFunc> description = description_of_nest(p_.func, at)) {
        const bool slip = p_.choices.chance(40);
        const uint32_t which = p_.choices.below(64);
        if (p_.choices.chance(10)) {
          return {{"description", print(with_smaller_operand(*description, which).value_or(*description))}};
        }
        std::optional<Mutant> other = slip ? some_mutant(*description, which) : std::nullopt;
        return {{"description", print(other ? other->program : *description)}};
      }
    }
    const std::vector<std::pair<Path, std::string>> fitting = fitting_intrinsics(p_);
    if (fitting.empty() || p_.choices.chance(20)) return p_.choices.pick(all_intrinsics())->name;
    const auto& [at, name] = p_.choices.pick(fitting);
    out_["block_or_loop"] = named(at);
    return name;
  }
  // Of modules
  std::string hoisted() { return kHoisted + std::to_string(p_.choices.below(2)); }
  Json function() { return p_.choices.chance(65) ? hoisted() : std::string("main"); }
  Json new_function() { return hoisted(); }
  Json exposed() { return p_.choices.pick(std::vector<std::string>{"values", "undef"}); }
  /// A block, a loop, or positions of neighbouring statements.
  Json stage() {
    if (p_.choices.chance(60)) return block_or_loop();
    const int64_t first = p_.choices.below(3);
    return p_.choices.chance(50) ? Json(first) : Json::array({first, first + 1});
  }
  Json where() {
    Json indices = Json::array();
    for (size_t d = 0; d < buffer_->ndim(); ++d) indices.push_back("i" + std::to_string(d));
    if (indices.empty()) return {{"indices", indices}, {"condition", "True"}};
    const uint32_t d = p_.choices.below(static_cast<uint32_t>(indices.size()));
    const int64_t* n = as_int(buffer_->shape[d]);
    const std::string index = indices[d].get<std::string>(), end = std::to_string(n ? *n - 1 : 3);
    const std::vector<std::string> conditions = {index + " == 0", index + " < 2", index + " >= " + end,
                                                 index + " % 2 == 1", index + " < " + end};
    return {{"indices", indices}, {"condition", p_.choices.pick(conditions)}};
  }

  Json scope() { return p_.choices.pick(std::vector<std::string>{"global", "local", "global.vtcm", "shared"}); }
  Json thread() { return p_.choices.pick(std::vector<std::string>{"threadIdx.x", "blockIdx.x", "threadIdx.y"}); }
  Json dtype() { return p_.choices.pick(std::vector<std::string>{"int8", "int16", "int64", "uint8", "float64"}); }
  Json small() { return static_cast<int64_t>(p_.choices.chance(60) ? 0 : p_.choices.below(3)); }
  Json factor() { return static_cast<int64_t>(1 + p_.choices.below(5)); }
  Json index() { return static_cast<int64_t>(p_.choices.below(4)) - 2; }
  Json flag() { return p_.choices.chance(50); }

  Proposal& p_;
  const Primitive& primitive_;
  Json out_ = Json::object();
  Path at_ = {};        // of the block that was chosen
  Buffer buffer_ = {};  // that was chosen
};

/// "lambda i, j: [...]" as a function that a front end would hand over.
calls::Value callable_of(const std::string& text) {
  const IndexMap map = index_map_of(text);
  auto f = std::make_shared<calls::Callable>();
  f->name = "lambda";
  for (const Var& input : map.inputs) f->params.push_back(input.name());
  f->call = [map](const std::vector<calls::Value>& values, const auto&) {
    VarMap to;
    for (size_t k = 0; k < values.size(); ++k) to.emplace(map.inputs.at(k), *values[k].as<Expr>());
    calls::Sequence out;
    for (const Expr& e : map.outputs) out.items.push_back({substitute(e, to)});
    return calls::Value{out};
  };
  return {std::shared_ptr<const calls::Callable>(f)};
}

/// "lambda i: i < 3", of which nothing but the words is looked at.
calls::Value condition_of(const Json& json) {
  auto f = std::make_shared<calls::Callable>();
  f->name = "lambda", f->body = json.at("condition").get<std::string>();
  f->params = json.at("indices").get<std::vector<std::string>>();
  return {std::shared_ptr<const calls::Callable>(f)};
}

calls::Value value_of(const Json& json, Schedule& schedule) {
  if (json.is_null()) return {calls::None{}};
  if (json.is_boolean()) return {json.get<bool>()};
  if (json.is_number_integer()) return {json.get<int64_t>()};
  if (json.is_string()) {
    const std::string text = json.get<std::string>();
    return text.starts_with("lambda ") ? callable_of(text) : calls::Value{text};
  }
  if (json.is_object() && json.contains("loop")) {
    return {schedule.get_loop(json.at("loop").get<std::string>(), json.value("index", int64_t{0}))};
  }
  if (json.is_object() && json.contains("undef")) return {calls::Undefined{}};
  if (json.is_object() && json.contains("condition")) return condition_of(json);
  if (json.is_object() && json.contains("description"))
    return {registered_description(json.at("description").get<std::string>())};
  if (!json.is_array()) throw Error("no argument of a primitive: " + json.dump());
  calls::Sequence out;
  for (const Json& item : json) out.items.push_back(value_of(item, schedule));
  return {out};
}

}  // namespace

const std::vector<std::string>& campaign_primitives() {
  static const std::vector<std::string> names = [] {
    // No rule stands behind them in the table, and yet they change programs. (apply_pass is the step "pass".)
    std::set<std::string_view> others = {"separate_conditions", "simplify_conditions"};
    others.insert(module_primitives().begin(), module_primitives().end());
    std::vector<std::string> out;
    for (const Primitive& one : primitives()) {
      if (!one.rules.empty() || others.count(one.name)) out.emplace_back(one.name);
    }
    return out;
  }();
  return names;
}

const std::vector<std::string>& function_primitives() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out = campaign_primitives();
    for (const std::string& name : module_primitives()) std::erase(out, name);
    return out;
  }();
  return names;
}

StepRequest random_primitive(Proposal& p, const std::string& name) {
  return {"primitive", CallMaker(p, *find_primitive(name)).make()};
}

void call_primitive_of_step(const calls::Target& target, const nlohmann::ordered_json& args) {
  Schedule& schedule = target.module ? target.module->chosen() : *target.schedule;
  const std::string name = args.at("name").get<std::string>();
  std::vector<calls::Argument> arguments;
  for (const auto& [parameter, value] : args.items()) {
    if (parameter == "name") continue;
    if (parameter[0] != '*') {
      arguments.push_back({parameter == key_of("name") ? "name" : parameter, value_of(value, schedule), {}});
      continue;
    }
    for (const Json& item : value) arguments.push_back({"", value_of(item, schedule), {}});
  }
  const PrimFunc before = schedule.func();
  calls::call_primitive(target, name, arguments, "sch." + name, {});
  if (name != "tensorize" || !args.at("tensor_intrin").is_object()) return;
  // What was taken for the nest computes what the nest computes.
  const LoopRef* nest = arguments.at(0).value.as<LoopRef>();
  const std::optional<Path> at = nest ? find_loop(before, nest->var) : std::nullopt;
  const std::string text = args.at("tensor_intrin").at("description").get<std::string>();
  const std::string difference = at ? difference_from_nest(before, *at, text) : "";
  if (!difference.empty()) throw std::runtime_error("the description is not the nest: " + difference);
  const std::string error = error_of_description(text);
  if (!error.empty()) throw std::runtime_error("the description has an error: " + error);
}

void apply_primitive(Derivation& derivation, const nlohmann::ordered_json& args, Prover& prover) {
  Schedule schedule(derivation, prover);
  call_primitive_of_step({.schedule = &schedule}, args);
}

std::optional<StepRequest> RandomPrimitives::operator()(const PrimFunc& current) {
  if (left_-- <= 0) return std::nullopt;
  Places places(current);
  Proposal proposal{choices_, places, current};
  // What has to come first, where no program is made for it.
  static const std::map<std::string, std::vector<std::string>> kBefore = {
      {"unannotate", {"annotate"}},
      {"elide_padding", {"cache_read", "transform_layout"}},
  };
  const size_t taken = taken_++;
  const auto before = kBefore.find(wanted_);
  if (before != kBefore.end() && taken < before->second.size())
    return random_primitive(proposal, before->second[taken]);
  const bool any = wanted_.empty() || choices_.chance(50);
  return random_primitive(proposal, any ? choices_.pick(function_primitives()) : wanted_);
}

}  // namespace hexproof
