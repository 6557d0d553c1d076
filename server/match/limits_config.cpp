// SPDX-License-Identifier: MIT
#include "match/limits_config.h"

#include <algorithm>
#include <string_view>

#include "collision/layers.h"

namespace sweepd::match {
namespace {

Found check_optional(std::string field, const std::optional<std::uint32_t>& value, Range range) {
  return value ? check_number(std::move(field), *value, range) : std::nullopt;
}

Found check_layer_name(std::string field, std::string_view name, std::span<const std::string> layers) {
  if (std::ranges::find(layers, name) != layers.end()) return std::nullopt;
  return FieldError{std::move(field), "is \"" + std::string(name) + "\"; must be a name from layers"};
}

Found check_spawn_layers(const std::string& field, const RoleLimits& limits,
                         std::span<const std::string> layers) {
  if (!limits.spawn_layers) return std::nullopt;
  if (Found error = check_count(field, limits.spawn_layers->size(), {0, collision::kLayersMax})) return error;
  for (std::size_t i = 0; i < limits.spawn_layers->size(); ++i) {
    if (Found error = check_layer_name(indexed(field, i), (*limits.spawn_layers)[i], layers)) return error;
  }
  return std::nullopt;
}

Found check_role_limits(const std::string& field, const RoleLimits& limits,
                        std::span<const std::string> layers) {
  if (Found error = check_kind(field + ".role", static_cast<std::uint8_t>(limits.role), {1, 2})) return error;
  if (Found error = check_spawn_layers(field + ".spawn_layers", limits, layers)) return error;
  if (Found error = check_optional(field + ".objects_max", limits.objects_max, {0, kObjectsMax}))
    return error;
  if (Found error = check_optional(field + ".parts_max", limits.parts_max, {0, kPartsInAllMax})) return error;
  if (Found error = check_optional(field + ".frames_max", limits.frames_max, {1, kFramesForTickMax}))
    return error;
  if (Found error = check_optional(field + ".frame_bytes_max", limits.frame_bytes_max, kBytesRange))
    return error;
  return check_optional(field + ".bytes_per_second_max", limits.bytes_per_second_max, kBytesRange);
}

/// The second of two entries for the same thing.
template <typename Entry, typename Key>
Found check_unique(const std::string& name, std::span<const Entry> entries, std::size_t index,
                   Key Entry::*key, const char* key_name) {
  for (std::size_t before = 0; before < index; ++before) {
    if (!(entries[before].*key == entries[index].*key)) continue;
    return FieldError{indexed(name, index) + "." + key_name,
                      "is that of " + indexed(name, before) + " already; one entry for each is allowed"};
  }
  return std::nullopt;
}

Found check_layer_limits(const std::string& field, const LayerLimits& limits,
                         std::span<const std::string> layers) {
  if (Found error = check_layer_name(field + ".layer", limits.layer, layers)) return error;
  if (Found error = check_optional(field + ".speed_max", limits.speed_max, {0, kSpeedMax})) return error;
  return check_number(field + ".speed_budget_ticks", limits.speed_budget_ticks, {1, kBudgetTicksMax});
}

}  // namespace

Found find_limits_error(std::span<const RoleLimits> limits, std::span<const LayerLimits> layer_limits,
                        std::span<const std::string> layers) {
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (Found error = check_role_limits(indexed("limits", i), limits[i], layers)) return error;
    if (Found error = check_unique("limits", limits, i, &RoleLimits::role, "role")) return error;
  }
  for (std::size_t i = 0; i < layer_limits.size(); ++i) {
    if (Found error = check_layer_limits(indexed("layer_limits", i), layer_limits[i], layers)) return error;
    if (Found error = check_unique("layer_limits", layer_limits, i, &LayerLimits::layer, "layer"))
      return error;
  }
  return std::nullopt;
}

}  // namespace sweepd::match
