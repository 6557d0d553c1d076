// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/clock.h"

namespace sweepd::runtime {

/// How often which times were measured: percentiles to within an eighth, in 200 bytes. Four buckets to each
/// doubling, from a microsecond to a minute; what takes longer counts as a minute. Asks the heap for nothing.
class TimeHistogram {
 public:
  /// Negative times count as none.
  void add(Duration time);
  /// What another one has counted, too.
  void add(const TimeHistogram& other);
  void clear() { *this = TimeHistogram(); }

  /// How many, as long as they are some 65 thousand at most: with more all counts are halved now and then.
  std::uint32_t count() const { return count_; }
  /// The time that `percent` (0 to 100) of all do not exceed; 0 where none has been counted.
  Duration percentile(std::uint32_t percent) const;

 private:
  void halve();

  static constexpr std::size_t kBuckets = 100;

  std::array<std::uint16_t, kBuckets> counts_{};  ///< Where one is full, all are halved.
  std::uint32_t count_ = 0;
};

}  // namespace sweepd::runtime
