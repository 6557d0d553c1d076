// SPDX-License-Identifier: MIT
#include "tools/load/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sweepd::tools::load {
namespace {

constexpr int kSubBits = 7;
constexpr std::uint64_t kSub = 1u << kSubBits;
constexpr std::uint64_t kValueMax = 3'600'000'000'000;  // An hour.

// Values below 128 have a bucket each; above, the highest bit names the group and the 7 bits below it the
// bucket.
std::size_t bucket_of(std::uint64_t value) {
  if (value < kSub) return value;
  const int shift = std::bit_width(value) - 1 - kSubBits;
  return static_cast<std::size_t>((static_cast<std::uint64_t>(shift) + 1) * kSub + ((value >> shift) - kSub));
}

std::uint64_t upper_end_of(std::size_t bucket) {
  if (bucket < kSub) return bucket;
  const std::uint64_t shift = bucket / kSub - 1;
  return ((kSub + bucket % kSub + 1) << shift) - 1;
}

}  // namespace

Histogram::Histogram() : buckets_(bucket_of(kValueMax) + 1) {}

void Histogram::record(Duration value, std::uint64_t count) {
  const auto ns = std::min<std::uint64_t>(
      static_cast<std::uint64_t>(std::max<std::int64_t>(value.count(), 0)), kValueMax);
  buckets_[bucket_of(ns)] += count;
  count_ += count;
  if (count > 0) max_ = std::max(max_, Duration(ns));
  sum_ns_ += static_cast<double>(ns) * static_cast<double>(count);
}

void Histogram::merge(const Histogram& other) {
  for (std::size_t i = 0; i < buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
  sum_ns_ += other.sum_ns_;
}

Histogram::Duration Histogram::mean() const {
  if (count_ == 0) return Duration(0);
  return Duration(static_cast<std::int64_t>(sum_ns_ / static_cast<double>(count_)));
}

Histogram::Duration Histogram::quantile(double fraction) const {
  const double share = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(count_);
  const auto wanted = std::max<std::uint64_t>(static_cast<std::uint64_t>(std::ceil(share)), 1);
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (seen >= wanted) return std::min(Duration(upper_end_of(i)), max_);
  }
  return max_;
}

}  // namespace sweepd::tools::load
