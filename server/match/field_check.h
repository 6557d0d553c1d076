// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sweepd::match {

/// A field that breaks a rule. `field` is its path in the public contract: "layers[3]", "slots[0].last_id".
struct FieldError {
  std::string field;
  std::string description;  ///< What was found, and the limit.
};

/// The first field at fault, or nothing.
using Found = std::optional<FieldError>;

inline constexpr std::uint32_t kNameBytesMax = 64;  ///< Of layers, participants, rules.

/// Inclusive.
struct Range {
  std::int64_t min;
  std::int64_t max;
};

/// "slots[2]".
std::string indexed(std::string_view name, std::size_t index);

Found check_number(std::string field, std::int64_t value, Range range);
Found check_count(std::string field, std::size_t count, Range range);
Found check_bytes(std::string field, std::string_view text, Range range);
/// Of an enumeration.
Found check_kind(std::string field, std::uint8_t value, Range range);

}  // namespace sweepd::match
