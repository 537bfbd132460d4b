// Which cells may hold a value computed from T.undef(), cell by cell; and what an assume reads and permits to read.
#include "verify/check/check_item.h"
#include "verify/memory/argument_padding.h"
#include "verify/memory/undef_flow.h"

namespace hexproof {

namespace {

/// The cells without a value that a permission to read finds, if any. Those of an argument are padding that nobody
/// filled, and, where it has strides or an offset, what lies between its elements.
std::optional<Access> filled_by(const PrimFunc& func, Access permission) {
  for (size_t k = 0; k < func.params.size(); ++k) {
    const Buffer& argument = func.params[k].buffer;
    if (!argument || argument->data != permission.buffer->data) continue;
    std::optional<ArgumentPadding> padding = argument_padding(func, k);
    const bool gaps = !argument->strides.empty() || argument->elem_offset;
    if (!padding) return gaps && !(permission.buffer == argument) ? std::optional(permission) : std::nullopt;
    if (permission.buffer == argument) permission.guards.push_back(padding->at(permission.indices));
  }
  return permission;
}

/// Given `given`, is the cell of `read` none of those that `stores` fill?
bool apart(Prover& prover, const std::vector<Access>& stores, const Access& read, const std::vector<Expr>& given,
           const Place& where) {
  for (const Access& store : stores) {
    for (const Obligation& o : disjoint("check-undef", "the cell is not one that may hold an undef", where, given,
                                        rename_apart(store), read)) {
      if (prover.prove(o).verdict != Verdict::Proved) return false;
    }
  }
  return true;
}

}  // namespace

const std::vector<Access>& undef_stores(CheckContext& context) {
  if (context.undef_stores) return *context.undef_stores;
  std::vector<Access>& out = context.undef_stores.emplace();
  std::vector<Access> accesses = footprint(context.func.body, entry_facts(context.func), true), open;
  for (Access& access : accesses) {
    if (!access.write) continue;
    const Store* store = access.stmt.as<Store>();
    if (!store || carries_undef(store->value, {}, context.undef_vars)) {
      std::optional<Access> filled = store ? access : filled_by(context.func, access);
      if (filled) out.push_back(*std::move(filled));
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
