#include "ir/layout/index_map.h"
#include "ir/text/text.h"

namespace hexproof {

std::string print(const IndexMap& map) {
  std::string in, out;
  for (const Var& v : map.inputs) in += (in.empty() ? " " : ", ") + v.name();
  for (size_t d = 0; d < map.outputs.size(); ++d) {
    for (int s : map.axis_separators) {
      if (static_cast<size_t>(s) == d) out += (out.empty() ? "" : ", ") + std::string("AXIS_SEPARATOR");
    }
    out += (out.empty() ? "" : ", ") + print(map.outputs[d]);
  }
  return "lambda" + in + ": [" + out + "]";
}

}  // namespace hexproof
