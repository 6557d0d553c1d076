// SPDX-License-Identifier: MIT
//
// Protects what templates promise of objects that are disabled or frozen: for how long and how often, by
// whom, and that no other kind of change gets around it.
#include "unit/match/template_fixture.h"

namespace sweepd::match::template_states_test {
namespace {

using namespace template_test;
// Other tests of this folder have ships, too.
using template_test::kShip;

TEST_F(TemplateTest, BoundHowLongAndHowOftenOneIsDisabled) {
  start();
  spawn_ship();
  expect_refused(send(player_, disable(ship_id(), 0)), RejectionReason::kNotInTemplate, "without end");
  const Tick next = match_->tick() + 1;
  expect_refused(send(player_, disable(ship_id(), next + 5)), RejectionReason::kNotInTemplate,
                 "for 5 ticks; at most 4");
  expect_taken(send(player_, disable(ship_id(), match_->tick() + 1 + 4)));
  run(4);
  save_and_restore();
  expect_refused(send(player_, disable(ship_id(), match_->tick() + 1 + 4)), RejectionReason::kTooSoon,
                 "templates[0].disable_interval_ticks");
  expect_taken(send(player_, disable(ship_id(), match_->tick() + 1 + 4)));
  expect_taken(spawn(stage_, by_template(stage_.first_id, kEnemy, {0, 0})));
  expect_refused(send(stage_, disable(stage_.first_id, match_->tick() + 2)), RejectionReason::kNotInTemplate,
                 "may not be disabled");
}

TEST_F(TemplateTest, BoundHowOftenOneIsDisabledThoughItDiesInBetween) {
  MatchConfig config = config_with_templates();
  config.templates[0].disable_interval_ticks = 20;
  start(config);
  Frame frame = spawn_frame(by_template(ship_id(), kShip, {500, 500}));
  frame.disables = {{ship_id(), match_->tick() + 5}};
  expect_taken(send(player_, frame));
  expect_taken(send(player_, despawn_frame(ship_id())));
  run(5);
  frame = spawn_frame(by_template(ship_id(), kShip, {500, 500}));
  frame.disables = {{ship_id(), match_->tick() + 5}};
  expect_refused(send(player_, frame), RejectionReason::kTooSoon, "disable_interval_ticks");
}

/// Of ships that may be disabled in their first three ticks.
MatchConfig config_by_age() {
  MatchConfig config = config_with_templates();
  config.templates[0].disable_within_ticks = 3;
  return config;
}

TEST_F(TemplateTest, LetATimeInWhichOneIsDisabledEndWithItsFirstTicks) {
  start(config_by_age());
  spawn_ship();
  const Tick spawned = match_->tick();
  run(1);
  save_and_restore();
  expect_refused(send(player_, disable(ship_id(), spawned + 4)), RejectionReason::kNotInTemplate,
                 "in its first 3 ticks only, not until 4 have passed (templates[0].disable_within_ticks)");
  start(config_by_age());
  spawn_ship();
  run(1);
  expect_taken(send(player_, disable(ship_id(), spawned + 3)));
  EXPECT_NE(match_->find_object(ship_id())->disabled_until, 0u);
  run(1);
  EXPECT_EQ(match_->find_object(ship_id())->disabled_until, 0u);
}

TEST_F(TemplateTest, LetATimeOfARecordedMatchEndLater) {
  start(config_by_age(), kFirstDigestVersion);
  spawn_ship();
  const Tick spawned = match_->tick();
  run(1);
  expect_taken(send(player_, disable(ship_id(), spawned + 6)));
}

TEST_F(TemplateTest, GiveNoSecondSpeedToWhatIsFrozenMovedAndReleasedInOneTick) {
  MatchConfig config = config_with_templates();
  config.templates[0].may_freeze = true;
  config.templates[0].speed_budget_ticks = 1;
  start(config);
  ObjectSpec spec = by_template(ship_id(), kShip, {500, 500});
  spec.motion = {{100, 0}, {}};
  expect_taken(spawn(player_, spec));
  for (int i = 0; i < 5; ++i) {
    Frame freeze;
    freeze.freezes = {{}};
    submit(*match_, player_, freeze);
    const collision::Point now = match_->find_object(ship_id())->position;
    Frame frame = move_frame(ship_id(), {now.x + 100, now.y});
    frame.releases = {{}};
    expect_refused(send(player_, frame), RejectionReason::kTooFast, "templates[0].speed_max");
  }
  EXPECT_EQ(match_->find_object(ship_id())->position.x, 500 + 100 * 6);
}

TEST_F(TemplateTest, CountWhatIsTransferredForWhoReceivesIt) {
  MatchConfig config = config_with_templates();
  config.templates[2].spawn = {.alive_max = 1, .respawn_delay_ticks = 5};
  start(config);
  const Participant second = join(*match_, "second stage", Role::kStage);
  expect_taken(spawn(stage_, by_template(stage_.first_id, kEnemy, {0, 0})));
  Frame transfer;
  transfer.transfers = {{{stage_.first_id}, second.number}};
  expect_taken(send(stage_, transfer));
  expect_refused(spawn(stage_, by_template(stage_.first_id + 1, kEnemy, {0, 0})), RejectionReason::kTooSoon,
                 "templates[2].spawn.respawn_delay_ticks");
  run(4);
  expect_taken(spawn(stage_, by_template(stage_.first_id + 1, kEnemy, {0, 0})));
  transfer.transfers = {{{stage_.first_id + 1}, second.number}};
  expect_refused(send(stage_, transfer), RejectionReason::kTooManyObjects, "templates[2].spawn.alive_max");
}

TEST_F(TemplateTest, SayWhatMayBeFrozenByItsOwner) {
  start();
  spawn_ship();
  expect_taken(spawn(stage_, by_template(stage_.first_id, kEnemy, {0, 0})));
  Frame freeze;
  freeze.freezes = {{}};
  expect_refused(send(player_, freeze), RejectionReason::kNotInTemplate, "templates[0].may_freeze");
  expect_taken(send(stage_, freeze));
  EXPECT_TRUE(match_->find_object(stage_.first_id)->is_frozen);
}

/// With a second kind of enemies, which may not be frozen, on a layer that all may clear.
MatchConfig config_with_bombs() {
  MatchConfig config = config_with_templates();
  config.clearable_layers = {"enemy"};
  config.templates.push_back(enemy());
  config.templates.back().name = "bullet";
  config.templates.back().may_freeze = false;
  return config;
}

Frame freeze_enemies() {
  Frame frame;
  frame.freezes = {{.layers = {kEnemyLayer}}};
  return frame;
}

TEST_F(TemplateTest, SayWhatABombOfOthersMayFreeze) {
  start(config_with_bombs());
  expect_taken(spawn(stage_, by_template(stage_.first_id, kEnemy, {0, 0})));
  expect_taken(spawn(stage_, by_template(stage_.first_id + 1, 4, {0, 0})));
  expect_refused(send(player_, freeze_enemies()), RejectionReason::kNotInTemplate, "templates[3].may_freeze");
  EXPECT_TRUE(match_->find_object(stage_.first_id)->is_frozen);
  EXPECT_FALSE(match_->find_object(stage_.first_id + 1)->is_frozen);
}

TEST_F(TemplateTest, LeaveOutOfABombWhatMayNotBeFrozenWhereItMayBeHidden) {
  MatchConfig config = config_with_bombs();
  config.visibility = {{.role = Role::kPlayer, .layer = "enemy", .sees = Sight::kOwn}};
  start(config);
  expect_taken(spawn(stage_, by_template(stage_.first_id, 4, {0, 0})));
  expect_taken(send(player_, freeze_enemies()));
  EXPECT_FALSE(match_->find_object(stage_.first_id)->is_frozen);
}

TEST_F(TemplateTest, LetABombOfARecordedMatchFreezeAsItDid) {
  start(config_with_bombs(), kFirstDigestVersion);
  expect_taken(spawn(stage_, by_template(stage_.first_id, 4, {0, 0})));
  expect_taken(send(player_, freeze_enemies()));
  EXPECT_TRUE(match_->find_object(stage_.first_id)->is_frozen);
}

}  // namespace
}  // namespace sweepd::match::template_states_test
