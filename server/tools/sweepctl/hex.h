// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sweepd::tools {

/// "00ff" of the bytes 0 and 255.
std::string to_hex(std::string_view bytes);
/// Nothing where the text is none, or has half a byte.
std::optional<std::string> from_hex(std::string_view text);

}  // namespace sweepd::tools
