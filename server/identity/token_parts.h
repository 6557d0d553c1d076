// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sweepd::identity {

/// A compact JWS (RFC 7515, section 7.1), decoded and not verified.
struct TokenParts {
  std::string header;
  std::string claims;
  std::string signature;
  std::string_view signed_text;  ///< The part of the token that the signature covers.
};

/// Nothing if the token is not three parts of base64url with points between them.
std::optional<TokenParts> split_token(std::string_view token);

/// {"header": …, "claims": …, "verdict": …} in indented JSON; nothing if header or claims are no JSON
/// objects. An empty verdict is left out. The signature is not verified.
std::optional<std::string> token_text(std::string_view token, std::string_view verdict);

}  // namespace sweepd::identity
