// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <tuple>
#include <vector>

#include "match/frame.h"

namespace sweepd::replay {

// All fields of what a frame is made of. A field that is new does not compile here: write it down, in the
// codec first.

inline auto fields_of(const collision::ObjectSpec& value) {
  const auto& [id, owner, position, parts, motion, ttl, leaves, continuous, single_use, hit_points, damage,
               kind, tag] = value;
  // The match sets the owner itself: it is no input.
  return std::tie(id, position, parts, motion, ttl, leaves, continuous, single_use, hit_points, damage, kind,
                  tag);
}
inline auto fields_of(const match::Reshape& value) {
  const auto& [object, parts] = value;
  return std::tie(object, parts);
}
inline auto fields_of(const match::LayerChange& value) {
  const auto& [object, part, layer] = value;
  return std::tie(object, part, layer);
}
inline auto fields_of(const match::Move& value) {
  const auto& [object, position] = value;
  return std::tie(object, position);
}
inline auto fields_of(const match::MotionChange& value) {
  const auto& [object, motion] = value;
  return std::tie(object, motion);
}
inline auto fields_of(const match::Disable& value) {
  const auto& [object, until_tick] = value;
  return std::tie(object, until_tick);
}
inline auto fields_of(const match::Selection& value) {
  const auto& [layers, region] = value;
  return std::tie(layers, region);
}
inline auto fields_of(const match::Transfer& value) {
  const auto& [objects, to, with_stage] = value;
  return std::tie(objects, to, with_stage);
}
inline auto fields_of(const match::HitClaim& value) {
  const auto& [number, shot, target, shot_part, target_part, tick_seen, tolerance] = value;
  return std::tie(number, shot, target, shot_part, target_part, tick_seen, tolerance);
}

template <typename T>
bool is_equal(const std::vector<T>& a, const std::vector<T>& b) {
  if constexpr (std::equality_comparable<T>) {
    return a == b;
  } else {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const T& one, const T& other) { return fields_of(one) == fields_of(other); });
  }
}

inline bool is_equal(const match::Frame& a, const match::Frame& b) {
  const auto& [tick, acknowledged, spawns, reshapes, layers, moves, relative, teleports, motions, freezes,
               releases, disables, enables, transfers, despawns, mass_despawns, scroll, claims, messages,
               delay, arrival] = a;
  // No inputs: the tick acknowledged changes nothing, and the match notes the arrival itself.
  return tick == b.tick && relative == b.relative_moves && scroll == b.scroll && delay == b.delay_ticks &&
         is_equal(spawns, b.spawns) && is_equal(reshapes, b.reshapes) && is_equal(layers, b.layer_changes) &&
         is_equal(moves, b.moves) && is_equal(teleports, b.teleports) && is_equal(motions, b.motions) &&
         is_equal(freezes, b.freezes) && is_equal(releases, b.releases) && is_equal(disables, b.disables) &&
         is_equal(enables, b.enables) && is_equal(transfers, b.transfers) && is_equal(despawns, b.despawns) &&
         is_equal(mass_despawns, b.mass_despawns) && is_equal(claims, b.claims) &&
         is_equal(messages, b.messages);
}

}  // namespace sweepd::replay
