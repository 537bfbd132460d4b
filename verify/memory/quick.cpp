#include "verify/memory/quick.h"

#include "verify/prove/effort.h"
#include "verify/prove/open_rounding.h"
#include "verify/prove/solvers/arithmetic/normal_form.h"
#include "verify/prove/solvers/evaluate.h"
#include "verify/prove/solvers/smt/encode.h"

namespace hexproof {

namespace {
constexpr int kApart = 1 << 20;  // what is chosen in another formula is another value

void put(const std::vector<Expr>& list, int undefs, std::vector<Expr>* out) {
  int rounded = undefs;
  for (const Expr& e : list) {
    split_conjunction(prepare(with_open_rounding(e, OpenRounding::here(), &rounded), &undefs), out);
  }
}
}  // namespace

Quick::Quick(const std::vector<Expr>& given) { put(given, 0, &given_); }

bool Quick::implies(const Expr& goal) const {
  Allowance::charge_here(Allowance::kQuick);
  std::vector<Expr> goals;
  put({goal}, kApart, &goals);
  for (const Expr& e : goals) {
    if (!proved_quickly(given_, e)) return false;
  }
  return true;
}

bool Quick::impossible(const std::vector<Expr>& more) const {
  Allowance::charge_here(Allowance::kQuick);
  std::vector<Expr> given = given_;
  put(more, kApart, &given);
  return proved_quickly(given, boolean(false));
}

}  // namespace hexproof
