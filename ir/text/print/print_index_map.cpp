#include "ir/layout/index_map.h"
#include "ir/text/print/printer.h"
#include "ir/text/text.h"

namespace hexproof {

TextOver print_over(const std::vector<Var>& vars, const std::vector<Expr>& exprs) {
  text::Printer printer;
  TextOver out;
  for (const Var& v : vars) out.vars += (out.vars.empty() ? "" : ", ") + printer.define(v);
  for (const Expr& e : exprs) {
    printer.text.clear();
    printer.expr(e);
    out.exprs.push_back(printer.text);
  }
  return out;
}

std::string print(const IndexMap& map) {
  const TextOver over = print_over(map.inputs, map.outputs);
  std::string out;
  for (size_t d = 0; d < map.outputs.size(); ++d) {
    for (int s : map.axis_separators) {
      if (static_cast<size_t>(s) == d) out += (out.empty() ? "" : ", ") + std::string("AXIS_SEPARATOR");
    }
    out += (out.empty() ? "" : ", ") + over.exprs[d];
  }
  return "lambda" + (over.vars.empty() ? "" : " " + over.vars) + ": [" + out + "]";
}

}  // namespace hexproof
