#include "tools/verdict.h"

namespace hexproof::tools {

int exit_code(api::Verdict verdict) {
  switch (verdict) {
    case api::Verdict::Proved:
      return kProved;
    case api::Verdict::Refuted:
      return kRefuted;
    case api::Verdict::Undecided:
      return kUndecided;
    case api::Verdict::Vacuous:
      return kVacuous;
    case api::Verdict::Rejected:
      return kRejected;
    case api::Verdict::Unsupported:
      return kUnsupported;
  }
  internal_error(__FILE__, __LINE__, "no such verdict");
}

int exit_code(api::Failure::Kind kind) {
  using Kind = api::Failure::Kind;
  switch (kind) {
    case Kind::Input:
      return kBadInput;
    case Kind::Unsupported:
      return kUnsupported;
    case Kind::Refuted:
      return kRefuted;
    case Kind::Undecided:
      return kUndecided;
    case Kind::Internal:
      return kInternal;
  }
  internal_error(__FILE__, __LINE__, "no such kind of failure");
}

int worse(int a, int b) {
  // In the order in which a person must look at them.
  for (int code : {+kInternal, +kRejected, +kRefuted, +kVacuous, +kBadInput, +kUnsupported, +kUndecided}) {
    if (a == code || b == code) return code;
  }
  return kProved;
}

}  // namespace hexproof::tools
