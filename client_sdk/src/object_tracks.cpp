// SPDX-License-Identifier: MIT
#include "object_tracks.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "subunits.h"

namespace sweepd::internal {
namespace {

Vec2 units(Spot spot) { return {to_units(spot.x), to_units(spot.y)}; }

Vec2 between(Vec2 a, Vec2 b, double share) { return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share}; }

/// As the server moves it, and straight within a tick.
Vec2 on_course(const MirrorObject& object, double tick) {
  const double since = static_cast<double>(object.since);
  if (tick <= since) return units(object.spot);
  const auto before = static_cast<Tick>(tick);
  return between(units(object.at(before)), units(object.at(before + 1)), tick - std::floor(tick));
}

}  // namespace

const ObjectTracks::Track* ObjectTracks::find(ObjectId id) const {
  const auto found = tracks_.find(id);
  return found == tracks_.end() ? nullptr : &found->second;
}

void ObjectTracks::note_move(const MirrorObject& object, Spot to, bool is_teleport, Tick tick,
                             Tick every_ticks) {
  Track& track = tracks_[object.object.id];
  if (is_teleport) track = {};  // With a correction that runs: it is of a place that it has left.
  std::deque<Point>& points = track.points;
  const Tick before = std::max(object.since, tick - std::min(tick, every_ticks));
  // It rested, or flew by its motion, until its way here began.
  if (!is_teleport && (points.empty() || points.back().tick < before))
    points.push_back({before, object.at(before)});
  points.push_back({tick, to});
  while (points.size() > kPointsMax) points.pop_front();
}

double ObjectTracks::drawn_tick(const MirrorObject& object, double present) const {
  const Track* track = find(object.object.id);
  const bool is_moved = track != nullptr && !track->points.empty() && object.course.is_still();
  return is_moved ? present - options_.interpolation_ticks : present;
}

std::optional<Vec2> ObjectTracks::past_position(const MirrorObject& object, Tick tick) const {
  const Track* track = find(object.object.id);
  if (track == nullptr || track->points.empty() || track->points.front().tick > tick) return std::nullopt;
  return uncorrected(object, track, static_cast<double>(tick));
}

Vec2 ObjectTracks::uncorrected(const MirrorObject& object, const Track* track, double tick) const {
  if (track == nullptr || track->points.empty()) return on_course(object, tick);
  const std::deque<Point>& points = track->points;
  if (tick >= static_cast<double>(points.back().tick))
    return object.course.is_still() ? extrapolated(object, *track, tick) : on_course(object, tick);
  const auto after = std::ranges::upper_bound(
      points, tick, {}, [](const Point& point) { return static_cast<double>(point.tick); });
  if (after == points.begin()) return units(after->spot);
  const Point& from = *std::prev(after);
  const double ticks = static_cast<double>(after->tick - from.tick);
  return between(units(from.spot), units(after->spot), (tick - static_cast<double>(from.tick)) / ticks);
}

/// What was on its way at the last news goes on; what had come to rest rests.
Vec2 ObjectTracks::extrapolated(const MirrorObject& object, const Track& track, double tick) const {
  const Point& last = track.points.back();
  const double beyond = tick - static_cast<double>(mirror_.tick());
  if (track.points.size() < 2 || last.tick != mirror_.tick() || beyond <= 0) return units(object.spot);
  const Point& from = track.points[track.points.size() - 2];
  const double share =
      std::min(beyond, options_.extrapolation_max_ticks) / static_cast<double>(last.tick - from.tick);
  return between(units(from.spot), units(last.spot), 1 + share);
}

Vec2 ObjectTracks::drawn(const MirrorObject& object, double tick) const {
  const Track* track = find(object.object.id);
  Vec2 place = uncorrected(object, track, tick);
  if (track == nullptr || options_.correction_ticks <= 0) return place;
  const double left = 1 - (tick - track->corrected_at) / options_.correction_ticks;
  if (left <= 0 || left > 1) return place;
  return {place.x + track->offset.x * left, place.y + track->offset.y * left};
}

void ObjectTracks::begin_correction(const MirrorObject& object, double present) {
  Track& track = tracks_[object.object.id];
  if (!track.drawn_before) track.drawn_before = drawn(object, drawn_tick(object, present));
}

void ObjectTracks::finish_corrections(double present) {
  for (auto& [id, track] : tracks_) {
    const auto before = std::exchange(track.drawn_before, std::nullopt);
    const MirrorObject* object = mirror_.find(id);
    if (!before || object == nullptr) continue;
    const double tick = drawn_tick(*object, present);
    const Vec2 is = uncorrected(*object, &track, tick);
    track.offset = {before->x - is.x, before->y - is.y};
    track.corrected_at = tick;
    if (std::hypot(track.offset.x, track.offset.y) > options_.correction_distance_max) track.offset = {};
  }
}

}  // namespace sweepd::internal
