// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/hash_secret.h"
#include "collision/world.h"
#include "match/config.h"
#include "match/participant.h"
#include "match/slot_table.h"
#include "match/speed_budget.h"
#include "match/templates/template_objects.h"

namespace sweepd::match {

/// Who owns which object of the tick in progress, how many each has, and of how many parts; and how far
/// objects with a speed limit may yet be moved. Whose an object is the world knows, as long as it is there:
/// here is whose those were that the tick removed, and the sums. Told of what goes, and of what changes
/// hands, while the world still has it as it was.
class ObjectOwners {
 public:
  /// Both must outlive it. `templates` is told of what goes, and of what changes hands.
  ObjectOwners(collision::World& world, TemplateObjects& templates) : world_(world), templates_(templates) {}

  void add(const collision::Holding& holding) { count(holding); }
  void change_parts(ParticipantNumber owner, std::size_t before, std::size_t after);
  /// The world is about to remove it,
  void remove(ObjectId object) { remove({object, *world_.holding_of(object)}, world_.tick() + 1); }
  /// or has.
  void remove(const collision::RemovedObject& removed) { remove(removed, world_.tick()); }
  void remove_all();
  /// The world is about to give it to `owner`.
  void transfer(ObjectId object, ParticipantNumber owner);
  /// What was removed in the tick that is over is forgotten.
  void finish_tick();

  std::optional<ParticipantNumber> owner_of(ObjectId object) const {
    const auto holding = world_.holding_of(object);
    if (!holding) return std::nullopt;
    return holding->owner;
  }
  /// The same and where it is, as World::find_next.
  collision::OwnedSlot find_next(ObjectId object) { return world_.find_next(object); }
  /// Also of what was removed in the tick in progress.
  std::optional<ParticipantNumber> owner_in_tick(ObjectId object) const;
  /// In the order in which they were.
  std::span<const ObjectId> removed_in_tick() const { return removed_ids_; }
  std::uint32_t count_of(ParticipantNumber owner) const { return counts_[owner]; }
  std::uint32_t part_count_of(ParticipantNumber owner) const { return part_counts_[owner]; }
  std::uint32_t part_count_in(ObjectId object) const { return world_.holding_of(object)->parts; }
  std::size_t size() const { return size_; }
  std::size_t part_count() const { return part_count_; }  ///< Of all objects.

  /// Null: none was set for it.
  const SpeedBudget* find_budget(ObjectSlot object) const { return budgets_.find(object); }
  /// It is kept until the object is removed.
  void set_budget(ObjectSlot object, const SpeedBudget& budget) { budgets_.set(object, budget); }
  void remove_budget(ObjectSlot object) { budgets_.erase(object); }

  /// What the world does not know. Only between two ticks.
  void save(base::ByteWriter& writer) const;
  /// The world: restored.
  void restore(base::ByteReader& reader);

 private:
  void count(const collision::Holding& holding);
  void uncount(const collision::Holding& holding);
  void remove(const collision::RemovedObject& removed, Tick tick);

  collision::World& world_;
  TemplateObjects& templates_;
  std::size_t size_ = 0;               ///< How many there are,
  std::size_t part_count_ = 0;         ///< and of how many parts.
  SlotTable<SpeedBudget> budgets_;     ///< Of some objects.
  std::vector<ObjectId> removed_ids_;  ///< In this tick,
  std::unordered_map<ObjectId, ParticipantNumber, base::SecretHash>
      removed_;  ///< and whose they were; for look-ups only.
  std::array<std::uint32_t, kParticipantsMax + kObserversMax> counts_{};
  std::array<std::uint32_t, kParticipantsMax + kObserversMax> part_counts_{};
};

}  // namespace sweepd::match
