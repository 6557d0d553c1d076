// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sweepd::identity {

// Base64 with the alphabet of URLs and without padding (RFC 4648, section 5), as JWS has it.

std::string to_base64url(std::string_view bytes);

/// Strict: each sequence of bytes has exactly one text. Padding, white space, other alphabets and nonzero
/// bits after the last byte are refused.
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace sweepd::identity
