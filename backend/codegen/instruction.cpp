// Nests that are marked as an instruction of the machine. The mark is believed in nothing: the nest is compared with
// the instruction's description again.
#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <map>

#include "backend/alignment.h"
#include "backend/codegen/function.h"
#include "rewrite/intrinsics/intrinsic.h"

namespace hexproof::codegen {
namespace {

const Intrinsic::Code* code_for(const Intrinsic& intrinsic, Target target) {
  const char* name = target == Target::Hexagon ? "hexagon" : "host";
  for (const Intrinsic::Code& code : intrinsic.code) {
    if (code.target == name) return &code;
  }
  return nullptr;
}

}  // namespace

bool FunctionEmitter::instruction(const Stmt& loop) {
  const For& s = *loop.as<For>();
  const std::string* mark = mark_of(s);
  if (!mark || !options_.registers) return false;
  std::string nest = "the loop '" + s.var.name() + "' is marked as '" + *mark + "'";
  const Intrinsic* intrinsic = intrinsic_by_name(*mark);
  if (!intrinsic) unsupported(nest + ", and there is no such intrinsic");
  const Intrinsic::Code* code = code_for(*intrinsic, options_.target);
  if (!code) return false;
  std::variant<NestMatch, std::string> matched = match_nest(s, description_of(*intrinsic));
  if (const std::string* why = std::get_if<std::string>(&matched)) {
    throw Unsupported(where_, nest + ", but its nest is something else: " + *why,
                      "tensorize after the primitives that change this nest");
  }
  const NestMatch& match = std::get<NestMatch>(matched);
  for (const For& l : match.loops) vars_[l.var.id()] = {ops_.zero(l.var.dtype())};

  // Of an operand: where it starts, and the alignment of that.
  auto place = [&](size_t k) {
    const NestOperand& o = match.operands[k];
    std::vector<llvm::Value*> indices;
    std::vector<Expr> types = o.first;
    for (const Expr& index : o.first) indices.push_back(scalar(index));
    // It is accessed as a whole.
    if (!types.empty()) types.back() = hexproof::ramp(types.back(), imm(types.back()->dtype, 1), 2);
    llvm::Value* pointer = address(o.buffer, types, indices);
    return std::pair{pointer, align_from_start(o.buffer, options_.grants.alignment(loop, k))};
  };
  std::map<std::string, llvm::Value*> results;
  // Operands are loaded where they are taken first; LLVM sees that two loads are one.
  auto argument = [&](const Intrinsic::Argument& a, llvm::Type* type) -> llvm::Value* {
    if (auto it = results.find(a.name); it != results.end()) return it->second;
    auto named = [&](const NestOperand& o) { return o.formal->name == a.name; };
    auto it = std::find_if(match.operands.begin(), match.operands.end(), named);
    HEXPROOF_CHECK(it != match.operands.end(), "'" + intrinsic->name + "' has no operand '" + a.name + "'");
    auto [pointer, align] = place(static_cast<size_t>(it - match.operands.begin()));
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    int64_t bytes = static_cast<int64_t>(type->getPrimitiveSizeInBits().getFixedValue()) / 8;
    // An operand that is one lane of the argument is the same in all lanes.
    bool splat = vector && it->bytes * vector->getNumElements() == bytes;
    HEXPROOF_CHECK(splat ? a.from == 0 : a.from >= 0 && a.from % bytes == 0 && it->bytes % bytes == 0,
                   "an operand of '" + intrinsic->name + "' has another size");
    HEXPROOF_CHECK(splat || a.from + bytes <= it->bytes,
                   "a part of an operand of '" + intrinsic->name + "' is not in it");
    if (a.from != 0) {
      pointer = b_.CreateConstGEP1_64(b_.getInt8Ty(), pointer, static_cast<uint64_t>(a.from));
      align = llvm::commonAlignment(align, static_cast<uint64_t>(a.from));
    }
    llvm::LoadInst* load = b_.CreateAlignedLoad(splat ? vector->getElementType() : type, pointer, align);
    annotate(load, it->buffer);
    because_proved(load, options_.grants.alignment_sentence(loop, static_cast<size_t>(it - match.operands.begin())));
    return splat ? b_.CreateVectorSplat(vector->getElementCount(), load) : load;
  };
  llvm::Value* result = nullptr;
  for (const Intrinsic::Call& call : code->calls) {
    llvm::Intrinsic::ID id = llvm::Function::lookupIntrinsicID(call.llvm);
    HEXPROOF_CHECK(id != llvm::Intrinsic::not_intrinsic, "LLVM has no intrinsic '" + call.llvm + "'");
    llvm::Function* callee = llvm::Intrinsic::getDeclaration(&module_, id);
    HEXPROOF_CHECK(callee->arg_size() == call.arguments.size(), "'" + call.llvm + "' takes other arguments");
    std::vector<llvm::Value*> arguments;
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      arguments.push_back(
          argument(call.arguments[i], callee->getFunctionType()->getParamType(static_cast<unsigned>(i))));
    }
    result = b_.CreateCall(callee, arguments);
    if (!call.result.empty()) results[call.result] = result;
  }
  HEXPROOF_CHECK(result && static_cast<int64_t>(result->getType()->getPrimitiveSizeInBits().getFixedValue()) ==
                               match.operands[0].bytes * 8,
                 "the result of '" + intrinsic->name + "' is not its first operand");
  auto [pointer, align] = place(0);
  llvm::StoreInst* store = b_.CreateAlignedStore(result, pointer, align);
  annotate(store, match.operands[0].buffer);
  because_proved(store, options_.grants.alignment_sentence(loop, 0));
  return true;
}

}  // namespace hexproof::codegen
