#include "verify/equiv/parametric/scenario.h"

#include <unordered_map>

#include "verify/access/footprint.h"
#include "verify/access/linear.h"
#include "verify/facts/facts.h"
#include "verify/prove/solvers/arithmetic/linear.h"
#include "verify/prove/solvers/arithmetic/normal_form.h"
#include "verify/prove/solvers/arithmetic/ring.h"
#include "verify/prove/solvers/smt/encode.h"

namespace hexproof::parametric {

namespace {
constexpr size_t kSteps = 15'000;
// A question with more nodes is not asked, and a fact with more is not given: values that share their parts may be
// exponentially large when written out.
constexpr size_t kQuestionNodes = 50'000, kFactNodes = 5'000;
// So many questions may stay without an answer; after that only what is quick is asked.
constexpr size_t kUnanswered = 8;      // by solvers with small limits
constexpr size_t kHardUnanswered = 1;  // with larger ones

/// Bounded, and without a second solver, which is a process of its own.
ProverOptions limited(uint64_t rlimit) {
  ProverOptions options;
  options.rlimit = rlimit;
  options.jobs = 1;
  return options;
}
}  // namespace

Scenario::Scenario() : explorer_(limited(200'000)), careful_(limited(900'000)) {}

Scenario::Under::Under(Scenario& scenario, const std::vector<Expr>& facts)
    : scenario_(scenario), size_(scenario.given_.size()), id_(scenario.id_) {
  for (const Expr& e : facts) {
    if (is_int(e, 1) || larger_than(e, kFactNodes)) continue;
    split_conjunction(e, &scenario.given_);
  }
  for (size_t i = size_; i < scenario.given_.size(); ++i) {
    uint64_t next = scenario.extended_.size();
    auto [it, fresh] = scenario.extended_[scenario.id_].try_emplace(scenario.given_[i], next);
    scenario.id_ = it->second;
    if (!fresh) continue;
    scenario.extended_.emplace_back();
    scenario.known_.emplace_back();
  }
}

Scenario::Under::~Under() {
  scenario_.given_.resize(size_);
  scenario_.id_ = id_;
}

void Scenario::spend(const char* on) {
  if (++steps_ > kSteps) throw Open{std::string("the programs are too large for this method: ") + on};
}

bool Scenario::quick(const Expr& goal) { return ask(goal, 0); }
bool Scenario::proves(const Expr& goal) { return ask(goal, 1); }
bool Scenario::surely(const Expr& goal) { return ask(goal, 2); }
bool Scenario::impossible() { return ask(boolean(false), 0); }

bool Scenario::ask(const Expr& goal, int effort) {
  std::vector<Expr> parts;
  split_conjunction(goal, &parts);
  for (const Expr& part : parts) {
    if (!is_int(part, 1) && !ask_one(part, effort)) return false;
  }
  return true;
}

std::vector<Expr> Scenario::open_given() const {
  std::vector<Expr> out = given_;
  if (!open_.any()) return out;
  int next = 0;
  for (Expr& e : out) e = with_open_rounding(e, open_, &next);
  return out;
}

bool Scenario::ask_one(const Expr& asked, int effort) {
  if (only_quick_) effort = 0;
  if (larger_than(asked, kQuestionNodes) || chooses(asked, {})) return false;
  int apart = 1 << 20;  // what is evaluated in the goal is not what was evaluated in what is given
  const Expr goal = with_open_rounding(asked, open_, &apart);
  Tried& known = known_[id_][goal];
  if (known.proved || known.tried >= effort) return known.proved;
  if (known.tried < 0) {
    spend("too many questions");
    Answer answer = decide_quickly(open_given(), goal);
    known.proved = answer.verdict == Verdict::Proved || equal_in_ring(goal);
    // Values that refute it were found: no need to ask further.
    known.tried = answer.verdict == Verdict::Refuted ? 2 : 0;
  }
  if (!known.proved && known.tried < effort) {
    Obligation o{"equiv-parametric", "the two programs agree", {}, open_given(), goal};
    Answer answer;
    if (known.tried < 1 && unanswered_ < kUnanswered) {
      answer = explorer_.prove(o);
      unanswered_ += answer.verdict == Verdict::Unknown;
    }
    if (effort >= 2 && answer.verdict == Verdict::Unknown && hard_unanswered_ < kHardUnanswered) {
      answer = careful_.prove(o);
      hard_unanswered_ += answer.verdict == Verdict::Unknown;
    }
    known.proved = answer.verdict == Verdict::Proved;
    known.tried = answer.verdict == Verdict::Refuted ? 2 : effort;
  }
  return known.proved;
}

namespace {

/// Sums, constant multiples, and divisions by positive constants of variables: what a normal form gives back whole.
bool linear_only(const Expr& whole) {
  bool linear = true;
  visit_nodes(whole, [&](const Expr& e) {
    const bool leaf = e->op == Op::Var || e->op == Op::IntImm;
    const bool division =
        (e->op == Op::FloorDiv || e->op == Op::FloorMod) && as_int(e->args[1]) && int_value(e->args[1]) > 0;
    const bool sum =
        e->op == Op::Add || e->op == Op::Sub || (e->op == Op::Mul && (as_int(e->args[0]) || as_int(e->args[1])));
    const bool wider = e->op == Op::Cast && e->args[0]->dtype.is_int() && e->args[0]->dtype.bits <= e->dtype.bits;
    linear = linear && e->dtype.is_int() && e->dtype.is_scalar() && !e->wraps && (leaf || division || sum || wider);
    return linear;
  });
  return linear;
}

/// k * x - c * k * (x // c) as k * (x % c).
LinearSum contracted(Normalizer& n, LinearSum sum) {
  for (size_t i = 0; i < sum.terms.size(); ++i) {
    const LinearTerm t = sum.terms[i];
    const Normalizer::Atom atom = n.atom(t.atom);
    if (atom.kind != Normalizer::Kind::Div) continue;
    Wide k = -t.factor / atom.divisor;
    bool whole = !atom.base.terms.empty() && t.factor % atom.divisor == 0;
    for (const LinearTerm& part : atom.base.terms) {
      bool found = false;
      for (const LinearTerm& other : sum.terms) found |= other.atom == part.atom && other.factor == part.factor * k;
      whole = whole && found;
    }
    // x // d - (c / d) * (x // c), too, is the remainder of x // d.
    for (const LinearTerm& other : sum.terms) {
      const Normalizer::Atom finer = n.atom(other.atom);
      if (whole || finer.kind != Normalizer::Kind::Div || !(finer.base == atom.base)) continue;
      if (other.atom == t.atom || atom.divisor % finer.divisor != 0) continue;
      Wide ratio = atom.divisor / finer.divisor;
      if (t.factor != -other.factor * ratio) continue;
      LinearSum rest = sum - LinearSum{0, {t}} - LinearSum{0, {other}};
      return contracted(n, rest + scaled(n.remainder(LinearSum{0, {{other.atom, 1}}}, ratio), other.factor));
    }
    if (!whole) continue;
    LinearSum rest = sum - LinearSum{0, {t}} - scaled(atom.base, k);
    return contracted(n, rest + scaled(n.remainder(atom.base, atom.divisor), k));
  }
  return sum;
}

using SumsOfNodes = std::unordered_map<const ExprNode*, LinearSum>;
LinearSum sum_of(Normalizer& n, const Expr& e, SumsOfNodes* known) {
  if (auto it = known->find(e.get()); it != known->end()) return it->second;
  auto of = [&](size_t k) { return sum_of(n, e->args[k], known); };
  LinearSum out = e->op == Op::Add                         ? of(0) + of(1)
                  : e->op == Op::Sub                       ? of(0) - of(1)
                  : e->op == Op::Mul && as_int(e->args[0]) ? scaled(of(1), int_value(e->args[0]))
                  : e->op == Op::Mul                       ? scaled(of(0), int_value(e->args[1]))
                  : e->op == Op::FloorDiv                  ? n.quotient(contracted(n, of(0)), int_value(e->args[1]))
                  : e->op == Op::FloorMod                  ? n.remainder(contracted(n, of(0)), int_value(e->args[1]))
                  : e->op == Op::Cast                      ? of(0)
                                                           : n.integer(e);
  known->emplace(e.get(), out);
  return out;
}

Expr back(const Normalizer& n, const LinearSum& sum, DType type) {
  Linear out;
  out.constant = sum.constant;
  for (const LinearTerm& t : sum.terms) {
    const Normalizer::Atom& atom = n.atom(t.atom);
    Expr e;
    if (atom.kind == Normalizer::Kind::Var) {
      e = atom.var.dtype() == type ? Expr(atom.var) : cast(type, Expr(atom.var));
    } else if (atom.kind == Normalizer::Kind::Div || atom.kind == Normalizer::Kind::Mod) {
      Expr base = back(n, atom.base, type);
      if (!base || !fits_type(type, atom.divisor)) return {};
      Expr by = imm(type, atom.divisor);
      e = atom.kind == Normalizer::Kind::Div ? floordiv(base, by) : floormod(base, by);
    } else {
      return {};
    }
    out.add(e, t.factor);
  }
  return out.expr(type);
}

}  // namespace

std::optional<Unit> cuts(const Expr& e, std::map<Var, std::set<Wide>>* steps) {
  if (e->op == Op::Var) return Unit{e->var(), 1};
  if ((e->op != Op::FloorDiv && e->op != Op::FloorMod) || !as_int(e->args[1]) || int_value(e->args[1]) <= 0) return {};
  std::optional<Unit> unit = cuts(e->args[0], steps);
  if (!unit) return {};
  Wide size = unit->size * int_value(e->args[1]);
  if (size > (Wide{1} << 30)) return {};
  (*steps)[unit->var].insert(size);
  if (e->op == Op::FloorDiv) unit->size = size;
  return unit;
}

Expr Scenario::tidy(const Expr& e) {
  Expr out = tidied(e);
  visit_nodes(out, [&](const Expr& node) {
    cuts(node, &divided_);
    return true;
  });
  return out;
}

Expr Scenario::tidied(const Expr& e) {
  if (e->args.empty() || !linear_only(e)) return e;
  Known known;
  for (const Expr& g : given_) {
    if (g->args.size() != 2 || !is_comparison(g->op) || !g->args[0]->dtype.is_int()) continue;
    for (int side : {0, 1}) {
      const Expr &var = g->args[side], &bound = g->args[1 - side];
      if (var->op != Op::Var || !as_int(bound)) continue;
      Wide value = int_value(bound);
      bool less = side == 0 ? g->op == Op::LT || g->op == Op::LE : g->op == Op::GT || g->op == Op::GE;
      bool strict = g->op == Op::LT || g->op == Op::GT;
      if (g->op == Op::EQ || g->op == Op::NE) continue;
      Interval range =
          less ? Interval{-kInfinity, strict ? value - 1 : value} : Interval{strict ? value + 1 : value, kInfinity};
      auto [it, first] = known.ranges.try_emplace(var->var(), range);
      if (!first) it->second = meet(it->second, range);
    }
  }
  for (const auto& [var, range] : known.ranges) {
    if (range.empty()) return e;
  }
  try {
    Normalizer n(known);
    SumsOfNodes sums;
    Expr out = back(n, contracted(n, sum_of(n, e, &sums)), e->dtype);
    return out && !(out == e) && quick(fits(out)) ? out : e;
  } catch (const TooBig&) {
    return e;
  }
}

Access cells(const Buffer& buffer, std::vector<Expr> indices, std::vector<LoopRange> loops) {
  Access out;
  out.buffer = buffer;
  out.indices = std::move(indices);
  out.write = !loops.empty();
  out.loops = std::move(loops);
  out.layout = layout_of(buffer);  // one that depends on more than scalars is not modelled (desugar.h)
  return out;
}

Expr equal_integers(const Expr& a, const Expr& b) {
  if (a->dtype == b->dtype) return eq(a, b);
  return eq(a->dtype == kInt64 ? a : cast(kInt64, a), b->dtype == kInt64 ? b : cast(kInt64, b));
}

}  // namespace hexproof::parametric
