// SPDX-License-Identifier: MIT
#include "property/claims/claim_oracle.h"

#include <algorithm>
#include <cmath>

namespace sweepd::property {

using namespace collision;  // NOLINT: this file speaks of nothing else.
using match::Verdict;

namespace {

using Real = long double;

struct Place {
  Real x, y;
};

/// Corners, one after the other around; and how far the shape reaches beyond them.
struct Core {
  std::vector<Place> corners;
  Real radius = 0;
};

Core core_of_box(Real left, Real low, Real right, Real high) {
  return {{{left, low}, {right, low}, {right, high}, {left, high}}, 0};
}

std::vector<Core> cores_of(const Shape& shape) {
  const Real left = shape.box.min_x, low = shape.box.min_y, right = shape.box.max_x, high = shape.box.max_y;
  const Real r = shape.radius;
  std::vector<Core> cores;
  switch (shape.kind) {
    case ShapeKind::kBox:
      return {core_of_box(left, low, right, high)};
    case ShapeKind::kCircle:
      return {{{{left + r, low + r}}, r}};
    case ShapeKind::kCapsule:
      if (shape.is_rising) return {{{{left + r, high - r}, {right - r, low + r}}, r}};
      return {{{{left + r, low + r}, {right - r, high - r}}, r}};
    case ShapeKind::kMask:
      for (int y = 0; y < shape.mask->height(); ++y) {
        for (int x = 0; x < shape.mask->width(); ++x) {
          const Real size = shape.mask->pixel_size();
          if (!shape.mask->has_any(y, x, x)) continue;
          cores.push_back(
              core_of_box(left + size * x, low + size * y, left + size * (x + 1), low + size * (y + 1)));
        }
      }
  }
  return cores;
}

Real to_line(Place p, Place a, Place b) {
  const Real dx = b.x - a.x, dy = b.y - a.y;
  const Real length = dx * dx + dy * dy;
  Real t = length == 0 ? 0 : ((p.x - a.x) * dx + (p.y - a.y) * dy) / length;
  t = std::clamp<Real>(t, 0, 1);
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

Real cross(Place a, Place b, Place c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

bool is_inside(Place p, const std::vector<Place>& corners) {
  if (corners.size() < 3) return false;
  bool left = true, right = true;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Real side = cross(corners[i], corners[(i + 1) % corners.size()], p);
    left = left && side >= 0;
    right = right && side <= 0;
  }
  return left || right;
}

bool lines_cross(Place a, Place b, Place c, Place d) {
  return cross(a, b, c) * cross(a, b, d) < 0 && cross(c, d, a) * cross(c, d, b) < 0;
}

Real distance_of(const std::vector<Place>& a, const std::vector<Place>& b) {
  if (is_inside(a[0], b) || is_inside(b[0], a)) return 0;
  Real least = INFINITY;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Place a2 = a[(i + 1) % a.size()];
    for (std::size_t j = 0; j < b.size(); ++j) {
      const Place b2 = b[(j + 1) % b.size()];
      if (lines_cross(a[i], a2, b[j], b2)) return 0;
      least = std::min({least, to_line(a[i], b[j], b2), to_line(b[j], a[i], a2)});
    }
  }
  return least;
}

/// How far two convex things are apart is a convex function of time: the least is found by thirds.
Real closest(const Core& a, const Core& b, Way way) {
  const auto at = [&](Real t) {
    std::vector<Place> moved = a.corners;
    for (Place& corner : moved) corner = {corner.x + t * way.x, corner.y + t * way.y};
    return distance_of(moved, b.corners);
  };
  Real low = 0, high = 1;
  for (int i = 0; i < 70; ++i) {
    const Real first = low + (high - low) / 3, second = high - (high - low) / 3;
    (at(first) <= at(second) ? high : low) = at(first) <= at(second) ? second : first;
  }
  return std::min({at(low), at(0), at(1)}) - a.radius - b.radius;
}

}  // namespace

Real closest_distance(const Shape& a, Way way_a, const Shape& b, Way way_b) {
  const Way way{way_a.x - way_b.x, way_a.y - way_b.y};
  Real least = INFINITY;
  for (const Core& core_a : cores_of(a)) {
    for (const Core& core_b : cores_of(b)) least = std::min(least, closest(core_a, core_b, way));
  }
  return least;
}

Real deepest_overlap(const Box& a, Way way_a, const Box& b, Way way_b) {
  Real deepest = -INFINITY;
  constexpr int kMoments = 4096;
  for (int i = 0; i <= kMoments; ++i) {
    const Real x = Real(way_a.x - way_b.x) * i / kMoments;
    const Real y = Real(way_a.y - way_b.y) * i / kMoments;
    const Real along_x = std::min(a.max_x + x - b.min_x, b.max_x - (a.min_x + x));
    const Real along_y = std::min(a.max_y + y - b.min_y, b.max_y - (a.min_y + y));
    deepest = std::max(deepest, std::min(along_x, along_y));
  }
  return deepest;
}

const ObjectCopy* ClaimOracle::find(ObjectId id, Tick tick) const {
  const auto& objects = copies_.at(tick).objects;
  const auto found = objects.find(id);
  return found == objects.end() ? nullptr : &found->second;
}

std::pair<Point, Way> ClaimOracle::way_of(ObjectId id, Tick tick) const {
  const ObjectCopy& object = *find(id, tick);
  const ObjectCopy* before = tick > 1 ? find(id, tick - 1) : nullptr;
  const bool same = before != nullptr && before->born == object.born && !before->is_disabled;
  const auto& [velocity, acceleration] = object.motion;
  Point begin{object.position.x - velocity.x, object.position.y - velocity.y};
  if (same && object.teleported != tick) begin = before->position;
  return {begin, {object.position.x - begin.x, object.position.y - begin.y}};
}

std::optional<Real> ClaimOracle::measure(const match::HitClaim& claim, Tick tick) const {
  const auto [begin_a, way_a] = way_of(claim.shot, tick);
  const auto [begin_b, way_b] = way_of(claim.target, tick);
  std::optional<Real> least;
  const auto& parts_a = find(claim.shot, tick)->parts;
  const auto& parts_b = find(claim.target, tick)->parts;
  for (std::size_t i = 0; i < parts_a.size(); ++i) {
    for (std::size_t j = 0; j < parts_b.size(); ++j) {
      if (claim.shot_part.value_or(static_cast<std::uint32_t>(i)) != i) continue;
      if (claim.target_part.value_or(static_cast<std::uint32_t>(j)) != j) continue;
      if (!config_.matrix.allows(parts_a[i].layer, parts_b[j].layer)) continue;
      const Real found = closest_distance(place(parts_a[i], begin_a, config_.masks), way_a,
                                          place(parts_b[j], begin_b, config_.masks), way_b);
      least = std::min(least.value_or(INFINITY), found);
    }
  }
  return least;
}

ClaimOracle::Answer ClaimOracle::judge(const match::Claimant& claimant, const match::HitClaim& claim,
                                       Tick now, std::uint32_t players) const {
  const ObjectCopy* target_now = find(claim.target, now);
  Tick tick = claim.tick_seen;
  const bool in_present =
      target_now != nullptr && target_now->owner != claimant.number && target_now->owner < players;
  if (in_present) {
    tick = now;
  } else {
    if (tick > now) return {Verdict::kInTheFuture, 0, {}, false};
    if (target_now == nullptr) return {Verdict::kUnknownObject, 0, {}, false};
    const Tick oldest = now > history_ticks_ ? now - history_ticks_ : 1;
    const Tick oldest_judged = oldest == 1 ? 1 : oldest + 1;  // Its way begins in the tick before.
    if (tick < oldest_judged || tick + rules_.rewind_ticks_max < now) return {Verdict::kTooOld, 0, {}, false};
    if (claimant.delay_ticks &&
        tick + *claimant.delay_ticks + rules_.delay_allowance_ticks < claimant.arrival_tick) {
      return {Verdict::kImplausibleView, 0, {}, false};
    }
  }
  const ObjectCopy* shot = find(claim.shot, tick);
  const ObjectCopy* target = find(claim.target, tick);
  if (shot == nullptr || claim.shot_part.value_or(0) >= shot->parts.size()) {
    return {Verdict::kUnknownObject, tick, {}, false};
  }
  if (shot->owner != claimant.number) return {Verdict::kNotOwner, tick, {}, false};
  if (target == nullptr || target->born != target_now->born)
    return {Verdict::kUnknownObject, tick, {}, false};
  if (claim.target_part.value_or(0) >= target->parts.size())
    return {Verdict::kUnknownObject, tick, {}, false};
  const ObjectCopy* shot_later = shot;
  for (Tick later = tick; later <= now; ++later) {
    const ObjectCopy* found = find(claim.shot, later);
    if (found != nullptr && found->born == shot->born) shot_later = found;
  }
  if (tick < shot_later->teleported || tick < target_now->teleported)
    return {Verdict::kTooOld, tick, {}, false};
  if (claim.shot == claim.target) return {Verdict::kLayersDoNotCollide, tick, {}, false};
  const std::optional<Real> distance = measure(claim, tick);
  if (!distance) return {Verdict::kLayersDoNotCollide, tick, {}, false};
  const Real excess = *distance - (in_present ? 0 : claim.tolerance);
  const bool is_close_call = std::fabs(excess) < 1e-4L;
  if (shot->is_disabled || target->is_disabled) return {Verdict::kNotOverlapping, tick, distance, false};
  if (excess > 0) return {Verdict::kNotOverlapping, tick, distance, is_close_call};
  const auto hits = hits_.find({claim.shot, shot->born});
  const std::size_t count = hits == hits_.end() ? 0 : hits->second.size();
  const bool is_known = count > 0 && hits->second.contains({claim.target, target->born});
  const bool is_full = rules_.hits_per_shot_max > 0 && count >= rules_.hits_per_shot_max;
  return {is_known || is_full ? Verdict::kAlreadyClaimed : Verdict::kConfirmed, tick, distance,
          is_close_call};
}

void ClaimOracle::confirm(const match::HitClaim& claim, Tick tick_judged) {
  hits_[{claim.shot, find(claim.shot, tick_judged)->born}].insert(
      {claim.target, find(claim.target, tick_judged)->born});
}

}  // namespace sweepd::property
