// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/budgets/byte_budget.h"
#include "runtime/telemetry/log_field.h"

namespace sweepd::runtime {

/// A log at a level has the lines of that level and of those after it.
enum class LogLevel : std::uint8_t { kTrace, kDebug, kInfo, kWarning, kError, kOff };

inline constexpr std::string_view kLogLevelNames = "trace, debug, info, warning, error, off";
std::string_view to_string(LogLevel level);
/// Nothing: not one of kLogLevelNames, nor "warn".
std::optional<LogLevel> parse_log_level(std::string_view name);

enum class LogFormat : std::uint8_t {
  kText,  ///< For people: [time] [level] message key=value
  kJson,  ///< For machines: an object in each line; time in UTC.
};

struct LogOptions {
  LogLevel level = LogLevel::kInfo;
  LogFormat format = LogFormat::kText;
  std::size_t lines_waiting_max = 4096;  ///< A further one takes the place of the oldest.
  /// Takes a line with its end, on the log's own thread. Absent: to stderr.
  std::function<void(std::string_view)> write = {};
};

/// The log of the process: one at a time. Lines wait in a bounded queue for a thread that writes them, so
/// that no thread that logs waits for a terminal or a disk. While there is none, nothing is
/// logged.
class Log {
 public:
  explicit Log(LogOptions options = {});
  /// Returns when all that waits is written. Or after two seconds without a line, ten in all: a
  /// reader that has stopped does not hold up the end. The thread then goes on by itself, and with it
  /// `write`. Every other thread has stopped to log by then.
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  /// Lines that made room for newer ones, as they were not written in time.
  std::uint64_t lines_dropped() const;
  /// How many wait now.
  std::size_t lines_waiting() const;
  /// Lines that bounds (LogBound) have kept out, of the whole process.
  static std::uint64_t lines_left_out();

  struct State;

 private:
  const std::unique_ptr<State> state_;
};

namespace log_detail {
inline std::atomic<LogLevel> level = LogLevel::kOff;  ///< kOff while there is no log.
void write(LogLevel level, std::string_view message, std::initializer_list<LogField> fields,
           std::uint64_t left_out_before);
}  // namespace log_detail

// All from any thread.

inline LogLevel log_level() { return log_detail::level.load(std::memory_order_relaxed); }
inline void set_log_level(LogLevel level) { log_detail::level.store(level, std::memory_order_relaxed); }
/// Sets the level, and says so at whichever of the two has more lines.
void change_log_level(LogLevel level);
inline bool is_logged(LogLevel level) { return level >= log_level(); }

inline void log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {}) {
  if (is_logged(level)) log_detail::write(level, message, fields, 0);
}
inline void log_debug(std::string_view message, std::initializer_list<LogField> fields = {}) {
  log(LogLevel::kDebug, message, fields);
}
inline void log_info(std::string_view message, std::initializer_list<LogField> fields = {}) {
  log(LogLevel::kInfo, message, fields);
}
inline void log_warning(std::string_view message, std::initializer_list<LogField> fields = {}) {
  log(LogLevel::kWarning, message, fields);
}
inline void log_error(std::string_view message, std::initializer_list<LogField> fields = {}) {
  log(LogLevel::kError, message, fields);
}

/// How many lines of a kind clients can cause: so many a second, of which one second's worth may come at
/// once. Those beyond are counted, and the next line of the kind says how many they were (lines_left_out).
class LogBound {
 public:
  explicit LogBound(std::uint32_t lines_per_second, Clock clock = steady_now)
      : lines_per_second_(lines_per_second), clock_(std::move(clock)) {}

  void log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {});
  /// The same, at every level of the log.
  void log_always(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {});

 private:
  const std::uint32_t lines_per_second_;
  const Clock clock_;
  std::mutex mutex_;
  ByteBudget lines_;  ///< Guarded by mutex_, as is the next.
  std::uint64_t left_out_ = 0;
};

/// While this lives, lines of its thread have one more field, that of the innermost: which call it is that
/// they come from.
class LogScope {
 public:
  static constexpr std::size_t kValueBytesMax = 64;

  /// `name` outlives this; `value` is kept here, up to kValueBytesMax of it. Empty: no field.
  LogScope(std::string_view name, std::string_view value);
  ~LogScope();
  LogScope(const LogScope&) = delete;
  LogScope& operator=(const LogScope&) = delete;

  std::string_view name() const { return name_; }
  std::string_view value() const { return {value_.data(), bytes_}; }

 private:
  const std::string_view name_;
  std::array<char, kValueBytesMax> value_;
  const std::size_t bytes_;
  const LogScope* const outer_;
};

}  // namespace sweepd::runtime
