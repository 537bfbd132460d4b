// What a rule would have to do, and cannot: the program and the arguments are right.
#pragma once
#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// A rule does not apply because it is not made for such programs. The engine's limit, and not the user's mistake; for
/// strategies it is a rule that does not apply, like any other.
class EngineLimit : public NotApplicable {
 public:
  using NotApplicable::NotApplicable;
};

}  // namespace hexproof
