#include "verify/check/finding_text.h"

namespace hexproof {

std::string_view to_text(Finding finding) {
  switch (finding) {
    case Finding::Proved:
      return "proved";
    case Finding::Refuted:
      return "refuted";
    case Finding::Undecided:
      return "undecided";
    case Finding::Vacuous:
      return "vacuous";
    case Finding::Unsupported:
      return "unsupported";
  }
  internal_error(__FILE__, __LINE__, "no such finding");
}

}  // namespace hexproof
