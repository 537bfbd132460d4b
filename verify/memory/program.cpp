#include "verify/memory/program.h"

#include <algorithm>
#include <functional>

namespace hexproof {

ContentProgram::ContentProgram(const PrimFunc& func)
    : plain_sums(!func.granted("contract") && !func.granted("reassoc")) {
  resolve(func);
  collect_accesses(func);
}

namespace {
/// Adds to `memory` what the statement reads to say something of it.
void add_sources(const ContentNode& node, std::set<Var>* memory) {
  std::vector<Expr> loads;
  for (const Expr& e : node.exprs) add_loads(e, &loads);
  const Store* store = node.stmt.as<Store>();
  bool says = store && memory->count(store->buffer->data);
  if (!store)
    says = std::any_of(loads.begin(), loads.end(), [&](const Expr& e) { return memory->count(e->buffer()->data); });
  for (const Expr& e : loads) {
    if (says) memory->insert(e->buffer()->data);
  }
  for (const ContentNode& part : node.parts) add_sources(part, memory);
}
}  // namespace

void ContentProgram::only(std::set<Var> memory) {
  for (size_t before = 0; before != memory.size();) {
    before = memory.size();
    add_sources(root, &memory);
  }
  interest = std::move(memory);
}

const ContentNode& ContentProgram::at(const Path& path) const {
  const ContentNode* node = &root;
  for (int step : path) {
    HEXPROOF_CHECK(step >= 0 && static_cast<size_t>(step) < node->parts.size(), "Content: no such place");
    node = &node->parts[static_cast<size_t>(step)];
  }
  return *node;
}

namespace {
/// What of a statement is resolved with the facts inside of it.
void from_inside(ContentNode& node, size_t part, const Facts& facts) {
  if (node.stmt.as<For>()) node.range = facts.loops.back();
  const Block* block = node.stmt.as<Block>();
  if (!block || part != 0) return;
  auto add = [&](const Expr& e) { node.exprs.push_back(inline_lets(facts.resolve(e), facts.loops)); };
  node.has_predicate = static_cast<bool>(block->predicate);
  if (block->predicate) add(block->predicate);
  for (const IterVar& iter : block->iters) {
    if (iter.kind == IterKind::Reduce) add(eq(Expr(iter.var), iter.dom.min));
  }
}
}  // namespace

void ContentProgram::resolve(const PrimFunc& func) {
  std::set<Var> fixed;
  for (const Var& v : func.scalars()) fixed.insert(v);
  walk_with_facts(func, [&](const Stmt& s, const Path& path, const Facts& facts) {
    ContentNode* node = &root;
    for (size_t k = 0; k < path.size(); ++k) {
      ContentNode* part = &node->parts[static_cast<size_t>(path[k])];
      if (k + 1 == path.size()) from_inside(*node, static_cast<size_t>(path[k]), facts);
      node = part;
    }
    node->stmt = s;
    node->loops = facts.loops.size();
    for (const Expr& e : facts.conditions) {
      if (!is_data(e)) node->known.push_back(e);
    }
    node->parts.resize(children(s).size());
    auto add = [&](const Expr& e) { node->exprs.push_back(inline_lets(facts.resolve(e), facts.loops)); };
    if (const Store* store = s.as<Store>()) {
      for (const Expr& index : store->indices) add(index);
      add(store->value);
    } else if (const Assume* assume = s.as<Assume>()) {
      add(assume->condition);
    } else if (const If* branch = s.as<If>()) {
      add(branch->condition);
    } else if (const DeclBuffer* view = s.as<DeclBuffer>()) {
      bool moves = false;
      for (const Expr& e : layout_exprs(view->buffer)) {
        for (const Var& v : free_vars(e)) moves |= !fixed.count(v);
      }
      if (moves) varying.insert(view->buffer);
    }
    return true;
  });
}

void ContentProgram::collect_accesses(const PrimFunc& func) {
  accesses = footprint(func.body, entry_facts(func), true);
  std::function<void(ContentNode&, Path&)> number = [&](ContentNode& node, Path& at) {
    auto below = [&](const Access& a) {
      return a.order.size() > at.size() && std::equal(at.begin(), at.end(), a.order.begin());
    };
    auto first = std::find_if(accesses.begin(), accesses.end(), below);
    auto last = std::find_if_not(first, accesses.end(), below);
    node.first_access = static_cast<size_t>(first - accesses.begin());
    node.end_access = static_cast<size_t>(last - accesses.begin());
    for (size_t k = 0; k < node.parts.size(); ++k) {
      at.push_back(kOrderParts + static_cast<int>(k));
      number(node.parts[k], at);
      at.pop_back();
    }
  };
  Path at;
  number(root, at);
}

}  // namespace hexproof
