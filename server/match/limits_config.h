// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "match/field.h"
#include "match/role.h"
#include "match/tick_pace.h"

namespace sweepd::match {

/// What participants of a role may do; what is absent has no limit of its own.
struct RoleLimits {
  Role role = Role::kPlayer;                                  ///< kPlayer or kStage.
  std::optional<std::vector<std::string>> spawn_layers = {};  ///< By name: where its objects may have parts.
  std::optional<std::uint32_t> objects_max = {};
  std::optional<std::uint32_t> parts_max = {};        ///< In all its objects.
  std::optional<std::uint32_t> frames_max = {};       ///< For one tick.
  std::optional<std::uint32_t> frame_bytes_max = {};  ///< Checked where frames are taken in, as is the next.
  std::optional<std::uint32_t> bytes_per_second_max = {};
  /// Absent: what no part of has a speed limit.
  std::optional<bool> may_teleport = {};
  std::optional<std::vector<std::string>> selection_layers = {};  ///< By name: on which it may select.
  std::optional<std::uint32_t> selection_size_max = {};           ///< Subunits: of its region, an edge.
  std::optional<std::uint32_t> selection_interval_ticks = {};     ///< One selection in so many ticks,
  std::optional<std::uint32_t> selection_burst = {};              ///< so many at once; absent: 1.
  friend bool operator==(const RoleLimits&, const RoleLimits&) = default;
};

/// What holds for objects with a part on a layer.
struct LayerLimits {
  std::string layer = {};
  std::optional<std::uint32_t> speed_max = {};  ///< Subunits per tick.
  /// How many ticks' worth of movement an object may save up, so that moves which come late are none too many
  /// together.
  std::uint32_t speed_budget_ticks = 6;
  bool stay_in_playfield = false;
  friend bool operator==(const LayerLimits&, const LayerLimits&) = default;
};

inline constexpr Range kBytesRange{64, 1u << 30};
inline constexpr std::uint32_t kSpeedMax = (1u << 31) - 1;

/// Each of a list of layers, where one is given.
Found check_layer_names(const std::string& field, const std::optional<std::vector<std::string>>& names,
                        const MatchConfig& config);
Found check_spawn_layers(const FieldIn<RoleLimits>& field);
Found check_selection_layers(const FieldIn<RoleLimits>& field);
Found check_limited_layer(const FieldIn<LayerLimits>& field);

constexpr void for_each_field(std::type_identity<RoleLimits>, const auto& visit) {
  visit(SWEEPD_FIELD(RoleLimits, role).in({1, 2}).digested());
  visit(SWEEPD_FIELD(RoleLimits, spawn_layers).by(check_spawn_layers).digested());
  visit(SWEEPD_FIELD(RoleLimits, objects_max).in({0, 100'000}).digested());
  visit(SWEEPD_FIELD(RoleLimits, parts_max).in({0, 3'200'000}).digested());
  visit(SWEEPD_FIELD(RoleLimits, frames_max).in({1, 1024}).digested());
  visit(SWEEPD_FIELD(RoleLimits, frame_bytes_max).in(kBytesRange));
  visit(SWEEPD_FIELD(RoleLimits, bytes_per_second_max).in(kBytesRange));
  visit(SWEEPD_FIELD(RoleLimits, may_teleport).digested());
  visit(SWEEPD_FIELD(RoleLimits, selection_layers).by(check_selection_layers).digested().since_format(4));
  visit(SWEEPD_FIELD(RoleLimits, selection_size_max).in({0, kSpeedMax}).digested().since_format(4));
  visit(SWEEPD_FIELD(RoleLimits, selection_interval_ticks)
            .in({0, kPaceIntervalMax})
            .digested()
            .since_format(4));
  visit(SWEEPD_FIELD(RoleLimits, selection_burst).in({1, kPaceBurstMax}).digested());
}

constexpr void for_each_field(std::type_identity<LayerLimits>, const auto& visit) {
  visit(SWEEPD_FIELD(LayerLimits, layer).by(check_limited_layer).digested());
  visit(SWEEPD_FIELD(LayerLimits, speed_max).in({0, kSpeedMax}).digested());
  visit(SWEEPD_FIELD(LayerLimits, speed_budget_ticks).in({1, 3600}).digested());
  visit(SWEEPD_FIELD(LayerLimits, stay_in_playfield).digested());
}

/// One entry at most for each role and each layer.
Found check_role_limits(const FieldIn<MatchConfig>& field);
Found check_layer_limits(const FieldIn<MatchConfig>& field);

}  // namespace sweepd::match
