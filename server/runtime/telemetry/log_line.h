// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "runtime/telemetry/log_field.h"

namespace sweepd::runtime {

/// Of a message, and of a value of text; more is cut off, and "…" says so. With the number of fields it
/// bounds how much a line that waits takes.
inline constexpr std::size_t kLogMessageBytesMax = 1024;
inline constexpr std::size_t kLogValueBytesMax = 256;

/// `message key=value key="a value"`: for people. One line, whatever is in it.
std::string text_line(std::string_view message, std::span<const LogField> fields);

/// `"message":"…","key":1`: what stands in a JSON object after its time and its level.
std::string json_line(std::string_view message, std::span<const LogField> fields);

}  // namespace sweepd::runtime
