// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "match/config.h"
#include "match/participant.h"

namespace sweepd::match {

/// Who owns which object of the tick in progress, and how many each has. The world knows owners as well, but
/// not those of objects it has just removed, and the blocks of slots may overlap.
class ObjectOwners {
 public:
  void add(ObjectId object, ParticipantNumber owner);
  void remove(ObjectId object);
  void transfer(ObjectId object, ParticipantNumber owner);
  /// What was removed in the tick that is over is forgotten.
  void finish_tick();
  void clear();

  std::optional<ParticipantNumber> owner_of(ObjectId object) const;
  /// Also of what was removed in the tick in progress.
  std::optional<ParticipantNumber> owner_in_tick(ObjectId object) const;
  /// In the order in which they were.
  std::span<const ObjectId> removed_in_tick() const { return removed_ids_; }
  /// Whether an object of `first` to `last` exists, whoever owns it.
  bool has_any_in(ObjectId first, ObjectId last) const;
  std::uint32_t count_of(ParticipantNumber owner) const { return counts_[owner]; }
  std::size_t size() const { return owners_.size(); }

 private:
  std::unordered_map<ObjectId, ParticipantNumber> owners_;   ///< For look-ups only, never iterated.
  std::vector<ObjectId> removed_ids_;                        ///< In this tick,
  std::unordered_map<ObjectId, ParticipantNumber> removed_;  ///< and whose they were; for look-ups only.
  std::array<std::uint32_t, kParticipantsMax + kObserversMax> counts_{};
};

}  // namespace sweepd::match
