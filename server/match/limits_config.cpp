// SPDX-License-Identifier: MIT
#include "match/limits_config.h"

#include <algorithm>

#include "match/field_rules.h"

namespace sweepd::match {
namespace {

Found check_layer_name(const std::string& path, const std::string& name, const MatchConfig& config) {
  if (std::ranges::find(config.layers, name) != config.layers.end()) return std::nullopt;
  return FieldError{path, "is \"" + name + "\"; must be a name from layers"};
}

/// Each entry, and that none is for what an entry before it is for.
template <typename Entry, typename Key>
Found check_entries(const FieldIn<MatchConfig>& field, const std::vector<Entry>& entries, Key Entry::*key,
                    const char* key_name) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string path = indexed(field.path, i);
    if (Found error = check_fields(path, entries[i], field.config)) return error;
    const auto first = std::ranges::find(entries, entries[i].*key, key) - entries.begin();
    if (first == static_cast<std::ptrdiff_t>(i)) continue;
    return FieldError{path + "." + key_name, "is that of " +
                                                 indexed(field.path, static_cast<std::size_t>(first)) +
                                                 " already; one entry for each is allowed"};
  }
  return std::nullopt;
}

}  // namespace

Found check_layer_names(const std::string& field, const std::optional<std::vector<std::string>>& names,
                        const MatchConfig& config) {
  if (!names) return std::nullopt;
  const std::string path = field + ".layers";  // In the contract the list is in a message of its own.
  if (Found error = check_count(path, names->size(), {0, collision::kLayersMax})) return error;
  for (std::size_t i = 0; i < names->size(); ++i) {
    if (Found error = check_layer_name(indexed(path, i), (*names)[i], config)) return error;
  }
  return std::nullopt;
}

Found check_spawn_layers(const FieldIn<RoleLimits>& field) {
  return check_layer_names(field.path, field.owner.spawn_layers, field.config);
}

Found check_selection_layers(const FieldIn<RoleLimits>& field) {
  return check_layer_names(field.path, field.owner.selection_layers, field.config);
}

Found check_limited_layer(const FieldIn<LayerLimits>& field) {
  return check_layer_name(field.path, field.owner.layer, field.config);
}

Found check_role_limits(const FieldIn<MatchConfig>& field) {
  return check_entries(field, field.owner.limits, &RoleLimits::role, "role");
}

Found check_layer_limits(const FieldIn<MatchConfig>& field) {
  return check_entries(field, field.owner.layer_limits, &LayerLimits::layer, "layer");
}

}  // namespace sweepd::match
