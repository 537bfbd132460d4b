// Values, registers and the placing of instructions.
#include <algorithm>

#include "ir/interpreter/bytecode/compiler.h"

namespace hexproof::fast {

namespace {
/// Sums stay far inside of 64 bits when the magnitudes of their terms together do.
constexpr Wide kLinearBound = Wide{1} << 62;
Wide magnitude(Wide lo, Wide hi) { return std::max(lo < 0 ? -lo : lo, hi < 0 ? -hi : hi); }
}  // namespace

int Compiler::new_register(int depth) {
  out_.registers.push_back(Register{.u = 0});
  depth_.push_back(depth);
  range_.emplace_back(0, 0);
  return static_cast<int>(out_.registers.size()) - 1;
}

int Compiler::constant_register(const Scalar& s) {
  Register value = from_scalar(s);
  auto [it, fresh] = constants_.try_emplace({s.type.is_float() && s.type.bits == 32, value.u}, 0);
  if (fresh) {
    it->second = new_register(0);
    out_.registers.back() = value;
  }
  return it->second;
}

Value Compiler::constant(const Scalar& s) {
  Value v{.type = s.type, .kind = Value::Constant, .constant = s, .terms = {}};
  if (!s.type.is_float()) v.lo = v.hi = wide_value(s);
  return v;
}

Value Compiler::in_register(int reg, DType type) {
  if (type.is_float()) return in_register(reg, type, 0, 0);
  return in_register(reg, type, min_value(type), max_value(type));
}

Value Compiler::in_register(int reg, DType type, Wide lo, Wide hi) {
  range_[static_cast<size_t>(reg)] = {lo, hi};
  return Value{.type = type,
               .kind = Value::InRegister,
               .constant = {},
               .reg = reg,
               .terms = {},
               .offset = 0,
               .lo = lo,
               .hi = hi};
}

/// a * factor_a + b * factor_b as a sum of registers. The caller knows that this is the exact result, in [lo, hi].
std::optional<Value> Compiler::linear(DType type, Wide lo, Wide hi, const Value& a, int64_t factor_a, const Value& b,
                                      int64_t factor_b) {
  std::map<int, Wide> terms;
  Wide offset = 0, size = 0;
  for (auto [v, factor] : {std::pair{&a, factor_a}, {&b, factor_b}}) {
    if (factor == 0) continue;
    if (v->kind == Value::Constant) {
      offset += v->lo * factor;
    } else if (v->kind == Value::InRegister) {
      terms[v->reg] += factor;
    } else {
      for (auto [reg, f] : v->terms) terms[reg] += Wide{f} * factor;
      offset += Wide{v->offset} * factor;
    }
  }
  size = offset < 0 ? -offset : offset;
  Wide low = offset, high = offset;
  Value out{.type = type, .kind = Value::Linear, .constant = {}, .terms = {}};
  for (auto [reg, factor] : terms) {
    if (factor == 0) continue;
    auto [from, to] = range_[static_cast<size_t>(reg)];
    if (magnitude(factor, factor) >= kLinearBound || magnitude(from, to) >= kLinearBound) return std::nullopt;
    size += magnitude(factor, factor) * magnitude(from, to);
    if (size >= kLinearBound) return std::nullopt;
    low += factor * (factor > 0 ? from : to);
    high += factor * (factor > 0 ? to : from);
    out.terms.emplace_back(reg, static_cast<int64_t>(factor));
  }
  if (size >= kLinearBound) return std::nullopt;
  if (out.terms.empty()) return constant(int_scalar(type, offset));
  out.offset = static_cast<int64_t>(offset);
  out.lo = std::max(lo, low), out.hi = std::min(hi, high);
  return out;
}

/// The register that holds a sum: partial sums in the outermost regions where their terms are known.
int Compiler::sum(const std::vector<std::pair<int, int64_t>>& terms, int64_t offset) {
  std::vector<std::pair<int, int64_t>> sorted = terms;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const auto& x, const auto& y) { return depth_of(x.first) < depth_of(y.first); });
  if (sorted.empty()) return constant_register(int_scalar(kInt64, offset));
  auto [first, factor] = sorted[0];
  int total =
      factor == 1 && offset == 0 ? first : pure({.code = Code::Linear1, .a = first, .imm = factor, .imm2 = offset});
  for (size_t k = 1; k < sorted.size(); ++k) {
    auto [term, f] = sorted[k];
    total = f == 1 ? pure({.code = Code::Add, .a = term, .b = total})
                   : pure({.code = Code::Linear2, .a = term, .b = total, .imm = f});
  }
  return total;
}

int Compiler::reg(const Value& v) {
  switch (v.kind) {
    case Value::Constant:
      return constant_register(v.constant);
    case Value::InRegister:
      return v.reg;
    case Value::Linear: {
      int r = sum(v.terms, v.offset);
      return r;
    }
  }
  internal_error(__FILE__, __LINE__, "no such kind of value");
}

/// An instruction without errors or effects, in the outermost region where its operands are known; the same one
/// is not done twice. Unused register operands are register 0, which is always known.
int Compiler::pure(Instr instr) {
  const bool third = instr.code == Code::Choose;
  auto key = std::make_tuple(instr.code, int64_t{0}, instr.a, instr.b, third ? instr.c : 0, instr.imm, instr.imm2);
  if (auto it = known_.find(key); it != known_.end()) return it->second;
  int depth = std::max({depth_of(instr.a), depth_of(instr.b), third ? depth_of(instr.c) : 0});
  if (instr.code == Code::AnyCall) {
    for (auto [arg, type] : out_.operations[static_cast<size_t>(instr.imm)].args)
      depth = std::max(depth, depth_of(arg));
  }
  instr.dst = new_register(depth);
  Region& region = regions_[static_cast<size_t>(depth)];
  region.code.push_back(instr);
  region.known.push_back(known_.emplace(key, instr.dst).first);
  return instr.dst;
}

int Compiler::here(Instr instr) {
  instr.dst = new_register(static_cast<int>(regions_.size()) - 1);
  emit(instr);
  return instr.dst;
}

int64_t Compiler::operation(AnyOperation op) {
  for (size_t k = 0; k < out_.operations.size(); ++k) {  // equal ones get one number, so that values are found again
    const AnyOperation& known = out_.operations[k];
    if (known.op == op.op && known.type == op.type && known.from == op.from && known.mode == op.mode &&
        known.name == op.name && known.args == op.args) {
      return static_cast<int64_t>(k);
    }
  }
  out_.operations.push_back(std::move(op));
  return static_cast<int64_t>(out_.operations.size()) - 1;
}

Compiler::Region Compiler::close() {
  Region region = std::move(regions_.back());
  regions_.pop_back();
  for (auto it : region.known) known_.erase(it);
  region.known.clear();
  return region;
}

void Compiler::splice(Region region) {
  auto& code = regions_.back().code;
  code.insert(code.end(), region.code.begin(), region.code.end());
}

}  // namespace hexproof::fast
