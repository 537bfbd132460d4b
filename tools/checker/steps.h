// One step of a certificate: what must be shown for the program after it to do what the program before it does.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tools/checker/needs.h"

namespace hexproof::checker {

/// Derived from the two programs alone, whatever the step calls itself: where they differ, by how, and what of that has
/// to be shown. Nothing where the change has none of the shapes that are known here. `given`: the premises of the
/// first program; `file` holds the program after; `traceless`: a branch comes or goes because what it guards leaves no
/// trace, and that is not derived here.
std::optional<std::vector<Need>> follow(const PrimFunc& before, const PrimFunc& after, const std::string& file,
                                        const Premises& given, bool traceless);

}  // namespace hexproof::checker
