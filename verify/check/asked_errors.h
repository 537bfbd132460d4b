// Which errors of a run an obligation of `check` asks about.
#pragma once
#include "ir/interpreter/error_kind.h"
#include "verify/prove/obligation.h"

namespace hexproof {

/// Does the obligation ask about errors of the kind, where it stands? (A statement may meet others, too.)
bool asks_about(const Obligation& asked, ErrorKind kind);

}  // namespace hexproof
