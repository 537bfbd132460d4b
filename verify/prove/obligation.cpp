#include "verify/prove/obligation.h"

#include "ir/base/diagnostic.h"
#include "verify/prove/solvers/evaluate.h"
#include "verify/prove/solvers/smt/encode.h"

namespace hexproof {

std::string to_smtlib(const Obligation& obligation) {
  int undefs = 0;
  std::vector<Expr> given;
  for (const Expr& e : obligation.given) given.push_back(prepare(e, &undefs));
  try {
    Script script = encode(given, prepare(obligation.goal, &undefs));
    return "(set-logic " + script.logic + ")\n" + script.text + "(check-sat)\n";
  } catch (const NotEncodable& error) {
    throw Error(std::string("an obligation that is not modelled: ") + error.what());
  }
}

}  // namespace hexproof
