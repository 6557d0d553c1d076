// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.h"
#include "collision/broadphase/broadphase.h"
#include "collision/event.h"
#include "collision/flat_index.h"
#include "collision/object.h"

namespace sweepd::collision {

/// Where an object is stored. Not reused within a tick.
using ObjectSlot = std::uint32_t;

/// An object, and what happened to it in the tick in progress.
/// Invariant: every part, placed at `position`, lies within the range of coordinates.
struct Object {
  Point position;
  Motion motion;
  Box bounds;  ///< Of all parts, relative; with one part, that part's box.
  ObjectId id = 0;
  std::uint32_t mover_rank = ~std::uint32_t{0};  ///< Its place among the movers.
  PartHandle first_handle = kNoHandle;           ///< Its parts in the broadphase; none while it meets nobody.
  std::uint8_t filed_parts = 0;                  ///< How many handles from first_handle on are its own.
  bool alive = false;
  bool despawn_outside_playfield = false;
  bool changed = false;        ///< Is among the changed.
  bool parts_changed = false;  ///< Shapes or layers differ from what the broadphase was told.
  bool reshaped = false;
  ExitReason removal = ExitReason::kNone;  ///< Why it is no longer alive.
  std::uint64_t layers_left = 0;           ///< Bit i: in this tick a part left layer i.
  OwnerId owner = 0;
  Tick disabled_until = 0;
  Tick expires_at = kForever;
  std::vector<Part> parts;

  bool disabled() const { return disabled_until != 0; }
};

/// The smallest box around all `parts`; there is at least one.
Box bounds_of(std::span<const Part> parts);

/// All objects of a world by id, in slots that stay put while the object lives.
/// An object removed in the tick in progress keeps its slot, its id and its notes until `finish_tick`: events
/// are still to be derived from them, and the id must not come again in this tick.
class ObjectTable {
 public:
  /// Living or removed in the tick in progress; null if neither.
  Object* find_any(ObjectId id);
  /// Living only.
  Object* find(ObjectId id);
  const Object* find(ObjectId id) const;

  Object& operator[](ObjectSlot slot) { return objects_[slot]; }
  const Object& operator[](ObjectSlot slot) const { return objects_[slot]; }
  ObjectSlot slot_of(const Object& object) const {
    return static_cast<ObjectSlot>(&object - objects_.data());
  }

  /// The id must be free.
  Object& create(const ObjectSpec& spec, Tick expires_at);
  void remove(Object& object, ExitReason reason);
  void set_motion(Object& object, const Motion& motion);
  /// Puts it among the changed: what the broadphase knows of it may be out of date.
  void touch(Object& object);

  /// Objects that were touched, created or removed in the tick in progress; each once, in order of the first
  /// change.
  std::span<const ObjectSlot> changed() const { return changed_; }
  /// Living objects whose motion is not still.
  std::span<const ObjectSlot> movers() const { return movers_; }

  /// Forgets the notes of the tick in progress; slots and ids of the removed become free.
  void finish_tick();
  void clear();

  std::size_t size() const { return living_; }
  std::vector<ObjectId> ids_of(OwnerId owner) const;
  /// The sum over the living of mix_word(mix_word(id) ^ (x << 32 | y)), x and y as unsigned 32-bit words.
  /// FROZEN: digests in recorded matches depend on it.
  std::uint64_t state_hash() const;
  /// Walks everything and asserts the invariants. For debug builds.
  void validate() const;

 private:
  struct IdHash {
    std::uint64_t operator()(ObjectId id) const { return base::mix_word(id); }
  };

  ObjectSlot take_slot();
  void stop(Object& object);

  std::vector<Object> objects_;
  std::vector<ObjectSlot> free_slots_;
  std::vector<ObjectSlot> changed_;
  std::vector<ObjectSlot> movers_;
  FlatIndex<ObjectId, IdHash> slots_;
  std::size_t living_ = 0;
};

}  // namespace sweepd::collision
