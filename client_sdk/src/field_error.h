// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sweepd/status.h"

namespace sweepd::internal {

/// What is wrong with an argument, and where. The path grows from the inside out, and only once something is
/// wrong: a game makes thousands of good calls a second, and none of them pays for a string.
struct FieldError {
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string field;  ///< "parts[0].box.min_x"
  std::string what;   ///< Goes on where `field` ends: "is not a number".

  FieldError&& within(std::string_view outer) && {
    const char* separator = field.empty() || field.front() == '[' ? "" : ".";
    field = std::string(outer) + separator + field;
    return std::move(*this);
  }
  FieldError&& at(std::size_t index) && {
    std::string path = "[";
    path.append(std::to_string(index)).append("]");
    return std::move(*this).within(path);
  }

  Status status() const { return {code, field + " " + what, {}, field}; }
};

/// An error, or nothing.
using Checked = std::optional<FieldError>;

}  // namespace sweepd::internal
