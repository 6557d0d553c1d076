// SPDX-License-Identifier: MIT
#include "match/field_check.h"

#include <utility>

namespace sweepd::match {
namespace {

std::string limits(Range range) { return std::to_string(range.min) + " to " + std::to_string(range.max); }

bool contains(Range range, std::int64_t value) { return value >= range.min && value <= range.max; }

}  // namespace

std::string indexed(std::string_view name, std::size_t index) {
  return std::string(name) + "[" + std::to_string(index) + "]";
}

Found check_number(std::string field, std::int64_t value, Range range) {
  if (contains(range, value)) return std::nullopt;
  return FieldError{std::move(field), "is " + std::to_string(value) + "; must be " + limits(range)};
}

Found check_count(std::string field, std::size_t count, Range range) {
  if (contains(range, static_cast<std::int64_t>(count))) return std::nullopt;
  return FieldError{std::move(field),
                    "has " + std::to_string(count) + " entries; must have " + limits(range)};
}

Found check_bytes(std::string field, std::string_view text, Range range) {
  if (contains(range, static_cast<std::int64_t>(text.size()))) return std::nullopt;
  return FieldError{std::move(field),
                    "has " + std::to_string(text.size()) + " bytes; must have " + limits(range)};
}

Found check_kind(std::string field, std::uint8_t value, Range range) {
  if (contains(range, value)) return std::nullopt;
  return FieldError{std::move(field), "is " + std::to_string(value) + ", which names no known value"};
}

}  // namespace sweepd::match
