#include "verify/equiv/fingerprint/prepare.h"

#include "ir/interpreter/arguments.h"

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

/// The variables that are bound to data.
std::set<Var> data_variables(const Stmt& body) {
  std::set<Var> out;
  auto data = [&](const Expr& e) {
    if (is_data(e)) return true;
    for (const Var& v : free_vars(e)) {
      if (out.count(v)) return true;
    }
    return false;
  };
  for (size_t before = 1; before != out.size();) {
    before = out.size();
    visit_stmt(body, [&](const Stmt& s) {
      if (const LetStmt* let = s.as<LetStmt>(); let && data(let->value)) out.insert(let->var);
      if (const Block* block = s.as<Block>()) {
        for (const IterVar& iter : block->iters) {
          if (data(iter.binding)) out.insert(iter.var);
        }
      }
      return true;
    });
    visit_all_exprs(body, [&](const Expr& e) {
      if (e->op == Op::Let && data(e->args[1])) out.insert(e->args[0]->var());
    });
    if (out.size() == before) break;
  }
  return out;
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

PrimFunc choices_as_selects(const PrimFunc& func) {
  if (!func.body) return func;
  std::set<Var> data = data_variables(func.body);
  PrimFunc out = func;
  out.body = rewrite_stmt(func.body, [&](const Expr& e) {
    return rewrite_expr(e, [&](const Expr& node) {
      if (node->op != Op::IfThenElse) return node;
      bool steered = is_data(node->args[0]);
      for (const Var& v : free_vars(node->args[0])) steered = steered || data.count(v) != 0;
      return steered ? select(node->args[0], node->args[1], node->args[2]) : node;
    });
  });
  return out;
}

double work(const Stmt& stmt) {
  if (!stmt) return 0;
  double out = 0;
  for (const Stmt& part : children(stmt)) out += work(part);
  if (const For* loop = stmt.as<For>()) {
    if (const int64_t* extent = as_int(loop->extent)) out *= std::max<double>(0, static_cast<double>(*extent));
  }
  return out + 1;
}

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
      case Op::Select:
      case Op::IfThenElse:
        tree(e->dtype);
        break;
      case Op::Cast:
        if (!e->args[0]->dtype.is_integer()) tree(e->dtype);
        break;
      case Op::Var:
      case Op::IntImm:
      case Op::FloatImm:
      case Op::StringImm:
      case Op::Undef:
      case Op::Add:
      case Op::Sub:
      case Op::Mul:
      case Op::Div:
      case Op::FloorDiv:
      case Op::FloorMod:
      case Op::TruncDiv:
      case Op::TruncMod:
      case Op::Min:
      case Op::Max:
      case Op::EQ:
      case Op::NE:
      case Op::LT:
      case Op::LE:
      case Op::GT:
      case Op::GE:
      case Op::And:
      case Op::Or:
      case Op::Not:
      case Op::BitAnd:
      case Op::BitOr:
      case Op::BitXor:
      case Op::BitNot:
      case Op::Shl:
      case Op::Shr:
      case Op::Let:
      case Op::Load:
      case Op::Ramp:
      case Op::Broadcast:
      case Op::Likely:
      case Op::Fits:
        break;
    }
  });
  return trees;
}

}  // namespace hexproof::fingerprint
