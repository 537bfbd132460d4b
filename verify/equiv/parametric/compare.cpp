#include "verify/equiv/parametric/compare.h"

#include <algorithm>
#include <unordered_map>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "verify/facts/facts.h"
#include "verify/prove/solvers/arithmetic/ring.h"

namespace hexproof::parametric {

namespace {

constexpr int kDepth = 400;
constexpr size_t kLeaf = 60;  // nodes of what a solver is asked about

/// a op b == b op a, bit for bit (NaNs are one value).
bool commutes(const Expr& e) {
  switch (e->op) {
    case Op::Add:
    case Op::Mul:
    case Op::EQ:
    case Op::NE:
    case Op::And:
    case Op::Or:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
      return true;
    case HEXPROOF_CASES(MinMax):
      return e->dtype.is_integer();
    case HEXPROOF_CASES(Leaf):
    case Op::Sub:
    case Op::Div:
    case HEXPROOF_CASES(IntegerDivision):
    case HEXPROOF_CASES(Order):
    case Op::Not:
    case Op::BitNot:
    case HEXPROOF_CASES(Shift):
    case HEXPROOF_CASES(Choice):
    case HEXPROOF_CASES(Other):
    case HEXPROOF_CASES(Vector):
    case HEXPROOF_CASES(ProofOnly):
      return false;
  }
  return false;
}

/// b > a for a < b, and so on.
Op mirrored(Op op) {
  return op == Op::LT ? Op::GT : op == Op::GT ? Op::LT : op == Op::LE ? Op::GE : op == Op::GE ? Op::LE : op;
}

bool any_node(const Expr& e, const std::function<bool(const Expr&)>& f) {
  bool found = false;
  visit_nodes(e, [&](const Expr& node) {
    found = found || f(node);
    return !found;
  });
  return found;
}

bool has_fold(const Expr& e) { return any_node(e, is_fold); }
bool has_wraps(const Expr& e) {
  return any_node(e, [](const Expr& node) { return node->wraps; });
}

/// Is a part of it the result of float arithmetic?
bool computes(const Expr& e) {
  return any_node(e, [](const Expr& node) {
    return node->dtype.is_float() &&
           (node->op == Op::Add || node->op == Op::Sub || node->op == Op::Mul || node->op == Op::Div);
  });
}

size_t size(const Expr& e) {
  size_t n = 0;
  visit_expr(e, [&](const Expr&) { return ++n <= kLeaf; });
  return n;
}

std::string brief(const Expr& e) {
  if (larger_than(e, 1000)) return "an expression that is too large to be shown";
  std::string text = print(e);
  return text.size() > 160 ? text.substr(0, 157) + "..." : text;
}

}  // namespace

bool Comparison::stuck(const Expr& a, const Expr& b) {
  if (mismatch_.empty()) mismatch_ = brief(a) + "  against  " + brief(b);
  return false;
}

bool Comparison::equal(const Expr& a, const Expr& b) {
  const size_t stood = stood_.size();
  const bool same = equal_terms(a, b);
  if (!same) stood_.resize(stood);  // that attempt decides nothing
  return same;
}

/// Each evaluation chooses anew: one of `after` may be what one of `before` is.
bool Comparison::equal_evaluations(const Expr& a, const Expr& b) {
  const bool zeros = a->op == Op::FloatImm || b->op == Op::FloatImm;
  if (zeros && is_sum_of_zeros(a) && is_sum_of_zeros(b)) return true;
  if (!is_evaluation(a) || !is_evaluation(b)) return stuck(a, b);
  if (side_of_evaluation(a) == side_of_evaluation(b)) return same_evaluation(a, b, scenario_) || stuck(a, b);
  ++in_open_;
  const bool same = equal(operation(a), operation(b));
  --in_open_;
  if (!same) return false;
  stood_.push_back({a, b, scenario_.given()});
  return true;
}

bool Comparison::equal_terms(const Expr& a, const Expr& b) {
  if (a->op == Op::Undef) return true;
  if (b->op == Op::Undef) return stuck(a, b);
  if (a == b) return true;
  if (a->dtype != b->dtype) {
    bool indices = a->dtype.is_integer() && b->dtype.is_integer() && a->dtype.is_scalar() && b->dtype.is_scalar();
    return (indices && scenario_.surely(equal_integers(a, b))) || stuck(a, b);
  }
  scenario_.spend("too much to compare");
  struct Deeper {
    explicit Deeper(int& d) : depth(d) { ++depth; }
    ~Deeper() { --depth; }
    int& depth;
  } deeper(depth_);
  if (depth_ > kDepth) return stuck(a, b);
  if (is_choice(a)) return equal_cases(a, b, true);
  if (is_choice(b)) return equal_cases(b, a, false);
  if (is_evaluation(a) || is_evaluation(b)) return equal_evaluations(a, b);
  bool whole = a->dtype.is_integer() || a->dtype.is_bool();
  bool indices = !is_data(a) && !is_data(b) && !has_wraps(a) && !has_wraps(b);
  if (whole && indices) return equal_integers_or_bools(a, b) || stuck(a, b);
  if (is_fold(a) && is_fold(b)) {
    // (What a loop starts with, and what its steps give, may be operands of the evaluations in it.)
    const int loops = scenario_.left_open().any() ? 1 : 0;
    in_open_ += loops;
    const bool same = equal_folds(a, b);
    in_open_ -= loops;
    if (same) return true;
  }
  if (equal_operands(a, b)) return true;
  if (whole && equal_integers_or_bools(a, b)) return true;
  if (is_fold(a) != is_fold(b)) {
    Fold f = folds_.open(is_fold(a) ? a : b);
    if (Expr flat = unrolled(f)) return is_fold(a) ? equal(flat, b) : equal(a, flat);
  }
  if (a->dtype.is_integer() && (equal_polynomials(a, b) || equal_sums(a, b))) return true;
  bool cells = a->op == Op::Load && b->op == Op::Load;
  const bool seen = in_open_ > 0 && a->dtype.is_float() && (computes(a) || computes(b));
  if (!cells && !seen && !has_fold(a) && !has_fold(b) && size(a) + size(b) < kLeaf && scenario_.proves(same_bits(a, b)))
    return true;
  return stuck(a, b);
}

bool Comparison::equal_integers_or_bools(const Expr& a, const Expr& b) {
  Expr x = a, y = b;
  for (Expr* e : {&x, &y}) {
    if (is_data(*e) || !has_wraps(*e)) continue;
    // Where what was stored is an index and nothing overflows, wrapping makes no difference.
    Expr plain = as_index(*e);
    if (scenario_.quick(fits(plain))) *e = plain;
  }
  if (a->dtype.is_integer()) {
    Expr goal = eq(x, y);
    return is_data(goal) || has_wraps(goal) ? !has_fold(goal) && scenario_.proves(goal) : scenario_.surely(goal);
  }
  if (has_fold(a) || has_fold(b)) return false;
  bool both = true;
  for (auto [given, goal] : {std::pair{x, y}, std::pair{y, x}}) {
    Scenario::Under under(scenario_, given);
    both = both && scenario_.proves(goal);
  }
  return both;
}

bool Comparison::equal_cases(const Expr& choice, const Expr& other, bool choice_is_before) {
  const Expr& condition = choice->args[0];
  auto compare = [&](const Expr& mine, const Expr& theirs) {
    return choice_is_before ? equal(mine, theirs) : equal(theirs, mine);
  };
  if (scenario_.quick(condition)) return compare(choice->args[1], other);
  if (scenario_.quick(lnot(condition))) return compare(choice->args[2], other);
  // Both sides choose by conditions that only a comparison of terms finds equal.
  if (is_choice(other) && !(other->args[0] == condition) && is_data(condition) && is_data(other->args[0])) {
    std::string before = mismatch_;
    if (compare(condition, other->args[0])) {
      {
        Scenario::Under under(scenario_, condition);
        if (!compare(choice->args[1], other->args[1])) return false;
      }
      Scenario::Under under(scenario_, lnot(condition));
      return compare(choice->args[2], other->args[2]);
    }
    mismatch_ = before;
  }
  // A case that does not arise need not agree: seen quickly, or by solvers once the comparison failed.
  auto agrees = [&](const Expr& mine) {
    std::string before = mismatch_;
    if (scenario_.impossible() || compare(mine, other)) return true;
    if (!scenario_.proves(boolean(false))) return false;
    mismatch_ = before;
    return true;
  };
  {
    Scenario::Under under(scenario_, condition);
    if (!agrees(choice->args[1])) return false;
  }
  Scenario::Under under(scenario_, lnot(condition));
  return agrees(choice->args[2]);
}

bool Comparison::equal_operands(const Expr& a, const Expr& b) {
  if (a->args.size() != b->args.size() || a->args.empty() || is_fold(a) || is_fold(b)) return false;
  bool comparison = is_comparison(a->op) && a->args[0]->dtype != b->args[0]->dtype;
  if (comparison) return false;
  bool straight = a->op == b->op && a->payload == b->payload && a->wraps == b->wraps;
  if (straight && a->op == Op::Load) {
    for (size_t i = 0; i < a->args.size(); ++i) {
      if (!equal(a->args[i], b->args[i])) return false;
    }
    return true;
  }
  if (straight) {
    bool all = true;
    for (size_t i = 0; i < a->args.size() && all; ++i) {
      all = a->args[i]->dtype == b->args[i]->dtype && equal(a->args[i], b->args[i]);
    }
    if (all) return true;
  }
  bool crossed = a->args.size() == 2 && ((straight && commutes(a)) || (a->op != b->op && mirrored(a->op) == b->op));
  if (!crossed) return false;
  std::string before = mismatch_;
  if (equal(a->args[0], b->args[1]) && equal(a->args[1], b->args[0])) return true;
  mismatch_ = before;
  return false;
}

namespace {

/// The parts of a sum or product of data that are none themselves.
void ring_atoms(const Expr& whole, std::vector<Expr>* out) {
  visit_nodes(whole, [&](const Expr& e) {
    const bool arithmetic = e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul;
    if (arithmetic && e->wraps) return true;
    if (!as_int(e) && std::find(out->begin(), out->end(), e) == out->end()) out->push_back(e);
    return false;
  });
}

using WithAtoms = std::unordered_map<const ExprNode*, Expr>;
Expr with_atoms(const Expr& e, const TermMap& atoms, WithAtoms* known) {
  for (const auto& [from, to] : atoms) {
    if (e == from) return to;
  }
  const bool arithmetic = e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul;
  if (!arithmetic) return e;
  if (auto it = known->find(e.get()); it != known->end()) return it->second;
  Expr out = binary(e->op, with_atoms(e->args[0], atoms, known), with_atoms(e->args[1], atoms, known), e->wraps);
  known->emplace(e.get(), out);
  return out;
}

}  // namespace

/// Integers that wrap are a ring: sums and products of parts that are equal one by one.
bool Comparison::equal_polynomials(const Expr& a, const Expr& b) {
  std::vector<Expr> left, right;
  ring_atoms(a, &left);
  ring_atoms(b, &right);
  bool nothing_inside = left.size() == 1 && left[0] == a && right.size() == 1 && right[0] == b;
  // Parts are named by what they equal: an undef may be anything, and equals nothing.
  for (const std::vector<Expr>* parts : {&left, &right}) {
    for (const Expr& e : *parts) nothing_inside |= chooses(e, {});
  }
  if (nothing_inside || left.size() > 8 || right.size() > 8) return false;
  std::string before = mismatch_;
  TermMap mine, theirs;
  for (const Expr& e : left) {
    Expr name;
    for (size_t i = 0; i < mine.size() && !name; ++i) {
      if (equal(mine[i].first, e)) name = mine[i].second;
    }
    mine.emplace_back(e, name ? name : unknown("part", e->dtype));
  }
  for (const Expr& e : right) {
    Expr name;
    for (size_t i = 0; i < mine.size() && !name; ++i) {
      if (equal(mine[i].first, e)) name = mine[i].second;
    }
    theirs.emplace_back(e, name ? name : unknown("part", e->dtype));
  }
  WithAtoms of_a, of_b;
  if (equal_in_ring(eq(with_atoms(a, mine, &of_a), with_atoms(b, theirs, &of_b)))) return true;
  mismatch_ = before;
  return false;
}

}  // namespace hexproof::parametric
