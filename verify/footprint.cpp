#include "verify/footprint.h"

namespace hexproof {

std::vector<Access> reads_of(const std::vector<Access>& accesses) {
  std::vector<Access> out;
  for (const Access& a : accesses) {
    if (!a.write) out.push_back(a);
  }
  return out;
}

std::vector<Access> writes_of(const std::vector<Access>& accesses) {
  std::vector<Access> out;
  for (const Access& a : accesses) {
    if (a.write) out.push_back(a);
  }
  return out;
}

bool may_alias(const Buffer& a, const Buffer& b) { return a == b || a->data == b->data; }

size_t common_order(const Access& a, const Access& b) {
  size_t n = 0;
  while (n < a.order.size() && n < b.order.size() && a.order[n] == b.order[n]) ++n;
  return n;
}

Access rename_apart(const Access& access, const std::vector<LoopRange>& outer, VarMap* renaming) {
  VarMap map = renaming ? *renaming : VarMap{};
  for (const LoopRange& loop : outer) {
    if (map.count(loop.var)) continue;
    Var var = Var::fresh(loop.var.name(), loop.var.dtype());
    map.emplace(loop.var, Expr(var));
  }
  if (renaming) *renaming = map;
  Access out = access;
  for (LoopRange& loop : out.loops) {
    Var var = Var::fresh(loop.var.name(), loop.var.dtype());
    loop.min = substitute(loop.min, map);
    loop.extent = substitute(loop.extent, map);
    map.insert_or_assign(loop.var, Expr(var));
    loop.var = var;
  }
  for (Expr& index : out.indices) index = substitute(index, map);
  for (Expr& guard : out.guards) guard = substitute(guard, map);
  return out;
}

std::vector<Expr> domain_of(const Access& access) {
  std::vector<Expr> out;
  for (const LoopRange& loop : access.loops) {
    for (Expr& e : range_of(loop)) out.push_back(std::move(e));
  }
  out.insert(out.end(), access.guards.begin(), access.guards.end());
  return out;
}

namespace {

Expr widen(const Expr& e) { return e->dtype == kInt64 ? e : cast(kInt64, e); }

/// a + b, a * b in a type that holds both.
Expr join(Op op, Expr a, Expr b) {
  if (a->dtype != b->dtype) a = widen(a), b = widen(b);
  return fold(binary(op, std::move(a), std::move(b)));
}

Expr equal(Expr a, Expr b) {
  if (a->dtype != b->dtype) a = widen(a), b = widen(b);
  return eq(std::move(a), std::move(b));
}

/// Compact views of equal shapes, over the same offset, have equal addresses where their indices are equal.
bool same_layout(const BufferNode& a, const BufferNode& b) {
  return a.dtype == b.dtype && a.shape == b.shape && a.strides == b.strides &&
         (a.elem_offset == b.elem_offset || (!a.elem_offset && is_int(b.elem_offset, 0)) ||
          (!b.elem_offset && is_int(a.elem_offset, 0)));
}

}  // namespace

Expr flat_address(const Buffer& buffer, const std::vector<Expr>& indices) {
  Expr out;
  for (size_t d = 0; d < indices.size(); ++d) {
    Expr term = indices[d];
    if (!buffer->strides.empty()) {
      term = join(Op::Mul, term, buffer->strides[d]);
      out = out ? join(Op::Add, out, term) : term;
    } else {
      out = out ? join(Op::Add, join(Op::Mul, out, buffer->shape[d]), term) : term;
    }
  }
  if (!out) out = i32(0);
  return buffer->elem_offset ? join(Op::Add, out, buffer->elem_offset) : out;
}

Expr same_cell(const Access& a, const Access& b) {
  if (!may_alias(a.buffer, b.buffer)) return boolean(false);
  if (a.layout_varies || b.layout_varies) return boolean(true);
  bool strided = !a.buffer->strides.empty();  // different indices may then mean one address
  if (!strided && (a.buffer == b.buffer || same_layout(*a.buffer, *b.buffer))) {
    std::vector<Expr> equalities;
    for (size_t d = 0; d < a.indices.size(); ++d) equalities.push_back(equal(a.indices[d], b.indices[d]));
    return all(equalities);
  }
  Expr x = flat_address(a.buffer, a.indices), y = flat_address(b.buffer, b.indices);
  int m = a.buffer->dtype.bytes() * a.buffer->dtype.lanes, n = b.buffer->dtype.bytes() * b.buffer->dtype.lanes;
  if (m == n) return equal(x, y);
  auto bytes = [](const Expr& at, int size) { return fold(widen(at) * imm(kInt64, size)); };
  Expr x0 = bytes(x, m), y0 = bytes(y, n);
  return land(lt(x0, y0 + imm(kInt64, n)), lt(y0, x0 + imm(kInt64, m)));
}

std::vector<Obligation> disjoint(const std::string& rule, const std::string& why, const Place& where,
                                 const std::vector<Expr>& given, const Access& a, const Access& b) {
  if (!may_alias(a.buffer, b.buffer)) return {};
  std::vector<Expr> known = given;
  for (const Access* access : {&a, &b}) {
    for (Expr& e : domain_of(*access)) known.push_back(std::move(e));
  }
  return {Obligation{rule, why, where, std::move(known), lnot(same_cell(a, b))}};
}

std::vector<Obligation> commutes(const std::string& rule, const std::string& why, const Place& where,
                                 const std::vector<Expr>& given, const std::vector<Access>& first,
                                 const std::vector<Access>& second) {
  std::vector<Obligation> out;
  for (const Access& a : first) {
    for (const Access& b : second) {
      if (!a.write && !b.write) continue;
      // The loops inside the two statements are their own: one statement may stand on both sides.
      std::vector<Obligation> more = disjoint(rule, why, where, given, a, rename_apart(b, {}, nullptr));
      out.insert(out.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
  }
  return out;
}

}  // namespace hexproof
