// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sweepd/status.h"

namespace sweepd::tools {

struct NumberRange {
  std::int64_t min = 0;
  std::int64_t max = 0;
};

inline constexpr NumberRange kCoordinateRange{std::numeric_limits<std::int32_t>::min(),
                                              std::numeric_limits<std::int32_t>::max()};
inline constexpr NumberRange kNumberRange{0, std::numeric_limits<std::uint32_t>::max()};
inline constexpr NumberRange kObjectIdRange{1, std::numeric_limits<std::uint32_t>::max()};

/// 'text', shortened where it is long.
std::string quoted(std::string_view text);
/// An error of a trace; the line is known to the caller.
Status trace_error(std::string message);

/// The fields of one line, read from left to right. The line must outlive it.
class TraceFields {
 public:
  explicit TraceFields(std::string_view line);

  bool empty() const { return fields_.empty(); }
  std::size_t remaining() const { return fields_.size() - next_; }
  /// The next field, or nothing at the end of the line.
  std::string_view next();
  /// `what` names the number in the error.
  template <typename Number>
  Status next_number(std::string_view what, NumberRange range, Number& number) {
    std::int64_t value = 0;
    Status status = parse_next(what, range, value);
    number = static_cast<Number>(value);
    return status;
  }
  Status expect_end() const;

 private:
  Status parse_next(std::string_view what, NumberRange range, std::int64_t& value);

  std::vector<std::string_view> fields_;
  std::size_t next_ = 0;
};

}  // namespace sweepd::tools
