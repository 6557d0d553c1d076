// SPDX-License-Identifier: MIT
#include "match/rights.h"

#include <algorithm>

#include "match/world_config.h"

namespace sweepd::match {
namespace {

Rights rights_of(const MatchConfig& config, Role role) {
  const auto found = std::ranges::find(config.limits, role, &RoleLimits::role);
  if (found == config.limits.end()) return {};
  Rights rights;
  rights.place = static_cast<std::uint32_t>(found - config.limits.begin());
  const auto limit = [&](std::optional<std::uint32_t> value) {
    return RoleLimit{value.value_or(Rights::kNoLimit), rights.place};
  };
  if (found->spawn_layers) rights.layers = layer_set_of(config, *found->spawn_layers);
  rights.objects_max = limit(found->objects_max);
  rights.parts_max = limit(found->parts_max);
  rights.frames_max = limit(found->frames_max);
  rights.frame_bytes_max = limit(found->frame_bytes_max);
  rights.bytes_per_second_max = limit(found->bytes_per_second_max);
  rights.may_teleport = found->may_teleport;
  if (found->selection_layers) rights.selection_layers = layer_set_of(config, *found->selection_layers);
  rights.selection_size_max = found->selection_size_max.value_or(Rights::kNoLimit);
  rights.selection_interval_ticks = found->selection_interval_ticks.value_or(0);
  rights.selection_burst = found->selection_burst.value_or(1);
  return rights;
}

std::optional<bool> either(std::optional<bool> a, std::optional<bool> b) {
  if (a == true || b == true) return true;
  return a && b ? std::optional(false) : std::nullopt;
}

Rights either(const Rights& a, const Rights& b) {
  return {.layers = a.layers | b.layers,
          .objects_max = std::max(a.objects_max, b.objects_max),
          .parts_max = std::max(a.parts_max, b.parts_max),
          .frames_max = std::max(a.frames_max, b.frames_max),
          .frame_bytes_max = std::max(a.frame_bytes_max, b.frame_bytes_max),
          .bytes_per_second_max = std::max(a.bytes_per_second_max, b.bytes_per_second_max),
          .may_teleport = either(a.may_teleport, b.may_teleport),
          .selection_layers = a.selection_layers | b.selection_layers,
          .selection_size_max = std::max(a.selection_size_max, b.selection_size_max),
          .selection_interval_ticks = std::min(a.selection_interval_ticks, b.selection_interval_ticks),
          .selection_burst = std::max(a.selection_burst, b.selection_burst),
          .place = a.place};
}

}  // namespace

std::string path_of_limit(std::uint32_t place, const char* name) {
  return "limits[" + std::to_string(place) + "]." + name;
}

RightsTable::RightsTable(const MatchConfig& config)
    : player_(rights_of(config, Role::kPlayer)),
      stage_(rights_of(config, Role::kStage)),
      both_(either(player_, stage_)) {}

}  // namespace sweepd::match
