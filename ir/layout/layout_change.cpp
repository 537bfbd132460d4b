#include "ir/layout/layout_change.h"

#include "ir/visit.h"

namespace hexproof {

bool Padding::varies() const { return kind == Kind::Value && value && (!free_vars(value).empty() || is_data(value)); }

}  // namespace hexproof
