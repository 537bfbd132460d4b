#include "fuzz/steps/mutate.h"

#include <set>

#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

struct Variant {
  std::string what;
  Stmt stmt;
};
struct ExprVariant {
  std::string what;
  Expr expr;
};

/// The operators that stand near this one on the keyboard, or in the mind.
std::vector<Op> related(Op op, bool is_float) {
  switch (op) {
    case Op::Add:
      return {Op::Sub};
    case Op::Sub:
      return {Op::Add};
    case Op::Mul:
      return {Op::Add};
    case Op::Div:
      return {Op::Mul};
    case Op::FloorDiv:
      return {Op::TruncDiv, Op::FloorMod};
    case Op::FloorMod:
      return {Op::TruncMod, Op::FloorDiv};
    case Op::TruncDiv:
      return {Op::FloorDiv};
    case Op::TruncMod:
      return {Op::FloorMod};
    case Op::Min:
      return {Op::Max};
    case Op::Max:
      return {Op::Min};
    case Op::EQ:
      return {Op::NE};
    case Op::NE:
      return {Op::EQ};
    case Op::LT:
      return {Op::LE, Op::GT};
    case Op::LE:
      return {Op::LT, Op::GE};
    case Op::GT:
      return {Op::GE, Op::LT};
    case Op::GE:
      return {Op::GT, Op::LE};
    case Op::And:
      return {Op::Or};
    case Op::Or:
      return {Op::And};
    case Op::BitAnd:
      return {Op::BitOr};
    case Op::BitOr:
      return {Op::BitXor};
    case Op::BitXor:
      return {Op::BitAnd};
    case Op::Shl:
      return {Op::Shr};
    case Op::Shr:
      return is_float ? std::vector<Op>{} : std::vector<Op>{Op::Shl};
    case HEXPROOF_CASES(Leaf):
    case Op::Not:
    case Op::BitNot:
    case HEXPROOF_CASES(Choice):
    case HEXPROOF_CASES(Other):
    case HEXPROOF_CASES(Vector):
    case HEXPROOF_CASES(ProofOnly):
      return {};
  }
  return {};
}

Stmt with_part(const Stmt& stmt, size_t which, Stmt part) {
  std::vector<Stmt> parts = children(stmt);
  parts[which] = std::move(part);
  return with_children(stmt, parts);
}

class Mutator {
 public:
  explicit Mutator(const PrimFunc& func) : parameters_(func.buffer_params()) {}

  std::vector<Variant> variants(const Stmt& stmt) {
    std::vector<Variant> out;
    of_statement(stmt, out);
    of_expressions(stmt, out);
    const For* loop = stmt.as<For>();
    if (loop) loops_.push_back(loop->var);
    std::vector<Stmt> parts = children(stmt);
    for (size_t k = 0; k < parts.size(); ++k) {
      for (Variant& v : variants(parts[k])) {
        out.push_back({std::move(v.what), with_part(stmt, k, std::move(v.stmt))});
      }
    }
    if (loop) loops_.pop_back();
    return out;
  }

 private:
  static void add(std::vector<Variant>& out, const Stmt& stmt, const std::string& change, Stmt mutant) {
    std::string line = print(stmt);
    out.push_back({line.substr(0, line.find('\n')) + ": " + change, std::move(mutant)});
  }

  void of_statement(const Stmt& stmt, std::vector<Variant>& out) {
    if (stmt.as<Store>() || stmt.as<Assume>()) add(out, stmt, "dropped", empty_stmt());
    if (const If* branch = stmt.as<If>()) {
      add(out, stmt, "the guard dropped", branch->then_case);
      add(out, stmt, "the guard negated",
          make_stmt(If{lnot(branch->condition), branch->then_case, branch->else_case}, stmt->span));
      if (branch->else_case) {
        add(out, stmt, "the else dropped", make_stmt(If{branch->condition, branch->then_case, {}}, stmt->span));
      }
    }
    if (const For* loop = stmt.as<For>()) of_loop(stmt, *loop, out);
    if (const DeclBuffer* decl = stmt.as<DeclBuffer>()) of_view(stmt, *decl, out);
    if (const Block* block = stmt.as<Block>()) {
      if (block->init) {
        Block copy = *block;
        copy.init = {};
        add(out, stmt, "T.init dropped", make_stmt(std::move(copy), stmt->span));
      }
      for (size_t k = 0; k < block->iters.size(); ++k) {
        if (block->iters[k].kind != IterKind::Reduce) continue;
        Block copy = *block;
        copy.iters[k].dom.min = plus(copy.iters[k].dom.min, 1);
        add(out, stmt, "a reduction starts one later", make_stmt(std::move(copy), stmt->span));
      }
      if (block->predicate) {
        Block copy = *block;
        copy.predicate = {};
        add(out, stmt, "T.where dropped", make_stmt(std::move(copy), stmt->span));
      }
    }
    if (const Seq* list = stmt.as<Seq>()) {
      for (size_t k = 0; k + 1 < list->stmts.size(); ++k) {
        std::vector<Stmt> parts = list->stmts;
        std::swap(parts[k], parts[k + 1]);
        add(out, list->stmts[k], "exchanged with the next statement", seq(std::move(parts)));
      }
    }
  }

  /// The view lies elsewhere, or its elements lie elsewhere in it.
  static void of_view(const Stmt& stmt, const DeclBuffer& decl, std::vector<Variant>& out) {
    const BufferNode& view = *decl.buffer;
    auto moved = [&](const std::string& change, BufferOptions layout) {
      layout.data = view.data, layout.scope = view.scope, layout.axis_separators = view.axis_separators;
      Buffer other = make_buffer(view.name, view.dtype, view.shape, std::move(layout));
      Stmt body = substitute(decl.body, BufferMap{{decl.buffer, other}});
      add(out, stmt, change, make_stmt(DeclBuffer{other, body}, stmt->span));
    };
    Expr offset = view.elem_offset ? view.elem_offset : zero(view.shape.empty() ? kInt32 : view.shape[0]->dtype);
    moved("one element later", {.strides = view.strides, .elem_offset = plus(offset, 1)});
    if (view.elem_offset) moved("one element earlier", {.strides = view.strides, .elem_offset = plus(offset, -1)});
    if (view.strides.empty()) return;
    moved("compact", {.elem_offset = view.elem_offset});
    for (size_t d = 0; d < view.strides.size(); ++d) {
      BufferOptions layout{.strides = view.strides, .elem_offset = view.elem_offset};
      layout.strides[d] = plus(layout.strides[d], 1);
      moved("a stride one more", std::move(layout));
    }
  }

  static void of_loop(const Stmt& stmt, const For& loop, std::vector<Variant>& out) {
    auto changed = [&](const std::string& change, const std::function<void(For&)>& f) {
      For copy = loop;
      f(copy);
      add(out, stmt, change, make_stmt(std::move(copy), stmt->span));
    };
    changed("one iteration more", [&](For& f) { f.extent = plus(f.extent, 1); });
    changed("one iteration less", [&](For& f) { f.extent = plus(f.extent, -1); });
    changed("starts one later", [&](For& f) { f.min = plus(f.min, 1), f.extent = plus(f.extent, -1); });
    if (loop.kind == ForKind::Serial) changed("parallel", [&](For& f) { f.kind = ForKind::Parallel; });
    const For* inner = loop.body.as<For>();
    if (inner && !uses_var(inner->extent, loop.var) && !uses_var(inner->min, loop.var)) {
      For outer = *inner, nested = loop;
      nested.body = inner->body;
      outer.body = make_stmt(std::move(nested), stmt->span);
      add(out, stmt, "exchanged with the loop inside", make_stmt(std::move(outer), loop.body->span));
    }
  }

  void of_expressions(const Stmt& stmt, std::vector<Variant>& out) {
    if (stmt.as<AllocBuffer>() || stmt.as<Allocate>() || stmt.as<DeclBuffer>() || stmt.as<For>()) return;
    if (const Block* block = stmt.as<Block>()) {
      for (size_t k = 0; k < block->iters.size(); ++k) {
        for (ExprVariant& v : variants(block->iters[k].binding)) {
          Block copy = *block;
          copy.iters[k].binding = std::move(v.expr);
          add(out, stmt, v.what, make_stmt(std::move(copy), stmt->span));
        }
      }
      if (!block->predicate) return;
      for (ExprVariant& v : variants(block->predicate)) {
        Block copy = *block;
        copy.predicate = std::move(v.expr);
        add(out, stmt, v.what, make_stmt(std::move(copy), stmt->span));
      }
      return;
    }
    std::vector<Expr> tops = expressions(stmt);
    const Store* store = stmt.as<Store>();
    for (size_t k = 0; k < tops.size(); ++k) {
      auto put = [&](const std::string& change, Expr e) {
        std::vector<Expr> list = tops;
        list[k] = std::move(e);
        add(out, stmt, change, with_expressions(stmt, list));
      };
      bool is_index = store && k < store->indices.size();
      if (is_index) off_by_one(tops[k], put);
      for (ExprVariant& v : variants(tops[k])) put(v.what, std::move(v.expr));
    }
  }

  /// e + by, where a constant absorbs it.
  static Expr plus(const Expr& e, int64_t by) {
    if (e->op == Op::IntImm && fits_type(e->dtype, int_value(e) + by)) return imm(e->dtype, int_value(e) + by);
    return by > 0 ? e + imm(e->dtype, by) : e - imm(e->dtype, -by);
  }

  template <class F>
  static void off_by_one(const Expr& index, const F& put) {
    if (!index->dtype.is_scalar() || index->op == Op::IntImm) return;  // a constant is changed as such
    for (int64_t by : {1, -1}) put(print(index) + (by > 0 ? " one more" : " one less"), plus(index, by));
  }

  std::vector<ExprVariant> variants(const Expr& e) {
    std::vector<ExprVariant> out;
    auto put = [&](const std::string& change, Expr mutant) { out.push_back({change, std::move(mutant)}); };
    auto becomes = [&](Expr mutant) { put(print(e) + " becomes " + print(mutant), mutant); };
    of_leaf(e, becomes);
    if (e->args.size() == 2 && (is_infix(e->op) || is_division(e->op) || e->op == Op::Min || e->op == Op::Max)) {
      for (Op op : related(e->op, e->args[0]->dtype.is_float())) becomes(binary(op, e->args[0], e->args[1]));
      if (!(e->args[0] == e->args[1])) becomes(binary(e->op, e->args[1], e->args[0]));
    }
    if (e->op == Op::Select || e->op == Op::IfThenElse) {
      becomes(with_args(e, {e->args[0], e->args[2], e->args[1]}));
      if (e->op == Op::IfThenElse) {
        becomes(select(e->args[0], e->args[1], e->args[2]));
      } else if (e->args[0]->dtype.is_scalar()) {
        becomes(if_then_else(e->args[0], e->args[1], e->args[2]));
      }
    }
    for (size_t k = 0; k < e->args.size(); ++k) {
      if (e->op == Op::Let && k == 0) continue;
      auto put_part = [&](const std::string& change, Expr part) {
        std::vector<Expr> args = e->args;
        args[k] = std::move(part);
        put(change, with_args(e, std::move(args)));
      };
      if (e->op == Op::Load) off_by_one(e->args[k], put_part);
      for (ExprVariant& v : variants(e->args[k])) put_part(v.what, std::move(v.expr));
    }
    return out;
  }

  template <class F>
  void of_leaf(const Expr& e, const F& becomes) {
    if (e->op == Op::IntImm && e->dtype.is_bool()) becomes(boolean(!int_value(e)));
    if (e->op == Op::IntImm && !e->dtype.is_bool()) {
      for (int64_t by : {1, -1}) {
        if (fits_type(e->dtype, int_value(e) + by)) becomes(plus(e, by));
      }
    }
    if (e->op == Op::FloatImm) {
      becomes(fimm(e->dtype, e->float_value() + 1));
      becomes(fimm(e->dtype, -e->float_value()));
    }
    if (e->op == Op::Var) {
      for (const Var& v : loops_) {
        if (!(v == e->var()) && v.dtype() == e->dtype) becomes(v);
      }
    }
    if (e->op == Op::Load) {
      const Buffer& buffer = e->buffer();
      for (const Buffer& other : parameters_) {
        if (!(other == buffer) && other->dtype == buffer->dtype && other->shape == buffer->shape) {
          becomes(load(other, e->args));
        }
      }
    }
  }

  std::vector<Buffer> parameters_;
  std::vector<Var> loops_;  // around the place where we are
};

}  // namespace

std::vector<Mutant> mutants(const PrimFunc& func) {
  std::vector<Mutant> out;
  std::set<std::string> seen = {print(func)};
  for (Variant& v : Mutator(func).variants(func.body)) {
    PrimFunc program = func;
    program.body = std::move(v.stmt);
    if (!ill_formed(program).empty() || !seen.insert(print(program)).second) continue;
    out.push_back({std::move(v.what), std::move(program)});
  }
  return out;
}

MutantSource mutant_source(const PrimFunc& func) {
  return [func, original = print(func), all = Mutator(func).variants(func.body)](uint64_t number) {
    std::optional<Mutant> out;
    if (all.empty()) return out;
    const Variant& v = all[number % all.size()];
    PrimFunc program = func;
    program.body = v.stmt;
    if (ill_formed(program).empty() && print(program) != original) out = Mutant{v.what, std::move(program)};
    return out;
  };
}

std::optional<Mutant> some_mutant(const PrimFunc& func, uint64_t number) { return mutant_source(func)(number); }

}  // namespace hexproof
