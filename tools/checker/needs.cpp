#include "tools/checker/needs.h"

#include "ir/evaluation.h"
#include "ir/interpreter/fault.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "tools/checker/terms.h"

namespace hexproof::checker {
namespace {

/// A constant extent is known as a number: products of them stay linear.
struct Size {
  Wide number = 1;
  std::vector<std::string> factors;
  void times(const Expr& e, const std::string& term) {
    if (e->op == Op::IntImm && int_value(e) >= 0 && int_value(e) <= kMaxBufferBytes && number <= kMaxBufferBytes) {
      number *= int_value(e);
    } else {
      factors.push_back(term);
    }
  }
  std::string term() const {
    std::string out = numeral(number);
    for (const std::string& factor : factors) out = "(* " + out + " " + factor + ")";
    return out;
  }
};

/// Where a buffer lies, in terms of the place of its declaration.
struct Layout {
  std::vector<std::string> extents, strides;
  std::string offset = "0";
};
/// What a memory was made for.
struct Memory {
  DType dtype;
  std::string elements;  // empty: not modelled
  Buffer owner;          // missing: T.allocate
};

class Walk {
 public:
  Walk(const PrimFunc& func, std::string file, const Premises* given)
      : func_(func), file_(std::move(file)), given_(given) {}

  std::vector<Need> run() {
    for (const Var& scalar : func_.scalars()) {
      scalars_[scalar.name()] = scalar;
      if (has_term(scalar.dtype())) terms_.bind(scalar, terms_.any(scalar.dtype()));
    }
    for (const Buffer& buffer : func_.buffer_params()) {
      declare(buffer);
      owns(buffer);
      argument(buffer);
    }
    if (given_) {
      for (const Expr& premise : *given_) {
        if (auto mine = in_my_names(premise)) terms_.know(terms_.term(*mine));
      }
    }
    stmt(func_.body);
    return std::move(needs_);
  }

 private:
  // -- what is known of arguments ------------------------------------------------------------------------------------

  /// A buffer that exists has no negative extent and fits in memory.
  void argument(const Buffer& buffer) {
    size_t open = 0;
    for (const Expr& e : buffer->shape) open += e->op != Op::IntImm;
    if (open == 0) return;
    Size size;
    const Layout& layout = layouts_.at(buffer.operator->());
    for (size_t k = 0; k < buffer->shape.size(); ++k) {
      size.times(buffer->shape[k], layout.extents[k]);
      if (buffer->shape[k]->op != Op::IntImm) terms_.know("(<= 0 " + layout.extents[k] + ")");
    }
    if (open == 1 && buffer->strides.empty()) {
      terms_.know("(<= (* " + std::to_string(buffer->dtype.bytes()) + " " + size.term() + ") " +
                  numeral(kMaxBufferBytes) + ")");
    }
  }
  /// Variables of other programs are found by their names.
  std::optional<Expr> in_my_names(const Expr& e) const {
    VarMap map;
    for (const Var& var : free_vars(e)) {
      auto found = scalars_.find(var.name());
      if (found == scalars_.end() || !(found->second.dtype() == var.dtype())) return {};
      map[var] = Expr(found->second);
    }
    return substitute(e, map);
  }

  // -- buffers -------------------------------------------------------------------------------------------------------

  void declare(const Buffer& buffer) {
    Layout layout;
    for (const Expr& e : buffer->shape) layout.extents.push_back(terms_.term(e));
    for (const Expr& e : buffer->strides) layout.strides.push_back(terms_.term(e));
    if (buffer->elem_offset) layout.offset = terms_.term(buffer->elem_offset);
    layouts_[buffer.operator->()] = layout;
  }
  void owns(const Buffer& buffer) {
    Size size;
    const Layout& layout = layouts_.at(buffer.operator->());
    for (size_t k = 0; k < buffer->shape.size(); ++k) size.times(buffer->shape[k], layout.extents[k]);
    const bool plain = buffer->strides.empty() && !buffer->elem_offset;
    memories_[buffer->data.id()] = {buffer->dtype, plain ? size.term() : "", buffer};
  }

  /// The indices lie in the axes; through a view, the address lies in the memory, too.
  std::string in_bounds(const Buffer& buffer, const std::vector<Expr>& indices) {
    std::vector<std::string> parts, at;
    auto found = layouts_.find(buffer.operator->());
    if (found == layouts_.end() || found->second.extents.size() != indices.size()) return "false";
    const Layout& layout = found->second;
    for (size_t k = 0; k < indices.size(); ++k) {
      at.push_back(terms_.term(indices[k]));
      parts.push_back("(<= 0 " + at[k] + ")");
      parts.push_back("(< " + at[k] + " " + layout.extents[k] + ")");
    }
    auto memory = memories_.find(buffer->data.id());
    if (memory == memories_.end()) return "false";
    if (memory->second.owner == buffer) return conjunction(parts);
    // Another element type than that of the memory, and views of what has strides itself, are not modelled.
    if (memory->second.elements.empty() || !(memory->second.dtype == buffer->dtype)) return "false";
    std::string address = layout.offset;
    Size stride;
    for (size_t k = indices.size(); k-- > 0;) {
      const std::string step = layout.strides.empty() ? stride.term() : layout.strides[k];
      address = "(+ " + address + " (* " + step + " " + at[k] + "))";
      stride.times(buffer->shape[k], layout.extents[k]);
    }
    parts.push_back("(<= 0 " + address + ")");
    parts.push_back("(< " + address + " " + memory->second.elements + ")");
    return conjunction(parts);
  }

  // -- expressions ---------------------------------------------------------------------------------------------------

  /// What one formula is to claim, under what decides about its parts.
  struct Goals {
    std::vector<std::string> parts;
    size_t guards = 0;
  };
  void claim(Goals& goals, std::string what) {
    for (size_t k = guards_.size(); k-- > goals.guards;) what = "(=> " + guards_[k] + " " + what + ")";
    goals.parts.push_back(std::move(what));
  }
  void ask(const Goals& goals, const std::string& what) {
    if (goals.parts.empty()) return;
    for (size_t k = 0; k < goals.guards; ++k) terms_.know(guards_[k]);
    std::string place = file_;
    if (at_->span) place += ":" + std::to_string(at_->span.line) + ":" + std::to_string(at_->span.column);
    place += ": " + one_line(at_);
    needs_.push_back({place, what, terms_.script(conjunction(goals.parts))});
    for (size_t k = 0; k < goals.guards; ++k) terms_.forget_last_known();
  }
  Goals goals() const { return {{}, guards_.size()}; }

  /// Everything that evaluating `e` evaluates: operands first, the sides of T.if_then_else under its condition.
  void evaluate(const Expr& e, Goals& out) {
    if (e->op == Op::IfThenElse) {
      evaluate(e->args[0], out);
      const std::string condition = terms_.term(e->args[0]);
      for (size_t side : {1, 2}) {
        guards_.push_back(side == 1 ? condition : "(not " + condition + ")");
        evaluate(e->args[side], out);
        guards_.pop_back();
      }
      return;
    }
    if (e->op == Op::Let) {
      evaluate(e->args[1], out);
      if (has_term(e->args[1]->dtype)) terms_.bind(e->args[0]->var(), terms_.term(e->args[1]));
      evaluate(e->args[2], out);
      return;
    }
    if (e->op == Op::Load) return access(e->buffer(), e->args, "the load from ");
    for (const Expr& arg : e->args) evaluate(arg, out);
    if (auto fine = terms_.no_error(e)) claim(out, *fine);
  }
  /// One formula for the whole expression, and one for each load in it.
  void operand(const Expr& e, const char* of) {
    Goals fine = goals();
    evaluate(e, fine);
    ask(fine, std::string("each operation in ") + of + " fits its type");
  }
  void access(const Buffer& buffer, const std::vector<Expr>& indices, const char* what) {
    Goals fine = goals();
    for (const Expr& index : indices) evaluate(index, fine);
    if (!indices.empty() || buffer_is_view(buffer)) claim(fine, in_bounds(buffer, indices));
    ask(fine, what + buffer->name + " is in bounds");
  }
  bool buffer_is_view(const Buffer& buffer) const {
    auto memory = memories_.find(buffer->data.id());
    return memory == memories_.end() || !(memory->second.owner == buffer);
  }

  // -- statements ----------------------------------------------------------------------------------------------------

  /// What the statement may change; `all`: it cannot be told.
  static std::set<uint32_t> stored_in(const Stmt& stmt, bool* all) {
    std::set<uint32_t> out;
    visit_stmt(stmt, [&](const Stmt& s) {
      if (const Store* store = s.as<Store>()) out.insert(store->buffer->data.id());
      const Evaluate* evaluated = s.as<Evaluate>();
      const Assume* assumed = s.as<Assume>();
      if (!evaluated && !assumed) return true;
      // A permission to read lets a cell hold something else from there on.
      bool undef = false;
      visit_expr(evaluated ? evaluated->value : assumed->condition, [&](const Expr& e) {
        *all |= evaluated && e->op == Op::Call;
        undef |= e->op == Op::Undef;
        return true;
      });
      if (undef && assumed) {
        visit_expr(assumed->condition, [&](const Expr& e) {
          if (e->op == Op::Load) out.insert(e->buffer()->data.id());
          return true;
        });
      }
      return true;
    });
    return out;
  }
  void forget_stored(const Stmt& stmt) {
    bool all = false;
    terms_.forget_cells(stored_in(stmt, &all));
    if (all) terms_.forget_all_cells();
  }

  /// A part of a statement, with what is known only there.
  void inside(const Stmt& part, const std::vector<std::string>& facts) {
    if (!part) return;
    const Terms::Mark mark = terms_.mark();
    for (const std::string& fact : facts) terms_.know(fact);
    stmt(part);
    terms_.back_to(mark);
  }

  void stmt(const Stmt& s) {
    if (!s) return;
    const Stmt around = std::exchange(at_, s);
    std::visit([&](const auto& record) { run(s, record); }, s->record);
    at_ = around;
  }

  void run(const Stmt&, const Store& s) {
    operand(s.value, "the value");
    access(s.buffer, s.indices, "the store to ");
    terms_.forget_cells({s.buffer->data.id()});
  }
  void run(const Stmt& whole, const For& s) {
    operand(s.min, "the start");
    operand(s.extent, "the extent");
    const Terms::Mark mark = terms_.mark();
    const std::string min = terms_.term(s.min), extent = terms_.term(s.extent),
                      last = "(- (+ " + min + " " + extent + ") 1)";
    Goals fits = goals();
    claim(fits, "(=> (< 0 " + extent + ") (<= " + last + " " + numeral(max_value(s.var.dtype())) + "))");
    ask(fits, "the values of the loop's variable fit its type");
    bool all = false;
    const std::set<uint32_t> stored = stored_in(s.body, &all);
    const std::set<uint32_t> outer = terms_.unstable;
    forget_stored(whole);  // an earlier iteration stored
    if (s.kind != ForKind::Serial && s.kind != ForKind::Unrolled) terms_.unstable.insert(stored.begin(), stored.end());
    const std::string var = terms_.any(s.var.dtype());
    terms_.bind(s.var, var);
    inside(s.body, {"(<= " + min + " " + var + ")", "(<= " + var + " " + last + ")"});
    terms_.unstable = outer;
    terms_.back_to(mark);
    forget_stored(whole);
  }
  void run(const Stmt& whole, const If& s) {
    operand(s.condition, "the condition");
    const Terms::Mark mark = terms_.mark();
    const std::string condition = terms_.term(s.condition);
    inside(s.then_case, {condition});
    inside(s.else_case, {"(not " + condition + ")"});
    terms_.back_to(mark);
    forget_stored(whole);
  }
  void run(const Stmt& whole, const LetStmt& s) {
    operand(s.value, "the value");
    const Terms::Mark mark = terms_.mark();
    if (has_term(s.value->dtype)) terms_.bind(s.var, terms_.term(s.value));
    stmt(s.body);
    terms_.back_to(mark);
    forget_stored(whole);
  }
  void run(const Stmt& whole, const Seq& s) {
    const Terms::Mark mark = terms_.mark();
    for (const Stmt& part : s.stmts) stmt(part);  // what an assume says holds until the end of the sequence
    terms_.back_to(mark);
    forget_stored(whole);
  }
  void run(const Stmt& whole, const Evaluate& s) {
    operand(s.value, "what is evaluated");
    forget_stored(whole);
  }
  void run(const Stmt& whole, const Assume& s) {
    const Expr decided = decided_in_order(s.condition);
    operand(decided, "the assume");
    forget_stored(whole);
    if (is_data(s.condition)) return;  // what it says of memory is not used
    const std::string condition = terms_.term(decided);
    if (given_) {
      Goals holds = goals();
      claim(holds, condition);
      ask(holds, "the assume holds, given those of the first program");
    }
    terms_.know(condition);
  }
  void layout_of(const Buffer& buffer) {
    for (const Expr& e : buffer->shape) operand(e, "the shape");
    for (const Expr& e : buffer->strides) operand(e, "the strides");
    if (buffer->elem_offset) operand(buffer->elem_offset, "the offset");
  }
  void run(const Stmt& whole, const AllocBuffer& s) {
    layout_of(s.buffer);
    const Terms::Mark mark = terms_.mark();
    declare(s.buffer);
    owns(s.buffer);
    stmt(s.body);
    terms_.back_to(mark);
    forget_stored(whole);
  }
  void run(const Stmt& whole, const Allocate& s) {
    for (const Expr& e : s.extents) operand(e, "the shape");
    for (const Expr& e : s.constant) operand(e, "the constants");
    const Terms::Mark mark = terms_.mark();
    Size size;
    for (const Expr& e : s.extents) size.times(e, terms_.term(e));
    memories_[s.data.id()] = {s.dtype, size.term(), {}};
    stmt(s.body);
    terms_.back_to(mark);
    forget_stored(whole);
  }
  void run(const Stmt& whole, const DeclBuffer& s) {
    layout_of(s.buffer);
    const Terms::Mark mark = terms_.mark();
    declare(s.buffer);
    stmt(s.body);
    terms_.back_to(mark);
    forget_stored(whole);
  }
  void run(const Stmt& whole, const Block& s) {
    const Terms::Mark mark = terms_.mark();
    for (const IterVar& iter : s.iters) {
      operand(iter.binding, "a binding");
      terms_.bind(iter.var, terms_.term(iter.binding));
    }
    std::vector<std::string> facts, starts;
    if (s.predicate) {
      operand(s.predicate, "the predicate");
      facts.push_back(terms_.term(s.predicate));
    }
    if (s.init) {
      starts = facts;
      for (const IterVar& iter : s.iters) {
        if (iter.kind != IterKind::Reduce) continue;
        operand(iter.dom.min, "the start of a domain");
        starts.push_back("(= " + terms_.term(Expr(iter.var)) + " " + terms_.term(iter.dom.min) + ")");
      }
      inside(s.init, starts);
      forget_stored(s.init);
    }
    inside(s.body, facts);
    terms_.back_to(mark);
    forget_stored(whole);
  }
  void run(const Stmt&, const AttrStmt& s) { stmt(s.body); }

  const PrimFunc& func_;
  std::string file_;
  const Premises* given_;
  Terms terms_;
  std::map<std::string, Var> scalars_;
  std::map<const BufferNode*, Layout> layouts_;
  std::map<uint32_t, Memory> memories_;
  std::vector<std::string> guards_;
  Stmt at_;
  std::vector<Need> needs_;
};

}  // namespace

Premises premises(const PrimFunc& func) {
  Premises out;
  std::set<Var> scalars;
  for (const Var& scalar : func.scalars()) scalars.insert(scalar);
  std::function<void(const Stmt&)> collect = [&](const Stmt& s) {
    if (!s) return;
    const Assume* assumed = s.as<Assume>();
    if (assumed && !is_data(assumed->condition)) {
      bool all = true;
      for (const Var& var : free_vars(assumed->condition)) all &= scalars.count(var) > 0;
      if (all) out.push_back(decided_in_order(assumed->condition));
    }
    const bool always =
        s.as<Seq>() || s.as<AllocBuffer>() || s.as<Allocate>() || s.as<DeclBuffer>() || s.as<AttrStmt>();
    if (!always) return;
    for (const Stmt& part : children(s)) collect(part);
  };
  collect(func.body);
  return out;
}

std::vector<Need> needs(const PrimFunc& func, const std::string& file, const Premises* given) {
  return Walk(func, file, given).run();
}

}  // namespace hexproof::checker
