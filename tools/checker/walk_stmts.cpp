// What statements do to what is known.
#include <utility>

#include "ir/evaluation.h"
#include "tools/checker/walk.h"

namespace hexproof::checker {

namespace {

/// The op of T[c] = T[c] op e or T[c] = e op T[c] on integers, where e and c read nothing of that memory.
std::optional<Op> accumulates(const Store& s) {
  const Expr& value = s.value;
  const bool sums = value->op == Op::Add || value->op == Op::Mul;
  if (!value->dtype.is_integer() || (!(sums && value->wraps) && value->op != Op::Min && value->op != Op::Max))
    return {};
  for (size_t side : {0, 1}) {
    const Expr &old = value->args[side], &with = value->args[1 - side];
    if (old->op != Op::Load || !(old->buffer() == s.buffer) || old->args != s.indices) continue;
    auto is_fixed = [&](const Expr& e) {
      return !has_choice(e) && !holds(e, [&](const Expr& part) {
        return part->op == Op::Load && part->buffer()->data == s.buffer->data;
      });
    };
    if (is_fixed(with) && std::all_of(s.indices.begin(), s.indices.end(), is_fixed)) return value->op;
  }
  return {};
}

}  // namespace

std::set<uint32_t> stored_in(const Stmt& stmt, bool* all) {
  std::set<uint32_t> out;
  visit_stmt(stmt, [&](const Stmt& s) {
    for_each_written(s, [&](const Buffer& buffer) { out.insert(buffer->data.id()); });
    const Evaluate* evaluated = s.as<Evaluate>();
    *all |= evaluated && holds(evaluated->value, [](const Expr& e) { return e->op == Op::Call; });
    return true;
  });
  return out;
}

void Walk::forget_stored(const Stmt& stmt) {
  bool all = false;
  terms_.forget_cells(stored_in(stmt, &all));
  if (all) terms_.forget_all_cells();
}

void Walk::unstably(const Stmt& stmt, const std::function<void()>& run) {
  const std::set<uint32_t> outer = terms_.unstable;
  const bool outer_all = terms_.all_unstable;
  terms_.unstable.merge(stored_in(stmt, &terms_.all_unstable));
  run();
  terms_.unstable = outer;
  terms_.all_unstable = outer_all;
}

/// A part of a statement, with what is known only there.
void Walk::inside(const Stmt& part, const std::vector<std::string>& facts, bool of_block) {
  if (!part) return;
  const Terms::Mark mark = terms_.mark();
  for (const std::string& fact : facts) terms_.know(fact);
  if (of_block) instances(part);
  stmt(part);
  terms_.back_to(mark);
}

/// What became known in a statement is forgotten behind it, but for what an assume says.
void Walk::stmt(const Stmt& s) {
  if (!s) return;
  const Stmt around = std::exchange(at_, s);
  meets(s);
  const Terms::Mark mark = terms_.mark();
  std::visit([&](const auto& record) { run(record); }, s->record);
  if (!s.as<Assume>()) terms_.back_to(mark);
  forget_stored(s);
  at_ = around;
}

void Walk::run(const Store& s) {
  const size_t first = touches_ ? touches_->size() : 0;
  operand(s.value, "the value", false);
  access(s.buffer, s.indices, true, "the store to ");
  const std::optional<Op> sum = touches_ ? accumulates(s) : std::nullopt;
  for (size_t k = first; sum && k < touches_->size(); ++k) {
    if ((*touches_)[k].buffer == s.buffer) (*touches_)[k].sum = sum;
  }
}

void Walk::iterations(const For& s, const std::string& min, const std::string& last) {
  const std::string var = terms_.any(s.var.dtype());
  terms_.bind(s.var, var);
  loops_.push_back(var);
  inside(s.body, {"(<= " + min + " " + var + ")", "(<= " + var + " " + last + ")"});
  loops_.pop_back();
}

void Walk::run(const For& s) {
  operand(s.min, "the start");
  operand(s.extent, "the extent");
  const std::string min = terms_.term(s.min), extent = terms_.term(s.extent),
                    last = "(- (+ " + min + " " + extent + ") 1)", most = numeral(max_value(kInt64));
  claim_here("(and (<= " + min + " " + most + ") (<= " + extent + " " + most + ") (=> (< 0 " + extent +
                 ") (<= " + last + " " + numeral(max_value(s.var.dtype())) + ")))",
             "the values of the loop's variable fit its type");
  forget_stored(at_);  // an earlier iteration stored
  if (s.kind == ForKind::Serial || s.kind == ForKind::Unrolled) {
    iterations(s, min, last);
  } else {
    unstably(s.body, [&] { races(s, min, last), iterations(s, min, last); });
  }
}

void Walk::run(const If& s) {
  operand(s.condition, "the condition");
  const std::string condition = terms_.term(s.condition);
  inside(s.then_case, {condition});
  inside(s.else_case, {"(not " + condition + ")"});
}

void Walk::run(const LetStmt& s) {
  operand(s.value, "the value", false);
  let(s.var, s.value);
  stmt(s.body);
}

void Walk::run(const Assume& s) {
  const Expr decided = decided_in_order(s.condition);
  in_assume_ = true;
  operand(decided, "the assume", false);
  for_each_decided(decided, [&](const Expr& part, const char*) { decides(part); });
  in_assume_ = false;
  const bool of_callee = of_callees_.count(at_.get()) > 0;
  if (is_data(s.condition) && !of_callee) return;  // what it says of memory is not used
  const std::string condition = terms_.term(decided);
  if (given_ || of_callee) claim_here(condition, "the assume holds, given those of the first program");
  terms_.know(condition);
}

void Walk::with_buffer(const Buffer& buffer, const Stmt& body, bool fresh) {
  layout_of(buffer);
  declare(buffer);
  const Layout& layout = layouts_.at(buffer.operator->());
  for (const std::string& extent : layout.extents) counts(extent, "0 ");
  for (const std::string& stride : layout.strides) counts(stride, fresh ? "0 " : "");  // a view may go backwards
  counts(layout.offset, "");
  if (fresh) owns(buffer), can_exist(memories_.at(buffer->data.id()));
  stmt(body);
}

void Walk::run(const Block& s) {
  std::vector<std::string> facts, starts, spatial;
  for (const IterVar& iter : s.iters) {
    operand(iter.binding, "a binding", false);
    let(iter.var, iter.binding);
    if (iter.kind == IterKind::Spatial) spatial.push_back(terms_.term(Expr(iter.var)));
  }
  if (s.predicate) {
    operand(s.predicate, "the predicate");
    facts.push_back(terms_.term(s.predicate));
  }
  Goals domains = goals();
  for (const IterVar& iter : s.iters) {
    const std::string value = terms_.term(Expr(iter.var)), min = terms_.term(iter.dom.min);
    const std::string in_domain = is_below("(- " + value + " " + min + ")", terms_.term(iter.dom.extent));
    claim(domains, "(=> " + conjunction(facts) + " " + in_domain + ")");
  }
  ask(domains, "where the block's predicate holds, its bindings lie in their domains");
  const bool outermost = !block_;
  if (outermost) block_ = at_, spatial_ = spatial;
  if (s.init) {
    starts = facts;
    for (const IterVar& iter : s.iters) {
      if (iter.kind != IterKind::Reduce) continue;
      operand(iter.dom.min, "the start of a domain"), decides(Expr(iter.var));
      starts.push_back("(= " + terms_.term(Expr(iter.var)) + " " + terms_.term(iter.dom.min) + ")");
    }
    inside(s.init, starts, true);
    forget_stored(s.init);
  }
  inside(s.body, facts, true);
  if (outermost) block_ = {};
}

}  // namespace hexproof::checker
