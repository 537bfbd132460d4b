// Random rule applications.
#pragma once
#include <optional>

#include "fuzz/case.h"
#include "fuzz/choices.h"

namespace hexproof {

/// A step that might apply to the program as it stands: a rule, and arguments that fit the program's shape now
/// and then; with `passes`, one in four is a pass or sequential_buffer_access. Nothing after eight steps.
class RandomSteps {
 public:
  explicit RandomSteps(Choices& choices, bool passes = false) : choices_(choices), passes_(passes) {}
  std::optional<StepRequest> operator()(const PrimFunc& current);

 private:
  Choices& choices_;
  bool passes_;
  int left_ = 8;
};

}  // namespace hexproof
