#include "rewrite/memory/assumed.h"

#include "ir/base/mutant.h"
#include "ir/visit.h"
#include "verify/check/check.h"

namespace hexproof {

void owe_no_error_before_assumes(const Stmt& passed, const PrimFunc& after, const Path& at,
                                 std::vector<Obligation>* needs) {
  bool assumes = false;
  visit_stmt(passed, [&](const Stmt& s) {
    const Assume* assume = s.as<Assume>();
    assumes |= assume && !is_int(assume->condition, 1);
    return !assumes;
  });
  if (HEXPROOF_MUTANT("kernel/errors-before-assumes", !assumes, true)) return;
  for (Obligation& o : free_of_errors(after, at)) needs->push_back(std::move(o));
  for (Obligation& o : claims_hold(after, at)) needs->push_back(std::move(o));
}

}  // namespace hexproof
