// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "match/field_check.h"
#include "match/role.h"

namespace sweepd::match {

/// What participants of a role may do; what is absent has no limit of its own.
struct RoleLimits {
  Role role = Role::kPlayer;                                  ///< kPlayer or kStage.
  std::optional<std::vector<std::string>> spawn_layers = {};  ///< By name: where its objects may have parts.
  std::optional<std::uint32_t> objects_max = {};              ///< 0 to kObjectsMax.
  std::optional<std::uint32_t> parts_max = {};                ///< In all its objects; 0 to kPartsInAllMax.
  std::optional<std::uint32_t> frames_max = {};               ///< For one tick; 1 to kFramesForTickMax.
  std::optional<std::uint32_t> frame_bytes_max = {};       ///< For whoever takes frames in, as is the next.
  std::optional<std::uint32_t> bytes_per_second_max = {};  ///< Both in kBytesRange.
  /// Absent: what no part of has a speed limit.
  std::optional<bool> may_teleport = {};
};

/// What holds for objects with a part on a layer.
struct LayerLimits {
  std::string layer = {};
  std::optional<std::uint32_t> speed_max = {};  ///< Subunits per tick; up to kSpeedMax.
  /// How many ticks' worth of movement an object may save up, so that moves which come late are none too many
  /// together. 1 to kBudgetTicksMax.
  std::uint32_t speed_budget_ticks = 6;
  bool stay_in_playfield = false;
};

inline constexpr std::uint32_t kObjectsMax = 100'000;
inline constexpr std::uint32_t kPartsInAllMax = 3'200'000;
inline constexpr std::uint32_t kFramesForTickMax = 1024;
inline constexpr Range kBytesRange{64, 1u << 30};
inline constexpr std::uint32_t kSpeedMax = (1u << 31) - 1;
inline constexpr std::uint32_t kBudgetTicksMax = 3600;

/// The first field at fault, or nothing. `layers`: of the match.
Found find_limits_error(std::span<const RoleLimits> limits, std::span<const LayerLimits> layer_limits,
                        std::span<const std::string> layers);

}  // namespace sweepd::match
