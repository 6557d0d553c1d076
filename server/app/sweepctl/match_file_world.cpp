// SPDX-License-Identifier: MIT
#include <charconv>

#include "app/sweepctl/match_file_parts.h"

namespace sweepd::app {
namespace {

constexpr std::array<Word<BroadphaseKind>, 4> kBroadphaseWords{
    {{"sweep_and_prune", BroadphaseKind::kSweepAndPrune},
     {"sector_grid", BroadphaseKind::kSectorGrid},
     {"approach", BroadphaseKind::kApproach},
     {"brute_force", BroadphaseKind::kBruteForce}}};
constexpr std::array<Word<SectorScheme>, 4> kSchemeWords{
    {{"four_shifts", SectorScheme::kFourShifts},
     {"plain", SectorScheme::kPlain},
     {"horizontal_strips", SectorScheme::kHorizontalStrips},
     {"vertical_strips", SectorScheme::kVerticalStrips}}};
constexpr std::array<Word<StageHandover>, 2> kHandoverWords{
    {{"none", StageHandover::kNone}, {"lowest_number", StageHandover::kLowestNumber}}};

void read_edge(TomlTable& box, const std::string& key, double& edge) {
  if (const auto field = box.require(key)) field->to_length(edge);
}

void read_playfield(TomlTable& file, std::optional<Box>& playfield) {
  const auto field = file.find("playfield");
  if (!field) return;
  TomlTable table(*field);
  Box box;
  read_edge(table, "min_x", box.min_x);
  read_edge(table, "min_y", box.min_y);
  read_edge(table, "max_x", box.max_x);
  read_edge(table, "max_y", box.max_y);
  table.finish();
  playfield = box;
}

void read_sector_grid(TomlTable& file, SectorGrid& grid) {
  const auto field = file.find("sector_grid");
  if (!field) return;
  TomlTable table(*field);
  table.word("scheme", kSchemeWords, grid.scheme);
  table.length("sector_size", grid.sector_size);
  table.finish();
}

// TOML's whole numbers end at half of what a seed can be: a larger one is given as text.
bool to_seed(const TomlField& field, std::uint64_t& seed) {
  constexpr const char* kAllowed = "a whole number of at least 0, and in quotes if it is 2^63 or more";
  if (field.value().kind != TomlKind::kText) {
    if (!field.expect(TomlKind::kInteger, kAllowed)) return false;
    seed = static_cast<std::uint64_t>(field.value().integer);
    if (field.value().integer < 0) field.fail("is " + describe(field.value()) + "; must be " + kAllowed);
    return field.value().integer >= 0;
  }
  const std::string& text = field.value().text;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  const bool is_number = error == std::errc() && stop == end;
  if (!is_number)
    field.fail("is " + describe(field.value()) + "; must be a whole number, 0 to 18446744073709551615");
  return is_number;
}

void read_slot(TomlTable& table, ParticipantSlot& slot) {
  if (const auto name = table.require("name")) name->to_text(slot.name);
  table.word("role", kRoleWords, slot.role);
  table.number("first_id", kNumberRange, slot.first_id);
  table.number("last_id", kNumberRange, slot.last_id);
}

}  // namespace

void read_participants(TomlTable& file, MatchConfig& config) {
  file.number("ids_per_participant", {16, 16'777'216}, config.ids_per_participant);
  file.number("objects_per_participant_max", {1, 100'000}, config.objects_per_participant_max);
  file.number("reconnect_ticks", {0, 36'000}, config.reconnect_ticks);
  file.number("retained_ticks", {0, 36'000}, config.retained_ticks);
  file.word("stage_handover", kHandoverWords, config.stage_handover);
  const auto slots = file.find("slots");
  if (!slots) return;
  for (const TomlField& item : slots->to_list()) {
    TomlTable table(item);
    read_slot(table, config.slots.emplace_back());
    table.finish();
  }
}

void read_world(TomlTable& file, MatchConfig& config) {
  read_playfield(file, config.playfield);
  file.word("broadphase", kBroadphaseWords, config.broadphase);
  read_sector_grid(file, config.sector_grid);
}

void read_rules(TomlTable& file, MatchConfig& config) {
  if (const auto seed = file.find("seed")) {
    std::uint64_t value = 0;
    if (to_seed(*seed, value)) config.seed = value;
  }
  const auto ruleset = file.find("ruleset");
  if (!ruleset) return;
  TomlTable table(*ruleset);
  table.text("name", config.ruleset.name);
  table.text("version", config.ruleset.version);
  table.finish();
}

}  // namespace sweepd::app
