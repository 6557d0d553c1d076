// SPDX-License-Identifier: MIT
#include "runtime/feed/world/sight_scan.h"

#include <algorithm>

namespace sweepd::runtime {

bool SightScan::sees(const ModelObject& object, std::span<const collision::Part> parts,
                     collision::Point position) {
  if (viewer_.owns(object.owner)) return true;
  match::Sighted sighted{.owner = object.owner, .position = position};
  if (object.owner < roles_.size()) sighted.owner_role = roles_[object.owner];
  return std::ranges::all_of(parts, [&](const collision::Part& part) {
    sighted.layer = part.layer;
    return sees(sighted);
  });
}

bool SightScan::sees(const match::Sighted& object) {
  const auto near = [this](auto own, auto kind, collision::Point position, std::uint32_t distance_max) {
    return is_near(own, kind, position, distance_max);
  };
  if (viewer_.seats.empty()) return rules_.sees(viewer_.role, std::nullopt, object, near);
  return std::ranges::any_of(viewer_.seats, [&](match::ParticipantNumber number) {
    return rules_.sees(viewer_.role, number, object, near);
  });
}

bool SightScan::is_near(match::ParticipantNumber own, match::TemplateNumber kind, collision::Point position,
                        std::uint32_t distance_max) {
  const auto [row, is_new] = anchors_.try_emplace({own, kind});
  if (is_new) {
    for (const match::ObjectId id : match_.anchors_of(own, kind))
      if (const auto anchor = match_.find_object(id)) row->second.push_back(anchor->position);
  }
  return std::ranges::any_of(
      row->second, [&](collision::Point anchor) { return match::is_within(anchor, position, distance_max); });
}

}  // namespace sweepd::runtime
