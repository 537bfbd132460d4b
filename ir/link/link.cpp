// link: the bodies of callees in place of their calls.
#include "ir/link/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/arith_class.h"
#include "ir/evaluation.h"
#include "ir/notes/async_queues.h"
#include "ir/notes/notes.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

constexpr size_t kMaxCalls = 10000;
/// While the program is put together, an assume of a callee is a call of this name: the condition, and the position of
/// its CalleeAssume.
constexpr const char* kMarked = "@assume";

std::string shape_text(const std::vector<Expr>& shape) {
  std::string out;
  for (const Expr& e : shape) out += (out.empty() ? "" : ", ") + print(e);
  return "(" + out + (shape.size() == 1 ? ",)" : ")");
}

std::string separators_text(const std::vector<int>& list) {
  return list.empty() ? "no axis separators" : fmt::format("axis separators [{}]", fmt::join(list, ", "));
}

/// Of a linked function; of one that is read the parser allows fewer.
constexpr int kMaxNesting = 400;

bool is_deeper(const Stmt& stmt, int levels) {
  const std::vector<Stmt> parts = children(stmt);
  return std::any_of(parts.begin(), parts.end(),
                     [&](const Stmt& s) { return levels == 0 || is_deeper(s, levels - 1); });
}

/// What `op` joins, in order.
void operands_in_order(Op op, const Expr& e, std::vector<Expr>* out) {
  if (e->op == Op::Likely) return operands_in_order(op, e->args[0], out);
  if (e->op != op) return out->push_back(e);
  operands_in_order(op, e->args[0], out);
  operands_in_order(op, e->args[1], out);
}

class Linker {
 public:
  Linker(const IRModule& module, const SameExtent& same) : module_(module), same_(same) {}

  Linked run(const PrimFunc& entry) {
    Linked out{entry, {}};
    if (!has_calls(entry)) return out;
    flags_ = entry.granted_flags();
    names_of(entry.body, &blocks_, &buffers_);
    for (const Buffer& b : entry.buffer_params()) buffers_.insert(b->name);
    out.func.body = inlined(entry);
    if (flags_.empty()) {
      out.func.attrs.erase(kFastMathAttribute);
    } else {
      out.func.attrs[kFastMathAttribute] = join_flags(flags_);
    }
    out.assumes = std::move(assumes_);
    unmark(&out.func.body, {}, &out.assumes);
    out.func.body = with_marked_variables(out.func.body);
    demand_modelled_notes(out.func);
    return out;
  }

 private:
  /// The body with every call replaced.
  Stmt inlined(const PrimFunc& func) {
    return rewrite_stmt(func.body, {}, [&](const Stmt& s) {
      std::optional<FunctionCall> call = function_call(s);
      return call ? body_at(func, *call, s->span) : s;
    });
  }

  Stmt body_at(const PrimFunc& caller, const FunctionCall& call, const Span& at) {
    if (++calls_ > kMaxCalls) throw Error(at, fmt::format("more than {} calls to link", kMaxCalls));
    const PrimFunc& callee = *find_function(module_, call.callee);
    if (uses_queues(callee.body)) {
      throw Unsupported(at, "a call of '" + callee.name + "', which starts asynchronous copies or waits for them");
    }
    std::erase_if(flags_, [&](const std::string& flag) { return !callee.granted(flag); });
    PrimFunc copy = callee;
    copy.body = renamed_apart(refresh(marked(callee.body, callee.name, at)));
    Stmt body = inlined(copy);
    if (is_deeper(body, kMaxNesting))
      throw Unsupported(at, fmt::format("more than {} statements inside of each other, calls put in", kMaxNesting));
    // Scalars first: the shapes of the parameters are over them.
    VarMap values, bound;
    std::vector<std::pair<Var, Expr>> lets;
    for (size_t k = 0; k < callee.params.size(); ++k) {
      const Param& p = callee.params[k];
      if (p.buffer) continue;
      values.emplace(p.var, call.args[k]);
      bool plain = call.args[k]->op == Op::Var || call.args[k]->op == Op::IntImm || call.args[k]->op == Op::FloatImm;
      Var let = plain ? Var() : Var::fresh(p.var.name(), p.var.dtype(), call.args[k]->data);
      if (!plain) lets.emplace_back(let, call.args[k]);
      bound.emplace(p.var, plain ? call.args[k] : Expr(let));
    }
    BufferMap buffers;
    std::vector<std::pair<Buffer, Buffer>> pairs;  // parameter, argument
    for (size_t k = 0; k < callee.params.size(); ++k) {
      const Buffer& param = callee.params[k].buffer;
      if (!param) continue;
      Buffer given = owned_buffer(caller, call.args[k]->var());
      pairs.emplace_back(param, given);
      buffers.emplace(param, given);
      bound.emplace(param->data, Expr(given->data));
      bind_shape(param, given, &values);
    }
    for (const auto& [var, value] : values) bound.emplace(var, value);
    for (const auto& [param, given] : pairs) demand_same_layout(caller, callee, param, given, values, at);
    demand_no_alias(callee, pairs, at);
    body = substitute(substitute(body, buffers), bound);
    for (size_t k = lets.size(); k-- > 0;) body = make_stmt(LetStmt{lets[k].first, lets[k].second, body}, at);
    return body;
  }

  /// Shape variables that stand alone get the extents of the argument.
  static void bind_shape(const Buffer& param, const Buffer& given, VarMap* values) {
    for (size_t d = 0; d < param->ndim() && d < given->ndim(); ++d) {
      const Expr &want = param->shape[d], &have = given->shape[d];
      if (want->op != Op::Var || values->count(want->var())) continue;
      if (want->dtype == have->dtype) values->emplace(want->var(), have);
      if (want->dtype == have->dtype || have->op != Op::IntImm) continue;
      if (fits_type(want->dtype, int_value(have))) values->emplace(want->var(), imm(want->dtype, int_value(have)));
    }
  }

  bool equal(const Expr& a, const Expr& b) const {
    if (a->op == Op::IntImm && b->op == Op::IntImm) return int_value(a) == int_value(b);
    return a == b || (same_ && a->dtype == b->dtype && same_(a, b));
  }

  void demand_same_layout(const PrimFunc& caller, const PrimFunc& callee, const Buffer& param, const Buffer& given,
                          const VarMap& values, const Span& at) const {
    auto disagree = [&](const std::string& have, const std::string& want) {
      throw Error(at, fmt::format("a call with disagreeing layouts: '{}' of '{}' has {}, parameter '{}' of '{}' has {}",
                                  given->name, caller.name, have, param->name, callee.name, want));
    };
    if (param->dtype != given->dtype) disagree("dtype " + given->dtype.str(), "dtype " + param->dtype.str());
    bool same = param->ndim() == given->ndim();
    std::vector<Expr> shape;
    for (size_t d = 0; d < param->ndim(); ++d) {
      shape.push_back(substitute(param->shape[d], values));
      for (const Var& v : free_vars(param->shape[d])) {
        if (same && !values.count(v)) {
          throw Unsupported(at, fmt::format("the shape variable '{}' of '{}' is the extent of no argument of this call",
                                            v.name(), callee.name));
        }
      }
      same = same && equal(shape[d], given->shape[d]);
    }
    if (!same) disagree("shape " + shape_text(given->shape), "shape " + shape_text(shape));
    if (param->axis_separators != given->axis_separators) {
      disagree(separators_text(given->axis_separators), separators_text(param->axis_separators));
    }
    bool strides = param->strides.size() == given->strides.size();
    for (size_t d = 0; strides && d < param->strides.size(); ++d) {
      strides = equal(substitute(param->strides[d], values), given->strides[d]);
    }
    if (!strides) disagree("strides " + shape_text(given->strides), "strides " + shape_text(param->strides));
    Expr none = i32(0), want = param->elem_offset ? substitute(param->elem_offset, values) : none;
    Expr have = given->elem_offset ? given->elem_offset : none;
    if (!equal(want, have)) disagree("offset " + print(have), "offset " + print(want));
    if (param->scope != given->scope) disagree("scope \"" + given->scope + "\"", "scope \"" + param->scope + "\"");
  }

  /// Parameters never alias. Two that are only read may share an argument: nothing can tell.
  void demand_no_alias(const PrimFunc& callee, const std::vector<std::pair<Buffer, Buffer>>& pairs, const Span& at) {
    for (size_t a = 0; a < pairs.size(); ++a) {
      for (size_t b = 0; b < a; ++b) {
        if (pairs[a].second->data != pairs[b].second->data) continue;
        const Buffer &p = pairs[b].first, &q = pairs[a].first;
        if (!writes(callee, p->data) && !writes(callee, q->data)) continue;
        throw Error(at, fmt::format("'{}' is passed twice to '{}', which writes it: its parameters '{}' and '{}' are "
                                    "different memory",
                                    pairs[a].second->name, callee.name, p->name, q->name));
      }
    }
  }

  /// May the function change that memory, or one that it calls?
  bool writes(const PrimFunc& func, const Var& data) const {
    bool found = false;
    visit_stmt(func.body, [&](const Stmt& s) {
      for_each_written(s, [&](const Buffer& buffer) { found |= buffer->data == data; });
      if (std::optional<FunctionCall> call = function_call(s)) {
        const PrimFunc& callee = *find_function(module_, call->callee);
        for (size_t k = 0; k < callee.params.size(); ++k) {
          const Expr& e = call->args[k];
          if (callee.params[k].buffer && e->op == Op::Var && e->var() == data) {
            found = found || writes(callee, callee.params[k].buffer->data);
          }
        }
      }
      return !found;
    });
    return found;
  }

  /// Its assumes as preconditions; but no caller gives a value to memory that the function allocates itself: what
  /// permits to read such a cell stays what it is.
  Stmt marked(const Stmt& body, const std::string& callee, const Span& at) {
    std::set<Var> own;
    visit_stmt(body, [&](const Stmt& s) {
      if (const AllocBuffer* a = s.as<AllocBuffer>()) own.insert(a->buffer->data);
      if (const Allocate* a = s.as<Allocate>()) own.insert(a->data);
      return true;
    });
    // P or A[i] == T.undef(), which is never false.
    auto permits_own = [&](const Expr& part) {
      std::vector<Expr> either;
      operands_in_order(Op::Or, part, &either);
      size_t permissions = 0;
      for (const Expr& e : either) {
        const Expr cell = permitted_cell(e);
        if (cell && own.count(cell->buffer()->data)) {
          ++permissions;
          continue;
        }
        bool undef = false;
        visit_expr(e, [&](const Expr& part) { return undef |= part->op == Op::Undef, !undef; });
        if (undef) return false;
      }
      return permissions == 1;
    };
    return rewrite_stmt(body, {}, [&](const Stmt& s) {
      const Assume* assume = s.as<Assume>();
      if (!assume) return s;
      std::vector<Expr> parts;
      operands_in_order(Op::And, assume->condition, &parts);
      if (std::none_of(parts.begin(), parts.end(), permits_own)) parts = {assume->condition};
      std::vector<Stmt> out;
      for (const Expr& part : parts) {
        if (permits_own(part)) {
          out.push_back(make_stmt(Assume{part}, s->span));
          continue;
        }
        assumes_.push_back({{}, callee, at});
        Expr mark = call(kBool, kMarked, {part, imm(kInt64, static_cast<int64_t>(assumes_.size()) - 1)});
        out.push_back(make_stmt(Assume{mark}, s->span));
      }
      return out.size() == 1 ? out[0] : seq(std::move(out));
    });
  }

  static void unmark(Stmt* stmt, const std::vector<int>& path, std::vector<CalleeAssume>* assumes) {
    if (const Assume* assume = stmt->as<Assume>()) {
      const Expr mark = assume->condition;
      if (mark->op != Op::Call || mark->text() != kMarked) return;
      assumes->at(static_cast<size_t>(int_value(mark->args[1]))).path = path;
      *stmt = make_stmt(Assume{mark->args[0]}, (*stmt)->span);
      return;
    }
    std::vector<Stmt> parts = children(*stmt);
    for (size_t k = 0; k < parts.size(); ++k) {
      std::vector<int> below = path;
      below.push_back(static_cast<int>(k));
      unmark(&parts[k], below, assumes);
    }
    if (!parts.empty()) *stmt = with_children(*stmt, parts);
  }

  static void names_of(const Stmt& body, std::set<std::string>* blocks, std::set<std::string>* buffers) {
    visit_stmt(body, [&](const Stmt& s) {
      if (const Block* b = s.as<Block>()) blocks->insert(b->name);
      if (const AllocBuffer* a = s.as<AllocBuffer>()) buffers->insert(a->buffer->name);
      return true;
    });
  }

  static std::string unused(const std::string& name, std::set<std::string>* taken) {
    std::string out = name;
    for (int k = 1; !taken->insert(out).second; ++k) out = name + "_" + std::to_string(k);
    return out;
  }

  /// Blocks and allocations get names that nothing in the linked function has yet: a schedule finds them by name.
  Stmt renamed_apart(const Stmt& body) {
    BufferMap renamed;
    visit_stmt(body, [&](const Stmt& s) {
      const AllocBuffer* a = s.as<AllocBuffer>();
      std::string name = a ? unused(a->buffer->name, &buffers_) : "";
      if (!a || name == a->buffer->name) return true;
      const BufferNode& b = *a->buffer;
      renamed.emplace(a->buffer, make_buffer(name, b.dtype, b.shape,
                                             {b.strides, b.elem_offset, b.axis_separators, b.scope, b.data}));
      return true;
    });
    return rewrite_stmt(substitute(body, renamed), {}, [&](const Stmt& s) {
      const Block* b = s.as<Block>();
      if (!b) return s;
      Block copy = *b;
      copy.name = unused(b->name, &blocks_);
      return copy.name == b->name ? s : make_stmt(copy, s->span);
    });
  }

  const IRModule& module_;
  const SameExtent& same_;
  std::vector<std::string> flags_;
  std::vector<CalleeAssume> assumes_;
  std::set<std::string> blocks_, buffers_;
  size_t calls_ = 0;
};

}  // namespace

Linked link(const IRModule& module, const std::string& entry, const SameExtent& same) {
  const PrimFunc* func = find_function(module, entry);
  if (!func) throw Error("the module has no function '" + entry + "'");
  return Linker(module, same).run(*func);
}

}  // namespace hexproof
