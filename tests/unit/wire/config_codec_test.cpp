// SPDX-License-Identifier: MIT
//
// Protects what a config means: absent fields are the documented defaults, given ones arrive, unknown ones
// are refused by name, and what the server tells of a match's config is what it was created with.
#include "wire/config_codec.h"

#include <gtest/gtest.h>

#include "replay/config_codec.h"
#include "unit/full_message.h"

namespace sweepd::wire::config_codec_test {
namespace {

v1::MatchConfig full_config() {
  v1::MatchConfig message;
  message.set_name("final boss");
  message.add_layers("player");
  message.add_layers("bullet");
  message.add_collides()->set_layer_a("player");
  message.mutable_collides(0)->set_layer_b("bullet");
  message.mutable_collides(0)->set_sensor(true);
  message.mutable_collides(0)->set_damage_interval_ticks(30);
  message.add_clearable_layers("bullet");
  message.set_stage_handover(v1::STAGE_HANDOVER_LOWEST_NUMBER);
  message.mutable_ruleset()->set_name("arcade");
  message.mutable_ruleset()->set_version("1.2");
  message.set_seed(123456789012345);
  v1::ScoringRule& rule = *message.add_scoring();
  rule.set_name("escape");
  rule.set_layer_a("player");
  rule.set_layer_b("bullet");
  rule.set_when(v1::SCORING_MOMENT_EXIT);
  rule.set_points(-50);
  rule.set_credit(v1::SCORING_CREDIT_OWNER_OF_B);
  rule.set_once_per_object(true);
  rule.set_cooldown_ticks(9);
  rule.add_exit_reasons(v1::EXIT_REASON_MOVED);
  message.set_clock(v1::CLOCK_KIND_MANUAL);
  message.set_tick_rate_hz(144);
  message.set_late_frames(v1::LATE_FRAME_POLICY_DROP);
  message.set_max_lead_ticks(0);
  message.set_max_late_ticks(7);
  message.set_history_ticks(9);
  message.mutable_playfield()->set_min_x(-5);
  message.mutable_playfield()->set_min_y(-6);
  message.mutable_playfield()->set_max_x(7);
  message.mutable_playfield()->set_max_y(8);
  message.set_start_after_participants(2);
  auto* slot = message.add_slots();
  slot->set_name("one");
  slot->set_role(v1::ROLE_STAGE);
  slot->set_first_id(10);
  slot->set_last_id(20);
  message.set_ids_per_participant(1000);
  message.set_objects_per_participant_max(50);
  message.set_heartbeat_ticks(9);
  message.set_reconnect_ticks(0);
  message.set_retained_ticks(11);
  message.set_broadphase(v1::BROADPHASE_KIND_BRUTE_FORCE);
  message.mutable_sector_grid()->set_scheme(v1::SECTOR_SCHEME_VERTICAL_STRIPS);
  message.mutable_sector_grid()->set_sector_size(4096);
  auto* mask = message.add_masks();
  mask->set_width(9);
  mask->set_height(1);
  mask->set_pixel_size(512);
  mask->set_rows(std::string{3, 1});
  message.mutable_lockstep()->set_deadline_ms(60'000);
  message.mutable_lockstep()->mutable_required_roles()->add_roles(v1::ROLE_STAGE);
  message.mutable_waits()->set_start_timeout_ms(90'000);
  message.mutable_waits()->set_on_start_timeout(v1::START_TIMEOUT_END_MATCH);
  message.mutable_waits()->set_return_timeout_ms(0);
  message.mutable_clock_control_roles()->add_roles(v1::ROLE_PLAYER);
  message.mutable_clock_control_roles()->add_roles(v1::ROLE_OBSERVER);
  message.mutable_claims()->set_policy(v1::CLAIM_POLICY_ENFORCE);
  message.mutable_claims()->set_rewind_ticks_max(0);
  message.mutable_claims()->set_tolerance_max(256);
  message.mutable_claims()->set_delay_allowance_ticks(7);
  message.mutable_claims()->set_hits_per_shot_max(0);
  auto* limits = message.add_limits();
  limits->set_role(v1::ROLE_STAGE);
  limits->mutable_spawn_layers()->add_layers("bullet");
  limits->set_objects_max(0);
  limits->set_parts_max(7);
  limits->set_frames_max(2);
  limits->set_frame_bytes_max(1000);
  limits->set_bytes_per_second_max(2000);
  limits->set_may_teleport(false);
  limits = message.add_limits();
  limits->set_role(v1::ROLE_PLAYER);
  limits->mutable_spawn_layers();
  auto* layer = message.add_layer_limits();
  layer->set_layer("player");
  layer->set_speed_max(0);
  layer->set_speed_budget_ticks(3);
  layer->set_stay_in_playfield(true);
  return message;
}

static_assert(static_cast<int>(match::ClaimPolicy::kEnforce) == v1::CLAIM_POLICY_ENFORCE);
static_assert(static_cast<int>(match::ClockKind::kLockstep) == v1::CLOCK_KIND_LOCKSTEP);
static_assert(static_cast<int>(match::LateFramePolicy::kDrop) == v1::LATE_FRAME_POLICY_DROP);
static_assert(static_cast<int>(match::Role::kObserver) == v1::ROLE_OBSERVER);
static_assert(static_cast<int>(match::ScoringCredit::kOwnerOfB) == v1::SCORING_CREDIT_OWNER_OF_B);
static_assert(static_cast<int>(match::ScoringMoment::kContact) == v1::SCORING_MOMENT_CONTACT);
static_assert(static_cast<int>(match::SectorScheme::kVerticalStrips) == v1::SECTOR_SCHEME_VERTICAL_STRIPS);
static_assert(static_cast<int>(match::StageHandover::kLowestNumber) == v1::STAGE_HANDOVER_LOWEST_NUMBER);
static_assert(static_cast<int>(match::StartTimeout::kEndMatch) == v1::START_TIMEOUT_END_MATCH);
static_assert(collision::kBroadphaseKinds.size() == v1::BroadphaseKind_MAX, "a kind misses in types.proto");
static_assert(static_cast<int>(collision::ExitReason::kDestroyed) == v1::EXIT_REASON_DESTROYED);

/// What is told of a config.
v1::MatchConfig told_of(const match::MatchConfig& config) {
  v1::MatchConfig told;
  encode_config(config, told);
  EXPECT_TRUE(told.masks().empty() || told.masks(0).rows().empty()) << "pixels only where they are asked for";
  encode_mask_rows(config, told);
  return told;
}

TEST(ConfigCodec, EveryFieldComesBackAsItWasGivenThroughAReplayToo) {
  for (int turn = 0; turn < v1::ExitReason_MAX; ++turn) {
    v1::MatchConfig given;
    MessageFiller(turn).fill(given);
    const auto config = decode_config(given);
    ASSERT_TRUE(config.ok()) << config.error().field << " " << config.error().description;
    const v1::MatchConfig told = told_of(*config);
    EXPECT_EQ(told.DebugString(), given.DebugString());
    const auto replayed = replay::decode_config(replay::encode_config(*config));
    ASSERT_TRUE(replayed.ok()) << replayed.error().field << " " << replayed.error().description;
    EXPECT_EQ(told_of(*replayed).DebugString(), given.DebugString());
  }
}

TEST(ConfigCodec, OfSeveralFaultsTheFirstThatIsReadIsTold) {
  v1::MatchConfig message = full_config();
  const auto told = [&message] { return decode_config(message).error().field; };
  message.mutable_claims()->set_policy(static_cast<v1::ClaimPolicy>(9));
  message.mutable_limits(0)->set_role(v1::ROLE_OBSERVER);
  EXPECT_EQ(told(), "limits[0].role");
  message.mutable_scoring(0)->set_exit_reasons(0, v1::EXIT_REASON_UNSPECIFIED);
  EXPECT_EQ(told(), "scoring[0].exit_reasons[0]");
  message.mutable_scoring(0)->set_when(static_cast<v1::ScoringMoment>(-1));
  EXPECT_EQ(told(), "scoring[0].when");
  message.set_stage_handover(static_cast<v1::StageHandover>(9));
  EXPECT_EQ(told(), "stage_handover");
  message.mutable_sector_grid()->set_scheme(static_cast<v1::SectorScheme>(9));
  EXPECT_EQ(told(), "sector_grid.scheme");
  message.mutable_slots(0)->set_role(v1::ROLE_UNSPECIFIED);
  EXPECT_EQ(told(), "slots[0].role");
  message.mutable_clock_control_roles()->set_roles(1, v1::ROLE_UNSPECIFIED);
  EXPECT_EQ(told(), "clock_control_roles.roles[1]");
  message.mutable_waits()->set_on_start_timeout(static_cast<v1::StartTimeout>(9));
  EXPECT_EQ(told(), "waits.on_start_timeout");
  message.mutable_lockstep()->mutable_required_roles()->set_roles(0, v1::ROLE_UNSPECIFIED);
  EXPECT_EQ(told(), "lockstep.required_roles.roles[0]");
  message.set_broadphase(static_cast<v1::BroadphaseKind>(9));
  EXPECT_EQ(told(), "broadphase");
  message.set_late_frames(static_cast<v1::LateFramePolicy>(9));
  EXPECT_EQ(told(), "late_frames");
  message.set_clock(static_cast<v1::ClockKind>(9));
  EXPECT_EQ(told(), "clock");
}

TEST(ConfigCodec, AbsentFieldsAreTheDocumentedDefaults) {
  v1::MatchConfig message;
  message.add_layers("player");
  const auto config = decode_config(message);
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->clock, match::ClockKind::kRealtime);
  EXPECT_EQ(config->tick_rate_hz, 60u);
  EXPECT_EQ(config->late_frames, match::LateFramePolicy::kSpread);
  EXPECT_EQ(config->max_lead_ticks, 120u);
  EXPECT_EQ(config->max_late_ticks, 120u);
  EXPECT_EQ(config->history_ticks, 120u);
  EXPECT_EQ(config->playfield, collision::kWholeRange);
  EXPECT_EQ(config->start_after_participants, 0u);
  EXPECT_EQ(config->ids_per_participant, 1'048'576u);
  EXPECT_EQ(config->objects_per_participant_max, 20'000u);
  EXPECT_EQ(config->heartbeat_ticks, 6u);
  EXPECT_EQ(config->waits, match::ClockWaits());
  EXPECT_EQ(config->reconnect_ticks, 300u);
  EXPECT_EQ(config->retained_ticks, 600u);
  EXPECT_EQ(config->broadphase, collision::BroadphaseKind::kSweepAndPrune);
  EXPECT_EQ(config->sector_grid.scheme, match::SectorScheme::kFourShifts);
  EXPECT_EQ(config->sector_grid.sector_size, 0u);
  EXPECT_TRUE(config->masks.empty());
  EXPECT_TRUE(config->limits.empty());
  EXPECT_TRUE(config->layer_limits.empty());
  message.add_limits()->set_role(v1::ROLE_PLAYER);
  message.add_layer_limits();
  const auto limited = decode_config(message);
  EXPECT_FALSE(limited->limits[0].spawn_layers) << "all, and not none";
  EXPECT_FALSE(limited->limits[0].objects_max);
  EXPECT_FALSE(limited->limits[0].may_teleport);
  EXPECT_FALSE(limited->layer_limits[0].speed_max);
  EXPECT_EQ(limited->layer_limits[0].speed_budget_ticks, 6u);
  message.add_masks();
  EXPECT_EQ(decode_config(message)->masks[0].pixel_size, 256u) << "one playfield unit";
}

TEST(ConfigCodec, EveryBroadphaseAndSchemeComesBack) {
  for (int kind = 1; kind <= v1::BroadphaseKind_MAX; ++kind) {
    v1::MatchConfig message = full_config();
    message.set_broadphase(static_cast<v1::BroadphaseKind>(kind));
    v1::MatchConfig told;
    encode_config(*decode_config(message), told);
    EXPECT_EQ(told.broadphase(), kind);
  }
  for (int scheme = 1; scheme <= v1::SectorScheme_MAX; ++scheme) {
    v1::MatchConfig message = full_config();
    message.mutable_sector_grid()->set_scheme(static_cast<v1::SectorScheme>(scheme));
    v1::MatchConfig told;
    encode_config(*decode_config(message), told);
    EXPECT_EQ(told.sector_grid().scheme(), scheme);
  }
}

TEST(ConfigCodec, AnOptionalZeroIsAZeroAndNotTheDefault) {
  v1::MatchConfig message = full_config();
  message.set_max_lead_ticks(0);
  message.set_max_late_ticks(0);
  message.set_history_ticks(0);
  const auto config = decode_config(message);
  EXPECT_EQ(config->max_lead_ticks, 0u);
  EXPECT_EQ(config->max_late_ticks, 0u);
  EXPECT_EQ(config->history_ticks, 0u);
}

TEST(ConfigCodec, UnknownEnumeratorsAreRefusedByName) {
  v1::MatchConfig message = full_config();
  message.set_clock(static_cast<v1::ClockKind>(v1::ClockKind_MAX + 1));
  EXPECT_EQ(decode_config(message).error().field, "clock");
  message = full_config();
  message.set_late_frames(static_cast<v1::LateFramePolicy>(-1));
  EXPECT_EQ(decode_config(message).error().field, "late_frames");
  message = full_config();
  message.set_broadphase(static_cast<v1::BroadphaseKind>(v1::BroadphaseKind_MAX + 1));
  EXPECT_EQ(decode_config(message).error().field, "broadphase");
  message = full_config();
  message.mutable_sector_grid()->set_scheme(static_cast<v1::SectorScheme>(v1::SectorScheme_MAX + 1));
  EXPECT_EQ(decode_config(message).error().field, "sector_grid.scheme");
  message = full_config();
  message.add_slots()->set_role(v1::ROLE_UNSPECIFIED);
  EXPECT_EQ(decode_config(message).error().field, "slots[1].role");
  for (const int role : {0, 3, 4}) {
    message = full_config();
    message.mutable_limits(1)->set_role(static_cast<v1::Role>(role));
    EXPECT_EQ(decode_config(message).error().field, "limits[1].role");
  }
}

TEST(ConfigCodec, KnowsThreeRoles) {
  EXPECT_FALSE(decode_role(v1::ROLE_UNSPECIFIED));
  EXPECT_FALSE(decode_role(static_cast<v1::Role>(4)));
  for (const auto role : {v1::ROLE_PLAYER, v1::ROLE_STAGE, v1::ROLE_OBSERVER}) {
    EXPECT_EQ(encode_role(*decode_role(role)), role);
  }
}

TEST(ConfigCodec, RefusesAListThatIsTooLongWithoutReadingIt) {
  v1::MatchConfig message = full_config();
  message.clear_scoring();
  for (int i = 0; i < 20'000; ++i) message.add_scoring();  // Of which each has a fault of its own.
  const auto config = decode_config(message);
  ASSERT_FALSE(config.ok());
  EXPECT_EQ(config.error().field, "scoring");
  EXPECT_EQ(config.error().description, "has 20000 entries; must have 0 to 64");
}

}  // namespace
}  // namespace sweepd::wire::config_codec_test
