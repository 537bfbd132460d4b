#include "rewrite/memory/memory_needs.h"

#include <algorithm>

#include "rewrite/site/places.h"
#include "verify/facts/memory_size.h"

namespace hexproof {
namespace {

MemoryLayout layout_at(const Facts& facts, const Buffer& buffer) {
  return layout_of_memory(buffer, [&](const Expr& e) { return inline_lets(facts.resolve(e), facts.loops); });
}

}  // namespace

void owe_memory(const std::string& rule, const PrimFunc& func, const Stmt& stmt, const Facts& facts,
                const Buffer& buffer, const Buffer& like, std::vector<Obligation>* needs) {
  const MemoryLayout layout = layout_at(facts, buffer), known = layout_at(facts, like);
  const std::vector<Expr> given = facts.given();
  for (const std::vector<Expr>* parts : {&layout.shape, &layout.strides}) {
    for (const Expr& e : *parts) {
      if (e->args.empty() || std::find(known.shape.begin(), known.shape.end(), e) != known.shape.end()) continue;
      needs->push_back(need(rule, "the extents of " + buffer->name + " are no error", func, stmt, given, fits(e)));
    }
  }
  owe_size(rule, func, stmt, facts, given, buffer, needs);
}

void owe_size(const std::string& rule, const PrimFunc& func, const Stmt& stmt, const Facts& facts,
              const std::vector<Expr>& given, const Buffer& buffer, std::vector<Obligation>* needs) {
  for (const SizeGoal& size : size_goals(layout_at(facts, buffer), buffer->name)) {
    needs->push_back(need(rule, size.why, func, stmt, join(given, size.given), size.goal));
  }
}

std::vector<Expr> known_of_memory(const Facts& facts, const Buffer& buffer) {
  std::vector<Expr> out;
  size_facts(layout_at(facts, buffer), &out);
  return out;
}

}  // namespace hexproof
