// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sweepd::identity {

/// Members keep the order in which they came.
using Json = nlohmann::ordered_json;

/// For people; it may name a member, but quotes no value.
struct JsonFault {
  std::string text;
};

inline constexpr std::size_t kJsonDepthMax = 8;
inline constexpr std::size_t kJsonMembersMax = 64;  ///< Of one object.

/// The value of a text that is one object and nothing else. Refused are duplicate members, of which two
/// readers would take two different ones, nesting deeper than kJsonDepthMax, more than kJsonMembersMax
/// members, and bytes that are no UTF-8.
base::Result<Json, JsonFault> parse_json_object(std::string_view text);

/// A text of 1 to `bytes_max` bytes with no character that a terminal or a log would obey.
bool is_plain_text(const Json& value, std::size_t bytes_max);

/// The member of that name; nothing where there is none.
const Json* find_member(const Json& object, const char* name);

}  // namespace sweepd::identity
