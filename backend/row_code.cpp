#include "backend/row_code.h"

#include <set>

#include "ir/visit.h"

namespace hexproof {

const Intrinsic::Code* code_for(const Intrinsic& row, Target target, const HostCpu& cpu) {
  const char* name = target == Target::Hexagon ? "hexagon" : "host";
  for (const Intrinsic::Code& code : row.code) {
    if (code.target == name && (code.needs.empty() || cpu.has(code.needs))) return &code;
  }
  return nullptr;
}

std::string lemma_of(const Intrinsic::Code& code) {
  const size_t at = code.lemma.find("def ");
  return at == std::string::npos ? "" : code.lemma.substr(at + 4, code.lemma.find('(', at) - at - 4);
}

std::vector<std::string> rows_of(const Kernel& kernel) {
  std::set<std::string> out;
  visit_stmt(kernel.func.body, [&](const Stmt& s) {
    const For* loop = s.as<For>();
    const std::string* mark = loop ? mark_of(*loop) : nullptr;
    if (mark && intrinsic_by_name(*mark)) out.insert(*mark);
    return true;
  });
  return {out.begin(), out.end()};
}

std::vector<std::string> rows_without_code(const Kernel& kernel) {
  std::vector<std::string> out = rows_of(kernel);
  std::erase_if(out, [&](const std::string& name) {
    return code_for(*intrinsic_by_name(name), kernel.target, kernel.cpu) != nullptr;
  });
  return out;
}

}  // namespace hexproof
