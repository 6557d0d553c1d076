// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>

#include "sweepd/world_view.h"
#include "world_mirror.h"

namespace sweepd::internal {

/// Where objects were when they were moved otherwise than by their motion, and how to draw them in between:
/// interpolated, beyond the last news extrapolated, and led back smoothly where that was wrong.
class ObjectTracks {
 public:
  static constexpr std::size_t kPointsMax = 16;

  ObjectTracks(const WorldMirror& mirror, const WorldViewOptions& options)
      : mirror_(mirror), options_(options) {}

  void forget_all() { tracks_.clear(); }
  void forget(ObjectId id) { tracks_.erase(id); }
  /// `tick`: of the news, which it is before. `every_ticks`: of the interest.
  void note_move(const MirrorObject& object, Spot to, bool is_teleport, Tick tick, Tick every_ticks);
  /// Before news about where it is, which are not that it was teleported.
  void begin_correction(const MirrorObject& object, double present);
  /// After all news.
  void finish_corrections(double present);

  /// That of which it is drawn in the present: what others move is late.
  double drawn_tick(const MirrorObject& object, double present) const;
  std::optional<Vec2> past_position(const MirrorObject& object, Tick tick) const;
  Vec2 drawn(const MirrorObject& object, double tick) const;

 private:
  struct Point {
    Tick tick = 0;
    Spot spot = {};
  };
  struct Track {
    std::deque<Point> points = {};
    Vec2 offset = {};  ///< At `corrected_at`, from where it should be drawn to where it is.
    double corrected_at = 0;
    std::optional<Vec2> drawn_before = {};
  };
  Vec2 uncorrected(const MirrorObject& object, const Track* track, double tick) const;
  Vec2 extrapolated(const MirrorObject& object, const Track& track, double tick) const;
  const Track* find(ObjectId id) const;

  const WorldMirror& mirror_;
  const WorldViewOptions options_;
  std::map<ObjectId, Track> tracks_;
};

}  // namespace sweepd::internal
