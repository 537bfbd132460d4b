// The facts of programs that were asked about last. A strategy asks many questions about one program before it changes
// it, and building the facts is a walk over all of it.
#pragma once
#include <memory>
#include <optional>

#include "verify/memory/content.h"

namespace hexproof {

/// The facts of the function (with `unseen` and `about`, see Content). The last few of each thread are kept: a program
/// is the same one when its body, parameters and granted flags are.
std::shared_ptr<const Content> content_of(const PrimFunc& func, const std::optional<Path>& unseen = std::nullopt,
                                          const std::optional<std::set<Var>>& about = std::nullopt);

}  // namespace hexproof
