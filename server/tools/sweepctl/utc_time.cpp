// SPDX-License-Identifier: MIT
#include "tools/sweepctl/utc_time.h"

#include <ctime>

namespace sweepd::tools {
namespace {

constexpr const char* kFormat = "%Y-%m-%dT%H:%M:%SZ";

}  // namespace

std::optional<std::int64_t> seconds_of_utc(const std::string& text) {
  std::tm parts{};
  const char* end = ::strptime(text.c_str(), kFormat, &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  const std::int64_t seconds = ::timegm(&parts);
  // What is no day of the calendar, or is written otherwise, comes back as another text.
  return utc_text(seconds) == text ? std::optional(seconds) : std::nullopt;
}

std::string utc_text(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  char text[64];
  return {text, std::strftime(text, sizeof text, kFormat, &parts)};
}

}  // namespace sweepd::tools
