// Records the steps that these tests ask of the kernel: with HEXPROOF_RECORD_STEPS=FILE each is added to the file, as a
// seed (fuzz/seeds/seeds.h). docs/campaigns.md says how seeds are made of them.
#include <cstdlib>
#include <fstream>
#include <set>

#include "fuzz/hunt/quick_look.h"
#include "fuzz/hunt/unproved_needs.h"
#include "fuzz/seeds/seeds.h"
#include "ir/text/text.h"
#include "rewrite/kernel/observed.h"

namespace hexproof {
namespace record_steps {

constexpr size_t kLongest = 1'800;  // characters of a program: others are no seeds

std::optional<StepSeed> seed_of(const ObservedStep& step) {
  StepSeed seed;
  if (step.refused) seed.refused = fault_of(step.rule, *step.refused);
  try {
    seed.fuzz_case = {step.before, {{step.rule, case_json(step.args)}}, 1};
    const StepSeed back = parse_step_seeds(to_text(seed), "a record").at(0);
    if (case_json(to_args(back.step().args, &back.fuzz_case.program)) != seed.step().args) return std::nullopt;
    if (!unproved(back.fuzz_case.program, back.step())) return std::nullopt;
  } catch (const Error&) {  // an argument that has no form in a case, or loses something in it
    return std::nullopt;
  }
  return seed;
}

class Recorder {
 public:
  Recorder() {
    const char* file = std::getenv("HEXPROOF_RECORD_STEPS");
    if (!file) return;
    out_.open(file, std::ios::app);
    step_observer() = [this](const ObservedStep& step) { record(step); };
  }

 private:
  void record(const ObservedStep& step) {
    if (print(step.before).size() > kLongest) return;
    const std::optional<StepSeed> seed = seed_of(step);
    if (!seed) return;
    const std::string text = to_text(*seed);
    if (seen_.insert(text).second) out_ << text << std::flush;
  }

  std::ofstream out_;
  std::set<std::string> seen_;
};

const Recorder recorder;

}  // namespace record_steps
}  // namespace hexproof
