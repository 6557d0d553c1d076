// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sweepd::identity {

/// A compact JWS (RFC 7515, section 7.1), decoded but not believed.
struct TokenParts {
  std::string header;
  std::string claims;
  std::string signature;
  std::string_view signed_text;  ///< Of the token itself: what the signature is over.
};

/// Nothing where it is not three parts of base64url with two points between them.
std::optional<TokenParts> split_token(std::string_view token);

/// {"header": …, "claims": …}, indented, for people; nothing where they are no JSON objects. Nothing of it is
/// believed.
std::optional<std::string> token_text(std::string_view token, std::string_view verdict);

}  // namespace sweepd::identity
