// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/telemetry/health.h"
#include "runtime/telemetry/log.h"

namespace sweepd::inspector {

/// Where the inspector learns what it shows. Called on its thread, at any time between its start and its
/// stop: thread-safe, and quick, as others wait.
struct Sources {
  std::function<std::string()> metrics_text;
  std::function<std::vector<runtime::ComponentHealth>()> components;
  std::function<runtime::LogLevel()> log_level = runtime::log_level;
  /// Absent: it is not changed here.
  std::function<void(runtime::LogLevel)> set_log_level = runtime::set_log_level;
  /// What became of a request to change something, for the audit; `refusal`: why it was not done. Absent: it
  /// is not told.
  std::function<void(const std::string& peer, std::string_view path, std::string_view refusal)> told_change =
      {};
};

/// An answer, whatever carries it.
struct Page {
  unsigned status = 200;  ///< Of HTTP.
  std::string type = {};
  std::string body = {};
};

/// A page of text that says so and no more: "404 what\n".
Page error_page(unsigned status, std::string_view what);

/// What is at `path`, which has no query.
Page find_page(std::string_view path, const Sources& sources);

/// The one thing that can be changed here is how much is logged, at this.
inline constexpr std::string_view kLogLevelPath = "/log-level";

/// Who asks. The inspector is unauthenticated, so changes are for direct requests from loopback only: a proxy
/// or a browser on the machine may ask for anyone.
enum class RequestOrigin : std::uint8_t { kElsewhere, kThroughAnother, kThisMachine };

/// Sets the level that `query` names, where the sources can: "level=debug".
Page change_log_level(std::string_view query, RequestOrigin origin, const Sources& sources);

}  // namespace sweepd::inspector
