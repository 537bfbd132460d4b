#include "verify/check/asked_errors.h"

#include <algorithm>
#include <string_view>

#include "ir/visit.h"

namespace hexproof {
namespace {

bool has(const Expr& e, const std::function<bool(const Expr&)>& wanted) {
  bool found = false;
  visit_nodes(e, [&](const Expr& part) {
    found |= wanted(part);
    return !found;
  });
  return found;
}

bool always(const Obligation&) { return true; }

/// A number of uint64 may be none of int64, in which a run counts. (A goal that is a constant says nothing of it.)
bool counts_in_uint64(const Obligation& o) {
  return as_int(o.goal) || has(o.goal, [](const Expr& e) { return e->dtype.element() == kUInt64; });
}

/// (Nor of the operations.)
bool may_divide_or_shift(const Obligation& o) {
  return as_int(o.goal) || has(o.goal, [](const Expr& e) {
           const bool from_float = e->op == Op::Cast && e->args[0]->dtype.is_float();
           return is_division(e->op) || e->op == Op::Shl || e->op == Op::Shr || from_float;
         });
}

struct Row {
  std::string_view rule;
  std::optional<ErrorKind> kind;
  bool (*when)(const Obligation&);
};

constexpr Row kRows[] = {
#define ASKS(rule, kind, when) {rule, ErrorKind::kind, when},
#define ASKS_NOTHING(rule) {rule, std::nullopt, always},
#include "verify/check/asked_errors.def"
#undef ASKS
#undef ASKS_NOTHING
};

}  // namespace

bool asks_about(const Obligation& asked, ErrorKind kind) {
  bool known = false;
  for (const Row& row : kRows) {
    if (row.rule != asked.rule) continue;
    known = true;
    if (row.kind == kind && row.when(asked)) return true;
  }
  HEXPROOF_CHECK(known, "no errors are named that " + asked.rule + " asks about");
  return false;
}

}  // namespace hexproof
