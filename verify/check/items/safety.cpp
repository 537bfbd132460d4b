// What statements ask: each expression under the facts of its place, bounds of loops, sizes of memory, views.
#include "ir/base/mutant.h"
#include "ir/interpreter/fault.h"
#include "verify/check/items/group_order.h"
#include "verify/check/items/operation_safety.h"
#include "verify/facts/memory_size.h"
#include "verify/memory/kept.h"

namespace hexproof {

namespace {

class Safety : OperationSafety {
 public:
  explicit Safety(CheckContext& context) : OperationSafety(context) {}

  void statement(const Stmt& stmt, const Path& path, const Facts& facts) {
    path_ = path;
    stmt_ = stmt;
    place_.reset();
    cells_.reset();
    facts_ = facts;
    base_ = facts_.conditions.size();
    std::visit(match{[&](const Store& s) { store(s); }, [&](const For& s) { loop(s); },
                     [&](const If& s) { condition(s.condition); }, [&](const LetStmt& s) { value(s.value); },
                     [](const Seq&) {}, [&](const Evaluate& s) { value(s.value); },
                     [&](const Assume& s) { assume(s.condition); }, [&](const AllocBuffer& s) { allocation(s); },
                     [&](const Allocate& s) { allocation(s); }, [&](const DeclBuffer& s) { view(s); },
                     [&](const Block& s) { block(s); }, [](const AttrStmt&) {}, [](const AsyncCommit&) {},
                     [&](const AsyncWait& s) { wait(s); }},
               stmt->record);
  }

 private:
  static Expr product(const std::vector<Expr>& extents) {
    Expr out = imm(kInt64, 1);
    for (const Expr& e : extents) {
      out = fold(binary(Op::Mul, out, wide(e), false));  // a number of cells never wraps
    }
    return out;
  }
  void store(const Store& s) {
    value(s.value);
    std::vector<Expr> indices;
    for (const Expr& index : s.indices) {
      indices.push_back(resolved(index));
      control(index, "an index");
    }
    bounds(s.buffer, indices, {}, true);
    auto memory = context_.memories.find(s.buffer->data);
    if (memory != context_.memories.end() && memory->second.constant) {
      ask(question("check-constant", "the constant memory of " + s.buffer->name + " is not written", boolean(false),
                   {}));
    }
  }

  void countable(const Expr& e, const std::string& what) {
    if (e->dtype != kUInt64) return;
    ask(question("check-overflow", what + " is at most 2^63 - 1: " + text(e), counted_in_int64(e), {}));
  }

  void loop(const For& s) {
    Expr min = resolved(s.min), extent = resolved(s.extent);
    control(s.min, "a loop bound");
    control(s.extent, "a loop bound");
    countable(min, "the start of a loop");
    countable(extent, "the extent of a loop");
    std::vector<Expr> runs = {ge(extent, imm(extent->dtype, 1))};
    DType type = s.var.dtype();
    if (as_int(min) && as_int(extent)) {
      Wide last = int_value(min) + int_value(extent) - 1;
      if (int_value(extent) > 0 && !(fits_type(type, last) && fits_type(type, int_value(min)))) {
        ask(question("check-overflow", "the values of " + s.var.name() + " fit its type", boolean(false), {}));
      }
      return;
    }
    if (is_int(min, 0) && extent->dtype == type) return;
    Expr last = fold(min + fold(extent - imm(extent->dtype, 1)));
    if (is_data(last) || last->dtype != type) {
      Expr wide = fold(cast(kInt64, min) + fold(cast(kInt64, extent) - imm(kInt64, 1)));
      if (type.bits >= 64 || (last->dtype.bits >= 64)) {
        ask(question("check-overflow", "the values of " + s.var.name() + " fit its type", boolean(false), {}));
        return;
      }
      Expr goal = land(le(imm(kInt64, min_value(type)), cast(kInt64, min)), le(wide, imm(kInt64, max_value(type))));
      ask(question("check-overflow", "the values of " + s.var.name() + " fit its type", goal, {}, runs));
      return;
    }
    CheckItem q = question("check-overflow", "the values of " + s.var.name() + " fit its type", fits(last), {}, runs);
    q.probe = make_stmt(If{runs[0], make_stmt(Evaluate{last}), {}});
    ask(std::move(q));
  }

  void wait(const AsyncWait& s) {
    control(s.inflight, "the number of groups in flight");
    const Expr count = resolved(s.inflight);
    const Expr goal = is_number_of_groups(count);
    if (is_int(goal, 1)) return;
    CheckItem q = question("check-in-flight", kNumberOfGroups + (": " + text(count)), goal, {});
    q.probe = make_stmt(AsyncWait{s.queue, count, empty_stmt()}, stmt_->span);
    ask(std::move(q));
  }

  /// `and`, `or`, `T.Select` of an assume decide what is evaluated. A permission to read is no condition on a value.
  void assume(const Expr& condition) {
    const Expr decided = decided_in_order(condition);
    value(decided);
    // (As it stands: `x == T.undef()` is no permission, whatever x is bound to.)
    for_each_decided(decided, [&](const Expr& e, const char* what) { settled(resolved(e), what); });
  }

  /// The extents are no error, and the memory exists; `made` is the allocation by itself.
  void allocation(const MemoryLayout& layout, const std::string& name, const Stmt& made) {
    for (const Expr& extent : layout.shape) settled(extent, "an extent");
    for (const Expr& stride : layout.strides) {
      settled(stride, "a stride");
      countable(stride, "a stride");
      Expr goal = as_int(stride) ? boolean(int_value(stride) >= 0) : le(zero(stride->dtype), stride);
      ask(question("check-allocation", "the strides of " + name + " are not negative", goal, {}));
    }
    if (layout.offset) settled(layout.offset, "an offset");
    for (SizeGoal& size : size_goals(layout, name)) {
      CheckItem q = question("check-allocation", std::move(size.why), size.goal, {}, std::move(size.given));
      q.probe = made;
      ask(std::move(q));
    }
  }
  void allocation(const AllocBuffer& s) {
    for_each_operand(stmt_, [&](Operand, const Expr& e) { value(e); });
    MemoryLayout layout = layout_of_memory(s.buffer, [&](const Expr& e) { return resolved(e); });
    allocation(layout, s.buffer->name, made_of(stmt_, layout));
  }
  void allocation(const Allocate& s) {
    for_each_operand(stmt_, [&](Operand, const Expr& e) { value(e); });
    MemoryLayout layout{.shape = s.extents, .dtype = s.dtype};
    for (Expr& e : layout.shape) e = resolved(e);
    allocation(layout, s.data.name(), made_of(stmt_, layout));
  }
  /// The allocation with nothing in it; missing where memory decides about its size.
  static Stmt made_of(const Stmt& stmt, const MemoryLayout& layout) {
    for (const std::vector<Expr>* parts : {&layout.shape, &layout.strides}) {
      for (const Expr& e : *parts) {
        if (is_data(e)) return {};
      }
    }
    return with_children(stmt, {empty_stmt()});
  }

  /// A view fits in its memory; else each access through it must.
  void view(const DeclBuffer& s) {
    const BufferNode& b = *s.buffer;
    for (const Expr& extent : b.shape) {
      Expr e = resolved(extent);
      control(extent, "an extent");
      countable(e, "an extent");
      if (as_int(e) && int_value(e) >= 0) continue;
      ask(question("check-view", "the extents of " + b.name + " are not negative", le(zero(e->dtype), e), {}));
    }
    for (const Expr& e : b.strides) control(e, "a stride"), countable(resolved(e), "a stride");
    if (b.elem_offset) control(b.elem_offset, "an offset"), countable(resolved(b.elem_offset), "an offset");
    auto it = context_.memories.find(b.data);
    if (it == context_.memories.end()) return;
    const MemoryInfo& memory = it->second;
    if (memory.dtype.element() != b.dtype.element()) {
      if (context_.unsupported.empty()) {
        context_.unsupported =
            render(stmt_->span, "unsupported",
                   "memory of " + memory.dtype.str() + " seen as " + b.dtype.str() + " by " + b.name);
      }
      return;
    }
    std::vector<Expr> shape;
    for (const Expr& e : b.shape) shape.push_back(resolved(e));
    Expr offset = b.elem_offset ? resolved(b.elem_offset) : i32(0);
    if (is_int(offset, 0) && b.strides.empty() && !memory.strided && shape == memory.extents && b.dtype == memory.dtype)
      return;
    bool simple = b.strides.empty() && !memory.strided && b.dtype.lanes == memory.dtype.lanes;
    const Expr start = wide(offset);
    Expr end = fold(binary(Op::Add, start, product(shape), false)), size = memory.elements;
    Expr goal = simple ? land(le(imm(kInt64, 0), start), le(end, size)) : boolean(false);
    if (simple && as_int(end) && as_int(size) && as_int(start)) {
      goal = boolean(int_value(start) >= 0 && int_value(end) <= int_value(size));
    }
    if (is_int(goal, 1)) return;
    CheckItem q = question("check-view", "the view " + b.name + " fits in its memory", goal, {});
    q.obligation.kind = ObligationKind::WholeView;
    views_open_[s.buffer];
    view_questions_.emplace_back(s.buffer, std::move(q));
  }

 public:
  /// The views, with the accesses through them, once the whole function was seen.
  void finish() {
    for (auto& [buffer, q] : view_questions_) {
      q.instead = std::move(views_open_[buffer]);
      context_.questions.push_back(std::move(q));
    }
  }

 private:
  void block(const Block& s) {
    for (const IterVar& iter : s.iters) {
      Expr binding = resolved(iter.binding);
      value(iter.binding);
      facts_.inlined.insert_or_assign(iter.var, bound_value(iter.var, binding, facts_.loops, s.body, s.init));
    }
    if (s.predicate) condition(s.predicate);
    if (!s.init) return;
    // Where the predicate holds alone.
    if (HEXPROOF_MUTANT("check/domains-in-front-of-the-predicate", s.predicate, Expr())) {
      const Expr predicate = resolved(s.predicate);
      for (Expr& c : conjuncts(predicate)) facts_.conditions.push_back(std::move(c));
      for (Expr& claim : evaluated(predicate)) facts_.evaluated.push_back(std::move(claim));
    }
    for (const IterVar& iter : s.iters) {
      if (iter.kind != IterKind::Reduce) continue;
      control(iter.dom.min, "a domain");
      settled(resolved(Expr(iter.var)), "a block variable");
    }
  }

  std::vector<std::pair<Buffer, CheckItem>> view_questions_;
};

}  // namespace

void ask_safety(CheckContext& context) {
  Safety safety(context);
  walk_with_facts(context.func, [&](const Stmt& stmt, const Path& path, const Facts& facts) {
    safety.statement(stmt, path, facts);
    return true;
  });
  safety.finish();
}

}  // namespace hexproof
