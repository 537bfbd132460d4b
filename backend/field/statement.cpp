// Statements over cells.
#include "backend/field/emitter.h"
#include "backend/workspace.h"
#include "ir/visit.h"

namespace hexproof::field {

std::vector<Region> regions_of(const PrimFunc& func) {
  std::vector<Region> out;
  std::set<uint32_t> known;
  Span where = func.span;
  auto add = [&](const Var& data, DType type, const Expr& bytes, std::vector<Expr> constant) {
    std::optional<Wide> size = value_of(bytes);
    if (!size) throw Unsupported(where, "the memory '" + data.name() + "', whose size is no constant");
    if (*size > INT32_MAX) throw Unsupported(where, "a memory of more than 2^31 - 1 bytes");
    if (!known.insert(data.id()).second) throw Unsupported(where, "two memories under the name '" + data.name() + "'");
    out.push_back({data, type.element(), static_cast<int64_t>(*size) / type.bytes(), std::move(constant)});
  };
  for (const Param& p : func.params) {
    const Buffer& b = p.buffer;
    if (!b) throw Unsupported(where, "the scalar parameter '" + p.var.name() + "' without a value");
    if (!b->strides.empty() || b->elem_offset) {
      throw Unsupported(where, "strides or an offset of the parameter '" + b->name + "'");
    }
    add(b->data, b->dtype, bytes_of(b), {});
  }
  visit_stmt(func.body ? func.body : empty_stmt(), [&](const Stmt& s) {
    if (s->span) where = s->span;
    if (const AllocBuffer* a = s.as<AllocBuffer>()) add(a->buffer->data, a->buffer->dtype, bytes_of(a->buffer), {});
    if (const Allocate* a = s.as<Allocate>()) add(a->data, a->dtype, bytes_of(a->dtype, a->extents), a->constant);
    if (const DeclBuffer* d = s.as<DeclBuffer>(); d && !known.count(d->buffer->data.id())) {
      add(d->buffer->data, d->buffer->dtype, bytes_of(d->buffer), {});  // declared over nothing: memory of its own
    }
    return true;
  });
  return out;
}

void Emitter::emit(const PrimFunc& func, const std::vector<Region>& regions, const FieldRunOptions& options,
                   const std::string& symbol) {
  options_ = &options;
  for (const Buffer& b : func.buffer_params()) arguments_.insert(b->data);
  llvm::LLVMContext& context = module_.getContext();
  // The program, whose memories do not overlap: LLVM may keep a cell in registers while others are written.
  std::vector<llvm::Type*> types(regions.size() + 1, b_.getPtrTy());
  function_ = llvm::Function::Create(llvm::FunctionType::get(b_.getVoidTy(), types, false),
                                     llvm::Function::InternalLinkage, symbol + ".program", module_);
  function_->addFnAttr(llvm::Attribute::NoInline);
  function_->addFnAttr(llvm::Attribute::NoUnwind);
  b_.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function_));
  for (unsigned i = 0; i < types.size(); ++i) function_->addParamAttr(i, llvm::Attribute::NoAlias);
  for (size_t i = 0; i < regions.size(); ++i) {
    bool watch = i < options.watched.size() && options.watched[i];
    memory_[regions[i].data.id()] = {function_->getArg(static_cast<unsigned>(i)), regions[i].element, watch};
  }
  // A handle parameter names the same memory as its buffer.
  size_t next = 0;
  for (const Param& p : func.params) {
    if (p.buffer) memory_[p.var.id()] = memory_[regions[next++].data.id()];
  }
  flag_ = function_->getArg(static_cast<unsigned>(regions.size()));
  where_ = func.span;
  if (func.body) stmt(func.body);
  b_.CreateRetVoid();

  auto* entry = llvm::Function::Create(llvm::FunctionType::get(b_.getVoidTy(), {b_.getPtrTy()}, false),
                                       llvm::Function::ExternalLinkage, symbol, module_);
  b_.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", entry));
  std::vector<llvm::Value*> args;
  for (size_t i = 0; i < types.size(); ++i) {
    args.push_back(b_.CreateLoad(b_.getPtrTy(), b_.CreateConstGEP1_64(b_.getPtrTy(), entry->getArg(0), i)));
  }
  b_.CreateCall(function_, args);
  b_.CreateRetVoid();
}

void Emitter::stmt(const Stmt& s) {
  if (!s) return;
  if (s->span) where_ = s->span;
  std::visit(match{[&](const Store& r) { store(r); }, [&](const For& r) { loop(r); },
                   [&](const If& r) { branch(number(r.condition, "a condition"), r.then_case, r.else_case); },
                   [&](const LetStmt& r) {
                     vars_[r.var.id()] = eval(r.value);
                     stmt(r.body);
                   },
                   [&](const Seq& r) {
                     for (const Stmt& part : r.stmts) stmt(part);
                   },
                   [&](const Evaluate& r) {
                     if (r.value->op != Op::StringImm) eval(r.value);
                   },
                   [&](const Assume& r) {
                     if (options_->assumed) code_.hand_over(lift(assumed(r.condition)), options_->assumed);
                   },
                   [&](const AllocBuffer& r) { stmt(r.body); }, [&](const Allocate& r) { stmt(r.body); },
                   [&](const DeclBuffer& r) { stmt(r.body); }, [&](const Block& r) { block(r); },
                   [&](const AttrStmt& r) { stmt(r.body); }, [&](const AsyncCommit& r) { stmt(r.body); },
                   [&](const AsyncWait& r) {
                     number(r.inflight, "the number of groups in flight");
                     stmt(r.body);
                   }},
             s->record);
}

void Emitter::store(const Store& s) {
  Lanes value = eval(s.value);
  std::vector<llvm::Value*> places = addresses(s.buffer, s.indices);
  if (value.size() != places.size()) unsupported("a store of too few lanes");
  for (size_t k = 0; k < places.size(); ++k) {
    Cell cell = lift(value[k]);
    for (size_t i = 0; i < cell.size(); ++i) {
      b_.CreateStore(cell[i], b_.CreateConstGEP1_64(code_.word_type(), places[k], i));
    }
  }
}

void Emitter::loop(const For& s) {
  llvm::LLVMContext& context = module_.getContext();
  DType type = s.var.dtype();
  llvm::Value* low = number(s.min, "the start of a loop");
  llvm::Value* extent = number(s.extent, "the extent of a loop");
  llvm::Type* real = numbers_.type(type);
  low = numbers_.cast(type, s.min->dtype, low);
  auto* head = llvm::BasicBlock::Create(context, "head", function_);
  auto* body = llvm::BasicBlock::Create(context, "body", function_);
  auto* end = llvm::BasicBlock::Create(context, "end", function_);
  llvm::BasicBlock* before = b_.GetInsertBlock();
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  // The counter has the extent's type: it is below it, so it does not wrap.
  llvm::PHINode* counter = b_.CreatePHI(extent->getType(), 2);
  counter->addIncoming(llvm::ConstantInt::get(extent->getType(), 0), before);
  bool is_signed = s.extent->dtype.is_int();
  b_.CreateCondBr(is_signed ? b_.CreateICmpSLT(counter, extent) : b_.CreateICmpULT(counter, extent), body, end);
  b_.SetInsertPoint(body);
  llvm::Value* steps = is_signed ? b_.CreateSExtOrTrunc(counter, real) : b_.CreateZExtOrTrunc(counter, real);
  vars_[s.var.id()] = {{type, false, {b_.CreateAdd(low, steps)}}};
  stmt(s.body);
  counter->addIncoming(b_.CreateAdd(counter, llvm::ConstantInt::get(extent->getType(), 1), "", !is_signed, is_signed),
                       b_.GetInsertBlock());
  b_.CreateBr(head);
  b_.SetInsertPoint(end);
}

void Emitter::branch(llvm::Value* condition, const Stmt& yes, const Stmt& no) {
  llvm::LLVMContext& context = module_.getContext();
  auto* then_block = llvm::BasicBlock::Create(context, "then", function_);
  auto* else_block = llvm::BasicBlock::Create(context, "else", function_);
  auto* end = llvm::BasicBlock::Create(context, "endif", function_);
  b_.CreateCondBr(condition, then_block, else_block);
  b_.SetInsertPoint(then_block);
  stmt(yes);
  b_.CreateBr(end);
  b_.SetInsertPoint(else_block);
  stmt(no);
  b_.CreateBr(end);
  b_.SetInsertPoint(end);
}

void Emitter::block(const Block& s) {
  for (const IterVar& iter : s.iters) vars_[iter.var.id()] = eval(iter.binding);
  Stmt body = s.body;
  if (s.init) {
    std::vector<Expr> first;
    for (const IterVar& iter : s.iters) {
      if (iter.kind == IterKind::Reduce) first.push_back(eq(Expr(iter.var), iter.dom.min));
    }
    body = seq({first.empty() ? s.init : make_stmt(If{all(first), s.init, {}}, where_), s.body});
  }
  if (s.predicate) return branch(number(s.predicate, "the predicate of a block"), body, {});
  stmt(body);
}

}  // namespace hexproof::field
