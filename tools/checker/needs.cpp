#include "tools/checker/needs.h"

#include "ir/evaluation.h"
#include "ir/text/text.h"
#include "tools/checker/walk.h"

namespace hexproof::checker {

std::vector<Need> Walk::run() {
  for (const Var& scalar : func_.scalars()) {
    scalars_[scalar.name()] = scalar;
    if (has_term(scalar.dtype())) terms_.bind(scalar, terms_.any(scalar.dtype()));
  }
  for (const Buffer& buffer : func_.buffer_params()) {
    declare(buffer);
    owns(buffer);
    argument(buffer);
  }
  const Terms::Mark sizes = terms_.mark();
  for (const Expr& premise : given_ ? *given_ : premises(func_)) {
    if (auto mine = in_my_names(premise)) terms_.know(terms_.term(*mine));
  }
  if (!given_) {  // (and each of them is known from where it stands)
    needs_.push_back({file_ + ": what is assumed at the start can hold", terms_.script("false"), "sat"});
    terms_.back_to(sizes);
  }
  instances(func_.body);
  stmt(func_.body);
  return std::move(needs_);
}

/// Variables of other programs are found by their names.
std::optional<Expr> Walk::in_my_names(const Expr& e) const {
  VarMap map;
  for (const Var& var : free_vars(e)) {
    auto found = scalars_.find(var.name());
    if (found == scalars_.end() || !(found->second.dtype() == var.dtype())) return {};
    map[var] = Expr(found->second);
  }
  return substitute(e, map);
}

Premises premises(const PrimFunc& func) {
  Premises out;
  const std::vector<Var> all = func.scalars();
  const std::set<Var> scalars(all.begin(), all.end());
  std::function<void(const Stmt&)> collect = [&](const Stmt& s) {
    if (!s) return;
    const Assume* assumed = s.as<Assume>();
    if (assumed && !is_data(assumed->condition)) {
      const std::set<Var> vars = free_vars(assumed->condition);
      const bool of_scalars = std::includes(scalars.begin(), scalars.end(), vars.begin(), vars.end());
      if (of_scalars) out.push_back(decided_in_order(assumed->condition));
    }
    const bool always =
        s.as<Seq>() || s.as<AllocBuffer>() || s.as<Allocate>() || s.as<DeclBuffer>() || s.as<AttrStmt>();
    if (!always) return;
    for (const Stmt& part : children(s)) collect(part);
  };
  collect(func.body);
  return out;
}

bool is_modelled(const Expr& premise) {
  Terms terms;
  const std::set<Var> scalars = free_vars(premise);
  for (const Var& var : scalars) terms.bind(var, terms.any(var.dtype()));
  terms.term(premise);
  return terms.opened() == scalars.size();
}

Need equal_always(const Expr& a, const Expr& b, const std::string& file) {
  Terms terms;
  for (const Var& var : free_vars(eq(a, b))) terms.bind(var, terms.any(var.dtype()));
  const std::string one = terms.term(a), other = terms.term(b);
  return {file + ": " + print(a) + " and " + print(b) + " are equal", terms.script("(= " + one + " " + other + ")")};
}

std::vector<Need> needs(const PrimFunc& func, const std::string& file, const Premises* given,
                        const std::set<const void*>& of_callees) {
  return Walk(func, file, given, of_callees).run();
}

}  // namespace hexproof::checker
