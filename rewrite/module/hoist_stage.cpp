#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/evaluation.h"
#include "ir/notes/async_queues.h"
#include "ir/visit.h"
#include "ir/wellformed.h"
#include "rewrite/module/changes.h"
#include "rewrite/site/places.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {
namespace {

/// Buffers, memory and scalars that a statement uses and does not declare.
struct Free {
  std::vector<Buffer> buffers;
  std::set<Var> vars;
  std::set<Var> memories;  // that any buffer it uses lies in, those that it declares too

  explicit Free(const Stmt& stmt) {
    std::set<Var> bound;
    std::set<Buffer> declared;
    visit_stmt(stmt, [&](const Stmt& s) {
      if (const For* loop = s.as<For>()) bound.insert(loop->var);
      if (const LetStmt* let = s.as<LetStmt>()) bound.insert(let->var);
      if (const Allocate* a = s.as<Allocate>()) bound.insert(a->data);
      if (const Block* b = s.as<Block>()) {
        for (const IterVar& iter : b->iters) bound.insert(iter.var);
        for (const auto* list : {&b->reads, &b->writes}) {
          for (const BufferRegion& r : list->value_or(std::vector<BufferRegion>{})) use(r.buffer);
        }
      }
      if (const AllocBuffer* a = s.as<AllocBuffer>())
        declared.insert(a->buffer), bound.insert(a->buffer->data), use(a->buffer);
      if (const DeclBuffer* d = s.as<DeclBuffer>())
        declared.insert(d->buffer), vars.insert(d->buffer->data), use(d->buffer);
      if (const Store* store = s.as<Store>()) use(store->buffer);
      return true;
    });
    visit_all_exprs(stmt, [&](const Expr& e) {
      if (e->op == Op::Load) use(e->buffer());
      if (e->op == Op::Let) bound.insert(e->args[0]->var());
      if (e->op == Op::Var) vars.insert(e->var());
    });
    std::erase_if(buffers, [&](const Buffer& b) { return declared.count(b) != 0; });
    for (const Var& v : bound) vars.erase(v);
  }

 private:
  void use(const Buffer& b) {
    memories.insert(b->data);
    if (std::find(buffers.begin(), buffers.end(), b) != buffers.end()) return;
    buffers.push_back(b);
    for (const Expr& part : layout_exprs(b)) vars.merge(free_vars(part));
  }
};

/// A copy of the buffer with memory of its own, over other variables.
Buffer copy_over(const Buffer& b, const VarMap& vars) {
  BufferOptions options{.strides = {}, .elem_offset = {}, .axis_separators = b->axis_separators, .scope = b->scope};
  std::vector<Expr> shape;
  for (const Expr& e : b->shape) shape.push_back(substitute(e, vars));
  for (const Expr& e : b->strides) options.strides.push_back(substitute(e, vars));
  if (b->elem_offset) options.elem_offset = substitute(b->elem_offset, vars);
  return make_buffer(b->name, b->dtype, shape, options);
}

bool is_identifier(const std::string& name) {
  bool good = !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_');
  for (char c : name) good = good && (std::isalnum(static_cast<unsigned char>(c)) || c == '_');
  return good;
}

Stmt without_allocations(const Stmt& stmt, const std::vector<Buffer>& of) {
  return rewrite_stmt(stmt, {}, [&](const Stmt& s) {
    const AllocBuffer* a = s.as<AllocBuffer>();
    return a && std::find(of.begin(), of.end(), a->buffer) != of.end() ? a->body : s;
  });
}

/// The memory that executing the statement may change, by itself or in what it calls.
void add_written(const Stmt& stmt, std::set<Var>* out) {
  visit_stmt(stmt, [&](const Stmt& s) {
    for_each_written(s, [&](const Buffer& b) { out->insert(b->data); });
    if (const std::optional<FunctionCall> call = function_call(s)) {
      for (const Expr& arg : call->args) {
        if (arg->op == Op::Var) out->insert(arg->var());
      }
    }
    return true;
  });
}

/// What may be written when the stage at `part` of the sequence begins: by what stands in front of it, and by all that
/// is in a loop with it.
std::set<Var> written_before(const PrimFunc& func, const Path& seq_path, int part) {
  std::set<Var> out;
  Stmt s = func.body;
  Path path = seq_path;
  path.push_back(part);
  for (const int step : path) {
    if (s.as<For>()) {
      add_written(s, &out);
      break;
    }
    const std::vector<Stmt> below = children(s);
    if (below.empty()) break;  // the stage is all that there is
    if (s.as<Seq>()) {
      for (int k = 0; k < step; ++k) add_written(below[static_cast<size_t>(k)], &out);
    }
    s = below[static_cast<size_t>(step)];
  }
  return out;
}

}  // namespace

JointChange hoist_stage(const ModuleDerivation& module, const std::string& function, const HoistStageArgs& args) {
  const auto& [seq_path, parts, name] = args;
  const IRModule now = module.current();
  const PrimFunc& before = *find_function(now, function);
  if (find_function(now, name)) throw NotApplicable("there is a function '" + name + "' already");
  if (!is_identifier(name) || name == now.name || name == "cls") {
    throw NotApplicable("'" + name + "' is no name of a function");
  }
  Stmt here = stmt_at(before, seq_path);
  const Seq* list = here.as<Seq>();
  std::vector<Stmt> all = list ? list->stmts : std::vector<Stmt>{here}, stage;
  for (size_t k = 0; k < parts.size(); ++k) {
    bool follows = k == 0 || parts[k] == parts[k - 1] + 1;
    if (!follows || parts[k] < 0 || static_cast<size_t>(parts[k]) >= all.size()) {
      throw NotApplicable(fmt::format("the stages are positions from 0 to {}, one after the other", all.size() - 1));
    }
    stage.push_back(all[static_cast<size_t>(parts[k])]);
  }
  if (stage.empty()) throw NotApplicable("there is no stage to hoist");
  Stmt body = seq(stage);

  // Who owns what the stage uses, in the order of the function: parameters, then allocations from the outside.
  Free free(body);
  std::vector<Buffer> owners = before.buffer_params(), used, local;
  visit_stmt(before.body, [&](const Stmt& s) {
    if (const AllocBuffer* a = s.as<AllocBuffer>()) owners.push_back(a->buffer);
    return true;
  });
  for (const Buffer& b : owners) {
    bool uses = free.vars.erase(b->data) != 0;
    uses = std::find(free.buffers.begin(), free.buffers.end(), b) != free.buffers.end() || uses;
    if (uses) used.push_back(b);
  }
  for (const Buffer& b : free.buffers) {
    if (std::find(used.begin(), used.end(), b) == used.end()) {
      throw NotApplicable("the stage uses '" + b->name + "', a view of memory that is declared outside of it");
    }
  }
  // An allocation that nothing else uses moves along: nothing behind it, before it or around it.
  std::vector<Stmt> rest = all;
  rest.erase(rest.begin() + parts.front(), rest.begin() + parts.back() + 1);
  Free others(without_allocations(replace_at(before, seq_path, seq(rest)).body, used));
  std::vector<Buffer> params = before.buffer_params();
  for (const Buffer& b : used) {
    bool param = std::find(params.begin(), params.end(), b) != params.end();
    bool elsewhere = others.memories.count(b->data) || others.vars.count(b->data);
    if (!param && !elsewhere) local.push_back(b);
  }
  std::erase_if(used, [&](const Buffer& b) { return std::find(local.begin(), local.end(), b) != local.end(); });
  for (auto it = local.rbegin(); it != local.rend(); ++it) body = make_stmt(AllocBuffer{*it, body}, here->span);

  // The new function: fresh variables, buffers over them.
  PrimFunc callee;
  callee.name = name;
  callee.span = stage.front()->span;
  if (auto it = before.attrs.find(kFastMathAttribute); it != before.attrs.end()) callee.attrs.insert(*it);
  FunctionCall call{name, {}};
  Free whole(body);
  VarMap fresh;
  std::set<Var> extents, scalars;
  for (const Buffer& b : used) {
    for (const Expr& e : b->shape) {
      if (e->op == Op::Var) extents.insert(e->var());
    }
    for (const auto& part : {b->shape, b->strides, std::vector<Expr>{b->elem_offset ? b->elem_offset : i32(0)}}) {
      for (const Expr& e : part) scalars.merge(free_vars(e));
    }
  }
  for (const Var& v : whole.vars) {
    if (!v.dtype().is_handle()) scalars.insert(v);
  }
  for (const Var& v : scalars) fresh.emplace(v, Expr(Var::fresh(v.name(), v.dtype())));
  BufferMap copies;
  for (const Buffer& b : used) {
    Buffer copy = copy_over(b, fresh);
    copies.emplace(b, copy);
    callee.params.push_back({Var::fresh(b->name + "_handle", kHandle), copy});
    call.args.push_back(b->data);
  }
  // In the order of the function, those of parameters first: a set of variables has no order that lasts.
  std::vector<Var> passed = before.scalars();
  for (const Var& v : scalars) {
    if (std::find(passed.begin(), passed.end(), v) == passed.end()) passed.push_back(v);
  }
  for (const Var& v : passed) {
    if (!scalars.count(v) || extents.count(v)) continue;
    if (v.dtype().is_handle()) throw NotApplicable("the stage uses the pointer '" + v.name() + "'");
    callee.params.push_back({fresh.at(v)->var(), {}});
    call.args.push_back(v);
  }
  VarMap all_fresh = fresh;
  for (const auto& [from, to] : copies) all_fresh.emplace(from->data, Expr(to->data));
  callee.body = substitute(substitute(refresh(body), copies), all_fresh);
  // Padding that nobody filled when the function started is told of where nobody can have filled it since. Where it is
  // not told of, the new function has an argument with a value in every cell.
  const std::set<Var> written = written_before(before, seq_path, parts.front());
  for (size_t p = 0; p < before.params.size(); ++p) {
    const Buffer& argument = before.params[p].buffer;
    auto it = argument && !written.count(argument->data) ? copies.find(argument) : copies.end();
    std::optional<ArgumentPadding> padding = it == copies.end() ? std::nullopt : argument_padding(before, p);
    for (size_t k = 0; padding && k < callee.params.size(); ++k) {
      if (!(callee.params[k].buffer == it->second)) continue;
      auto named = with_argument_padding(callee, k, padding->indices, substitute(padding->predicate, fresh));
      if (!named) throw NotApplicable("two scalars of the function have one name, so the padding cannot be named");
      callee = std::move(*named);
    }
  }

  PrimFunc after = before;
  all[static_cast<size_t>(parts.front())] = make_function_call(call, stage.front()->span);
  all.erase(all.begin() + parts.front() + 1, all.begin() + parts.back() + 1);
  after = replace_at(after, seq_path, seq(all));
  after.body = without_allocations(after.body, local);
  // What an allocation may be, a parameter may not: elements that share a cell.
  if (std::string broken = ill_formed(callee); !broken.empty()) {
    throw NotApplicable("'" + name + "' would be no function: " + broken);
  }
  if (uses_queues(callee.body)) {
    throw NotApplicable(
        "the stage starts asynchronous copies or waits for them, which no function that is called does");
  }
  return {.extended = {}, .replaced = {after, callee}, .interface = {}};
}

}  // namespace hexproof
