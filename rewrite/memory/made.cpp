#include "rewrite/memory/made.h"

#include <algorithm>

#include "ir/visit.h"
#include "rewrite/memory/memory_needs.h"
#include "rewrite/site/nest.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

std::string declared(const Stmt& s) {
  if (const AllocBuffer* memory = s.as<AllocBuffer>()) return memory->buffer->name;
  if (const DeclBuffer* view = s.as<DeclBuffer>()) return view->buffer->name;
  return "what is allocated";
}

class Made {
 public:
  Made(const MadePlace& place, std::vector<Obligation>* needs) : place_(place), needs_(needs) {
    for (Stmt s = place.nest; s && s.as<For>(); s = Stmt(s.as<For>()->body)) nest_.push_back(*s.as<For>());
    if (!place.like) return;
    for (const Expr& e : place.like->shape) exist_.push_back(e), exist_.push_back(place.facts.resolve(e));
  }

  /// `given` holds where the statement runs, and `around` are the extents of the made loops around it.
  void stmt(const Stmt& s, std::vector<Expr> given, std::vector<Expr> around) {
    const Facts& facts = place_.facts;
    if (const Block* block = s.as<Block>(); block && block->predicate) {
      VarMap bound;
      for (const IterVar& iter : block->iters) bound.emplace(iter.var, iter.binding);
      given.push_back(facts.resolve(substitute(block->predicate, bound)));
    }
    for_each_operand(s, [&](Operand kind, const Expr& e) { operand(s, kind, e, given, around); });
    if (const For* loop = s.as<For>()) {
      given = join(given, range_of(Expr(loop->var), facts.resolve(loop->min), facts.resolve(loop->extent)));
      around.push_back(loop->extent);
    } else if (const AllocBuffer* memory = s.as<AllocBuffer>()) {
      owe_size(place_.rule, place_.func, place_.stmt, facts, given, memory->buffer, needs_);
    }
    for (const Stmt& part : children(s)) stmt(part, given, around);
  }

 private:
  void operand(const Stmt& s, Operand kind, const Expr& e, const std::vector<Expr>& given,
               const std::vector<Expr>& around) {
    std::string what;
    switch (kind) {
      case Operand::LoopMin:
      case Operand::LoopExtent:
        what = "the bounds of loop '" + s.as<For>()->var.name() + "' are no error where they are now evaluated";
        break;
      case Operand::Extent:
      case Operand::Stride:
      case Operand::Offset:
        what = "the extents of " + declared(s) + " are no error";
        break;
      case Operand::DomainStart:
        what = "the start of a reduction is no error where it now decides of the init";
        break;
      case Operand::Value:
      case Operand::Index:
      case Operand::Condition:
      case Operand::Assumed:
      case Operand::Constant:
      case Operand::Binding:
      case Operand::Inflight:
        return;
    }
    const Expr goal = bound_is_no_error(place_.facts.resolve(e));
    if (e->args.empty() && e->op != Op::Load && is_int(goal, 1)) {
      if (e->op != Op::Var || !e->var().is_data()) return;
    }
    require_index(place_.func, e, "what the rule would evaluate again");
    if (evaluated_anyway(e, around)) return;
    needs_->push_back(need(place_.rule, what, place_.func, place_.stmt, given, goal));
  }

  bool evaluated_anyway(const Expr& e, const std::vector<Expr>& around) const {
    if (std::find(exist_.begin(), exist_.end(), e) != exist_.end()) return true;
    for (const For& loop : nest_) {
      if (loop.min == e || loop.extent == e) return true;
      const int64_t* often = as_int(loop.extent);
      const bool ran = (often && *often > 0) || std::find(around.begin(), around.end(), loop.extent) != around.end();
      if (!ran) return false;
    }
    return false;
  }

  const MadePlace& place_;
  std::vector<Obligation>* needs_;
  std::vector<For> nest_;
  std::vector<Expr> exist_;
};

}  // namespace

void owe_made(const MadePlace& place, const Stmt& made, std::vector<Obligation>* needs) {
  Made(place, needs).stmt(made, place.facts.given(), {});
}

}  // namespace hexproof
