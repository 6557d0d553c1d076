// SPDX-License-Identifier: MIT
//
// Protects what sweepctl shows: words with layer names for people, valid JSON for scripts.
#include "tools/sweepctl/match_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/sweepctl/json.h"

namespace sweepd::tools::match_text_test {
namespace {

using ::testing::HasSubstr;

MatchConfig two_layers() {
  MatchConfig config;
  config.name = "a \"b\"\n";
  config.layers = {"player", "enemy"};
  config.collides = {{"player", "enemy"}};
  return config;
}

Event an_exit() {
  Event event;
  event.sequence_number = 9;
  event.tick = 312;
  event.kind = EventKind::kExit;
  event.reason = ExitReason::kDespawned;
  event.object_a = 3;
  event.object_b = 70;
  event.layer_b = 1;
  event.part_b = 2;
  return event;
}

TEST(MatchText, AnEventNamesItsLayersPartsAndReason) {
  EXPECT_EQ(event_text(an_exit(), two_layers()), "t=312 EXIT player 3 part 0 / enemy 70 part 2: DESPAWNED");
  Event enter = an_exit();
  enter.kind = EventKind::kEnter;
  enter.reason = ExitReason::kNone;
  EXPECT_EQ(event_text(enter, two_layers()), "t=312 ENTER player 3 part 0 / enemy 70 part 2");
}

TEST(MatchText, ATimeOfImpactIsToldWhereItIsNotTheEndOfTheTick) {
  Event swept = an_exit();
  swept.reason = ExitReason::kSwept;
  swept.time_of_impact = 17;
  EXPECT_EQ(event_text(swept, two_layers()), "t=312 EXIT player 3 part 0 / enemy 70 part 2: SWEPT at 17/256");
  EXPECT_THAT(event_json(swept, two_layers()), HasSubstr(R"("part_b":2,"time_of_impact":17})"));
}

TEST(MatchText, AnEventIsOneJsonObject) {
  EXPECT_EQ(
      event_json(an_exit(), two_layers()),
      R"({"sequence_number":9,"tick":312,"kind":"EXIT","reason":"DESPAWNED","object_a":3,"object_b":70,)"
      R"("layer_a":"player","layer_b":"enemy","part_a":0,"part_b":2})");
}

TEST(MatchText, AnEndpointWithoutAHostIsTheServers) {
  EXPECT_EQ(endpoint_text({"", 8001}, "game.example:7777"), "game.example:8001");
  EXPECT_EQ(endpoint_text({"10.0.0.2", 8001}, "game.example:7777"), "10.0.0.2:8001");
  EXPECT_EQ(endpoint_text({"", 0}, "game.example:7777"), "game.example:7777");
  EXPECT_EQ(endpoint_text({"", 8001}, "[::1]:7777"), "[::1]:8001");
}

TEST(MatchText, AMatchAsJsonEscapesWhatPeopleWrote) {
  MatchInfo match;
  match.config = two_layers();
  match.digest = 0xabc;
  const std::string json = match_json(match, "localhost:1");
  EXPECT_THAT(json, HasSubstr(R"("name":"a \"b\"\u000a")"));
  EXPECT_THAT(json, HasSubstr(R"("digest":"0000000000000abc")"));
  EXPECT_THAT(json, HasSubstr(R"("collides":[["player","enemy"]])"));
  EXPECT_THAT(json, HasSubstr(R"("participants":[])"));
  EXPECT_THAT(json, HasSubstr(R"("broadphase":"sap")"));
  EXPECT_THAT(json, HasSubstr(R"("is_kept":false)"));
}

TEST(MatchText, AClockIsToldAsItIsNow) {
  MatchInfo match;
  match.config.tick_rate_hz = 60;
  match.clock.tick_rate_hz = 30;
  EXPECT_EQ(clock_name(match), "30 Hz");
  match.config.clock = ClockKind::kLockstep;
  match.config.lockstep.deadline_ms = 100;
  match.state = MatchState::kPaused;
  match.participants.emplace_back().frames_missed = 3;
  match.participants[0].rejections_by_reason = {{"TOO_FAST", 2}, {"TOO_MANY_BYTES", 7}};
  EXPECT_EQ(clock_name(match), "lockstep 100 ms");
  const std::string json = match_json(match, "localhost:1");
  EXPECT_THAT(json, HasSubstr(R"("state":"paused","clock":"lockstep","deadline_ms":100,"tick_rate_hz":30)"));
  EXPECT_THAT(json, HasSubstr(R"("frames_missed":3)"));
  EXPECT_THAT(json, HasSubstr(R"("rejections_by_reason":{"TOO_FAST":2,"TOO_MANY_BYTES":7})"));
}

TEST(Json, EscapesControlCharactersAndKeepsUtf8) {
  EXPECT_EQ(json_string("a\\\t\x01 é"), "\"a\\\\\\u0009\\u0001 é\"");
  EXPECT_EQ(json_array({"1", "\"x\""}), "[1,\"x\"]");
}

TEST(MatchText, AMatchSaysHowItKeepsTimeOnceItHasTicks) {
  MatchInfo match;
  EXPECT_EQ(achieved_rate_text(match), "-");
  match.timing.emplace();
  EXPECT_EQ(lateness_text(match), "-");
  EXPECT_EQ(match_line(match).find("runs at"), std::string::npos);
  match.timing->achieved_rate_hz = 59.96;
  match.timing->lateness_p99 = std::chrono::microseconds(1250);
  EXPECT_THAT(match_line(match), HasSubstr(", runs at 60.0 Hz, 1.25 ms late (p99)"));
  EXPECT_EQ(match_line(match).find("skipped"), std::string::npos);
  match.timing->ticks_skipped = 12;
  EXPECT_THAT(match_line(match), HasSubstr(", 12 ticks skipped"));
  EXPECT_THAT(
      match_json(match, "localhost:1"),
      HasSubstr(R"("timing":{"achieved_rate_hz":59.960,"lateness_p50_us":0,"lateness_p99_us":1250,)"));
}

}  // namespace
}  // namespace sweepd::tools::match_text_test
