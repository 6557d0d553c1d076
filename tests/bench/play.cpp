// SPDX-License-Identifier: MIT
#include "bench/play.h"

#include <algorithm>
#include <chrono>

#include "base/assert.h"

namespace sweepd::bench {
namespace {

using collision::OverlapPair;

/// More boxes than this make brute force take minutes.
constexpr std::uint32_t kBrutePartsMax = 20'000;

std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

std::uint64_t digest_of(const std::vector<OverlapPair>& pairs, std::uint64_t salt) {
  std::uint64_t sum = 0;
  for (const auto& [first, second] : pairs) sum += mix(mix(std::uint64_t{first} << 32 | second) + salt);
  return sum;
}

}  // namespace

Play::Play(const scenes::Recording& recording, const ContenderInfo& contender)
    : recording_(recording),
      contender_(contender.make({recording.matrix, recording.bounds, recording.parts_max})) {
  digests_.reserve(recording.ticks.size());
  tick_times_us_.reserve(recording.ticks.size());
}

double Play::play_tick() {
  using Clock = std::chrono::steady_clock;
  // A frame has just been decoded when a tick begins: its changes are in the cache, unlike a recording's.
  changes_ = recording_.ticks[digests_.size()];
  const Clock::time_point begin = Clock::now();
  contender_->tick(changes_, overlaps_);
  const Clock::time_point end = Clock::now();
  const std::uint64_t salt = digests_.size() * 2;
  digests_.push_back(digest_of(overlaps_.began, salt) + digest_of(overlaps_.ended, salt + 1));
  return std::chrono::duration<double, std::micro>(end - begin).count();
}

bool Play::advance(std::uint32_t ticks, std::uint32_t unmeasured) {
  if (digests_.size() == recording_.ticks.size()) return false;
  for (std::uint32_t i = 0; i < ticks && digests_.size() < recording_.ticks.size(); ++i) {
    const double time_us = play_tick();
    if (i >= unmeasured) tick_times_us_.push_back(time_us);
  }
  return true;
}

Digests reference_digests(const scenes::Recording& recording) {
  const char* name = recording.parts_max <= kBrutePartsMax ? "simd_brute" : "plain_grid";
  Play play(recording, find_contender(name));
  const auto ticks = static_cast<std::uint32_t>(recording.ticks.size());
  play.advance(ticks, ticks);
  return play.digests();
}

bool agree(const Digests& play, const Digests& reference) {
  SWEEPD_ASSERT(play.size() <= reference.size());
  return std::equal(play.begin(), play.end(), reference.begin());
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace sweepd::bench
