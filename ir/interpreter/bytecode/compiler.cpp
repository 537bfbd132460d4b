// Statements to bytecode.
#include "ir/interpreter/bytecode/compiler.h"

#include <algorithm>

#include "ir/interpreter/fault.h"
#include "ir/notes/async_queues.h"

namespace hexproof::fast {

Compiler::Compiler(const PrimFunc& func, const Arguments& arguments, const RunOptions& options)
    : func_(func), arguments_(arguments), options_(options), has_groups_(has_groups(func.body)) {}

Bytecode Compiler::compile() {
  open();
  new_register(0);  // register 0 is zero
  for (const auto& [var, value] : arguments_.scalars) bind(var, constant(value));
  for (size_t k = 0; k < arguments_.buffers.size(); ++k) {
    const BoundBuffer& b = arguments_.buffers[k];
    if (b.buffer->dtype.lanes != 1) throw NotCompiled{};
    uint16_t memory = new_memory(b.buffer->dtype, b.elements);
    out_.memories.back().argument = static_cast<int>(k);
    bind_handle(b.buffer->data, memory);
    bind_view(b.buffer, {memory, b.shape, b.strides, b.offset});
  }
  size_t next = 0;
  for (const Param& p : func_.params) {
    if (p.buffer) bind_handle(p.var, static_cast<uint16_t>(next++));
  }
  if (func_.body) statement(func_.body);
  for (size_t k = 0; k < arguments_.buffers.size(); ++k) {
    gone(static_cast<uint16_t>(k),
         "the function ends, and its caller sees '" + arguments_.buffers[k].buffer->name + "',", {});
  }
  Region region = close();
  region.code.push_back({.code = Code::Steps, .imm2 = static_cast<int64_t>(region.steps)});
  region.code.push_back({.code = Code::Halt});
  out_.code = std::move(region.code);
  return std::move(out_);
}

int Compiler::site() {
  if (!out_.sites.empty()) {
    const Site& last = out_.sites.back();
    if (last.stmt.get() == current_->get() && last.scope == scope_ && !last.buffer && last.gone.empty())
      return static_cast<int>(out_.sites.size()) - 1;
  }
  out_.sites.push_back({.stmt = *current_, .scope = scope_, .buffer = {}, .indices = {}});
  return static_cast<int>(out_.sites.size()) - 1;
}

void Compiler::bind(const Var& var, Value value, bool is_loop) {
  vars_[var.id()] = value;
  scope_ = std::make_shared<const Scope>(
      Scope{.var = var, .value = std::move(value), .loop = is_loop, .buffer = {}, .view = {}, .parent = scope_});
}

void Compiler::bind_view(const Buffer& buffer, ViewInfo view) {
  views_[buffer->id] = view;
  scope_ = std::make_shared<const Scope>(
      Scope{.var = {}, .value = {}, .buffer = buffer, .view = std::move(view), .parent = scope_});
}

void Compiler::bind_handle(const Var& var, uint16_t memory) {
  handles_[var.id()] = memory;
  scope_ = std::make_shared<const Scope>(Scope{.var = var,
                                               .value = {.type = kHandle, .terms = {}},
                                               .buffer = {},
                                               .view = {.memory = memory, .shape = {}, .strides = {}},
                                               .parent = scope_});
}

uint16_t Compiler::new_memory(DType type, Wide elements) {
  if (elements * type.bytes() > kMaxBufferBytes || out_.memories.size() > 0xfff0 || type.lanes != 1)
    throw NotCompiled{};
  memory_bytes_ += elements * (type.bytes() + 1);
  if (memory_bytes_ > Wide{1} << 33) throw NotCompiled{};
  out_.memories.push_back({.type = type, .size = static_cast<int64_t>(elements), .constant = {}});
  return static_cast<uint16_t>(out_.memories.size() - 1);
}

void Compiler::statement(const Stmt& stmt) {
  if (!stmt) return;
  const Stmt* outer = current_;
  auto scope = scope_;
  current_ = &stmt;
  std::visit(match{[&](const Store& s) { store(s); }, [&](const For& s) { loop(s); },
                   [&](const If& s) {
                     branch(
                         expr(s.condition), [&] { statement(s.then_case); }, [&] { statement(s.else_case); });
                   },
                   [&](const LetStmt& s) {
                     bind(s.var, expr(s.value));
                     statement(s.body);
                   },
                   [&](const Seq& s) {
                     for (const Stmt& part : s.stmts) statement(part);
                   },
                   [&](const Evaluate& s) {
                     ++regions_.back().steps;
                     expr(s.value);
                   },
                   [&](const Assume& s) { assume(s); }, [&](const AllocBuffer& s) { alloc_buffer(s); },
                   [&](const Allocate& s) { allocate(s); }, [&](const DeclBuffer& s) { declare(s); },
                   [&](const Block& s) { block(s); }, [&](const AttrStmt& s) { statement(s.body); },
                   [&](const AsyncCommit& s) { group(s); }, [&](const AsyncWait& s) { wait(s); }},
             stmt->record);
  current_ = outer;
  scope_ = scope;
}

void Compiler::store(const Store& s) {
  ++regions_.back().steps;
  const DType type = s.value->dtype;
  Value value = expr(s.value);
  if (type != s.buffer->dtype) throw NotCompiled{};
  int source = reg(value);
  Place to = place(s.buffer, s.indices, true);
  Code code = Code::Store64;
  if (type.is_float())
    code = type == kFloat64   ? Code::StoreF64
           : type == kFloat32 ? Code::StoreF32
           : type == kFloat16 ? Code::StoreF16
                              : Code::StoreBF16;
  else if (type.bytes() < 8)
    code = type.bytes() == 1 ? Code::Store8 : type.bytes() == 2 ? Code::Store16 : Code::Store32;
  emit(access(code, source, to, 0));
}

void Compiler::loop(const For& s) {
  const Value min = expr(s.min), extent = expr(s.extent);
  auto small = [](const Value& v) { return v.lo >= min_value(kInt64) && v.hi <= max_value(kInt64); };
  const DType type = s.var.dtype();
  if (!small(min) || !small(extent) || min.lo < min_value(type)) throw NotCompiled{};
  if (extent.hi <= 0) return;
  const int first = reg(min), count = reg(extent);
  Wide last = min.hi + extent.hi - 1;
  const Wide largest = std::min(max_value(type), max_value(kInt64));
  if (last > largest) {
    if (largest != max_value(type)) throw NotCompiled{};
    emit({.code = Code::LoopFits, .a = first, .b = count, .c = site(), .imm = static_cast<int64_t>(largest)});
    last = largest;
  }
  const bool parallel = s.kind != ForKind::Serial && s.kind != ForKind::Unrolled && options_.check_races;
  open();
  const int depth = static_cast<int>(regions_.size()) - 1;
  const int var = new_register(depth), counter = new_register(depth);
  if (parallel) {
    out_.loop_names.push_back(s.var.name());
    emit({.code = Code::ParallelIteration, .a = var, .b = first});
    ++parallel_depth_;
  }
  const int64_t name = static_cast<int64_t>(out_.loop_names.size()) - 1;
  bind(s.var, in_register(var, type, min.lo, last), true);
  statement(s.body);
  Region body = close();
  const auto length = static_cast<int64_t>(body.code.size());
  const auto steps = static_cast<int64_t>(body.steps + 1);
  if (parallel) emit({.code = Code::ParallelEnter, .imm = name});
  emit({.code = Code::ForBegin, .dst = var, .a = first, .b = count, .c = counter, .imm = length + 2});
  splice(std::move(body));
  emit({.code = Code::ForNext, .dst = var, .c = counter, .imm = -length, .imm2 = steps});
  if (parallel) {
    emit({.code = Code::ParallelLeave});
    --parallel_depth_;
  }
}

void Compiler::group(const AsyncCommit& s) {
  emit({.code = Code::GroupEnter, .c = site(), .imm = s.queue});
  statement(s.body);
  emit({.code = Code::GroupLeave});
}

void Compiler::wait(const AsyncWait& s) {
  const Value count = expr(s.inflight);
  if (count.hi > max_value(kInt64)) throw NotCompiled{};
  const int value = reg(count);
  if (count.lo < 0) emit({.code = Code::InRange, .a = value, .c = site(), .imm = 0, .imm2 = int64_t{1} << 62});
  emit({.code = Code::GroupWait, .a = value, .imm = s.queue});
  statement(s.body);
}

void Compiler::gone(uint16_t memory, const std::string& what, const Stmt& stmt) {
  if (!has_groups_) return;
  out_.sites.push_back({.stmt = stmt, .scope = scope_, .buffer = {}, .indices = {}, .gone = what});
  emit({.code = Code::FlightEnd, .memory = memory, .c = static_cast<int>(out_.sites.size()) - 1});
}

void Compiler::branch(const Value& condition, const std::function<void()>& yes, const std::function<void()>& no) {
  if (condition.kind == Value::Constant) return condition.constant.truth() ? yes() : no();
  const int test = reg(condition);
  auto side = [&](const std::function<void()>& body) {
    open();
    body();
    Region region = close();
    if (region.steps) {
      region.code.insert(region.code.begin(), {.code = Code::Steps, .imm2 = static_cast<int64_t>(region.steps)});
    }
    return region;
  };
  Region first = side(yes), second = side(no);
  const auto jump = static_cast<int64_t>(second.code.size()) + 1;
  const bool has_else = !second.code.empty();
  emit({.code = Code::BranchZero, .a = test, .imm = static_cast<int64_t>(first.code.size()) + (has_else ? 2 : 1)});
  splice(std::move(first));
  if (has_else) emit({.code = Code::Jump, .imm = jump});
  splice(std::move(second));
}

void Compiler::block(const Block& s) {
  for (const IterVar& iter : s.iters) bind(iter.var, expr(iter.binding));
  auto run = [&] {
    if (s.init) {
      Value first = constant(bool_scalar(true));
      for (const IterVar& iter : s.iters) {
        if (iter.kind != IterKind::Reduce) continue;
        Value at_start = comparison(Op::EQ, vars_.at(iter.var.id()), expr(iter.dom.min));
        first = binary(Op::And, first, at_start, false);
      }
      branch(
          first, [&] { statement(s.init); }, [] {});
    }
    statement(s.body);
  };
  if (s.predicate)
    branch(expr(s.predicate), run, [] {});
  else
    run();
}

ViewInfo Compiler::layout(const Buffer& buffer) {
  auto number = [&](const Expr& e) {
    Value v = expr(e);
    if (v.kind != Value::Constant || !fits_type(kInt64, v.lo)) throw NotCompiled{};
    return static_cast<int64_t>(v.lo);
  };
  ViewInfo view;
  for (const Expr& e : buffer->shape) {
    view.shape.push_back(number(e));
    if (view.shape.back() < 0) throw NotCompiled{};
  }
  for (const Expr& e : buffer->strides) view.strides.push_back(number(e));
  if (buffer->strides.empty()) view.strides = compact_strides(view.shape);
  if (std::find(view.strides.begin(), view.strides.end(), kNoStride) != view.strides.end()) throw NotCompiled{};
  if (buffer->elem_offset) view.offset = number(buffer->elem_offset);
  return view;
}

void Compiler::alloc_buffer(const AllocBuffer& s) {
  ViewInfo view = layout(s.buffer);
  view.memory = new_memory(s.buffer->dtype, memory_elements(view.shape, view.strides, view.offset));
  emit({.code = Code::Reset, .memory = view.memory});
  bind_handle(s.buffer->data, view.memory);
  bind_view(s.buffer, view);
  statement(s.body);
  gone(view.memory, "the memory of '" + s.buffer->name + "' goes away", *current_);
  views_.erase(s.buffer->id);
  handles_.erase(s.buffer->data.id());
}

void Compiler::allocate(const Allocate& s) {
  Wide elements = 1;
  for (const Expr& e : s.extents) {
    Value extent = expr(e);
    if (extent.kind != Value::Constant || extent.lo < 0) throw NotCompiled{};
    elements = std::min(elements * extent.lo, Wide{1} << 60);
  }
  uint16_t memory = new_memory(s.dtype, elements);
  if (!s.constant.empty()) {
    if (Wide{static_cast<int64_t>(s.constant.size())} != elements) throw NotCompiled{};
    std::vector<Scalar> values;
    for (const Expr& e : s.constant) {
      Value v = expr(e);
      if (v.kind != Value::Constant || v.type != s.dtype) throw NotCompiled{};
      values.push_back(v.constant);
    }
    out_.memories.back().constant = std::move(values);
    out_.memories.back().read_only = true;
  }
  emit({.code = Code::Reset, .memory = memory, .imm = s.constant.empty() ? 0 : 1});
  bind_handle(s.data, memory);
  statement(s.body);
  gone(memory, "the memory '" + s.data.name() + "' goes away", *current_);
  handles_.erase(s.data.id());
}

void Compiler::declare(const DeclBuffer& s) {
  auto memory = handles_.find(s.buffer->data.id());
  if (memory == handles_.end() || out_.memories[memory->second].type != s.buffer->dtype) throw NotCompiled{};
  ViewInfo view = layout(s.buffer);
  view.memory = memory->second;
  bind_view(s.buffer, view);
  statement(s.body);
  views_.erase(s.buffer->id);
}

void Compiler::assume(const Assume& s) {
  ++regions_.back().steps;
  in_assume_ = true;
  Value condition = expr(s.condition);
  in_assume_ = false;
  if (condition.kind == Value::Constant && condition.constant.truth()) return;
  emit({.code = Code::Holds, .a = reg(condition), .c = site()});
}

std::optional<Bytecode> compile(const PrimFunc& func, const Arguments& arguments, const RunOptions& options) {
  try {
    return Compiler(func, arguments, options).compile();
  } catch (const NotCompiled&) {
    return std::nullopt;
  }
}

}  // namespace hexproof::fast
