// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "collision/broadphase/broadphase.h"
#include "property/random.h"

namespace sweepd::property {

/// Random changes of parts, tick by tick, on a random stage: dense or wide, in the middle or at the ends of
/// the range of coordinates, of equal or of very different sizes, from a few parts to many.
class PartStream {
 public:
  explicit PartStream(std::uint64_t seed);

  const collision::CollisionMatrix& matrix() const { return matrix_; }
  /// Replaces `changes` by the next tick's.
  void next(collision::PartChanges& changes);
  /// A region about as large as the parts, or much larger.
  collision::Box region();

  struct Placed {
    collision::Box box;
    std::uint32_t object = 0;
    collision::LayerId layer = 0;
    bool is_present = false;
  };
  /// By handle, as of the last tick.
  const std::vector<Placed>& parts() const { return parts_; }

 private:
  /// What most parts do in a tick.
  enum class Mood { kNothing, kFewMove, kMostLeave, kTeleport, kDriftAlike, kStep };

  collision::Box random_box();
  void change(collision::PartHandle part, Mood mood, collision::Point drift, collision::PartChanges& changes);
  void enter(collision::PartHandle part, collision::PartChanges& changes);
  void step(collision::PartHandle part, std::int64_t x, std::int64_t y, collision::PartChanges& changes);

  Random random_;
  collision::CollisionMatrix matrix_;
  std::uint32_t layers_ = 1;
  std::int64_t origin_ = 0;
  std::int64_t extent_ = 0;  // Where parts are: from the origin, on both axes.
  std::int64_t size_max_ = 0;
  bool has_giants_ = false;
  bool is_on_one_spot_ = false;
  bool is_first_tick_ = true;
  std::vector<Placed> parts_;
};

}  // namespace sweepd::property
