// What a certificate must look like before anything in it is done again.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "tools/api/certificate/audit.h"

namespace hexproof::api {

/// What keeps certificate.json, of this text, from being a certificate of this hexproof.
std::optional<AuditFinding> wrong_form(const nlohmann::ordered_json& certificate, const std::string& text);

}  // namespace hexproof::api
