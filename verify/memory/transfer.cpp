#include "verify/memory/transfer.h"

#include <algorithm>

#include "ir/base/mutant.h"
#include "verify/memory/zeros.h"

namespace hexproof {

namespace {

bool stores_undef(const Expr& e) {
  bool found = false;
  visit_nodes(e, [&](const Expr& node) { return !(found |= node->op == Op::Undef); });
  return found;
}

/// Does one of them read a view that varies? Then nothing is known under it at another place: the view lies elsewhere
/// there, or is not in scope, and a store to what its layout reads ends nothing.
bool read_what_varies(const ContentProgram& program, const std::vector<Expr>& list) {
  MemoryFact reading;
  for (const Expr& e : list) add_loads(e, &reading.cells);
  return mentions(reading, [&](const Buffer& b) { return program.varies(b); });
}

}  // namespace

void guard(const ContentProgram& program, const Expr& condition, bool negated,
           const std::vector<const ContentNode*>& ran, FactList* facts) {
  if (facts->empty()) return;
  if (stores_undef(condition) || !only_scalars(condition) || !small_enough(condition)) return facts->clear();
  std::vector<Expr> parts = conjuncts(condition, negated);
  if (read_what_varies(program, {condition})) return facts->clear();
  MemoryFact reading;
  add_loads(condition, &reading.cells);
  FactList reads{make_fact(std::move(reading))};
  for (const ContentNode* node : ran) clobber(program, *node, &reads);
  if (reads.empty()) return facts->clear();
  for (FactPtr& shared : *facts) {
    MemoryFact& fact = own(shared);
    if (HEXPROOF_MUTANT("content/branch-forgotten", true, false))
      fact.when.insert(fact.when.begin(), parts.begin(), parts.end());
    for (const Expr& load : reads[0]->cells) add_loads(load, &fact.cells);
    fact.hits.insert(fact.hits.end(), reads[0]->hits.begin(), reads[0]->hits.end());
  }
}

void learn(const ContentProgram& program, const Expr& condition, bool negated, FactList* facts) {
  for (const Expr& e : conjuncts(condition, HEXPROOF_MUTANT("content/negation", negated, !negated))) {
    MemoryFact fact;
    add_loads(e, &fact.cells);
    if (fact.cells.empty() || !only_scalars(e) || !small_enough(e)) continue;
    if (!mentions(fact, [&](const Buffer& b) { return program.of_interest(b); })) continue;
    if (read_what_varies(program, fact.cells)) continue;
    fact.says = e;
    fact.triggers = fact.cells;
    facts->push_back(make_fact(std::move(fact)));
  }
}

void run(const ContentProgram& program, const ContentNode& node, FactList* facts) {
  if (HEXPROOF_MUTANT("content/kill-in-sequence", true, false)) clobber(program, node, facts);
  append(facts, node.established);
}

namespace {

/// A value that a condition chooses makes one fact for each choice.
void cases(const Expr& cell, const Expr& value, const MemoryFact& fact, int depth, FactList* out) {
  if (depth == 0 || (value->op != Op::IfThenElse && value->op != Op::Select)) {
    MemoryFact one = fact;
    one.says = same_bits(cell, value);
    out->push_back(make_fact(std::move(one)));
    return;
  }
  for (size_t side : {1, 2}) {
    MemoryFact one = fact;
    for (Expr& e : conjuncts(value->args[0], HEXPROOF_MUTANT("content/choice", side == 2, side == 1)))
      one.when.push_back(std::move(e));
    cases(cell, value->args[side], one, depth - 1, out);
  }
}

/// "The cell is not -0.0", whatever the value read. Nothing when the store may hit what its own index reads.
FactPtr sign_of(const ContentProgram& program, const ContentNode& node, const Expr& cell) {
  if (read_what_varies(program, cell->args)) return nullptr;
  MemoryFact fact;
  for (const Expr& index : cell->args) add_loads(index, &fact.cells);
  FactList facts{make_fact(std::move(fact))};
  clobber(program, node, &facts);
  if (facts.empty()) return nullptr;
  fact = *facts[0];
  fact.not_minus_zero = true;
  fact.says = not_minus_zero(cell);
  fact.triggers = {cell};
  fact.cells.push_back(cell);
  return make_fact(std::move(fact));
}

void stored(const ContentProgram& program, ContentNode& node, const Store& s) {
  const Expr& value = node.exprs.back();
  std::vector<Expr> indices(node.exprs.begin(), node.exprs.end() - 1);
  if (!program.of_interest(s.buffer) || program.varies(s.buffer) || !s.buffer->dtype.is_scalar()) return;
  bool permits = value->op == Op::Undef;
  for (const Expr& e : node.exprs) {
    if (!only_scalars(e) || !small_enough(e) || (stores_undef(e) && !permits)) return;
  }
  Expr cell = load(s.buffer, indices);
  MemoryFact fact;
  for (const Expr& e : node.exprs) add_loads(e, &fact.cells);
  if (program.plain_sums && never_minus_zero(value)) {
    if (FactPtr sign = sign_of(program, node, cell)) node.established.push_back(std::move(sign));
  }
  bool own = std::find(fact.cells.begin(), fact.cells.end(), cell) != fact.cells.end();
  if (HEXPROOF_MUTANT("content/value-reads-its-cell", own, false) || read_what_varies(program, fact.cells)) return;
  // What the value and the index read may be the cell itself.
  FactList facts{make_fact(std::move(fact))};
  clobber(program, node, &facts);
  if (facts.empty()) return;
  fact = *facts[0];
  fact.permission = permits;
  fact.triggers = {cell};
  fact.cells.push_back(cell);
  if (permits) {
    fact.says = may_hold_anything(cell);
    node.established.push_back(make_fact(std::move(fact)));
    return;
  }
  cases(cell, value, fact, 3, &node.established);
}

/// The loop has run: what each iteration established holds for all of them, unless a later one stored there.
void finished(const ContentProgram& program, const ContentNode& node, const For& s, FactList* facts) {
  Expr here(s.var);
  bool in_order = s.kind == ForKind::Serial || s.kind == ForKind::Unrolled;
  Iteration other =
      another_iteration(node, HEXPROOF_MUTANT("content/later-iterations", in_order ? Op::LT : Op::NE, Op::GT));
  std::vector<Expr> range = range_of(node.range);
  if (read_what_varies(program, range)) return facts->clear();
  for (FactPtr& fact : *facts) {
    MemoryFact& ranged = own(fact);
    if (HEXPROOF_MUTANT("content/range-forgotten", true, false))
      ranged.when.insert(ranged.when.begin(), range.begin(), range.end());
  }
  clobber(program, node.parts[0], other, facts);
  for (FactPtr& shared : *facts) {
    MemoryFact& fact = own(shared);
    fact.loops.insert(fact.loops.begin(), node.range);
    for (const Expr& e : range) add_loads(e, &fact.cells);
  }
}

void leave(ContentNode& node, const std::function<bool(const Buffer&)>& gone) {
  node.established = node.parts[0].established;
  std::erase_if(node.established, [&](const FactPtr& fact) { return mentions(*fact, gone); });
}

void establish_at(const ContentProgram& program, ContentNode& node) {
  for (ContentNode& part : node.parts) establish_at(program, part);
  FactList& out = node.established;
  std::visit(
      match{[&](const Store& s) { stored(program, node, s); },
            [&](const Assume&) { learn(program, node.exprs[0], false, &out); }, [](const Evaluate&) {},
            [&](const Seq&) {
              for (const ContentNode& part : node.parts) run(program, part, &out);
            },
            [&](const For& s) {
              out = node.parts[0].established;
              finished(program, node, s, &out);
            },
            [&](const If& s) {
              // Whichever part ran may have written what the condition read: not the part alone that `facts` are of.
              std::vector<const ContentNode*> ran;
              for (const ContentNode& part : node.parts) ran.push_back(&part);
              for (size_t k = 0; k < node.parts.size(); ++k) {
                FactList facts = node.parts[k].established;
                if (HEXPROOF_MUTANT("content/other-branch-forgotten", true, false)) {
                  guard(program, node.exprs[0], k == 1 || !s.then_case, ran, &facts);
                } else {
                  guard(program, node.exprs[0], k == 1 || !s.then_case, {&node.parts[k]}, &facts);
                }
                append(&out, facts);
              }
            },
            [&](const Block& s) {
              for (size_t k = 0; k < node.parts.size(); ++k) {
                bool init = s.init && k == 0;
                if (s.init && k == 1) clobber(program, node.parts[k], &out);
                FactList facts = node.parts[k].established;
                if (init) {
                  for (size_t e = node.has_predicate; e < node.exprs.size(); ++e) {
                    guard(program, node.exprs[e], false, {&node.parts[0]}, &facts);
                  }
                }
                append(&out, facts);
              }
              if (node.has_predicate) {
                std::vector<const ContentNode*> ran;
                for (const ContentNode& part : node.parts) ran.push_back(&part);
                guard(program, node.exprs[0], false, ran, &out);
              }
            },
            [&](const AllocBuffer& s) { leave(node, [&](const Buffer& b) { return b->data == s.buffer->data; }); },
            [&](const Allocate& s) { leave(node, [&](const Buffer& b) { return b->data == s.data; }); },
            [&](const DeclBuffer& s) { leave(node, [&](const Buffer& b) { return as_declared(b) == s.buffer; }); },
            [&](const LetStmt&) { out = node.parts[0].established; },
            [&](const AttrStmt&) { out = node.parts[0].established; },
            [&](const AsyncCommit&) { out = node.parts[0].established; },
            [&](const AsyncWait&) { out = node.parts[0].established; }},
      node.stmt->record);
}

}  // namespace

void transfer(ContentProgram* program) {
  // What the outermost sequence establishes as a whole nobody asks: places in it know what its parts did.
  ContentNode* node = &program->root;
  while (node->stmt.as<AllocBuffer>() || node->stmt.as<DeclBuffer>() || node->stmt.as<Allocate>()) {
    node = &node->parts[0];
  }
  if (!node->stmt.as<Seq>()) return establish_at(*program, *node);
  for (ContentNode& part : node->parts) establish_at(*program, part);
}

}  // namespace hexproof
