// SPDX-License-Identifier: MIT
#include "app/sweepctl/match_file_parts.h"

namespace sweepd::app {
namespace {

constexpr NumberRange kBytesRange{64, 1 << 30};

// What is not given has no limit.
void read_number(TomlTable& table, const std::string& key, NumberRange range,
                 std::optional<std::uint32_t>& limit) {
  std::uint32_t number = 0;
  const auto field = table.find(key);
  if (field && field->to_number(range, number)) limit = number;
}

void read_spawn_layers(TomlTable& table, const LayerNames& layers,
                       std::optional<std::vector<std::string>>& names) {
  const auto list = table.find("spawn_layers");
  if (!list || !list->expect(TomlKind::kList, "a list of names from layers")) return;
  names.emplace();
  for (const TomlField& item : list->to_list()) {
    std::string name;
    if (layers.to_layer(item, name)) names->push_back(name);
  }
}

void read_role_limits(TomlTable& table, const LayerNames& layers, RoleLimits& limits) {
  if (const auto role = table.require("role")) role->to_word(kRoleWords, limits.role);
  read_spawn_layers(table, layers, limits.spawn_layers);
  read_number(table, "objects_max", {0, 100'000}, limits.objects_max);
  read_number(table, "parts_max", {0, 3'200'000}, limits.parts_max);
  read_number(table, "frames_max", {1, 1024}, limits.frames_max);
  read_number(table, "frame_bytes_max", kBytesRange, limits.frame_bytes_max);
  read_number(table, "bytes_per_second_max", kBytesRange, limits.bytes_per_second_max);
  bool may_teleport = false;
  const auto field = table.find("may_teleport");
  if (field && field->to_flag(may_teleport)) limits.may_teleport = may_teleport;
}

void read_layer_limits(TomlTable& table, const LayerNames& layers, LayerLimits& limits) {
  if (const auto layer = table.require("layer")) layers.to_layer(*layer, limits.layer);
  double speed_max = 0;
  const auto field = table.find("speed_max");
  if (field && field->to_length(speed_max)) limits.speed_max = speed_max;
  table.number("speed_budget_ticks", {0, 3600}, limits.speed_budget_ticks);
  table.flag("stay_in_playfield", limits.stay_in_playfield);
}

}  // namespace

void read_limits(TomlTable& file, const LayerNames& layers, MatchConfig& config) {
  if (const auto list = file.find("limits")) {
    for (const TomlField& item : list->to_list()) {
      TomlTable table(item);
      read_role_limits(table, layers, config.limits.emplace_back());
      table.finish();
    }
  }
  const auto list = file.find("layer_limits");
  if (!list) return;
  for (const TomlField& item : list->to_list()) {
    TomlTable table(item);
    read_layer_limits(table, layers, config.layer_limits.emplace_back());
    table.finish();
  }
}

}  // namespace sweepd::app
