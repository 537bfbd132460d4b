#include "ir/text/text.h"
#include "ir/visit.h"
#include "verify/prove/obligation.h"

namespace hexproof {

Obligation with_canonical_names(Obligation obligation) {
  std::map<std::string, std::string> names;
  auto renamed = [&](const Expr& formula) {
    return rewrite_expr(formula, [&](const Expr& e) {
      if (e->op != Op::Call) return e;
      size_t mark = e->text().find('#');
      if (mark == std::string::npos) return e;
      auto [it, fresh] = names.try_emplace(e->text());
      if (fresh) it->second = e->text().substr(0, mark + 1) + std::to_string(names.size());
      return call(e->dtype, it->second, e->args);
    });
  };
  for (Expr& e : obligation.given) e = renamed(e);
  obligation.goal = renamed(obligation.goal);
  return obligation;
}

namespace {
/// The proof-only predicates as functions of their own, and not as calls of something outside.
std::string readable(const Expr& formula) {
  std::string text = print(formula);
  const std::string call = "T.call_pure_extern(\"bool\", \"";
  for (size_t at = 0; (at = text.find(call, at)) != std::string::npos;) {
    size_t name = at + call.size(), end = text.find("\", ", name);
    std::string called = end == std::string::npos ? "" : text.substr(name, end - name);
    if (called == kSameBits || called.starts_with("may_hold_anything")) {
      text.replace(at, end + 3 - at, called.substr(0, called.find('#')) + "(");
    } else {
      at = name;
    }
  }
  return text;
}
}  // namespace

std::string print(const Obligation& unnamed) {
  Obligation obligation = with_canonical_names(unnamed);
  std::string out = obligation.rule + ": " + obligation.why + "\n";
  const Place& where = obligation.where;
  if (!where.function.empty() || where.span) {
    out += "  in " + (where.function.empty() ? std::string("?") : where.function);
    if (where.span) out += " at " + where.span.str();
    out += "\n";
  }
  if (!where.statement.empty()) out += "  here: " + where.statement + "\n";
  for (const Expr& e : obligation.given) out += "  given " + readable(e) + "\n";
  return out + "  show  " + readable(obligation.goal) + "\n";
}

}  // namespace hexproof
