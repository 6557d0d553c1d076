// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/object.h"
#include "match/app_message.h"
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
  std::vector<AppMessage> messages;
  std::optional<std::uint32_t> delay_ticks;  ///< See Claimant; measured where the frame was taken in.
  Tick arrival_tick = 0;                     ///< The last tick when it came in; the match notes it.
};

/// The kinds of changes that a frame may have. The numbers are those of the digests, where Digest::Entry has
/// those between; none is used twice.
enum class FrameChange : std::uint8_t {
  kSpawn = 3,
  kReshape = 4,
  kLayerChange = 5,
  kMove = 6,
  kMotion = 7,
  kDisable = 8,
  kEnable = 9,
  kDespawn = 10,
  kMassDespawn = 13,
  kScroll = 14,
  kTransfer = 15,
  kTeleport = 16,
  kFreeze = 17,
  kRelease = 18,
  kClaim = 19,
  kMessage = 24,
};

/// Stands for a kind where functions are overloaded for each: several kinds have changes of the same type.
template <FrameChange kKind>
struct OfKind {
  static constexpr FrameChange kind = kKind;
  const char* list = "";  ///< Its name in the contract.
};

/// Calls `visit(OfKind<...>, list)` for each kind, in the order in which the changes of a frame apply. What
/// has to be done for every kind is done through this: a kind that one of them does not know does not
/// compile.
template <typename AnyFrame, typename Visit>
void for_each_kind(AnyFrame& frame, const Visit& visit) {
  using enum FrameChange;
  // All members are named: a new one does not compile until it has been decided about.
  auto& [tick, acknowledged_tick, spawns, reshapes, layer_changes, moves, relative_moves, teleports, motions,
         freezes, releases, disables, enables, transfers, despawns, mass_despawns, scroll, claims, messages,
         delay_ticks, arrival_tick] = frame;
  visit(OfKind<kSpawn>{"spawns"}, spawns);
  visit(OfKind<kReshape>{"reshapes"}, reshapes);
  visit(OfKind<kLayerChange>{"layer_changes"}, layer_changes);
  visit(OfKind<kMove>{"moves"}, moves);
  visit(OfKind<kTeleport>{"teleports"}, teleports);
  visit(OfKind<kMotion>{"motions"}, motions);
  visit(OfKind<kFreeze>{"freezes"}, freezes);
  visit(OfKind<kRelease>{"releases"}, releases);
  visit(OfKind<kDisable>{"disables"}, disables);
  visit(OfKind<kEnable>{"enables"}, enables);
  visit(OfKind<kTransfer>{"transfers"}, transfers);
  visit(OfKind<kDespawn>{"despawns"}, despawns);
  visit(OfKind<kMassDespawn>{"mass_despawns"}, mass_despawns);
  visit(OfKind<kScroll>{"scroll"}, scroll);
  visit(OfKind<kClaim>{"claims"}, claims);
  visit(OfKind<kMessage>{"messages"}, messages);
}

/// What a list of a frame has; of `scroll`, of which there is one at most, that one.
template <typename List>
auto changes_in(List& list) {
  if constexpr (requires { list.size(); }) {
    return std::span(list);
  } else {
    return std::span(list ? &*list : nullptr, list ? 1u : 0u);
  }
}

/// Calls `visit(OfKind<...>, change)` for each change of a frame, in the order in which they apply.
template <typename AnyFrame, typename Visit>
void for_each_change(AnyFrame& frame, const Visit& visit) {
  for_each_kind(frame, [&](auto kind, auto& list) {
    for (auto& change : changes_in(list)) visit(kind, change);
  });
}

/// How many there are.
inline std::size_t count_changes(const Frame& frame) {
  std::size_t count = 0;
  for_each_kind(frame, [&](auto, const auto& list) { count += changes_in(list).size(); });
  return count;
}

}  // namespace sweepd::match
