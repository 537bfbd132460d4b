#include "verify/prove/solvers/contradiction.h"

#include <set>

#include "ir/visit.h"

namespace hexproof {
namespace {

/// The facts contradict each other: the goal follows.
struct Contradiction : EarlyExit {
  Contradiction() : EarlyExit("the facts contradict each other") {}
};

/// One attempt under what is known of variables so far. What it learns of them goes into `known` for the next one.
class Round {
 public:
  /// Substitution waits until bounds are known: an equation that comes apart by radix is worth more.
  Round(Known* known, bool substitutes) : known_(known), before_(*known), n_(before_), substitutes_(substitutes) {}

  void assume(const Expr& e, bool positive) {
    taken_apart_.clear();
    assume_part(e, positive);
  }
  /// Bounds only.
  void settle_ranges();
  /// Everything; unless it is the last round, the costly part waits until nothing new is learned of variables.
  void settle(bool last);
  bool learned() const { return learned_; }

 private:
  struct Clause {
    std::vector<std::pair<Expr, bool>> parts;
  };

  void assume_part(const Expr& e, bool positive);
  void assume_integers(const Expr& e, bool positive);
  void literal(uint32_t number, bool positive) {
    if (literals_.count({number, !positive})) throw Contradiction{};
    literals_.insert({number, positive});
  }
  void at_least_zero(const LinearSum& sum);
  void equal_zero(const LinearSum& sum);
  void not_zero(const LinearSum& sum);
  void substitute(const LinearSum& sum);
  void learn(uint32_t atom, Interval range);
  void propagate(const LinearSum& sum);
  void define_atoms();
  void clauses();
  bool refutes(const LinearSum& sum, int depth, int* budget);
  bool always_negative(const LinearSum& sum);

  Known* known_;
  Known before_;
  Normalizer n_;
  std::vector<LinearSum> inequalities_, disequalities_;  // >= 0, != 0
  std::set<std::pair<uint32_t, bool>> literals_;
  std::vector<Clause> clauses_;
  // What is made of others is taken apart once: parts that are shared would be as many as there are ways to them.
  std::set<std::pair<const ExprNode*, bool>> taken_apart_;
  std::set<uint32_t> defined_;
  bool substitutes_;
  bool learned_ = false;
};

void Round::assume_part(const Expr& e, bool positive) {
  const bool made_of_others = e->op == Op::And || e->op == Op::Or || e->op == Op::Not || e->op == Op::Likely;
  if (made_of_others && !taken_apart_.insert({e.get(), positive}).second) return;
  if (e->op == Op::Not) return assume_part(e->args[0], !positive);
  if (e->op == Op::Likely) return assume_part(e->args[0], positive);
  if (e->op == (positive ? Op::And : Op::Or)) {
    assume_part(e->args[0], positive);
    return assume_part(e->args[1], positive);
  }
  if (e->op == Op::IntImm) {
    if ((e->int_value() != 0) != positive) throw Contradiction{};
    return;
  }
  if (e->op == Op::And || e->op == Op::Or) {
    Clause clause;
    std::vector<Expr> parts{e};
    std::set<const ExprNode*> seen;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!seen.insert(parts[i].get()).second) continue;
      if (parts[i]->op == e->op) {
        Expr part = parts[i];
        parts.insert(parts.end(), part->args.begin(), part->args.end());
      } else {
        clause.parts.emplace_back(parts[i], positive);
      }
    }
    clauses_.push_back(std::move(clause));
    literal(n_.normal(e).number, positive);
    return;
  }
  if (e->op == Op::Fits && !positive && n_.fits(e->args[0])) throw Contradiction{};
  if (is_comparison(e->op) && e->args[0]->dtype.is_integer()) {
    if (int known = n_.truth(e); known >= 0) {
      if (known != positive) throw Contradiction{};
      return;
    }
    literal(n_.normal(e).number, positive);
    return assume_integers(e, positive);
  }
  if (e->op == Op::SameBits && !positive) {
    const Expr &a = e->args[0], &b = e->args[1];
    if (a->dtype.is_integer() ? n_.integer(a) == n_.integer(b) : n_.normal(a).number == n_.normal(b).number) {
      throw Contradiction{};
    }
  }
  literal(n_.normal(e).number, positive);
}

void Round::assume_integers(const Expr& e, bool positive) {
  LinearSum d = n_.difference(e->args[0], e->args[1]);
  LinearSum minus = scaled(d, -1), one{1, {}};
  Op op = e->op;
  if (!positive) {
    op = op == Op::EQ   ? Op::NE
         : op == Op::NE ? Op::EQ
         : op == Op::LT ? Op::GE
         : op == Op::LE ? Op::GT
         : op == Op::GT ? Op::LE
                        : Op::LT;
  }
  if (op == Op::LT) return at_least_zero(minus - one);
  if (op == Op::LE) return at_least_zero(minus);
  if (op == Op::GT) return at_least_zero(d - one);
  if (op == Op::GE) return at_least_zero(d);
  return op == Op::EQ ? equal_zero(d) : not_zero(d);
}

void Round::at_least_zero(const LinearSum& sum) {
  Interval r = n_.range(sum);
  if (r.hi < 0) throw Contradiction{};
  if (r.lo >= 0) return;
  inequalities_.push_back(sum);
}

void Round::not_zero(const LinearSum& sum) {
  Interval r = n_.range(sum);
  if (!r.contains(0)) return;
  if (r == point(0)) throw Contradiction{};
  const std::optional<LinearSum> expanded = n_.expand_remainders(sum);
  if (expanded && n_.range(*expanded) == point(0)) throw Contradiction{};
  disequalities_.push_back(sum);
}

/// Takes an equation in mixed radix apart: when all factors of the big part share g and the rest stays within one
/// multiple of g, both parts are fixed on their own.
void Round::equal_zero(const LinearSum& sum) {
  Interval r = n_.range(sum);
  if (!r.contains(0)) throw Contradiction{};
  if (sum.terms.empty()) return;
  Wide all = 0;
  for (const LinearTerm& t : sum.terms) all = gcd(all, t.factor);
  if (sum.constant % all != 0) throw Contradiction{};
  std::vector<LinearTerm> sorted = sum.terms;
  std::stable_sort(sorted.begin(), sorted.end(), [](const LinearTerm& a, const LinearTerm& b) {
    return (a.factor < 0 ? -a.factor : a.factor) > (b.factor < 0 ? -b.factor : b.factor);
  });
  Wide g = 0;
  for (size_t cut = 1; cut < sorted.size(); ++cut) {
    g = gcd(g, sorted[cut - 1].factor);
    LinearSum big, rest;
    big.terms.assign(sorted.begin(), sorted.begin() + cut);
    rest.terms.assign(sorted.begin() + cut, sorted.end());
    rest.constant = sum.constant;
    Interval low = n_.range(rest);
    if (!low.bounded()) continue;
    Wide first = -floor_div(-low.lo, g) * g, last = floor_div(low.hi, g) * g;
    if (first > last) throw Contradiction{};
    if (first != last) continue;
    auto by_atom = [](const LinearTerm& a, const LinearTerm& b) { return a.atom < b.atom; };
    std::sort(big.terms.begin(), big.terms.end(), by_atom);
    std::sort(rest.terms.begin(), rest.terms.end(), by_atom);
    big.constant = first;
    rest.constant -= first;
    equal_zero(big);
    return equal_zero(rest);
  }
  LinearSum reduced = sum;
  reduced.constant /= all;
  for (LinearTerm& t : reduced.terms) t.factor /= all;
  if (reduced.terms.size() == 1) {
    learn(reduced.terms[0].atom, point(-reduced.constant / reduced.terms[0].factor));
  } else {
    substitute(reduced);
  }
  inequalities_.push_back(reduced);
  inequalities_.push_back(scaled(reduced, -1));
}

/// An equation among variables with a factor of one: that variable goes.
void Round::substitute(const LinearSum& sum) {
  if (!substitutes_) return;
  for (const LinearTerm& t : sum.terms) {
    if (n_.atom(t.atom).kind != Normalizer::Kind::Var) return;
  }
  for (auto it = sum.terms.rbegin(); it != sum.terms.rend(); ++it) {
    if (it->factor != 1 && it->factor != -1) continue;
    const Var& var = n_.atom(it->atom).var;
    if (known_->values.count(var)) continue;
    // The value mentions variables of this round only, none of which has a value that mentions `var`.
    bool cyclic = false;
    for (const LinearTerm& t : sum.terms) cyclic |= known_->values.count(n_.atom(t.atom).var) > 0;
    if (cyclic) continue;
    LinearSum value{-sum.constant * it->factor, {}};
    for (const LinearTerm& t : sum.terms) {
      if (t.atom == it->atom) continue;
      value.terms.push_back({static_cast<uint32_t>(known_->vars.size()), -t.factor * it->factor});
      known_->vars.push_back(n_.atom(t.atom).var);
    }
    known_->values.emplace(var, std::move(value));
    learned_ = true;
    return;
  }
}

void Round::learn(uint32_t id, Interval range) {
  Interval now = n_.atom(id).range, tighter = meet(now, range);
  if (tighter.empty()) throw Contradiction{};
  if (tighter == now) return;
  n_.tighten(id, range);
  if (n_.atom(id).kind == Normalizer::Kind::Var) {
    known_->ranges[n_.atom(id).var] = tighter;
    learned_ = true;
  }
}

/// sum >= 0 bounds each of its atoms by the others' bounds.
void Round::propagate(const LinearSum& sum) {
  for (const LinearTerm& t : sum.terms) {
    LinearSum others = sum;
    std::erase(others.terms, t);
    Wide most = n_.range(others).hi;
    if (is_infinite(most)) continue;
    // factor * atom >= -most
    if (t.factor > 0) {
      learn(t.atom, {-floor_div(most, t.factor), kInfinity});
    } else {
      learn(t.atom, {-kInfinity, floor_div(most, -t.factor)});
    }
  }
}

/// 0 <= base - c * (base // c) < c for the quotients and remainders in play; a minimum is no more than either of its
/// operands, a maximum no less.
void Round::define_atoms() {
  std::set<uint32_t> used;
  for (const auto* list : {&inequalities_, &disequalities_}) {
    for (const LinearSum& sum : *list) {
      for (const LinearTerm& t : sum.terms) used.insert(t.atom);
    }
  }
  for (uint32_t id : used) {
    if (!defined_.insert(id).second) continue;
    Normalizer::Atom atom = n_.atom(id);
    LinearSum rest;
    if (atom.kind == Normalizer::Kind::Div) {
      rest = atom.base - LinearSum{0, {{id, atom.divisor}}};
    } else if (atom.kind == Normalizer::Kind::Mod) {
      const LinearSum self{0, {{id, 1}}}, value = n_.expand_remainders(self).value();
      inequalities_.push_back(self - value);
      inequalities_.push_back(value - self);
      continue;
    } else if (atom.op == Op::Min || atom.op == Op::Max) {
      const LinearSum self{0, {{id, 1}}};
      for (const LinearSum& one : atom.one_of) inequalities_.push_back(atom.op == Op::Min ? one - self : self - one);
      continue;
    } else {
      continue;
    }
    inequalities_.push_back(rest);
    inequalities_.push_back(LinearSum{atom.divisor - 1, {}} - rest);
  }
}

/// A disjunction of which all parts but one are false gives that part.
void Round::clauses() {
  for (const Clause& clause : std::vector<Clause>(clauses_)) {
    int open = 0;
    const std::pair<Expr, bool>* last = nullptr;
    for (const auto& part : clause.parts) {
      int known = n_.truth(part.first);
      if (known < 0 && literals_.count({n_.normal(part.first).number, !part.second})) known = !part.second;
      if (known < 0 && literals_.count({n_.normal(part.first).number, part.second})) known = part.second;
      if (known >= 0 && known != part.second) continue;
      if (known >= 0) open = 2;
      ++open;
      last = &part;
    }
    if (open == 0) throw Contradiction{};
    if (open == 1) assume(last->first, last->second);
  }
}

bool Round::always_negative(const LinearSum& sum) {
  if (n_.range(sum).hi < 0) return true;
  const std::optional<LinearSum> expanded = n_.expand_remainders(sum);
  return expanded && n_.range(*expanded).hi < 0;
}

/// Can sum >= 0 not hold, given the other inequalities? Eliminates one shared atom at a time.
/// An atom that has the value of one of several sums is each of them in its turn.
bool Round::refutes(const LinearSum& sum, int depth, int* budget) {
  if (always_negative(sum)) return true;
  for (const LinearTerm& t : sum.terms) {
    const std::vector<LinearSum> one_of = n_.atom(t.atom).one_of;
    if (one_of.empty() || --*budget < 0) continue;
    const LinearSum self{0, {{t.atom, t.factor}}};
    auto refuted = [&](const LinearSum& one) { return refutes(sum - self + scaled(one, t.factor), depth, budget); };
    if (std::all_of(one_of.begin(), one_of.end(), refuted)) return true;
  }
  if (depth == 0) return false;
  for (const LinearTerm& t : sum.terms) {
    for (size_t i = 0; i < inequalities_.size(); ++i) {
      for (const LinearTerm& u : inequalities_[i].terms) {
        if (u.atom != t.atom || (u.factor > 0) == (t.factor > 0)) continue;
        if (--*budget < 0) return false;
        Wide p = t.factor < 0 ? -t.factor : t.factor, q = u.factor < 0 ? -u.factor : u.factor, g = gcd(p, q);
        if (refutes(scaled(sum, q / g) + scaled(inequalities_[i], p / g), depth - 1, budget)) return true;
      }
    }
  }
  return false;
}

void Round::settle_ranges() {
  clauses();
  for (size_t i = 0; i < inequalities_.size() && i < 64; ++i) propagate(inequalities_[i]);
  const LinearSum one{1, {}};
  for (const LinearSum& sum : std::vector<LinearSum>(disequalities_)) {
    Interval r = n_.range(sum);
    if (r == point(0)) throw Contradiction{};
    if (r.lo == 0) at_least_zero(sum - one);
    if (r.hi == 0) at_least_zero(scaled(sum, -1) - one);
    if (sum.terms.size() == 1 && sum.constant % sum.terms[0].factor == 0) {
      Wide hole = -sum.constant / sum.terms[0].factor;
      Interval range = n_.atom(sum.terms[0].atom).range;
      if (range.lo == hole) range.lo += 1;
      if (range.hi == hole) range.hi -= 1;
      learn(sum.terms[0].atom, range);
    }
  }
}

void Round::settle(bool last) {
  settle_ranges();
  if (learned_ && !last) return;  // the next round sees more
  const LinearSum one{1, {}};
  define_atoms();
  int budget = 600;
  std::vector<LinearSum> asked = inequalities_;
  if (asked.size() > 40) asked.resize(40);
  for (const LinearSum& sum : asked) {
    if (refutes(sum, 1, &budget)) throw Contradiction{};
  }
  for (const LinearSum& sum : asked) {
    if (refutes(sum, 2, &budget)) throw Contradiction{};
  }
  for (const LinearSum& sum : disequalities_) {
    budget = 400;
    if (refutes(sum - one, 2, &budget) && refutes(scaled(sum, -1) - one, 2, &budget)) throw Contradiction{};
  }
}

}  // namespace

Rounds look_for_contradiction(const std::vector<Expr>& given, const Expr& goal) {
  Rounds out;
  Known known;
  const char* solver = "";
  try {
    constexpr int kRounds = 6;
    for (int i = 0; i < kRounds; ++i) {
      Round round(&known, i > 0);
      // Bounds of variables first: round 0 only collects them.
      solver = i <= 1 ? "interval" : "normal-form";
      for (const Expr& e : given) round.assume(e, true);
      if (i == 0) {
        round.settle_ranges();
        out.first = known;
        if (!goal) return out;
        continue;
      }
      round.assume(goal, false);
      solver = "normal-form";
      round.settle(i + 1 == kRounds);
      if (!round.learned()) break;
    }
  } catch (const Contradiction&) {
    out.solver = solver;
  } catch (const TooBig&) {
  }
  return out;
}

}  // namespace hexproof
