#include "verify/equiv/symbolic/terms/terms.h"

#include <bit>

namespace hexproof::symbolic {

namespace {
constexpr size_t log_bytes(DType type) { return type.bits <= 8 ? 0 : std::countr_zero(type.bits) - 3; }

/// The row of kDTypes of a class and the logarithm of its bytes.
struct Rows {
  uint8_t at[8][4] = {};
  constexpr Rows() {
    for (size_t i = 0; i < std::size(kDTypes); ++i) {
      at[static_cast<size_t>(kDTypes[i].code)][log_bytes(kDTypes[i])] = static_cast<uint8_t>(i);
    }
  }
};
constexpr Rows kRows;
}  // namespace

uint8_t Terms::type_code(DType type) {
  if (type.is_handle()) throw Unsupported(Span{}, "a handle as a value");
  return kRows.at[static_cast<size_t>(type.code)][log_bytes(type)];
}

Terms::Terms(uint64_t max_terms, const OpenRounding& open)
    : max_terms_(std::min<uint64_t>(max_terms, 0xfffffff0u)), open_(open), table_(1 << 12, Slot{0, 0}) {
  nodes_.reserve(1 << 11);
  constant(bool_scalar(false));
  constant(bool_scalar(true));
  for (const DType& type : kDTypes) {
    if (!type.is_handle()) zero_[type_code(type)] = constant(zero_scalar(type));
  }
}

int Terms::arity(Term t) const {
  const Node& n = nodes_[t];
  if (n.op == Op::IntImm || n.op == Op::Var || n.op == Op::Undef) return 0;
  if (n.op == Op::Call) return static_cast<int>(n.c);
  return info(n.op).arity;
}

/// Terms that are made one after the other from operands that were made one after the other lie side by side in the
/// table: what is hashed is the distance of the operands, and the low bits are those of an operand.
uint32_t Terms::hash(const Node& n) const {
  auto mix = [](uint64_t h, uint64_t v) {
    h = (h ^ v) * 0x9e3779b97f4a7c15ull;
    return h ^ (h >> 29);
  };
  uint64_t h = static_cast<uint64_t>(n.op) << 8 | n.type;
  if (n.op == Op::Call) {
    h = mix(h, n.a);
    for (uint32_t i = 0; i < n.c; ++i) h = mix(h, call_args_[n.b + i]);
    return static_cast<uint32_t>(h ^ h >> 32);
  }
  const bool two = n.op != Op::IntImm && n.b != 0;
  const bool apart = two && nodes_[n.b].op != Op::IntImm;
  h = mix(h, n.a >> 3);
  h = mix(h, (apart ? n.a - n.b : n.b) | uint64_t{apart ? n.a - n.c : n.c} << 32);
  h ^= h >> 32;
  return (static_cast<uint32_t>(h) & ~7u) | (n.a & 7);
}

bool Terms::same(const Node& a, const Node& b) const {
  if (a.op != b.op || a.type != b.type || a.a != b.a || a.c != b.c) return false;
  if (a.op != Op::Call) return a.b == b.b;
  return std::equal(call_args_.begin() + a.b, call_args_.begin() + a.b + a.c, call_args_.begin() + b.b);
}

void Terms::grow() {
  std::vector<Slot, HugePages<Slot>> old(table_.size() * 2, Slot{0, 0});
  old.swap(table_);
  const size_t mask = table_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == 0) continue;
    size_t at = slot.tag & mask;
    while (table_[at].id != 0) at = (at + 1) & mask;
    table_[at] = slot;
  }
}

Term Terms::intern(const Node& node) {
  const size_t mask = table_.size() - 1;
  const uint32_t tag = hash(node);
  size_t at = tag & mask;
  for (; table_[at].id != 0; at = (at + 1) & mask) {
    if (table_[at].tag == tag && same(nodes_[table_[at].id - 1], node)) return table_[at].id - 1;
  }
  if (nodes_.size() >= max_terms_) throw TooManyTerms{};
  nodes_.push_back(node);
  Term id = size() - 1;
  table_[at] = {tag, id + 1};
  if (nodes_.size() * 3 > table_.size() * 2) grow();
  return id;
}

Term Terms::constant(const Scalar& v) {
  return intern({Op::IntImm, type_code(v.type), false, v.bits != uint64_t{1} << 63, static_cast<uint32_t>(v.bits),
                 static_cast<uint32_t>(v.bits >> 32), 0});
}
Term Terms::input(DType type, uint32_t index) {
  if (nodes_.size() >= max_terms_) throw TooManyTerms{};
  nodes_.push_back({Op::Var, type_code(type), false, false, index, 0, 0});
  if (nodes_.size() * 3 > table_.size() * 2) grow();
  return size() - 1;
}
Term Terms::undef(DType type, uint32_t number) {
  return intern({Op::Undef, type_code(type), true, false, number, 0, 0});
}

bool Terms::never_minus_zero(Op op, Term a, Term b, Term c) const {
  if (op == Op::Add) return nodes_[a].positive || nodes_[b].positive;  // to nearest: x + -x is +0.0
  if (op == Op::Sub) return nodes_[a].positive;
  if (op == Op::Mul) return a == b && !open_.reassoc;  // (each use of a sum may be another grouping of it)
  if (op == Op::Select) return nodes_[b].positive && nodes_[c].positive;
  if (op == Op::Cast) return !type(a).is_float();
  return false;
}

Term Terms::make(Op op, DType type, Term a, Term b, Term c, bool undef) {
  return intern({op, type_code(type), undef, type.is_float() && never_minus_zero(op, a, b, c), a, b, c});
}

Term Terms::call(const std::string& name, DType type, const std::vector<Term>& args) {
  for (const char* abs : {"abs", "T.abs", "tir.abs"}) {
    if (name != abs || args.size() != 1 || !type.is_int() || this->type(args[0]) != type) continue;
    return binary(Op::Max, args[0], binary(Op::Mul, args[0], constant(int_scalar(type, -1))));
  }
  auto [it, fresh] = name_ids_.try_emplace(name, static_cast<uint32_t>(names_.size()));
  if (fresh) names_.push_back(name);
  bool undef = false;
  for (Term a : args) undef |= has_undef(a);
  const auto begin = static_cast<uint32_t>(call_args_.size());
  call_args_.insert(call_args_.end(), args.begin(), args.end());
  const uint32_t before = size();
  Term t = intern({Op::Call, type_code(type), undef, false, it->second, begin, static_cast<uint32_t>(args.size())});
  if (t != before) call_args_.resize(begin);  // there was one
  return t;
}

Term Terms::with_args(Term t, const std::vector<Term>& args) {
  if (op(t) == Op::Call) return call(name(t), type(t), args);
  if (op(t) == Op::Cast) return cast(type(t), args[0]);
  if (op(t) == Op::Select) return select(args[0], args[1], args[2]);
  return args.empty() ? t : args.size() == 1 ? unary(op(t), args[0]) : binary(op(t), args[0], args[1]);
}

std::vector<Term> Terms::conjuncts(Term fact) const {
  std::vector<Term> out, open{fact};
  std::unordered_set<Term> seen;
  while (!open.empty()) {
    const Term t = open.back();
    open.pop_back();
    if (!seen.insert(t).second) continue;
    if (op(t) == Op::And) {
      open.push_back(arg(t, 1)), open.push_back(arg(t, 0));
    } else {
      out.push_back(t);
    }
  }
  return out;
}

Term Terms::depends_on_undef(Term root) {
  auto known = [&](Term t) -> std::optional<Term> {
    if (!has_undef(t)) return kFalse;
    if (op(t) == Op::Undef) return kTrue;
    auto it = undef_memo_.find(t);
    return it == undef_memo_.end() ? std::nullopt : std::optional(it->second);
  };
  // What a term is made of comes first; a chain of them may be as long as a loop runs.
  std::vector<Term> open{root};
  while (!open.empty()) {
    const Term t = open.back();
    const size_t above = open.size();
    if (!known(t)) {
      for (int i = 0; i < arity(t); ++i) {
        if (!known(arg(t, i))) open.push_back(arg(t, i));
      }
    }
    if (open.size() > above) continue;
    open.pop_back();
    if (known(t)) continue;
    auto part = [&](int i) { return *known(arg(t, i)); };
    Term out = kFalse;
    if (op(t) == Op::Select) {
      out = part(0);
      // Where the condition depends on undef the answer is `true` whatever it chooses.
      if (out != kTrue) out = lor(out, select(arg(t, 0), part(1), part(2)));
    } else {
      for (int i = 0; i < arity(t); ++i) out = lor(out, part(i));
    }
    undef_memo_.emplace(t, out);
  }
  return *known(root);
}

}  // namespace hexproof::symbolic
