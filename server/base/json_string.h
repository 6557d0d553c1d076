// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace sweepd::base {

/// A JSON string, with quotes.
std::string json_string(std::string_view text);

}  // namespace sweepd::base
