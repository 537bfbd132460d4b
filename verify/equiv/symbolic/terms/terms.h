// Values of a symbolic run: hash-consed terms over the content of the argument buffers. Two terms with one id are the
// same value on every input.
//
// Only data lives here (what depends on no buffer's content is a number), so integers wrap. Constants are folded by
// ir/interpreter/scalar_ops.h alone. The laws that are applied when a term is built hold bit for bit:
// - on integers: commuted operands of + * min max & | ^ ==, x + 0, x * 1, x * 0, x - x, sums with a constant,
//   and & << >> by powers of two as % * //;
// - on floats: commuted operands of + * == (NaNs are one value, so the operands' order cannot be seen), x * 1, x / 1,
//   x + x as x * 2, x / 2^k as x * 2^-k where that is a number of the type, x + -0, x - +0; x + +0 only where x is
//   never -0.0 (a sum is -0.0 only if both operands are); never x * 0; signs: x + -y as x - y, -x * y as -(x * y),
//   -(-x); a sum or product in a wider format that is rounded back;
// - |x| of integers as max(x, -x): of the least number both wrap to it;
// - choices with a known condition or equal arms, and booleans.
// A term computed from T.undef() is never dropped by a law: an index or a condition that depends on it is an error.
#pragma once
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/base/early_exit.h"
#include "ir/interpreter/scalar_ops.h"
#include "ir/op.h"
#include "verify/equiv/symbolic/terms/huge_page_allocator.h"
#include "verify/prove/open_rounding.h"

namespace hexproof::symbolic {

using Term = uint32_t;

/// Thrown when the bound on terms is reached.
struct TooManyTerms : EarlyExit {
  TooManyTerms() : EarlyExit("too many terms") {}
};

class Terms {
 public:
  static constexpr Term kFalse = 0, kTrue = 1;
  static constexpr const char* kEvaluation = "evaluation#";

  /// Where products may lose their rounding in the sums that use them (`contract`), no law on floats is applied but the
  /// order of operands, since what stands between a product and a sum decides which results there are.
  explicit Terms(uint64_t max_terms, const OpenRounding& open = {});

  Term constant(const Scalar& value);
  Term zero(DType type) const { return zero_[type_code(type)]; }
  /// The content of an input cell; `index` numbers the cells of all arguments. To be called once for each.
  Term input(DType type, uint32_t index);
  /// One evaluation of T.undef(); `number` tells them apart.
  Term undef(DType type, uint32_t number);
  Term unary(Op op, Term a);
  Term binary(Op op, Term a, Term b);
  Term cast(DType to, Term a);
  Term select(Term c, Term yes, Term no);
  /// A named function of its operands.
  Term call(const std::string& name, DType type, const std::vector<Term>& args);

  Term land(Term a, Term b) { return binary(Op::And, a, b); }
  Term lor(Term a, Term b) { return binary(Op::Or, a, b); }
  Term lnot(Term a) { return unary(Op::Not, a); }
  Term truth(bool value) { return value ? kTrue : kFalse; }
  /// The same operator over other operands.
  /// What holds where `fact` does, each without `and`. There may be as many as a loop has iterations.
  std::vector<Term> conjuncts(Term fact) const;
  Term with_args(Term t, const std::vector<Term>& args);

  /// IntImm: a constant of any type; Var: an input; Undef; Call; else an operator of ops.def.
  Op op(Term t) const { return nodes_[t].op; }
  DType type(Term t) const { return kDTypes[nodes_[t].type]; }
  bool is_constant(Term t) const { return nodes_[t].op == Op::IntImm; }
  Scalar value(Term t) const { return {type(t), nodes_[t].a | uint64_t{nodes_[t].b} << 32}; }
  /// Of an input or an undef.
  uint32_t number(Term t) const { return nodes_[t].a; }
  const std::string& name(Term t) const { return names_[nodes_[t].a]; }  // of a call
  int arity(Term t) const;
  Term arg(Term t, int i) const {
    const Node& n = nodes_[t];
    if (n.op == Op::Call) return call_args_[n.b + static_cast<uint32_t>(i)];
    return i == 0 ? n.a : i == 1 ? n.b : n.c;
  }
  bool has_undef(Term t) const { return nodes_[t].undef; }
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  const OpenRounding& open() const { return open_; }

  /// Do the granted flags leave open what this operation on floats gives (docs/semantics.md)? How its operands were
  /// computed is seen through choices and casts.
  bool left_open(Term t) const;
  bool is_one_number(Op op, const Scalar& a, const Scalar& b) const;
  /// One evaluation of an operation that is left open: some value; `number` tells evaluations apart. It keeps the
  /// operation as its first operand.
  Term evaluation(Term operation, uint32_t number);
  bool is_evaluation(Term t) const { return op(t) == Op::Call && name(t) == kEvaluation; }
  /// The operation of an evaluation; any other term is itself.
  Term operation(Term t) const { return is_evaluation(t) ? arg(t, 0) : t; }

  /// Is the value computed from T.undef(), as a bool term? The arm of a choice that is not taken does not count.
  Term depends_on_undef(Term t);

 private:
  struct Node {
    Op op;
    uint8_t type;
    bool undef;
    bool positive;  // a float that is never -0.0
    uint32_t a, b, c;
  };
  static uint8_t type_code(DType type);

  Term intern(const Node& node);
  Term make(Op op, DType type, Term a, Term b, Term c, bool undef);
  bool same(const Node& a, const Node& b) const;
  uint32_t hash(const Node& node) const;
  void grow();
  bool complement(Term a, Term b) const;
  Term fold_integer(Op op, DType type, Term a, Term b);
  Term fold_sign(Op op, DType type, Term a, Term b);
  Term fold_float(Op op, DType type, Term a, Term b);
  Term fold_bool(Op op, Term a, Term b);
  Term compare(Op op, Term a, Term b);
  Term compare_clamped(Op op, Term a, Term b);

  Term zero_[std::size(kDTypes)];  // of each row of kDTypes
  bool never_minus_zero(Op op, Term a, Term b, Term c) const;

  uint64_t max_terms_;
  OpenRounding open_;
  std::vector<Node, HugePages<Node>> nodes_;
  struct Slot {
    uint32_t tag, id;  // of the hash; one more than the term, 0: free
  };
  std::vector<Slot, HugePages<Slot>> table_;
  std::vector<Term> call_args_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, uint32_t> name_ids_;
  std::unordered_map<Term, Term> undef_memo_;
};

inline constexpr Term kNoTerm = ~Term{0};  // from a folding function: nothing to fold

}  // namespace hexproof::symbolic
