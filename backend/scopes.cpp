#include "backend/scopes.h"

#include <algorithm>

#include "backend/workspace.h"
#include "ir/base/diagnostic.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

constexpr const char* kVtcm = "global.vtcm";

class Scopes {
 public:
  explicit Scopes(Target target) : target_(target) {}

  /// The bytes of VTCM that the memory takes.
  int64_t demand(const std::string& name, const std::string& scope, const Expr& bytes, const Span& span) const {
    if (scope.empty() || scope == "global" || scope == "local") return 0;
    const bool hexagon = target_ == Target::Hexagon;
    if (scope != kVtcm || !hexagon) {
      throw Unsupported(
          span,
          "'" + name + "' lives in memory of scope \"" + scope + "\", which " + (hexagon ? "Hexagon" : "the host") +
              " has not",
          hexagon ? "there are \"global\", \"local\" and \"global.vtcm\"" : "there are \"global\" and \"local\"");
    }
    const std::optional<Wide> size = value_of(bytes);
    if (!size) throw Unsupported(span, "the size of '" + name + "' in VTCM is no constant");
    return static_cast<int64_t>(std::min<Wide>(*size, INT64_MAX / 4));
  }

  /// `used` bytes of VTCM are taken around the statement.
  void stmt(const Stmt& s, int64_t used) const {
    if (const AllocBuffer* a = s.as<AllocBuffer>()) {
      used += demand(a->buffer->name, a->buffer->scope, bytes_of(a->buffer), s->span);
    }
    if (const Allocate* a = s.as<Allocate>())
      used += demand(a->data.name(), a->scope, bytes_of(a->dtype, a->extents), s->span);
    if (used > kVtcmBytes) {
      throw Unsupported(
          s->span, std::to_string(used) + " bytes of VTCM at once, of which there are " + std::to_string(kVtcmBytes),
          "make the tile smaller (compact_buffers), or use scope \"global\"");
    }
    for (const Stmt& part : children(s)) stmt(part, used);
  }

 private:
  Target target_;
};

}  // namespace

void demand_scopes(const PrimFunc& func, Target target) {
  const Scopes scopes(target);
  int64_t used = 0;
  for (const Buffer& b : func.buffer_params()) used += scopes.demand(b->name, b->scope, bytes_of(b), func.span);
  if (func.body) scopes.stmt(func.body, used);
}

}  // namespace hexproof
