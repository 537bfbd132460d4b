// Statements that open a scope: loops, memory, views, threads, attributes.
#include "ir/notes/async_queues.h"
#include "ir/reinterpret.h"
#include "ir/text/parse/parser.h"

namespace hexproof::text {

Wrap Parser::loop(const Call& call, const std::vector<std::pair<std::string, Span>>& targets, const Span& at) {
  Value zero{Wide{0}, at};
  struct Level {
    Var var;
    Range range;
  };
  std::vector<Level> levels;
  auto level = [&](size_t i, Range range) {
    Var var = Var::fresh(targets[i].first, range.min->dtype);
    levels.push_back({var, range});
  };
  auto bind_all = [&] {
    for (size_t i = 0; i < levels.size(); ++i) {
      function_->loops[levels[i].var] = levels[i].range;
      bind(targets[i].first, Value{Expr(levels[i].var), targets[i].second}, targets[i].second);
    }
  };
  auto count = [&](size_t wanted) {
    if (targets.size() != wanted) {
      throw Error(at, "the loop has " + std::to_string(targets.size()) + " variables for " + std::to_string(wanted) +
                          " extents");
    }
  };
  if (call.name == "T.grid") {
    if (!call.keywords->empty()) throw Error(at, "T.grid takes extents only");
    if (call.args->empty()) throw Error(at, "T.grid needs an extent");
    count(call.args->size());
    for (size_t i = 0; i < call.args->size(); ++i) level(i, to_range(zero, (*call.args)[i], "the extent of a loop"));
    bind_all();
    return [=](Stmt body) {
      for (size_t i = levels.size(); i-- > 0;) {
        body = make_stmt(For{levels[i].var, levels[i].range.min, levels[i].range.extent, ForKind::Serial, body}, at);
      }
      return body;
    };
  }
  static const std::map<std::string, ForKind> kKinds = {
      {"range", ForKind::Serial},        {"T.serial", ForKind::Serial},
      {"T.parallel", ForKind::Parallel}, {"T.vectorized", ForKind::Vectorized},
      {"T.unroll", ForKind::Unrolled},   {"T.thread_binding", ForKind::ThreadBinding}};
  auto kind = kKinds.find(call.name);
  if (kind == kKinds.end()) throw Error(at, "a loop does not run over '" + call.name + "'");
  count(1);
  bool threads = kind->second == ForKind::ThreadBinding;
  Arguments a = threads ? arguments(call, at, {"start", "stop", "thread", "annotations"}, 1)
                        : arguments(call, at, {"start", "stop", "step", "annotations"}, 1);
  For loop{.var = {}, .min = {}, .extent = {}, .kind = kind->second, .body = {}};
  if (threads) {
    const std::string* tag = a[2] ? a[2]->as<std::string>() : nullptr;
    if (!tag) throw Error(at, "T.thread_binding needs thread=, the name of a thread axis");
    loop.thread_tag = *tag;
  } else if (a[2] && to_constant(*a[2], "the step of a loop") != 1) {
    throw Unsupported(a[2]->span, "a loop with a step");
  }
  if (a[3]) loop.annotations = annotations(*a[3]);
  level(0, a[1] ? to_range(*a[0], *a[1], "the range of a loop") : to_range(zero, *a[0], "the extent of a loop"));
  bind_all();
  loop.var = levels[0].var, loop.min = levels[0].range.min, loop.extent = levels[0].range.extent;
  return [=](Stmt body) {
    For out = loop;
    out.body = std::move(body);
    return make_stmt(std::move(out), at);
  };
}

Wrap Parser::open(const Call& call, const std::string& name, const Span& at) {
  if (call.name == "T.attr") return open_attr(call, at);
  if (call.name == "T.launch_thread") return open_thread(call, name, at);
  if (call.name == "T.LetStmt") {
    Arguments a = arguments(call, at, {"value", "type_annotation", "var"}, 1);
    std::optional<DType> type;
    std::string bound = name;
    if (a[1]) type = to_dtype_name(*a[1]);
    if (a[2]) {
      const Expr* var = a[2]->as<Expr>();
      if (!var || (*var)->op != Op::Var) throw Error(a[2]->span, "'var' must be a variable");
      if (!function_->declared.count((*var)->var())) throw Error(a[2]->span, "this variable has a value already");
      type = (*var)->dtype, bound = (*var)->var().name();
    }
    if (bound.empty()) throw Error(at, "T.LetStmt needs a name", "write: with T.LetStmt(value) as x:");
    return open_let(bound, *a[0], type, at);
  }
  if (name.empty()) throw Error(at, "the result of '" + call.name + "' needs a name");
  if (call.name == "T.allocate") return open_allocate(call, name, at);
  if (call.name == "T.allocate_const") return open_constant(call, name, at);
  for (const char* known : {"T.alloc_buffer", "T.sblock_alloc_buffer", "T.decl_buffer", "T.Buffer", "T.buffer_decl"}) {
    if (call.name == known) return open_buffer(call, name, at);
  }
  throw Error(at, "'" + call.name + "' cannot stand here");
}

Wrap Parser::open_attr(const Call& call, const Span& at) {
  Arguments a = arguments(call, at, {"node", "attr_key", "value"}, 2);
  const std::string* key = a[1]->as<std::string>();
  if (!key) throw Error(a[1]->span, "the key of an attribute must be a string");
  if (is_async_key(*key)) return open_async(*key, a[2], at);
  demand_note(*key, a[1]->span);
  Annotation node = a[0] ? annotation(*a[0]) : Annotation(call_none());
  Annotation value = a[2] ? annotation(*a[2]) : Annotation(call_none());
  return [=, key = *key](Stmt body) { return make_stmt(AttrStmt{node, key, value, std::move(body)}, at); };
}

/// Groups and waits are two attributes each: the inner one stays one until the outer one takes it in. (What stays, is a
/// defect: async_defect.)
Wrap Parser::open_async(const std::string& key, const Value* given, const Span& at) {
  if (!given) throw Error(at, "the attribute '" + key + "' needs a value");
  if (key == kAsyncScope || key == kAsyncInflight) {
    const Expr value = key == kAsyncScope ? i32(1) : to_index(*given, "the number of groups in flight");
    return [=](Stmt body) { return make_stmt(AttrStmt{i32(0), key, value, std::move(body)}, at); };
  }
  const Wide queue = to_constant(*given, "a queue of asynchronous copies");
  if (queue < 0 || queue > max_value(kInt32)) throw Error(given->span, "a queue is a number of int32, 0 or more");
  const auto number = static_cast<int64_t>(queue);
  return [=](Stmt body) {
    const AttrStmt* inner = body.as<AttrStmt>();
    if (key == kAsyncCommit) {
      return make_stmt(AsyncCommit{number, inner && inner->key == kAsyncScope ? inner->body : body}, at);
    }
    if (!inner || inner->key != kAsyncInflight) {
      throw Error(at, "a wait says how many groups it leaves in flight",
                  "write: with T.attr(0, \"async_wait_inflight_count\", N): inside of it");
    }
    return make_stmt(AsyncWait{number, std::get<Expr>(inner->value), inner->body}, at);
  };
}

/// A thread axis that is launched: a loop bound to it, around what follows.
Wrap Parser::open_thread(const Call& call, const std::string& name, const Span& at) {
  Arguments a = arguments(call, at, {"thread", "extent"}, 2);
  const ThreadTag* axis = a[0]->as<ThreadTag>();
  const std::string* tag = axis ? &axis->tag : a[0]->as<std::string>();
  if (!tag) throw Error(a[0]->span, "a thread axis is expected, not " + describe(*a[0]));
  Range range = to_range(Value{Wide{0}, at}, *a[1], "the extent of a thread axis");
  std::string bound = name;
  if (axis) {  // the name that T.env_thread was given now means this loop's variable
    for (const auto& scope : scopes_) {
      for (const auto& [known, binding] : scope) {
        const ThreadTag* other = binding.value.as<ThreadTag>();
        if (other && other->tag == *tag && bound.empty()) bound = known;
      }
    }
  }
  Var var = Var::fresh(bound.empty() ? "thread" : bound, range.min->dtype);
  function_->loops[var] = range;
  if (!bound.empty()) bind(bound, Value{Expr(var), at}, at);
  return [=, tag = *tag](Stmt body) {
    return make_stmt(For{var, range.min, range.extent, ForKind::ThreadBinding, std::move(body), {}, tag}, at);
  };
}

std::string Parser::scope_name(const Value* value) {
  if (!value) return "global";
  const std::string* text = value->as<std::string>();
  if (!text) throw Error(value->span, "a storage scope is a string, not " + describe(*value));
  return text->empty() ? "global" : *text;
}

Wrap Parser::open_allocate(const Call& call, const std::string& name, const Span& at) {
  Arguments a = arguments(call, at, {"extents", "dtype", "scope", "condition", "annotations"}, 2);
  if (a[3]) {
    Expr condition = to_condition(*a[3], "the condition of T.allocate");
    if (!is_int(condition, 1)) throw Unsupported(a[3]->span, "an allocation under a condition");
  }
  Allocate alloc;
  alloc.extents = shape_of(*a[0], "an extent of an allocation");
  alloc.dtype = to_dtype_name(*a[1]);
  if (alloc.dtype.is_handle()) throw Unsupported(a[1]->span, "memory that holds pointers");
  alloc.scope = scope_name(a[2]);
  if (a[4]) alloc.annotations = annotations(*a[4]);
  return bind_memory(std::move(alloc), name, at);
}

Wrap Parser::bind_memory(Allocate memory, const std::string& name, const Span& at) {
  memory.data = Var::fresh(name, kHandle);
  function_->memories[memory.data] = {memory.scope, memory.dtype.element()};
  bind(name, Value{Expr(memory.data), at}, at);
  return [=](Stmt body) {
    Allocate out = memory;
    out.body = std::move(body);
    return make_stmt(std::move(out), at);
  };
}

Wrap Parser::open_constant(const Call& call, const std::string& name, const Span& at) {
  Arguments a = arguments(call, at, {"data", "dtype", "extents", "annotations"}, 3);
  Allocate alloc;
  alloc.dtype = to_dtype_name(*a[1]);
  if (!alloc.dtype.is_scalar() || alloc.dtype.is_handle())
    throw Unsupported(a[1]->span, "constants of type " + alloc.dtype.str());
  alloc.extents = shape_of(*a[2], "an extent of a constant");
  Wide size = 1;
  for (const Expr& extent : alloc.extents) {
    const int64_t* v = as_int(extent);
    if (!v) throw Error(a[2]->span, "the extents of a constant must be constant");
    if (__builtin_mul_overflow(size, Wide{*v}, &size)) throw Error(a[2]->span, "this constant is too large");
  }
  std::function<void(const Value&)> flatten = [&](const Value& value) {
    const List* list = value.as<List>();
    if (!list) return alloc.constant.push_back(to_dtype(value, alloc.dtype, "the constant"));
    for (const Value& item : list->items) flatten(item);
  };
  flatten(*a[0]);
  if (Wide{static_cast<int64_t>(alloc.constant.size())} != size) {
    throw Error(a[0]->span, "the constant has " + std::to_string(alloc.constant.size()) +
                                " elements, its extents say " + to_string(size));
  }
  if (a[3]) alloc.annotations = annotations(*a[3]);
  return bind_memory(std::move(alloc), name, at);
}

Wrap Parser::open_buffer(const Call& call, const std::string& name, const Span& at) {
  BufferSpec spec = buffer_spec(call, at, false, name);
  bool view = static_cast<bool>(spec.options.data);
  if (view && (call.name == "T.alloc_buffer" || call.name == "T.sblock_alloc_buffer")) {
    throw Error(at, "'" + call.name + "' allocates; a view of memory is T.decl_buffer");
  }
  if (!view && (call.name == "T.Buffer" || call.name == "T.buffer_decl")) {
    throw Error(at, "'" + name + "' has no memory", "give data=, or write T.alloc_buffer");
  }
  if (!view && spec.options.elem_offset && !is_int(spec.options.elem_offset, 0)) {
    throw Unsupported(at, "an offset in memory that is allocated here");
  }
  // A view of another type of one width is one of the memory's own, whose cells are reinterpreted (dtype_of).
  DType type = spec.dtype;
  if (view) {
    const DType held = function_->memories.at(spec.options.data).element.with_lanes(type.lanes);
    if (same_width(type, held)) type = held;
  }
  Buffer buffer = make_buffer(name, type, spec.shape, spec.options);
  if (view) {
    function_->views.emplace(buffer, spec.dtype);
  } else {
    function_->memories[buffer->data] = {buffer->scope, type.element()};
  }
  bind(name, Value{buffer, at}, at);
  if (view) return [=](Stmt body) { return make_stmt(DeclBuffer{buffer, std::move(body)}, at); };
  return [=](Stmt body) { return make_stmt(AllocBuffer{buffer, std::move(body)}, at); };
}

}  // namespace hexproof::text
