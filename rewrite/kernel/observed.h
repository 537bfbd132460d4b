// Who listens to the steps that are asked of the kernel: the recorder of tests (docs/campaigns.md, seeds).
#pragma once
#include <functional>

#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// A step whose rule applies, once its needs were asked: all of them were proved, or this one was not.
struct ObservedStep {
  const PrimFunc& before;
  const std::string& rule;
  const Args& args;
  const Obligation* refused;
};
using StepObserver = std::function<void(const ObservedStep&)>;

/// Who is told of each such step of this process; empty: nobody, as in the beginning. To be set before threads start.
StepObserver& step_observer();

}  // namespace hexproof
