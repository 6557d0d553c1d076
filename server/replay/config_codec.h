// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "match/config.h"

namespace sweepd::replay {

/// A whole config as bytes. Equal configs of one build give equal bytes; a replay's digest of its config is
/// one of these bytes as they stand in the file, so it does not depend on the build that reads it.
std::string encode_config(const match::MatchConfig& config);

/// What cannot be a config's bytes is refused; whether it is one that a match can have is for Match::create
/// to say.
base::Result<match::MatchConfig, match::FieldError> decode_config(std::string_view bytes);

/// The lowest version of the format that says all that is in a config.
std::uint32_t format_version_of(const match::MatchConfig& config);
std::uint32_t format_version_of(std::string_view config_bytes);

}  // namespace sweepd::replay
