// Random rule applications.
#pragma once
#include <optional>

#include "fuzz/case.h"
#include "fuzz/choices.h"

namespace hexproof {

/// What a step may be: the rules by name, then the passes, then sequential_buffer_access.
const std::vector<std::string>& step_names();
/// Which of them it is.
std::string step_name(const StepRequest& step);

/// A step that might apply to the program as it stands: a rule, and arguments that fit the program's shape now
/// and then; with `passes`, one in four is a pass or sequential_buffer_access. More than half are `wanted`, one of
/// step_names(), when it is given. Nothing after eight steps.
class RandomSteps {
 public:
  explicit RandomSteps(Choices& choices, bool passes = false, std::string wanted = "")
      : choices_(choices), passes_(passes), wanted_(std::move(wanted)) {}
  std::optional<StepRequest> operator()(const PrimFunc& current);

 private:
  Choices& choices_;
  bool passes_;
  std::string wanted_;
  int left_ = 8;
};

}  // namespace hexproof
