// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "match/match.h"

namespace sweepd::match {

inline constexpr collision::LayerId kPlayerLayer = 0;
inline constexpr collision::LayerId kEnemyLayer = 1;
inline constexpr collision::LayerId kItemLayer = 2;  ///< Meets nobody.

/// Three layers, of which players and enemies meet; all else by default.
MatchConfig small_config();

/// A match of a config that must be without error.
std::unique_ptr<Match> make_match(const MatchConfig& config = small_config(),
                                  std::uint32_t digest_version = kDigestVersion);

/// Joins, which must succeed.
Participant join(Match& match, const std::string& name, Role role = Role::kPlayer);

/// The error of a join that must fail.
JoinError join_error(Match& match, const std::string& name, Role role = Role::kPlayer);

/// An object of one part, a box from -10 to 10 around its position.
collision::ObjectSpec object_at(ObjectId id, collision::Point position,
                                collision::LayerId layer = kPlayerLayer);

/// A frame for `tick` that spawns `spec`.
Frame spawn_frame(collision::ObjectSpec spec, Tick tick = 0);

/// A frame for the next tick that moves one object, in relative columns.
Frame move_frame(ObjectId object, collision::Point position);

Frame despawn_frame(ObjectId object);

/// Submits a frame, which must be accepted whole.
void submit(Match& match, const Participant& participant, Frame frame);

/// "tick kind reason a b" of each event, for comparing at a glance: "3 ENTER 1 17".
std::vector<std::string> event_texts(std::span<const collision::Event> events);

}  // namespace sweepd::match
