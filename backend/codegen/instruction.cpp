// Nests that are marked as an instruction of the machine. The mark is believed in nothing: the nest is compared with
// the instruction's description again.
#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <map>

#include "backend/alignment.h"
#include "backend/codegen/function.h"
#include "backend/row_code.h"
#include "backend/row_tables.h"
#include "ir/visit.h"
#include "rewrite/intrinsics/intrinsic.h"

namespace hexproof::codegen {

void FunctionEmitter::demand_one_row(const std::string& nest, const NestMatch& match) {
  for (const NestOperand& o : match.operands) {
    if (!memory(o.buffer).row_table) continue;
    for (size_t k = 0; k < axes_of_table(o.buffer); ++k) {
      for (const For& l : match.loops) {
        if (!uses_var(o.indices[k], l.var)) continue;
        throw Unsupported(where_,
                          nest + ", and its operand '" + o.formal->name + "' goes over rows of '" + o.buffer->name +
                              "', which has two physical axes (axis separators), with the loop '" + l.var.name() + "'",
                          "let the nest stay in one row: move the axis separator, or take it away with "
                          "set_axis_separator(block, buffer, [])");
      }
    }
  }
}

bool FunctionEmitter::instruction(const Stmt& loop) {
  const For& s = *loop.as<For>();
  const std::string* mark = mark_of(s);
  if (!mark || !options_.registers) return false;
  std::string nest = "the loop '" + s.var.name() + "' is marked as '" + *mark + "'";
  const Intrinsic* intrinsic = intrinsic_by_name(*mark);
  if (!intrinsic) unsupported(nest + ", and there is no such intrinsic");
  const Intrinsic::Code* code = code_for(*intrinsic, options_.target, options_.cpu);
  if (!code) return false;
  std::variant<NestMatch, std::string> matched = match_nest(s, description_of(*intrinsic));
  if (const std::string* why = std::get_if<std::string>(&matched)) {
    throw Unsupported(where_, nest + ", but its nest is something else: " + *why,
                      "tensorize after the primitives that change this nest");
  }
  const NestMatch& match = std::get<NestMatch>(matched);
  demand_one_row(nest, match);
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
    if (a.constant) return llvm::ConstantInt::get(type, static_cast<uint64_t>(*a.constant), true);
    if (auto it = results.find(a.name); it != results.end()) return b_.CreateBitCast(it->second, type);
    auto named = [&](const NestOperand& o) { return o.formal->name == a.name; };
    auto it = std::find_if(match.operands.begin(), match.operands.end(), named);
    HEXPROOF_CHECK(it != match.operands.end(), "'" + intrinsic->name + "' has no operand '" + a.name + "'");
    auto [pointer, align] = place(static_cast<size_t>(it - match.operands.begin()));
    int64_t bytes = static_cast<int64_t>(type->getPrimitiveSizeInBits().getFixedValue()) / 8;
    // An operand of a word, or of less, is the same in all words of a vector.
    bool splat = type->isVectorTy() && it->bytes < bytes && it->bytes <= 8 && bytes % it->bytes == 0;
    HEXPROOF_CHECK(splat ? a.from == 0 : a.from >= 0 && a.from % bytes == 0 && it->bytes % bytes == 0,
                   "an operand of '" + intrinsic->name + "' has another size");
    HEXPROOF_CHECK(splat || a.from + bytes <= it->bytes,
                   "a part of an operand of '" + intrinsic->name + "' is not in it");
    if (a.from != 0) {
      pointer = b_.CreateConstGEP1_64(b_.getInt8Ty(), pointer, static_cast<uint64_t>(a.from));
      align = llvm::commonAlignment(align, static_cast<uint64_t>(a.from));
    }
    llvm::Type* word = b_.getIntNTy(static_cast<unsigned>(it->bytes) * 8);
    llvm::LoadInst* load = b_.CreateAlignedLoad(splat ? word : type, pointer, align);
    annotate(load, it->buffer);
    because_proved(load, options_.grants.alignment_sentence(loop, static_cast<size_t>(it - match.operands.begin())));
    if (!splat) return load;
    return b_.CreateBitCast(b_.CreateVectorSplat(static_cast<unsigned>(bytes / it->bytes), load), type);
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
  std::vector<llvm::Value*> written;
  for (const std::string& name : code->results) written.push_back(results.at(name));
  if (written.empty()) written.push_back(result);
  auto [pointer, align] = place(0);
  uint64_t byte = 0;
  for (llvm::Value* part : written) {
    llvm::StoreInst* store = b_.CreateAlignedStore(part, b_.CreateConstGEP1_64(b_.getInt8Ty(), pointer, byte),
                                                   llvm::commonAlignment(align, byte));
    annotate(store, match.operands[0].buffer);
    because_proved(store, options_.grants.alignment_sentence(loop, 0));
    byte += part->getType()->getPrimitiveSizeInBits().getFixedValue() / 8;
  }
  HEXPROOF_CHECK(static_cast<int64_t>(byte) == match.operands[0].bytes,
                 "the result of '" + intrinsic->name + "' is not its first operand");
  return true;
}

}  // namespace hexproof::codegen
