#include "verify/memory/fact_list.h"

#include <algorithm>

namespace hexproof {

namespace {
constexpr size_t kFacts = 200;  // known at one place; the oldest are forgotten first
constexpr size_t kSize = 300;   // nodes of a statement about cells
}  // namespace

MemoryFact& own(FactPtr& fact) {
  auto copy = std::make_shared<MemoryFact>(*fact);
  fact = copy;
  return *copy;
}
FactPtr make_fact(MemoryFact fact) { return std::make_shared<const MemoryFact>(std::move(fact)); }

void append(FactList* facts, const FactList& more) {
  facts->insert(facts->end(), more.begin(), more.end());
  if (facts->size() > kFacts) facts->erase(facts->begin(), facts->end() - static_cast<long>(kFacts));
}

bool only_scalars(const Expr& e) {
  bool scalar = true;
  visit_nodes(e, [&](const Expr& node) { return scalar &= node->dtype.is_scalar(); });
  return scalar;
}

bool small_enough(const Expr& e) {
  size_t count = 0;
  visit_expr(e, [&](const Expr&) { return ++count <= kSize; });
  return count <= kSize;
}

void add_loads(const Expr& e, std::vector<Expr>* out) {
  visit_nodes(e, [&](const Expr& node) {
    if (node->op == Op::Load && std::find(out->begin(), out->end(), node) == out->end()) out->push_back(node);
    return true;
  });
}

bool mentions(const MemoryFact& fact, const std::function<bool(const Buffer&)>& f) {
  return std::any_of(fact.cells.begin(), fact.cells.end(), [&](const Expr& e) { return f(e->buffer()); });
}

}  // namespace hexproof
