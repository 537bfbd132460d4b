#include <cmath>
#include <string>

#include "backend/codegen/operators.h"
#include "ir/float_format.h"

namespace hexproof::codegen {
namespace {

llvm::Function* declare(llvm::Module& module, const char* name, llvm::Type* result, llvm::Type* arg) {
  auto* f = llvm::Function::Create(llvm::FunctionType::get(result, {arg}, false), llvm::Function::InternalLinkage, name,
                                   module);
  f->addFnAttr(llvm::Attribute::NoUnwind);
  f->setDoesNotAccessMemory();
  return f;
}

/// Rounds a float or a double to a format of 16 bits. `width` and `mantissa` describe the wide format.
llvm::Function* narrow(llvm::Module& module, const std::string& name, FloatFormat to, llvm::Type* wide, unsigned width,
                       unsigned mantissa) {
  if (llvm::Function* f = module.getFunction(name)) return f;
  llvm::LLVMContext& c = module.getContext();
  llvm::Type* bits = llvm::IntegerType::get(c, width);
  llvm::Type* i16 = llvm::Type::getInt16Ty(c);
  llvm::Function* f = declare(module, name.c_str(), i16, wide);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(c, "entry", f));
  const unsigned exponent_bits = width - 1 - mantissa, drop = mantissa - static_cast<unsigned>(to.stored());
  const int bias = (1 << (exponent_bits - 1)) - 1;
  auto k = [&](uint64_t v) { return llvm::ConstantInt::get(bits, v); };
  auto biased = [&](int exponent) { return static_cast<uint64_t>(bias + exponent) << mantissa; };

  llvm::Value* raw = b.CreateBitCast(f->getArg(0), bits);
  llvm::Value* sign = b.CreateShl(b.CreateTrunc(b.CreateLShr(raw, width - 1), i16), 15);
  llvm::Value* magnitude = b.CreateAnd(raw, (uint64_t{1} << (width - 1)) - 1);
  // Normal: add just under half of the last place (and the bit that breaks ties to even), cut, move the bias.
  llvm::Value* odd = b.CreateAnd(b.CreateLShr(magnitude, drop), 1);
  llvm::Value* rounded = b.CreateAdd(b.CreateAdd(magnitude, k((uint64_t{1} << (drop - 1)) - 1)), odd);
  const uint64_t moved = static_cast<uint64_t>(bias - to.bias()) << to.stored();
  llvm::Value* result = b.CreateTrunc(b.CreateSub(b.CreateLShr(rounded, drop), k(moved)), i16);
  if (bias != to.bias()) {  // else the wide format has the same subnormals, with more digits: they are cut alike
    // Subnormal: adding 2^(mantissa + least) puts the last place of the sum at the least number 2^least, so the
    // addition itself rounds.
    const int least = 1 - to.bias() - to.stored();
    llvm::Value* magic = k(biased(static_cast<int>(mantissa) + least));
    llvm::Value* sum = b.CreateFAdd(b.CreateBitCast(magnitude, wide), b.CreateBitCast(magic, wide));
    llvm::Value* small = b.CreateTrunc(b.CreateSub(b.CreateBitCast(sum, bits), magic), i16);
    result = b.CreateSelect(b.CreateICmpULT(magnitude, k(biased(1 - to.bias()))), small, result);
  }
  // From half way between the largest number and the next power of two on.
  uint64_t overflow = biased(to.bias()) + ((((uint64_t{1} << to.significand) - 1) << mantissa) >> to.significand);
  result = b.CreateSelect(b.CreateICmpUGE(magnitude, k(overflow)), llvm::ConstantInt::get(i16, to.infinity()), result);
  result = b.CreateOr(result, sign);
  llvm::Value* nan = b.CreateICmpUGT(magnitude, k(((uint64_t{1} << exponent_bits) - 1) << mantissa));
  b.CreateRet(b.CreateSelect(nan, llvm::ConstantInt::get(i16, to.nan()), result));
  return f;
}

}  // namespace

llvm::Function* narrow_from_float(llvm::Module& module, DType type) {
  return narrow(module, "hexproof_float_to_" + type.element().str(), float_format(type),
                llvm::Type::getFloatTy(module.getContext()), 32, 23);
}

llvm::Function* narrow_from_double(llvm::Module& module, DType type) {
  return narrow(module, "hexproof_double_to_" + type.element().str(), float_format(type),
                llvm::Type::getDoubleTy(module.getContext()), 64, 52);
}

llvm::Function* widen_to_float(llvm::Module& module, DType type) {
  const std::string name = "hexproof_" + type.element().str() + "_to_float";
  if (llvm::Function* f = module.getFunction(name)) return f;
  const FloatFormat from = float_format(type);
  llvm::LLVMContext& c = module.getContext();
  llvm::Type* i32 = llvm::Type::getInt32Ty(c);
  llvm::Type* real = llvm::Type::getFloatTy(c);
  llvm::Function* f = declare(module, name.c_str(), real, llvm::Type::getInt16Ty(c));
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(c, "entry", f));
  llvm::Value* raw = b.CreateZExt(f->getArg(0), i32);
  llvm::Value* magnitude = b.CreateAnd(raw, 0x7fff);
  llvm::Value* sign = b.CreateShl(b.CreateAnd(raw, 0x8000), 16);
  llvm::Value* result = b.CreateShl(magnitude, 23 - from.stored());
  if (const int moved = 127 - from.bias(); moved != 0) {
    llvm::Value* shifted = result;
    llvm::Value* normal = b.CreateAdd(shifted, b.getInt32(static_cast<uint32_t>(moved) << 23));
    // Infinity and NaN keep the top exponent.
    llvm::Value* special = b.CreateAdd(shifted, b.getInt32(static_cast<uint32_t>(2 * moved) << 23));
    const double least = std::ldexp(1.0, 1 - from.bias() - from.stored());
    llvm::Value* small =
        b.CreateBitCast(b.CreateFMul(b.CreateUIToFP(magnitude, real), llvm::ConstantFP::get(real, least)), i32);
    result =
        b.CreateSelect(b.CreateICmpUGE(magnitude, b.getInt32(static_cast<uint32_t>(from.infinity()))), special, normal);
    result = b.CreateSelect(b.CreateICmpULT(magnitude, b.getInt32(1u << from.stored())), small, result);
  }
  b.CreateRet(b.CreateBitCast(b.CreateOr(result, sign), real));
  return f;
}

}  // namespace hexproof::codegen
