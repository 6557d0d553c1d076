// SPDX-License-Identifier: MIT
//
// Protects what is said of clocks on the wire: settings and who may control them come back as given, absent
// is not empty, bad values are refused by name, and who was late is told tick by tick.
#include "session/clock_codec.h"

#include <gtest/gtest.h>

#include "session/update_codec.h"
#include "wire/config_codec.h"

namespace sweepd::session::clock_codec_test {
namespace {

using match::Role;
using match::RoleSet;

v1::MatchConfig lockstep_message() {
  v1::MatchConfig message;
  message.add_layers("player");
  message.set_clock(v1::CLOCK_KIND_LOCKSTEP);
  return message;
}

TEST(ClockCodec, AbsentSettingsAreTheDocumentedDefaults) {
  const auto config = wire::decode_config(lockstep_message());
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->clock, match::ClockKind::kLockstep);
  EXPECT_EQ(config->lockstep.deadline_ms, 250u);
  EXPECT_EQ(config->lockstep.required_roles, (RoleSet{Role::kPlayer, Role::kStage}));
  EXPECT_EQ(config->clock_control_roles, RoleSet{Role::kStage});
  EXPECT_EQ(config->heartbeat_ticks, 1u) << "whoever waits for the ticks sees them all";
}

TEST(ClockCodec, AHeartbeatThatIsGivenHoldsInLockstepToo) {
  v1::MatchConfig message = lockstep_message();
  message.set_heartbeat_ticks(6);
  EXPECT_EQ(wire::decode_config(message)->heartbeat_ticks, 6u);
}

TEST(ClockCodec, AnEmptySetOfRolesIsNobodyAndNotTheDefault) {
  v1::MatchConfig message = lockstep_message();
  message.mutable_lockstep()->mutable_required_roles();
  message.mutable_clock_control_roles();
  const auto config = wire::decode_config(message);
  EXPECT_EQ(config->lockstep.required_roles, RoleSet{});
  EXPECT_EQ(config->clock_control_roles, RoleSet{});
  v1::MatchConfig told;
  wire::encode_config(*config, told);
  EXPECT_TRUE(told.lockstep().has_required_roles());
  EXPECT_TRUE(told.has_clock_control_roles());
}

TEST(ClockCodec, UnknownRolesAreRefusedByTheirPlace) {
  for (const int role : {0, 4, -1}) {
    v1::MatchConfig message = lockstep_message();
    message.mutable_clock_control_roles()->add_roles(v1::ROLE_PLAYER);
    message.mutable_clock_control_roles()->add_roles(static_cast<v1::Role>(role));
    EXPECT_EQ(wire::decode_config(message).error().field, "clock_control_roles.roles[1]");
    message = lockstep_message();
    message.mutable_lockstep()->mutable_required_roles()->add_roles(static_cast<v1::Role>(role));
    EXPECT_EQ(wire::decode_config(message).error().field, "lockstep.required_roles.roles[0]");
  }
}

TEST(ClockCodec, AControlAsksForSomethingWithinTheLimits) {
  v1::ClockControl message;
  EXPECT_EQ(decode_clock_control(message).error().field, "");
  for (const std::uint32_t rate_hz : {0u, 241u}) {
    message.set_tick_rate_hz(rate_hz);
    EXPECT_EQ(decode_clock_control(message).error().field, "tick_rate_hz");
  }
  for (const std::uint32_t rate_hz : {1u, 240u}) {
    message.set_tick_rate_hz(rate_hz);
    EXPECT_EQ(decode_clock_control(message)->tick_rate_hz, rate_hz);
    EXPECT_FALSE(decode_clock_control(message)->is_paused);
  }
  message.set_paused(false);
  EXPECT_EQ(decode_clock_control(message)->is_paused, false);
}

TEST(ClockCodec, AnUpdateOfSeveralTicksNamesWhoWasLateInEachAndTheLastStateOfTheClock) {
  UpdateBuilder builder;
  v1::TickUpdate update;
  const std::vector<match::ParticipantNumber> both{2, 5};
  const std::vector<match::ParticipantNumber> one{5};
  builder.add({.tick = 7, .digest = 1, .late_participants = both}, update);
  builder.add({.tick = 8, .digest = 1}, update);
  builder.add({.tick = 9, .digest = 1, .late_participants = one, .clock = runtime::ClockState{true, 60}},
              update);
  builder.add({.tick = 9, .digest = 1, .clock = runtime::ClockState{false, 30}}, update);
  ASSERT_EQ(update.late_participants_size(), 2);
  EXPECT_EQ(update.late_participants(0).tick(), 7u);
  ASSERT_EQ(update.late_participants(0).participants_size(), 2);
  EXPECT_EQ(update.late_participants(0).participants(1), 5u);
  EXPECT_EQ(update.late_participants(1).tick(), 9u);
  EXPECT_FALSE(update.clock().paused());
  EXPECT_EQ(update.clock().tick_rate_hz(), 30u);
  EXPECT_LE(update.ByteSizeLong(), builder.bytes());
}

}  // namespace
}  // namespace sweepd::session::clock_codec_test
