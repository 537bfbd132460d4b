// Needs that hold whatever the program, or that others imply: read off the rules' code, one by one.
#pragma once
#include <cstdint>
#include <vector>

namespace hexproof {

enum class Redundant : uint8_t {
  Implied,   // wherever the other needs hold, so does it: on no seed and no near miss of one is it refuted alone (a
             // test)
  Stricter,  // it asks for more than the result needs: where it is refuted alone, no run goes wrong (a test)
};
struct RedundantNeed {
  const char *fault, *reason;
  Redundant how = Redundant::Implied;
};
/// Nothing stands here that was merely not found.
const std::vector<RedundantNeed>& redundant_needs();

}  // namespace hexproof
