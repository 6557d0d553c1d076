// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sweepd/status.h"

namespace sweepd::internal {

/// A reconnect token as a game keeps it in a file: hexadecimal digits.
std::string token_text(std::string_view token);
/// Nothing: the text is not one of those.
std::optional<std::string> token_of(std::string_view text);

/// The argument in which games give it, as errors name it.
inline constexpr const char* kTokenField = "reconnect_token";
/// Of a text that is none. It says nothing of the text, which may be a part of a secret.
Status malformed_token();

}  // namespace sweepd::internal
