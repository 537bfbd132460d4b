// Float arithmetic in integers: product and quotient, square root, rounding to whole numbers.
#include "backend/hexagon/bits.h"
#include "backend/hexagon/runtime.h"

namespace hexproof::hexagon {
namespace {

/// binary32 or binary64: 1 sign bit, the exponent, `mantissa` bits; numbers are held in integers of `width` bits.
struct Format {
  unsigned width, mantissa;

  unsigned exponent_bits() const { return width - 1 - mantissa; }
  uint64_t top_exponent() const { return (uint64_t{1} << exponent_bits()) - 1; }
  uint64_t bias() const { return top_exponent() >> 1; }
  uint64_t hidden() const { return uint64_t{1} << mantissa; }
  uint64_t sign() const { return uint64_t{1} << (width - 1); }
  uint64_t infinity() const { return top_exponent() << mantissa; }
  uint64_t nan() const { return infinity() | (hidden() >> 1); }
};
constexpr Format kSingle{32, 23}, kDouble{64, 52};

/// A number taken apart. A finite, nonzero one is fraction * 2^(exponent - bias - mantissa) with hidden() <=
/// fraction < 2 * hidden(), also when it is subnormal; the exponent is a signed number.
struct Parts {
  Bits magnitude, exponent, fraction;
  Bits is_nan, is_infinite, is_zero;
};

Parts take_apart(const Format& f, Bits x) {
  Parts p;
  p.magnitude = x & (f.sign() - 1);
  Bits field = p.magnitude >> f.mantissa, low = p.magnitude & (f.hidden() - 1);
  Bits subnormal = field == 0;
  Bits shift = low.leading_zeros() - f.exponent_bits();  // moves the highest bit to the hidden one's place
  Bits moved = low << (shift & (f.width - 1));
  p.fraction = choose(subnormal, moved, low | f.hidden());
  p.exponent = choose(subnormal, x.of(1) - shift, field);
  p.is_nan = p.magnitude > f.infinity();
  p.is_infinite = p.magnitude == f.infinity();
  p.is_zero = p.magnitude == 0;
  return p;
}

/// The float nearest to significand * 2^(exponent - bias - (width - 1)), with a significand whose highest bit is
/// set and whose lowest one also stands for everything below it. The sign is put in.
Bits round_and_pack(const Format& f, Bits sign, Bits exponent, Bits significand) {
  unsigned drop = f.width - 1 - f.mantissa;
  Bits one = significand.of(1);
  // A subnormal result: shift right, and keep what falls out in the lowest bit.
  Bits tiny = exponent.less_signed(one);
  Bits shift = one - exponent;
  Bits in_range = choose(shift >= f.width - 1, shift.of(f.width - 1), shift);
  Bits lost = significand & ((one << in_range) - 1);
  Bits shifted = (significand >> in_range) | flag(lost != 0, significand);
  // Past the last bit only the fact that it is not zero counts.
  Bits narrowed = choose(shift >= f.width - 1, one, shifted);
  Bits value = choose(tiny, narrowed, significand);
  Bits kept = value >> drop, rest = value & ((uint64_t{1} << drop) - 1);
  uint64_t half = uint64_t{1} << (drop - 1);
  Bits up = (rest > half) | ((rest == half) & ((kept & 1) != 0));
  // The hidden bit adds one to the exponent field; a carry out of the fraction does, too, up to infinity.
  Bits field = choose(tiny, one.of(0), (exponent - 1) << f.mantissa);
  Bits packed = field + kept + flag(up, kept);
  Bits overflow = one.of(f.top_exponent() - 1).less_signed(exponent);
  return choose(overflow, one.of(f.infinity()), packed) | sign;
}

llvm::Function* begin_float(llvm::Module& module, llvm::IRBuilder<>& b, const Format& f, const std::string& name,
                            unsigned arguments) {
  llvm::Type* real = f.width == 32 ? b.getFloatTy() : b.getDoubleTy();
  return begin(module, b, name, real, std::vector<llvm::Type*>(arguments, real));
}
Bits argument(llvm::IRBuilder<>& b, const Format& f, llvm::Function* function, unsigned i) {
  return {&b, b.CreateBitCast(function->getArg(i), b.getIntNTy(f.width))};
}
void give(llvm::IRBuilder<>& b, llvm::Function* function, Bits result) {
  b.CreateRet(b.CreateBitCast(result.v, function->getReturnType()));
}

/// The product of two 64-bit numbers: high and low half.
std::pair<Bits, Bits> multiply_wide(Bits x, Bits y) {
  constexpr uint64_t kLow = 0xffffffffu;
  Bits a = x & kLow, c = x >> 32, d = y & kLow, e = y >> 32;
  Bits low = a * d, middle = c * d + (low >> 32), other = a * e + (middle & kLow);
  return {c * e + (middle >> 32) + (other >> 32), (other << 32) | (low & kLow)};
}

void add_product(llvm::Module& module, const std::string& name) {
  const Format& f = kDouble;
  llvm::IRBuilder<> b(module.getContext());
  llvm::Function* function = begin_float(module, b, f, name, 2);
  Bits x = argument(b, f, function, 0), y = argument(b, f, function, 1);
  Parts p = take_apart(f, x), q = take_apart(f, y);
  Bits sign = (x ^ y) & f.sign();
  // Both highest bits at 63: the product's highest bit is at 126 or 127.
  unsigned up = f.width - 1 - f.mantissa;
  auto [high, low] = multiply_wide(p.fraction << up, q.fraction << up);
  Bits carry = high.is_negative();
  Bits doubled = (high << 1) | (low >> 63);
  Bits sticky = choose(carry, flag(low != 0, low), flag((low << 1) != 0, low));
  Bits significand = choose(carry, high, doubled) | sticky;
  Bits exponent = p.exponent + q.exponent - f.bias() + flag(carry, x);
  Bits result = round_and_pack(f, sign, exponent, significand);
  result = choose(p.is_zero | q.is_zero, sign, result);
  result = choose(p.is_infinite | q.is_infinite, sign | f.infinity(), result);
  Bits invalid = (p.is_infinite & q.is_zero) | (p.is_zero & q.is_infinite) | p.is_nan | q.is_nan;
  give(b, function, choose(invalid, x.of(f.nan()), result));
}

void add_quotient(llvm::Module& module, const Format& f, const std::string& name) {
  llvm::IRBuilder<> b(module.getContext());
  llvm::Function* function = begin_float(module, b, f, name, 2);
  Bits x = argument(b, f, function, 0), y = argument(b, f, function, 1);
  Parts p = take_apart(f, x), q = take_apart(f, y);
  Bits sign = (x ^ y) & f.sign();
  // The quotient of the fractions in [1, 2), one bit a step; the remainder tells whether it is exact.
  Bits smaller = p.fraction < q.fraction;
  Bits start = choose(smaller, p.fraction << 1, p.fraction);
  std::vector<Bits> end = repeat(x.of(f.width), {x.of(0), start}, [&](const std::vector<Bits>& s, Bits) {
    Bits fits = s[1] >= q.fraction;
    return std::vector<Bits>{(s[0] << 1) | flag(fits, x), (s[1] - choose(fits, q.fraction, x.of(0))) << 1};
  });
  Bits significand = end[0] | flag(end[1] != 0, x);
  Bits exponent = p.exponent - q.exponent + f.bias() - flag(smaller, x);
  Bits result = round_and_pack(f, sign, exponent, significand);
  result = choose(p.is_zero | q.is_infinite, sign, result);
  result = choose(p.is_infinite | q.is_zero, sign | f.infinity(), result);
  Bits invalid = (p.is_infinite & q.is_infinite) | (p.is_zero & q.is_zero) | p.is_nan | q.is_nan;
  give(b, function, choose(invalid, x.of(f.nan()), result));
}

void add_square_root(llvm::Module& module, const Format& f, const std::string& name) {
  llvm::IRBuilder<> b(module.getContext());
  llvm::Function* function = begin_float(module, b, f, name, 1);
  Bits x = argument(b, f, function, 0);
  Parts p = take_apart(f, x);
  // An even power of two outside; digit by digit, two bits of the radicand make one of the root.
  Bits odd = ((p.exponent - f.bias()) & 1) != 0;
  Bits radicand = choose(odd, p.fraction << 1, p.fraction) << (f.width - 2 - f.mantissa);
  unsigned digits = f.mantissa + 3;
  std::vector<Bits> end = repeat(x.of(digits), {x.of(0), x.of(0), radicand}, [&](const std::vector<Bits>& s, Bits) {
    Bits rest = (s[1] << 2) | (s[2] >> (f.width - 2));
    Bits trial = (s[0] << 2) | 1;
    Bits fits = rest >= trial;
    return std::vector<Bits>{(s[0] << 1) | flag(fits, x), rest - choose(fits, trial, x.of(0)), s[2] << 2};
  });
  Bits significand = (end[0] << (f.width - digits)) | flag(end[1] != 0, x);
  Bits exponent = {&b, b.CreateAShr((p.exponent - f.bias() - flag(odd, x)).v, 1)};
  Bits result = round_and_pack(f, x.of(0), exponent + f.bias(), significand);
  result = choose(p.is_infinite, x, result);
  result = choose(x.is_negative() | p.is_nan, x.of(f.nan()), result);
  give(b, function, choose(p.is_zero, x, result));
}

enum class Whole : uint8_t { Trunc, Floor, Ceil, Round, Nearest };

/// x rounded to a whole number. Sums and differences of floats are exact instructions of the machine.
void add_whole(llvm::Module& module, const Format& f, const std::string& name, Whole kind) {
  llvm::IRBuilder<> b(module.getContext());
  llvm::Function* function = begin_float(module, b, f, name, 1);
  llvm::Type* real = function->getReturnType();
  llvm::Value* given = function->getArg(0);
  auto number = [&](double v) { return llvm::ConstantFP::get(real, v); };
  auto as_bits = [&](llvm::Value* v) { return Bits{&b, b.CreateBitCast(v, b.getIntNTy(f.width))}; };
  auto as_real = [&](Bits v) { return b.CreateBitCast(v.v, real); };
  Bits x = as_bits(given), sign = x & f.sign(), magnitude = x & (f.sign() - 1);
  Bits field = magnitude >> f.mantissa;
  Bits already = field >= f.bias() + f.mantissa;  // no bit below one; infinities and NaNs, too
  Bits below_one = field < f.bias();
  Bits cut = (field.of(f.bias() + f.mantissa) - field) & (f.width - 1);
  Bits truncated = choose(below_one, sign, (x >> cut) << cut);
  llvm::Value* whole = as_real(truncated);
  switch (kind) {
    case Whole::Trunc:
      break;
    case Whole::Floor:
      whole = b.CreateSelect(b.CreateFCmpOGT(whole, given), b.CreateFSub(whole, number(1)), whole);
      break;
    case Whole::Ceil: {
      // From below zero the sum may be zero: -0.0 as its sign says.
      llvm::Value* up = as_real(as_bits(b.CreateFAdd(whole, number(1))) | sign);
      whole = b.CreateSelect(b.CreateFCmpOLT(whole, given), up, whole);
      break;
    }
    case Whole::Round: {
      Bits rest = as_bits(b.CreateFSub(given, whole)) & (f.sign() - 1);
      llvm::Value* away = b.CreateFAdd(whole, as_real(as_bits(number(1)) | sign));
      whole = b.CreateSelect(b.CreateFCmpOGE(as_real(rest), number(0.5)), away, whole);
      break;
    }
    case Whole::Nearest: {
      // Adding 2^mantissa leaves no place below one, so the addition rounds to nearest even.
      llvm::Value* big = number(static_cast<double>(f.hidden()));
      llvm::Value* rounded = b.CreateFSub(b.CreateFAdd(as_real(magnitude), big), big);
      whole = as_real(as_bits(rounded) | sign);
      break;
    }
  }
  give(b, function, choose(already, x, as_bits(whole)));
}

}  // namespace

void add_float_arithmetic(llvm::Module& module) {
  add_product(module, "__hexagon_muldf3");
  add_quotient(module, kSingle, "__hexagon_divsf3");
  add_quotient(module, kDouble, "__hexagon_divdf3");
  for (const char* name : {"sqrtf", "__hexagon_sqrtf"}) add_square_root(module, kSingle, name);
  for (const char* name : {"sqrt", "__hexagon_sqrt"}) add_square_root(module, kDouble, name);
}

void add_rounding(llvm::Module& module) {
  struct Row {
    const char* name;
    Whole kind;
  };
  for (const Row& row : {Row{"trunc", Whole::Trunc}, Row{"floor", Whole::Floor}, Row{"ceil", Whole::Ceil},
                         Row{"round", Whole::Round}, Row{"nearbyint", Whole::Nearest}}) {
    add_whole(module, kDouble, row.name, row.kind);
    add_whole(module, kSingle, std::string(row.name).append("f"), row.kind);
  }
}

void add_runtime(llvm::Module& module) {
  add_integer_division(module);
  add_float_arithmetic(module);
  add_rounding(module);
  add_memory_routines(module);
}

}  // namespace hexproof::hexagon
