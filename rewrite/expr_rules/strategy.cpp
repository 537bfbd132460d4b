#include "rewrite/expr_rules/strategy.h"

#include <algorithm>
#include <set>

#include "rewrite/rules/args/values.h"
#include "verify/memory/kept.h"
#include "verify/memory/quick.h"
#include "verify/prove/prove_step.h"

namespace hexproof {

namespace {

/// Rules that are theorems but make no normal form, or whose conditions no solver settles in useful time.
bool wanted(const Candidate& candidate, const Expr& e) {
  const std::string& rule = candidate.match.rule;
  if (rule == "known-true" || rule == "known-false") {
    return is_comparison(e->op) && e->args[0]->dtype.is_integer() && e->dtype.is_scalar();
  }
  if (rule == "and-implied" || rule == "or-implied") {
    // What goes is a comparison of index values that shares a variable with what stays.
    const Expr& gone = candidate.match.after == e->args[0] ? e->args[1] : e->args[0];
    if (!is_comparison(gone->op) || !gone->args[0]->dtype.is_integer() || is_data(e)) return false;
    std::set<Var> stays = free_vars(candidate.match.after);
    std::set<Var> goes = free_vars(gone);
    return std::any_of(goes.begin(), goes.end(), [&](const Var& v) { return stays.count(v) > 0; });
  }
  if (rule == kKnownValue) return candidate.match.after->args.empty();
  if (e->dtype.is_float() && (e->op == Op::Min || e->op == Op::Max)) return candidate.needs.empty();
  return rule != "not-and" && rule != "not-or" && rule != "constant-last" && rule != "distribute";
}

/// Resource units of the solvers for conditions that are not proved in the end: of one statement, and of all of one
/// call. Past them the first stage, which takes no solver, settles what it can.
constexpr uint64_t kVainPerStatement = 3'000'000, kVainInAll = 12'000'000;

class Simplifier {
 public:
  /// `in_vain`: the units that were spent so, in this call.
  Simplifier(ExprSite& site, const Path& statement, Prover& prover, uint64_t* in_vain, std::vector<Application>& out)
      : site_(site), statement_(statement), prover_(prover), in_vain_(in_vain), before_(*in_vain), out_(out) {}

  void run() {
    for (size_t root = 0; root < site_.roots().size(); ++root) {
      normal_.clear();
      if (site_.may_rewrite(root)) visit({static_cast<int>(root)});
    }
  }

 private:
  static constexpr int kMost = 2000;  // applications in one statement

  void visit(const Path& where) {
    std::set<uint64_t> seen;
    for (;;) {
      Expr e = site_.expr(where);
      if (e->args.empty() || !seen.insert(e->hash).second) return;
      bool guarded = where.size() > 1 && under_guard(where);
      if (!guarded && normal_.count(e->hash)) return;
      for (size_t k = 0; k < e->args.size(); ++k) {
        Path part = where;
        part.push_back(static_cast<int>(k));
        if (e->op != Op::Let || k > 0) visit(part);
      }
      if (!step(where)) {
        if (!guarded) normal_.insert(site_.expr(where)->hash);
        return;
      }
    }
  }

  bool holds(const std::vector<Obligation>& needs) {
    if (*in_vain_ - before_ >= kVainPerStatement || *in_vain_ >= kVainInAll) {
      return std::all_of(needs.begin(), needs.end(),
                         [](const Obligation& need) { return Quick(need.given).implies(need.goal); });
    }
    StepAnswers step = prove_step(prover_, needs);
    if (!step.failed) return true;
    for (const Answer& answer : step.answers) *in_vain_ += answer.rlimit;
    return false;
  }

  bool under_guard(const Path& where) const {
    const Expr* e = &site_.roots()[static_cast<size_t>(where[0])];
    for (size_t k = 1; k < where.size(); ++k) {
      if ((*e)->op == Op::IfThenElse || (*e)->op == Op::Let) return true;
      e = &(*e)->args[static_cast<size_t>(where[k])];
    }
    return false;
  }

  /// Applies the first rule that may be applied; what needs no proof comes first.
  bool step(const Path& where) {
    if (out_.size() >= most_) return false;
    const Expr& e = site_.expr(where);
    std::vector<Candidate> candidates = site_.candidates(where);
    std::stable_partition(candidates.begin(), candidates.end(), [](const Candidate& c) { return c.needs.empty(); });
    for (Candidate& candidate : candidates) {
      if (!wanted(candidate, e)) continue;
      if (!holds(candidate.needs)) continue;
      out_.push_back({candidate.match.rule, candidate.ordinal, statement_, where});
      site_.replace(where, candidate.match.after);
      return true;
    }
    return false;
  }

  ExprSite& site_;
  const Path& statement_;
  Prover& prover_;
  uint64_t* in_vain_;
  uint64_t before_;
  std::vector<Application>& out_;
  size_t most_ = out_.size() + kMost;
  std::set<uint64_t> normal_;  // hashes of expressions that no rule applies to, outside of guards
};

}  // namespace

std::vector<Application> find_simplifications(const PrimFunc& func, const Path& at, Prover& prover, bool conditions) {
  std::vector<Application> out;
  uint64_t in_vain = 0;
  std::shared_ptr<const Content> content = content_of(func);
  walk_with_facts(func, [&](const Stmt& stmt, const Path& path, const Facts& facts) {
    bool inside = path.size() >= at.size() && std::equal(at.begin(), at.end(), path.begin());
    bool outside = path.size() < at.size() && std::equal(path.begin(), path.end(), at.begin());
    if (inside && !expressions(stmt).empty() && (!conditions || stmt.as<If>())) {
      ExprSite site(func, path, facts, content);
      Simplifier(site, path, prover, &in_vain, out).run();
    }
    return inside || outside;
  });
  return out;
}

bool simplify(Derivation& derivation, Prover& prover, const Path& at, const std::string& primitive, const Span& span,
              bool conditions) {
  std::vector<Application> found = find_simplifications(derivation.current(), at, prover, conditions);
  if (found.empty()) return false;
  derivation.apply(SimplifyArgs{.at = at, .applications = found}, prover, primitive, span);
  return true;
}

}  // namespace hexproof
