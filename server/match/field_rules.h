// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "match/config.h"

/// The rules that rows tell: ranges, and checks of their own.
namespace sweepd::match {

/// The first field of `owner` at fault, in the order of its rows. `path`: of `owner`; empty for the config.
template <typename Struct>
Found check_fields(const std::string& path, const Struct& owner, const MatchConfig& config);

template <typename Entry>
Found check_value(const std::string& path, const std::vector<Entry>& entries,
                  const std::optional<Range>& range, const MatchConfig& config);

template <typename Value>
Found check_value(const std::string& path, const std::optional<Value>& value,
                  const std::optional<Range>& range, const MatchConfig& config) {
  return value ? check_value(path, *value, range, config) : std::nullopt;
}

template <typename Value>
Found check_value(const std::string& path, const Value& value, const std::optional<Range>& range,
                  const MatchConfig& config) {
  if constexpr (std::is_enum_v<Value>) {
    return check_kind(path, static_cast<std::uint8_t>(value), range.value_or(numbers_of(value)));
  } else if constexpr (std::is_same_v<Value, std::string>) {
    return range ? check_bytes(path, value, *range) : std::nullopt;
  } else if constexpr (std::is_integral_v<Value>) {
    return range ? check_number(path, static_cast<std::int64_t>(value), *range) : std::nullopt;
  } else if constexpr (!std::is_same_v<Value, RoleSet> && !std::is_same_v<Value, collision::Part>) {
    return check_fields(path, value, config);
  }
  return std::nullopt;
}

template <typename Entry>
Found check_value(const std::string& path, const std::vector<Entry>& entries,
                  const std::optional<Range>& range, const MatchConfig& config) {
  if (range) {
    if (Found error = check_count(path, entries.size(), *range)) return error;
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (Found error = check_value(indexed(path, i), entries[i], std::nullopt, config)) return error;
  }
  return std::nullopt;
}

template <typename Struct>
Found check_fields(const std::string& path, const Struct& owner, const MatchConfig& config) {
  Found error;
  for_each_field(std::type_identity<Struct>(), [&](const auto& field) {
    if (error) return;
    const std::string field_path = path.empty() ? field.name : path + "." + field.name;
    error = field.check ? field.check({field_path, owner, config})
                        : check_value(field_path, owner.*field.member, field.range, config);
  });
  return error;
}

}  // namespace sweepd::match
