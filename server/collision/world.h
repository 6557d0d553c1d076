// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "collision/broadphase/broadphase.h"
#include "collision/contact_rules.h"
#include "collision/event.h"
#include "collision/layers.h"
#include "collision/object.h"
#include "collision/outcomes.h"
#include "collision/queries.h"
#include "collision/shapes/bit_mask.h"
#include "collision/sweep_rules.h"
#include "collision/tick_budget.h"
#include "collision/tick_observer.h"

namespace sweepd::collision {

struct WorldConfig {
  std::uint32_t layer_count = 1;  ///< 1 to kLayersMax.
  CollisionMatrix matrix = {};
  Box playfield = kWholeRange;
  BroadphaseKind broadphase = BroadphaseKind::kSweepAndPrune;
  SectorGridSettings sector_grid = {};  ///< For kSectorGrid.
  std::vector<BitMask> masks = {};  ///< At most kMasksMax; a part of kind kMask names one by its place here.
  std::vector<ContactRule> contact_rules = {};  ///< At most one for a pair of layers.
  TickBudget budget = {};
  SweepRules sweep_rules = {};
};

/// Why the world refused a change. A refused change changes nothing.
enum class ChangeError : std::uint8_t {
  kNone,
  kIdInUse,
  kIdUsedThisTick,  ///< The id was despawned in this very tick: the log could not tell the two objects apart.
  kUnknownObject,
  kNoParts,
  kTooManyParts,
  kInvertedBox,
  kUnknownLayer,
  kUnknownPart,
  kOutOfRange,     ///< A part would leave the range of coordinates, or span all of it on both axes.
  kTickInThePast,  ///< disable_until: not after the tick in progress.
  // Of shapes, as in ShapeError:
  kNegativeRadius,
  kNotACircle,
  kNotACapsule,
  kUnknownMask,
  kMaskSizeMismatch,
};

/// The outcome of a change; where a part is at fault, which.
struct ChangeResult {
  ChangeError error = ChangeError::kNone;
  std::uint8_t part = 0;
  bool ok() const { return error == ChangeError::kNone; }
};

/// What can be read of an object.
struct ObjectView {
  ObjectId id;
  OwnerId owner;
  Point position;
  Motion motion;
  std::span<const Part> parts;  ///< Until the next change to the world.
  Tick disabled_until;          ///< 0: enabled; kForever: until enabled.
  Tick expires_at;              ///< The tick in which it will be gone; kForever: no limit.
  std::uint32_t hit_points;
  std::uint32_t damage;
  bool despawn_outside_playfield;
  bool is_continuous;
  bool is_single_use;
  bool is_frozen;  ///< It does not move by its motion.
  std::uint64_t tag;
};

/// Where an object is and by what it moves: what is asked of it before it is moved.
struct Bearing {
  Point position;
  Motion motion;
  std::span<const Part> parts;  ///< Until the next change to the world.
  bool is_frozen;
};

/// Whose an object is, of how many parts, and where its notes are (World::slot_of).
struct Holding {
  OwnerId owner = 0;
  std::uint32_t parts = 0;
  ObjectSlot slot = kNoSlot;
};

/// Whose an object is, and where its notes are: no more than a register takes, as it is asked for every move.
struct OwnedSlot {
  OwnerId owner = 0;
  ObjectSlot slot = kNoSlot;
};

/// One that is gone, as it was.
struct RemovedObject {
  ObjectId id = 0;
  Holding holding;
};

/// A world of objects and their encounters. Changes describe the tick in progress, `tick() + 1`;
/// `finish_tick` moves what has motion, removes what expired or left, judges overlaps once, and yields that
/// tick's events. Deterministic: equal calls in equal order yield equal events, whatever the broadphase. Not
/// thread-safe. Ids other than 0, owners and coordinates may be anything; what breaks a rule is refused,
/// never wrapped.
class World {
 public:
  explicit World(const WorldConfig& config);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  ChangeResult spawn(const ObjectSpec& spec);
  /// Replaces all parts.
  ChangeResult reshape(ObjectId id, std::span<const Part> parts);
  /// Moves one part, or all if `part` is absent, to `layer`.
  ChangeResult change_layer(ObjectId id, std::optional<std::uint32_t> part, std::uint32_t layer);
  ChangeResult move_to(ObjectId id, Point position);
  /// Like move_to, but there is no way from where it was: a continuous object meets nothing in between.
  ChangeResult teleport_to(ObjectId id, Point position);
  /// In the tick in progress its way is swept, as that of a continuous object is in every tick. It must
  /// exist.
  void sweep(ObjectId id);
  ChangeResult set_motion(ObjectId id, const Motion& motion);
  /// It does not move by its motion until released; its time to live runs.
  ChangeResult freeze(ObjectId id);
  ChangeResult release(ObjectId id);
  ChangeResult set_owner(ObjectId id, OwnerId owner);
  /// The object meets nothing until `until_tick`, the first tick in which it is judged again; kForever: until
  /// enabled.
  ChangeResult disable_until(ObjectId id, Tick until_tick);
  ChangeResult enable(ObjectId id);
  /// `reason`: kDespawned or kOwnerLeft.
  ChangeResult despawn(ObjectId id, ExitReason reason = ExitReason::kDespawned);

  /// Moves the playfield by `origin` from where the config has it. False: it would leave the range of
  /// coordinates, and stays where it is.
  bool scroll_to(Point origin);
  /// See Outcomes::strike. Both must exist.
  void strike(const EncounterKey& key);

  /// Runs the tick in progress. The events stay valid until the next call that changes the world. `observer`,
  /// if any, is shown the tick before the call returns. Where the tick exceeds its budget (`excess`), there
  /// are no events, the observer is shown nothing, and `end` must follow at once.
  std::span<Event> finish_tick(TickObserver* observer = nullptr);
  /// The budget that the last tick exceeded; kNone: it did not.
  Excess excess() const;

  /// One more tick, the last: every object leaves, every open encounter EXITs (kMatchEnded). Changes made
  /// since the last tick are given up. No other change may follow. A tick that exceeded its budget is the
  /// last itself: those encounters EXIT that were open before it.
  std::span<Event> end();

  Tick tick() const;  ///< The last tick that ran; 0 before the first.
  std::uint64_t last_sequence_number() const;
  std::size_t object_count() const;  ///< Of the tick in progress.
  std::optional<ObjectView> find(ObjectId id) const;
  /// Nothing: there is no such object.
  std::optional<Holding> holding_of(ObjectId id) const;
  /// Whose it is and where, quicker where the one before was the same, or came to be before it.
  OwnedSlot find_next(ObjectId id);
  /// Whether there is an object of `first` to `last`.
  bool has_any_in(ObjectId first, ObjectId last) const;
  /// Ids of all objects, ascending.
  std::vector<ObjectId> ids() const;
  /// Ids of all objects of `owner`, ascending.
  std::vector<ObjectId> objects_of(OwnerId owner) const;
  /// The objects that the last finish_tick itself removed (expired, left the playfield, used up, destroyed),
  /// by id.
  std::span<const RemovedObject> removed_by_world() const;

  /// By the last finish_tick, by object.
  std::span<const Destruction> destructions() const;
  /// Those strikes that counted in the last finish_tick, in their order.
  std::span<const EncounterKey> strikes() const;
  Point playfield_origin() const;

  std::size_t encounter_count() const;
  /// Open encounters after the last tick, sorted by key.
  std::vector<Encounter> open_encounters() const;

  std::span<const BitMask> masks() const;

  /// Questions about regions, rays, what is nearest, and one object's encounters.
  Queries queries() const;

  /// A sum over all objects of their mixed (id, position): equal for equal worlds, in whatever order they
  /// came to be.
  std::uint64_t state_hash() const;

  /// Where the notes of a tick have the object, which must exist. Stays while it lives.
  ObjectSlot slot_of(ObjectId id) const;
  /// Of the object there, which must exist.
  Bearing bearing_at(ObjectSlot slot) const;

  /// Writes all that the ticks to come depend on; what the last one brought is not among it. Only between two
  /// ticks: after finish_tick and before any change. Equal worlds make equal bytes, whatever the broadphase
  /// and whatever came before.
  void save(base::ByteWriter& writer) const;
  /// Of a new world of the same config, its broadphase apart: it goes on as the one that was saved. Where the
  /// bytes are none that `save` could have written the reader has a fault, and this world is of no use any
  /// more.
  void restore(base::ByteReader& reader);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sweepd::collision
