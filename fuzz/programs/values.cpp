#include "fuzz/programs/values.h"

#include <bit>

#include "fuzz/programs/program.h"
#include "ir/float_format.h"

namespace hexproof {

LoopVar ValueBuilder::loop(const std::string& name, int64_t extent) {
  loops.push_back({Var::fresh(name, index_type), extent});
  return loops.back();
}

const LoopVar* ValueBuilder::any_loop() {
  return loops.empty() ? nullptr : &loops[choices_.below(static_cast<uint32_t>(loops.size()))];
}

Expr ValueBuilder::index(int64_t extent) {
  auto number = [&](int64_t v) { return imm(index_type, v); };
  const LoopVar* l = any_loop();
  if (!l) return number(choices_.below(static_cast<uint32_t>(extent)));
  Expr v(l->var);
  switch (choices_.below(7)) {
    case 0:
    case 1:  // the variable itself where it fits
      return l->extent <= extent ? v : floormod(v, number(extent));
    case 2: {
      int64_t divisor = (l->extent + extent - 1) / extent + choices_.below(2);
      return floordiv(v, number(divisor));
    }
    case 3:
      return floormod(v + number(choices_.below(4)), number(extent));
    case 4:
      return min(v + number(choices_.below(3)), number(extent - 1));
    case 5: {
      const LoopVar* other = any_loop();
      Expr sum = v * number(1 + choices_.below(3)) + Expr(other->var);
      return floormod(sum, number(extent));
    }
    default:
      return number(choices_.below(static_cast<uint32_t>(extent)));
  }
}

Expr ValueBuilder::constant(DType type) {
  uint64_t random = choices_.below(1u << 31);
  if (random % 4 == 0) return type.is_float() ? fimm(type, random / 4 % 3) : imm(type, random / 4 % 3);
  uint64_t state = random;
  uint64_t bits = random_value(type, next_random(state));
  if (type.is_float()) {
    return fimm(type, raw_to_float(type, bits));
  }
  return imm(type, wrap_to(type, static_cast<Wide>(bits)));
}

Expr ValueBuilder::leaf(DType type) {
  uint32_t kind = choices_.below(8);
  if (kind <= 4 && !readable.empty()) {
    const Buffer& buffer = choices_.pick(readable);
    bool convertible = buffer->dtype == type || !buffer->dtype.is_float();
    if (convertible) {
      std::vector<Expr> at;
      for (const Expr& extent : buffer->shape) at.push_back(index(extent->int_value()));
      Expr cell = load(buffer, at);
      return buffer->dtype == type ? cell : cast(type, cell);
    }
  }
  if (kind == 5 && !loops.empty()) return cast(type, Expr(any_loop()->var));
  return constant(type);
}

Expr ValueBuilder::operation(DType type, int depth) {
  Expr a = value(type, depth - 1);
  uint32_t kind = choices_.below(type.is_float() ? 7 : 14);
  auto b = [&] { return value(type, depth - 1); };
  // A divisor that is neither 0 nor -1: data division is free of errors then.
  auto divisor = [&] { return imm(type, 2 + choices_.below(5)); };
  auto amount = [&] { return imm(type, choices_.below(type.bits)); };
  // Arithmetic on a loaded value wraps; on loop variables alone it would overflow, so such operands are loaded.
  bool wraps = type.is_float() || is_data(a);
  switch (kind) {
    case 0:
      return wraps ? a + b() : max(a, b());
    case 1:
      return wraps ? a * b() : min(a, b());
    case 2:
      return wraps ? a - b() : a;
    case 3:
      return min(a, b());
    case 4:
      return max(a, b());
    case 5:
      return select(condition(), a, b());
    case 6:
      return if_then_else(condition(), a, b());
    case 7:
      return floordiv(a, divisor());
    case 8:
      return floormod(a, divisor());
    case 9:
      return binary(Op::TruncDiv, a, divisor());
    case 10:
      return binary(Op::BitAnd, a, b());
    case 11:
      return binary(Op::BitOr, a, b());
    case 12:
      return wraps ? binary(Op::Shl, a, amount()) : a;
    default:
      return binary(Op::Shr, a, amount());
  }
}

Expr ValueBuilder::value(DType type, int depth) {
  return depth <= 0 || choices_.below(3) == 0 ? leaf(type) : operation(type, depth);
}

Expr ValueBuilder::condition() {
  static const std::vector<Op> kOps = {Op::LT, Op::LE, Op::EQ, Op::NE, Op::GE, Op::GT};
  Op op = choices_.pick(kOps);
  const LoopVar* l = any_loop();
  if (l && !choices_.chance(25)) {
    Expr left(l->var);
    if (choices_.chance(25)) left = left + Expr(any_loop()->var);
    Expr test = binary(op, left, imm(index_type, choices_.below(static_cast<uint32_t>(l->extent) + 2)));
    return choices_.chance(15) ? land(test, condition()) : test;
  }
  DType type = readable.empty() ? kInt32 : choices_.pick(readable)->dtype;
  return binary(op, leaf(type), constant(type));
}

}  // namespace hexproof
