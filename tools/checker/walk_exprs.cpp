// What expressions evaluate, and what is asked of it.
#include "ir/evaluation.h"
#include "ir/interpreter/fault.h"
#include "tools/checker/walk.h"

namespace hexproof::checker {

void Walk::claim(Goals& goals, std::string what) {
  for (size_t k = guards_.size(); k-- > goals.guards;) what = "(=> " + guards_[k] + " " + what + ")";
  goals.parts.push_back(std::move(what));
}

void Walk::ask(const Goals& goals, const std::string& what) {
  if (goals.parts.empty() || touches_ || quiet_)
    return;  // of executions that are compared, all of this was asked already
  for (size_t k = 0; k < goals.guards; ++k) terms_.know(guards_[k]);
  std::string place = file_;
  if (at_ && at_->span) place += ":" + std::to_string(at_->span.line) + ":" + std::to_string(at_->span.column);
  if (at_) place += ": " + one_line(at_);
  needs_.push_back({place + ": " + what, terms_.script(conjunction(goals.parts))});
  for (size_t k = 0; k < goals.guards; ++k) terms_.forget_last_known();
}

void Walk::claim_here(const std::string& what, const std::string& why) {
  Goals goal = goals();
  claim(goal, what);
  ask(goal, why);
}

/// Everything that evaluating `e` evaluates: operands first, the sides of T.if_then_else under its condition.
void Walk::evaluate(const Expr& e, Goals& out) {
  if (e->op == Op::IfThenElse) {
    evaluate(e->args[0], out);
    decides(e->args[0]);
    const std::string condition = terms_.term(e->args[0]);
    for (size_t side : {1, 2}) {
      guards_.push_back(side == 1 ? condition : "(not " + condition + ")");
      evaluate(e->args[side], out);
      guards_.pop_back();
    }
    return;
  }
  if (e->op == Op::Let) {
    evaluate(e->args[1], out);
    let(e->args[0]->var(), e->args[1]);
    evaluate(e->args[2], out);
    return;
  }
  // The permission to read a cell gives it some value: a write.
  if (Expr cell = in_assume_ ? permitted_cell(e) : Expr())
    return access(cell->buffer(), cell->args, true, "the load from ");
  if (e->op == Op::Load) return access(e->buffer(), e->args, false, "the load from ");
  for (const Expr& arg : e->args) evaluate(arg, out);
  for (const auto& [arg, what] : operands_that_decide(e)) decides(arg);
  if (auto fine = terms_.no_error(e)) claim(out, *fine);
}

bool Walk::holds_undef(const Expr& e) const {
  return holds(e, [&](const Expr& part) {
    return part->op == Op::Undef || (part->op == Op::Var && undefs_.count(part->var()) > 0);
  });
}

void Walk::let(const Var& var, const Expr& value) {
  if (has_term(value->dtype)) terms_.bind(var, terms_.term(value));
  if (holds_undef(value)) undefs_.insert(var);
}

/// An undef may decide nothing; but in an assume it stands for the permission to read.
void Walk::decides(const Expr& e) {
  if (holds_undef(e) && !(in_assume_ && permitted_cell(e))) claim_here("false", "no undef decides");
}

/// One formula for the whole expression, and one for each load in it.
void Walk::operand(const Expr& e, const char* of, bool decide) {
  if (decide) decides(e);
  Goals fine = goals();
  evaluate(e, fine);
  ask(fine, std::string("each operation in ") + of + " fits its type");
}

void Walk::access(const Buffer& buffer, const std::vector<Expr>& indices, bool write, const char* what) {
  Goals fine = goals();
  for (const Expr& index : indices) evaluate(index, fine), decides(index);
  if (touches_) return touch(buffer, indices, write);
  if (!indices.empty() || is_view(buffer)) claim(fine, in_bounds(buffer, indices));
  ask(fine, what + buffer->name + " is in bounds");
}

void Walk::layout_of(const Buffer& buffer) {
  for (const Expr& e : buffer->shape) operand(e, "the shape");
  for (const Expr& e : buffer->strides) operand(e, "the strides");
  if (buffer->elem_offset) operand(buffer->elem_offset, "the offset");
}

}  // namespace hexproof::checker
