// Lists of facts, and what is asked of the expressions in them.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "verify/memory/content.h"

namespace hexproof {

/// Lists of one place share most facts with those of the next one: a fact is copied when it changes.
using FactPtr = std::shared_ptr<const MemoryFact>;
using FactList = std::vector<FactPtr>;

/// The fact, to be changed by this list alone.
MemoryFact& own(FactPtr& fact);
FactPtr make_fact(MemoryFact fact);
/// `more` behind `facts`; where there are too many the oldest are forgotten.
void append(FactList* facts, const FactList& more);

bool only_scalars(const Expr& e);
/// Small enough to be kept.
bool small_enough(const Expr& e);
/// The loads in `e` that `out` lacks.
void add_loads(const Expr& e, std::vector<Expr>* out);
/// Does the fact read a buffer for which `f` holds?
bool mentions(const MemoryFact& fact, const std::function<bool(const Buffer&)>& f);

}  // namespace hexproof
