// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

#include "runtime/clock.h"

namespace sweepd::runtime {

/// Keeps the memory of the process (resident set) below a ceiling: near it no new work is to be taken. Where
/// it will soon be reached, `on_ceiling` has to free some. Measured by one thread, asked by any.
class MemoryGuard {
 public:
  /// Bytes of the process now.
  using Meter = std::function<std::uint64_t()>;
  static constexpr std::chrono::milliseconds kPeriod{10};  ///< How often to measure.

  explicit MemoryGuard(std::uint64_t bytes_max, Meter meter = resident_bytes)
      : bytes_max_(bytes_max), meter_(std::move(meter)) {}

  /// Called by `measure` where memory rises so fast that it reaches 92% of the ceiling within a few periods,
  /// and where it stays above them although the heap has returned what is free.
  void on_ceiling(std::function<void()> free_memory) { on_ceiling_ = std::move(free_memory); }

  /// Has the heap return what is free to the system, where memory is short and does not rise: what has been
  /// freed is no reason to refuse work.
  void measure(TimePoint now = steady_now());

  /// New work is to be refused: from 90% of the ceiling on, until it is below 85%.
  bool is_full() const { return is_full_.load(std::memory_order_relaxed); }
  std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  std::uint64_t bytes_max() const { return bytes_max_; }

  static std::uint64_t resident_bytes();

 private:
  /// Whether memory has been returned.
  bool trim(TimePoint now);
  void judge();

  const std::uint64_t bytes_max_;
  const Meter meter_;
  std::function<void()> on_ceiling_;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::uint64_t rise_ = 0;  ///< Bytes since the last look.
  std::atomic<bool> is_full_ = false;
  TimePoint next_trim_{};
};

}  // namespace sweepd::runtime
