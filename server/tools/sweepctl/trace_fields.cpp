// SPDX-License-Identifier: MIT
#include "tools/sweepctl/trace_fields.h"

#include <charconv>
#include <utility>

namespace sweepd::tools {
namespace {

constexpr std::string_view kBlanks = " \t\r";

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::size_t kShownMax = 40;
  std::string quotes("'");
  quotes += text.substr(0, kShownMax);
  quotes += text.size() > kShownMax ? "…'" : "'";
  return quotes;
}

Status trace_error(std::string message) { return Status(ErrorCode::kInvalidArgument, std::move(message)); }

TraceFields::TraceFields(std::string_view line) {
  std::size_t begin = line.find_first_not_of(kBlanks);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    fields_.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kBlanks, end);
  }
}

std::string_view TraceFields::next() {
  return next_ < fields_.size() ? fields_[next_++] : std::string_view();
}

Status TraceFields::parse_next(std::string_view what, NumberRange range, std::int64_t& value) {
  if (remaining() == 0) return trace_error(std::string(what) + " is missing");
  const std::string_view field = next();
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (end != field.data() + field.size() || error == std::errc::invalid_argument) {
    return trace_error(std::string(what) + ": " + quoted(field) + " is no integer");
  }
  if (error != std::errc() || value < range.min || value > range.max) {
    return trace_error(std::string(what) + ": " + quoted(field) + " is not in the range " +
                       std::to_string(range.min) + " to " + std::to_string(range.max));
  }
  return {};
}

Status TraceFields::expect_end() const {
  if (remaining() == 0) return {};
  return trace_error("nothing is expected after the command, found " + quoted(fields_[next_]));
}

}  // namespace sweepd::tools
