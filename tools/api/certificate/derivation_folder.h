// The certificate of a schedule without a kernel.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "tools/api/detail.h"

namespace hexproof::api {

/// What such a certificate says of how it was made, as far as an audit must do the same.
nlohmann::ordered_json made_by_apply(bool trust_rules, const Session& session);

/// Writes what a schedule that was proved did as a certificate folder: as a whole, or not at all. It was `thorough`
/// (ScheduleOptions): a certificate holds a check of the result. Error when the folder cannot be written, or something
/// else stands there.
void save_derivation(const std::string& folder, const ScheduledDetail& done, const Program& program,
                     const ScheduleText& schedule, Session& session);

}  // namespace hexproof::api
