#include <set>

#include "ir/visit.h"
#include "rewrite/expr_rules/strategy.h"
#include "rewrite/layout/inverse_map.h"
#include "rewrite/layout/pad_value.h"
#include "rewrite/module/changes.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"

namespace hexproof {
namespace {

using Owner = std::pair<std::string, Buffer>;

/// What is one buffer once the calls are linked: arguments and the parameters that they are bound to.
std::set<Owner> shared_with(const IRModule& module, const std::string& function, const Buffer& buffer) {
  std::vector<std::pair<Owner, Owner>> links;
  for (const PrimFunc& caller : module.functions) {
    visit_stmt(caller.body, [&](const Stmt& s) {
      std::optional<FunctionCall> call = function_call(s);
      const PrimFunc* callee = call ? find_function(module, call->callee) : nullptr;
      for (size_t k = 0; callee && k < callee->params.size(); ++k) {
        if (!callee->params[k].buffer) continue;
        links.push_back(
            {{caller.name, owned_buffer(caller, call->args[k]->var())}, {callee->name, callee->params[k].buffer}});
      }
      return true;
    });
  }
  std::set<Owner> out{{function, buffer}};
  for (size_t before = 0; before != out.size();) {
    before = out.size();
    for (const auto& [a, b] : links) {
      if (out.count(a) || out.count(b)) out.insert(a), out.insert(b);
    }
  }
  return out;
}

/// A caller with its calls taken out, each a constant that does nothing and says which call it was.
struct Skeleton {
  PrimFunc func;
  std::vector<std::pair<FunctionCall, Span>> calls;

  explicit Skeleton(const PrimFunc& caller) : func(caller) {
    func.body = rewrite_stmt(caller.body, {}, [&](const Stmt& s) {
      std::optional<FunctionCall> call = function_call(s);
      if (!call) return s;
      calls.emplace_back(*call, s->span);
      return make_stmt(Evaluate{marker(calls.size() - 1)}, s->span);
    });
  }

  /// `changed`, made from `func`, with the calls put back: `from` is `to` in their arguments.
  PrimFunc with_calls(PrimFunc changed, const Var& from, const Var& to) const {
    changed.body = rewrite_stmt(changed.body, {}, [&](const Stmt& s) {
      const Evaluate* e = s.as<Evaluate>();
      for (size_t k = 0; e && k < calls.size(); ++k) {
        if (!(e->value == marker(k))) continue;
        FunctionCall call = calls[k].first;
        for (Expr& arg : call.args) arg = substitute(arg, VarMap{{from, Expr(to)}});
        return make_function_call(call, calls[k].second);
      }
      return s;
    });
    return changed;
  }

 private:
  static Expr marker(size_t k) { return imm(kInt64, -int64_t{0x6865787000} - static_cast<int64_t>(k)); }
};

/// Does something that `caller` calls store to the buffer?
bool written_by_callees(const IRModule& module, const PrimFunc& caller, const Buffer& buffer) {
  bool found = false;
  visit_stmt(caller.body, [&](const Stmt& s) {
    std::optional<FunctionCall> call = function_call(s);
    const PrimFunc* callee = call ? find_function(module, call->callee) : nullptr;
    for (size_t k = 0; callee && k < callee->params.size(); ++k) {
      const Buffer& param = callee->params[k].buffer;
      if (!param || owned_buffer(caller, call->args[k]->var()) != buffer) continue;
      found = found || stores_to_buffer(callee->body, param) || written_by_callees(module, *callee, param);
    }
    return !found;
  });
  return found;
}

Buffer transformed(const PrimFunc& before, const PrimFunc& after, const Buffer& buffer) {
  for (size_t p = 0; p < before.params.size(); ++p) {
    if (before.params[p].buffer == buffer) return after.params[p].buffer;
  }
  // An allocation keeps its place below those in front of it; the buffer is the one that is new.
  std::set<Buffer> old;
  Buffer found;
  auto each = [](const PrimFunc& func, const std::function<void(const Buffer&)>& f) {
    visit_stmt(func.body, [&](const Stmt& s) {
      if (const AllocBuffer* a = s.as<AllocBuffer>()) f(a->buffer);
      return true;
    });
  };
  each(before, [&](const Buffer& b) { old.insert(b); });
  each(after, [&](const Buffer& b) {
    if (!old.count(b)) found = b;
  });
  HEXPROOF_CHECK(static_cast<bool>(found), "a transformed allocation is gone");
  return found;
}

}  // namespace

bool is_shared(const IRModule& module, const std::string& function, const Buffer& buffer) {
  return shared_with(module, function, buffer).size() > 1 || has_calls(*find_function(module, function));
}

JointChange transform_shared_layout(const ModuleDerivation& module, const std::string& function,
                                    const SharedLayoutArgs& given, Prover& prover, const std::string& primitive,
                                    const Span& span) {
  const auto& [buffer, map, pad] = given;
  const IRModule now = module.current();
  JointChange out;
  std::map<std::string, PrimFunc> callers;
  std::set<std::string> seen;
  for (const auto& [name, shared] : shared_with(now, function, buffer)) {
    if (!seen.insert(name).second) {
      throw NotApplicable("'" + name + "' gets the buffer through more than one parameter");
    }
    TransformLayoutArgs args{.buffer = shared, .map = map, .pad_value = pad};
    const PrimFunc& before = *find_function(now, name);
    if (!has_calls(before)) {
      Derivation& derivation = out.extended.emplace(name, module.function(name)).first->second;
      derivation.apply(args, prover, primitive, span);
      simplify(derivation, prover, {}, primitive, span);
      continue;
    }
    // A caller changes as the rule changes it with the calls taken out. Where only callees write a parameter, its
    // padding holds the value at the end and nothing at the start, and they are the ones to fill it.
    Skeleton skeleton(before);
    bool inner = written_by_callees(now, before, shared) && !stores_to_buffer(before.body, shared);
    if (inner) args.pad_value.reset();
    Derivation derivation(skeleton.func);
    derivation.apply(args, prover, primitive, span);
    simplify(derivation, prover, {}, primitive, span);
    Buffer after = transformed(skeleton.func, derivation.current(), shared);
    out.around_calls.insert(out.around_calls.end(), derivation.steps().begin(), derivation.steps().end());
    out.replaced.push_back(skeleton.with_calls(derivation.current(), shared->data, after->data));
    for (InterfaceChange change : derivation.interface()) {
      if (inner && pad) {
        Padding& padding = change.layers.back().padding;
        Padding asked = padding_arg(pad, after, output_names(map));
        VarMap same;
        for (size_t d = 0; d < asked.indices.size(); ++d) same.emplace(asked.indices[d], Expr(padding.indices.at(d)));
        if (padding.kind != Padding::Kind::Absent) padding.kind = asked.kind;
        if (padding.kind == Padding::Kind::Value) padding.value = substitute(asked.value, same);
      }
      change.written = change.written || inner;
      out.interface[before.name].push_back(change);
    }
  }
  return out;
}

}  // namespace hexproof
