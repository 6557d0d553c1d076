// SPDX-License-Identifier: MIT
#include "runtime/telemetry/time_histogram.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace sweepd::runtime {
namespace {

constexpr std::uint64_t kSubBuckets = 4;  // Of a doubling.
constexpr int kSubBucketBits = 2;
constexpr std::uint16_t kCountMax = std::numeric_limits<std::uint16_t>::max();

// Microseconds below 4 have a bucket each; beyond, the highest bit tells the doubling and the two bits after
// it the bucket within.
std::size_t bucket_of(std::uint64_t us) {
  if (us < kSubBuckets) return static_cast<std::size_t>(us);
  const int shift = std::bit_width(us) - 1 - kSubBucketBits;
  return static_cast<std::size_t>(kSubBuckets * static_cast<std::uint64_t>(shift) + (us >> shift));
}

// In its middle no time of the bucket is further than an eighth away.
Duration middle_of(std::size_t bucket) {
  if (bucket < kSubBuckets) return std::chrono::microseconds(bucket);
  const std::uint64_t shift = bucket / kSubBuckets - 1;
  const std::uint64_t first = (bucket % kSubBuckets + kSubBuckets) << shift;
  return std::chrono::nanoseconds(first * 1000 + (std::uint64_t{1000} << shift) / 2);
}

}  // namespace

void TimeHistogram::add(Duration time) {
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(std::max(time, Duration::zero()));
  std::uint16_t& bucket = counts_[std::min(bucket_of(static_cast<std::uint64_t>(us.count())), kBuckets - 1)];
  if (bucket == kCountMax) halve();
  ++bucket;
  ++count_;
}

// The shares stay, and with them the percentiles; and what has been seen once stays seen.
void TimeHistogram::halve() {
  count_ = 0;
  for (std::uint16_t& count : counts_) {
    count = static_cast<std::uint16_t>(count / 2 + count % 2);
    count_ += count;
  }
}

void TimeHistogram::add(const TimeHistogram& other) {
  const auto sum = [&](std::size_t i) { return std::uint32_t{counts_[i]} + other.counts_[i]; };
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) most = std::max(most, sum(i));
  const std::uint32_t divisor = most > kCountMax ? 2 : 1;
  count_ = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    counts_[i] = static_cast<std::uint16_t>((sum(i) + divisor - 1) / divisor);
    count_ += counts_[i];
  }
}

Duration TimeHistogram::percentile(std::uint32_t percent) const {
  if (count_ == 0) return Duration::zero();
  const std::uint64_t rank = std::max<std::uint64_t>((std::uint64_t{count_} * percent + 99) / 100, 1);
  std::uint64_t counted = 0;
  std::size_t bucket = 0;
  while ((counted += counts_[bucket]) < rank) ++bucket;
  return middle_of(bucket);
}

}  // namespace sweepd::runtime
