// SPDX-License-Identifier: MIT
#include "match/visibility/lookout.h"

#include <algorithm>

namespace sweepd::match {
namespace {

std::uint64_t word_of(collision::Point place) {
  return std::uint64_t{static_cast<std::uint32_t>(place.x)} << 32 | static_cast<std::uint32_t>(place.y);
}

/// Of some points.
collision::Box bounds_of(const std::vector<collision::Point>& points) {
  collision::Box box{points[0].x, points[0].y, points[0].x, points[0].y};
  for (const collision::Point& point : points) {
    box = {std::min(box.min_x, point.x), std::min(box.min_y, point.y), std::max(box.max_x, point.x),
           std::max(box.max_y, point.y)};
  }
  return box;
}

collision::Point nearest_in(const collision::Box& box, collision::Point point) {
  return {std::clamp(point.x, box.min_x, box.max_x), std::clamp(point.y, box.min_y, box.max_y)};
}

}  // namespace

Lookout::Lookout(const Match& match, const Visibility& rules, Role role, SeatBits seats,
                 PositionOf position_of, std::uint32_t tests_max)
    : match_(match),
      rules_(rules),
      role_(role),
      seats_(seats),
      position_of_(std::move(position_of)),
      meter_(tests_max) {}

SeatBits Lookout::seats_that_see(const Sighted& object) {
  return rules_.seats_that_see(role_, seats_, object,
                               [this](TemplateNumber kind, collision::Point position, std::uint32_t most) {
                                 return near(kind, position, most);
                               });
}

SeatBits Lookout::near(TemplateNumber kind, collision::Point position, std::uint32_t distance_max) {
  const auto [known, is_new] = rings_[{kind, distance_max}].try_emplace(word_of(position), SeatBits{0});
  if (is_new) known->second = look(anchors_of(kind), position, distance_max);
  return known->second;
}

SeatBits Lookout::look(const std::vector<Anchors>& anchors, collision::Point position,
                       std::uint32_t distance_max) {
  if (meter_.is_exceeded()) return 0;
  SeatBits near = 0;
  std::uint64_t distances = 0;
  const auto is_near = [&](collision::Point place) {
    ++distances;
    return is_within(place, position, distance_max);
  };
  for (const Anchors& from : anchors) {
    if (from.places.size() > 1 && !is_near(nearest_in(from.bounds, position))) continue;
    if (std::ranges::any_of(from.places, is_near)) near |= seat_bit(from.seat);
  }
  take(distances);
  return near;
}

const std::vector<Lookout::Anchors>& Lookout::anchors_of(TemplateNumber kind) {
  const auto [row, is_new] = anchors_.try_emplace(kind);
  if (!is_new) return row->second;
  std::uint64_t count = 0;
  for (ParticipantNumber seat = 0; seat < kParticipantsMax; ++seat) {
    if ((seats_ & seat_bit(seat)) == 0) continue;
    std::vector<collision::Point> places = places_of(seat, kind);
    count += places.size();
    if (places.empty()) continue;
    const collision::Box bounds = bounds_of(places);
    row->second.push_back({seat, std::move(places), bounds});
  }
  take(count);
  return row->second;
}

std::vector<collision::Point> Lookout::places_of(ParticipantNumber seat, TemplateNumber kind) const {
  std::vector<collision::Point> places;
  for (const ObjectId id : match_.anchors_of(seat, kind)) {
    if (const auto place = position_of_(seat, id)) places.push_back(*place);
  }
  return places;
}

}  // namespace sweepd::match
