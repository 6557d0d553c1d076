// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace sweepd::runtime {

/// What a line of the log tells beside its message. The name is ours, in snake_case, and none of "time",
/// "level" and "message"; the value may come from a client. Both are only looked at within the call.
struct LogField {
  LogField(std::string_view field_name, std::string_view text) : name(field_name), value(text) {}
  LogField(std::string_view field_name, const std::string& text)
      : name(field_name), value(std::string_view(text)) {}
  LogField(std::string_view field_name, const char* text) : name(field_name), value(std::string_view(text)) {}
  template <std::unsigned_integral Number>
  LogField(std::string_view field_name, Number number) : name(field_name), value(std::uint64_t{number}) {}
  template <std::signed_integral Number>
  LogField(std::string_view field_name, Number number) : name(field_name), value(std::int64_t{number}) {}

  std::string_view name;
  std::variant<std::string_view, std::int64_t, std::uint64_t> value;
};

}  // namespace sweepd::runtime
