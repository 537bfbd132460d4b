#include "ir/wellformed.h"

#include <set>
#include <unordered_set>

#include "ir/access_lanes.h"
#include "ir/arith_class.h"
#include "ir/base/early_exit.h"
#include "ir/interpreter/arguments.h"
#include "ir/names.h"
#include "ir/notes/async_queues.h"
#include "ir/reinterpret.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

constexpr uint32_t kMaxDepth = 2000;

/// The first defect, thrown.
struct Broken : EarlyExit {
  Broken(const std::string& message, Span span) : EarlyExit(message), span(std::move(span)) {}
  Span span;
};

/// Walks a function with the variables and buffers that are in scope, and throws the first defect.
class Checker {
 public:
  void run(const PrimFunc& func) {
    func_ = &func;
    for (const Param& param : func.params) {
      check(static_cast<bool>(param.var), "a parameter has no variable");
      define(param.var);
      if (!param.buffer) {
        check(!param.var.dtype().is_handle(), "the parameter '" + param.var.name() + "' is a pointer without a buffer");
        check(param.var.dtype().is_scalar(), "the parameter '" + param.var.name() + "' is a vector");
      } else {
        check(param.var.dtype().is_handle(), "the parameter of buffer '" + param.buffer->name + "' is no pointer");
      }
    }
    for (const Buffer& buffer : func.buffer_params()) {
      // Variables of a parameter's shape are defined by the arguments.
      for (const Expr& part : layout_exprs(buffer)) {
        visit_expr(part, [&](const Expr& e) {
          if (e->op == Op::Var && !vars_.count(e->var())) define(e->var());
          return true;
        });
      }
    }
    for (const Buffer& buffer : func.buffer_params()) {
      define(buffer->data);
      declare(buffer);
      check(!overlaps(*buffer),
            "elements of the argument '" + buffer->name + "' overlap: two indices have one address");
    }
    check(static_cast<bool>(func.body), "the function has no body");
    stmt(func.body);
  }

 private:
  [[noreturn]] void fail(const std::string& message) { throw Broken(message, span_); }
  void check(bool ok, const std::string& message) {
    if (!ok) fail(message);
  }

  /// Where the layout is constant; `check` asks the other ones.
  static bool overlaps(const BufferNode& buffer) {
    std::vector<int64_t> shape, strides;
    for (const Expr& e : buffer.shape) {
      if (!as_int(e)) return false;
      shape.push_back(*as_int(e));
    }
    for (const Expr& e : buffer.strides) {
      if (!as_int(e)) return false;
      strides.push_back(*as_int(e));
    }
    return !strides.empty() && elements_overlap(shape, strides);
  }

  void define(const Var& var) {
    check(ever_.insert(var).second, "the variable '" + var.name() + "' is bound twice");
    vars_.insert(var);
    checked_.clear();
  }
  /// What depends on a variable that is bound to data must be seen to.
  void holds(const Var& var, const Expr& value) {
    check(!value->data || var.is_data(), "the variable '" + var.name() + "' is bound to data and not marked as data");
  }
  void forget(const Var& var) { vars_.erase(var), checked_.clear(); }

  void declare(const Buffer& buffer) {
    check(ever_buffers_.insert(buffer).second, "the buffer '" + buffer->name + "' is declared twice");
    check(!buffer->dtype.is_handle(), "the buffer '" + buffer->name + "' holds pointers");
    check(buffer->data && buffer->data.dtype().is_handle(), "the memory of '" + buffer->name + "' is no pointer");
    check(buffer->strides.empty() || buffer->strides.size() == buffer->shape.size(),
          "the buffer '" + buffer->name + "' has another number of strides than of dimensions");
    for (const Expr& part : layout_exprs(buffer)) {
      index(part, "the shape of '" + buffer->name + "'");
      check(!reads_memory(part), "the shape of '" + buffer->name + "' depends on the content of a buffer");
    }
    for (const Expr& extent : buffer->shape) {
      check(extent->op != Op::IntImm || int_value(extent) >= 0,
            "the buffer '" + buffer->name + "' has a negative extent");
    }
    int last = 0;
    for (int axis : buffer->axis_separators) {
      check(axis >= last && axis <= static_cast<int>(buffer->shape.size()),
            "the axis separators of '" + buffer->name + "' do not rise within its dimensions");
      last = axis;
    }
    check(vars_.count(buffer->data) != 0, "the memory of the buffer '" + buffer->name + "' is not in scope");
    buffers_.insert(buffer);
    checked_.clear();
  }
  void forget(const Buffer& buffer) { buffers_.erase(buffer), checked_.clear(); }

  void use(const Buffer& buffer) {
    check(static_cast<bool>(buffer), "an access has no buffer");
    check(buffers_.count(buffer) != 0, "the buffer '" + buffer->name + "' is not in scope");
  }

  void expr(const Expr& e) {
    check(static_cast<bool>(e), "an expression is missing");
    check(e->depth <= kMaxDepth, "an expression is nested more than " + std::to_string(kMaxDepth) + " levels deep");
    check(e->op != Op::StringImm, "a string stands where a value is expected");
    visit(e);
  }

  void visit(const Expr& e) {
    if (!checked_.insert(e.get()).second) return;
    switch (e->op) {
      case Op::Var:
        check(vars_.count(e->var()) != 0, "the variable '" + e->var().name() + "' has no value here");
        return;
      case HEXPROOF_CASES(ProofOnly):
        fail("a program contains '" + std::string(info(e->op).name) + "', which only proofs may");
      case Op::Let: {
        visit(e->args[1]);
        const Var& var = e->args[0]->var();
        holds(var, e->args[1]);
        define(var);
        visit(e->args[2]);
        forget(var);
        return;
      }
      case Op::Load:
        use(e->buffer());
        indices(e->buffer(), e->args);
        break;
      case HEXPROOF_CASES(Constant):
      case Op::Undef:
      case HEXPROOF_CASES(Arithmetic):
      case HEXPROOF_CASES(Comparison):
      case HEXPROOF_CASES(Boolean):
      case HEXPROOF_CASES(Bits):
      case HEXPROOF_CASES(Choice):
      case Op::Cast:
      case HEXPROOF_CASES(Vector):
      case Op::Likely:
        break;
      case Op::Call: {
        std::string_view name = e->text();
        bool of_module = e->dtype.is_handle() && name.starts_with('@');  // ir/link/calls.cpp
        check(of_module || is_function_name(name), "\"" + e->text() + "\" is no name of a function");
        if (is_reinterpret(*e)) {
          for (const char* flag : {"contract", "reassoc", "nsz"}) {
            check(!func_->granted(flag), std::string("T.reinterpret between ") + e->args[0]->dtype.str() + " and " +
                                             e->dtype.str() + " where `" + flag +
                                             "` is granted, which leaves open the bits that floats have");
          }
        }
        break;
      }
    }
    for (const Expr& arg : e->args) {
      check(!arg->dtype.is_handle() || e->op == Op::Call,
            "a pointer or string is an operand of " + std::string(info(e->op).name));
      visit(arg);
    }
  }

  void index(const Expr& e, const std::string& what) {
    expr(e);
    check(e->dtype.is_integer() && e->dtype.is_scalar(), what + " is " + e->dtype.str() + ", not an integer");
  }

  void condition(const Expr& e, const std::string& what) {
    expr(e);
    check(e->dtype == kBool, what + " is " + e->dtype.str() + ", not bool");
  }

  /// The lanes that the indices give.
  int indices(const Buffer& buffer, const std::vector<Expr>& list) {
    check(list.size() == buffer->shape.size(), "'" + buffer->name + "' has " + std::to_string(buffer->shape.size()) +
                                                   " dimensions, an access has " + std::to_string(list.size()) +
                                                   " indices");
    int lanes = 1;
    for (const Expr& e : list) {
      check(static_cast<bool>(e) && e->dtype.is_integer(), "an index of '" + buffer->name + "' is no integer");
      check(lanes == 1 || e->dtype.lanes == 1, "two vector indices in an access of '" + buffer->name + "'");
      lanes = std::max<int>(lanes, e->dtype.lanes);
      visit_expr(e, [&](const Expr& part) {
        check(part->op != Op::Undef, "undef stands in an index of '" + buffer->name + "'");
        return true;
      });
    }
    check(type_of_access(buffer->dtype, lanes).has_value(), too_many_lanes(buffer->name, buffer->dtype, lanes));
    return lanes;
  }

  void store(const Store& s) {
    use(s.buffer);
    int lanes = indices(s.buffer, s.indices);
    for (const Expr& e : s.indices) expr(e);
    expr(s.value);
    const DType type = *type_of_access(s.buffer->dtype, lanes);
    check(s.value->dtype == type,
          "a " + s.value->dtype.str() + " is stored to '" + s.buffer->name + "', which takes " + type.str());
    check(!constants_.count(s.buffer->data), "a store to '" + s.buffer->name + "', which views a constant");
  }

  void loop(const For& s) {
    index(s.min, "the start of a loop"), index(s.extent, "the extent of a loop");
    check(s.min->dtype == s.extent->dtype && s.var.dtype() == s.min->dtype,
          "the loop variable '" + s.var.name() + "', its start and its extent differ in type");
    check((s.kind == ForKind::ThreadBinding) == !s.thread_tag.empty(),
          "the loop over '" + s.var.name() + "' has a thread axis if and only if it is bound to one");
    define(s.var);
    stmt(s.body);
    forget(s.var);
  }

  void allocate(const Allocate& s) {
    check(s.data && s.data.dtype().is_handle(), "allocated memory is named by no pointer");
    check(!s.dtype.is_handle(), "the memory '" + s.data.name() + "' holds pointers");
    Wide size = 1;
    for (const Expr& e : s.extents) {
      index(e, "an extent of '" + s.data.name() + "'");
      check(e->op != Op::IntImm || int_value(e) >= 0, "the memory '" + s.data.name() + "' has a negative extent");
      if (e->op == Op::IntImm && size < (Wide{1} << 60)) size *= int_value(e);
      check(e->op == Op::IntImm || s.constant.empty(),
            "the constant '" + s.data.name() + "' has an extent that is no number");
    }
    if (!s.constant.empty()) {
      check(Wide{static_cast<int64_t>(s.constant.size())} == size,
            "the constant '" + s.data.name() + "' has another size than its extents");
      for (const Expr& e : s.constant) {
        check(e && e->dtype == s.dtype && (e->op == Op::IntImm || e->op == Op::FloatImm),
              "an element of '" + s.data.name() + "' is no constant of type " + s.dtype.str());
      }
      constants_.insert(s.data);
    }
    define(s.data);
    stmt(s.body);
    forget(s.data);
  }

  void regions(const std::optional<std::vector<BufferRegion>>& list) {
    if (!list) return;
    for (const BufferRegion& r : *list) {
      use(r.buffer);
      check(r.region.size() == r.buffer->shape.size(),
            "a region of '" + r.buffer->name + "' has another number of dimensions");
      for (const Range& range : r.region) {
        index(range.min, "the start of a region"), index(range.extent, "the extent of a region");
        check(range.min->dtype == range.extent->dtype, "a region of '" + r.buffer->name + "' mixes types");
      }
    }
  }

  void block(const Block& s) {
    for (const IterVar& iter : s.iters) {
      check(static_cast<bool>(iter.var), "block '" + s.name + "' has an iteration variable without a name");
      std::string who = "the iteration variable '" + iter.var.name() + "' of block '" + s.name + "'";
      index(iter.dom.min, who), index(iter.dom.extent, who), index(iter.binding, who);
      check(iter.dom.min->dtype == iter.var.dtype() && iter.dom.extent->dtype == iter.var.dtype() &&
                iter.binding->dtype == iter.var.dtype(),
            who + " differs in type from its domain or binding");
      holds(iter.var, iter.binding);
    }
    for (const IterVar& iter : s.iters) define(iter.var);
    if (s.predicate) condition(s.predicate, "the predicate of block '" + s.name + "'");
    regions(s.reads), regions(s.writes);
    if (s.init) stmt(s.init);
    stmt(s.body);
    for (const IterVar& iter : s.iters) forget(iter.var);
  }

  void stmt(const Stmt& s) {
    check(static_cast<bool>(s), "a statement is missing");
    Span outer = span_;
    if (s->span) span_ = s->span;
    std::visit(match{[&](const Store& x) { store(x); }, [&](const For& x) { loop(x); },
                     [&](const If& x) {
                       condition(x.condition, "a condition");
                       stmt(x.then_case);
                       if (x.else_case) stmt(x.else_case);
                     },
                     [&](const LetStmt& x) {
                       expr(x.value);
                       check(x.var && x.var.dtype() == x.value->dtype, "a let binds a value of another type");
                       holds(x.var, x.value);
                       define(x.var);
                       stmt(x.body);
                       forget(x.var);
                     },
                     [&](const Seq& x) {
                       for (const Stmt& part : x.stmts) stmt(part);
                     },
                     [&](const Evaluate& x) { expr(x.value); },
                     [&](const Assume& x) { condition(x.condition, "what is assumed"); },
                     [&](const AllocBuffer& x) {
                       check(static_cast<bool>(x.buffer), "an allocation has no buffer");
                       define(x.buffer->data);
                       declare(x.buffer);
                       stmt(x.body);
                       forget(x.buffer), forget(x.buffer->data);
                     },
                     [&](const Allocate& x) { allocate(x); },
                     [&](const DeclBuffer& x) {
                       check(static_cast<bool>(x.buffer), "a declaration has no buffer");
                       declare(x.buffer);
                       stmt(x.body);
                       forget(x.buffer);
                     },
                     [&](const Block& x) { block(x); }, [&](const AttrStmt& x) { stmt(x.body); },
                     [&](const AsyncCommit& x) { stmt(x.body); },
                     [&](const AsyncWait& x) {
                       index(x.inflight, "the number of groups that a wait leaves in flight");
                       stmt(x.body);
                     }},
               s->record);
    span_ = outer;
  }

  const PrimFunc* func_ = nullptr;
  Span span_;
  std::set<Var> vars_, ever_, constants_;
  std::set<Buffer> buffers_, ever_buffers_;
  std::unordered_set<const ExprNode*> checked_;  // seen with the scope as it is
};

}  // namespace

std::optional<Defect> find_defect(const PrimFunc& func) {
  try {
    Checker().run(func);
    return async_defect(func);
  } catch (const Broken& broken) {
    return Defect{broken.message, broken.span};
  }
}

std::string ill_formed(const PrimFunc& func) {
  std::optional<Defect> defect = find_defect(func);
  if (!defect) return "";
  return defect->span ? defect->span.str() + ": " + defect->message : defect->message;
}

}  // namespace hexproof
