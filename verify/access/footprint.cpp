#include "verify/access/footprint.h"

#include <algorithm>

#include "ir/base/mutant.h"

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

bool may_alias(const Buffer& a, const Buffer& b) {
  return a == b || HEXPROOF_MUTANT("access/views-never-alias", a->data == b->data, false);
}

std::vector<Access> stores_of(const std::vector<Access>& accesses) {
  std::vector<Access> out = writes_of(accesses);
  std::erase_if(out, [](const Access& a) { return a.fills; });
  return out;
}

Expr any_value(DType type) { return Var::any_value(type); }

bool changes_with(const Expr& e, const std::set<Var>& changing) {
  bool found = false;
  visit_nodes(e, [&](const Expr& node) {
    found |= node->op == Op::Undef || loads_from(node, changing) || (node->op == Op::Var && node->var().is_data());
    return !found;
  });
  return found;
}

Access at_any_moment(Access access, const std::set<Var>& changing) {
  size_t dropped = std::erase_if(access.guards, [&](const Expr& e) { return changes_with(e, changing); });
  access.exact = access.exact && dropped == 0;
  // A loop whose bounds may change in between stays where it is: who asks which loops are around two accesses finds it.
  for (LoopRange& loop : access.loops) {
    const bool changes = changes_with(loop.min, changing) || changes_with(loop.extent, changing);
    if (changes) loop.min = any_value(loop.min->dtype), loop.extent = any_value(loop.extent->dtype);
    access.exact = access.exact && !changes;
  }
  for (Expr& index : access.indices) {
    bool changes = changes_with(index, changing);
    if (changes) index = any_value(index->dtype);
    access.exact = access.exact && !changes;
  }
  auto look = [&](const Expr& e) { access.anywhere |= e && changes_with(e, changing); };
  for (const Expr& e : access.layout.shape) look(e);
  for (const Expr& e : access.layout.strides) look(e);
  look(access.layout.offset);
  return access;
}

size_t common_order(const Access& a, const Access& b) {
  size_t n = 0;
  while (n < a.order.size() && n < b.order.size() && a.order[n] == b.order[n]) ++n;
  return n;
}

Access rename_apart(const Access& access) { return rename_apart(access, {}).access; }

RenamedAccess rename_apart(const Access& access, const std::vector<LoopRange>& outer, VarMap renaming) {
  for (const LoopRange& loop : outer) {
    if (renaming.count(loop.var)) continue;
    Var var = Var::fresh(loop.var.name(), loop.var.dtype());
    renaming.emplace(loop.var, Expr(var));
  }
  VarMap map = renaming;
  Access out = access;
  for (LoopRange& loop : out.loops) {
    Var var = Var::fresh(loop.var.name(), loop.var.dtype());
    loop.min = substitute(loop.min, map);
    loop.extent = substitute(loop.extent, map);
    map.insert_or_assign(loop.var, Expr(var));
    loop.var = var;
  }
  std::vector<LoopRange> loops = std::move(out.loops);
  out.loops.clear();
  out = substitute(std::move(out), map);
  out.loops = std::move(loops);
  return {std::move(out), std::move(renaming)};
}

Access substitute(Access access, const VarMap& map) {
  if (map.empty()) return access;
  for (LoopRange& loop : access.loops) {
    loop.min = substitute(loop.min, map);
    loop.extent = substitute(loop.extent, map);
  }
  for (Expr& index : access.indices) index = substitute(index, map);
  for (Expr& guard : access.guards) guard = substitute(guard, map);
  access.layout = substitute(std::move(access.layout), map);
  return access;
}

Access access_of(const Buffer& buffer, std::vector<Expr> indices, bool write) {
  return access_of(buffer, std::move(indices), layout_of(buffer), write);
}

Access access_of(const Buffer& buffer, std::vector<Expr> indices, BufferLayout layout, bool write) {
  Access out;
  out.buffer = buffer;
  out.indices = std::move(indices);
  out.write = write;
  out.layout = std::move(layout);
  return out;
}

std::vector<Expr> domain_of(const Access& access) {
  std::vector<Expr> out;
  for (const LoopRange& loop : access.loops) {
    for (Expr& e : range_of(loop)) out.push_back(std::move(e));
  }
  out.insert(out.end(), access.guards.begin(), access.guards.end());
  auto ran = [&](const Expr& e) {
    for (Expr& claim : evaluated(e)) {
      if (std::find(out.begin(), out.end(), claim) == out.end()) out.push_back(std::move(claim));
    }
  };
  for (const LoopRange& loop : access.loops) ran(loop.min), ran(loop.extent);
  for (const Expr& guard : access.guards) ran(guard);
  for (const Expr& index : access.indices) {
    if (access.evaluated) ran(index);
  }
  return out;
}

namespace {

/// A part of an address as a value of that type. (A uint64 is below 2^63 where the part is used: int64 holds it.)
Expr part_in(DType type, const Expr& e) {
  if (e->dtype == type) return e;
  return as_int(e) && fits_type(type, int_value(e)) ? imm(type, int_value(e)) : cast(type, e);
}

/// a + b, a * b, exactly: an address is a mathematical integer, whatever its indices depend on.
Expr join(Op op, Expr a, Expr b) { return fold(binary(op, std::move(a), std::move(b), false)); }

Expr equal(Expr a, Expr b) {
  std::tie(a, b) = alike(a, b);
  return eq(std::move(a), std::move(b));
}

}  // namespace

bool same_layout(const Access& a, const Access& b) {
  if (a.buffer->dtype != b.buffer->dtype ||
      HEXPROOF_MUTANT("access/strides-ignored", !a.layout.strides.empty() || !b.layout.strides.empty(), false))
    return false;
  auto offset = [](const BufferLayout& layout) { return layout.offset ? layout.offset : i32(0); };
  return a.layout.shape == b.layout.shape &&
         HEXPROOF_MUTANT("access/offset-ignored", offset(a.layout) == offset(b.layout), true);
}

DType address_type(const BufferLayout& layout, const std::vector<Expr>& indices) {
  std::optional<DType> type;
  auto part = [&](const Expr& e) {
    type = !type || *type == e->dtype ? e->dtype : kInt64;
    if (*type == kUInt64) type = kInt64;
  };
  for (const Expr& e : indices) part(e);
  for (const Expr& e : layout.strides) part(e);
  for (size_t d = 1; layout.strides.empty() && d < layout.shape.size(); ++d) part(layout.shape[d]);
  if (layout.offset) part(layout.offset);
  return type.value_or(kInt32);
}

Expr flat_address(const BufferLayout& layout, const std::vector<Expr>& indices, DType type) {
  HEXPROOF_CHECK(layout.shape.size() == indices.size(), "an address in a layout of as many dimensions as indices");
  Expr out;
  for (size_t d = 0; d < indices.size(); ++d) {
    Expr term = part_in(type, indices[d]);
    if (!layout.strides.empty()) {
      term = HEXPROOF_MUTANT("access/stride-forgotten", join(Op::Mul, term, part_in(type, layout.strides[d])), term);
      out = out ? join(Op::Add, out, term) : term;
    } else {
      out = out ? join(Op::Add, join(Op::Mul, out, part_in(type, layout.shape[d])), term) : term;
    }
  }
  if (!out) out = zero(type);
  return HEXPROOF_MUTANT("access/offset-forgotten", layout.offset, Expr())
             ? join(Op::Add, out, part_in(type, layout.offset))
             : out;
}

Expr flat_address(const BufferLayout& layout, const std::vector<Expr>& indices) {
  return flat_address(layout, indices, address_type(layout, indices));
}

Expr byte_address(const BufferLayout& layout, const std::vector<Expr>& indices, int element_bytes, DType type) {
  const Expr at = flat_address(layout, indices, type.bits < 32 ? kInt32 : type);
  return element_bytes == 1 ? at : at * imm(at->dtype, element_bytes);
}

Expr same_cell(const Access& a, const Access& b) {
  if (!may_alias(a.buffer, b.buffer)) return boolean(false);
  if (HEXPROOF_MUTANT("access/anywhere", a.anywhere || b.anywhere, false)) return boolean(true);
  if (same_layout(a, b)) {
    std::vector<Expr> equalities;
    for (size_t d = 0; d < a.indices.size(); ++d) equalities.push_back(equal(a.indices[d], b.indices[d]));
    return all(equalities);
  }
  int m = a.buffer->dtype.bytes() * a.buffer->dtype.lanes, n = b.buffer->dtype.bytes() * b.buffer->dtype.lanes;
  const DType of_a = address_type(a.layout, a.indices), of_b = address_type(b.layout, b.indices);
  const DType type = m == n && of_a == of_b ? of_a : kInt64;
  const Expr x = flat_address(a.layout, a.indices, type), y = flat_address(b.layout, b.indices, type);
  if (m == n) return eq(x, y);
  auto bytes = [](const Expr& at, int size) { return join(Op::Mul, at, imm(kInt64, size)); };
  Expr x0 = bytes(x, m), y0 = bytes(y, n);
  return land(lt(x0, join(Op::Add, y0, imm(kInt64, n))), lt(y0, join(Op::Add, x0, imm(kInt64, m))));
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

}  // namespace hexproof
