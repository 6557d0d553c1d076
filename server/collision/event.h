// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <tuple>

#include "collision/object.h"

namespace sweepd::collision {

/// Names an encounter: a pair of objects on a pair of layers. Ordered: this is the order of events within a
/// group.
struct EncounterKey {
  ObjectId object_a = 0;  ///< The smaller id.
  ObjectId object_b = 0;  ///< The larger id.
  LayerId layer_a = 0;    ///< Layer of object_a's parts in this encounter.
  LayerId layer_b = 0;
  friend auto operator<=>(const EncounterKey&, const EncounterKey&) = default;
};

/// Indices of a part of object_a and of a part of object_b. Ordered: "lowest" means first in this order.
struct PartPair {
  std::uint8_t part_a = 0;
  std::uint8_t part_b = 0;
  friend auto operator<=>(const PartPair&, const PartPair&) = default;
};

/// An open encounter: at least one part of each on those layers overlapped when the last tick was judged.
struct Encounter {
  EncounterKey key;
  PartPair parts;  ///< The lowest overlapping pair.
  Tick since_tick = 0;
  friend bool operator==(const Encounter&, const Encounter&) = default;
};

enum class EventKind : std::uint8_t { kEnter = 1, kExit = 2 };

/// Why an encounter ended. The numbers are those of the public contract and of the digests.
enum class ExitReason : std::uint8_t {
  kNone = 0,  ///< An ENTER.
  kMoved = 1,
  kDespawned = 2,
  kExpired = 3,
  kLeftPlayfield = 4,
  kLayerChanged = 5,
  kDisabled = 6,
  kReshaped = 7,
  kOwnerLeft = 8,
  kMatchEnded = 9,
  kSwept = 10,      ///< The contact began and ended within one tick.
  kConsumed = 11,   ///< One of the two was single-use, and is used up.
  kDestroyed = 12,  ///< One of the two lost its last hit point.
};

/// When within a tick a contact began, in 1/256 tick after its beginning, rounded up.
using TimeOfImpact = std::uint16_t;
inline constexpr TimeOfImpact kEndOfTick = 256;

/// Whose the two objects of an encounter are.
struct EventOwners {
  std::uint8_t a = 0;
  std::uint8_t b = 0;
  friend bool operator==(const EventOwners&, const EventOwners&) = default;
};

/// The row of an event, from where it is judged to the columns of an update.
struct Event {
  std::uint64_t sequence_number = 0;  ///< From 1, without gaps.
  Tick tick = 0;
  EventKind kind = EventKind::kEnter;
  ExitReason reason = ExitReason::kNone;
  EncounterKey key;
  /// The lowest overlapping pair; for an EXIT, that of the last tick in contact; where swept, the lowest that
  /// touched on its way.
  PartPair parts;
  /// Of whichever parts touched first. Earlier than the tick's end only where an object takes part that is
  /// continuous or was swept in this tick, in an ENTER, and in the EXIT of a contact that did not last to the
  /// end of its tick.
  TimeOfImpact time_of_impact = kEndOfTick;
  /// Of the objects, or before the tick removed them. A world knows no owners: a match notes them here.
  EventOwners owners = {};
  friend bool operator==(const Event&, const Event&) = default;
};
static_assert(sizeof(Event) == 40);

}  // namespace sweepd::collision
