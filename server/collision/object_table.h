// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/growth.h"
#include "collision/event.h"
#include "collision/motion_table.h"
#include "collision/object.h"
#include "collision/part_pool.h"
#include "collision/side_table.h"
#include "collision/slot_index.h"

namespace sweepd::collision {

/// What has changed about an object in a tick, beside what its motion did.
enum class ChangeKind : std::uint8_t {
  kMovedOn,  ///< Nothing.
  kPlaced,   ///< It was put somewhere.
  kSteered,  ///< The motion by which it goes on.
  kAny,      ///< Several of these, or something else, or it was spawned.
};

/// An object, and what happened to it in the tick in progress. Small, as every tick passes over most of them:
/// what few objects have (motion, deadlines, several parts) is kept elsewhere. Invariant: every part, placed
/// at `position`, lies within the range of coordinates.
struct Object {
  Point position;
  ObjectId id = 0;
  OwnerId owner = 0;
  PartHandle first_part = kNoHandle;
  std::uint8_t part_count = 0;
  ExitReason removal : 6 = ExitReason::kNone;  ///< Why it is no longer alive.
  bool is_new : 1 = false;                     ///< A note of the tick in progress: it was spawned in it.
  bool is_swept : 1 = false;  ///< A note of the tick in progress: in it, it is as if it were continuous.
  bool is_alive : 1 = false;
  bool is_disabled : 1 = false;
  bool has_expiry : 1 = false;
  bool is_continuous : 1 = false;
  bool despawn_outside_playfield : 1 = false;
  bool is_filed : 1 = false;    ///< The broadphase knows its parts.
  bool was_judged : 1 = false;  ///< In the last tick that was, with these parts or others.
  bool is_single_use : 1 = false;
  bool has_vitals : 1 = false;
  bool is_frozen : 1 = false;
  bool is_ghost : 1 = false;  ///< Was removed by the last tick's outcome: its id is free already.
  // Notes of the tick in progress:
  bool is_changed : 1 = false;  ///< Is among the changed.
  bool is_reshaped : 1 = false;
  bool has_left_layers : 1 = false;
  ChangeKind change : 2 = ChangeKind::kMovedOn;

  /// Of what has changed: only so much has.
  bool is_only(ChangeKind kind) const { return is_alive && change == kind; }
  bool is_continuous_now() const { return is_continuous || is_swept; }
};
static_assert(sizeof(Object) <= 24);

/// Parts of an object that the broadphase knows and that are no longer its parts.
struct WithdrawnParts {
  PartHandle first;
  std::uint8_t count;
};

/// Where an object's way through this tick begins that was spawned or teleported there.
struct Start {
  ObjectSlot slot;
  Point position;
};

/// The step by which its motion took an object out of the playfield, or would have taken it out of the range
/// of coordinates: there its position cannot follow. Noted while there are objects to sweep.
struct LastStep {
  ObjectSlot slot;
  std::int64_t x, y;
  bool is_taken;
};

/// What an object can take and give.
struct Vitals {
  std::uint32_t hit_points = 0;  ///< 0: none can be taken, or none is left.
  std::uint32_t damage = 0;
};

/// All objects of a world by id, in slots that stay put while the object lives.
/// An object removed in the tick in progress keeps its slot, its id and its notes until `finish_tick`: events
/// are still to be derived from them, and the id must not come again in this tick. One that the outcome of
/// the last tick removed has no id any more, but keeps its slot in the same way: the broadphase has yet to
/// hear.
class ObjectTable {
 public:
  /// Living or removed in the tick in progress; null if neither.
  Object* find_any(ObjectId id) {
    const ObjectSlot slot = slots_.find(id, id_at());
    return slot == slots_.kNone ? nullptr : &objects_[slot];
  }
  const Object* find_any(ObjectId id) const { return const_cast<ObjectTable*>(this)->find_any(id); }
  /// Living only.
  Object* find(ObjectId id) {
    Object* object = find_any(id);
    return object != nullptr && object->is_alive ? object : nullptr;
  }
  const Object* find(ObjectId id) const { return const_cast<ObjectTable*>(this)->find(id); }
  /// The same, quicker where it is the one before, or came to be after it: objects are mostly moved in the
  /// order in which they came.
  Object* find_next(ObjectId id) {
    for (const ObjectSlot slot : {last_found_, last_found_ + 1}) {
      if (slot >= objects_.size() || objects_[slot].id != id || !objects_[slot].is_alive) continue;
      last_found_ = slot;
      return &objects_[slot];
    }
    Object* object = find(id);
    if (object != nullptr) last_found_ = slot_of(*object);
    return object;
  }

  /// By slot, the dead and the free too.
  std::span<const Object> slots() const { return objects_; }
  Object& operator[](ObjectSlot slot) { return objects_[slot]; }
  const Object& operator[](ObjectSlot slot) const { return objects_[slot]; }
  ObjectSlot slot_of(const Object& object) const {
    return static_cast<ObjectSlot>(&object - objects_.data());
  }

  /// The id must be free.
  Object& create(const ObjectSpec& spec);
  void remove(Object& object, ExitReason reason);
  /// After `finish_tick`: it went with the tick that is over, and its id is free for the next.
  void remove_with_last_tick(Object& object, ExitReason reason);
  /// It is about to be removed for where its motion has got it, or would.
  void note_last_step(const LastStep& step);
  /// Gives it other parts; `parts` must not be a view of present ones.
  void replace_parts(Object& object, std::span<const Part> parts);
  void set_motion(Object& object, const Motion& motion);
  /// In this tick its way is swept, as that of a continuous one is in every tick.
  void sweep(Object& object);
  /// Of a frozen one, the motion that it will go on with.
  Motion motion_of(const Object& object) const;
  /// What its motion did in this tick.
  Point step_of(const Object& object) const {
    return object.is_frozen ? Point{} : motion_of(object).velocity;
  }
  /// By which it goes on now: of a frozen one, none.
  Motion present_motion_of(const Object& object) const {
    return object.is_frozen ? Motion{} : motion_of(object);
  }
  /// It keeps its motion, and does not move by it until released.
  void freeze(Object& object);
  void release(Object& object);
  /// It is at `position` without a way there.
  void teleport(Object& object, Point position);
  /// 0: it has none.
  std::uint64_t tag_of(ObjectId id) const {
    const std::uint64_t* tag = tags_.size() == 0 ? nullptr : tags_.find(id);
    return tag == nullptr ? 0 : *tag;
  }
  Vitals* vitals_of(ObjectId id) { return vitals_.find(id); }
  const Vitals* vitals_of(ObjectId id) const { return vitals_.find(id); }
  /// How many objects of the tick in progress are single-use or have vitals.
  std::size_t acting_count() const { return acting_; }
  /// Puts it among the changed: what the broadphase knows of it may be out of date, and more than its place
  /// may have changed.
  void touch(Object& object) { note_change(object, ChangeKind::kAny); }
  /// The same, where it was only put somewhere.
  void touch_placed(Object& object) { note_change(object, ChangeKind::kPlaced); }
  /// The same, where its motion took it on.
  void touch_moved(Object& object) { note_change(object, ChangeKind::kMovedOn); }

  /// Objects are mostly moved in the order in which they came: fetches those that may be next, so that a
  /// world that has left the cache does not wait for each of them.
  void prefetch_after(const Object& object) const {
    constexpr std::uintptr_t kAhead = 12;
    prefetch_for_write(reinterpret_cast<std::uintptr_t>(&object) + kAhead * sizeof(Object));
    prefetch(reinterpret_cast<std::uintptr_t>(&parts_[object.first_part]) + kAhead * sizeof(Part));
  }

  std::span<const Part> parts_of(const Object& object) const {
    return parts_.parts(object.first_part, object.part_count);
  }
  /// Of all its parts, relative to its position.
  const Box& bounds_of(const Object& object) const {
    return parts_.bounds(object.first_part, object.part_count);
  }
  const PartPool& parts() const { return parts_; }
  /// Whether no part of it touches the box.
  bool is_outside(const Object& object, const Box& box) const;

  /// Notes that in this tick parts of it left these layers (bit i: layer i).
  void note_left_layers(Object& object, std::uint64_t layers);
  /// After the last such note of the tick, before the first question.
  void sort_left_layers();
  bool has_left_layer(const Object& object, LayerId layer) const;

  /// Objects that were touched, created or removed in the tick in progress; each once, in order of the first
  /// change.
  std::span<const ObjectSlot> changed() const { return changed_; }
  std::span<const WithdrawnParts> withdrawn() const { return withdrawn_; }
  std::span<const Start> starts() const { return starts_; }
  std::span<const LastStep> last_steps() const { return last_steps_; }
  /// Of living objects whose motion is not still and that are not frozen.
  MotionTable& motions() { return motions_; }

  /// Slots of the continuous; some may have been removed in the tick in progress.
  std::span<const ObjectSlot> continuous() const { return continuous_; }
  /// Slots of those that are swept in this tick alone; the same.
  std::span<const ObjectSlot> swept() const { return swept_; }
  bool has_any_to_sweep() const { return !continuous_.empty() || !swept_.empty(); }
  std::size_t slot_count() const { return objects_.size(); }

  /// Whether nothing has changed since the last tick, but for what its outcome removed: only the broadphase
  /// is still told of that, and a restored world has a new one.
  bool is_between_ticks() const;

  /// Forgets the notes of the tick in progress; slots, ids and parts of the removed become free.
  void finish_tick();
  void clear();

  std::size_t size() const { return living_; }
  std::size_t part_count() const { return living_parts_; }  ///< Of the living.
  std::vector<ObjectId> ids() const;                        ///< Of the living, ascending.
  std::vector<ObjectId> ids_of(OwnerId owner) const;
  bool has_any_in(ObjectId first, ObjectId last) const;  ///< Of the living, `last` included.
  /// The sum over the living of mix_word(mix_word(id) ^ (x << 32 | y)), x and y as unsigned 32-bit words.
  /// FROZEN: digests in recorded matches depend on it.
  std::uint64_t state_hash() const;
  /// Walks everything and asserts the invariants. For debug builds.
  void validate() const;

 private:
  // May lie beyond the end of an array: as numbers, for no pointer may.
  static void prefetch(std::uintptr_t address) {
    __builtin_prefetch(reinterpret_cast<const void*>(address), 0);
  }
  static void prefetch_for_write(std::uintptr_t address) {
    __builtin_prefetch(reinterpret_cast<const void*>(address), 1);
  }

  struct LeftLayers {
    ObjectSlot slot;
    std::uint64_t layers;
  };

  void note_change(Object& object, ChangeKind kind) {
    if (kind != ChangeKind::kMovedOn && object.change != kind) {
      object.change = object.change == ChangeKind::kMovedOn ? kind : ChangeKind::kAny;
    }
    if (object.is_changed) return;
    object.is_changed = true;
    base::append_tightly(changed_, slot_of(object));
  }
  /// What the objects of so many slots add to the state's hash: where nothing has changed, it is not taken
  /// again.
  static constexpr std::size_t kHashBlockSlots = 64;
  struct HashBlock {
    std::uint64_t hash = 0;
    bool is_stale = true;  ///< One of them has changed since, before the tick in progress.
  };
  std::uint64_t hash_of_slots(std::size_t begin, std::size_t count) const;
  void note_stale_hashes() const;
  struct IdAt {
    const std::vector<Object>& objects;
    ObjectId operator()(ObjectSlot slot) const { return objects[slot].id; }
  };
  IdAt id_at() const { return {objects_}; }
  ObjectSlot take_slot();
  void set_vitals(Object& object, const ObjectSpec& spec);
  void move_by_itself(Object& object, const Motion& motion);
  void forget(Object& object);

  std::vector<Object> objects_;
  mutable std::vector<HashBlock> hash_blocks_;  ///< Those that there are none of yet are stale.
  bool is_calm_ = false;  ///< Little changed in the last tick: blocks are worth keeping.
  std::vector<ObjectSlot> free_slots_;
  std::vector<ObjectSlot> changed_;
  MotionTable motions_;
  std::vector<ObjectSlot> continuous_;
  std::vector<ObjectSlot> swept_;
  std::vector<LeftLayers> left_layers_;
  std::vector<WithdrawnParts> withdrawn_;
  std::vector<Start> starts_;
  std::vector<LastStep> last_steps_;
  PartPool parts_;
  SlotIndex slots_;
  ObjectSlot last_found_ = 0;  ///< By find_next.
  SideTable<Vitals> vitals_;
  SideTable<Motion> frozen_;  ///< What they go on with.
  SideTable<std::uint64_t> tags_;
  std::size_t living_ = 0;
  std::size_t living_parts_ = 0;
  std::size_t acting_ = 0;
};

}  // namespace sweepd::collision
