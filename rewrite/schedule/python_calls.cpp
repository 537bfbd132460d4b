// Calls: the primitives with TVM's argument names, range, and functions of the schedule itself.
#include <algorithm>
#include <functional>

#include "rewrite/schedule/primitives.h"
#include "rewrite/schedule/python.h"
#include "rewrite/schedule/suggest_pad_value.h"

namespace hexproof::python {

namespace {

/// The arguments of one primitive, typed. Errors stand at the argument.
class Bound {
 public:
  /// `names`: the parameters; a leading '*' takes all that come by position. The first `required` must be given.
  Bound(const std::string& callee, const Arguments& args, const Span& span, const std::vector<std::string>& names,
        size_t required)
      : span_(span), callee_(callee) {
    size_t next = 0;
    for (const Arguments::One& one : args.list) {
      std::string name = one.keyword;
      if (name.empty() && !names.empty() && names[0][0] == '*') {
        rest_.push_back(one);
        continue;
      }
      if (name.empty()) {
        if (next == names.size()) throw Error(one.span, callee + " takes " + count(names.size()));
        name = names[next++];
      }
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        std::string hint = nearest_name(name, names);
        throw Error(one.span, callee + " has no argument '" + name + "'",
                    hint.empty() ? "" : "did you mean '" + hint + "'?");
      }
      if (!given_.emplace(name, one).second) throw Error(one.span, "the argument '" + name + "' is given twice");
    }
    for (size_t k = 0; k < required; ++k) {
      if (!given_.count(names[k])) throw Error(span, callee + " lacks its argument '" + names[k] + "'");
    }
  }

  const std::vector<Arguments::One>& rest() const { return rest_; }
  const Arguments::One* find(const std::string& name) const {
    auto it = given_.find(name);
    return it == given_.end() || it->second.value.as<None>() ? nullptr : &it->second;
  }
  const Arguments::One& at(const std::string& name) const {
    if (const Arguments::One* one = find(name)) return *one;
    throw Error(span_, callee_ + ": the argument '" + name + "' is None");
  }
  template <class T>
  const T& get(const std::string& name, const char* what) const {
    return as<T>(at(name), what);
  }
  template <class T>
  static const T& as(const Arguments::One& one, const char* what) {
    const T* value = one.value.as<T>();
    if (!value) throw Error(one.span, "expected " + std::string(what) + ", not " + describe(one.value));
    return *value;
  }
  /// An argument that is accepted only with this value (or not at all).
  void only(const std::string& name, bool accepted) const {
    const Arguments::One* one = find(name);
    if (!one) return;
    const bool* value = one->value.as<bool>();
    if (!value || *value != accepted) {
      throw Unsupported(one->span,
                        callee_ + ": '" + name + "' other than " + (accepted ? "True" : "False") + " is not supported");
    }
  }
  void none(const std::string& name) const {
    if (const Arguments::One* one = find(name))
      throw Unsupported(one->span, callee_ + ": '" + name + "' is not supported");
  }

 private:
  static std::string count(size_t n) { return std::to_string(n) + (n == 1 ? " argument" : " arguments"); }
  Span span_;
  std::string callee_;
  std::map<std::string, Arguments::One> given_;
  std::vector<Arguments::One> rest_;
};

BlockRef block_of(Schedule& schedule, const Arguments::One& one) {
  if (const std::string* name = one.value.as<std::string>()) return schedule.get_block(*name);
  return Bound::as<BlockRef>(one, "a block");
}

/// A block, or the nest of a loop in place of one.
BlockRef nest_of(Schedule& schedule, const Arguments::One& one) {
  if (const LoopRef* loop = one.value.as<LoopRef>()) return {.name = {}, .loop = loop->var};
  return block_of(schedule, one);
}

const LoopRef& loop_of(const Arguments::One& one) { return Bound::as<LoopRef>(one, "a loop"); }

/// Loops by position, one by one or in a list.
std::vector<LoopRef> loops_of(const std::vector<Arguments::One>& args) {
  std::vector<LoopRef> loops;
  for (const Arguments::One& one : args) {
    const Sequence* list = one.value.as<Sequence>();
    if (!list) {
      loops.push_back(loop_of(one));
      continue;
    }
    for (const Value& item : list->items) loops.push_back(loop_of({"", item, one.span}));
  }
  return loops;
}

/// "A", 0, ("read", 0), ("write", 0)
BufferChoice buffer_of(const Arguments::One& one) {
  if (const std::string* name = one.value.as<std::string>()) return {.name = *name};
  if (const int64_t* index = one.value.as<int64_t>()) return {.index = *index};
  const Sequence* pair = one.value.as<Sequence>();
  const std::string* kind = pair && pair->items.size() == 2 ? pair->items[0].as<std::string>() : nullptr;
  const int64_t* index = kind ? pair->items[1].as<int64_t>() : nullptr;
  if (!index || (*kind != "read" && *kind != "write")) {
    throw Error(one.span, "a buffer is its name, a position, or (\"read\", k) or (\"write\", k)");
  }
  return {.write = *kind == "write", .index = *index};
}

Value list_of(const std::vector<LoopRef>& loops) {
  Sequence out;
  for (const LoopRef& loop : loops) out.items.push_back({loop});
  return {out};
}

/// "IfElseStmt", tir.transform.HoistConditional.IfElseStmt, or a list of these.
uint8_t flags_of(const Arguments::One& one, const std::map<std::string, uint8_t>& names) {
  if (const Sequence* list = one.value.as<Sequence>()) {
    uint8_t out = 0;
    for (const Value& item : list->items) out = static_cast<uint8_t>(out | flags_of({"", item, one.span}, names));
    return out;
  }
  std::string text;
  if (const std::string* name = one.value.as<std::string>()) text = *name;
  if (const Name* name = one.value.as<Name>()) text = name->path.substr(name->path.rfind('.') + 1);
  auto it = names.find(text);
  if (it != names.end()) return it->second;
  std::vector<std::string> known;
  for (const auto& [name, flag] : names) known.push_back(name);
  throw Error(one.span, "'" + (text.empty() ? describe(one.value) : text) + "' is no flag here",
              nearest_names(text, known));
}

const std::map<std::string, uint8_t>& conditional_flags() {
  static const std::map<std::string, uint8_t> names{{"None", 0},
                                                    {"IfElseStmt", flags({HoistConditional::IfElseStmt})},
                                                    {"IfElseExpr", flags({HoistConditional::IfElseExpr})},
                                                    {"BooleanExpression", flags({HoistConditional::BooleanExpression})},
                                                    {"UsingBlockVar", flags({HoistConditional::UsingBlockVar})}};
  return names;
}

const std::map<std::string, uint8_t>& binding_flags() {
  static const std::map<std::string, uint8_t> names{
      {"None", 0},
      {"RequiredByConditional", flags({HoistLetBinding::RequiredByConditional})},
      {"RequiredByCondition", flags({HoistLetBinding::RequiredByConditional})},
      {"LetStmt", flags({HoistLetBinding::LetStmt})},
      {"LetExpr", flags({HoistLetBinding::LetExpr})}};
  return names;
}

}  // namespace

Value Evaluator::call(const Value& callee, const Token& start, const Token& where) {
  Depth depth(*this, where);
  count_step(where);
  if (const Name* name = callee.as<Name>()) {
    if (name->path == "range" || name->path == "len") {
      Arguments args = call_arguments();
      if (name->path == "len") {
        Bound bound("len", args, span(start), {"value"}, 1);
        return {static_cast<int64_t>(bound.get<Sequence>("value", "a list").items.size())};
      }
      std::vector<int64_t> ends;
      for (const Arguments::One& one : args.list) {
        if (!one.keyword.empty()) throw Error(one.span, "range takes no keywords");
        ends.push_back(Bound::as<int64_t>(one, "an integer"));
      }
      if (ends.empty() || ends.size() > 3) fail(start, "range takes one to three integers");
      int64_t first = ends.size() > 1 ? ends[0] : 0, last = ends.size() > 1 ? ends[1] : ends[0];
      int64_t step = ends.size() > 2 ? ends[2] : 1;
      if (step == 0) fail(start, "the step of a range is zero");
      Sequence out;
      for (Wide k = first; step > 0 ? k < last : k > last; k += step) {
        if (out.items.size() >= 10000) fail(start, "the range has more than 10000 items");
        out.items.push_back({static_cast<int64_t>(k)});
      }
      return {out};
    }
    bool makes_schedule = name->path == "Schedule" || (name->path.size() > 9 && name->path.ends_with(".Schedule"));
    if (makes_schedule || name->path.starts_with("sch.")) {
      skip_brackets();
      return makes_schedule ? Value{ScheduleObject{}} : callee;
    }
    if (makes_constant(name->path)) {
      Arguments args = call_arguments();
      if (std::optional<Value> value = constant_call(name->path, args, span(start))) return *value;
    }
    if (name->path.find("transform.") != std::string::npos) {
      std::string pass = name->path.substr(name->path.rfind('.') + 1);
      if (pass_by_name(pass)) {
        if (!call_arguments().list.empty()) throw Unsupported(span(start), "arguments of the pass '" + pass + "'");
        return {PassObject{pass}};
      }
    }
    throw Unsupported(span(start), "'" + name->path + "(...)' is not read in schedules");
  }
  Arguments args = call_arguments();
  if (const Function* f = callee.as<Function>()) return call_function(*f, args, span(start));
  const Method* method = callee.as<Method>();
  const PassObject* pass = callee.as<PassObject>();
  if (!method && !pass) fail(where, describe(callee) + " cannot be called");

  // The call as written, in one line.
  const Token& last = list_.tokens[at_ - 1];
  std::string text;
  for (const char* c = start.text.data(); c < last.text.data() + last.text.size(); ++c) {
    bool space = *c == ' ' || *c == '\n' || *c == '\t' || *c == '\r';
    if (!space || (!text.empty() && text.back() != ' ')) text += space ? ' ' : *c;
  }
  Span place = span(start);
  if (method && module_) {
    module_->at(text, place);
    if (std::optional<Value> value = call_module_primitive(method->name, args, place)) return *value;
  }
  Schedule& schedule = schedule_at(text, place);
  if (pass) {
    if (args.list.size() != 1) fail(where, "a pass is called with the module: sch.mod");
    schedule.apply_pass(pass->name);
    return {Name{"sch.mod"}};
  }
  return call_primitive(method->name, args, place);
}

Schedule& Evaluator::schedule_at(const std::string& text, const Span& place) {
  if (module_) module_->at(text, place);
  Schedule& schedule = module_ ? module_->chosen() : *schedule_;
  schedule.at(text, place);
  return schedule;
}

Value Evaluator::call_function(const Function& f, const Arguments& args, const Span& place) {
  size_t required = 0;
  while (required < f.params.size() && !f.defaults[required]) ++required;
  Bound bound(f.lambda ? "the lambda" : f.name, args, place, f.params, required);
  Scope scope = f.around ? *f.around : Scope{};
  for (size_t k = 0; k < f.params.size(); ++k) {
    const Arguments::One* one = bound.find(f.params[k]);
    scope[f.params[k]] = one ? one->value : f.defaults[k] ? *f.defaults[k] : Value{None{}};
  }
  size_t back = at_;
  scopes_.push_back(std::move(scope));
  at_ = f.body;
  Value result{None{}};
  if (f.lambda) {
    result = expression();
  } else {
    suite();
    if (returned_) result = std::move(*returned_);
    returned_.reset();
  }
  scopes_.pop_back();
  at_ = back;
  return result;
}

Value Evaluator::call_primitive(const std::string& name, const Arguments& args, const Span& place) {
  Schedule& s = module_ ? module_->chosen() : *schedule_;
  const Primitive* primitive = find_primitive(name);
  if (!primitive) {
    if (std::optional<std::string> instead = instead_of_primitive(name)) {
      throw Unsupported(place, "the schedule primitive '" + name + "' is not supported", *instead);
    }
    throw Error(place, "there is no schedule primitive '" + name + "'", nearest_names(name, primitive_names()));
  }
  auto bind = [&] { return Bound(name, args, place, primitive->parameter_names(), primitive->required()); };
  if (name == "show") return {None{}};
  if (name == "get_block") {
    Bound b = bind();
    return {s.get_block(b.get<std::string>("name", "the name of a block"))};
  }
  if (name == "get_loops") return list_of(s.get_loops(block_of(s, bind().at("block"))));
  if (name == "get_loop") {
    Bound b = bind();
    const Arguments::One* index = b.find("index");
    return {s.get_loop(b.get<std::string>("name", "the name of a loop variable"),
                       index ? std::optional(Bound::as<int64_t>(*index, "an integer")) : std::nullopt)};
  }
  if (name == "get_child_loops") return list_of(s.get_child_loops(nest_of(s, bind().at("block"))));
  if (name == "split") {
    Bound b = bind();
    std::vector<std::optional<int64_t>> factors;
    for (const Value& item : b.get<Sequence>("factors", "a list of factors").items) {
      if (item.as<None>()) {
        factors.push_back(std::nullopt);
      } else {
        factors.push_back(Bound::as<int64_t>({"", item, b.at("factors").span}, "an integer or None"));
      }
    }
    return list_of(s.split(loop_of(b.at("loop")), factors));
  }
  if (name == "fuse") return {s.fuse(loops_of(bind().rest()))};
  if (name == "reorder") {
    s.reorder(loops_of(bind().rest()));
    return {None{}};
  }
  if (name == "unroll" || name == "vectorize" || name == "parallel") {
    Bound b = bind();
    const LoopRef& loop = loop_of(b.at("loop"));
    name == "unroll" ? s.unroll(loop) : name == "vectorize" ? s.vectorize(loop) : s.parallel(loop);
    return {None{}};
  }
  if (name == "tensorize") {
    Bound b = bind();
    const Arguments::One& where = b.at("block_or_loop");
    if (!where.value.as<LoopRef>())
      throw Unsupported(where.span, "tensorize takes a loop", "get_loops(block)[-2], say");
    std::vector<std::string> unaligned;
    if (const Arguments::One* one = b.find("unaligned")) {
      for (const Value& item : Bound::as<Sequence>(*one, "a list of operands").items) {
        unaligned.push_back(Bound::as<std::string>({"", item, one->span}, "the name of an operand"));
      }
    }
    s.tensorize(loop_of(where), b.get<std::string>("tensor_intrin", "the name of an intrinsic"), unaligned);
    return {None{}};
  }
  if (name == "merge" || name == "merge_adjacent_loops") {
    std::vector<LoopRef> loops = loops_of(bind().rest());
    if (loops.size() < 2) throw Error(place, name + " takes at least two loops");
    for (size_t k = 1; k < loops.size(); ++k) {
      loops[0] = name == "merge" ? s.merge(loops[0], loops[k]) : s.merge_adjacent_loops(loops[0], loops[k]);
    }
    return {loops[0]};
  }
  if (name == "distribute") {
    Bound b = bind();
    return list_of(s.distribute(loop_of(b.at("loop")), b.get<int64_t>("count", "an integer")));
  }
  if (name == "transform_layout") {
    Bound b = bind();
    b.only("assume_injective_transform", false);
    IndexMap map = index_map(b.at("index_map").value, b.at("index_map").span);
    BlockRef block = block_of(s, b.at("block"));
    BufferChoice choice = buffer_of(b.at("buffer"));
    std::optional<Arg> pad;
    if (const Arguments::One* value = b.find("pad_value")) {
      Buffer chosen = module_ ? module_->buffer_of(block, choice) : s.buffer_of(block, choice);
      pad = pad_value(value->value, chosen, map.outputs.size(), value->span);
    }
    module_ ? module_->transform_layout(block, choice, map, pad) : s.transform_layout(block, choice, map, pad);
    return {None{}};
  }
  if (name == "suggest_pad_value") {
    Bound b = bind();
    IndexMap map = index_map(b.at("index_map").value, b.at("index_map").span);
    PadSuggestions found = s.suggest_pad_value(block_of(s, b.at("block")), buffer_of(b.at("buffer")), map);
    Sequence values;
    for (const std::optional<Expr>& value : found.usable()) {
      bool undefined = value && (*value)->op == Op::Undef;
      values.items.push_back(!value ? Value{None{}} : undefined ? Value{Undefined{(*value)->dtype}} : Value{*value});
    }
    return {values};
  }
  if (name == "elide_padding") {
    Bound b = bind();
    std::optional<LogicalLayout> logical;
    if (b.find("shape") || b.find("index_map")) {
      logical.emplace();
      for (const Value& item : b.get<Sequence>("shape", "a list of extents").items) {
        int64_t extent = Bound::as<int64_t>({"", item, b.at("shape").span}, "an integer");
        if (!fits_type(kInt32, extent)) throw Error(b.at("shape").span, "an extent is an int32");
        logical->shape.push_back(i32(extent));
      }
      logical->map = index_map(b.at("index_map").value, b.at("index_map").span);
    }
    s.elide_padding(block_of(s, b.at("block")), buffer_of(b.at("buffer")), logical);
    return {None{}};
  }
  if (name == "cache_read" || name == "cache_write") {
    bool write = name == "cache_write";
    std::string buffer = write ? "write_buffer_index" : "read_buffer_index";
    Bound b = bind();
    b.none("consumer_blocks");
    BlockRef block = block_of(s, b.at("block"));
    const std::string& scope = b.get<std::string>("storage_scope", "the name of a scope");
    BufferChoice choice = buffer_of(b.at(buffer));
    return {write ? s.cache_write(block, choice, scope) : s.cache_read(block, choice, scope)};
  }
  if (name == "compute_at") {
    Bound b = bind();
    b.only("preserve_unit_loops", false);
    if (const Arguments::One* index = b.find("index"); index && Bound::as<int64_t>(*index, "an integer") != -1) {
      throw Unsupported(index->span, name + ": an index other than -1 is not supported");
    }
    BlockRef block = block_of(s, b.at("block"));
    const LoopRef& loop = loop_of(b.at("loop"));
    s.compute_at(block, loop);
    return {None{}};
  }
  if (name == "sequential_buffer_access") {
    Bound b = bind();
    return list_of(s.sequential_buffer_access(nest_of(s, b.at("block")), buffer_of(b.at("buffer"))));
  }
  if (name == "decompose_reduction") {
    Bound b = bind();
    return {s.decompose_reduction(block_of(s, b.at("block")), loop_of(b.at("loop")))};
  }
  if (name == "eliminate_branch") {
    Bound b = bind();
    s.eliminate_branch(block_of(s, b.at("block")));
    return {None{}};
  }
  if (name == "fill_branch") {
    Bound b = bind();
    BlockRef block = block_of(s, b.at("block"));
    const std::string& buffer = b.get<std::string>("buffer", "the name of a buffer");
    const Arguments::One& value = b.at("value");
    std::optional<Arg> filled = pad_value(value.value, s.buffer_of(block, {.name = buffer}), 0, value.span);
    s.fill_branch(block, buffer, *filled);
    return {None{}};
  }
  if (name == "hoist_expression") {
    Bound b = bind();
    HoistOptions options;
    if (const Arguments::One* one = b.find("loop")) options.loop = loop_of(*one).var;
    if (const Arguments::One* one = b.find("out_of")) options.out_of = loop_of(*one).var;
    if (const Arguments::One* one = b.find("conditionals")) options.conditionals = flags_of(*one, conditional_flags());
    if (const Arguments::One* one = b.find("bindings")) options.bindings = flags_of(*one, binding_flags());
    s.hoist_expression(nest_of(s, b.at("block")), options);
    return {None{}};
  }
  if (name == "remove_branching_through_overcompute") {
    Bound b = bind();
    const Arguments::One* clamp = b.find("clamp");
    s.remove_branching_through_overcompute(nest_of(s, b.at("block")),
                                           !clamp || Bound::as<bool>(*clamp, "True or False"));
    return {None{}};
  }
  using OnBlock = void (Schedule::*)(const BlockRef&);
  static const std::map<std::string, OnBlock> on_block{
      {"hoist_index_expressions", &Schedule::hoist_index_expressions},
      {"reduce_loop_extents", &Schedule::reduce_loop_extents},
      {"remove_no_op", &Schedule::remove_no_op},
      {"separate_conditions", &Schedule::separate_conditions},
      {"simplify_conditions", &Schedule::simplify_conditions},
      {"merge_complementary_conditions", &Schedule::merge_complementary_conditions},
      {"remove_overcompute_through_branching", &Schedule::remove_overcompute_through_branching},
      {"introduce_conditionals", &Schedule::introduce_conditionals}};
  if (auto it = on_block.find(name); it != on_block.end()) {
    Bound b = bind();
    (s.*it->second)(nest_of(s, b.at("block")));
    return {None{}};
  }
  if (name == "apply_pass") {
    Bound b = bind();
    s.apply_pass(b.get<std::string>("name", "the name of a pass"));
    return {None{}};
  }
  using CleanUp = void (Schedule::*)();
  static const std::map<std::string, CleanUp> clean_up{{"simplify", &Schedule::simplify},
                                                       {"remove_branches", &Schedule::remove_branches},
                                                       {"remove_unit_loops", &Schedule::remove_unit_loops},
                                                       {"inline_lets", &Schedule::inline_lets},
                                                       {"lower_blocks", &Schedule::lower_blocks},
                                                       {"sink_allocations", &Schedule::sink_allocations},
                                                       {"compact_buffers", &Schedule::compact_buffers},
                                                       {"flatten_buffers", &Schedule::flatten_buffers},
                                                       {"flatten_buffer", &Schedule::flatten_buffers}};
  if (auto it = clean_up.find(name); it != clean_up.end()) {
    bind();
    (s.*it->second)();
    return {None{}};
  }
  for (const char* own : {"work_on", "hoist_stage", "expose", "permit"}) {
    if (name == own) throw Error(place, "sch." + name + " needs a module, not one function of it");
  }
  internal_error(__FILE__, __LINE__, "the primitive '" + name + "' is in the table and cannot be called");
}

}  // namespace hexproof::python
