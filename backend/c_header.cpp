// The C declaration of a kernel: what a caller passes, and what the caller promises.
#include <algorithm>

#include "backend/alignment.h"
#include "backend/kernel.h"
#include "backend/row_tables.h"
#include "backend/workspace.h"
#include "ir/text/text.h"

namespace hexproof {
namespace {

std::string c_type(DType type) {
  if (type.is_bool()) return "uint8_t";
  if (type == kFloat32) return "float";
  if (type == kFloat64) return "double";
  // (A float that C has no type for is its bits.)
  return (type.is_int() ? "int" : "uint") + std::to_string(type.bits) + "_t";
}

std::string c_name(const std::string& name) {
  std::string out;
  for (char c : name) out.push_back(std::isalnum(static_cast<unsigned char>(c)) ? c : '_');
  return out;
}

std::string text_of_shape(const std::vector<Expr>& shape) {
  std::string out;
  for (const Expr& extent : shape) out += (out.empty() ? "" : ", ") + print(extent);
  return "(" + out + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace

std::string text_of_table(const Buffer& buffer) {
  const RowAxes axes = row_axes(buffer);
  return "a table of rows: a pointer for each index of " + text_of_shape(axes.table) + ", to the elements of " +
         text_of_shape(axes.row);
}

std::string c_header(const Kernel& kernel) {
  const PrimFunc& func = kernel.func;
  std::string align = std::to_string(kParameterAlignment);
  std::string out = "#pragma once\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n/*\n";
  std::vector<Buffer> params = func.buffer_params();
  const bool tables = std::any_of(params.begin(), params.end(), &is_row_table);
  out += " * Every pointer" + std::string(tables ? " to elements" : "") + " is a multiple of " + align +
         ", and no two of them overlap.\n";
  if (tables) {
    out +=
        " * A table has a pointer for each of its rows, at multiples of a pointer's size; it overlaps nothing else,\n"
        " * and nobody writes it while the function runs. A row holds its elements one after the other.\n";
  }
  std::string signature;
  size_t k = 0;
  // A name may be a keyword, or be taken: its position makes it one of its own.
  auto parameter = [&](const std::string& type, const std::string& name) {
    signature += (signature.empty() ? "" : ", ") + type + "arg" + std::to_string(k++) + "_" + c_name(name);
  };
  for (const Buffer& b : params) {
    out += " *   arg" + std::to_string(k) + "  " + b->name + ": " + text_of_shape(b->shape) + " " + b->dtype.str();
    if (is_row_table(b)) out += ", " + text_of_table(b);
    out += "\n";
    parameter(c_type(b->dtype.element()) + (is_row_table(b) ? "* const* restrict " : "* restrict "), b->name);
  }
  for (const Var& v : func.scalars()) {
    out += " *   arg" + std::to_string(k) + "  " + v.name() + ": " + v.dtype().str() + "\n";
    parameter(c_type(v.dtype()) + " ", v.name());
  }
  parameter("uint8_t* restrict ", "workspace");
  std::string bytes = "a number of bytes that depends on the scalars";
  if (func.scalars().empty()) bytes = std::to_string(workspace_bytes(func)) + " bytes";
  out += " *   workspace: " + bytes + ", of any content\n */\n";
  out += "#ifdef __cplusplus\n#define restrict __restrict\n#endif\nvoid " + kernel.symbol + "(" + signature + ");\n";
  out += "#ifdef __cplusplus\n#undef restrict\n}\n#endif\n";
  return out;
}

}  // namespace hexproof
