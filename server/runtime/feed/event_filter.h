// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "match/match.h"

namespace sweepd::runtime {

/// Which encounters a subscriber is told of: those that pass all of these.
struct EventFilter {
  static constexpr std::size_t kObjectsMax = 1024;
  static constexpr std::uint64_t kAllLayers = ~std::uint64_t{0};

  std::uint64_t layers = kAllLayers;         ///< A bit per layer: one of the two has to be among them.
  std::vector<collision::ObjectId> objects;  ///< Sorted: one of the two has to be among them. Empty: any.
  std::vector<match::ParticipantNumber>
      owners;  ///< Sorted: one of the two has to be of one of these. Empty: of any.
  bool enters = true;
  bool exits = true;

  /// Kinds are not asked for: an encounter that is open is neither.
  bool passes(const collision::EncounterKey& key, const collision::EventOwners& of) const;
  bool passes(const collision::Event& event) const;
  bool passes_everything() const {
    return layers == kAllLayers && objects.empty() && owners.empty() && enters && exits;
  }

 private:
  bool has_owner(match::ParticipantNumber number) const;
};

}  // namespace sweepd::runtime
