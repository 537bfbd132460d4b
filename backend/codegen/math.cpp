#include "backend/codegen/math.h"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <string_view>

#include "ir/interpreter/math.h"
#include "ir/reinterpret.h"

namespace hexproof::codegen {
namespace {

constexpr std::string_view kLibmUnary[] = {"exp",  "exp2",  "log",   "log2",  "log10", "log1p", "sin",
                                           "cos",  "tan",   "asin",  "acos",  "atan",  "sinh",  "cosh",
                                           "tanh", "asinh", "acosh", "atanh", "erf"};
constexpr std::string_view kLibmBinary[] = {"pow", "fmod", "atan2", "hypot"};

struct Exact {
  std::string_view name;
  llvm::Intrinsic::ID id;
  size_t arity;
  bool hexagon;  // has code, or a function of the runtime, that is exact
};
constexpr Exact kExact[] = {
    {"fabs", llvm::Intrinsic::fabs, 1, true},          {"abs", llvm::Intrinsic::fabs, 1, true},
    {"copysign", llvm::Intrinsic::copysign, 2, true},  {"sqrt", llvm::Intrinsic::sqrt, 1, true},
    {"floor", llvm::Intrinsic::floor, 1, true},        {"ceil", llvm::Intrinsic::ceil, 1, true},
    {"trunc", llvm::Intrinsic::trunc, 1, true},        {"round", llvm::Intrinsic::round, 1, true},
    {"nearbyint", llvm::Intrinsic::nearbyint, 1, true}};

/// One lane of a function of floats; `real` is float or double. Null: not one of these.
llvm::Value* float_function(llvm::IRBuilder<>& b, Target target, std::string_view name, llvm::Type* real,
                            const std::vector<llvm::Value*>& args) {
  for (const Exact& f : kExact) {
    if (f.name != name || f.arity != args.size() || (target == Target::Hexagon && !f.hexagon)) continue;
    if (f.id == llvm::Intrinsic::copysign) {
      // A NaN has no sign that is observed: it counts as positive.
      llvm::Value* sign = b.CreateSelect(b.CreateFCmpUNO(args[1], args[1]), llvm::ConstantFP::get(real, 0.0), args[1]);
      return b.CreateBinaryIntrinsic(f.id, args[0], sign);
    }
    return args.size() == 1 ? b.CreateUnaryIntrinsic(f.id, args[0]) : b.CreateBinaryIntrinsic(f.id, args[0], args[1]);
  }
  llvm::Value* one = llvm::ConstantFP::get(real, 1.0);
  if (name == "rsqrt" && args.size() == 1) {
    return b.CreateFDiv(one, b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, args[0]));
  }
  if (target == Target::Hexagon) return nullptr;
  auto libm = [&](std::string_view function, const std::vector<llvm::Value*>& operands) {
    std::string symbol(function);
    if (real->isFloatTy()) symbol += "f";
    llvm::Module& module = *b.GetInsertBlock()->getModule();
    auto* type = llvm::FunctionType::get(real, std::vector<llvm::Type*>(operands.size(), real), false);
    llvm::CallInst* result = b.CreateCall(module.getOrInsertFunction(symbol, type), operands);
    result->addFnAttr(llvm::Attribute::NoBuiltin);  // libm's own value, not what LLVM knows of the function
    result->addFnAttr(llvm::Attribute::NoUnwind);
    return result;
  };
  if (name == "sigmoid" && args.size() == 1) {
    return b.CreateFDiv(one, b.CreateFAdd(one, libm("exp", {b.CreateFNeg(args[0])})));
  }
  if (name == "exp10" && args.size() == 1) return libm("pow", {llvm::ConstantFP::get(real, 10.0), args[0]});
  auto is = [&](std::string_view known) { return known == name; };
  if (args.size() == 1 && std::any_of(std::begin(kLibmUnary), std::end(kLibmUnary), is)) return libm(name, args);
  if (args.size() == 2 && std::any_of(std::begin(kLibmBinary), std::end(kLibmBinary), is)) {
    // All NaNs are one value, of which pow(x, 0), pow(1, x) and hypot(inf, x) have one; a libm tells signalling ones.
    std::vector<llvm::Value*> quiet;
    for (llvm::Value* x : args)
      quiet.push_back(b.CreateSelect(b.CreateFCmpUNO(x, x), llvm::ConstantFP::getNaN(real), x));
    return libm(name, quiet);
  }
  return nullptr;
}

/// One lane of any modelled function.
llvm::Value* lane_call(llvm::IRBuilder<>& b, Operators& ops, Target target, std::string_view name, DType type,
                       DType from, const std::vector<llvm::Value*>& args) {
  // A function is one value: what it is made of is no operation of the program, which granted flags would open.
  llvm::IRBuilderBase::FastMathFlagGuard guard(b);
  b.clearFastMathFlags();
  if (args.size() == 1 && from.is_float() && type.is_bool()) {
    llvm::Value* infinity = llvm::ConstantFP::getInfinity(args[0]->getType());
    llvm::Value* magnitude = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, args[0]);
    if (name == "isnan") return b.CreateFCmpUNO(args[0], args[0]);
    if (name == "isinf") return b.CreateFCmpOEQ(magnitude, infinity);
    if (name == "isfinite") return b.CreateFCmpOLT(magnitude, infinity);
  }
  if (args.size() == 1 && from.is_integer() && type == from) {
    if (name == "abs" && type.is_uint()) return args[0];
    if (name == "abs") return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, args[0], b.getFalse());
    if (name == "popcount") return b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, args[0]);
  }
  if (!type.is_float() || type != from) return nullptr;
  llvm::Value* result = float_function(b, target, name, ops.type(type), args);
  return result && type.bits < 32 ? ops.round_narrow(type, result) : result;
}

}  // namespace

llvm::Value* math_call(llvm::IRBuilder<>& b, Operators& ops, Target target, const ExprNode& call,
                       const std::vector<llvm::Value*>& args, std::string* why) {
  std::string_view name = base_name(call.text());
  if (name == "power") name = "pow";
  *why = target == Target::Hexagon ? "no exact code for Hexagon" : "the function is not modelled";
  if (args.empty()) return nullptr;
  if (is_reinterpret(call)) return ops.reinterpret(call.dtype, call.args[0]->dtype, args[0]);
  DType type = call.dtype.element(), from = call.args[0]->dtype.element();
  for (const Expr& arg : call.args) {
    if (arg->dtype.lanes != call.dtype.lanes || arg->dtype.element() != from) {
      *why = "operands of other types than the function's";
      return nullptr;
    }
  }
  if (call.dtype.lanes == 1) return lane_call(b, ops, target, name, type, from, args);
  llvm::Value* out = llvm::PoisonValue::get(ops.type(call.dtype));
  for (uint64_t lane = 0; lane < call.dtype.lanes; ++lane) {
    std::vector<llvm::Value*> operands;
    for (llvm::Value* arg : args) operands.push_back(b.CreateExtractElement(arg, lane));
    llvm::Value* value = lane_call(b, ops, target, name, type, from, operands);
    if (!value) return nullptr;
    out = b.CreateInsertElement(out, value, lane);
  }
  return out;
}

}  // namespace hexproof::codegen
