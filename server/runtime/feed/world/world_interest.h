// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "collision/geometry.h"
#include "match/visibility/visibility.h"

namespace sweepd::runtime {

/// What a subscriber asks to be told of the world.
struct WorldInterest {
  static constexpr std::uint32_t kEveryTicksMax = 60;
  static constexpr std::uint32_t kStepMax = 1u << 16;
  static constexpr std::uint32_t kBytesPerSecondMin = 256;
  static constexpr std::uint32_t kBytesPerSecondMax = 1u << 30;
  static constexpr std::uint64_t kAllLayers = ~std::uint64_t{0};

  std::uint64_t layers = kAllLayers;          ///< A bit each: objects with a part on one of them.
  std::optional<collision::Box> region = {};  ///< Their bounds touch it.
  match::ObjectId follow = 0;      ///< The region is relative to where that one is. 0: it is fixed.
  std::uint32_t leave_margin = 0;  ///< What is in view leaves it so far outside of the region.
  bool has_owners = false;         ///< Only objects of `owners`.
  std::vector<match::ParticipantNumber> owners = {};  ///< Sorted.
  std::uint32_t every_ticks = 1;                      ///< Told in the ticks that it divides.
  std::uint32_t step = 1;                             ///< Of positions, subunits.
  std::uint32_t bytes_per_second = 0;                 ///< About; 0: as many as it takes.

  friend bool operator==(const WorldInterest&, const WorldInterest&) = default;
};

/// Subscribers that ask for the same with the same eyes are told the same.
struct WorldScope {
  WorldInterest interest;
  bool sees_all = true;  ///< Else the eyes are:
  match::Role role = match::Role::kPlayer;
  std::vector<match::ParticipantNumber> seats = {};
  bool is_seated = false;       ///< For a stream that a player or a stage has; see WorldFeed::kChannelsMax.
  match::Tick delay_ticks = 0;  ///< So late it is told.

  WorldScope(WorldInterest asked, const match::Viewer& viewer, bool seated = false, match::Tick delay = 0)
      : interest(std::move(asked)), is_seated(seated), delay_ticks(delay) {
    if (viewer.sees_all) return;
    sees_all = false;
    role = viewer.role;
    seats = viewer.seats;
  }
  match::Viewer viewer() const { return {.sees_all = sees_all, .role = role, .seats = seats}; }
  friend bool operator==(const WorldScope&, const WorldScope&) = default;
};

}  // namespace sweepd::runtime
