// SHA-256 (FIPS 180-4, by OpenSSL's libcrypto): the names of proofs in the cache and of files in certificates.
#pragma once
#include <string>
#include <string_view>

namespace hexproof {

/// The digest as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace hexproof
