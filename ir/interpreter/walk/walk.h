// One walk through a program, over any type of cell. Control, indices and everything that depends on no buffer's
// content are numbers; what is loaded, and what is computed from it, are cells that a domain supplies. So the
// interpreter, a symbolic run and an evaluation over a field share the meaning of statements and all their errors.
//
// A domain has a type Cell and
//   Cell constant(Scalar)                    a number as a cell
//   Cell unary(Op, a, type), binary(Op, a, b, type)   `type` is the operands'; integers are data and wrap
//   Cell cast(to, a, from), select(c, yes, no, type)
//   Cell call(name, type, args)              throws Unsupported where it is not modelled
//   Cell undef(type)                         chosen anew at each evaluation
//   optional<Scalar> number(a, type, where)  the number where an index or a condition needs one; nothing: the walk
//                                            stops with Unsupported
//   void assume(a)                           an assumed bool that `number` gave no value for
//   kComputesNumbers                         may be there: floats that depend on no buffer's content are computed by
//                                            the domain, too
//   bool passes(stmt, fault, error)          may be there: is this error, of the statement itself, passed over?
//                                            `error()` makes what a run would tell of it. Then there is also
//                                            `Cell open_value(type)`, what it leaves behind
// and throws Fault on an operation that has no value.
#pragma once
#include <unordered_set>

#include "ir/evaluation.h"
#include "ir/interpreter/interpreter.h"
#include "ir/interpreter/walk/walk_expr.h"
#include "ir/visit.h"

namespace hexproof {

/// Runs statements. A value is computed before the indices that it is stored at; operands from left to right.
template <WalkDomain Domain>
class Walk : public WalkExpr<Domain> {
  using Base = WalkExpr<Domain>;

 public:
  using typename Base::Cell;
  using typename Base::Memory;
  using typename Base::Value;
  using typename Base::View;

  explicit Walk(Domain& domain, RunOptions options = {}) : Base(domain, options.check_races), options_(options) {}

  /// `observer` looks on from now on.
  void observe(RunObserver* observer) { this->observer_ = observer; }

  void bind_scalar(const Var& var, const Scalar& value) { this->bind(var, value); }
  /// Gives a parameter its memory, all of it uninitialised; the caller fills it. `Walk` owns it.
  Memory& bind_buffer(const BoundBuffer& bound) {
    auto memory = std::make_unique<Memory>(bound.buffer->dtype.element(), bound.elements * bound.buffer->dtype.lanes);
    Memory& out = *memory;
    owned_.push_back(std::move(memory));
    this->views_[bound.buffer->id] = View{&out, bound.shape, bound.strides, bound.offset};
    memories_[bound.buffer->data.id()] = &out;
    parameters_.emplace_back(bound.buffer->name, &out);
    return out;
  }
  /// A handle parameter names the same memory as its buffer.
  void bind_handle(const Var& var, Memory& memory) { memories_[var.id()] = &memory; }

  /// For running a part of a function: what is bound around it.
  void bind_value(const Var& var, Value value) { this->bind(var, std::move(value)); }
  void bind_view(const Buffer& buffer, View view) { this->views_[buffer->id] = std::move(view); }
  void bind_loop(const Var& var, int64_t value) {
    this->bind(var, int_scalar(var.dtype(), value));
    loops_.emplace_back(&var, value);
  }
  /// The value or the view as it is now; null when there is none.
  const Value* value_of(const Var& var) const {
    auto it = this->vars_.find(var.id());
    return it == this->vars_.end() ? nullptr : &it->second;
  }
  const View* view_of(const Buffer& buffer) const {
    auto it = this->views_.find(buffer->id);
    return it == this->views_.end() ? nullptr : &it->second;
  }
  std::vector<int64_t> indices(const std::vector<Expr>& list) {
    std::vector<int64_t> out;
    for (const Expr& e : list) out.push_back(this->index(e, "an index"));
    return out;
  }

  /// Runs the body of a function, or a part of it; `whole`: the function ends there, and its callers see the memory of
  /// its parameters.
  RunResult run(const Stmt& body, bool whole = false) {
    RunResult result;
    try {
      exec(body);
      if (whole) this->current_ = nullptr;
      for (const auto& [name, memory] : parameters_) {
        if (whole) gone(*memory, "the function ends, and its caller sees '" + name + "',");
      }
    } catch (const Fault& fault) {
      result.error = error_of(fault);
    } catch (const OutOfSteps&) {
      result.out_of_steps = true;
    }
    result.steps = steps_;
    return result;
  }

 private:
  void step() {
    if (++steps_ > options_.max_steps && options_.max_steps != 0) throw OutOfSteps{};
  }

  /// `part`: which part it is of the statement around it.
  void exec(const Stmt& stmt, int part = 0) {
    if (!stmt) return;
    this->current_ = &stmt;
    if (this->observer_) this->observer_->enter(stmt, part);
    if constexpr (kPassesErrors) {
      run_past_error(stmt);
    } else {
      std::visit([&](const auto& record) { run_record(record); }, stmt->record);
    }
    if (this->observer_) this->observer_->leave(stmt);
  }

  /// An error as it is met now, at the current statement.
  RunError error_of(const Fault& fault) const {
    RunError out{.kind = fault.kind, .message = fault.message, .statement = "", .loops = {}, .span = {}};
    if (this->current_) {
      out.statement = one_line(*this->current_), out.span = (*this->current_)->span, out.stmt = *this->current_;
    }
    for (const auto& [var, value] : loops_) out.loops.emplace_back(var->name(), value);
    return out;
  }

  void run_past_error(const Stmt& stmt) {
    bool ran = false;
    if (this->domain_.gives_up(stmt)) {
      step();
    } else {
      const uint64_t steps = steps_;
      try {
        std::visit([&](const auto& record) { run_record(record); }, stmt->record);
        return;
      } catch (const Fault& fault) {
        // (A part of the statement that met it has been asked before.)
        if (this->current_ != &stmt || !this->domain_.passes(stmt, fault, [&] { return error_of(fault); })) throw;
      }
      this->in_assume_ = false;
      ran = steps_ != steps;
    }
    std::visit(match{[&](const Store& s) { leave_open(s); },
                     [&](const LetStmt& s) {
                       const Cell open = this->domain_.open_value(s.value->dtype.element());
                       if (s.value->dtype.is_scalar())
                         this->bind(s.var, open);
                       else
                         this->bind_lanes(s.var, std::vector<Value>(static_cast<size_t>(s.value->dtype.lanes), open));
                       exec(s.body);
                     },
                     [&](const AsyncWait& s) {
                       this->flights_.wait(s.queue, 0);
                       exec(s.body);
                     },
                     [&](const Assume& s) { leave_open(s); }, [](const Evaluate&) {},
                     [&](const auto&) {
                       if (!ran) leave_open(stmt);  // else its memory went away too early
                     }},
               stmt->record);
  }

  /// The cells that an access touches are passed to `f`, with their memory. False where they are not known: an index
  /// is open, in error, or of data and outside.
  template <class F>
  bool each_known_cell(const Buffer& buffer, const std::vector<Expr>& indices, F f) {
    bool inside = true;
    try {
      this->each_element(buffer, indices, [&](View& view, const std::vector<int64_t>& at, int lane) {
        try {
          f(*view.memory, view.position(true, *buffer, at, lane));
        } catch (const Fault&) {
          inside = false;
        }
      });
    } catch (const Fault&) {
      return false;
    } catch (const Error&) {
      return false;  // of a variable that the evaluation did not get to
    }
    return inside || std::none_of(indices.begin(), indices.end(), is_data);
  }

  void leave_open(Memory& memory, size_t at) {
    if (memory.constant) return;
    memory.cells[at] = this->domain_.open_value(memory.element);
    memory.filled[at] = 1;
  }
  void leave_all_open(const Buffer& buffer) {
    auto it = memories_.find(buffer->data.id());
    if (it == memories_.end() || it->second->constant || !open_.insert(it->second).second) return;
    Memory& memory = *it->second;
    std::fill(memory.cells.begin(), memory.cells.end(), this->domain_.open_value(memory.element));
    std::fill(memory.filled.begin(), memory.filled.end(), uint8_t{1});
    steps_ += memory.cells.size() / 16;
  }

  /// The cells that the store would have written hold an open value: any, where it is not known which.
  void leave_open(const Store& s) {
    const bool known = each_known_cell(s.buffer, s.indices, [&](Memory& memory, size_t at) { leave_open(memory, at); });
    if (!known) leave_all_open(s.buffer);
  }

  /// So do the cells without a value that the assume may permit to read.
  void leave_open(const Assume& s) {
    visit_expr(s.condition, [&](const Expr& e) {
      const Expr cell = permitted_cell(e);
      if (!cell) return true;
      const bool known = each_known_cell(cell->buffer(), cell->args, [&](Memory& memory, size_t at) {
        if (!memory.filled[at]) leave_open(memory, at);
      });
      if (!known) leave_all_open(cell->buffer());
      return true;
    });
  }

  /// The statement is left out as a whole: what it may write is open, and groups are not counted on its queues.
  void leave_open(const Stmt& stmt) {
    visit_stmt(stmt, [&](const Stmt& s) {
      for_each_written(s, [&](const Buffer& buffer) { leave_all_open(buffer); });
      if (const auto* group = s.as<AsyncCommit>()) this->flights_.leave_uncounted(group->queue);
      if (const auto* wait = s.as<AsyncWait>()) this->flights_.leave_uncounted(wait->queue);
      return true;
    });
  }

  void run_record(const Store& s) {
    step();
    std::vector<Value> value = this->eval_lanes(s.value);
    size_t next = 0;
    this->each_element(s.buffer, s.indices, [&](View& view, const std::vector<int64_t>& indices, int lane) {
      size_t at = view.position(true, *s.buffer, indices, lane);
      if (view.memory->constant) faults::constant_written(*s.buffer, indices);
      this->touch(view, *s.buffer, indices, at, true);
      if (next == value.size())
        throw Error(this->current_ ? (*this->current_)->span : Span{}, "a store of too few lanes");
      view.memory->cells[at] = this->lift(value[next++]);
      view.memory->filled[at] = 1;
      if constexpr (kPassesErrors) open_.erase(view.memory);
      this->seen(s.buffer, indices, lane, at, SeenAccess::Kind::Write);
    });
  }

  void run_record(const For& s) {
    const std::string where = "the bounds of a loop";
    int64_t min = this->index(s.min, where), extent = this->index(s.extent, where);
    if (extent <= 0) return;
    if (!fits_type(s.var.dtype(), min) || !fits_type(s.var.dtype(), Wide{min} + extent - 1)) {
      throw Fault{ErrorKind::Overflow,
                  "the loop variable " + s.var.name() + " overflows its type " + s.var.dtype().str()};
    }
    bool parallel = s.kind != ForKind::Serial && s.kind != ForKind::Unrolled && this->check_races_;
    if (parallel) this->parallel_.enter(s.var.name());
    loops_.emplace_back(&s.var, min);
    for (int64_t k = 0; k < extent; ++k) {
      step();
      if (parallel) this->parallel_.iteration(k);
      loops_.back().second = min + k;
      this->bind(s.var, int_scalar(s.var.dtype(), Wide{min} + k));
      exec(s.body);
    }
    loops_.pop_back();
    if (parallel) this->parallel_.leave();
  }

  void run_record(const If& s) {
    if (this->truth(s.condition))
      exec(s.then_case);
    else
      exec(s.else_case, s.then_case ? 1 : 0);
  }
  void run_record(const LetStmt& s) {
    this->bind_to(s.var, s.value);
    exec(s.body);
  }
  void run_record(const Seq& s) {
    for (size_t k = 0; k < s.stmts.size(); ++k) exec(s.stmts[k], static_cast<int>(k));
  }
  void run_record(const Evaluate& s) {
    step();
    this->eval_lanes(s.value);
  }

  void run_record(const Assume& s) {
    step();
    this->in_assume_ = true;
    Value value = this->eval(s.condition);
    this->in_assume_ = false;
    const Scalar* known = std::get_if<Scalar>(&value);
    std::optional<Scalar> number = known ? *known : this->domain_.number(std::get<Cell>(value), kBool, "a condition");
    if (!number)
      this->domain_.assume(std::get<Cell>(value));
    else if (!number->truth())
      faults::false_assume();
  }

  /// The layout of a buffer that is declared here.
  View layout(const Buffer& buffer) {
    View view;
    for (size_t i = 0; i < buffer->shape.size(); ++i) {
      view.shape.push_back(this->index(buffer->shape[i], "an extent"));
      if (view.shape[i] < 0)
        faults::negative_extent("axis " + std::to_string(i) + " of buffer " + buffer->name, view.shape[i]);
    }
    for (const Expr& e : buffer->strides) view.strides.push_back(this->index(e, "a stride"));
    if (buffer->strides.empty()) view.strides = compact_strides(view.shape);
    if (buffer->elem_offset) view.offset = this->index(buffer->elem_offset, "an offset");
    return view;
  }

  /// Memory goes away, or to the caller: no group in flight may touch it.
  void gone(const Memory& memory, const std::string& what) {
    if (auto met = memory.flight.end(this->flights_)) faults::in_flight(what, *met);
  }

  void run_record(const AllocBuffer& s) {
    const Stmt* here = this->current_;
    View view = layout(s.buffer);
    Wide elements = memory_elements(view.shape, view.strides, view.offset);
    auto memory = allocate(s.buffer->dtype, elements, "the buffer " + s.buffer->name);
    view.memory = memory.get();
    this->views_[s.buffer->id] = std::move(view);
    memories_[s.buffer->data.id()] = memory.get();
    exec(s.body);
    this->current_ = here;
    this->views_.erase(s.buffer->id);
    memories_.erase(s.buffer->data.id());
    gone(*memory, "the memory of '" + s.buffer->name + "' goes away");
  }

  void run_record(const Allocate& s) {
    const Stmt* here = this->current_;
    Wide elements = 1;
    for (const Expr& e : s.extents) {
      int64_t extent = this->index(e, "an extent");
      if (extent < 0) faults::negative_extent("the allocation " + s.data.name(), extent);
      elements = std::min(elements * extent, Wide{1} << 60);
    }
    auto memory = allocate(s.dtype, elements, "the allocation " + s.data.name());
    if (!s.constant.empty()) {
      if (static_cast<int64_t>(s.constant.size()) != memory->size()) {
        throw Error((*this->current_)->span, "the constant " + s.data.name() + " has not as many values as elements");
      }
      for (size_t i = 0; i < s.constant.size(); ++i) {
        memory->cells[i] = this->lift(this->eval(s.constant[i]));
        memory->filled[i] = 1;
      }
      memory->constant = true;
    }
    memories_[s.data.id()] = memory.get();
    exec(s.body);
    this->current_ = here;
    memories_.erase(s.data.id());
    gone(*memory, "the memory '" + s.data.name() + "' goes away");
  }

  std::unique_ptr<Memory> allocate(DType type, Wide elements, const std::string& what) {
    Wide bytes = elements * type.lanes * type.bytes();
    if (bytes > kMaxBufferBytes) faults::too_large(what, to_string(bytes));
    auto memory = std::make_unique<Memory>(type.element(), static_cast<int64_t>(elements) * type.lanes);
    open_.erase(memory.get());
    return memory;
  }

  void run_record(const DeclBuffer& s) {
    auto memory = memories_.find(s.buffer->data.id());
    if (memory == memories_.end())
      throw Error((*this->current_)->span, "the memory of " + s.buffer->name + " does not exist here");
    if (memory->second->element != s.buffer->dtype.element()) {
      throw Unsupported((*this->current_)->span,
                        "memory of " + memory->second->element.str() + " seen as " + s.buffer->dtype.element().str());
    }
    View view = layout(s.buffer);
    view.memory = memory->second;
    this->views_[s.buffer->id] = std::move(view);
    exec(s.body);
    this->views_.erase(s.buffer->id);
  }

  void run_record(const Block& s) {
    for (const IterVar& iter : s.iters) this->bind_to(iter.var, iter.binding);
    if (s.predicate && !this->truth(s.predicate)) return;
    if (s.init) {
      bool first = true;
      for (const IterVar& iter : s.iters) {
        if (iter.kind != IterKind::Reduce) continue;
        const Wide start = wide_value(this->number(iter.dom.min, "a domain"));
        first = first && wide_value(this->number(Expr(iter.var), "a block variable")) == start;
      }
      if (first) exec(s.init);
    }
    exec(s.body, s.init ? 1 : 0);
  }

  void run_record(const AttrStmt& s) { exec(s.body); }

  void run_record(const AsyncCommit& s) {
    StartedGroup group{*this->current_, {}};
    for (const auto& [var, value] : loops_) group.loops.emplace_back(var->name(), value);
    this->flights_.enter(s.queue, std::move(group));
    exec(s.body);
    this->flights_.leave();
  }

  void run_record(const AsyncWait& s) {
    const int64_t count = this->index(s.inflight, "the number of groups in flight");
    if (count < 0) faults::negative_count(count);
    this->flights_.wait(s.queue, count);
    exec(s.body);
  }

  static constexpr bool kPassesErrors = requires(Domain & d, const Stmt& stmt, const Fault& fault) {
    d.passes(stmt, fault, [] { return RunError{}; });
  };

  RunOptions options_;
  uint64_t steps_ = 0;
  std::vector<std::pair<const Var*, int64_t>> loops_;
  std::unordered_map<uint32_t, Memory*> memories_;  // by the id of the handle
  std::unordered_set<const Memory*> open_;          // of which each cell is, where errors are passed over
  std::vector<std::unique_ptr<Memory>> owned_;
  std::vector<std::pair<std::string, Memory*>> parameters_;  // by the names of their buffers
};

}  // namespace hexproof
