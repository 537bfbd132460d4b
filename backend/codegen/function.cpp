#include "backend/codegen/function.h"

#include "backend/alignment.h"
#include "backend/codegen/registers.h"
#include "backend/codegen/vectorizable.h"
#include "backend/row_tables.h"
#include "backend/workspace.h"
#include "ir/float_format.h"
#include "ir/visit.h"

namespace hexproof::codegen {

FunctionEmitter::FunctionEmitter(llvm::Module& module, const CodegenOptions& options)
    : module_(module),
      context_(module.getContext()),
      options_(options),
      b_(context_),
      ops_(b_, module),
      word_(module.getDataLayout().getIntPtrType(context_)) {}

FunctionEmitter::~FunctionEmitter() = default;

void FunctionEmitter::unsupported(const std::string& message) const { throw Unsupported(where_, message); }

llvm::Function* FunctionEmitter::emit(const PrimFunc& func, const std::string& symbol) {
  vars_.clear(), memory_.clear(), parallel_.clear(), registers_.clear(), live_.clear(), loops_.clear(),
      row_tables_.clear();
  written_out_ = copies_ = 0;
  where_ = func.span;
  parameters(func, symbol);
  name_contracts();
  top_ = llvm::ConstantInt::get(word_, 0);
  try {
    fast_math(func);
    if (func.body) stmt(func.body);
  } catch (...) {
    function_->eraseFromParent();
    throw;
  }
  b_.CreateRetVoid();
  return function_;
}

void FunctionEmitter::parameters(const PrimFunc& func, const std::string& symbol) {
  llvm::Type* pointer = llvm::PointerType::get(context_, 0);
  std::vector<Buffer> buffers = func.buffer_params();
  scalars_ = func.scalars();
  std::vector<llvm::Type*> types(buffers.size(), pointer);
  for (const Var& v : scalars_) {
    if (v.dtype().is_handle()) unsupported("parameter '" + v.name() + "' is a handle without a buffer");
    types.push_back(v.dtype().is_bool() ? b_.getInt8Ty() : ops_.memory_type(v.dtype()));
  }
  types.push_back(pointer);
  std::vector<llvm::Type*> signature = options_.packed_arguments ? std::vector<llvm::Type*>{pointer} : types;
  function_ = llvm::Function::Create(llvm::FunctionType::get(b_.getVoidTy(), signature, false),
                                     llvm::Function::ExternalLinkage, symbol, module_);
  function_->addFnAttr(llvm::Attribute::NoUnwind);
  b_.SetInsertPoint(llvm::BasicBlock::Create(context_, "entry", function_));
  b_.setFastMathFlags({});
  auto argument = [&](size_t i) -> llvm::Value* {
    if (!options_.packed_arguments) return function_->getArg(i);
    llvm::Value* slot = b_.CreateConstGEP1_64(b_.getInt64Ty(), function_->getArg(0), i);
    return b_.CreateLoad(types[i], slot);
  };
  for (size_t i = 0; i < types.size() && !options_.packed_arguments; ++i) {
    bool is_pointer = types[i]->isPointerTy(), is_workspace = i + 1 == types.size();
    function_->getArg(i)->setName(is_workspace ? "workspace"
                                  : is_pointer ? buffers[i]->name
                                               : scalars_[i - buffers.size()].name());
    if (is_pointer && options_.grants.no_alias_params()) function_->addParamAttr(i, llvm::Attribute::NoAlias);
    if (is_workspace && options_.grants.in_bounds()) {
      function_->addParamAttr(i, llvm::Attribute::getWithAlignment(context_, llvm::Align(kWorkspaceAlignment)));
    }
  }
  for (size_t i = 0; i < buffers.size(); ++i) {
    memory_[buffers[i]->data.id()] = {.base = argument(i),
                                      .bytes = bytes_of(buffers[i]),
                                      .alignment = options_.grants.aligned_params() ? kParameterAlignment : 1,
                                      .row_table = !options_.packed_arguments && is_row_table(buffers[i])};
    if (memory(buffers[i]).row_table) row_tables_.insert(buffers[i]->data);
  }
  if (options_.grants.row_tables()) separate_tables(buffers);
  for (size_t i = 0; i < scalars_.size(); ++i) {
    vars_[scalars_[i].id()] = {ops_.from_memory(scalars_[i].dtype(), argument(buffers.size() + i))};
  }
  workspace_ = argument(types.size() - 1);
}

void FunctionEmitter::separate_tables(const std::vector<Buffer>& params) {
  llvm::MDBuilder made(context_);
  llvm::MDNode* domain = made.createAnonymousAliasScopeDomain("row_tables");
  std::vector<std::pair<Memory*, llvm::MDNode*>> scopes;
  for (const Buffer& b : params) {
    Memory& m = memory_.at(b->data.id());
    if (m.row_table) scopes.emplace_back(&m, made.createAnonymousAliasScope(domain, b->name));
  }
  for (const auto& [m, scope] : scopes) {
    std::vector<llvm::Metadata*> others;
    for (const auto& [other, its_scope] : scopes) {
      if (other != m) others.push_back(its_scope);
    }
    m->own = llvm::MDNode::get(context_, {scope});
    m->others = llvm::MDNode::get(context_, others);
  }
}

void FunctionEmitter::fast_math(const PrimFunc& func) {
  // nnan and ninf stay with the proofs: to LLVM they make a NaN (an infinity) that the program computes itself poison,
  // and `check` reads such values as IEEE has them. So does reassoc: rules regroup, and LLVM would go further than what
  // was proved (it multiplies (x + 1e38) * 4 out, where x + 1e38 may be small and neither product is).
  llvm::FastMathFlags flags;
  if (func.granted("nsz")) flags.setNoSignedZeros();
  if (func.granted("contract")) flags.setAllowContract(true);
  b_.setFastMathFlags(flags);
  bool single = false;
  visit_all_exprs(func.body, [&](const Expr& e) { single |= e->dtype.is_float() && e->dtype.bits <= 32; });
  ops_.contract_up_to(single ? 32 : 64);
}

void FunctionEmitter::stmt(const Stmt& s) {
  if (s->span) where_ = s->span;
  if (copies_ > 0 && ++written_out_ > kMostWrittenOut) {
    unsupported("the loops over buffers of scope \"local\" are more than " + std::to_string(kMostWrittenOut) +
                " statements when they are written out");
  }
  std::visit(match{[&](const Store& r) { store(r); }, [&](const For& r) { loop(s, r); },
                   [&](const If& r) { branch(scalar(r.condition), r.then_case, r.else_case); },
                   [&](const LetStmt& r) {
                     vars_[r.var.id()] = expr(r.value);
                     stmt(r.body);
                   },
                   [&](const Seq& r) {
                     for (const Stmt& part : r.stmts) stmt(part);
                   },
                   [&](const Evaluate& r) {
                     if (r.value->op != Op::StringImm) expr(r.value);
                   },
                   [&](const Assume&) {
                     if (!options_.skip_assumes) unsupported("an assume is still there: lower the program first");
                   },
                   [&](const AllocBuffer& r) {
                     const Buffer& b = r.buffer;
                     if (in_registers(b->data, b->scope, b->dtype, bytes_of(b), r.body)) return;
                     allocate(b->data, bytes_of(b), r.body);
                   },
                   [&](const Allocate& r) {
                     if (r.constant.empty()) {
                       if (in_registers(r.data, r.scope, r.dtype, bytes_of(r.dtype, r.extents), r.body)) return;
                       allocate(r.data, bytes_of(r.dtype, r.extents), r.body);
                     } else {
                       constant_memory(r);
                       stmt(r.body);
                     }
                   },
                   [&](const DeclBuffer& r) {
                     // Declared over no memory that exists: memory of its own.
                     if (memory_.count(r.buffer->data.id())) return stmt(r.body);
                     const Buffer& b = r.buffer;
                     if (in_registers(b->data, b->scope, b->dtype, bytes_of(b), r.body)) return;
                     allocate(b->data, bytes_of(b), r.body);
                   },
                   [&](const Block& r) { block(r); }, [&](const AttrStmt& r) { stmt(r.body); },
                   // Every order of the copies gives the same values: here they are done at once.
                   [&](const AsyncCommit& r) { stmt(r.body); }, [&](const AsyncWait& r) { stmt(r.body); }},
             s->record);
}

void FunctionEmitter::branch(llvm::Value* condition, const Stmt& yes, const Stmt& no) {
  auto* then_block = llvm::BasicBlock::Create(context_, "then", function_);
  auto* else_block = no ? llvm::BasicBlock::Create(context_, "else", function_) : nullptr;
  auto* end = llvm::BasicBlock::Create(context_, "endif", function_);
  b_.CreateCondBr(condition, then_block, else_block ? else_block : end);
  b_.SetInsertPoint(then_block);
  stmt(yes);
  b_.CreateBr(end);
  if (else_block) {
    b_.SetInsertPoint(else_block);
    stmt(no);
    b_.CreateBr(end);
  }
  b_.SetInsertPoint(end);
}

void FunctionEmitter::loop(const Stmt& stmt_of_loop, const For& s) {
  if (instruction(stmt_of_loop)) return;
  if (vectors(stmt_of_loop)) return note_vectorized(stmt_of_loop, {});
  if (written_out(s)) return;
  DType type = s.var.dtype();
  Value low = expr(s.min), extent = expr(s.extent);
  bool is_parallel = s.kind == ForKind::Parallel || s.kind == ForKind::Vectorized;
  llvm::MDNode* group = nullptr;
  if (is_parallel && options_.grants.parallel_loops()) group = llvm::MDNode::getDistinct(context_, {});
  bool no_wrap = options_.grants.no_index_overflow();

  auto* head = llvm::BasicBlock::Create(context_, s.var.name(), function_);
  auto* body = llvm::BasicBlock::Create(context_, "body", function_);
  auto* end = llvm::BasicBlock::Create(context_, "end", function_);
  if (s.kind == ForKind::Vectorized) note_vectorized(stmt_of_loop, {head->getName().str(), body->getName().str()});
  llvm::BasicBlock* before = b_.GetInsertBlock();
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  llvm::PHINode* counter = b_.CreatePHI(ops_.type(type), 2);
  counter->addIncoming(ops_.zero(type), before);
  // A loop over registers asks at its end, where it surely runs: LLVM would not turn a loop with so many values.
  const int64_t* times = as_int(s.extent);
  bool asks_at_end = !live_.empty() && times && *times > 0;
  if (asks_at_end) {
    b_.CreateBr(body);
  } else {
    b_.CreateCondBr(ops_.binary(Op::LT, type, counter, extent.v, false), body, end);
  }
  b_.SetInsertPoint(body);
  llvm::Value* value = counter;
  if (!hexproof::is_int(s.min, 0)) value = indexing(Op::Add, type, low.v, counter, no_wrap && !s.min->data);
  vars_[s.var.id()] = {value};
  if (is_parallel) parallel_.push_back({group});
  loops_.push_back(s.var);
  stmt(s.body);
  loops_.pop_back();
  if (is_parallel) parallel_.pop_back();
  // The counter stays below the extent, which fits the type.
  llvm::Value* next = indexing(Op::Add, type, counter, llvm::ConstantInt::get(ops_.type(type), 1), no_wrap);
  counter->addIncoming(next, b_.GetInsertBlock());
  llvm::BranchInst* back =
      asks_at_end ? b_.CreateCondBr(ops_.binary(Op::LT, type, next, extent.v, false), head, end) : b_.CreateBr(head);
  if (llvm::MDNode* metadata = loop_metadata(s, group)) back->setMetadata(llvm::LLVMContext::MD_loop, metadata);
  b_.SetInsertPoint(end);
}

void FunctionEmitter::note_vectorized(const Stmt& stmt, const std::set<std::string>& blocks) {
  const For& loop = *stmt.as<For>();
  EmittedLoop note{{.var = loop.var, .span = stmt->span}, blocks};
  auto scalar = [&](const std::string& why) { note.loop.code = VectorizedLoop::Code::Scalar, note.loop.why = why; };
  if (blocks.empty()) {
    note.loop.code = VectorizedLoop::Code::Vector;
  } else if (!options_.grants.parallel_loops()) {
    scalar("no proof that its iterations do not conflict reaches LLVM");
  } else if (options_.target == Target::Hexagon && !vectorizable_on_hexagon(loop, row_tables_)) {
    scalar(why_not_on_hexagon(loop, row_tables_));
  }
  vectorized_.push_back(std::move(note));
}

llvm::MDNode* FunctionEmitter::loop_metadata(const For& s, llvm::MDNode* group) {
  std::vector<llvm::Metadata*> parts = {nullptr};
  auto add = [&](const char* name, llvm::Metadata* value) {
    std::vector<llvm::Metadata*> pair = {llvm::MDString::get(context_, name)};
    if (value) pair.push_back(value);
    parts.push_back(llvm::MDNode::get(context_, pair));
  };
  if (s.kind == ForKind::Unrolled) {
    constexpr int64_t kFull = 64;
    const int64_t* extent = as_int(s.extent);
    add(extent && *extent <= kFull ? "llvm.loop.unroll.full" : "llvm.loop.unroll.enable", nullptr);
  }
  if (group) {
    add("llvm.loop.parallel_accesses", group);
    // Asking for vector code also lets LLVM reorder a reduction; a loop without conflicts holds none.
    bool known = (options_.target != Target::Hexagon || vectorizable_on_hexagon(s, row_tables_)) &&
                 !options_.scalar_loops.count(s.var);
    if (s.kind == ForKind::Vectorized && known) {
      add("llvm.loop.vectorize.enable", llvm::ConstantAsMetadata::get(b_.getTrue()));
    }
  }
  if (parts.size() == 1) return nullptr;
  llvm::MDNode* node = llvm::MDNode::getDistinct(context_, parts);
  node->replaceOperandWith(0, node);
  return node;
}

void FunctionEmitter::block(const Block& s) {
  for (const IterVar& iter : s.iters) vars_[iter.var.id()] = expr(iter.binding);
  Stmt body = s.body;
  if (s.init) {
    std::vector<Expr> first;
    for (const IterVar& iter : s.iters) {
      if (iter.kind == IterKind::Reduce) first.push_back(eq(Expr(iter.var), iter.dom.min));
    }
    Stmt init = first.empty() ? s.init : make_stmt(If{all(first), s.init, {}}, where_);
    body = seq({init, body});
  }
  if (s.predicate) return branch(scalar(s.predicate), body, {});
  stmt(body);
}

void FunctionEmitter::allocate(const Var& data, const Expr& bytes, const Stmt& body) {
  for (const Var& v : free_vars(bytes)) {
    if (std::find(scalars_.begin(), scalars_.end(), v) == scalars_.end()) {
      unsupported("the size of allocation '" + data.name() + "' depends on '" + v.name() + "', which is no parameter");
    }
  }
  llvm::Value* base = b_.CreateGEP(b_.getInt8Ty(), workspace_, top_, data.name());
  memory_[data.id()] = {.base = base,
                        .loops = parallel_.size(),
                        .bytes = bytes,
                        .alignment = options_.grants.aligned_params() ? kWorkspaceAlignment : 1};
  llvm::Value* size = b_.CreateSExtOrTrunc(scalar(bytes), word_);
  llvm::Value* saved = top_;
  llvm::Value* end = b_.CreateAdd(b_.CreateAdd(top_, size), llvm::ConstantInt::get(word_, kWorkspaceAlignment - 1));
  top_ = b_.CreateAnd(end, llvm::ConstantInt::get(word_, static_cast<uint64_t>(-kWorkspaceAlignment)));
  stmt(body);
  top_ = saved;
}

void FunctionEmitter::constant_memory(const Allocate& s) {
  llvm::Type* element = ops_.memory_type(s.dtype);
  std::vector<llvm::Constant*> cells;
  for (const Expr& e : s.constant) {
    if (e->op != Op::IntImm && e->op != Op::FloatImm) unsupported("an element of a constant that is no constant");
    if (s.dtype.is_float() && s.dtype.bits < 32) {
      cells.push_back(llvm::ConstantInt::get(element, float_to_raw(s.dtype, e->float_value())));
    } else if (s.dtype.is_float()) {
      cells.push_back(llvm::cast<llvm::Constant>(llvm::ConstantFP::get(element, e->float_value())));
    } else {
      cells.push_back(llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(element),
                                             static_cast<uint64_t>(e->int_value()), s.dtype.is_int()));
    }
  }
  auto* type = llvm::ArrayType::get(element, cells.size());
  auto* global = new llvm::GlobalVariable(module_, type, /*isConstant=*/true, llvm::GlobalValue::PrivateLinkage,
                                          llvm::ConstantArray::get(type, cells), s.data.name());
  global->setAlignment(llvm::Align(kWorkspaceAlignment));
  memory_[s.data.id()] = {.base = global,
                          .loops = parallel_.size(),
                          .bytes = bytes_of(s.dtype, s.extents),
                          .constant = true,
                          .alignment = kWorkspaceAlignment};
}

}  // namespace hexproof::codegen
