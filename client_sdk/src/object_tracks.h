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
  static constexpr std::size_t kCorrectionsMax = 16;  ///< Of one object.

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
  /// What news were off, from where it is to where it was drawn: all of it at `begin`, nothing at `end`.
  struct Correction {
    Vec2 offset = {};
    double begin = 0;
    double end = 0;
    double left(double tick) const { return tick >= begin && tick < end ? (end - tick) / (end - begin) : 0; }
  };
  struct Track {
    std::deque<Point> points = {};
    std::deque<Correction> corrections = {};  ///< That run, in the order of their begin and their end.
    std::optional<Vec2> drawn_before = {};
  };
  Vec2 uncorrected(const MirrorObject& object, const Track* track, double tick) const;
  Vec2 extrapolated(const MirrorObject& object, const Track& track, double tick) const;
  const Track* find(ObjectId id) const;
  static Vec2 correction_at(const Track& track, double tick);
  void correct(Track& track, Vec2 offset, double tick) const;

  const WorldMirror& mirror_;
  const WorldViewOptions options_;
  std::map<ObjectId, Track> tracks_;
};

}  // namespace sweepd::internal
