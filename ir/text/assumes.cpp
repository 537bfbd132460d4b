#include "ir/text/assumes.h"

#include <functional>

#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {

std::vector<std::string> assumes_of(const PrimFunc& func) {
  std::vector<std::string> out;
  std::vector<Var> around;
  std::function<void(const Stmt&)> look = [&](const Stmt& s) {
    if (const Assume* a = s.as<Assume>()) {
      const TextOver over = print_over(around, {a->condition});
      out.push_back((around.empty() ? "" : "for " + over.vars + ": ") + over.exprs[0]);
      return;
    }
    const For* loop = s.as<For>();
    if (loop) around.push_back(loop->var);
    for (const Stmt& part : children(s)) look(part);
    if (loop) around.pop_back();
  };
  look(func.body);
  return out;
}

}  // namespace hexproof
