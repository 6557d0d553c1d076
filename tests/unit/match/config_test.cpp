// SPDX-License-Identifier: MIT
//
// Protects: every limit of a match's config, at the limit and one past it, with the field at fault and the
// limit named.
#include "match/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/match/match_builders.h"

namespace sweepd::match::config_test {
namespace {

using ::testing::HasSubstr;

void expect_valid(const MatchConfig& config) {
  const auto error = find_error(config);
  EXPECT_FALSE(error) << error->field << " " << error->description;
}

void expect_error(const MatchConfig& config, const std::string& field, const std::string& found,
                  const std::string& limit) {
  const auto error = find_error(config);
  ASSERT_TRUE(error) << field << " was not found at fault";
  EXPECT_EQ(error->field, field);
  EXPECT_THAT(error->description, HasSubstr(found));
  EXPECT_THAT(error->description, HasSubstr(limit));
  const auto match = Match::create(config);
  ASSERT_FALSE(match);
  EXPECT_EQ(match.error().field, field);
}

/// Checks a number at both limits and one past each.
template <typename Number>
void expect_range(const std::string& field, Number MatchConfig::*member, std::uint64_t min,
                  std::uint64_t max) {
  MatchConfig config = small_config();
  const auto set = [&](std::uint64_t value) -> MatchConfig& {
    config.*member = static_cast<Number>(value);
    return config;
  };
  expect_valid(set(min));
  expect_valid(set(max));
  expect_error(set(max + 1), field, std::to_string(max + 1),
               std::to_string(min) + " to " + std::to_string(max));
  if (min > 0) expect_error(set(min - 1), field, std::to_string(min - 1), std::to_string(min) + " to ");
}

MatchConfig with_slots(std::vector<ParticipantSlot> slots) {
  MatchConfig config = small_config();
  config.slots = std::move(slots);
  return config;
}

TEST(Config, DefaultsWithLayersAreValid) { expect_valid(small_config()); }

TEST(Config, NumbersAreValidFromTheirLowestToTheirHighest) {
  expect_range("tick_rate_hz", &MatchConfig::tick_rate_hz, 1, 240);
  expect_range("max_lead_ticks", &MatchConfig::max_lead_ticks, 0, 3600);
  expect_range("max_late_ticks", &MatchConfig::max_late_ticks, 0, 3600);
  expect_range("history_ticks", &MatchConfig::history_ticks, 0, 3600);
  expect_range("reconnect_ticks", &MatchConfig::reconnect_ticks, 0, 36'000);
  expect_range("retained_ticks", &MatchConfig::retained_ticks, 0, 36'000);
  expect_range("heartbeat_ticks", &MatchConfig::heartbeat_ticks, 1, 3600);
  expect_range("ids_per_participant", &MatchConfig::ids_per_participant, 16, 1u << 24);
  expect_range("objects_per_participant_max", &MatchConfig::objects_per_participant_max, 1, 100'000);
  expect_range("start_after_participants", &MatchConfig::start_after_participants, 0, 64);
}

TEST(Config, RulesOfClaimsAreValidFromTheirLowestToTheirHighest) {
  const auto expect_claim_range = [](const std::string& field, std::uint32_t ClaimRules::*member,
                                     std::uint32_t max) {
    MatchConfig config = small_config();
    for (const std::uint32_t valid : {0u, max}) {
      config.claims.*member = valid;
      expect_valid(config);
    }
    config.claims.*member = max + 1;
    expect_error(config, "claims." + field, std::to_string(max + 1), "0 to " + std::to_string(max));
  };
  expect_claim_range("rewind_ticks_max", &ClaimRules::rewind_ticks_max, 3600);
  expect_claim_range("tolerance_max", &ClaimRules::tolerance_max, 16'777'216);
  expect_claim_range("delay_allowance_ticks", &ClaimRules::delay_allowance_ticks, 3600);
  expect_claim_range("hits_per_shot_max", &ClaimRules::hits_per_shot_max, 65'535);
}

TEST(Config, AsManyLayersMayBeClearableAsThereAre) {
  MatchConfig config;
  for (int i = 0; i < 64; ++i) config.layers.push_back("layer " + std::to_string(i));
  config.clearable_layers = config.layers;
  expect_valid(config);
  config.clearable_layers.push_back("layer 0");
  expect_error(config, "clearable_layers", "65 entries", "0 to 64");
}

TEST(Config, TheNameOfAMatchHasAtMost128Bytes) {
  MatchConfig config = small_config();
  config.name = std::string(128, 'n');
  expect_valid(config);
  config.name += 'n';
  expect_error(config, "name", "129 bytes", "0 to 128");
}

TEST(Config, ThereAre1To64Layers) {
  MatchConfig config;
  expect_error(config, "layers", "0 entries", "1 to 64");
  for (int i = 0; i < 64; ++i) config.layers.push_back("layer " + std::to_string(i));
  expect_valid(config);
  config.layers.push_back("one more");
  expect_error(config, "layers", "65 entries", "1 to 64");
}

TEST(Config, LayerNamesHave1To64BytesAndAreUnique) {
  MatchConfig config = small_config();
  config.layers.push_back(std::string(64, 'x'));
  expect_valid(config);
  config.layers[3] += 'x';
  expect_error(config, "layers[3]", "65 bytes", "1 to 64");
  config.layers[3] = "";
  expect_error(config, "layers[3]", "0 bytes", "1 to 64");
  config.layers[3] = "enemy";
  expect_error(config, "layers[3]", "\"enemy\"", "layers[1]");
}

TEST(Config, CollidingLayersAreNamedInLayers) {
  MatchConfig config = small_config();
  config.collides = {{"player", "enemy"}, {"item", "item"}, {"player", "boss"}};
  expect_error(config, "collides[2].layer_b", "\"boss\"", "layers");
  config.collides[2] = {"", "player"};
  expect_error(config, "collides[2].layer_a", "0 bytes", "1 to 64");
  config.collides[2] = {"item", "player"};
  expect_valid(config);
}

TEST(Config, ThereAreNoMoreCollidingPairsThan64LayersCanMake) {
  MatchConfig config = small_config();
  config.collides.assign(2080, {"player", "enemy"});
  expect_valid(config);
  config.collides.push_back({"player", "enemy"});
  expect_error(config, "collides", "2081 entries", "0 to 2080");
}

TEST(Config, ThePlayfieldMayBeAPointButNotInverted) {
  MatchConfig config = small_config();
  config.playfield = {5, 6, 5, 6};
  expect_valid(config);
  config.playfield = {6, 6, 5, 6};
  expect_error(config, "playfield.min_x", "is 6", "max_x, 5");
  config.playfield = {5, 7, 5, 6};
  expect_error(config, "playfield.min_y", "is 7", "max_y, 6");
}

TEST(Config, KindsAreThoseOfTheContract) {
  MatchConfig config = small_config();
  config.clock = static_cast<ClockKind>(4);
  expect_error(config, "clock", "4", "no known value");
  config = small_config();
  config.late_frames = static_cast<LateFramePolicy>(0);
  expect_error(config, "late_frames", "0", "no known value");
  config = small_config();
  config.broadphase = static_cast<collision::BroadphaseKind>(4);
  expect_error(config, "broadphase", "4", "no known value");
  config = small_config();
  config.sector_grid.scheme = static_cast<SectorScheme>(5);
  expect_error(config, "sector_grid.scheme", "5", "no known value");
}

TEST(Config, ThereAreAtMost64Slots) {
  std::vector<ParticipantSlot> slots;
  for (int i = 0; i < 64; ++i) slots.push_back({"slot " + std::to_string(i), Role::kPlayer, 0, 0});
  expect_valid(with_slots(slots));
  slots.push_back({"one more", Role::kPlayer, 0, 0});
  expect_error(with_slots(slots), "slots", "65 entries", "0 to 64");
}

TEST(Config, SlotNamesHave1To64BytesAndAreUnique) {
  expect_valid(with_slots({{std::string(64, 's'), Role::kPlayer, 0, 0}}));
  expect_error(with_slots({{std::string(65, 's'), Role::kPlayer, 0, 0}}), "slots[0].name", "65 bytes",
               "1 to 64");
  expect_error(with_slots({{"", Role::kPlayer, 0, 0}}), "slots[0].name", "0 bytes", "1 to 64");
  expect_error(with_slots({{"ann", Role::kPlayer, 0, 0}, {"ann", Role::kStage, 0, 0}}), "slots[1].name",
               "\"ann\"", "slots[0].name");
}

TEST(Config, SlotsAreForPlayersStagesAndObservers) {
  expect_valid(
      with_slots({{"a", Role::kPlayer, 0, 0}, {"b", Role::kStage, 0, 0}, {"c", Role::kObserver, 0, 0}}));
  expect_error(with_slots({{"a", static_cast<Role>(0), 0, 0}}), "slots[0].role", "0", "no known value");
  expect_error(with_slots({{"a", static_cast<Role>(4), 0, 0}}), "slots[0].role", "4", "no known value");
}

TEST(Config, ABlockOfASlotBeginsAt1AndDoesNotEndBeforeItBegins) {
  expect_valid(with_slots({{"a", Role::kPlayer, 1, 1}}));
  expect_valid(with_slots({{"a", Role::kPlayer, 1, 4'294'967'295u}}));
  expect_error(with_slots({{"a", Role::kPlayer, 0, 9}}), "slots[0].first_id", "is 0", "at least 1");
  expect_error(with_slots({{"a", Role::kPlayer, 9, 8}}), "slots[0].last_id", "is 8", "first_id, 9");
  expect_error(with_slots({{"a", Role::kObserver, 1, 8}}), "slots[0].first_id", "1 to 8", "0 to 0");
}

TEST(Config, WaitsHaveBounds) {
  MatchConfig config = small_config();
  config.waits = {kStartTimeoutMaxMs, StartTimeout::kEndMatch, kReturnTimeoutMaxMs};
  expect_valid(config);
  config.waits.start_timeout_ms = kStartTimeoutMaxMs + 1;
  expect_error(config, "waits.start_timeout_ms", "is 86400001", "0 to 86400000");
  config.waits = {.return_timeout_ms = kReturnTimeoutMaxMs + 1};
  expect_error(config, "waits.return_timeout_ms", "is 600001", "0 to 600000");
  config.waits = {.on_start_timeout = static_cast<StartTimeout>(3)};
  expect_error(config, "waits.on_start_timeout", "3", "no known value");
}

TEST(Config, TheClockDoesNotWaitForMoreThanMayJoin) {
  MatchConfig config =
      with_slots({{"a", Role::kPlayer, 0, 0}, {"b", Role::kObserver, 0, 0}, {"c", Role::kStage, 0, 0}});
  config.start_after_participants = 2;
  expect_valid(config);
  config.start_after_participants = 3;
  expect_error(config, "start_after_participants", "is 3", "0 to 2");
}

}  // namespace
}  // namespace sweepd::match::config_test
