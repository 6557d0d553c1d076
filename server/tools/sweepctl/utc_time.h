// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sweepd::tools {

/// Seconds since 1970 of "2026-11-25T18:00:00Z"; nothing where the text is no such time.
std::optional<std::int64_t> seconds_of_utc(const std::string& text);

/// And back.
std::string utc_text(std::int64_t seconds);

}  // namespace sweepd::tools
