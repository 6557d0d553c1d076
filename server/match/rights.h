// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "match/config.h"
#include "match/participant.h"

namespace sweepd::match {

/// A number that a role's limits allow, and whose limits they are.
struct RoleLimit {
  std::uint32_t value = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t place = 0;  ///< Of the limits in the config, where there are any.

  friend auto operator<=>(const RoleLimit&, const RoleLimit&) = default;
};

/// What a participant may do, with layers by index.
struct Rights {
  static constexpr std::uint32_t kNoLimit = RoleLimit{}.value;

  std::uint64_t layers = ~std::uint64_t{0};  ///< Bit i: layer i.
  RoleLimit objects_max = {};                ///< objects_per_participant_max holds beside it.
  RoleLimit parts_max = {};
  RoleLimit frames_max = {};
  RoleLimit frame_bytes_max = {};
  RoleLimit bytes_per_second_max = {};
  std::optional<bool> may_teleport = {};  ///< Absent: what has no speed limit.
  std::uint64_t selection_layers = ~std::uint64_t{0};
  std::uint32_t selection_size_max = kNoLimit;
  std::uint32_t selection_interval_ticks = 0;  ///< 0: no limit.
  std::uint32_t selection_burst = 1;
  std::uint32_t place = 0;  ///< Of all other limits.
};

/// The path of a role's limit within the config, by its place there: "limits[0].spawn_layers".
std::string path_of_limit(std::uint32_t place, const char* name);

/// The rights of every kind of participant. A player that acts as the stage may do what either may.
class RightsTable {
 public:
  explicit RightsTable(const MatchConfig& config);

  const Rights& of_role(Role role) const { return role == Role::kStage ? stage_ : player_; }

  const Rights& of(const Participant& participant) const {
    if (participant.role == Role::kObserver) return none_;
    if (participant.role == Role::kStage) return stage_;
    return participant.acts_as_stage ? both_ : player_;
  }

 private:
  Rights player_;
  Rights stage_;
  Rights both_;
  Rights none_;  ///< Has no limits, and is not asked for any.
};

}  // namespace sweepd::match
