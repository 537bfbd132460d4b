#include "verify/access/domain_touched.h"

#include <algorithm>

#include "verify/access/footprint_witness.h"
#include "verify/access/linear.h"

namespace hexproof {
namespace {

constexpr const char* kRule = "domain-touched";

struct Ends {
  Expr first, last;
};

/// Sums and differences in their normal form; nothing where a number in it does not fit the type.
std::optional<Expr> simplified(const Expr& e) {
  const Expr out = linear(e).expr(e->dtype);
  return out ? std::optional(out) : std::nullopt;
}
std::optional<Expr> added(const Expr& a, const Expr& b) { return simplified(a + b); }
std::optional<Expr> one_less(const Expr& e) { return simplified(e - imm(e->dtype, 1)); }
/// The last of `extent` values from `first` on.
std::optional<Expr> last_of(const Expr& first, const Expr& extent) {
  const std::optional<Expr> beyond = one_less(extent);
  return beyond ? added(first, *beyond) : std::nullopt;
}

/// The least and greatest value of an index while the loops run, over what is outside of them. Nothing where none is
/// found; values may be further apart than the index ever is.
class Sides {
 public:
  explicit Sides(const std::vector<LoopRange>& loops) : loops_(loops) {}

  std::optional<Ends> of(const Expr& e) const {
    if (as_int(e)) return Ends{e, e};
    if (e->op == Op::Var) {
      for (const LoopRange& loop : loops_) {
        if (loop.var == e->var()) return of_loop(loop);
      }
      return Ends{e, e};
    }
    bool inside = std::any_of(loops_.begin(), loops_.end(), [&](const LoopRange& l) { return uses_var(e, l.var); });
    if (!inside) return is_data(e) ? std::nullopt : std::optional(Ends{e, e});
    if (e->op == Op::FloorDiv || e->op == Op::FloorMod) return of_division(e);
    if (e->op != Op::Add && e->op != Op::Sub && e->op != Op::Mul) return std::nullopt;
    Linear sum = linear(e);
    Ends out{imm(e->dtype, 0), imm(e->dtype, 0)};
    for (const auto& [atom, c] : sum.terms) {
      if (atom == e || !fits_type(e->dtype, c) || !(atom->dtype == e->dtype)) return std::nullopt;
      std::optional<Ends> ends = of(atom);
      if (!ends) return std::nullopt;
      Expr factor = imm(e->dtype, c);
      Expr low = (c > 0 ? ends->first : ends->last) * factor, high = (c > 0 ? ends->last : ends->first) * factor;
      out = {out.first + low, out.last + high};
    }
    if (!fits_type(e->dtype, sum.constant)) return std::nullopt;
    Expr constant = imm(e->dtype, sum.constant);
    const std::optional<Expr> first = added(out.first, constant), last = added(out.last, constant);
    return first && last ? std::optional(Ends{*first, *last}) : std::nullopt;
  }

 private:
  std::optional<Ends> of_loop(const LoopRange& loop) const {
    std::optional<Ends> min = of(loop.min), extent = of(loop.extent);
    if (!min || !extent) return std::nullopt;
    DType type = loop.var.dtype();
    if (!(min->first->dtype == type) || !(extent->last->dtype == type)) return std::nullopt;
    const std::optional<Expr> last = last_of(min->last, extent->last);
    return last ? std::optional(Ends{min->first, *last}) : std::nullopt;
  }

  std::optional<Ends> of_division(const Expr& e) const {
    const int64_t* c = as_int(e->args[1]);
    if (!c || *c <= 0) return std::nullopt;
    std::optional<Ends> x = of(e->args[0]);
    if (e->op == Op::FloorDiv) {
      if (!x) return std::nullopt;
      return Ends{divided(x->first, *c), divided(x->last, *c)};
    }
    Expr top = imm(e->dtype, *c - 1);
    if (x && as_int(x->first) && as_int(x->last) && int_value(x->first) >= 0 && int_value(x->last) < *c) return x;
    return Ends{zero(e->dtype), top};
  }

  static Expr divided(const Expr& e, int64_t c) {
    if (const int64_t* value = as_int(e)) return imm(e->dtype, (*value - ((*value % c + c) % c)) / c);
    return floordiv(e, imm(e->dtype, c));
  }

  const std::vector<LoopRange>& loops_;
};

class Finder {
 public:
  Finder(const Stmt& stmt, const Buffer& buffer, const Facts& facts, Prover& prover)
      : stmt_(stmt), facts_(facts), prover_(prover) {
    out_.buffer = buffer;
    for (Access& access : footprint(stmt, facts)) {
      if (may_alias(access.buffer, buffer)) accesses_.push_back(std::move(access));
    }
    for (size_t d = 0; d < buffer->ndim(); ++d) {
      // The type of the shape, or one that all indices fit.
      DType type = buffer->shape[d]->dtype;
      for (const Access& access : accesses_) {
        if (access.buffer == buffer && !(access.indices[d]->dtype == type)) type = kInt64;
      }
      out_.cell.push_back(Var::fresh("c" + std::to_string(d), type));
      shape_.push_back(as_int(buffer->shape[d]) ? imm(type, *as_int(buffer->shape[d]))
                                                : as_type(type, buffer->shape[d]));
    }
    for (Access& access : accesses_) {
      if (!(access.buffer == buffer)) continue;
      for (size_t d = 0; d < buffer->ndim(); ++d) access.indices[d] = as_type(out_.cell[d].dtype(), access.indices[d]);
    }
  }

  DomainTouched run() {
    for (const Access& access : accesses_) one(access);
    if (!boxes_.empty()) join_boxes();
    return std::move(out_);
  }

 private:
  void one(const Access& access) {
    if (!access.anywhere && proved("the access never happens", given_of(access), boolean(false))) {
      out_.accesses.push_back({.access = access, .when = boolean(false), .exact = true});
      return;
    }
    bool same = access.buffer == out_.buffer && !access.anywhere;
    std::vector<TouchedRange> box = whole();
    if (same) narrow(access, &box);
    boxes_.push_back({box, access});
    TouchedByAccess touched{.access = access, .when = boolean(true), .exact = false};
    std::vector<Expr> in_box;
    for (size_t d = 0; d < box.size(); ++d) {
      in_box.push_back(le(box[d].first, Expr(out_.cell[d])));
      in_box.push_back(lt(Expr(out_.cell[d]), box[d].first + box[d].extent));
    }
    touched.when = all(in_box);
    if (same) eliminate(access, &touched);
    out_.accesses.push_back(std::move(touched));
  }

  std::vector<TouchedRange> whole() const {
    std::vector<TouchedRange> box;
    for (const Expr& n : shape_) box.push_back({zero(n->dtype), n});
    return box;
  }

  bool proved(const std::string& why, const std::vector<Expr>& given, const Expr& goal) {
    if (is_int(goal, 1)) return true;
    return prover_.prove({kRule, why, {"", "", stmt_->span}, given, goal}).verdict == Verdict::Proved;
  }

  std::vector<Expr> given_of(const Access& access) const {
    std::vector<Expr> given = facts_.given();
    for (const Expr& e : domain_of(access)) given.push_back(e);
    return given;
  }

  void narrow(const Access& access, std::vector<TouchedRange>* box) {
    std::vector<Expr> given = given_of(access);
    for (size_t d = 0; d < box->size(); ++d) {
      given.push_back(le(zero(access.indices[d]->dtype), access.indices[d]));
      given.push_back(lt(access.indices[d], shape_[d]));
    }
    for (size_t d = 0; d < box->size(); ++d) {
      const Expr& index = access.indices[d];
      std::optional<Ends> ends = Sides(access.loops).of(index);
      if (!ends || !(index->dtype == out_.cell[d].dtype())) continue;
      // No access of a program that is free of errors is outside of the buffer.
      if (as_int(ends->first) && int_value(ends->first) < 0) ends->first = zero(index->dtype);
      const Expr& size = shape_[d];
      if (as_int(ends->last) && as_int(size) && int_value(ends->last) >= int_value(size)) {
        const std::optional<Expr> last = one_less(size);
        if (!last) continue;
        ends->last = *last;
      }
      const std::optional<Expr> extent = added(ends->last - ends->first, imm(index->dtype, 1));
      if (!extent || !proved("the box holds what is touched", given, le(ends->first, index)) ||
          !proved("the box holds what is touched", given, le(index, ends->last))) {
        continue;
      }
      (*box)[d] = {ends->first, *extent};
    }
  }

  /// The condition on a cell under which the loops have values that touch it.
  void eliminate(const Access& given_access, TouchedByAccess* touched) {
    if (!given_access.exact) return;
    Access access = rename_apart(given_access);
    std::vector<Expr> indices(out_.cell.begin(), out_.cell.end());
    Access cell = access_of(out_.buffer, std::move(indices), given_access.layout);
    auto over_loops = [&](const Expr& e) {
      const std::set<Var> free = free_vars(e);
      return std::any_of(access.loops.begin(), access.loops.end(),
                         [&](const LoopRange& loop) { return free.count(loop.var) > 0; });
    };
    std::vector<Expr> given = given_of(given_access);
    std::vector<Expr> known = facts_.given();
    VarMap at;  // the cell that the access touches
    for (size_t d = 0; d < out_.cell.size(); ++d) {
      if (!(given_access.indices[d]->dtype == out_.cell[d].dtype())) return;
      at.emplace(out_.cell[d], given_access.indices[d]);
    }
    for (const Witness& witness : witnesses(access, cell, known)) {
      bool complete = std::all_of(witness.conditions.begin(), witness.conditions.end(), [&](const Expr& c) {
        return proved("no touched cell is left out", given, substitute(c, at));
      });
      if (!complete || std::any_of(witness.conditions.begin(), witness.conditions.end(), over_loops)) continue;
      std::vector<Expr> left;
      std::vector<Expr> in_buffer = known;
      for (size_t d = 0; d < out_.cell.size(); ++d) {
        in_buffer.push_back(le(zero(out_.cell[d].dtype()), Expr(out_.cell[d])));
        in_buffer.push_back(lt(Expr(out_.cell[d]), shape_[d]));
      }
      // What holds for every cell of the buffer need not be said.
      for (const Expr& c : witness.conditions) {
        if (!proved("", in_buffer, c)) left.push_back(c);
      }
      touched->when = all(left);
      touched->exact = true;
      return;
    }
  }

  void join_boxes() {
    out_.box = boxes_[0].first;
    for (size_t k = 1; k < boxes_.size(); ++k) {
      for (size_t d = 0; d < out_.box.size(); ++d) {
        // A box is part of the buffer: all of it is around both.
        out_.box[d] = joined(out_.box[d], boxes_[k].first[d]).value_or(whole()[d]);
      }
    }
    out_.box_exact = true;
    for (size_t d = 0; d < out_.box.size() && out_.box_exact; ++d) {
      const TouchedRange& side = out_.box[d];
      const std::optional<Expr> last = last_of(side.first, side.extent);
      out_.box_exact = last && reached(d, side.first, false) && reached(d, *last, true);
    }
  }

  /// Nothing where an end does not fit the type.
  static std::optional<TouchedRange> joined(const TouchedRange& a, const TouchedRange& b) {
    if (a.first == b.first && a.extent == b.extent) return a;
    const std::optional<Expr> a_end = added(a.first, a.extent), b_end = added(b.first, b.extent);
    if (!a_end || !b_end) return std::nullopt;
    auto extreme = [&](const Expr& x, const Expr& y, bool least) {
      Linear apart = linear(x - y);
      if (!apart.terms.empty()) return least ? min(x, y) : max(x, y);
      return (apart.constant < 0) == least ? x : y;
    };
    Expr first = extreme(a.first, b.first, true), end = extreme(*a_end, *b_end, false);
    const std::optional<Expr> extent = simplified(end - first);
    return extent ? std::optional(TouchedRange{first, *extent}) : std::nullopt;
  }

  /// Some access touches a cell on this side of the box: with its loops at their ends, its guards hold there.
  bool reached(size_t d, const Expr& side, bool upper) {
    for (const auto& [box, access] : boxes_) {
      if (!access.exact || !(access.buffer == out_.buffer)) continue;
      VarMap corner;
      std::vector<Expr> goals;
      for (const LoopRange& loop : access.loops) {
        Expr min = substitute(loop.min, corner), extent = substitute(loop.extent, corner);
        Linear sum = linear(access.indices[d]);
        Wide slope = 0;
        for (const auto& [atom, c] : sum.terms) {
          if (uses_var(atom, loop.var)) slope = c;
        }
        const std::optional<Expr> end = (slope >= 0) == upper ? last_of(min, extent) : min;
        if (!end) break;
        corner.emplace(loop.var, *end);
        goals.push_back(gt(extent, zero(extent->dtype)));
      }
      if (corner.size() < access.loops.size()) continue;
      for (const Expr& guard : access.guards) goals.push_back(substitute(guard, corner));
      goals.push_back(eq(substitute(access.indices[d], corner), side));
      std::vector<Expr> known = facts_.given();
      bool holds = std::all_of(goals.begin(), goals.end(),
                               [&](const Expr& goal) { return proved("the side of the box is reached", known, goal); });
      if (holds) return true;
    }
    return false;
  }

  const Stmt& stmt_;
  const Facts& facts_;
  Prover& prover_;
  DomainTouched out_;
  std::vector<Expr> shape_;       // in the types of the cell's indices
  std::vector<Access> accesses_;  // the same holds of their indices
  std::vector<std::pair<std::vector<TouchedRange>, Access>> boxes_;
};

}  // namespace

bool DomainTouched::exact() const {
  return std::all_of(accesses.begin(), accesses.end(), [](const TouchedByAccess& a) { return a.exact; });
}

Expr DomainTouched::when(bool writes, bool reads) const {
  Expr out;
  for (const TouchedByAccess& a : accesses) {
    if (a.access.write ? !writes : !reads) continue;
    if (is_int(a.when, 0)) continue;
    if (is_int(a.when, 1)) return a.when;
    if (!out) {
      out = a.when;
    } else if (!(out == a.when)) {
      out = lor(out, a.when);
    }
  }
  return out ? out : boolean(false);
}

DomainTouched domain_touched(const Stmt& stmt, const Buffer& buffer, const Facts& facts, Prover& prover) {
  return Finder(stmt, buffer, facts, prover).run();
}

}  // namespace hexproof
