// Index or data, as the text has it: where the parser would decide otherwise, the printer writes T.wrap or T.nowrap.
#include <algorithm>

#include "ir/text/print/printer.h"
#include "ir/visit.h"

namespace hexproof::text {

bool Printer::reads_as_data(const Expr& e) {
  if (other_class_.empty()) return e->data;
  if (e->op == Op::Var) return e->var().is_data() != (other_class_.count(e->var()) > 0);
  if (e->args.empty() || is_application(e->op)) return e->data;
  if (auto it = as_data_.find(e.get()); it != as_data_.end()) return it->second;
  bool data = e->op == Op::Let
                  ? reads_as_data(e->args[2])
                  : std::any_of(e->args.begin(), e->args.end(), [&](const Expr& arg) { return reads_as_data(arg); });
  return as_data_[e.get()] = data;
}

bool Printer::reads_as_wrapping(const Expr& e) { return reads_as_data(e->args[0]) || reads_as_data(e->args[1]); }

void Printer::bind_class(const Var& var, bool data) {
  bool changed = var.is_data() == data ? other_class_.erase(var) > 0 : other_class_.insert(var).second;
  if (changed) as_data_.clear();
}

void Printer::bind_lets(const Expr& e) {
  bool any = false;
  visit_expr(e, [&](const Expr& node) { return any |= node->op == Op::Let, !any; });
  if (!any) return;
  for (size_t i = 0; i < e->args.size(); ++i) {  // the value before the body
    if (e->op == Op::Let && i == 2) bind_class(e->args[0]->var(), reads_as_data(e->args[1]));
    bind_lets(e->args[i]);
  }
}

}  // namespace hexproof::text
