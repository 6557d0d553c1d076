// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>

#include "runtime/clock.h"
#include "runtime/telemetry/time_histogram.h"

namespace sweepd::runtime {

/// Beyond which a loop takes no further matches. Either is enough, if it lasts.
struct LoadLimits {
  std::uint32_t busy_percent_max = 85;                   ///< 100: never by that.
  Duration lateness_max = std::chrono::milliseconds(8);  ///< Of its ticks, p99. 0: never by that.
  /// A match that takes more of an overloaded loop for so long ends. 100: none.
  std::uint32_t match_percent_max = 60;
  Duration match_time_max = std::chrono::seconds(10);
};

/// What a loop was last seen to do.
struct LoadReading {
  double busy_ratio = 0;    ///< 0 to 1, over the last second. Without slices of long work.
  Duration lateness_p99{};  ///< Of the ticks that were due in it.
  bool is_overloaded = false;
  std::uint64_t windows = 0;  ///< How many seconds have been measured.
};

/// The time that the calling thread has had a core.
Duration thread_cpu_time();

/// Measures how busy a loop is, and how late its ticks are. Fed by the loop's thread; read from any.
///
/// Busy is what is more of two: the share of the time that the thread did not wait in its poller, which
/// counts the time in which others had its core; and the share that it had a core, which counts what the
/// poller did in place of waiting. Slices of long work do not count as that: they take what is left
/// over, and many of them wait for each other. Should they make ticks late, those say so. A slice
/// that takes more than kSliceMax shares nothing, and counts.
///
/// A loop is overloaded when it has been over a limit for kWindowsOver windows in a row: one that stood still
/// once, for however long, is not. And not by the lateness of its ticks while it does next to nothing: then
/// it is not its matches that make them late.
class LoopLoad {
 public:
  static constexpr Duration kWindow =
      std::chrono::seconds(1);  ///< At least; as long as a round that takes longer.
  static constexpr std::uint32_t kWindowsOver = 3;
  static constexpr double kIdleRatio = 0.1;
  static constexpr Duration kSliceMax = std::chrono::milliseconds(10);

  explicit LoopLoad(LoadLimits limits = {}, std::function<Duration()> cpu_time = thread_cpu_time)
      : limits_(limits), cpu_time_(std::move(cpu_time)) {}

  /// Of the loop's thread: once in each round,
  void round_begins(TimePoint now);
  void has_waited(Duration time) { waited_ += time; }
  /// before and after each slice of a long piece of work,
  void slice_begins(TimePoint now);
  void slice_ends(TimePoint now);
  /// and of each tick that is due by time, how late it begins.
  void tick_begins(Duration lateness) { lateness_.add(lateness); }

  /// Called by the loop's thread at the end of each window. Before the loop runs.
  void on_reading(std::function<void(const LoadReading&)> callback) { on_reading_ = std::move(callback); }

  LoadReading reading() const;
  const LoadLimits& limits() const { return limits_; }

 private:
  void close_window(TimePoint now);
  bool is_over(const LoadReading& reading, double busy_ratio_with_slices) const;

  const LoadLimits limits_;
  const std::function<Duration()> cpu_time_;
  std::function<void(const LoadReading&)> on_reading_;
  bool has_begun_ = false;
  TimePoint window_begin_;
  Duration cpu_at_begin_{};
  Duration waited_{};
  TimePoint slice_begin_;
  Duration slice_cpu_at_begin_{};
  Duration in_slices_{};  ///< In this window, as is the next.
  Duration slices_cpu_{};
  TimeHistogram lateness_;
  std::uint32_t windows_over_ = 0;  ///< In a row, the last one included.
  mutable std::mutex mutex_;
  LoadReading reading_;  ///< Guarded by mutex_.
};

/// The loop that does best with a further match, as the loads were when they were read: `matches` are those
/// that each has, and `new_matches` those of them that its reading does not know of. Not one that is
/// overloaded while another is not.
std::size_t least_loaded(std::span<const LoadReading> loads, std::span<const std::size_t> matches,
                         std::span<const std::size_t> new_matches);

}  // namespace sweepd::runtime
