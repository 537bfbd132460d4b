// What statements do to what is known.
#include <utility>

#include "ir/evaluation.h"
#include "ir/visit.h"
#include "tools/checker/walk.h"

namespace hexproof::checker {

std::set<uint32_t> stored_in(const Stmt& stmt, bool* all) {
  std::set<uint32_t> out;
  visit_stmt(stmt, [&](const Stmt& s) {
    if (const Store* store = s.as<Store>()) out.insert(store->buffer->data.id());
    const Evaluate* evaluated = s.as<Evaluate>();
    const Assume* assumed = s.as<Assume>();
    if (!evaluated && !assumed) return true;
    // A permission to read lets a cell hold something else from there on.
    bool undef = false;
    visit_expr(evaluated ? evaluated->value : assumed->condition, [&](const Expr& e) {
      *all |= evaluated && e->op == Op::Call;
      undef |= e->op == Op::Undef;
      return true;
    });
    if (undef && assumed) {
      visit_expr(assumed->condition, [&](const Expr& e) {
        if (e->op == Op::Load) out.insert(e->buffer()->data.id());
        return true;
      });
    }
    return true;
  });
  return out;
}

void Walk::forget_stored(const Stmt& stmt) {
  bool all = false;
  terms_.forget_cells(stored_in(stmt, &all));
  if (all) terms_.forget_all_cells();
}

/// A part of a statement, with what is known only there.
void Walk::inside(const Stmt& part, const std::vector<std::string>& facts) {
  if (!part) return;
  const Terms::Mark mark = terms_.mark();
  for (const std::string& fact : facts) terms_.know(fact);
  stmt(part);
  terms_.back_to(mark);
}

void Walk::stmt(const Stmt& s) {
  if (!s) return;
  const Stmt around = std::exchange(at_, s);
  std::visit([&](const auto& record) { run(s, record); }, s->record);
  at_ = around;
}

void Walk::run(const Stmt&, const Store& s) {
  operand(s.value, "the value");
  access(s.buffer, s.indices, true, "the store to ");
  terms_.forget_cells({s.buffer->data.id()});
}

void Walk::iterations(const For& s, const std::string& min, const std::string& last) {
  const std::string var = terms_.any(s.var.dtype());
  terms_.bind(s.var, var);
  loops_.push_back(var);
  inside(s.body, {"(<= " + min + " " + var + ")", "(<= " + var + " " + last + ")"});
  loops_.pop_back();
}

void Walk::run(const Stmt& whole, const For& s) {
  operand(s.min, "the start");
  operand(s.extent, "the extent");
  const Terms::Mark mark = terms_.mark();
  const std::string min = terms_.term(s.min), extent = terms_.term(s.extent),
                    last = "(- (+ " + min + " " + extent + ") 1)";
  Goals fits = goals();
  claim(fits, "(=> (< 0 " + extent + ") (<= " + last + " " + numeral(max_value(s.var.dtype())) + "))");
  ask(fits, "the values of the loop's variable fit its type");
  bool all = false;
  const std::set<uint32_t> stored = stored_in(s.body, &all);
  const std::set<uint32_t> outer = terms_.unstable;
  const bool outer_all = terms_.all_unstable;
  forget_stored(whole);  // an earlier iteration stored
  if (s.kind != ForKind::Serial && s.kind != ForKind::Unrolled) {
    terms_.unstable.insert(stored.begin(), stored.end());
    terms_.all_unstable |= all;
    races(s, min, last);
  }
  iterations(s, min, last);
  terms_.unstable = outer;
  terms_.all_unstable = outer_all;
  terms_.back_to(mark);
  forget_stored(whole);
}

void Walk::run(const Stmt& whole, const If& s) {
  operand(s.condition, "the condition");
  const Terms::Mark mark = terms_.mark();
  const std::string condition = terms_.term(s.condition);
  inside(s.then_case, {condition});
  inside(s.else_case, {"(not " + condition + ")"});
  terms_.back_to(mark);
  forget_stored(whole);
}

void Walk::run(const Stmt& whole, const LetStmt& s) {
  operand(s.value, "the value");
  const Terms::Mark mark = terms_.mark();
  if (has_term(s.value->dtype)) terms_.bind(s.var, terms_.term(s.value));
  stmt(s.body);
  terms_.back_to(mark);
  forget_stored(whole);
}

void Walk::run(const Stmt& whole, const Seq& s) {
  const Terms::Mark mark = terms_.mark();
  for (const Stmt& part : s.stmts) stmt(part);  // what an assume says holds until the end of the sequence
  terms_.back_to(mark);
  forget_stored(whole);
}

void Walk::run(const Stmt& whole, const Evaluate& s) {
  operand(s.value, "what is evaluated");
  forget_stored(whole);
}

void Walk::run(const Stmt& whole, const Assume& s) {
  const Expr decided = decided_in_order(s.condition);
  in_assume_ = true;
  operand(decided, "the assume");
  in_assume_ = false;
  forget_stored(whole);
  if (is_data(s.condition)) return;  // what it says of memory is not used
  const std::string condition = terms_.term(decided);
  if (given_) {
    Goals holds = goals();
    claim(holds, condition);
    ask(holds, "the assume holds, given those of the first program");
  }
  terms_.know(condition);
}

void Walk::run(const Stmt& whole, const AllocBuffer& s) {
  layout_of(s.buffer);
  const Terms::Mark mark = terms_.mark();
  declare(s.buffer);
  owns(s.buffer);
  stmt(s.body);
  terms_.back_to(mark);
  forget_stored(whole);
}

void Walk::run(const Stmt& whole, const DeclBuffer& s) {
  layout_of(s.buffer);
  const Terms::Mark mark = terms_.mark();
  declare(s.buffer);
  stmt(s.body);
  terms_.back_to(mark);
  forget_stored(whole);
}

void Walk::run(const Stmt& whole, const Block& s) {
  const Terms::Mark mark = terms_.mark();
  std::vector<std::string> facts, starts, spatial;
  for (const IterVar& iter : s.iters) {
    operand(iter.binding, "a binding");
    terms_.bind(iter.var, terms_.term(iter.binding));
    if (iter.kind == IterKind::Spatial) spatial.push_back(terms_.term(Expr(iter.var)));
  }
  if (s.predicate) {
    operand(s.predicate, "the predicate");
    facts.push_back(terms_.term(s.predicate));
  }
  Goals domains = goals();
  for (const IterVar& iter : s.iters) {
    const std::string value = terms_.term(Expr(iter.var)), min = terms_.term(iter.dom.min);
    claim(domains, "(=> " + conjunction(facts) + " (and (<= " + min + " " + value + ") (< " + value + " (+ " + min +
                       " " + terms_.term(iter.dom.extent) + "))))");
  }
  ask(domains, "where the block's predicate holds, its bindings lie in their domains");
  const bool outermost = !block_;
  if (outermost) block_ = whole, spatial_ = spatial;
  if (s.init) {
    starts = facts;
    for (const IterVar& iter : s.iters) {
      if (iter.kind != IterKind::Reduce) continue;
      operand(iter.dom.min, "the start of a domain");
      starts.push_back("(= " + terms_.term(Expr(iter.var)) + " " + terms_.term(iter.dom.min) + ")");
    }
    const Terms::Mark first = terms_.mark();
    for (const std::string& fact : starts) terms_.know(fact);
    instances(s.init);
    stmt(s.init);
    terms_.back_to(first);
    forget_stored(s.init);
  }
  for (const std::string& fact : facts) terms_.know(fact);
  instances(s.body);
  stmt(s.body);
  if (outermost) block_ = {};
  terms_.back_to(mark);
  forget_stored(whole);
}

void Walk::run(const Stmt&, const AttrStmt& s) { stmt(s.body); }

}  // namespace hexproof::checker
