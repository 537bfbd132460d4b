#include "backend/codegen/registers.h"

#include <llvm/IR/InstIterator.h>

#include <algorithm>

#include "backend/alignment.h"
#include "backend/codegen/function.h"
#include "backend/codegen/vector_form.h"
#include "backend/codegen/vectorizable.h"
#include "backend/workspace.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof::codegen {
namespace {

/// Of all local buffers that live at once, in registers of the machine.
struct Need {
  int64_t vectors = 0, scalars = 0;
};
Need need_of(const Registers& r) {
  int64_t cells = r.bytes * 8 / std::max(r.element_bits, 8);
  if (r.by_vectors) return {(r.bytes + 127) / 128, 0};
  return {0, r.by_cells ? cells * std::max(1, r.element_bits / 32) : 0};
}

/// HVX code for vectors that are no whole registers, or are built cell by cell, is not trusted.
bool whole_hvx_registers(const Stmt& form) {
  bool whole = true;
  auto see = [&](DType type) { whole &= type.is_scalar() || type.is_bool() || type.lanes * type.bytes() % 128 == 0; };
  visit_stmt(form, [&](const Stmt& s) {
    const Store* store = s.as<Store>();
    if (!store) return true;
    visit_expr(store->value, [&](const Expr& e) {
      see(e->dtype);
      return e->op != Op::Load;  // the indices of a load are no data
    });
    return true;
  });
  return whole;
}

}  // namespace

Span FunctionEmitter::place_of_registers(const std::string& name) const {
  for (const auto& r : registers_) {
    if (r->name == name) return r->span;
  }
  return where_;
}

bool FunctionEmitter::in_registers(const Var& data, const std::string& scope, DType element, const Expr& bytes,
                                   const Stmt& body) {
  std::optional<Wide> size = value_of(bytes);
  if (!options_.registers || scope != "local" || !size || *size <= 0 || *size > INT32_MAX) return false;
  if (options_.target == Target::Host && *size > kHostRegisterBytes) return false;
  registers_.push_back(std::make_unique<Registers>(Registers{.name = data.name(),
                                                             .span = where_,
                                                             .bytes = static_cast<int64_t>(*size),
                                                             .element_bits = element.element().bytes() * 8}));
  Registers* mine = registers_.back().get();
  llvm::IRBuilder<> entry(&function_->getEntryBlock(), function_->getEntryBlock().begin());
  uint64_t cells = static_cast<uint64_t>(*size) / static_cast<uint64_t>(element.bytes());
  auto* memory = entry.CreateAlloca(llvm::ArrayType::get(ops_.memory_type(element.element()), cells), nullptr,
                                    "local." + data.name());
  memory->setAlignment(llvm::Align(kWorkspaceAlignment));
  memory_[data.id()] = {
      .base = memory, .loops = parallel_.size(), .bytes = bytes, .registers = mine, .alignment = kWorkspaceAlignment};
  live_.push_back(mine);
  stmt(body);
  where_ = mine->span;
  if (options_.target == Target::Hexagon) {
    if (mine->by_vectors && mine->by_cells) {
      throw Unsupported(mine->span,
                        "the buffer '" + mine->name +
                            "' of scope \"local\" is accessed as vectors, and also one cell at a time " +
                            mine->cells_where,
                        "vectorize that loop, too, over whole vectors of 128 bytes; or use scope \"global\"");
    }
    Need sum;
    for (const Registers* r : live_) {
      Need need = need_of(*r);
      sum.vectors += need.vectors, sum.scalars += need.scalars;
    }
    bool fits = sum.vectors <= kHexagonVectors && sum.scalars <= kHexagonScalars;
    if (!fits) {
      bool of_vectors = sum.vectors > kHexagonVectors;
      throw Unsupported(mine->span,
                        "the buffers of scope \"local\" need " +
                            std::to_string(of_vectors ? sum.vectors : sum.scalars) +
                            (of_vectors ? " vector" : " scalar") + " registers here, and Hexagon has " +
                            std::to_string(of_vectors ? kHexagonVectors : kHexagonScalars) + " to spare",
                        "take a smaller tile, or use scope \"global\" for '" + mine->name + "'");
    }
  }
  live_.pop_back();
  return true;
}

bool FunctionEmitter::touches_registers(const Stmt& s) const {
  auto kept = [&](const Buffer& buffer) {
    auto it = memory_.find(buffer->data.id());
    return it != memory_.end() && it->second.registers;
  };
  bool found = false;
  visit_stmt(s, [&](const Stmt& part) {
    if (const Store* store = part.as<Store>()) found |= kept(store->buffer);
    for (const Expr& e : expressions(part)) {
      visit_expr(e, [&](const Expr& x) {
        if (x->op == Op::Load) found |= kept(x->buffer());
        return !found;
      });
    }
    return !found;
  });
  return found;
}

bool FunctionEmitter::picks_registers(const For& s) const {
  if (live_.empty()) return false;
  std::set<Var> follows = {s.var};  // the variable, and those whose values depend on it
  auto depends = [&](const Expr& e) {
    std::set<Var> free = free_vars(e);
    return std::any_of(free.begin(), free.end(), [&](const Var& v) { return follows.count(v) > 0; });
  };
  auto picked = [&](const Buffer& buffer, const std::vector<Expr>& indices) {
    auto it = memory_.find(buffer->data.id());
    if (it == memory_.end() || !it->second.registers) return false;
    return std::any_of(indices.begin(), indices.end(), depends);
  };
  bool found = false;
  visit_stmt(s.body, [&](const Stmt& part) {
    if (const LetStmt* let = part.as<LetStmt>(); let && depends(let->value)) follows.insert(let->var);
    if (const For* loop = part.as<For>(); loop && depends(loop->min)) follows.insert(loop->var);
    if (const Block* block = part.as<Block>()) {
      for (const IterVar& iter : block->iters) {
        if (depends(iter.binding)) follows.insert(iter.var);
      }
    }
    if (const Store* store = part.as<Store>()) found |= picked(store->buffer, store->indices);
    for (const Expr& e : expressions(part)) {
      visit_expr(e, [&](const Expr& x) {
        if (x->op == Op::Let && depends(x->args[1])) follows.insert(x->args[0]->var());
        if (x->op == Op::Load) found |= picked(x->buffer(), x->args);
        return !found;
      });
    }
    return !found;
  });
  return found;
}

bool FunctionEmitter::written_out(const For& s) {
  if (!picks_registers(s)) return false;
  const int64_t* extent = as_int(s.extent);
  if (!extent) return false;  // the access that needs it says so
  Value low = expr(s.min);
  ++copies_;
  for (int64_t k = 0; k < *extent; ++k) {
    llvm::Value* step = llvm::ConstantInt::get(ops_.type(s.var.dtype()), static_cast<uint64_t>(k));
    bool no_wrap = options_.grants.no_index_overflow() && !s.min->data;
    vars_[s.var.id()] = {is_int(s.min, 0) ? step : indexing(Op::Add, s.var.dtype(), low.v, step, no_wrap)};
    stmt(s.body);
  }
  --copies_;
  return true;
}

bool FunctionEmitter::vectors(const Stmt& loop) {
  const For& s = *loop.as<For>();
  if (s.kind != ForKind::Vectorized || live_.empty() || !touches_registers(s.body)) return false;
  if (!options_.grants.parallel_loops() || options_.scalar_loops.count(s.var)) return false;
  std::optional<Stmt> form = on_vectors(s);
  if (!form) return false;
  if (options_.target == Target::Hexagon && (!vectorizable_on_hexagon(s, row_tables_) || !whole_hvx_registers(*form)))
    return false;
  size_t k = 0;
  for (const VectorAccess& access : vector_accesses(*form)) {
    wide_[access.node] = {options_.grants.alignment(loop, k), options_.grants.alignment_sentence(loop, k)};
    ++k;
  }
  stmt(*form);
  wide_.clear();
  return true;
}

void FunctionEmitter::register_access(const Buffer& buffer, const std::vector<Expr>& indices, llvm::Value* flat) {
  Registers& r = *memory(buffer).registers;
  bool is_vector = std::any_of(indices.begin(), indices.end(), [](const Expr& e) { return e->dtype.lanes > 1; });
  (is_vector ? r.by_vectors : r.by_cells) = true;
  std::string cell = buffer->name + "[";
  for (const Expr& index : indices) cell += (cell.back() == '[' ? "" : ", ") + print(index);
  cell += "]";
  if (!is_vector && r.cells_where.empty()) r.cells_where = "at " + cell;
  if (llvm::isa<llvm::ConstantInt>(flat)) return;
  std::string why = "its index is not known before the program runs";
  for (const Expr& index : indices) {
    for (const Var& v : free_vars(index)) {
      auto it = vars_.find(v.id());
      if (it == vars_.end() || llvm::isa<llvm::Constant>(it->second.v)) continue;
      bool is_loop = std::find(loops_.begin(), loops_.end(), v) != loops_.end();
      why = is_loop ? "the loop '" + v.name() +
                          "' is not written out: its extent is no constant, or it starts elsewhere than at one"
                    : "its index depends on '" + v.name() + "'";
    }
  }
  throw Unsupported(
      where_, "the buffer '" + r.name + "' of scope \"local\" cannot be kept in registers: at " + cell + " " + why,
      "give the loops over it constant extents, or use scope \"global\"");
}

std::string left_in_memory(const llvm::Module& module) {
  for (const llvm::Function& f : module) {
    for (const llvm::Instruction& i : llvm::instructions(f)) {
      if (!llvm::isa<llvm::AllocaInst>(i)) continue;
      llvm::StringRef name = i.getName();
      if (!name.consume_front("local.")) return i.getName().str();
      return name.split(".sroa").first.str();
    }
  }
  return {};
}

}  // namespace hexproof::codegen
