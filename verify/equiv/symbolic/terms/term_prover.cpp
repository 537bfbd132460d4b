#include "verify/equiv/symbolic/terms/term_prover.h"

#include <algorithm>
#include <iterator>

#include "verify/equiv/symbolic/evaluate.h"
#include "verify/prove/effort.h"
#include "verify/prove/open_rounding.h"
#include "verify/prove/solvers/evaluate.h"
#include "verify/prove/theorem.h"

namespace hexproof::symbolic {
namespace {

Expr constant(const Scalar& s) {
  if (s.type.is_float()) return fimm(s.type, s.d());
  return imm(s.type, wide_value(s));
}

Scalar scalar_of(DType type, Wide bits) {
  if (type.is_float()) return float_scalar(type, float_from_bits(type, bits));
  return int_scalar(type, bits);
}

}  // namespace

Expr to_expr(const Terms& terms, Term root, const std::function<Expr(Term)>& leaf,
             std::unordered_map<Term, Expr>& memo) {
  std::vector<Term> open{root};
  while (!open.empty()) {
    Term t = open.back();
    if (memo.count(t)) {
      open.pop_back();
      continue;
    }
    std::vector<Expr> args;
    for (int i = 0; i < terms.arity(t); ++i) {
      auto it = memo.find(terms.arg(t, i));
      if (it == memo.end()) {
        open.push_back(terms.arg(t, i));
      } else {
        args.push_back(it->second);
      }
    }
    if (open.back() != t) continue;
    open.pop_back();
    Op op = terms.op(t);
    Expr e = op == Op::IntImm                   ? constant(terms.value(t))
             : op == Op::Var || op == Op::Undef ? leaf(t)
             : op == Op::Select                 ? if_then_else(args[0], args[1], args[2])
             : op == Op::Cast                   ? cast(terms.type(t), args[0])
             : op == Op::Call                   ? call(terms.type(t), terms.name(t), args)
             : args.size() == 1                 ? unary(op, args[0])
                                                : binary(op, args[0], args[1]);
    memo.emplace(t, std::move(e));
  }
  return memo.at(root);
}

uint64_t Questions::written_size(Term root, uint64_t most) {
  std::vector<Term> open{root};
  while (!open.empty()) {
    Term t = open.back();
    if (sizes_.count(t)) {
      open.pop_back();
      continue;
    }
    uint64_t size = 1;
    bool ready = true;
    for (int i = 0; i < terms_.arity(t); ++i) {
      auto it = sizes_.find(terms_.arg(t, i));
      if (it == sizes_.end()) {
        open.push_back(terms_.arg(t, i)), ready = false;
      } else {
        size = std::min<uint64_t>(size + it->second, uint64_t{1} << 40);
      }
    }
    if (!ready) continue;
    open.pop_back();
    sizes_.emplace(t, size);
  }
  return std::min(sizes_.at(root), most);
}

/// How hard the float arithmetic among these terms is for a solver, in sums of float32.
uint64_t Questions::float_effort(const std::vector<Term>& order) const {
  uint64_t out = 0;
  for (Term t : order) {
    const Op op = terms_.op(t);
    const bool from_float = op == Op::Cast && terms_.type(terms_.arg(t, 0)).is_float();
    if (!terms_.type(t).is_float() && !from_float) continue;
    const uint64_t weight = op == Op::Mul ? 6 : op == Op::Div ? 12 : op == Op::Add || op == Op::Sub || op == Op::Cast;
    const int bits = from_float ? terms_.type(terms_.arg(t, 0)).bits : terms_.type(t).bits;
    out += bits == 64 ? 2 * weight : weight;
  }
  return out;
}

namespace {

/// The evaluations that are left open: any values, where they are cut.
std::unordered_set<Term> evaluations(const Terms& terms, const std::vector<Term>& order) {
  std::unordered_set<Term> out;
  if (!terms.open().any()) return out;
  for (Term t : order) {
    if (terms.is_evaluation(t)) out.insert(t);
  }
  return out;
}

/// What is reached from the roots without going into the cuts.
std::vector<Term> above(const Terms& terms, std::vector<Term> roots, const std::unordered_set<Term>& cuts) {
  std::unordered_set<Term> seen;
  while (!roots.empty()) {
    const Term t = roots.back();
    roots.pop_back();
    if (!seen.insert(t).second || cuts.count(t)) continue;
    for (int i = 0; i < terms.arity(t); ++i) roots.push_back(terms.arg(t, i));
  }
  std::vector<Term> out(seen.begin(), seen.end());
  std::sort(out.begin(), out.end());
  std::erase_if(out, [&](Term t) { return cuts.count(t) != 0; });
  return out;
}

/// Is there an operation that is left open, and no evaluation?
bool left_open(const Terms& terms, const std::vector<Term>& order) {
  return std::any_of(order.begin(), order.end(), [&](Term t) { return terms.left_open(t); });
}

}  // namespace

Reply Questions::ask(const std::vector<Term>& given, Term a, Term b, const std::string& why) {
  std::vector<Term> roots = given;
  roots.push_back(a), roots.push_back(b);
  const std::unordered_set<Term> open = evaluations(terms_, reachable(terms_, roots));
  const std::vector<Term> all = above(terms_, roots, open);
  if (left_open(terms_, all)) {
    return {Verdict::Unknown, "a solver rounds in one way, and the granted flags leave open in which", {}};
  }
  if (float_effort(all) <= kMaxFloatEffort) return ask(given, a, b, why, open);
  // What both sides share may be any value: proved is proved, and nothing else is an answer.
  std::vector<Term> x = above(terms_, {a}, open), y = above(terms_, {b}, open), shared;
  std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(shared));
  std::unordered_set<Term> cuts = open;
  for (Term t : shared) {
    if (terms_.type(t).is_float() && terms_.arity(t) > 0 && t != a && t != b) cuts.insert(t);
  }
  std::erase_if(x, [&](Term t) { return cuts.count(t) != 0; });
  std::erase_if(y, [&](Term t) { return cuts.count(t) != 0; });
  Reply reply;
  if (float_effort(x) + float_effort(y) <= kMaxFloatEffort) {
    std::vector<Term> small;
    for (Term g : given) {
      if (float_effort(above(terms_, {g}, open)) == 0) small.push_back(g);
    }
    reply = ask(small, a, b, why, cuts);
  }
  if (reply.verdict == Verdict::Proved) return reply;
  return {Verdict::Unknown, "the float arithmetic is too large for a solver", {}};
}

Reply Questions::ask(const std::vector<Term>& given, Term a, Term b, const std::string& why,
                     const std::unordered_set<Term>& cuts) {
  Reply reply;
  std::vector<Term> roots = given;
  roots.push_back(a), roots.push_back(b);
  uint64_t size = 0;
  for (Term t : roots) size += cuts.empty() ? written_size(t, kMaxSize) : above(terms_, {t}, cuts).size();
  if (size > kMaxSize) {
    reply.reason = "the two values are too large for a solver (more than " + std::to_string(kMaxSize) + " operations)";
    return reply;
  }
  // One text for questions that differ in the names of cells only: leaves are numbered as they are met.
  std::string key;
  std::vector<Term> leaves;
  std::unordered_map<Term, uint32_t> numbers;
  auto put = [&](uint64_t v) {
    for (; v >= 128; v >>= 7) key += static_cast<char>(v | 128);
    key += static_cast<char>(v);
  };
  auto write = [&](auto& self, Term t) -> void {
    if (auto it = numbers.find(t); it != numbers.end()) return key += '#', put(it->second);
    const bool cut = cuts.count(t) != 0;
    for (int i = 0; i < terms_.arity(t) && !cut; ++i) self(self, terms_.arg(t, i));
    numbers.emplace(t, static_cast<uint32_t>(numbers.size()));
    DType type = terms_.type(t);
    if (cut) {
      key += '?', put(static_cast<uint64_t>(type.code)), put(type.bits);
      return leaves.push_back(t);
    }
    put(static_cast<uint64_t>(terms_.op(t))), put(static_cast<uint64_t>(type.code)), put(type.bits);
    if (terms_.op(t) == Op::IntImm) put(terms_.value(t).bits);
    if (terms_.op(t) == Op::Call) key += terms_.name(t), put(0), put(static_cast<uint64_t>(terms_.arity(t)));
    if (terms_.op(t) == Op::Var || terms_.op(t) == Op::Undef) leaves.push_back(t);
  };
  for (Term t : roots) write(write, t), key += '|';
  auto [stored, fresh] = memo_.try_emplace(key);
  if (fresh) {
    if (asked_ >= bounds_.asked || effort_ >= bounds_.effort) {
      memo_.erase(stored);
      reply.reason = asked_ >= bounds_.asked
                         ? "more than " + std::to_string(bounds_.asked) + " different questions for the solvers"
                         : "the solvers took more than " + std::to_string(bounds_.effort) + " resource units";
      return reply;
    }
    ++asked_;
    std::unordered_map<Term, uint32_t> leaf_number;
    for (size_t i = 0; i < leaves.size(); ++i) leaf_number.emplace(leaves[i], static_cast<uint32_t>(i));
    std::vector<Expr> as_calls;
    std::vector<Var> as_vars;
    for (size_t i = 0; i < leaves.size(); ++i) {
      // A call that nothing is known of: it is data, so arithmetic on it wraps.
      std::string name = "cell#" + std::to_string(i);
      as_calls.push_back(uninterpreted(Op::Opaque, terms_.type(leaves[i]), name, {}));
      as_vars.push_back(Var::fresh(name, terms_.type(leaves[i])));
    }
    auto obligation = [&](bool vars) {
      std::unordered_map<Term, Expr> memo;
      auto leaf = [&](Term t) { return vars ? Expr(as_vars[leaf_number.at(t)]) : as_calls[leaf_number.at(t)]; };
      for (Term t : cuts) {
        if (leaf_number.count(t) != 0) memo.emplace(t, leaf(t));
      }
      Obligation o{.rule = "equiv-symbolic", .why = why, .where = where_, .given = {}, .goal = {}};
      for (Term t : given) o.given.push_back(to_expr(terms_, t, leaf, memo));
      Expr x = to_expr(terms_, a, leaf, memo), y = to_expr(terms_, b, leaf, memo);
      o.goal = b == Terms::kTrue ? x : same_bits(x, y);
      if (b != Terms::kTrue && terms_.type(a).is_integer()) o.goal = eq(x, y);
      return o;
    };
    // In terms, an operation that is left open is a value of its own already.
    const OpenRoundingScope closed(OpenRounding{});
    Answer answer = prover_.prove(obligation(false));
    Stored& out = stored->second;
    out.values.resize(leaves.size());
    for (size_t i = 0; i < leaves.size(); ++i) out.values[i] = zero_scalar(terms_.type(leaves[i]));
    effort_ += answer.rlimit;
    const bool full = Effort::here().depth == Depth::Full;
    if (answer.verdict == Verdict::Unknown && full && theorems_++ < bounds_.theorems) {
      std::string reason = answer.reason;
      try {
        answer = prove_theorem(obligation(true));
      } catch (const Error&) {
      }
      effort_ += answer.rlimit;
      if (answer.verdict == Verdict::Unknown) answer.reason = reason;
      for (const auto& [var, value] : answer.model) {
        for (size_t i = 0; i < leaves.size(); ++i) {
          if (as_vars[i] == var) out.values[i] = scalar_of(var.dtype(), value);
        }
      }
    } else {
      for (size_t i = 0; i < leaves.size(); ++i) {
        auto it = answer.terms.find(as_calls[i]);
        if (it != answer.terms.end()) out.values[i] = scalar_of(terms_.type(leaves[i]), it->second);
      }
    }
    out.verdict = answer.verdict;
    out.reason = answer.reason;
  }
  const Stored& found = stored->second;
  reply.verdict = found.verdict;
  reply.reason = found.reason;
  if (found.verdict == Verdict::Refuted) {
    for (size_t i = 0; i < leaves.size(); ++i) reply.values.emplace_back(leaves[i], found.values[i]);
  }
  return reply;
}

}  // namespace hexproof::symbolic
