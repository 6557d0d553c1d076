// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "tools/load/scene.h"

namespace sweepd::v1 {
class Frame;
}

namespace sweepd::tools::load {

/// Ids of the objects that move in and out of contact so that latency can be measured. 0: none.
struct ProbeIds {
  std::uint32_t mover = 0;
  std::uint32_t partner = 0;  ///< It rests.
};

/// After so many ticks a client's probe changes sides.
inline constexpr std::uint32_t kProbeTicks = 30;

/// Where a client's probe is: it moves in and out of contact with a partner that rests, on a layer of their
/// own that collides with itself, beyond the playfield's upper left corner, each client's on a place of its
/// own.
class ProbePath {
 public:
  struct Place {
    std::uint32_t number = 0;  ///< The client's, so that probes do not meet each other.
    std::uint32_t clients = 1;
    std::uint32_t layer = 0;
    std::uint32_t subunits_per_pixel = kSubunitsPerPixel;
  };
  /// Takes two ids, from `first_id` on. The loop is a multiple of 2 * kProbeTicks long; clients of a match
  /// change sides one after the other.
  ProbePath(const Place& place, std::uint32_t first_id)
      : place_(place), phase_(place.number * kProbeTicks / place.clients), ids_{first_id, first_id + 1} {}

  const ProbeIds& ids() const { return ids_; }
  std::uint32_t last_id() const { return ids_.partner; }
  bool in_contact_after(std::uint32_t tick) const {
    return (tick + kProbeTicks - phase_) / kProbeTicks % 2 == 1;
  }
  Point position(std::uint32_t tick) const;
  void spawn(std::uint32_t tick, v1::Frame& frame) const;

 private:
  Point partner_position() const;

  Place place_;
  std::uint32_t phase_;
  ProbeIds ids_;
};

}  // namespace sweepd::tools::load
