#include "ir/base/codes.h"

#include <algorithm>

namespace hexproof {

const std::vector<CodeInfo>& all_codes() {
  static const std::vector<CodeInfo> codes = {
#define CODE(name, id, title, text) {Code::name, id, title, text},
#include "ir/base/codes.def"
#undef CODE
  };
  return codes;
}

const CodeInfo& info(Code code) { return all_codes().at(static_cast<size_t>(code)); }

std::string code_line(Code code) {
  return std::string("  ") + info(code).id + ": " + info(code).title + " (hexproof explain " + info(code).id + ")";
}

const CodeInfo* code_named(const std::string& id) {
  std::string upper = id;
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  for (const CodeInfo& one : all_codes()) {
    if (upper == one.id) return &one;
  }
  return nullptr;
}

Diagnosed diagnosed(const Error& error, Code otherwise) {
  const auto* with = dynamic_cast<const CodedError*>(&error);
  return {error.span, error.what(), false, with ? with->code : otherwise};
}

Diagnosed diagnosed(const Unsupported& error, Code otherwise) {
  const auto* with = dynamic_cast<const CodedUnsupported*>(&error);
  return {error.span, error.what(), true, with ? with->code : otherwise};
}

ErrorList::ErrorList(std::vector<Diagnosed> all) : Error(""), list(std::move(all)) {
  HEXPROOF_CHECK(!list.empty(), "a list of errors without one");
  std::stable_sort(list.begin(), list.end(),
                   [](const Diagnosed& a, const Diagnosed& b) { return a.span.line < b.span.line; });
  span = list.front().span;
  for (const Diagnosed& one : list) text_ += one.text + "\n" + code_line(one.code) + "\n";
  text_ += "found " + std::to_string(list.size()) + " errors";
}

bool ErrorList::all_unsupported() const {
  return std::all_of(list.begin(), list.end(), [](const Diagnosed& one) { return one.unsupported; });
}

}  // namespace hexproof
