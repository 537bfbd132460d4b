#include "verify/equiv/symbolic/question.h"

#include "verify/solve/evaluate.h"
#include "verify/theorem.h"

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

Reply Questions::ask(const std::vector<Term>& given, Term a, Term b, const std::string& why) {
  Reply reply;
  std::vector<Term> roots = given;
  roots.push_back(a), roots.push_back(b);
  uint64_t size = 0;
  for (Term t : roots) size += written_size(t, kMaxSize);
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
    for (int i = 0; i < terms_.arity(t); ++i) self(self, terms_.arg(t, i));
    numbers.emplace(t, static_cast<uint32_t>(numbers.size()));
    DType type = terms_.type(t);
    put(static_cast<uint64_t>(terms_.op(t))), put(static_cast<uint64_t>(type.code)), put(type.bits);
    if (terms_.op(t) == Op::IntImm) put(terms_.value(t).bits);
    if (terms_.op(t) == Op::Call) key += terms_.name(t), put(0), put(static_cast<uint64_t>(terms_.arity(t)));
    if (terms_.op(t) == Op::Var || terms_.op(t) == Op::Undef) leaves.push_back(t);
  };
  for (Term t : roots) write(write, t), key += '|';
  auto [stored, fresh] = memo_.try_emplace(key);
  if (fresh) {
    if (asked_ >= kMaxAsked) {
      memo_.erase(stored);
      reply.reason = "more than " + std::to_string(kMaxAsked) + " different questions for the solvers";
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
      as_calls.push_back(call(terms_.type(leaves[i]), name, {}));
      as_vars.push_back(Var::fresh(name, terms_.type(leaves[i])));
    }
    auto obligation = [&](bool vars) {
      std::unordered_map<Term, Expr> memo;
      auto leaf = [&](Term t) { return vars ? Expr(as_vars[leaf_number.at(t)]) : as_calls[leaf_number.at(t)]; };
      Obligation o{.rule = "equiv-symbolic", .why = why, .where = where_, .given = {}, .goal = {}};
      for (Term t : given) o.given.push_back(to_expr(terms_, t, leaf, memo));
      Expr x = to_expr(terms_, a, leaf, memo), y = to_expr(terms_, b, leaf, memo);
      o.goal = b == Terms::kTrue ? x : same_bits(x, y);
      if (b != Terms::kTrue && terms_.type(a).is_integer()) o.goal = eq(x, y);
      return o;
    };
    Answer answer = prover_.prove(obligation(false));
    Stored& out = stored->second;
    out.values.resize(leaves.size());
    for (size_t i = 0; i < leaves.size(); ++i) out.values[i] = zero_scalar(terms_.type(leaves[i]));
    if (answer.verdict == Verdict::Unknown) {
      std::string reason = answer.reason;
      try {
        answer = prove_theorem(obligation(true));
      } catch (const Error&) {
      }
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
