#include "verify/prove/obligation.h"

#include "ir/base/diagnostic.h"
#include "verify/prove/solvers/evaluate.h"
#include "verify/prove/solvers/smt/encode.h"

namespace hexproof {

std::vector<Obligation> as_one_way(std::vector<Obligation> obligations) {
  for (Obligation& o : obligations) o.one_way = true;
  return obligations;
}

std::string to_smtlib(const Obligation& obligation) {
  int undefs = 0;
  std::vector<Expr> given;
  for (const Expr& e : obligation.given) given.push_back(prepare(e, &undefs));
  try {
    const Expr goal = prepare(asks_for_values(obligation) ? lnot(obligation.goal) : obligation.goal, &undefs);
    Script script = encode(given, goal);
    if (script.abstracts && !script.floats) {
      // Bits that integers leave open have a meaning in words, where those can be wide enough.
      try {
        if (Script words = encode(given, goal, {.reading = Reading::WideBits}); !words.abstracts) script = words;
      } catch (const NotEncodable&) {
      }
    }
    return "(set-logic " + script.logic + ")\n" + script.text + "(check-sat)\n";
  } catch (const NotEncodable& error) {
    throw Error(std::string("an obligation that is not modelled: ") + error.what());
  }
}

}  // namespace hexproof
