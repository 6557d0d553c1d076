// SPDX-License-Identifier: MIT
#include "object_tracks.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "subunits.h"
#include "tick_number.h"

namespace sweepd::internal {
namespace {

constexpr double kSlight = 1e-6;  ///< Units: nothing but rounding.

Vec2 units(Spot spot) { return {to_units(spot.x), to_units(spot.y)}; }

Vec2 sum(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }

Vec2 between(Vec2 a, Vec2 b, double share) { return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share}; }

/// As the server moves it, and straight within a tick.
Vec2 on_course(const MirrorObject& object, double tick) {
  const double since = static_cast<double>(object.since);
  if (tick <= since) return units(object.spot);
  const Tick before = to_tick(tick);
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
  while (!points.empty() && points.back().tick >= tick) points.pop_back();  // It is told again: one place.
  const Tick before = std::max(object.since, tick - std::min(tick, every_ticks));
  // It rested, or flew by its motion, until its way here began.
  if (!is_teleport && before < tick && (points.empty() || points.back().tick < before))
    points.push_back({before, object.at(before)});
  points.push_back({tick, to});
  while (points.size() > kPointsMax) points.pop_front();
}

double ObjectTracks::drawn_tick(const MirrorObject& object, double present) const {
  const Track* track = find(object.object.id);
  const bool is_moved = track != nullptr && !track->points.empty() && object.course.is_still();
  return possible_tick(is_moved ? present - options_.interpolation_ticks : present);
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
  const double drawn_tick = possible_tick(tick);
  const Vec2 place = uncorrected(object, track, drawn_tick);
  return track == nullptr ? place : sum(place, correction_at(*track, drawn_tick));
}

Vec2 ObjectTracks::correction_at(const Track& track, double tick) {
  Vec2 all;
  for (const Correction& one : track.corrections) {
    const double left = one.left(tick);
    all = sum(all, {one.offset.x * left, one.offset.y * left});
  }
  return all;
}

/// From `tick` on it is led back from so far off. What is left of the corrections before goes on to its own
/// end; only what it does not explain is new.
void ObjectTracks::correct(Track& track, Vec2 offset, double tick) const {
  std::deque<Correction>& corrections = track.corrections;
  while (!corrections.empty() && corrections.front().end <= tick) corrections.pop_front();
  const bool is_near = std::hypot(offset.x, offset.y) <= options_.correction_distance_max;
  // Another one may have begun later than now: what is drawn late has become what flies, or the other way.
  const bool is_back = !corrections.empty() && corrections.back().begin > tick;
  if (!is_near || is_back) corrections.clear();
  const Vec2 known = correction_at(track, tick);
  const Vec2 fresh = {offset.x - known.x, offset.y - known.y};
  if (!is_near || !(options_.correction_ticks > 0) || std::hypot(fresh.x, fresh.y) < kSlight) return;
  corrections.push_back({fresh, tick, tick + options_.correction_ticks});
  if (corrections.size() <= kCorrectionsMax) return;
  const Correction oldest = corrections.front();  // With the next: it ends as early.
  corrections.pop_front();
  const double left = oldest.left(tick);
  const double next_left = corrections.front().left(tick);
  const Vec2 next = corrections.front().offset;
  corrections.front() = {
      {oldest.offset.x * left + next.x * next_left, oldest.offset.y * left + next.y * next_left},
      tick,
      oldest.end};
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
    correct(track, {before->x - is.x, before->y - is.y}, tick);
  }
}

}  // namespace sweepd::internal
