#include "verify/check/items/claim_bounds.h"

#include "ir/base/mutant.h"
#include "ir/visit.h"
#include "verify/facts/memory_size.h"

namespace hexproof {
namespace {

bool has_a_divisor(const Expr& e) {
  const auto divisor = as_int(e->args[1]);
  return divisor && int_value(e->args[1]) != 0 && int_value(e->args[1]) != -1;
}

/// May evaluating the operation itself, of operands that have values, be an error?
bool may_be_an_error(const Expr& e) {
  if (may_wrap(e->op, e->dtype)) return !e->wraps;
  if (is_division(e->op)) return !has_a_divisor(e);
  if (e->op == Op::Shl || e->op == Op::Shr) return !as_int(e->args[1]);
  return e->op == Op::Cast && e->dtype.is_integer() && e->args[0]->dtype.is_float();
}

/// What it takes for a bound to have a value, whichever of its operands an evaluation would choose.
void has_a_value(const Expr& bound, const Facts& facts, std::vector<Expr>* out) {
  visit_nodes(bound, [&](const Expr& e) {
    if (!is_data(e)) {
      bool fails = false;
      visit_nodes(e, [&](const Expr& node) {
        fails |= may_be_an_error(node);
        return !fails;
      });
      if (fails) out->push_back(fits(e));
      return false;
    }
    if (HEXPROOF_MUTANT("check/claims-of-data-in-error", may_be_an_error(e), false)) out->push_back(boolean(false));
    if (e->op != Op::Load) return true;
    const BufferLayout layout = facts.layout(e->buffer());
    for (size_t d = 0; d < e->args.size() && d < layout.shape.size(); ++d) {
      const Expr index = wide(e->args[d]);
      out->push_back(counted_in_int64(e->args[d]));
      out->push_back(land(le(zero(kInt64), index), lt(index, wide(layout.shape[d]))));
    }
    return true;
  });
}

/// i < low + extent, of numbers of one type. A sum of data would wrap.
Expr before_the_end(const Expr& i, const Expr& low, const Expr& extent) {
  if (HEXPROOF_MUTANT("check/ends-of-claims-wrap", !is_data(low) && !is_data(extent), true)) {
    return HEXPROOF_MUTANT("check/regions", lt(i, fold(low + extent)), le(i, fold(low + extent)));
  }
  if (i->dtype.bits <= 32) return lt(wide(i), wide(low) + wide(extent));
  // From the start on, the distance is a number of 64 bits.
  const Expr distance = is_data(i) || is_data(low) ? cast(kUInt64, i) - cast(kUInt64, low) : i - low;
  const Expr most = distance->dtype == extent->dtype ? extent : cast(kUInt64, extent);
  return land(lt(zero(extent->dtype), extent), lt(distance, most));
}

}  // namespace

Expr lies_within(const Expr& index, const Range& range, const Facts& facts) {
  Expr i = index, low = range.min, extent = range.extent;
  std::vector<Expr> out;
  has_a_value(low, facts, &out);
  has_a_value(extent, facts, &out);
  if (i->dtype != low->dtype || low->dtype != extent->dtype) {
    for (Expr* e : {&i, &low, &extent}) {
      out.push_back(counted_in_int64(*e));
      *e = wide(*e);
    }
  }
  if (is_int(extent, 1)) {
    out.push_back(eq(i, low));
  } else {
    out.push_back(le(low, i));
    out.push_back(before_the_end(i, low, extent));
  }
  std::erase_if(out, [](const Expr& e) { return is_int(e, 1); });
  return all(out);
}

}  // namespace hexproof
