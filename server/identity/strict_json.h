// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sweepd::identity {

/// Members keep their order in the text.
using Json = nlohmann::ordered_json;

/// A message for people. It may name a member and quotes no value.
struct JsonFault {
  std::string text;
};

inline constexpr std::size_t kJsonDepthMax = 8;
inline constexpr std::size_t kJsonMembersMax = 64;  ///< Of one object.

/// Parses a text that is exactly one object. Duplicate members, which two readers could resolve differently,
/// nesting deeper than kJsonDepthMax, more than kJsonMembersMax members and invalid UTF-8 are refused.
base::Result<Json, JsonFault> parse_json_object(std::string_view text);

/// Whether the value is a text of 1 to `bytes_max` bytes without control characters (base/visible_text.h).
bool is_plain_text(const Json& value, std::size_t bytes_max);

/// The member of that name, or nullptr.
const Json* find_member(const Json& object, const char* name);

}  // namespace sweepd::identity
