// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "match/match.h"

namespace sweepd::runtime {

/// The rejections of one participant, for whichever stream it has: also those that come while it is away.
/// They are numbered from 1. The last kKeptMax are kept; of older ones, and of those that the match has only
/// counted, the number is told.
class RejectionBox {
 public:
  static constexpr std::size_t kKeptMax = 256;

  /// Takes those of `number` out of a tick's output.
  void take(const match::TickOutput& output, match::ParticipantNumber number);

  /// What a stream is told that has been told `told` of them. Valid until the next `take`.
  struct News {
    std::span<const match::Rejection> listed;
    std::uint64_t not_listed = 0;
  };
  News after(std::uint64_t told) const;

  /// How many there were.
  std::uint64_t count() const { return count_; }

  /// What has been told a stream that has seen everything up to `tick`, and whose predecessor was told
  /// `told`.
  std::uint64_t told_up_to(match::Tick tick, std::uint64_t told) const;

 private:
  std::size_t first_after(std::uint64_t told) const;

  std::vector<match::Rejection> kept_;
  std::vector<std::uint64_t> numbers_;  ///< Of those.
  std::uint64_t count_ = 0;
};

}  // namespace sweepd::runtime
