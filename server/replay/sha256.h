// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace sweepd::replay {

inline constexpr std::size_t kSha256Bytes = 32;

/// Of all pieces one after the other.
std::string sha256(std::initializer_list<std::string_view> pieces);

}  // namespace sweepd::replay
