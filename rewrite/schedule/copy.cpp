#include "rewrite/schedule/blocks/stages.h"
#include "rewrite/schedule/steps.h"

namespace hexproof {

std::shared_ptr<Schedule> copy_of(Schedule& schedule) {
  struct Copy {
    Copy(Derivation all, Prover& prover) : derivation(std::move(all)), schedule(derivation, prover) {}
    Derivation derivation;
    Schedule schedule;
  };
  const Steps from(schedule);
  auto copy = std::make_shared<Copy>(from.derivation(), from.prover());
  Steps(copy->schedule).take_names(schedule);
  return {copy, &copy->schedule};
}

}  // namespace hexproof
