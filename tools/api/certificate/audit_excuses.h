// What a certificate that was made elsewhere may say otherwise than one that is made here.
#pragma once
#include <optional>
#include <string>

#include "tools/api/certificate/audit.h"

namespace hexproof::api {

/// What may differ from what comes out, since the certificate says that it was made elsewhere. Nobody can tell that
/// from a change; so what is excused is not compared, and then the audit does not end as proved.
enum Excuse : unsigned { kOtherSolvers = 1, kOtherLlvm = 2 };

/// The first place where a stored file is another one than the one that was made anew, but for what is excused.
std::optional<AuditFinding> compare_excused(const std::string& name, const std::string& stored, const std::string& made,
                                            unsigned excuses);

}  // namespace hexproof::api
