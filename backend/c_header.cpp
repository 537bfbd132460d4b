// The C declaration of a kernel: what a caller passes, and what the caller promises.
#include "backend/alignment.h"
#include "backend/kernel.h"
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

}  // namespace

std::string c_header(const Kernel& kernel) {
  const PrimFunc& func = kernel.func;
  std::string align = std::to_string(kParameterAlignment);
  std::string out = "#pragma once\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n/*\n";
  out += " * Every pointer is a multiple of " + align + ", and no two of them overlap.\n";
  std::string signature;
  size_t k = 0;
  // A name may be a keyword, or be taken: its position makes it one of its own.
  auto parameter = [&](const std::string& type, const std::string& name) {
    signature += (signature.empty() ? "" : ", ") + type + "arg" + std::to_string(k++) + "_" + c_name(name);
  };
  for (const Buffer& b : func.buffer_params()) {
    std::string shape;
    for (const Expr& extent : b->shape) shape += (shape.empty() ? "" : ", ") + print(extent);
    if (b->shape.size() == 1) shape += ",";
    out += " *   arg" + std::to_string(k) + "  " + b->name + ": (" + shape + ") " + b->dtype.str() + "\n";
    parameter(c_type(b->dtype.element()) + "* restrict ", b->name);
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
