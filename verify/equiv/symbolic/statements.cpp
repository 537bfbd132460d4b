// Statements of a symbolic run; their meaning is that of ir/interpreter/walk/walk.h.
#include <fmt/format.h>

#include "ir/interpreter/arguments.h"
#include "verify/equiv/symbolic/executor.h"

namespace hexproof::symbolic {
namespace {
/// How often a loop with a data-dependent extent may run.
constexpr int64_t kMaxUnknownExtent = 4096;
}  // namespace

Executor::Executor(Terms& terms, const PrimFunc& func, ExecutorLimits limits, uint32_t side,
                   const std::vector<Term>& facts)
    : t_(terms), program_(func), limits_(limits), side_(side), known_(terms) {
  for (Term fact : facts) known_.add(fact);
}

void Executor::bind_scalar(const Var& var, const Scalar& value) {
  uint32_t slot = program_.var_slot(var);
  scalars_.resize(std::max<size_t>(scalars_.size(), slot + 1));
  scalars_[slot] = value;
}

Memory& Executor::bind_buffer(const Buffer& buffer, const Var& handle, View layout, int64_t cells) {
  auto memory = new_memory(buffer->dtype, Wide{cells}, "the buffer " + buffer->name);
  Memory& out = *memory;
  owned_.push_back(std::move(memory));
  uint32_t slot = program_.buffer_slot(buffer);
  views_.resize(std::max<size_t>(views_.size(), program_.buffers()));
  layout.memory = &out;
  views_[slot] = std::move(layout);
  for (uint32_t h : {program_.handle_slot(buffer->data), program_.handle_slot(handle)}) {
    handles_.resize(std::max<size_t>(handles_.size(), h + 1), nullptr);
    handles_[h] = &out;
  }
  return out;
}

bool Executor::run() {
  scalars_.resize(program_.vars());
  values_.resize(program_.vars());
  scalar_lanes_.resize(program_.vars());
  value_lanes_.resize(program_.vars());
  views_.resize(program_.buffers());
  handles_.resize(program_.handles(), nullptr);
  try {
    exec(program_.body());
  } catch (const Fault& fault) {
    record(Terms::kTrue, fault.message.empty() ? "an error on each way" : fault.message);
    return false;
  }
  return true;
}

void Executor::step() {
  if (++steps_ > limits_.max_steps) throw TooMuch{fmt::format("more than {} statements run", limits_.max_steps)};
}

void Executor::bind(uint32_t slot, bool data, const Code* value) {
  if (value->type.is_scalar()) {
    if (data) {
      values_[slot] = term(value);
    } else {
      scalars_[slot] = number(value);
    }
  } else if (data) {
    value_lanes_[slot] = terms(value);
  } else {
    scalar_lanes_[slot] = numbers(value);
  }
}

void Executor::exec(const Action* a) {
  if (a == nullptr) return;
  current_ = a;
  switch (a->kind) {
    case Action::Store:
      return store(a);
    case Action::For:
      return loop(a);
    case Action::If: {
      if (!a->value->data) return exec(a->parts[number(a->value).truth() ? 0 : 1]);
      Term c = condition(a->value);
      fork(
          c, [&] { exec(a->parts[0]); }, [&] { exec(a->parts[1]); });
      return;
    }
    case Action::Let:
      bind(a->slot, a->data, a->value);
      return exec(a->parts[0]);
    case Action::Seq:
    case Action::Body:
      for (const Action* part : a->parts) exec(part);
      return;
    case Action::Evaluate:
      step();
      terms(a->value);
      return;
    case Action::Assume:
      return assume(a);
    case Action::Alloc:
    case Action::Allocate:
    case Action::Decl:
      return allocate(a);
    case Action::Block:
      return block(a);
  }
}

void Executor::store(const Action* a) {
  step();
  const struct Store& s = *a->stmt.as<hexproof::Store>();
  const BufferNode& buffer = *s.buffer;
  bool plain = a->value->type.is_scalar() && buffer.dtype.is_scalar() && parallel_depth_ == 0;
  for (const Code* e : a->codes) plain &= !e->data && e->type.is_scalar();
  if (plain) {
    Term value = term(a->value);
    std::vector<int64_t> indices;
    for (const Code* e : a->codes) indices.push_back(whole(e, "an index"));
    View& v = view(a->slot, buffer);
    size_t at = position(v, buffer, indices, 0, true);
    if (v.memory->constant) faults::constant_written(buffer, indices);
    return write(*v.memory, at, value, Terms::kTrue);
  }
  std::vector<Term> value = terms(a->value);
  size_t next = 0;
  for (const std::vector<Index>& element : elements(a->codes)) {
    View& v = view(a->slot, buffer);
    for (int lane = 0; lane < buffer.dtype.lanes; ++lane) {
      if (next == value.size()) throw Error(a->stmt->span, "a store of too few lanes");
      write_element(v, buffer, element, lane, value[next++]);
    }
  }
}

void Executor::loop(const Action* a) {
  const struct For& s = *a->stmt.as<hexproof::For>();
  const char* where = "the bounds of a loop";
  int64_t min = whole(a->min, where), extent = 0;
  Term unknown = kNoTerm;
  if (a->value->data) {
    Term t = checked(term(a->value), where);
    Interval range = known_.range(t);
    extent = static_cast<int64_t>(std::min<Wide>(range.hi, Wide{1} << 62));
    if (!range.is_point()) {
      unknown = t;
      if (extent > kMaxUnknownExtent) {
        throw Unsupported(
            a->stmt->span,
            "a loop whose extent depends on the content of a buffer and may be as large as " + to_string(range.hi),
            fmt::format("an extent that T.min or an assume bounds to {} is supported", kMaxUnknownExtent));
      }
    }
  } else {
    extent = whole(a->value, where);
  }
  if (extent <= 0) return;
  const DType type = s.var.dtype();
  std::string overflow = "the loop variable " + s.var.name() + " overflows its type " + type.str();
  if (!fits_type(type, min)) {
    if (unknown == kNoTerm) throw Fault{ErrorKind::Overflow, overflow};
    error_if(t_.binary(Op::LT, t_.constant(zero_scalar(t_.type(unknown))), unknown), overflow);
    return;
  }
  if (!fits_type(type, Wide{min} + extent - 1)) {
    if (unknown == kNoTerm) throw Fault{ErrorKind::Overflow, overflow};
    extent = static_cast<int64_t>(max_value(type) - min + 1);
    error_if(t_.binary(Op::LT, t_.constant(int_scalar(t_.type(unknown), extent)), unknown), overflow);
  }
  const bool parallel = s.kind != ForKind::Serial && s.kind != ForKind::Unrolled;
  if (parallel) parallel_.enter(s.var.name()), ++parallel_depth_;
  auto iteration = [&](int64_t k) {
    step();
    if (parallel) parallel_.iteration(k);
    scalars_[a->slot] = int_scalar(type, Wide{min} + k);
    exec(a->parts[0]);
  };
  for (int64_t k = 0; k < extent; ++k) {
    current_ = a;
    if (unknown == kNoTerm) {
      iteration(k);
      continue;
    }
    fork(
        t_.binary(Op::LT, t_.constant(int_scalar(t_.type(unknown), k)), unknown), [&] { iteration(k); }, [] {});
  }
  if (parallel) parallel_.leave(), --parallel_depth_;
}

void Executor::block(const Action* a) {
  const struct Block& s = *a->stmt.as<hexproof::Block>();
  for (const Action::Iter& iter : a->iters) bind(iter.slot, iter.data, iter.binding);
  auto body = [&] {
    if (const Action* init = a->parts[0]) {
      Term first = Terms::kTrue;
      for (size_t i = 0; i < a->iters.size(); ++i) {
        const Action::Iter& iter = a->iters[i];
        if (iter.kind != IterKind::Reduce) continue;
        const Wide start = exact(iter.min, "a domain");
        if (!iter.data) {
          first = t_.land(first, t_.truth(wide_value(scalars_[iter.slot]) == start));
          continue;
        }
        Term var = checked(values_[iter.slot], "a block variable");
        const DType type = t_.type(var);
        bool possible = fits_type(type, start);
        first = t_.land(first, possible ? t_.binary(Op::EQ, var, t_.constant(int_scalar(type, start))) : Terms::kFalse);
      }
      fork(
          first, [&] { exec(init); }, [] {});
    }
    exec(a->parts[1]);
  };
  if (!s.predicate) return body();
  Term holds = a->value->data ? condition(a->value) : t_.constant(number(a->value));
  fork(holds, body, [] {});
}

void Executor::assume(const Action* a) {
  step();
  in_assume_ = true;
  Term c = condition(a->value);
  in_assume_ = false;
  error_if(t_.lnot(c), "the assume is false");
}

View Executor::layout(const Action* a, const BufferNode& buffer) {
  View view;
  for (const Code* e : a->shape) {
    view.shape.push_back(whole(e, "an extent"));
    if (view.shape.back() < 0) {
      faults::negative_extent(fmt::format("axis {} of buffer {}", view.shape.size() - 1, buffer.name),
                              view.shape.back());
    }
  }
  for (const Code* e : a->strides) view.strides.push_back(whole(e, "a stride"));
  if (a->strides.empty()) view.strides = compact_strides(view.shape);
  if (a->offset != nullptr) view.offset = whole(a->offset, "an offset");
  return view;
}

std::unique_ptr<Memory> Executor::new_memory(DType type, Wide elements, const std::string& what) {
  Wide bytes = elements * type.lanes * type.bytes();
  if (bytes > kMaxBufferBytes) faults::too_large(what, to_string(bytes));
  const auto cells = static_cast<uint64_t>(elements * type.lanes);
  if (cells > limits_.max_cells) {
    throw TooMuch{fmt::format("{} has {} cells, more than {}", what, cells, limits_.max_cells)};
  }
  auto memory = std::make_unique<Memory>();
  memory->element = type.element();
  memory->id = memories_made_++;
  memory->cells.resize(cells, Terms::kFalse);
  memory->filled.resize(cells, Terms::kFalse);
  return memory;
}

/// Memory goes when its scope ends; not before the ways that may have written to it are merged.
void Executor::retire(std::unique_ptr<Memory> memory) {
  if (forks_ > 0) retired_.push_back(std::move(memory));
}

void Executor::allocate(const Action* a) {
  if (a->kind == Action::Decl) {
    const Buffer& buffer = a->stmt.as<DeclBuffer>()->buffer;
    Memory* memory = handles_[a->handle];
    if (memory == nullptr) throw Error(a->stmt->span, "the memory of " + buffer->name + " does not exist here");
    if (memory->element != buffer->dtype.element()) {
      throw Unsupported(a->stmt->span,
                        "memory of " + memory->element.str() + " seen as " + buffer->dtype.element().str(),
                        "a view of the memory's own element type is supported");
    }
    View view = layout(a, *buffer);
    view.memory = memory;
    views_[a->slot] = std::move(view);
    exec(a->parts[0]);
    views_[a->slot].memory = nullptr;
    return;
  }
  std::unique_ptr<Memory> memory;
  if (a->kind == Action::Alloc) {
    const Buffer& buffer = a->stmt.as<AllocBuffer>()->buffer;
    View view = layout(a, *buffer);
    memory =
        new_memory(buffer->dtype, memory_elements(view.shape, view.strides, view.offset), "the buffer " + buffer->name);
    view.memory = memory.get();
    views_[a->slot] = std::move(view);
  } else {
    const struct Allocate& s = *a->stmt.as<hexproof::Allocate>();
    Wide elements = 1;
    for (const Code* e : a->shape) {
      int64_t extent = whole(e, "an extent");
      if (extent < 0) faults::negative_extent("the allocation " + s.data.name(), extent);
      elements = std::min(elements * extent, Wide{1} << 60);
    }
    memory = new_memory(s.dtype, elements, "the allocation " + s.data.name());
    if (!a->codes.empty()) {
      if (a->codes.size() != memory->cells.size()) {
        throw Error(a->stmt->span, "the constant " + s.data.name() + " has not as many values as elements");
      }
      for (size_t i = 0; i < a->codes.size(); ++i) {
        memory->cells[i] = term(a->codes[i]);
        memory->filled[i] = Terms::kTrue;
      }
      memory->constant = true;
    }
  }
  handles_[a->handle] = memory.get();
  // On an error the way ends, and what it wrote is undone before the memory goes.
  struct Scope {
    Executor* executor;
    const Action* action;
    std::unique_ptr<Memory>* memory;
    ~Scope() {
      executor->handles_[action->handle] = nullptr;
      if (action->kind == Action::Alloc) executor->views_[action->slot].memory = nullptr;
      executor->retire(std::move(*memory));
    }
  } scope{this, a, &memory};
  exec(a->parts[0]);
}

}  // namespace hexproof::symbolic
