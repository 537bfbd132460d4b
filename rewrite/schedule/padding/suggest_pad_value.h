// What Schedule::suggest_pad_value finds: pad values under which a branch can go, each with its proof.
#pragma once
#include <string>
#include <vector>

#include "rewrite/schedule/schedule.h"

namespace hexproof {

/// A pad value for which the kernel has taken branches away.
struct PadSuggestion {
  /// A constant of the buffer's type, or undef: what `pad_value` of transform_layout takes.
  Expr value;
  /// Fast-math flags that the function does not carry and that the proof needs; no fewer would do. With any, the value
  /// is of use only to a user who grants them.
  std::vector<std::string> flags;
  /// How many branches went that stay without a pad value.
  size_t branches = 0;
  /// The trial: transform_layout, sequential_buffer_access, remove_branching_through_overcompute, with all obligations.
  /// It starts from the program as it was, with `flags` granted besides its own.
  Derivation proof;
  /// "0", "T.float32(0) with nsz", "T.undef()"
  std::string str() const;
};

/// A pad value under which no branch goes.
struct PadRefusal {
  Expr value;
  std::string why;  // the first condition that failed
};

struct PadSuggestions {
  /// The strongest first: undef, which asks nothing of whoever fills the padding, then the constants that need no
  /// flag, then those that do; among equals the one under which more branches go.
  std::vector<PadSuggestion> proved;
  std::vector<PadRefusal> refused;
  /// As Python has them: what no further flag is needed for, or "None" alone when nothing helps.
  std::vector<std::optional<Expr>> usable() const;
};

}  // namespace hexproof
