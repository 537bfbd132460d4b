// Errors of single operations: each expression under the facts of its place.
#include "ir/interpreter/fault.h"
#include "verify/check/question.h"
#include "verify/content/kept.h"

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
                     [&](const Assume& s) { assume(resolved(s.condition)); },
                     [&](const AllocBuffer& s) { allocation(s.buffer->shape, s.buffer->dtype, s.buffer->name); },
                     [&](const Allocate& s) { allocation(s.extents, s.dtype, s.data.name()); },
                     [&](const DeclBuffer& s) { view(s); }, [&](const Block& s) { block(s); }, [](const AttrStmt&) {}},
               stmt->record);
  }

 private:
  Expr resolved(const Expr& e) const { return inline_lets(facts_.resolve(e), facts_.loops); }

  /// `probe` shows the error by itself; it must depend on no memory, as must the way to it.
  Question question(const char* rule, std::string why, Expr goal, const Expr& probe, std::vector<Expr> also = {}) {
    if (!place_) place_ = place_of(context_.func, stmt_);
    std::vector<Expr> given = facts_.given();
    given.insert(given.end(), also.begin(), also.end());
    if (is_data(goal)) given = with_content(cells(), std::move(given), {goal});
    Question q{.obligation = {rule, std::move(why), *place_, std::move(given), std::move(goal)}, .path = path_};
    q.guards.assign(facts_.conditions.begin() + static_cast<long>(base_), facts_.conditions.end());
    if (probe) q.probe = make_stmt(Evaluate{probe}, stmt_->span);
    return q;
  }
  const std::vector<CellFact>& cells() {
    if (!context_.content) context_.content = content_of(context_.func);
    if (!cells_) cells_ = context_.content->at(path_);
    return *cells_;
  }
  void ask(Question q) {
    if (!is_int(q.obligation.goal, 1)) context_.questions.push_back(std::move(q));
  }

  void value(const Expr& e) { visit(resolved(e)); }

  /// An index, a condition or a bound: no undef may reach it.
  void settled(const Expr& e, const std::string& what) {
    visit(e);
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
  /// The cell holds no undef: no store of one meets it.
  void clean(const Expr& cell, const std::string& what) {
    Access read{.buffer = cell->buffer(),
                .indices = cell->args,
                .write = false,
                .loops = {},
                .guards = {},
                .exact = true,
                .stmt = stmt_,
                .order = {}};
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
      found |= node->op == Op::Call && node->text().find('#') != std::string::npos;
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
  void condition(const Expr& e) { settled(resolved(e), "a condition"); }

  /// Every operation in `e`, which is resolved.
  void visit(const Expr& e) {
    if (e->args.empty()) return;
    if (too_large(e)) {
      ask(question("check-size", "the expression, with its lets put in, is small enough to be looked at",
                   boolean(false), {}));
      return;
    }
    if (!is_data(e)) {
      index_arithmetic(e);
      return;
    }
    if (e->op == Op::IfThenElse) {
      settled(e->args[0], "a condition");
      size_t size = facts_.conditions.size();
      for (int side : {1, 2}) {
        for (Expr& c : conjuncts(e->args[0], side == 2)) facts_.conditions.push_back(std::move(c));
        visit(e->args[side]);
        facts_.conditions.resize(size);
      }
      return;
    }
    if (e->op == Op::Load) {
      for (const Expr& index : e->args) settled(index, "an index");
      bounds(e->buffer(), e->args, e, false);
      return;
    }
    for (const Expr& arg : e->args) visit(arg);
    data_operation(e);
  }

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
      ask(question("check-overflow", why, fits(e), e));
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
        ask(question("check-division", "the divisor is not zero: " + text(whole), ne(b, zero(type)), {}, also));
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
      Expr goal = lt(b, imm(b->dtype, type.bits));
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
    for (size_t d = 0; d < indices.size(); ++d) {
      Expr index = lane_of(indices[d], lane, facts_.loops), extent = resolved(buffer->shape[d]);
      scalars.push_back(index);
      if (index->dtype != extent->dtype) {
        if (as_int(extent) && fits_type(index->dtype, int_value(extent))) {
          extent = imm(index->dtype, int_value(extent));
        } else {
          index = cast(kInt64, index), extent = cast(kInt64, extent);
        }
      }
      if (index->dtype.is_int()) goals.push_back(le(zero(index->dtype), index));
      goals.push_back(lt(index, extent));
    }
    std::string why = std::string(write ? "a write" : "a read") + " of " + buffer->name + " is in bounds";
    bool data = false;
    for (const Expr& index : indices) data |= is_data(index);
    Expr by_itself = data || (probe && write) ? Expr() : probe;
    Question q = question("check-bounds", why, all(goals), by_itself, also);
    if (write && !data) q.probe = plain_store(buffer, indices);
    ask(std::move(q));
    auto memory = context_.memories.find(buffer->data);
    if (memory == context_.memories.end()) return;
    if (!views_open_.count(buffer)) return;
    Question inside =
        question("check-view", "an access of the view " + buffer->name + " lies in its memory",
                 in_memory(flat_address(buffer, scalars), buffer->dtype.lanes, memory->second), by_itself, also);
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
      out = fold(out * wide);
    }
    return out;
  }
  /// The cell at `address`, which counts elements of `lanes` scalars, lies in the memory.
  Expr in_memory(const Expr& address, int lanes, const MemoryInfo& memory) const {
    Expr wide = address->dtype == kInt64 ? address : cast(kInt64, address);
    Expr size = product(memory.extents);
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
      settled(indices.back(), "an index");
    }
    bounds(s.buffer, indices, {}, true);
    auto memory = context_.memories.find(s.buffer->data);
    if (memory != context_.memories.end() && memory->second.constant) {
      ask(question("check-constant", "the constant memory of " + s.buffer->name + " is not written", boolean(false),
                   {}));
    }
  }

  void loop(const For& s) {
    Expr min = resolved(s.min), extent = resolved(s.extent);
    settled(min, "a loop bound");
    settled(extent, "a loop bound");
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
    Question q = question("check-overflow", "the values of " + s.var.name() + " fit its type", fits(last), {}, runs);
    q.probe = make_stmt(If{runs[0], make_stmt(Evaluate{last}), {}});
    ask(std::move(q));
  }

  /// `and`, `or`, `T.Select` of an assume do not evaluate what does not matter.
  void assume(const Expr& e) {
    if (e->op == Op::EQ && (e->args[0]->op == Op::Undef || e->args[1]->op == Op::Undef)) {
      const Expr& cell = e->args[e->args[0]->op == Op::Undef ? 1 : 0];
      if (cell->op != Op::Load) return visit(cell);
      for (const Expr& index : cell->args) settled(index, "an index");
      bounds(cell->buffer(), cell->args, {}, false);
      return;
    }
    size_t size = facts_.conditions.size();
    auto under = [&](const Expr& c, bool negated, const Expr& then) {
      for (Expr& part : conjuncts(c, negated)) facts_.conditions.push_back(std::move(part));
      assume(then);
      facts_.conditions.resize(size);
    };
    if (e->op == Op::And || e->op == Op::Or) {
      assume(e->args[0]);
      under(e->args[0], e->op == Op::Or, e->args[1]);
    } else if (e->op == Op::Select || e->op == Op::IfThenElse) {
      settled(e->args[0], "a condition");
      under(e->args[0], false, e->args[1]);
      under(e->args[0], true, e->args[2]);
    } else if (e->op == Op::Not || e->op == Op::Likely) {
      assume(e->args[0]);
    } else {
      settled(e, "a condition");
    }
  }

  void allocation(const std::vector<Expr>& shape, DType type, const std::string& name) {
    Wide bytes = type.bytes() * type.lanes;
    bool constant = true, large = false;
    std::vector<Expr> extents;
    for (const Expr& extent : shape) {
      extents.push_back(resolved(extent));
      settled(extents.back(), "an extent");
      if (as_int(extents.back())) {
        if (!large) bytes *= int_value(extents.back());
        large |= bytes > kMaxBufferBytes;
      } else {
        constant = false;
      }
      Expr goal = le(zero(extents.back()->dtype), extents.back());
      if (as_int(extents.back())) goal = boolean(int_value(extents.back()) >= 0);
      ask(question("check-allocation", "the extents of " + name + " are not negative", goal, {}));
    }
    if (constant && large) {
      ask(question("check-allocation", "the memory of " + name + " is at most 2^31 - 1 bytes", boolean(bytes == 0),
                   {}));
    }
  }

  /// A view fits in its memory; else each access through it must.
  void view(const DeclBuffer& s) {
    const BufferNode& b = *s.buffer;
    for (const Expr& extent : b.shape) {
      Expr e = resolved(extent);
      settled(e, "an extent");
      if (as_int(e) && int_value(e) >= 0) continue;
      ask(question("check-view", "the extents of " + b.name + " are not negative", le(zero(e->dtype), e), {}));
    }
    for (const Expr& e : b.strides) settled(resolved(e), "a stride");
    if (b.elem_offset) settled(resolved(b.elem_offset), "an offset");
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
    Expr end = fold(wide + product(shape)), size = product(memory.extents);
    Expr goal = simple ? land(le(imm(kInt64, 0), wide), le(end, size)) : boolean(false);
    if (simple && as_int(end) && as_int(size) && as_int(wide)) {
      goal = boolean(int_value(wide) >= 0 && int_value(end) <= int_value(size));
    }
    if (is_int(goal, 1)) return;
    Question q = question("check-view", "the view " + b.name + " fits in its memory", goal, {});
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
      visit(binding);
      facts_.inlined.insert_or_assign(iter.var, bound_value(iter.var, binding, facts_.loops, s.body, s.init));
      if (iter.kind == IterKind::Reduce && s.init) settled(resolved(iter.dom.min), "a domain");
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
  std::optional<std::vector<CellFact>> cells_;  // at the statement, once needed
  Facts facts_;
  size_t base_ = 0;  // the first condition that arose inside the statement
  std::optional<bool> has_undef_;
  std::map<Buffer, std::vector<Question>> views_open_;
  std::vector<std::pair<Buffer, Question>> view_questions_;
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
