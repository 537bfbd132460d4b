// The arguments of a step as JSON that reads back: what `audit` replays a step from.
//
// A variable or buffer of the program is its position in the order in which the program first names it; one that is
// only in the arguments (the indices of a map, say) is numbered and described. So what is read depends on the program's
// text and on the JSON alone.
#pragma once
#include "rewrite/report/report.h"

namespace hexproof {

Json recorded(const Args& args, const PrimFunc& before);
/// Error when the JSON is none of the above, or does not fit the program.
Args read_recorded(const Json& json, const PrimFunc& before);

}  // namespace hexproof
