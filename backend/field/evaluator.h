// The native evaluator of whole-program comparison. It yields no kernel: there is nothing to take away.
#pragma once
#include <memory>

#include "verify/equiv/native.h"

namespace hexproof {

std::unique_ptr<NativeEvaluator> make_native_evaluator();

}  // namespace hexproof
