#include "verify/check/items/operation_safety.h"

#include "ir/base/mutant.h"
#include "ir/interpreter/fault.h"
#include "verify/facts/memory_size.h"
#include "verify/memory/kept.h"

namespace hexproof {

Expr OperationSafety::resolved(const Expr& e) const { return inline_lets(facts_.resolve(e), facts_.loops); }

CheckItem OperationSafety::question(const char* rule, std::string why, Expr goal, const Expr& probe,
                                    std::vector<Expr> also) {
  if (!place_) place_ = place_of(context_.func, stmt_);
  std::vector<Expr> given = facts_.given();
  given.insert(given.end(), also.begin(), also.end());
  if (is_data(goal)) given = with_content(cells(), std::move(given), {goal});
  CheckItem q{.obligation = {rule, std::move(why), *place_, std::move(given), std::move(goal)}, .path = path_};
  q.guards.assign(facts_.conditions.begin() + static_cast<long>(base_), facts_.conditions.end());
  if (probe) q.probe = make_stmt(Evaluate{probe}, stmt_->span);
  return q;
}

const std::vector<MemoryFact>& OperationSafety::cells() {
  if (!context_.content) context_.content = content_of(context_.func);
  if (!cells_) cells_ = context_.content->at(path_);
  return *cells_;
}

void OperationSafety::ask(CheckItem q) {
  if (!is_int(q.obligation.goal, 1)) context_.questions.push_back(std::move(q));
}

void OperationSafety::value(const Expr& e) {
  const Expr whole = facts_.resolve(e);
  if (too_large(resolved(e))) {
    ask(question("check-size", "the expression, with its lets put in, is small enough to be looked at", boolean(false),
                 {}));
    return;
  }
  const size_t conditions = facts_.conditions.size(), ran = facts_.evaluated.size();
  for_each_evaluated(whole, [&](const Expr& node, const Evaluation& at) {
    // What has no operands has no error. (A load may be without indices.) Of a let, value and body are evaluated, each
    // by itself.
    if (info(node->op).arity == 0 || node->op == Op::Let) return;
    for (const Evaluation::Guard& guard : at.guards) {
      Expr condition = value_at(guard.condition, at, facts_.loops);
      for (Expr& c : conjuncts(condition, guard.negated)) facts_.conditions.push_back(std::move(c));
      for (Expr& claim : evaluated(condition)) facts_.evaluated.push_back(std::move(claim));
    }
    operation(node, at);
    facts_.conditions.resize(conditions);
    facts_.evaluated.resize(ran);
  });
}

bool OperationSafety::plain_index(const Expr& e) {
  bool plain = true;
  visit_expr(e, [&](const Expr& node) {
    plain = plain && node->op != Op::Let && !is_application(node->op) && node->op != Op::Undef;
    return plain;
  });
  return plain;
}

void OperationSafety::operation(const Expr& node, const Evaluation& at) {
  const Expr e = value_at(node, at, facts_.loops);
  if (plain_index(node) && !is_data(e)) {
    bool part = at.user && plain_index(at.user) && !is_data(value_at(at.user, at, facts_.loops));
    if (!part) index_arithmetic(e);
    return;
  }
  for (const auto& [operand, what] : operands_that_decide(e)) settled(operand, what);
  if (e->op == Op::Load) {
    bounds(e->buffer(), e->args, e, false);
  } else {
    data_operation(e);
  }
}

void OperationSafety::settled(const Expr& e, const std::string& what) {
  if (!is_data(e)) return;
  bool undef = function_has_undef() && holds_opaque(e);
  std::vector<Expr> cells;
  visit_expr(e, [&](const Expr& node) {
    undef |= node->op == Op::Undef;
    if (node->op == Op::Load && context_.may_hold_undef.count(node->buffer()->data)) {
      undef |= !node->dtype.is_scalar();
      cells.push_back(node);
    }
    return !undef;
  });
  if (undef) return ask(question("check-undef", "no undef reaches " + what, boolean(false), {}));
  for (const Expr& cell : cells) clean(cell, what);
}

void OperationSafety::control(const Expr& e, const std::string& what) {
  value(e);
  settled(resolved(e), what);
}

void OperationSafety::clean(const Expr& cell, const std::string& what) {
  const Access read = access_of(cell->buffer(), cell->args, facts_.layout(cell->buffer()));
  for (const Access& access : undef_stores(context_)) {
    if (!may_alias(access.buffer, read.buffer)) continue;
    Access store = rename_apart(access);
    ask(question("check-undef", "no undef reaches " + what + ": " + text(cell) + " is none of the cells that hold one",
                 lnot(same_cell(store, read)), {}, domain_of(store)));
  }
}

bool OperationSafety::holds_opaque(const Expr& e) {
  bool found = false;
  visit_expr(e, [&](const Expr& node) {
    found |= is_uninterpreted(node->op);
    return !found;
  });
  return found;
}

bool OperationSafety::function_has_undef() {
  if (!has_undef_) {
    has_undef_ = false;
    visit_all_exprs(context_.func.body, [&](const Expr& e) { *has_undef_ |= e->op == Op::Undef; });
  }
  return *has_undef_;
}

void OperationSafety::condition(const Expr& e) { control(e, "a condition"); }

void OperationSafety::index_arithmetic(const Expr& e) {
  bool works = false;
  visit_expr(e, [&](const Expr& node) {
    bool plain = node->op == Op::Min || node->op == Op::Max || node->op == Op::Select || node->op == Op::IfThenElse ||
                 node->op == Op::Likely || node->op == Op::Broadcast;
    works |= !node->args.empty() && node->dtype.is_integer() && !plain;
    return !works;
  });
  if (!works) return;
  const std::string why = "index arithmetic has no error: " + text(e);
  if (e->dtype.is_scalar()) {
    ask(question("check-overflow", why, HEXPROOF_MUTANT("check/overflow", fits(e), boolean(true)), e));
    return;
  }
  Var lane = Var::fresh("lane", kInt32);
  Expr one = lane_of(e, lane, facts_.loops);
  ask(question("check-overflow", why, is_data(one) ? boolean(false) : fits(one), e, lane_range(lane, e->dtype.lanes)));
}

std::vector<Expr> OperationSafety::lane_range(const Var& lane, int lanes) {
  return {le(i32(0), Expr(lane)), lt(Expr(lane), i32(lanes))};
}

std::string OperationSafety::text(const Expr& e) { return one_line(make_stmt(Evaluate{e})); }

void OperationSafety::data_operation(const Expr& whole) {
  Expr e = whole;
  std::vector<Expr> also;
  if (may_wrap(e->op, e->dtype) && !e->wraps) {
    Expr goal = e->dtype.is_scalar() ? fits(e) : boolean(false);
    return ask(question("check-overflow", "index arithmetic has no error: " + text(whole), goal, {}));
  }
  bool may_fail = is_division(e->op) || e->op == Op::Shl || e->op == Op::Shr ||
                  (e->op == Op::Cast && e->dtype.is_integer() && e->args[0]->dtype.is_float());
  if (!may_fail) return;
  if (!e->dtype.is_scalar()) {
    Var lane = Var::fresh("lane", kInt32);
    e = lane_of(e, lane, facts_.loops);
    also = lane_range(lane, whole->dtype.lanes);
    if (e->op != whole->op) {
      ask(question("check-division", "the operation has a value in every lane: " + text(whole), boolean(false), {}));
      return;
    }
  }
  DType type = e->dtype;
  if (is_division(e->op)) {
    const Expr &a = e->args[0], &b = e->args[1];
    std::optional<Wide> divisor;
    if (as_int(b)) divisor = int_value(b);
    if (!divisor || *divisor == 0) {
      ask(question("check-division", "the divisor is not zero: " + text(whole),
                   HEXPROOF_MUTANT("check/divisor", ne(b, zero(type)), boolean(true)), {}, also));
    }
    if (type.is_int() && (!divisor || *divisor == -1)) {
      Expr goal = lor(ne(b, imm(type, -1)), ne(a, imm(type, min_value(type))));
      ask(question("check-division", "the quotient fits its type: " + text(whole), goal, {}, also));
    }
  } else if (e->op == Op::Cast) {
    const Expr& x = e->args[0];
    DType from = x->dtype;
    // Truncation brings everything between min - 1 and max + 1 into the type.
    double low = static_cast<double>(min_value(type)), high = static_cast<double>(max_value(type) + 1);
    Expr below = fimm(from, low - 1);
    bool exact = low - 1 < low && below->float_value() == low - 1;  // (of -2^63 a double knows no predecessor)
    Expr bottom = fimm(from, low);
    Expr lower = exact || bottom->float_value() != low ? gt(x, exact ? below : bottom) : ge(x, bottom);
    ask(question("check-cast", "the float fits the integer type: " + text(whole), land(lower, lt(x, fimm(from, high))),
                 {}, also));
  } else {
    const Expr& b = e->args[1];
    Expr goal = HEXPROOF_MUTANT("check/shift", lt(b, imm(b->dtype, type.bits)), le(b, imm(b->dtype, type.bits)));
    if (b->dtype.is_int()) goal = land(le(zero(b->dtype), b), goal);
    if (as_int(b) && int_value(b) >= 0 && int_value(b) < type.bits) return;
    ask(question("check-shift", "the shift is less than the width: " + text(whole), goal, {}, also));
  }
}

void OperationSafety::bounds(const Buffer& buffer, const std::vector<Expr>& indices, const Expr& probe, bool write) {
  std::vector<Expr> goals, also, scalars;
  int lanes = 1;
  for (const Expr& index : indices) lanes = std::max<int>(lanes, index->dtype.lanes);
  Var lane = lanes > 1 ? Var::fresh("lane", kInt32) : Var();
  if (lanes > 1) also = lane_range(lane, lanes);
  const BufferLayout layout = facts_.layout(buffer);
  auto open = views_open_.find(as_declared(buffer));
  for (size_t d = 0; d < indices.size(); ++d) {
    Expr index = lane_of(indices[d], lane, facts_.loops), extent = layout.shape[d];
    scalars.push_back(index);
    if (index->dtype != extent->dtype) {
      if (as_int(extent) && fits_type(index->dtype, int_value(extent))) {
        extent = imm(index->dtype, int_value(extent));
      } else {
        index = cast(kInt64, index), extent = cast(kInt64, extent);
      }
    }
    if (index->dtype.is_int())
      goals.push_back(
          HEXPROOF_MUTANT("check/lower-bound", le(zero(index->dtype), index), le(imm(index->dtype, -1), index)));
    goals.push_back(HEXPROOF_MUTANT("check/upper-bound", lt(index, extent), le(index, extent)));
  }
  std::string why = std::string(write ? "a write" : "a read") + " of " + buffer->name + " is in bounds";
  bool data = false;
  for (const Expr& index : indices) data |= is_data(index);
  Expr by_itself = data || (probe && write) ? Expr() : probe;
  CheckItem q = question("check-bounds", why, all(goals), by_itself, also);
  if (write && !data) q.probe = plain_store(buffer, indices);
  ask(std::move(q));
  auto memory = context_.memories.find(buffer->data);
  if (memory == context_.memories.end()) return;
  if (open == views_open_.end()) return;
  const Expr address = HEXPROOF_MUTANT("access/address-is-cast", flat_address(layout, scalars, kInt64),
                                       as_type(kInt64, flat_address(layout, scalars)));
  CheckItem inside = question("check-view", "an access of the view " + buffer->name + " lies in its memory",
                              in_memory(address, buffer->dtype.lanes, memory->second), by_itself, also);
  if (write && !data) inside.probe = plain_store(buffer, indices);
  open->second.push_back(std::move(inside));
}

Stmt OperationSafety::plain_store(const Buffer& buffer, const std::vector<Expr>& indices) {
  int lanes = 1;
  for (const Expr& index : indices) lanes = std::max<int>(lanes, index->dtype.lanes);
  if (!buffer->dtype.is_scalar()) return {};
  Expr value = buffer->dtype.is_bool() ? boolean(false) : zero(buffer->dtype);
  return make_stmt(Store{buffer, indices, lanes > 1 ? broadcast(value, lanes) : value}, stmt_->span);
}

Expr OperationSafety::in_memory(const Expr& address, int lanes, const MemoryInfo& memory) const {
  Expr size = memory.elements;
  int per = memory.dtype.lanes;
  if (per % lanes == 0) {
    if (per != lanes) size = fold(size * imm(kInt64, per / lanes));
  } else {
    size = fold(floordiv(fold(size * imm(kInt64, per)), imm(kInt64, lanes)));
  }
  return land(le(imm(kInt64, 0), address), lt(address, size));
}

}  // namespace hexproof
