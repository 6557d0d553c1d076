// SPDX-License-Identifier: MIT
//
// Protects the config of a match on its way out and back: no field may get lost or change its meaning.
#include "match_codec.h"

#include <gtest/gtest.h>

#include <limits>

#include "unit/full_message.h"

namespace sweepd::internal::match_codec_test {
namespace {

MatchConfig unusual_config() {
  MatchConfig config;
  config.name = "boss rush";
  config.layers = {"player", "bullet", "item"};
  config.collides = {{"player", "bullet"}, {"item", "item"}};
  config.clock = ClockKind::kLockstep;
  config.lockstep = {.deadline_ms = 60'000, .required_roles = std::vector{Role::kStage}};
  config.clock_control_roles.emplace();
  RoleLimits limits;
  limits.role = Role::kStage;
  limits.spawn_layers.emplace();
  limits.objects_max = 0;
  limits.parts_max = 1;
  limits.frames_max = 2;
  limits.frame_bytes_max = 300;
  limits.bytes_per_second_max = 400;
  limits.may_teleport = false;
  config.limits = {{}, limits};
  config.layer_limits = {
      {.layer = "item", .speed_max = 4.5, .speed_budget_ticks = 3, .stay_in_playfield = true}, {}};
  config.tick_rate_hz = 30;
  config.late_frames = LateFramePolicy::kDrop;
  config.max_lead_ticks = 0;
  config.max_late_ticks = 7;
  config.history_ticks = 9;
  config.playfield = Box{-1.5, -2, 3, 4.25};
  config.start_after_participants = 2;
  config.slots = {{"alice", Role::kPlayer, 1, 99}, {"stage", Role::kStage, 100, 199}};
  config.ids_per_participant = 64;
  config.objects_per_participant_max = 50;
  config.heartbeat_ticks = 12;
  config.waits = {90'000, StartTimeout::kEndMatch, 0};
  config.reconnect_ticks = 0;
  config.retained_ticks = 7;
  config.broadphase = BroadphaseKind::kSectorGrid;
  config.sector_grid = {SectorScheme::kVerticalStrips, 32.5};
  config.masks = {BitMask::from_text({"#.#"}, 2), BitMask(9, 1)};
  return config;
}

static_assert(static_cast<int>(ScoringMoment::kContact) + 1 == v1::SCORING_MOMENT_CONTACT);
static_assert(static_cast<int>(ScoringCredit::kOwnerOfB) + 1 == v1::SCORING_CREDIT_OWNER_OF_B);
static_assert(static_cast<int>(ExitReason::kDestroyed) == v1::EXIT_REASON_DESTROYED);

TEST(MatchCodec, EveryFieldOfAConfigThatIsToldGoesOutAgain) {
  for (int turn = 0; turn < v1::ExitReason_MAX; ++turn) {
    v1::MatchConfig told;
    MessageFiller(turn).fill(told);
    v1::MatchConfig message;
    const auto error = encode(decode(told), &message);
    ASSERT_FALSE(error) << error->field << " " << error->what;
    EXPECT_EQ(message.DebugString(), told.DebugString());
  }
}

TEST(MatchCodec, LimitsComeBackAsTheyWentOut) {
  v1::MatchConfig message;
  ASSERT_FALSE(encode(unusual_config(), &message));
  EXPECT_EQ(message.layer_limits(0).speed_max(), 1152u);
  const MatchConfig back = decode(message);
  ASSERT_EQ(back.limits.size(), 2u);
  EXPECT_FALSE(back.limits[0].spawn_layers || back.limits[0].objects_max || back.limits[0].may_teleport);
  const RoleLimits& limits = back.limits[1];
  EXPECT_EQ(limits.role, Role::kStage);
  ASSERT_TRUE(limits.spawn_layers);
  EXPECT_TRUE(limits.spawn_layers->empty()) << "none, and not all";
  EXPECT_EQ(limits.objects_max, 0u);
  EXPECT_EQ(limits.parts_max, 1u);
  EXPECT_EQ(limits.frames_max, 2u);
  EXPECT_EQ(limits.frame_bytes_max, 300u);
  EXPECT_EQ(limits.bytes_per_second_max, 400u);
  EXPECT_EQ(limits.may_teleport, false);
  ASSERT_EQ(back.layer_limits.size(), 2u);
  EXPECT_EQ(back.layer_limits[0].layer, "item");
  EXPECT_EQ(back.layer_limits[0].speed_max, 4.5);
  EXPECT_EQ(back.layer_limits[0].speed_budget_ticks, 3u);
  EXPECT_TRUE(back.layer_limits[0].stay_in_playfield);
  EXPECT_FALSE(back.layer_limits[1].speed_max);
}

TEST(MatchCodec, ASpeedLimitThatIsNoSpeedIsRefusedByName) {
  for (const double speed : {-1.0, 1e9, std::numeric_limits<double>::quiet_NaN()}) {
    MatchConfig config = unusual_config();
    config.layer_limits[0].speed_max = speed;
    v1::MatchConfig message;
    const auto error = encode(config, &message);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->field, "config.layer_limits[0].speed_max");
  }
}

TEST(MatchCodec, AConfigComesBackAsItWentOut) {
  const MatchConfig config = unusual_config();
  v1::MatchConfig message;
  ASSERT_FALSE(encode(config, &message));
  const MatchConfig back = decode(message);
  EXPECT_EQ(back.name, config.name);
  EXPECT_EQ(back.layers, config.layers);
  EXPECT_EQ(back.collides, config.collides);
  EXPECT_EQ(back.clock, config.clock);
  EXPECT_EQ(back.lockstep.deadline_ms, 60'000u);
  EXPECT_EQ(back.lockstep.required_roles, config.lockstep.required_roles);
  EXPECT_TRUE(message.has_clock_control_roles()) << "nobody, and not the default";
  ASSERT_TRUE(back.clock_control_roles);
  EXPECT_TRUE(back.clock_control_roles->empty());
  EXPECT_EQ(back.waits, config.waits);
  EXPECT_EQ(back.tick_rate_hz, config.tick_rate_hz);
  EXPECT_EQ(back.late_frames, config.late_frames);
  EXPECT_EQ(back.max_lead_ticks, config.max_lead_ticks);
  EXPECT_EQ(back.max_late_ticks, config.max_late_ticks);
  EXPECT_EQ(back.history_ticks, config.history_ticks);
  ASSERT_TRUE(back.playfield.has_value());
  EXPECT_EQ(back.playfield->min_x, -1.5);
  EXPECT_EQ(back.playfield->max_y, 4.25);
  EXPECT_EQ(back.start_after_participants, config.start_after_participants);
  ASSERT_EQ(back.slots.size(), 2u);
  EXPECT_EQ(back.slots[1].name, "stage");
  EXPECT_EQ(back.slots[1].role, Role::kStage);
  EXPECT_EQ(back.slots[1].first_id, 100u);
  EXPECT_EQ(back.slots[1].last_id, 199u);
  EXPECT_EQ(back.ids_per_participant, config.ids_per_participant);
  EXPECT_EQ(back.objects_per_participant_max, config.objects_per_participant_max);
  EXPECT_EQ(back.heartbeat_ticks, config.heartbeat_ticks);
  EXPECT_EQ(back.reconnect_ticks, config.reconnect_ticks);
  EXPECT_EQ(back.retained_ticks, config.retained_ticks);
  EXPECT_EQ(back.broadphase, config.broadphase);
  EXPECT_EQ(back.sector_grid.scheme, SectorScheme::kVerticalStrips);
  EXPECT_EQ(back.sector_grid.sector_size, 32.5);
  ASSERT_EQ(back.masks.size(), 2u);
  EXPECT_EQ(back.masks[0].width(), 3u);
  EXPECT_EQ(back.masks[0].height(), 1u);
  EXPECT_EQ(back.masks[0].pixel_size(), 2);
  EXPECT_EQ(back.masks[0].rows(), config.masks[0].rows());
  EXPECT_EQ(back.masks[1].rows().size(), 2u);
}

TEST(MatchCodec, EveryKindOfBroadphaseAndSchemeComesBack) {
  for (int number = 1; number <= v1::BroadphaseKind_MAX; ++number) {
    const auto kind = static_cast<BroadphaseKind>(number - 1);
    MatchConfig config = unusual_config();
    config.broadphase = kind;
    v1::MatchConfig message;
    ASSERT_FALSE(encode(config, &message));
    EXPECT_EQ(decode(message).broadphase, kind);
  }
  for (const auto scheme : {SectorScheme::kPlain, SectorScheme::kFourShifts, SectorScheme::kHorizontalStrips,
                            SectorScheme::kVerticalStrips}) {
    MatchConfig config = unusual_config();
    config.sector_grid.scheme = scheme;
    v1::MatchConfig message;
    ASSERT_FALSE(encode(config, &message));
    EXPECT_EQ(decode(message).sector_grid.scheme, scheme);
  }
}

TEST(MatchCodec, BadSizesAreNamed) {
  MatchConfig config = unusual_config();
  config.masks[1] = BitMask(1, 1, -1);
  v1::MatchConfig message;
  EXPECT_EQ(encode(config, &message)->field, "config.masks[1].pixel_size");
  config = unusual_config();
  config.sector_grid.sector_size = -1;
  EXPECT_EQ(encode(config, &message)->field, "config.sector_grid.sector_size");
}

TEST(MatchCodec, ZeroTicksOfLeadAreNotTheDefault) {
  v1::MatchConfig message;
  ASSERT_FALSE(encode(unusual_config(), &message));
  EXPECT_TRUE(message.has_max_lead_ticks());
  EXPECT_EQ(message.max_lead_ticks(), 0u);
}

TEST(MatchCodec, ABadPlayfieldIsNamed) {
  MatchConfig config = unusual_config();
  config.playfield->max_x = std::numeric_limits<double>::infinity();
  v1::MatchConfig message;
  const Checked error = encode(config, &message);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->field, "config.playfield.max_x");
}

TEST(MatchCodec, AMatchIsDecodedInFull) {
  v1::Match match;
  match.set_match_id("m1");
  match.set_state(v1::MATCH_STATE_WAITING);
  match.set_tick(3);
  match.set_digest(4);
  match.set_events(5);
  match.set_objects(6);
  match.set_open_encounters(7);
  match.mutable_endpoint()->set_host("here");
  match.mutable_endpoint()->set_port(8);
  v1::Participant* participant = match.add_participants();
  participant->set_number(9);
  participant->set_name("alice");
  participant->set_role(v1::ROLE_OBSERVER);
  participant->set_objects(10);
  participant->set_rejections(11);
  participant->set_late_frames(12);
  const MatchInfo info = decode(match);
  EXPECT_EQ(info.match_id, "m1");
  EXPECT_EQ(info.state, MatchState::kWaiting);
  EXPECT_EQ(info.tick, 3u);
  EXPECT_EQ(info.digest, 4u);
  EXPECT_EQ(info.events, 5u);
  EXPECT_EQ(info.objects, 6u);
  EXPECT_EQ(info.open_encounters, 7u);
  EXPECT_EQ(info.endpoint.host, "here");
  EXPECT_EQ(info.endpoint.port, 8u);
  ASSERT_EQ(info.participants.size(), 1u);
  EXPECT_EQ(info.participants[0].number, 9u);
  EXPECT_EQ(info.participants[0].name, "alice");
  EXPECT_EQ(info.participants[0].role, Role::kObserver);
  EXPECT_EQ(info.participants[0].objects, 10u);
  EXPECT_EQ(info.participants[0].rejections, 11u);
  EXPECT_EQ(info.participants[0].late_frames, 12u);
}

TEST(MatchCodec, ToldHowTicksKeepTimeWhereTheServerSaysSo) {
  v1::Match message;
  EXPECT_FALSE(decode(message).timing);
  v1::TickTiming& timing = *message.mutable_timing();
  timing.set_achieved_rate_hz(59.5);
  timing.set_lateness_p50_us(1);
  timing.set_lateness_p99_us(2);
  timing.set_lateness_max_us(3);
  timing.set_duration_p50_us(4);
  timing.set_duration_p99_us(5);
  timing.set_ticks_skipped(6);
  timing.set_loop(7);
  const auto told = decode(message).timing;
  ASSERT_TRUE(told);
  EXPECT_EQ(told->achieved_rate_hz, 59.5);
  EXPECT_EQ(told->lateness_p50.count(), 1);
  EXPECT_EQ(told->lateness_p99.count(), 2);
  EXPECT_EQ(told->lateness_max.count(), 3);
  EXPECT_EQ(told->duration_p50.count(), 4);
  EXPECT_EQ(told->duration_p99.count(), 5);
  EXPECT_EQ(told->ticks_skipped, 6u);
  EXPECT_EQ(told->loop, 7u);
}

TEST(MatchCodec, WhatANewerServerMeansByAReasonIsNotGuessed) {
  v1::MatchConfig message;
  v1::ScoringRule& rule = *message.add_scoring();
  rule.add_exit_reasons(v1::EXIT_REASON_MOVED);
  rule.add_exit_reasons(static_cast<v1::ExitReason>(1'000));
  EXPECT_EQ(decode(message).scoring[0].exit_reasons, (std::vector{ExitReason::kMoved, ExitReason::kNone}));
}

TEST(MatchCodec, ASpeedLimitPastTheRangeOfCoordinatesIsNotNegative) {
  v1::MatchConfig message;
  message.add_layer_limits()->set_speed_max(std::numeric_limits<std::uint32_t>::max());
  EXPECT_GT(decode(message).layer_limits[0].speed_max, 16'000'000.0);
}

TEST(MatchCodec, ARateThatIsNoNumberIsUnknown) {
  v1::Match match;
  for (const double rate :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1.0}) {
    match.mutable_timing()->set_achieved_rate_hz(rate);
    EXPECT_EQ(decode(match).timing->achieved_rate_hz, 0) << rate;
  }
}

}  // namespace
}  // namespace sweepd::internal::match_codec_test
