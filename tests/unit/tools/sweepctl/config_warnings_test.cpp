// SPDX-License-Identifier: MIT
//
// Protects who writes a match file from rewards that a cheat can farm: each is warned of, by rule, layer and
// what is missing.
#include "tools/sweepctl/config_warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sweepd::tools::config_warnings_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

MatchConfig scored_config() {
  MatchConfig config;
  config.layers = {"player", "enemy"};
  config.collides = {{"player", "enemy"}};
  config.scoring = {{.name = "touch", .layer_a = "player", .layer_b = "enemy", .points = 5}};
  config.slots = {{.name = "ann"}};
  return config;
}

ObjectTemplate ship() {
  return {
      .name = "ship", .shapes = {{{Part(centered_box(4, 4), 0)}}}, .speed_max = 8, .spawn = {.alive_max = 1}};
}

TEST(ConfigWarnings, TellOfALayerThatPlayersSpawnOnAsTheyLike) {
  EXPECT_THAT(warnings_of(scored_config()),
              ElementsAre("scoring[0] \"touch\" rewards layer \"player\", and players spawn on it what they "
                          "like: no template is for them"));
}

TEST(ConfigWarnings, TellWhatATemplateLeavesOpen) {
  MatchConfig config = scored_config();
  config.templates = {ship()};
  config.templates[0].spawn.alive_max.reset();
  EXPECT_THAT(warnings_of(config), ElementsAre(HasSubstr("\"ship\" without end")));
  config.templates[0] = ship();
  config.templates[0].speed_max.reset();
  EXPECT_THAT(warnings_of(config), ElementsAre(HasSubstr("as fast as they like")));
  config.layer_limits = {{.layer = "player", .speed_max = 8}};
  EXPECT_THAT(warnings_of(config), IsEmpty());
}

TEST(ConfigWarnings, TellOfShipsThatComeBackWholeAsOftenAsTheirPlayersDespawnThem) {
  MatchConfig config = scored_config();
  config.templates = {ship()};
  config.templates[0].hit_points = 3;
  EXPECT_THAT(warnings_of(config), ElementsAre(HasSubstr("\"ship\" back whole")));
  config.templates[0].spawn.total_max = 5;
  EXPECT_THAT(warnings_of(config), IsEmpty());
  config.templates[0].spawn.alive_max.reset();
  EXPECT_THAT(warnings_of(config), IsEmpty()) << "that is a limit, too";
}

TEST(ConfigWarnings, TellOfAStartThatOneSeatHoldsUp) {
  MatchConfig config;
  config.start_after_participants = 2;
  EXPECT_THAT(warnings_of(config), ElementsAre(HasSubstr("waits.start_timeout_ms is 0")));
  config.waits.start_timeout_ms = 1;
  EXPECT_THAT(warnings_of(config), IsEmpty());
}

TEST(ConfigWarnings, TellOfReplaysThatAreRefusedForTheirSecrets) {
  MatchConfig config;
  config.permissions.replay_roles = {Role::kPlayer, Role::kStage, Role::kObserver};
  EXPECT_THAT(warnings_of(config), ElementsAre(HasSubstr("permissions.replay_roles has \"player\""),
                                               HasSubstr("permissions.replay_roles has \"observer\"")));
  config.permissions.secret_roles = {Role::kPlayer, Role::kObserver};
  EXPECT_THAT(warnings_of(config), IsEmpty()) << "stages may know all";
}

TEST(ConfigWarnings, TellOfObserversWhoSeeWhatPlayersDoNot) {
  MatchConfig config;
  config.layers = {"player"};
  config.visibility = {{.role = Role::kPlayer, .layer = "player"}};
  EXPECT_THAT(warnings_of(config), ElementsAre(HasSubstr("observer_delay_ticks is 0")));
  config.observer_delay_ticks = 60;
  EXPECT_THAT(warnings_of(config), IsEmpty());
  config.observer_delay_ticks = 0;
  config.visibility.push_back({.role = Role::kObserver, .layer = "player", .sees = Sight::kAll});
  EXPECT_THAT(warnings_of(config), IsEmpty()) << "they were thought of";
  config.layers.push_back("enemy");
  config.visibility.push_back({.role = Role::kPlayer, .layer = "enemy"});
  EXPECT_THAT(warnings_of(config), ElementsAre(HasSubstr("layer \"enemy\"")));
  config.visibility = {{.role = Role::kPlayer, .layer = "player", .sees = Sight::kAll}};
  EXPECT_THAT(warnings_of(config), IsEmpty()) << "that hides nothing";
}

TEST(ConfigWarnings, TellOfNumbersThatHandTheirCountsOn) {
  MatchConfig config;
  config.layers = {"player"};
  config.limits = {{.role = Role::kPlayer, .objects_max = 3}};
  EXPECT_THAT(warnings_of(config), IsEmpty()) << "objects go with their owner";
  config.limits[0].selection_interval_ticks = 60;
  EXPECT_THAT(warnings_of(config), ElementsAre(AllOf(HasSubstr("limits"), HasSubstr("slots is empty"))));
  config.limits.clear();
  config.templates = {ship()};
  EXPECT_THAT(warnings_of(config), IsEmpty());
  config.templates[0].spawn.total_max = 3;
  EXPECT_THAT(warnings_of(config), ElementsAre(AllOf(HasSubstr("templates"), HasSubstr("slots is empty"))));
  config.slots = {{.name = "ann"}};
  EXPECT_THAT(warnings_of(config), IsEmpty());
}

TEST(ConfigWarnings, TellOfShotsThatScoreAndHaveNoInterval) {
  MatchConfig config = scored_config();
  config.templates = {ship()};
  config.templates[0].single_use = true;
  EXPECT_THAT(warnings_of(config),
              ElementsAre(HasSubstr("\"ship\" as fast as they like: it has no interval_ticks")));
  config.templates[0].spawn.interval_ticks = 6;
  EXPECT_THAT(warnings_of(config), IsEmpty());
}

TEST(ConfigWarnings, TellOfClocksThatPlayersControl) {
  MatchConfig config;
  config.clock_control_roles = {Role::kStage};
  EXPECT_THAT(warnings_of(config), IsEmpty());
  config.clock_control_roles = {Role::kStage, Role::kPlayer};
  EXPECT_THAT(warnings_of(config), ElementsAre(HasSubstr("clock_control_roles has \"player\"")));
}

TEST(ConfigWarnings, TellOfBudgetsOfSpeedThatAreLeaps) {
  MatchConfig config;
  config.layers = {"player"};
  config.late_frames = LateFramePolicy::kApplyNext;
  config.layer_limits = {{.layer = "player", .speed_max = 8, .speed_budget_ticks = 61}};
  config.templates = {ship()};
  config.templates[0].speed_budget_ticks = 61;
  EXPECT_THAT(warnings_of(config), ElementsAre(HasSubstr("layer_limits[0].speed_budget_ticks is over 60"),
                                               HasSubstr("templates[0].speed_budget_ticks is over 60")));
  config.late_frames = LateFramePolicy::kSpread;
  EXPECT_THAT(warnings_of(config), IsEmpty()) << "at most two ticks' way in a tick";
  config.late_frames = LateFramePolicy::kApplyNext;
  config.layer_limits[0].speed_budget_ticks = config.templates[0].speed_budget_ticks = 60;
  EXPECT_THAT(warnings_of(config), IsEmpty());
}

TEST(ConfigWarnings, AreNoneWhereAllIsLimited) {
  MatchConfig config = scored_config();
  config.templates = {ship()};
  EXPECT_THAT(warnings_of(config), IsEmpty());
}

TEST(ConfigWarnings, TellOfBombsThatNothingLimits) {
  MatchConfig config;
  config.layers = {"player", "enemy_bullet"};
  config.clearable_layers = {"enemy_bullet"};
  EXPECT_THAT(warnings_of(config), ElementsAre(HasSubstr("no selection_interval_ticks")));
  config.limits = {{.role = Role::kPlayer, .selection_interval_ticks = 60}};
  config.slots = {{.name = "ann"}};
  EXPECT_THAT(warnings_of(config), IsEmpty());
}

TEST(ConfigWarnings, AreNoneOfLayersThatPlayersMayNotUseNorOfPenalties) {
  MatchConfig config = scored_config();
  config.limits = {{.role = Role::kPlayer, .spawn_layers = std::vector<std::string>{"enemy"}}};
  EXPECT_THAT(warnings_of(config), IsEmpty());
  config = scored_config();
  config.scoring[0].points = -5;
  EXPECT_THAT(warnings_of(config), IsEmpty());
}

TEST(ConfigWarnings, TellOfClaimsThatHitWithoutBounds) {
  MatchConfig config;
  config.layers = {"shot", "enemy"};
  config.collides = {{.layer_a = "shot", .layer_b = "enemy", .by_claims = true}};
  config.claims.policy = ClaimPolicy::kEnforce;
  EXPECT_THAT(warnings_of(config),
              ElementsAre(HasSubstr("claims.window_rise_ticks is 0"),
                          HasSubstr("collides[0] \"shot\" and \"enemy\" are hit by claims")));
  config.claims.window_rise_ticks = 30;
  config.collides[0].claim_tolerance_max = 4;
  EXPECT_THAT(warnings_of(config), IsEmpty());
  config.templates = {ship()};
  config.slots = {{.name = "ann"}};
  EXPECT_THAT(warnings_of(config), ElementsAre(HasSubstr("it has no claim_layers")));
  config.templates[0].claim_layers.emplace();
  EXPECT_THAT(warnings_of(config), IsEmpty());
}

}  // namespace
}  // namespace sweepd::tools::config_warnings_test
