#include "backend/codegen/operators.h"

namespace hexproof::codegen {
namespace {

llvm::Function* declare(llvm::Module& module, const char* name, llvm::Type* result, llvm::Type* arg) {
  auto* f = llvm::Function::Create(llvm::FunctionType::get(result, {arg}, false), llvm::Function::InternalLinkage, name,
                                   module);
  f->addFnAttr(llvm::Attribute::NoUnwind);
  f->setDoesNotAccessMemory();
  return f;
}

/// Rounds a float or a double to half. `Bits` describes the wide format: its width and mantissa.
llvm::Function* narrow(llvm::Module& module, const char* name, llvm::Type* wide, unsigned width, unsigned mantissa) {
  if (llvm::Function* f = module.getFunction(name)) return f;
  llvm::LLVMContext& c = module.getContext();
  llvm::Type* bits = llvm::IntegerType::get(c, width);
  llvm::Type* i16 = llvm::Type::getInt16Ty(c);
  llvm::Function* f = declare(module, name, i16, wide);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(c, "entry", f));
  unsigned exponent_bits = width - 1 - mantissa, bias = (1u << (exponent_bits - 1)) - 1, drop = mantissa - 10;
  auto k = [&](uint64_t v) { return llvm::ConstantInt::get(bits, v); };
  auto biased = [&](int exponent) { return uint64_t(bias + exponent) << mantissa; };

  llvm::Value* raw = b.CreateBitCast(f->getArg(0), bits);
  llvm::Value* sign = b.CreateShl(b.CreateTrunc(b.CreateLShr(raw, width - 1), i16), 15);
  llvm::Value* magnitude = b.CreateAnd(raw, (uint64_t{1} << (width - 1)) - 1);
  // Normal: add just under half of the last place (and the bit that breaks ties to even), cut, move the bias.
  llvm::Value* odd = b.CreateAnd(b.CreateLShr(magnitude, drop), 1);
  llvm::Value* rounded = b.CreateAdd(b.CreateAdd(magnitude, k((uint64_t{1} << (drop - 1)) - 1)), odd);
  llvm::Value* normal = b.CreateTrunc(b.CreateSub(b.CreateLShr(rounded, drop), k(uint64_t(bias - 15) << 10)), i16);
  // Subnormal: adding 2^(mantissa - 24) puts the last place of the sum at 2^-24, so the addition itself rounds.
  llvm::Value* magic = k(biased(int(mantissa) - 24));
  llvm::Value* sum = b.CreateFAdd(b.CreateBitCast(magnitude, wide), b.CreateBitCast(magic, wide));
  llvm::Value* small = b.CreateTrunc(b.CreateSub(b.CreateBitCast(sum, bits), magic), i16);
  llvm::Value* result = b.CreateSelect(b.CreateICmpULT(magnitude, k(biased(-14))), small, normal);
  // 65520 is half way between the largest half and 2^16.
  uint64_t overflow = biased(15) + ((uint64_t{0x7ff} << mantissa) >> 11);
  result = b.CreateSelect(b.CreateICmpUGE(magnitude, k(overflow)), llvm::ConstantInt::get(i16, 0x7c00), result);
  result = b.CreateOr(result, sign);
  llvm::Value* nan = b.CreateICmpUGT(magnitude, k(((uint64_t{1} << exponent_bits) - 1) << mantissa));
  b.CreateRet(b.CreateSelect(nan, llvm::ConstantInt::get(i16, 0x7e00), result));
  return f;
}

}  // namespace

llvm::Function* float_to_half(llvm::Module& module) {
  return narrow(module, "hexproof_float_to_half", llvm::Type::getFloatTy(module.getContext()), 32, 23);
}

llvm::Function* double_to_half(llvm::Module& module) {
  return narrow(module, "hexproof_double_to_half", llvm::Type::getDoubleTy(module.getContext()), 64, 52);
}

llvm::Function* half_to_float(llvm::Module& module) {
  const char* name = "hexproof_half_to_float";
  if (llvm::Function* f = module.getFunction(name)) return f;
  llvm::LLVMContext& c = module.getContext();
  llvm::Type* i32 = llvm::Type::getInt32Ty(c);
  llvm::Type* real = llvm::Type::getFloatTy(c);
  llvm::Function* f = declare(module, name, real, llvm::Type::getInt16Ty(c));
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(c, "entry", f));
  llvm::Value* raw = b.CreateZExt(f->getArg(0), i32);
  llvm::Value* magnitude = b.CreateAnd(raw, 0x7fff);
  llvm::Value* sign = b.CreateShl(b.CreateAnd(raw, 0x8000), 16);
  llvm::Value* shifted = b.CreateShl(magnitude, 13);
  llvm::Value* normal = b.CreateAdd(shifted, b.getInt32(112u << 23));
  llvm::Value* special = b.CreateAdd(shifted, b.getInt32(224u << 23));  // infinity and NaN keep the top exponent
  llvm::Value* small =
      b.CreateBitCast(b.CreateFMul(b.CreateUIToFP(magnitude, real), llvm::ConstantFP::get(real, 0x1p-24)), i32);
  llvm::Value* result = b.CreateSelect(b.CreateICmpUGE(magnitude, b.getInt32(0x7c00)), special, normal);
  result = b.CreateSelect(b.CreateICmpULT(magnitude, b.getInt32(0x400)), small, result);
  b.CreateRet(b.CreateBitCast(b.CreateOr(result, sign), real));
  return f;
}

}  // namespace hexproof::codegen
