// Errors of single operations: each expression under the facts of its place.
#include "ir/base/mutant.h"
#include "ir/interpreter/fault.h"
#include "verify/check/check_item.h"
#include "verify/facts/memory_size.h"
#include "verify/memory/kept.h"

namespace hexproof {

namespace {

class Safety {
 public:
  explicit Safety(CheckContext& context) : context_(context) {}

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
                     [&](const Block& s) { block(s); }, [](const AttrStmt&) {}},
               stmt->record);
  }

 private:
  Expr resolved(const Expr& e) const { return inline_lets(facts_.resolve(e), facts_.loops); }

  /// `probe` shows the error by itself; it must depend on no memory, as must the way to it.
  CheckItem question(const char* rule, std::string why, Expr goal, const Expr& probe, std::vector<Expr> also = {}) {
    if (!place_) place_ = place_of(context_.func, stmt_);
    std::vector<Expr> given = facts_.given();
    given.insert(given.end(), also.begin(), also.end());
    if (is_data(goal)) given = with_content(cells(), std::move(given), {goal});
    CheckItem q{.obligation = {rule, std::move(why), *place_, std::move(given), std::move(goal)}, .path = path_};
    q.guards.assign(facts_.conditions.begin() + static_cast<long>(base_), facts_.conditions.end());
    if (probe) q.probe = make_stmt(Evaluate{probe}, stmt_->span);
    return q;
  }
  const std::vector<MemoryFact>& cells() {
    if (!context_.content) context_.content = content_of(context_.func);
    if (!cells_) cells_ = context_.content->at(path_);
    return *cells_;
  }
  void ask(CheckItem q) {
    if (!is_int(q.obligation.goal, 1)) context_.questions.push_back(std::move(q));
  }

  /// Every operation that evaluating `e` evaluates, under its conditions, has a value.
  void value(const Expr& e) {
    const Expr whole = facts_.resolve(e);
    if (too_large(resolved(e))) {
      ask(question("check-size", "the expression, with its lets put in, is small enough to be looked at",
                   boolean(false), {}));
      return;
    }
    const size_t conditions = facts_.conditions.size(), ran = facts_.evaluated.size();
    for_each_evaluated(whole, [&](const Expr& node, const Evaluation& at) {
      if (node->args.empty() || node->op == Op::Let) return;  // of a let, value and body are evaluated, each by itself
      for (const Evaluation::Guard& guard : at.guards) {
        Expr condition = value_at(guard.condition, at, facts_.loops);
        for (Expr& c : conjuncts(condition, guard.negated)) facts_.conditions.push_back(std::move(c));
        for (Expr& claim : evaluated(condition)) facts_.evaluated.push_back(std::move(claim));
      }
      operation(node, at);
      facts_.conditions.resize(conditions);
      facts_.evaluated.resize(ran);
    });
  }

  /// Index arithmetic in one question: no let in it, whose value might not be seen.
  static bool plain_index(const Expr& e) {
    bool plain = true;
    visit_expr(e, [&](const Expr& node) {
      plain = plain && node->op != Op::Let && !is_application(node->op) && node->op != Op::Undef;
      return plain;
    });
    return plain;
  }

  void operation(const Expr& node, const Evaluation& at) {
    const Expr e = value_at(node, at, facts_.loops);
    if (plain_index(node) && !is_data(e)) {
      bool part = at.user && plain_index(at.user) && !is_data(value_at(at.user, at, facts_.loops));
      if (!part) index_arithmetic(e);
    } else if (e->op == Op::IfThenElse) {
      settled(e->args[0], "a condition");
    } else if (e->op == Op::Load) {
      for (const Expr& index : e->args) settled(index, "an index");
      bounds(e->buffer(), e->args, e, false);
    } else {
      data_operation(e);
    }
  }

  /// An index, a condition or a bound, resolved: no undef may reach it.
  void settled(const Expr& e, const std::string& what) {
    if (!is_data(e)) return;
    bool undef = function_has_undef() && holds_opaque(e);
    std::vector<Expr> cells;
    visit_expr(e, [&](const Expr& node) {
      undef |= node->op == Op::Undef;
      if (node->op == Op::Load && context_.may_hold_undef.count(node->buffer()->data)) {
        undef |= !node->dtype.is_scalar();
        cells.push_back(node);
      }
      return !undef;
    });
    if (undef) return ask(question("check-undef", "no undef reaches " + what, boolean(false), {}));
    for (const Expr& cell : cells) clean(cell, what);
  }
  /// The same, and every operation in it has a value.
  void control(const Expr& e, const std::string& what) {
    value(e);
    settled(resolved(e), what);
  }
  /// The cell holds no undef: no store of one meets it.
  void clean(const Expr& cell, const std::string& what) {
    const Access read = access_of(cell->buffer(), cell->args, facts_.layout(cell->buffer()));
    for (const Access& access : undef_stores(context_)) {
      if (!may_alias(access.buffer, read.buffer)) continue;
      Access store = rename_apart(access, {}, nullptr);
      ask(question("check-undef",
                   "no undef reaches " + what + ": " + text(cell) + " is none of the cells that hold one",
                   lnot(same_cell(store, read)), {}, domain_of(store)));
    }
  }
  /// A let whose value is not put in.
  static bool holds_opaque(const Expr& e) {
    bool found = false;
    visit_expr(e, [&](const Expr& node) {
      found |= is_uninterpreted(node->op);
      return !found;
    });
    return found;
  }
  bool function_has_undef() {
    if (!has_undef_) {
      has_undef_ = false;
      visit_all_exprs(context_.func.body, [&](const Expr& e) { *has_undef_ |= e->op == Op::Undef; });
    }
    return *has_undef_;
  }
  void condition(const Expr& e) { control(e, "a condition"); }

  /// Operations on values that depend on no memory: overflow is an error, too.
  void index_arithmetic(const Expr& e) {
    bool works = false;
    visit_expr(e, [&](const Expr& node) {
      bool plain = node->op == Op::Min || node->op == Op::Max || node->op == Op::Select || node->op == Op::IfThenElse ||
                   node->op == Op::Likely || node->op == Op::Broadcast;
      works |= !node->args.empty() && node->dtype.is_integer() && !plain;
      return !works;
    });
    if (!works) return;
    const std::string why = "index arithmetic has no error: " + text(e);
    if (e->dtype.is_scalar()) {
      ask(question("check-overflow", why, HEXPROOF_MUTANT("check/overflow", fits(e), boolean(true)), e));
      return;
    }
    Var lane = Var::fresh("lane", kInt32);
    Expr one = lane_of(e, lane, facts_.loops);
    ask(question("check-overflow", why, is_data(one) ? boolean(false) : fits(one), e,
                 lane_range(lane, e->dtype.lanes)));
  }

  static std::vector<Expr> lane_range(const Var& lane, int lanes) {
    return {le(i32(0), Expr(lane)), lt(Expr(lane), i32(lanes))};
  }
  static std::string text(const Expr& e) { return one_line(make_stmt(Evaluate{e})); }

  /// Data arithmetic wraps, but what T.nowrap says does not; division, shifts and casts to integers may still have no
  /// value.
  void data_operation(const Expr& whole) {
    Expr e = whole;
    std::vector<Expr> also;
    if (may_wrap(e->op, e->dtype) && !e->wraps) {
      Expr goal = e->dtype.is_scalar() ? fits(e) : boolean(false);
      return ask(question("check-overflow", "index arithmetic has no error: " + text(whole), goal, {}));
    }
    bool may_fail = is_division(e->op) || e->op == Op::Shl || e->op == Op::Shr ||
                    (e->op == Op::Cast && e->dtype.is_integer() && e->args[0]->dtype.is_float());
    if (!may_fail) return;
    if (!e->dtype.is_scalar()) {
      Var lane = Var::fresh("lane", kInt32);
      e = lane_of(e, lane, facts_.loops);
      also = lane_range(lane, whole->dtype.lanes);
      if (e->op != whole->op) {
        ask(question("check-division", "the operation has a value in every lane: " + text(whole), boolean(false), {}));
        return;
      }
    }
    DType type = e->dtype;
    if (is_division(e->op)) {
      const Expr &a = e->args[0], &b = e->args[1];
      std::optional<Wide> divisor;
      if (as_int(b)) divisor = int_value(b);
      if (!divisor || *divisor == 0) {
        ask(question("check-division", "the divisor is not zero: " + text(whole),
                     HEXPROOF_MUTANT("check/divisor", ne(b, zero(type)), boolean(true)), {}, also));
      }
      if (type.is_int() && (!divisor || *divisor == -1)) {
        Expr goal = lor(ne(b, imm(type, -1)), ne(a, imm(type, min_value(type))));
        ask(question("check-division", "the quotient fits its type: " + text(whole), goal, {}, also));
      }
    } else if (e->op == Op::Cast) {
      const Expr& x = e->args[0];
      DType from = x->dtype;
      // Truncation brings everything between min - 1 and max + 1 into the type.
      double low = static_cast<double>(min_value(type)), high = static_cast<double>(max_value(type) + 1);
      Expr below = fimm(from, low - 1);
      bool exact = below->float_value() == low - 1;
      Expr bottom = fimm(from, low);
      Expr lower = exact || bottom->float_value() != low ? gt(x, exact ? below : bottom) : ge(x, bottom);
      ask(question("check-cast", "the float fits the integer type: " + text(whole),
                   land(lower, lt(x, fimm(from, high))), {}, also));
    } else {
      const Expr& b = e->args[1];
      Expr goal = HEXPROOF_MUTANT("check/shift", lt(b, imm(b->dtype, type.bits)), le(b, imm(b->dtype, type.bits)));
      if (b->dtype.is_int()) goal = land(le(zero(b->dtype), b), goal);
      if (as_int(b) && int_value(b) >= 0 && int_value(b) < type.bits) return;
      ask(question("check-shift", "the shift is less than the width: " + text(whole), goal, {}, also));
    }
  }

  /// Every index lies within the shape.
  void bounds(const Buffer& buffer, const std::vector<Expr>& indices, const Expr& probe, bool write) {
    std::vector<Expr> goals, also, scalars;
    int lanes = 1;
    for (const Expr& index : indices) lanes = std::max<int>(lanes, index->dtype.lanes);
    Var lane = lanes > 1 ? Var::fresh("lane", kInt32) : Var();
    if (lanes > 1) also = lane_range(lane, lanes);
    const BufferLayout layout = facts_.layout(buffer);
    for (size_t d = 0; d < indices.size(); ++d) {
      Expr index = lane_of(indices[d], lane, facts_.loops), extent = layout.shape[d];
      scalars.push_back(index);
      if (index->dtype != extent->dtype) {
        if (as_int(extent) && fits_type(index->dtype, int_value(extent))) {
          extent = imm(index->dtype, int_value(extent));
        } else {
          index = cast(kInt64, index), extent = cast(kInt64, extent);
        }
      }
      if (index->dtype.is_int())
        goals.push_back(
            HEXPROOF_MUTANT("check/lower-bound", le(zero(index->dtype), index), le(imm(index->dtype, -1), index)));
      goals.push_back(HEXPROOF_MUTANT("check/upper-bound", lt(index, extent), le(index, extent)));
    }
    std::string why = std::string(write ? "a write" : "a read") + " of " + buffer->name + " is in bounds";
    bool data = false;
    for (const Expr& index : indices) data |= is_data(index);
    Expr by_itself = data || (probe && write) ? Expr() : probe;
    CheckItem q = question("check-bounds", why, all(goals), by_itself, also);
    if (write && !data) q.probe = plain_store(buffer, indices);
    ask(std::move(q));
    auto memory = context_.memories.find(buffer->data);
    if (memory == context_.memories.end()) return;
    if (!views_open_.count(buffer)) return;
    CheckItem inside =
        question("check-view", "an access of the view " + buffer->name + " lies in its memory",
                 in_memory(flat_address(layout, scalars), buffer->dtype.lanes, memory->second), by_itself, also);
    if (write && !data) inside.probe = plain_store(buffer, indices);
    views_open_[buffer].push_back(std::move(inside));
  }

  Stmt plain_store(const Buffer& buffer, const std::vector<Expr>& indices) {
    int lanes = 1;
    for (const Expr& index : indices) lanes = std::max<int>(lanes, index->dtype.lanes);
    if (!buffer->dtype.is_scalar()) return {};
    Expr value = buffer->dtype.is_bool() ? boolean(false) : zero(buffer->dtype);
    return make_stmt(Store{buffer, indices, lanes > 1 ? broadcast(value, lanes) : value}, stmt_->span);
  }

  static Expr product(const std::vector<Expr>& extents) {
    Expr out = imm(kInt64, 1);
    for (const Expr& e : extents) {
      Expr wide = as_int(e) ? imm(kInt64, int_value(e)) : e->dtype == kInt64 ? e : cast(kInt64, e);
      out = fold(binary(Op::Mul, out, wide, false));  // a number of cells never wraps
    }
    return out;
  }
  /// The cell at `address`, which counts elements of `lanes` scalars, lies in the memory.
  Expr in_memory(const Expr& address, int lanes, const MemoryInfo& memory) const {
    Expr wide = address->dtype == kInt64 ? address : cast(kInt64, address);
    Expr size = memory.elements;
    int per = memory.dtype.lanes;
    if (per % lanes == 0) {
      if (per != lanes) size = fold(size * imm(kInt64, per / lanes));
    } else {
      size = fold(floordiv(fold(size * imm(kInt64, per)), imm(kInt64, lanes)));
    }
    return land(le(imm(kInt64, 0), wide), lt(wide, size));
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

  /// Bounds and extents are counted in int64.
  void countable(const Expr& e, const std::string& what) {
    if (e->dtype != kUInt64) return;
    Expr most = imm(kUInt64, max_value(kInt64));
    Expr goal = as_int(e) ? boolean(int_value(e) <= max_value(kInt64)) : le(e, most);
    ask(question("check-overflow", what + " is at most 2^63 - 1: " + text(e), goal, {}));
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

  /// `and`, `or`, `T.Select` of an assume decide what is evaluated. A permission to read is no condition on a value.
  void assume(const Expr& condition) {
    const Expr decided = decided_in_order(condition);
    value(decided);
    std::function<void(const Expr&)> decide = [&](const Expr& e) {
      if (e->op == Op::IfThenElse && e->dtype.is_bool()) {
        settled(e->args[0], "a condition");
        decide(e->args[1]);
        decide(e->args[2]);
      } else if (const Expr cell = permitted_cell(e)) {
        for (const Expr& index : cell->args) settled(index, "an index");
      } else if (e->op == Op::Not || e->op == Op::Likely) {
        decide(e->args[0]);
      } else {
        settled(e, "a condition");
      }
    };
    decide(resolved(decided));
  }

  /// The extents are no error, and the memory exists; `made` is the allocation by itself.
  void allocation(const MemoryLayout& layout, const std::string& name, const Stmt& made) {
    for (const Expr& extent : layout.shape) settled(extent, "an extent");
    for (const Expr& stride : layout.strides) {
      settled(stride, "a stride");
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
    for (const Expr& e : b.strides) control(e, "a stride");
    if (b.elem_offset) control(b.elem_offset, "an offset");
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
    Expr wide = offset->dtype == kInt64 ? offset
                : as_int(offset)        ? imm(kInt64, int_value(offset))
                                        : cast(kInt64, offset);
    Expr end = fold(binary(Op::Add, wide, product(shape), false)), size = memory.elements;
    Expr goal = simple ? land(le(imm(kInt64, 0), wide), le(end, size)) : boolean(false);
    if (simple && as_int(end) && as_int(size) && as_int(wide)) {
      goal = boolean(int_value(wide) >= 0 && int_value(end) <= int_value(size));
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
      if (iter.kind == IterKind::Reduce && s.init) control(iter.dom.min, "a domain");
    }
    if (s.predicate) condition(s.predicate);
    if (s.init) {
      for (const IterVar& iter : s.iters) {
        if (iter.kind == IterKind::Reduce) settled(resolved(Expr(iter.var)), "a block variable");
      }
    }
  }

  CheckContext& context_;
  Path path_;
  Stmt stmt_;
  std::optional<Place> place_;
  std::optional<std::vector<MemoryFact>> cells_;  // at the statement, once needed
  Facts facts_;
  size_t base_ = 0;  // the first condition that arose inside the statement
  std::optional<bool> has_undef_;
  std::map<Buffer, std::vector<CheckItem>> views_open_;
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
