// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "sweepd/session.h"

namespace sweepd::demo {

/// One object of several parts. A part that took its hits becomes a wreck: it changes to a layer that meets
/// nothing.
class Boss {
 public:
  static constexpr std::size_t kPartCount = 4;

  Status appear(Session& session);
  /// One frame of its way from side to side.
  Status move(Session& session, std::uint64_t frame);
  /// `part_destroyed` tells whether this hit was its last.
  Status take_hit(Session& session, std::uint32_t part, bool& part_destroyed);

  bool alive() const { return id_ != 0; }
  ObjectId id() const { return id_; }
  Vec2 position() const { return position_; }
  static const char* part_name(std::uint32_t part);

 private:
  bool has_parts() const;

  ObjectId id_ = 0;
  Vec2 position_;
  std::array<int, kPartCount> hit_points_{};
};

}  // namespace sweepd::demo
