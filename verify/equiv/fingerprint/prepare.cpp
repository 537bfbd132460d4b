#include "verify/equiv/fingerprint/prepare.h"

#include "ir/interpreter/arguments.h"
#include "ir/interpreter/fault.h"

namespace hexproof::fingerprint {
namespace {

/// The parameter's buffer with its layout as constants, over the same memory.
Buffer buffer_at(const Buffer& buffer, const VarMap& sizes, const std::map<Var, Scalar>& values) {
  std::vector<Expr> shape;
  std::vector<int64_t> extents;
  for (const Expr& e : buffer->shape) {
    shape.push_back(substitute(e, sizes));
    extents.push_back(static_cast<int64_t>(wide_value(evaluate(e, values))));
  }
  std::vector<int64_t> compact = compact_strides(extents);
  std::vector<Expr> strides;
  bool same = true;
  for (size_t i = 0; i < buffer->strides.size(); ++i) {
    strides.push_back(substitute(buffer->strides[i], sizes));
    same = same && wide_value(evaluate(buffer->strides[i], values)) == compact[i];
  }
  if (same) strides.clear();
  Expr offset = buffer->elem_offset ? substitute(buffer->elem_offset, sizes) : Expr();
  if (offset && wide_value(evaluate(buffer->elem_offset, values)) == 0) offset = {};
  return make_buffer(buffer->name, buffer->dtype, shape,
                     {strides, offset, buffer->axis_separators, buffer->scope, buffer->data});
}

/// The stores of `stmt`, where `chosen` is `when`; elsewhere they store what is there.
Stmt stores_where(const Stmt& stmt, const Var& chosen, bool when) {
  return rewrite_stmt(stmt, {}, [&](const Stmt& s) {
    const Store* store = s.as<Store>();
    if (!store) return s;
    Expr old = load(store->buffer, store->indices), condition = chosen;
    if (!old->dtype.is_scalar()) condition = broadcast(condition, old->dtype.lanes);
    Expr value = when ? select(condition, store->value, old) : select(condition, old, store->value);
    return make_stmt(Store{store->buffer, store->indices, value}, s->span);
  });
}

}  // namespace

PrimFunc at_sizes(const PrimFunc& func, const std::vector<int64_t>& scalars) {
  std::vector<Var> vars = func.scalars();
  HEXPROOF_CHECK(vars.size() == scalars.size(), "not one value per scalar");
  VarMap sizes;
  std::map<Var, Scalar> values;
  for (size_t i = 0; i < vars.size(); ++i) {
    DType type = vars[i].dtype();
    if (!type.is_scalar() || !(type.is_integer() || type.is_bool())) {
      throw Unsupported(func.span, "the scalar parameter '" + vars[i].name() + "' of type " + type.str(),
                        "pass it as a buffer of one element");
    }
    Scalar value = int_scalar(type, scalars[i]);
    values.emplace(vars[i], value);
    sizes.emplace(vars[i], imm(type, wide_value(value)));
  }
  PrimFunc out = func;
  out.params.clear();
  BufferMap buffers;
  for (const Param& p : func.params) {
    if (!p.buffer) continue;
    Buffer at = buffer_at(p.buffer, sizes, values);
    buffers.emplace(p.buffer, at);
    out.params.push_back({p.var, at});
  }
  out.body = substitute(substitute(func.body, sizes), buffers);
  return out;
}

PrimFunc both_ways(const PrimFunc& func) {
  if (!func.body) return func;
  auto choice = [&](const Expr& node) {
    if (node->op != Op::IfThenElse || !is_data(node->args[0])) return node;
    return select(node->args[0], node->args[1], node->args[2]);
  };
  auto statement = [&](const Stmt& s) {
    if (const Block* block = s.as<Block>()) {
      Block copy = *block;
      copy.reads.reset(), copy.writes.reset();
      return make_stmt(std::move(copy), s->span);
    }
    const If* branch = s.as<If>();
    if (!branch || !is_data(branch->condition) || find_statement<Assume>(s)) return s;
    Var chosen = Var::fresh("chosen", kBool, true);
    std::vector<Stmt> ways = {stores_where(branch->then_case, chosen, true)};
    if (branch->else_case) ways.push_back(stores_where(branch->else_case, chosen, false));
    return make_stmt(LetStmt{chosen, branch->condition, seq(std::move(ways))}, s->span);
  };
  PrimFunc out = func;
  out.body = rewrite_stmt(
      func.body, [&](const Expr& e) { return rewrite_expr(e, choice); }, statement);
  return out;
}

namespace {

using Values = std::map<Var, Scalar>;

/// A number over these values; nothing when it depends on anything else.
std::optional<double> number(const Expr& e, const Values& values) {
  if (is_data(e)) return std::nullopt;
  for (const Var& v : free_vars(e)) {
    if (!values.count(v)) return std::nullopt;
  }
  try {
    return static_cast<double>(wide_value(evaluate(e, values)));
  } catch (const Fault&) {
    return std::nullopt;
  }
}

double work(const Stmt& stmt, const Values& first, const Values& last) {
  if (!stmt) return 0;
  double times = 1, out = 0;
  Values lowest = first, highest = last;
  if (const For* loop = stmt.as<For>()) {
    times = std::max({0.0, number(loop->extent, first).value_or(1), number(loop->extent, last).value_or(1)});
    auto bind = [&](Values& values, double step) {
      if (auto min = number(loop->min, values)) {
        values[loop->var] = int_scalar(loop->var.dtype(), static_cast<Wide>(*min + step));
      }
    };
    bind(lowest, 0), bind(highest, std::max(0.0, number(loop->extent, last).value_or(1) - 1));
  }
  auto let = [&](const Var& var, const Expr& value) {
    if (!var.dtype().is_integer()) return;
    for (Values* values : {&lowest, &highest}) {
      if (auto v = number(value, *values)) (*values)[var] = int_scalar(var.dtype(), static_cast<Wide>(*v));
    }
  };
  if (const LetStmt* s = stmt.as<LetStmt>()) let(s->var, s->value);
  if (const Block* s = stmt.as<Block>()) {
    for (const IterVar& iter : s->iters) let(iter.var, iter.binding);
  }
  for (const Stmt& part : children(stmt)) out += work(part, lowest, highest);
  return out * times + 1;
}

}  // namespace

double work(const Stmt& stmt) { return work(stmt, {}, {}); }

bool stays_in_trees(const PrimFunc& func, const Algebra& algebra) {
  bool trees = true;
  auto tree = [&](DType type) { trees = trees && algebra.world(type) == World::Tree; };
  for (const Buffer& b : func.buffer_params()) tree(b->dtype);
  if (!func.body) return trees;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const AllocBuffer* a = s.as<AllocBuffer>()) tree(a->buffer->dtype);
    if (const DeclBuffer* d = s.as<DeclBuffer>()) tree(d->buffer->dtype);
    if (const Allocate* a = s.as<Allocate>()) tree(a->dtype);
    return trees;
  });
  visit_all_exprs(func.body, [&](const Expr& e) {
    switch (e->op) {
      case Op::Call:
        trees = trees && !e->args.empty();
        for (const Expr& arg : e->args) tree(arg->dtype);
        tree(e->dtype);
        break;
      // An integer that data chooses, or that data becomes.
      case HEXPROOF_CASES(Choice):
        tree(e->dtype);
        break;
      case Op::Cast:
        if (!e->args[0]->dtype.is_integer()) tree(e->dtype);
        break;
      case HEXPROOF_CASES(Leaf):
      case HEXPROOF_CASES(Arithmetic):
      case HEXPROOF_CASES(Comparison):
      case HEXPROOF_CASES(Boolean):
      case HEXPROOF_CASES(Bits):
      case Op::Let:
      case Op::Load:
      case HEXPROOF_CASES(Vector):
      case Op::Likely:
      case HEXPROOF_CASES(ProofOnly):
        break;
    }
  });
  return trees;
}

}  // namespace hexproof::fingerprint
