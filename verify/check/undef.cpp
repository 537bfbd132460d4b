// Which cells may hold a value computed from T.undef(), cell by cell; and what an assume reads and permits to read.
#include "verify/argument_padding.h"
#include "verify/check/question.h"

namespace hexproof {

bool carries_undef(const Expr& e, const std::set<Var>& memory, const std::set<Var>& vars) {
  bool found = false;
  visit_expr(e, [&](const Expr& node) {
    found |= node->op == Op::Undef;
    found |= node->op == Op::Load && memory.count(node->buffer()->data);
    found |= node->op == Op::Var && vars.count(node->var());
    return !found;
  });
  return found;
}

namespace {

bool is_permission(const Expr& e) {
  if (e->op != Op::EQ) return false;
  bool left = e->args[0]->op == Op::Undef, right = e->args[1]->op == Op::Undef;
  return left != right && e->args[left ? 1 : 0]->op == Op::Load;
}

/// The loads of an assume in the order of the footprint, each with the conditions under which it is evaluated: `or` and
/// `and` are decided from left to right.
struct AssumedLoad {
  std::vector<Expr> guards;
  bool surely = true;  // the guards say all of it
  bool permission = false;
};

class AssumedLoads {
 public:
  std::vector<AssumedLoad> of(const Expr& condition) {
    decide(condition, true);
    return std::move(out_);
  }

 private:
  void decide(const Expr& e, bool must_hold) {
    if (e->op == Op::And || e->op == Op::Or) {
      decide(e->args[0], must_hold && e->op == Op::And);
      size_t size = now_.guards.size();
      bool surely = now_.surely;
      bool negated = e->op == Op::Or;
      if (is_permission(e->args[0])) {
        if (negated) now_.guards.push_back(boolean(false));
      } else if (!is_data(e->args[0])) {
        for (Expr& c : conjuncts(e->args[0], negated)) now_.guards.push_back(std::move(c));
      } else if (negated || !must_hold) {
        now_.surely = false;
      }
      decide(e->args[1], must_hold);
      now_.guards.resize(size);
      now_.surely = surely;
    } else if (is_permission(e)) {
      const Expr& cell = e->args[e->args[0]->op == Op::Undef ? 1 : 0];
      for (const Expr& index : cell->args) plain(index);
      out_.push_back(now_);
      out_.back().permission = true;
    } else {
      plain(e);
    }
  }
  void plain(const Expr& e) { visit_loads(e); }
  void visit_loads(const Expr& e) {
    for (const Expr& arg : e->args) visit_loads(arg);
    if (e->op == Op::Load) out_.push_back(now_);
  }

  AssumedLoad now_;
  std::vector<AssumedLoad> out_;
};

}  // namespace

std::vector<Access> accesses_with_permissions(const PrimFunc& func) {
  std::vector<Access> accesses = footprint(func.body, entry_facts(func), true), out;
  std::map<const StmtNode*, Expr> conditions;
  walk_with_facts(func, [&](const Stmt& s, const Path&, const Facts& facts) {
    if (const Assume* assume = s.as<Assume>()) {
      conditions[s.get()] = inline_lets(facts.resolve(assume->condition), facts.loops);
    }
    return true;
  });
  for (size_t i = 0; i < accesses.size();) {
    auto assume = conditions.find(accesses[i].stmt.get());
    if (assume == conditions.end()) {
      out.push_back(std::move(accesses[i++]));
      continue;
    }
    size_t end = i;
    while (end < accesses.size() && accesses[end].stmt.get() == accesses[i].stmt.get()) ++end;
    std::vector<AssumedLoad> loads = AssumedLoads().of(assume->second);
    bool known = loads.size() == end - i;
    for (size_t k = 0; i < end; ++i, ++k) {
      Access& access = accesses[i];
      if (known) {
        access.guards.insert(access.guards.end(), loads[k].guards.begin(), loads[k].guards.end());
        access.exact &= loads[k].surely;
        access.write = loads[k].permission;
        if (access.write && !access.exact) continue;
      }
      out.push_back(std::move(access));
    }
  }
  return out;
}

namespace {

/// Does a permission to read find cells without a value? Those of an argument are padding that nobody filled.
bool fills(const PrimFunc& func, Access* permission) {
  for (size_t k = 0; k < func.params.size(); ++k) {
    const Buffer& argument = func.params[k].buffer;
    if (!argument || argument->data != permission->buffer->data) continue;
    std::optional<ArgumentPadding> padding = argument_padding(func, k);
    if (!padding) return false;
    if (permission->buffer == argument) permission->guards.push_back(padding->at(permission->indices));
  }
  return true;
}

/// Given `given`, is the cell of `read` none of those that `stores` fill?
bool apart(Prover& prover, const std::vector<Access>& stores, const Access& read, const std::vector<Expr>& given,
           const Place& where) {
  for (const Access& store : stores) {
    for (const Obligation& o : disjoint("check-undef", "the cell is not one that may hold an undef", where, given,
                                        rename_apart(store, {}, nullptr), read)) {
      if (prover.prove(o).verdict != Verdict::Proved) return false;
    }
  }
  return true;
}

}  // namespace

const std::vector<Access>& undef_stores(CheckContext& context) {
  if (context.undef_stores) return *context.undef_stores;
  std::vector<Access>& out = context.undef_stores.emplace();
  std::vector<Access> accesses = accesses_with_permissions(context.func), open;
  for (Access& access : accesses) {
    if (!access.write) continue;
    const Store* store = access.stmt.as<Store>();
    if (!store || carries_undef(store->value, {}, context.undef_vars)) {
      if (store || fills(context.func, &access)) out.push_back(access);
    } else if (carries_undef(store->value, context.may_hold_undef, {})) {
      open.push_back(access);
    }
  }
  // A store of what is loaded from clean cells is clean.
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < open.size(); ++i) {
      bool clean = true;
      for (const Access& read : accesses) {
        if (read.write || read.stmt.get() != open[i].stmt.get()) continue;
        if (!context.may_hold_undef.count(read.buffer->data)) continue;
        std::vector<Expr> given = entry_facts(context.func).given();
        clean = clean && apart(context.prover, out, read, given, place_of(context.func, read.stmt));
      }
      if (clean) continue;
      out.push_back(open[i]);
      open.erase(open.begin() + static_cast<long>(i--));
      changed = true;
    }
  }
  return out;
}

}  // namespace hexproof
