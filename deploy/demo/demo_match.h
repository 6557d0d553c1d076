// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "sweepd/session.h"

namespace sweepd::demo {

/// In the order of the match's layers.
enum Layer : std::uint32_t { kPlayer, kGraze, kPlayerShot, kEnemy, kEnemyBullet, kItem, kWreck };

inline constexpr double kWidth = 320;
inline constexpr double kHeight = 400;
inline constexpr std::uint32_t kTickRateHz = 60;
inline constexpr double kShipSpeed = 2.5;
inline constexpr double kShotSpeed = 7;
inline constexpr std::uint32_t kFramesPerShot = 8;
inline constexpr std::uint32_t kBlinkTicks = 90;

/// Two players' and a stage's seat, on a field as tall as an arcade screen.
MatchConfig demo_config();

/// Takes in what the server refused. A change for an object that was gone before word of it came is no
/// surprise, nor are moves and shots that come all at once after a stall; they are counted. Anything else is
/// an error of this game.
Status take_refusals(Session& session, std::uint64_t& changes_too_late);

constexpr bool in_field(Vec2 position, double margin) {
  return position.x >= -margin && position.x <= kWidth + margin && position.y >= -margin &&
         position.y <= kHeight + margin;
}

}  // namespace sweepd::demo
