#include "backend/codegen/operators.h"

#include <bit>

#include "ir/base/diagnostic.h"
#include "ir/float_format.h"

namespace hexproof::codegen {

llvm::Type* Operators::type(DType t) const {
  llvm::LLVMContext& c = module_.getContext();
  llvm::Type* element = nullptr;
  switch (t.code) {
    case TypeCode::Bool:
      element = llvm::Type::getInt1Ty(c);
      break;
    case TypeCode::Int:
    case TypeCode::UInt:
      element = llvm::IntegerType::get(c, t.bits);
      break;
    case TypeCode::Float:
    case TypeCode::BFloat:
      element = t.bits == 64 ? llvm::Type::getDoubleTy(c) : llvm::Type::getFloatTy(c);
      break;
    case TypeCode::Handle:
      element = llvm::PointerType::get(c, 0);
      break;
  }
  return t.lanes == 1 ? element : llvm::FixedVectorType::get(element, t.lanes);
}

llvm::Type* Operators::memory_type(DType element) const {
  llvm::LLVMContext& c = module_.getContext();
  if (element.is_bool()) return llvm::Type::getInt8Ty(c);
  if (element.is_float() && element.bits < 32) return llvm::Type::getInt16Ty(c);
  return type(element.element());
}

template <class F>
llvm::Value* Operators::per_lane(llvm::Value* value, llvm::Type* element, F f) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  if (!vector) return f(value);
  llvm::Value* out = llvm::PoisonValue::get(llvm::FixedVectorType::get(element, vector->getNumElements()));
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    out = b_.CreateInsertElement(out, f(b_.CreateExtractElement(value, i)), i);
  }
  return out;
}

llvm::Value* Operators::round_narrow(DType t, llvm::Value* value) {
  return per_lane(value, b_.getFloatTy(), [&](llvm::Value* x) -> llvm::Value* {
    return b_.CreateCall(widen_to_float(module_, t), {b_.CreateCall(narrow_from_float(module_, t), {x})});
  });
}

llvm::Value* Operators::from_memory(DType t, llvm::Value* raw) {
  if (t.is_bool()) return b_.CreateICmpNE(raw, llvm::Constant::getNullValue(raw->getType()));
  if (t.is_float() && t.bits < 32) {
    return per_lane(raw, b_.getFloatTy(),
                    [&](llvm::Value* x) -> llvm::Value* { return b_.CreateCall(widen_to_float(module_, t), {x}); });
  }
  return raw;
}

llvm::Value* Operators::to_memory(DType t, llvm::Value* value) {
  if (t.is_bool()) {
    llvm::Type* byte = b_.getInt8Ty();
    return b_.CreateZExt(value, t.lanes == 1 ? byte : llvm::FixedVectorType::get(byte, t.lanes));
  }
  if (t.is_float() && t.bits < 32) {
    return per_lane(value, b_.getInt16Ty(),
                    [&](llvm::Value* x) -> llvm::Value* { return b_.CreateCall(narrow_from_float(module_, t), {x}); });
  }
  return value;
}

llvm::Value* Operators::reinterpret(DType to, DType from, llvm::Value* value) {
  const DType integer = to.is_float() ? from : to;
  if (to.is_float()) {
    llvm::Type* form = memory_type(to);
    if (to.lanes > 1) form = llvm::FixedVectorType::get(form, to.lanes);
    return from_memory(to, b_.CreateBitCast(value, form));
  }
  // By integers alone: no machine has to compare floats, and the bits of a signalling NaN are as good as any.
  llvm::Value* bits = b_.CreateBitCast(to_memory(from, value), type(integer));
  const FloatFormat format = float_format(from);
  auto number = [&](uint64_t n) { return llvm::ConstantInt::get(type(integer), n); };
  llvm::Value* magnitude = b_.CreateAnd(bits, number(format.sign() - 1));
  return b_.CreateSelect(b_.CreateICmpUGT(magnitude, number(format.infinity())), number(format.nan()), bits);
}

llvm::Value* Operators::zero(DType t) { return llvm::Constant::getNullValue(type(t)); }

llvm::Value* Operators::constant(DType t, const Expr& e) {
  if (t.is_float()) return llvm::ConstantFP::get(type(t), e->float_value());
  return llvm::ConstantInt::get(type(t), static_cast<uint64_t>(e->int_value()), /*isSigned=*/t.is_int());
}

namespace {
/// k when `value` is the constant 2^k (positive in its type), else nothing.
std::optional<unsigned> power_of_two(llvm::Value* value, bool is_signed) {
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  if (!constant || (is_signed && !constant->getValue().isStrictlyPositive()) || !constant->getValue().isPowerOf2()) {
    return std::nullopt;
  }
  return constant->getValue().logBase2();
}
}  // namespace

llvm::Value* Operators::division(Op op, DType t, llvm::Value* a, llvm::Value* b) {
  bool quotient = op == Op::FloorDiv || op == Op::TruncDiv;
  if (t.is_uint()) return quotient ? b_.CreateUDiv(a, b) : b_.CreateURem(a, b);
  if (op == Op::TruncDiv) return b_.CreateSDiv(a, b);
  if (op == Op::TruncMod) return b_.CreateSRem(a, b);
  if (auto k = power_of_two(b, true)) {
    // Two's complement: an arithmetic shift is the floor of the quotient, the low bits are the floor remainder.
    if (quotient) return b_.CreateAShr(a, *k);
    return b_.CreateAnd(a, llvm::ConstantInt::get(a->getType(), (uint64_t{1} << *k) - 1));
  }
  // The truncated remainder has a's sign; where it is not zero and its sign differs from b's, the floor is one less.
  llvm::Value* zero = llvm::Constant::getNullValue(a->getType());
  llvm::Value* remainder = b_.CreateSRem(a, b);
  llvm::Value* differs = b_.CreateICmpSLT(b_.CreateXor(remainder, b), zero);
  llvm::Value* adjust = b_.CreateAnd(b_.CreateICmpNE(remainder, zero), differs);
  if (quotient) return b_.CreateSub(b_.CreateSDiv(a, b), b_.CreateZExt(adjust, a->getType()));
  return b_.CreateAdd(remainder, b_.CreateSelect(adjust, b, zero));
}

llvm::Value* Operators::binary(Op op, DType t, llvm::Value* a, llvm::Value* b, bool no_wrap) {
  using P = llvm::CmpInst::Predicate;
  bool real = t.is_float(), narrow = real && t.bits < 32, with_sign = t.is_int();
  bool nuw = no_wrap && t.is_uint(), nsw = no_wrap && with_sign;
  llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
  // (LLVM makes a quotient by a power of two a product, which no quotient is.)
  if (llvm::FastMathFlags flags = b_.getFastMathFlags(); op == Op::Div || t.bits > contracted_bits_) {
    flags.setAllowContract(false);
    b_.setFastMathFlags(flags);
  }
  auto rounded = [&](llvm::Value* v) { return narrow ? round_narrow(t, v) : v; };
  auto compare = [&](P fp, P sp, P up) {
    return real ? b_.CreateFCmp(fp, a, b) : b_.CreateICmp(with_sign ? sp : up, a, b);
  };
  switch (op) {
    case Op::Add:
      return real ? rounded(b_.CreateFAdd(a, b)) : b_.CreateAdd(a, b, "", nuw, nsw);
    case Op::Sub:
      return real ? rounded(b_.CreateFSub(a, b)) : b_.CreateSub(a, b, "", nuw, nsw);
    case Op::Mul:
      return real ? rounded(b_.CreateFMul(a, b)) : b_.CreateMul(a, b, "", nuw, nsw);
    case Op::Div:
      return rounded(b_.CreateFDiv(a, b));
    case HEXPROOF_CASES(IntegerDivision):
      return division(op, t, a, b);
    // A NaN, or zeros of two signs, compare false: the right operand.
    case Op::Min:
      return b_.CreateSelect(compare(P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT), a, b);
    case Op::Max:
      return b_.CreateSelect(compare(P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT), a, b);
    case Op::EQ:
      return compare(P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ);
    case Op::NE:
      return compare(P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE);
    case Op::LT:
      return compare(P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT);
    case Op::LE:
      return compare(P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE);
    case Op::GT:
      return compare(P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT);
    case Op::GE:
      return compare(P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE);
    case Op::And:
    case Op::BitAnd:
      return b_.CreateAnd(a, b);
    case Op::Or:
    case Op::BitOr:
      return b_.CreateOr(a, b);
    case Op::BitXor:
      return b_.CreateXor(a, b);
    case Op::Shl:
      return b_.CreateShl(a, b, "", nuw, nsw);
    case Op::Shr:
      return with_sign ? b_.CreateAShr(a, b) : b_.CreateLShr(a, b);
    case HEXPROOF_CASES(Leaf):
    case Op::Not:
    case Op::BitNot:
    case HEXPROOF_CASES(Choice):
    case HEXPROOF_CASES(Other):
    case HEXPROOF_CASES(Vector):
    case HEXPROOF_CASES(ProofOnly):
      break;
  }
  internal_error(__FILE__, __LINE__, "not a binary operator: " + std::string(info(op).name));
}

llvm::Value* Operators::narrow_from_double_of(DType t, llvm::Value* value) {
  return per_lane(value, b_.getFloatTy(), [&](llvm::Value* x) -> llvm::Value* {
    return b_.CreateCall(widen_to_float(module_, t), {b_.CreateCall(narrow_from_double(module_, t), {x})});
  });
}

/// As a double that rounds to each narrower format as the integer does (`double_for_rounding` of ir/float_format.h):
/// the bits below the double's last place are or-ed into it, where there are any.
llvm::Value* Operators::integer_as_double(DType from, llvm::Value* value) {
  llvm::Type* real = type(kFloat64.with_lanes(from.lanes));
  auto converted = [&](llvm::Value* v) { return from.is_int() ? b_.CreateSIToFP(v, real) : b_.CreateUIToFP(v, real); };
  if (from.bits < 64) return converted(value);
  auto k = [&](uint64_t v) { return llvm::ConstantInt::get(value->getType(), v); };
  llvm::Value* low = b_.CreateAnd(value, k(0x7ff));
  llvm::Value* sticky = b_.CreateSelect(b_.CreateICmpNE(low, k(0)), k(0x800), k(0));
  llvm::Value* odd = b_.CreateOr(b_.CreateAnd(value, k(~uint64_t{0x7ff})), sticky);
  constexpr uint64_t kExact = uint64_t{1} << 53;
  llvm::Value* exact = from.is_int() ? b_.CreateICmpULE(b_.CreateAdd(value, k(kExact)), k(2 * kExact))
                                     : b_.CreateICmpULE(value, k(kExact));
  return converted(b_.CreateSelect(exact, value, odd));
}

llvm::Value* Operators::cast(DType to, DType from, llvm::Value* value) {
  llvm::Type* target = type(to);
  if (to == from) return value;
  if (to.is_bool()) {
    llvm::Value* zero = llvm::Constant::getNullValue(value->getType());
    return from.is_float() ? b_.CreateFCmpUNE(value, zero) : b_.CreateICmpNE(value, zero);
  }
  if (to.is_integer()) {
    if (from.is_float()) return to.is_int() ? b_.CreateFPToSI(value, target) : b_.CreateFPToUI(value, target);
    return from.is_int() ? b_.CreateSExtOrTrunc(value, target) : b_.CreateZExtOrTrunc(value, target);
  }
  HEXPROOF_CHECK(to.is_float(), "a cast to " + to.str());
  if (!from.is_float()) {
    if (to.bits < 32) return narrow_from_double_of(to, integer_as_double(from, value));
    return from.is_int() ? b_.CreateSIToFP(value, target) : b_.CreateUIToFP(value, target);
  }
  if (to.bits == 64) return b_.CreateFPExt(value, target);
  if (to.bits == 32) return from.bits == 64 ? b_.CreateFPTrunc(value, target) : value;
  return from.bits == 64 ? narrow_from_double_of(to, value) : round_narrow(to, value);
}

}  // namespace hexproof::codegen
