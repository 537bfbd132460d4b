#include "rewrite/report/recorded.h"

#include <bit>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

/// The variables and buffers of a program, in the order in which it first names them.
class ProgramNames {
 public:
  explicit ProgramNames(const PrimFunc& func) {
    for (const Param& param : func.params) add(param.var), add(param.buffer);
    add(func.body);
  }
  std::vector<Var> vars;
  std::vector<Buffer> buffers;
  std::map<Var, size_t> var_at;
  std::map<Buffer, size_t> buffer_at;

 private:
  void add(const Var& var) {
    if (var && var_at.emplace(var, vars.size()).second) vars.push_back(var);
  }
  void add(const Buffer& buffer) {
    if (!buffer || !buffer_at.emplace(buffer, buffers.size()).second) return;
    buffers.push_back(buffer);
    add(buffer->data);
    for (const Expr& e : layout_exprs(buffer)) add(e);
  }
  void add(const Expr& e) {
    visit_expr(e, [&](const Expr& part) {
      if (part->op == Op::Var) add(part->var());
      if (part->op == Op::Load) add(part->buffer());
      return true;
    });
  }
  void add(const Stmt& top) {
    visit_stmt(top, [&](const Stmt& s) {
      std::visit(match{[&](const Store& r) { add(r.buffer); }, [&](const For& r) { add(r.var); },
                       [&](const LetStmt& r) { add(r.var); }, [&](const AllocBuffer& r) { add(r.buffer); },
                       [&](const Allocate& r) { add(r.data); }, [&](const DeclBuffer& r) { add(r.buffer); },
                       [&](const Block& r) {
                         for (const IterVar& iter : r.iters) add(iter.var);
                       },
                       [](const If&) {}, [](const Seq&) {}, [](const Evaluate&) {}, [](const Assume&) {},
                       [](const AttrStmt&) {}, [](const AsyncCommit&) {}, [](const AsyncWait&) {}},
                 s->record);
      for (const Expr& e : expressions(s)) add(e);
      return true;
    });
  }
};

class Recorder {
 public:
  explicit Recorder(const PrimFunc& func) : names_(func) {}

  Json arg(const Arg& value) {
    return std::visit(match{[](int64_t v) {
                              return Json{{"int", v}};
                            },
                            [](const std::string& v) {
                              return Json{{"text", v}};
                            },
                            [&](const Expr& v) {
                              return Json{{"expr", expr(v)}};
                            },
                            [&](const IndexMap& v) {
                              return Json{{"map",
                                           {{"inputs", list(v.inputs)},
                                            {"outputs", list(v.outputs)},
                                            {"axis_separators", v.axis_separators}}}};
                            },
                            [](const Path& v) {
                              return Json{{"path", v}};
                            },
                            [&](const Var& v) {
                              return Json{{"var", var(v)}};
                            },
                            [&](const Buffer& v) {
                              return Json{{"buffer", buffer(v)}};
                            },
                            [&](const std::vector<Expr>& v) {
                              return Json{{"exprs", list(v)}};
                            },
                            [](const std::vector<Path>& v) {
                              return Json{{"paths", v}};
                            },
                            [&](const std::vector<Var>& v) {
                              return Json{{"vars", list(v)}};
                            }},
                      value);
  }

 private:
  Json var(const Var& v) {
    if (auto it = names_.var_at.find(v); it != names_.var_at.end()) return it->second;
    auto [it, first] = own_vars_.emplace(v, own_vars_.size());
    Json out = {{"own", it->second}};
    if (first) out.update({{"name", v.name()}, {"dtype", v.dtype().str()}, {"data", v.is_data()}});
    return out;
  }
  Json buffer(const Buffer& b) {
    if (auto it = names_.buffer_at.find(b); it != names_.buffer_at.end()) return it->second;
    auto [it, first] = own_buffers_.emplace(b, own_buffers_.size());
    Json out = {{"own", it->second}};
    if (!first) return out;
    out.update({{"name", b->name},
                {"dtype", b->dtype.str()},
                {"shape", list(b->shape)},
                {"strides", list(b->strides)},
                {"axis_separators", b->axis_separators},
                {"scope", b->scope},
                {"data", var(b->data)}});
    if (b->elem_offset) out["elem_offset"] = expr(b->elem_offset);
    return out;
  }
  Json expr(const Expr& e) {
    Json out = {{"op", info(e->op).name}, {"dtype", e->dtype.str()}};
    if (e->wraps) out["wraps"] = true;
    std::visit(match{[](std::monostate) {}, [&](int64_t v) { out["value"] = v; },
                     [&](FloatBits v) { out["bits"] = std::bit_cast<uint64_t>(v.value); },
                     [&](const Var& v) { out["var"] = var(v); }, [&](const Buffer& v) { out["buffer"] = buffer(v); },
                     [&](const std::string& v) { out["text"] = v; }},
               e->payload);
    if (!e->args.empty()) out["args"] = list(e->args);
    return out;
  }
  Json list(const std::vector<Expr>& all) {
    Json out = Json::array();
    for (const Expr& e : all) out.push_back(expr(e));
    return out;
  }
  Json list(const std::vector<Var>& all) {
    Json out = Json::array();
    for (const Var& v : all) out.push_back(var(v));
    return out;
  }

  ProgramNames names_;
  std::map<Var, size_t> own_vars_;
  std::map<Buffer, size_t> own_buffers_;
};

class RecordReader {
 public:
  explicit RecordReader(const PrimFunc& func) : names_(func) {}

  Arg arg(const Json& json) {
    if (!json.is_object() || json.size() != 1) fail("an argument");
    const std::string kind = json.begin().key();
    const Json& value = json.begin().value();
    if (kind == "int") return value.get<int64_t>();
    if (kind == "text") return value.get<std::string>();
    if (kind == "expr") return expr(value, 0);
    if (kind == "path") return value.get<Path>();
    if (kind == "paths") return value.get<std::vector<Path>>();
    if (kind == "var") return var(value);
    if (kind == "buffer") return buffer(value, 0);
    if (kind == "exprs") return exprs(value, 0);
    if (kind == "vars") return vars(value);
    if (kind != "map") fail("an argument");
    IndexMap map;
    map.inputs = vars(value.at("inputs"));
    map.outputs = exprs(value.at("outputs"), 0);
    map.axis_separators = value.at("axis_separators").get<std::vector<int>>();
    return map;
  }

 private:
  static constexpr int kDeepest = 4000;

  [[noreturn]] static void fail(const std::string& what) { throw Error("not " + what + " of a recorded step"); }
  static DType dtype(const Json& json) {
    std::optional<DType> out = parse_dtype(json.get<std::string>());
    if (!out) fail("a dtype");
    return *out;
  }
  template <class T>
  static const T& at(const std::vector<T>& list, const Json& json, const char* what) {
    const int64_t k = json.get<int64_t>();
    if (k < 0 || k >= static_cast<int64_t>(list.size())) fail(what);
    return list[static_cast<size_t>(k)];
  }
  /// As it would be printed: texts in which it stands say what they would say with any other one.
  static std::string name(const Json& json) { return text::identifier(json.at("name").get<std::string>()); }
  Var var(const Json& json) {
    if (json.is_number_integer()) return at(names_.vars, json, "a variable");
    const size_t own = json.at("own").get<size_t>();
    if (auto it = own_vars_.find(own); it != own_vars_.end()) return it->second;
    Var out = Var::fresh(name(json), dtype(json.at("dtype")), json.at("data").get<bool>());
    own_vars_.emplace(own, out);
    return out;
  }
  Buffer buffer(const Json& json, int depth) {
    if (json.is_number_integer()) return at(names_.buffers, json, "a buffer");
    const size_t own = json.at("own").get<size_t>();
    if (auto it = own_buffers_.find(own); it != own_buffers_.end()) return it->second;
    std::vector<Expr> shape = exprs(json.at("shape"), depth);  // in the order in which it was written
    BufferOptions options{.strides = exprs(json.at("strides"), depth),
                          .axis_separators = json.at("axis_separators").get<std::vector<int>>(),
                          .scope = json.at("scope").get<std::string>(),
                          .data = var(json.at("data"))};
    if (json.contains("elem_offset")) options.elem_offset = expr(json.at("elem_offset"), depth);
    Buffer out = make_buffer(name(json), dtype(json.at("dtype")), std::move(shape), std::move(options));
    own_buffers_.emplace(own, out);
    return out;
  }
  std::vector<Var> vars(const Json& json) {
    std::vector<Var> out;
    for (const Json& one : json) out.push_back(var(one));
    return out;
  }
  std::vector<Expr> exprs(const Json& json, int depth) {
    std::vector<Expr> out;
    for (const Json& one : json) out.push_back(expr(one, depth));
    return out;
  }
  Expr expr(const Json& json, int depth) {
    if (depth > kDeepest) fail("an expression");
    const std::optional<Op> op = op_by_name(json.at("op").get<std::string>());
    if (!op) fail("an operator");
    const DType type = dtype(json.at("dtype"));
    std::vector<Expr> args = json.contains("args") ? exprs(json.at("args"), depth + 1) : std::vector<Expr>{};
    if (*op == Op::IntImm) {
      const int64_t value = json.at("value").get<int64_t>();
      return imm(type, type.is_uint() ? static_cast<Wide>(static_cast<uint64_t>(value)) : static_cast<Wide>(value));
    }
    if (*op == Op::FloatImm) return fimm(type, std::bit_cast<double>(json.at("bits").get<uint64_t>()));
    if (*op == Op::StringImm) return string_imm(json.at("text").get<std::string>());
    if (*op == Op::Var) return var(json.at("var"));
    if (*op == Op::Undef) return undef(type);
    // What the builders of ir/expr.h take from a node: they check all of it again.
    auto node = std::make_shared<ExprNode>();
    node->op = *op, node->dtype = type, node->wraps = json.value("wraps", false);
    if (json.contains("buffer")) node->payload = buffer(json.at("buffer"), depth + 1);
    if (json.contains("text")) node->payload = json.at("text").get<std::string>();
    const int arity = info(*op).arity;
    if (arity >= 0 && args.size() != static_cast<size_t>(arity)) fail("an operation");
    if (*op == Op::Let && args.at(0)->op != Op::Var) fail("a let");
    return with_args(Expr(node), std::move(args));
  }

  ProgramNames names_;
  std::map<size_t, Var> own_vars_;
  std::map<size_t, Buffer> own_buffers_;
};

}  // namespace

Json recorded(const Args& args, const PrimFunc& before) {
  Recorder recorder(before);
  Json out = Json::object();
  for (const auto& [name, value] : args) out[name] = recorder.arg(value);
  return out;
}

Args read_recorded(const Json& json, const PrimFunc& before) {
  RecordReader reader(before);
  Args out;
  try {
    if (!json.is_object()) throw Error("the arguments of a recorded step are an object");
    for (const auto& [name, value] : json.items()) out.emplace(name, reader.arg(value));
  } catch (const Json::exception& e) {
    throw Error(std::string("not the arguments of a recorded step: ") + e.what());
  } catch (const std::bad_variant_access&) {
    throw Error("not the arguments of a recorded step: an operator without what it names");
  } catch (const InternalError& e) {
    throw Error(std::string("not the arguments of a recorded step: ") + e.what());
  }
  return out;
}

}  // namespace hexproof
