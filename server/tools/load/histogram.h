// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace sweepd::tools::load {

/// How often which duration was measured. Log-linear: 128 buckets for every power of two of nanoseconds, so
/// that a quantile is off by less than 1%, from nanoseconds to an hour. Of fixed size; recording allocates
/// nothing. Not thread-safe.
class Histogram {
 public:
  using Duration = std::chrono::nanoseconds;

  Histogram();

  /// What is below zero counts as zero, what is above an hour as an hour.
  void record(Duration value) { record(value, 1); }
  void record(Duration value, std::uint64_t count);
  void merge(const Histogram& other);

  std::uint64_t count() const { return count_; }
  /// Exact; zero if nothing was recorded.
  Duration max() const { return max_; }
  Duration mean() const;
  /// The duration that a share of `fraction` (0 to 1) does not exceed, rounded up to its bucket's upper end
  /// but never above max(). Zero if nothing was recorded.
  Duration quantile(double fraction) const;

 private:
  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  Duration max_{0};
  double sum_ns_ = 0;
};

/// For people and plots.
inline double milliseconds(Histogram::Duration duration) {
  return static_cast<double>(duration.count()) / 1e6;
}

}  // namespace sweepd::tools::load
