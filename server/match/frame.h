// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collision/object.h"
#include "match/claims/claim.h"
#include "match/mass_command.h"

namespace sweepd::match {

using collision::ObjectId;
using collision::Tick;

struct Reshape {
  ObjectId object = 0;
  std::vector<collision::Part> parts;
};

struct LayerChange {
  ObjectId object = 0;
  std::optional<std::uint32_t> part;  ///< Absent: all parts.
  std::uint32_t layer = 0;
};

struct Move {
  ObjectId object = 0;
  collision::Point position;
};

struct MotionChange {
  ObjectId object = 0;
  collision::Motion motion;
};

struct Disable {
  ObjectId object = 0;
  Tick until_tick = 0;  ///< The first tick in which it is judged again; 0: until enabled.
};

/// What one participant wants changed in one tick, in the order in which it applies.
/// Moves from relative columns come first, then those from absolute ones: `relative_moves` says how many are
/// of the first kind, so that a rejection can name the column it came from.
struct Frame {
  Tick tick = 0;  ///< 0: the next.
  Tick acknowledged_tick = 0;
  std::vector<collision::ObjectSpec> spawns;
  std::vector<Reshape> reshapes;
  std::vector<LayerChange> layer_changes;
  std::vector<Move> moves;
  std::size_t relative_moves = 0;
  std::vector<Move> teleports;
  std::vector<MotionChange> motions;
  std::vector<Selection> freezes;
  std::vector<Selection> releases;
  std::vector<Disable> disables;
  std::vector<ObjectId> enables;
  std::vector<Transfer> transfers;
  std::vector<ObjectId> despawns;
  std::vector<Selection> mass_despawns;
  std::optional<collision::Point> scroll;
  std::vector<HitClaim> claims;
  std::optional<std::uint32_t> delay_ticks;  ///< See Claimant; whoever took the frame in has measured it.
  Tick arrival_tick = 0;                     ///< The last tick when it came in; the match notes it.
};

}  // namespace sweepd::match
