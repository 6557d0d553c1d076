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
#include "collision/id_index.h"
#include "collision/world.h"
#include "match/config.h"
#include "match/participant.h"
#include "match/speed_budget.h"

namespace sweepd::match {

/// Who owns which object of the tick in progress, how many each has, and of how many parts; and how far
/// objects with a speed limit may yet be moved. The world knows owners as well, but not those of objects it
/// has just removed, and the blocks of slots may overlap.
class ObjectOwners {
 public:
  void add(ObjectId object, ParticipantNumber owner, std::size_t parts);
  void set_parts(ObjectId object, std::size_t parts);
  void remove(ObjectId object);
  void transfer(ObjectId object, ParticipantNumber owner);
  /// What was removed in the tick that is over is forgotten.
  void finish_tick();
  void clear();

  std::optional<ParticipantNumber> owner_of(ObjectId object) const {
    const std::uint32_t place = places_.find(object);
    if (place == collision::IdIndex::kNone) return std::nullopt;
    return owners_[place].owner;
  }
  /// The same, quicker where the one before was of an id near by.
  std::optional<ParticipantNumber> owner_of_next(ObjectId object) {
    const std::uint32_t place = places_.find_near(object, last_page_);
    if (place == collision::IdIndex::kNone) return std::nullopt;
    return owners_[place].owner;
  }
  /// Also of what was removed in the tick in progress.
  std::optional<ParticipantNumber> owner_in_tick(ObjectId object) const;
  /// In the order in which they were.
  std::span<const ObjectId> removed_in_tick() const { return removed_ids_; }
  /// Whether an object of `first` to `last` exists, whoever owns it.
  bool has_any_in(ObjectId first, ObjectId last) const;
  std::uint32_t count_of(ParticipantNumber owner) const { return counts_[owner]; }
  std::uint32_t part_count_of(ParticipantNumber owner) const { return part_counts_[owner]; }
  std::uint32_t part_count_in(ObjectId object) const { return owners_[place_of(object)].parts; }
  std::size_t size() const { return places_.size(); }

  /// Null: none was set for it.
  const SpeedBudget* find_budget(ObjectId object) const;
  /// It is kept until the object is removed.
  void set_budget(ObjectId object, const SpeedBudget& budget) { budgets_.insert_or_assign(object, budget); }
  void remove_budget(ObjectId object) { budgets_.erase(object); }

  /// What the world does not know. Only between two ticks.
  void save(base::ByteWriter& writer, const collision::World& world) const;
  /// `world`: restored.
  void restore(base::ByteReader& reader, const collision::World& world);

 private:
  struct Owned {
    ObjectId object;  ///< 0: the place is free.
    ParticipantNumber owner;
    std::uint32_t parts;
  };

  std::uint32_t place_of(ObjectId object) const;
  void count(const Owned& owned);
  void uncount(const Owned& owned);

  std::vector<Owned> owners_;  ///< In whatever order.
  std::vector<std::uint32_t> free_places_;
  collision::IdIndex places_;                                ///< Of all there are, in `owners_`.
  std::uint32_t last_page_ = 0;                              ///< Of `places_`, by owner_of_next.
  std::unordered_map<ObjectId, SpeedBudget> budgets_;        ///< For look-ups only; of some objects.
  std::vector<ObjectId> removed_ids_;                        ///< In this tick,
  std::unordered_map<ObjectId, ParticipantNumber> removed_;  ///< and whose they were; for look-ups only.
  std::array<std::uint32_t, kParticipantsMax + kObserversMax> counts_{};
  std::array<std::uint32_t, kParticipantsMax + kObserversMax> part_counts_{};
};

}  // namespace sweepd::match
