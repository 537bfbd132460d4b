#include "verify/prove/opaque_name.h"

#include "ir/base/diagnostic.h"

namespace hexproof {

namespace {

std::string_view words(OpaqueKind kind) {
  switch (kind) {
    case OpaqueKind::Let:
      return "let";
    case OpaqueKind::Layout:
      return "layout";
    case OpaqueKind::Size:
      return "size";
    case OpaqueKind::LoopMin:
      return "min";
    case OpaqueKind::LoopExtent:
      return "extent";
    case OpaqueKind::Lane:
      return "lane";
    case OpaqueKind::Read:
      return "read";
    case OpaqueKind::ReadLayout:
      return "read_layout";
    case OpaqueKind::MayHoldAnything:
      return "may_hold_anything";
    case OpaqueKind::Then:
      return "then";
    case OpaqueKind::Rounded:
      return "rounded";
    case OpaqueKind::SignOfZero:
      return "sign_of_zero";
  }
  internal_error(__FILE__, __LINE__, "no such kind of opaque value");
}

}  // namespace

std::string opaque_name(OpaqueKind kind, uint64_t number, std::string_view of, std::optional<size_t> part) {
  std::string out(words(kind));
  if (!of.empty()) out.append(" of ").append(of);
  out += "#" + std::to_string(number);
  if (part) out += "." + std::to_string(*part);
  return out;
}

bool is_opaque_name(std::string_view name) { return name.find('#') != name.npos; }

}  // namespace hexproof
