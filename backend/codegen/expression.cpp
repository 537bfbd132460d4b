// Expressions of a function: values, addresses, loads, stores.
#include "backend/codegen/function.h"
#include "backend/codegen/math.h"
#include "backend/row_tables.h"
#include "backend/workspace.h"

namespace hexproof::codegen {

FunctionEmitter::Value FunctionEmitter::expr(const Expr& e) {
  switch (e->op) {
    case Op::Var: {
      auto it = vars_.find(e->var().id());
      HEXPROOF_CHECK(it != vars_.end(), "variable '" + e->var().name() + "' is not bound");
      return it->second;
    }
    case Op::IntImm:
    case Op::FloatImm:
      return {ops_.constant(e->dtype, e)};
    case Op::StringImm:
      unsupported("a string as a value");
    case Op::Undef:
      if (!options_.skip_assumes) unsupported("an undef is still there: lower the program first");
      return {ops_.zero(e->dtype)};
    case HEXPROOF_CASES(Arithmetic):
    case HEXPROOF_CASES(Comparison):
    case Op::And:
    case Op::Or:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case HEXPROOF_CASES(Shift): {
      Value a = expr(e->args[0]), b = expr(e->args[1]);
      return {indexing(e->op, e->args[0]->dtype, a.v, b.v, options_.grants.no_index_overflow() && !e->wraps)};
    }
    case Op::Not:
    case Op::BitNot: {
      Value a = expr(e->args[0]);
      return {b_.CreateNot(a.v)};
    }
    case Op::Select: {
      Value c = expr(e->args[0]), a = expr(e->args[1]), b = expr(e->args[2]);
      return {b_.CreateSelect(c.v, a.v, b.v)};
    }
    case Op::IfThenElse:
      return choice(e);
    case Op::Cast: {
      Value a = expr(e->args[0]);
      return {ops_.cast(e->dtype, e->args[0]->dtype, a.v)};
    }
    case Op::Let: {
      vars_[e->args[0]->var().id()] = expr(e->args[1]);
      return expr(e->args[2]);
    }
    case Op::Load:
      return load(e);
    case Op::Ramp:
      return ramp(e);
    case Op::Broadcast: {
      Value a = expr(e->args[0]);
      return {e->dtype.lanes == 1 ? a.v : b_.CreateVectorSplat(e->dtype.lanes, a.v)};
    }
    case Op::Likely:
      return expr(e->args[0]);
    case Op::Call:
      return call(e);
    case HEXPROOF_CASES(ProofOnly):
      unsupported("a value of the kind " + std::string(info(e->op).name));
  }
  internal_error(__FILE__, __LINE__, "no such operator");
}

FunctionEmitter::Value FunctionEmitter::choice(const Expr& e) {
  Value condition = expr(e->args[0]);
  auto* yes = llvm::BasicBlock::Create(context_, "yes", function_);
  auto* no = llvm::BasicBlock::Create(context_, "no", function_);
  auto* end = llvm::BasicBlock::Create(context_, "chosen", function_);
  b_.CreateCondBr(condition.v, yes, no);
  b_.SetInsertPoint(yes);
  Value a = expr(e->args[1]);
  llvm::BasicBlock* yes_end = b_.GetInsertBlock();
  b_.CreateBr(end);
  b_.SetInsertPoint(no);
  Value b = expr(e->args[2]);
  llvm::BasicBlock* no_end = b_.GetInsertBlock();
  b_.CreateBr(end);
  b_.SetInsertPoint(end);
  llvm::PHINode* result = b_.CreatePHI(ops_.type(e->dtype), 2);
  result->addIncoming(a.v, yes_end);
  result->addIncoming(b.v, no_end);
  return {result};
}

FunctionEmitter::Value FunctionEmitter::ramp(const Expr& e) {
  Value base = expr(e->args[0]), stride = expr(e->args[1]);
  bool no_wrap = options_.grants.no_index_overflow() && !e->wraps;
  DType element = e->dtype.element();
  llvm::Value* out = llvm::PoisonValue::get(ops_.type(e->dtype));
  if (e->dtype.lanes == 1) return {base.v};
  for (int i = 0; i < e->dtype.lanes; ++i) {
    llvm::Value* step = indexing(Op::Mul, element, llvm::ConstantInt::get(ops_.type(element), i), stride.v, no_wrap);
    out = b_.CreateInsertElement(out, indexing(Op::Add, element, base.v, step, no_wrap), static_cast<uint64_t>(i));
  }
  return {out};
}

FunctionEmitter::Value FunctionEmitter::call(const Expr& e) {
  std::vector<llvm::Value*> args;
  for (const Expr& arg : e->args) {
    if (arg->op == Op::StringImm) unsupported("call of '" + e->text() + "' with a string");
    args.push_back(scalar(arg));
  }
  std::string why;
  llvm::Value* result = math_call(b_, ops_, options_.target, *e, args, &why);
  if (!result) unsupported("call of '" + e->text() + "' on " + e->dtype.str() + ": " + why);
  return {result};
}

const FunctionEmitter::Memory& FunctionEmitter::memory(const Buffer& buffer) {
  auto it = memory_.find(buffer->data.id());
  HEXPROOF_CHECK(it != memory_.end(), "buffer '" + buffer->name + "' has no memory");
  return it->second;
}

bool FunctionEmitter::inside(const Buffer& buffer) {
  if (!buffer->strides.empty() || buffer->elem_offset) return false;
  Expr held = memory(buffer).bytes, needed = bytes_of(buffer);
  if (held == needed) return true;
  std::optional<Wide> have = value_of(held), want = value_of(needed);
  return have && want && *want <= *have;
}

llvm::Value* FunctionEmitter::word(const Expr& e, llvm::Value* value) {
  return e->dtype.is_uint() ? b_.CreateZExtOrTrunc(value, word_) : b_.CreateSExtOrTrunc(value, word_);
}

llvm::Value* FunctionEmitter::position(const Buffer& buffer, const std::vector<Expr>& types,
                                       const std::vector<llvm::Value*>& indices, size_t first, size_t last,
                                       bool within) {
  llvm::Value* flat = nullptr;
  for (size_t i = first; i < last; ++i) {
    llvm::Value* index = word(types[i], indices[i]);
    if (!buffer->strides.empty()) {
      llvm::Value* term = b_.CreateMul(index, word(buffer->strides[i], scalar(buffer->strides[i])));
      flat = flat ? b_.CreateAdd(flat, term) : term;
    } else if (!flat) {
      flat = index;
    } else {
      llvm::Value* extent = word(buffer->shape[i], scalar(buffer->shape[i]));
      flat = because("in_bounds", b_.CreateMul(flat, extent, "", false, within));
      flat = because("in_bounds", b_.CreateAdd(flat, index, "", false, within));
    }
  }
  return flat ? flat : llvm::ConstantInt::get(word_, 0);
}

llvm::Value* FunctionEmitter::row(const Buffer& buffer, llvm::Value* number, bool within) {
  llvm::Type* pointer = b_.getPtrTy();
  llvm::Value* table = memory(buffer).base;
  llvm::Value* place = because_in_rows(b_.CreateGEP(pointer, table, number, "", within));
  llvm::LoadInst* start = b_.CreateLoad(pointer, place, "row");
  annotate(start, buffer);
  because_of_table(start);
  return start;
}

llvm::Value* FunctionEmitter::address(const Buffer& buffer, const std::vector<Expr>& types,
                                      const std::vector<llvm::Value*>& indices) {
  // In bounds in every dimension means that the flat position is below the size, which fits the word.
  bool within = options_.grants.in_bounds() && inside(buffer);
  bool in_row = memory(buffer).row_table;
  size_t first = in_row ? axes_of_table(buffer) : 0;
  llvm::Value* base =
      in_row ? row(buffer, position(buffer, types, indices, 0, first, within), within) : memory(buffer).base;
  llvm::Value* flat = position(buffer, types, indices, first, indices.size(), within);
  if (buffer->elem_offset) flat = b_.CreateAdd(flat, word(buffer->elem_offset, scalar(buffer->elem_offset)));
  if (memory(buffer).registers) register_access(buffer, types, flat);
  llvm::Type* element = ops_.memory_type(buffer->dtype);
  if (buffer->dtype.lanes > 1) flat = b_.CreateMul(flat, llvm::ConstantInt::get(word_, buffer->dtype.lanes));
  llvm::Value* cell = b_.CreateGEP(element, base, flat, "", within);
  return in_row ? because_in_rows(cell) : because("in_bounds", cell);
}

void FunctionEmitter::annotate(llvm::Instruction* access, const Buffer& buffer) {
  // What a table leads to overlaps nothing of another table (nor does the table).
  if (const Memory& m = memory(buffer); m.own) {
    access->setMetadata(llvm::LLVMContext::MD_alias_scope, m.own);
    access->setMetadata(llvm::LLVMContext::MD_noalias, m.others);
  }
  // The access belongs to every proved loop that does not make the memory anew in each iteration.
  std::vector<llvm::Metadata*> groups;
  size_t around = memory(buffer).loops;
  for (size_t i = around; i < parallel_.size(); ++i) {
    if (parallel_[i].group) groups.push_back(parallel_[i].group);
  }
  if (groups.empty()) return;
  llvm::MDNode* node = groups.size() == 1 ? llvm::cast<llvm::MDNode>(groups[0]) : llvm::MDNode::get(context_, groups);
  access->setMetadata(llvm::LLVMContext::MD_access_group, node);
}

llvm::Align FunctionEmitter::align_from_start(const Buffer& buffer, int64_t proved) {
  int64_t start = memory(buffer).alignment;
  return llvm::Align(static_cast<uint64_t>(std::max<int64_t>(buffer->dtype.bytes(), std::min(start, proved))));
}

llvm::Align FunctionEmitter::align_of(const Buffer& buffer, DType type, const void* access) {
  auto it = access ? wide_.find(access) : wide_.end();
  if (it == wide_.end()) return llvm::Align(static_cast<uint64_t>(type.bytes()));
  return align_from_start(buffer, it->second.bytes);
}

const std::string* FunctionEmitter::sentence_of(const void* access) const {
  auto it = access ? wide_.find(access) : wide_.end();
  return it == wide_.end() ? nullptr : it->second.sentence;
}

llvm::Value* FunctionEmitter::load_cell(const Buffer& buffer, DType type, llvm::Value* pointer, const void* access) {
  llvm::Type* element = ops_.memory_type(type.element());
  llvm::Type* raw = type.lanes == 1 ? element : llvm::FixedVectorType::get(element, type.lanes);
  llvm::LoadInst* cells = b_.CreateAlignedLoad(raw, pointer, align_of(buffer, type, access));
  annotate(cells, buffer);
  because_proved(cells, sentence_of(access));
  return ops_.from_memory(type, cells);
}

void FunctionEmitter::store_cell(const Buffer& buffer, DType type, llvm::Value* pointer, llvm::Value* value,
                                 const void* access) {
  llvm::StoreInst* cells = b_.CreateAlignedStore(ops_.to_memory(type, value), pointer, align_of(buffer, type, access));
  annotate(cells, buffer);
  because_proved(cells, sentence_of(access));
}

bool FunctionEmitter::contiguous(const Buffer& buffer, const std::vector<Expr>& indices) const {
  if (buffer->dtype.lanes != 1 || indices.empty()) return false;
  const Expr& last = indices.back();
  bool unit_stride = buffer->strides.empty() || is_int(buffer->strides.back(), 1);
  return unit_stride && last->op == Op::Ramp && !last->wraps && is_int(last->args[1], 1);
}

namespace {
/// The position of the vector index, or nothing.
std::optional<size_t> vector_index(const std::vector<Expr>& indices) {
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i]->dtype.lanes > 1) return i;
  }
  return std::nullopt;
}
}  // namespace

FunctionEmitter::Value FunctionEmitter::load(const Expr& e) {
  const Buffer& buffer = e->buffer();
  std::optional<size_t> vector = vector_index(e->args);
  std::vector<llvm::Value*> indices;
  for (const Expr& index : e->args) indices.push_back(scalar(index));
  if (!vector) return {load_cell(buffer, e->dtype, address(buffer, e->args, indices))};

  llvm::Value* lanes = indices[*vector];
  auto at = [&](unsigned lane) {
    indices[*vector] = b_.CreateExtractElement(lanes, lane);
    return address(buffer, e->args, indices);
  };
  if (contiguous(buffer, e->args)) return {load_cell(buffer, e->dtype, at(0), e.get())};
  llvm::Value* out = llvm::PoisonValue::get(ops_.type(e->dtype));
  unsigned width = buffer->dtype.lanes;
  for (unsigned lane = 0; lane < e->args[*vector]->dtype.lanes; ++lane) {
    llvm::Value* cell = load_cell(buffer, buffer->dtype, at(lane));
    for (unsigned i = 0; i < width; ++i) {
      llvm::Value* part = width == 1 ? cell : b_.CreateExtractElement(cell, i);
      out = b_.CreateInsertElement(out, part, lane * width + i);
    }
  }
  return {out};
}

void FunctionEmitter::store(const Store& s) {
  if (memory(s.buffer).constant) unsupported("a store to constant memory '" + s.buffer->name + "'");
  std::optional<size_t> vector = vector_index(s.indices);
  std::vector<llvm::Value*> indices;
  for (const Expr& index : s.indices) indices.push_back(scalar(index));
  llvm::Value* value = scalar(s.value);
  DType type = s.value->dtype;
  if (!vector) return store_cell(s.buffer, type, address(s.buffer, s.indices, indices), value);

  llvm::Value* lanes = indices[*vector];
  auto at = [&](unsigned lane) {
    indices[*vector] = b_.CreateExtractElement(lanes, lane);
    return address(s.buffer, s.indices, indices);
  };
  if (contiguous(s.buffer, s.indices)) return store_cell(s.buffer, type, at(0), value, &s);
  unsigned width = s.buffer->dtype.lanes, count = s.indices[*vector]->dtype.lanes;
  for (unsigned lane = 0; lane < count; ++lane) {
    llvm::Value* cell = llvm::PoisonValue::get(ops_.type(s.buffer->dtype));
    for (unsigned i = 0; i < width; ++i) {
      llvm::Value* part = b_.CreateExtractElement(value, lane * width + i);
      cell = width == 1 ? part : b_.CreateInsertElement(cell, part, i);
    }
    store_cell(s.buffer, s.buffer->dtype, at(lane), cell);
  }
}

}  // namespace hexproof::codegen
