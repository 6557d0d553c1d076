// SPDX-License-Identifier: MIT
//
// Protects what templates promise: an object is what its template says from its first tick to its last, each
// rule holds with the value at the limit and one past it, is named by template, rule and number, and is not
// got around by another kind of change, by dying and coming back, or by a restart.
#include "unit/match/template_fixture.h"

namespace sweepd::match::template_test {
namespace {

// What a template gives was taken off the count of what waits, which had never had it: below 0, nothing fits.
TEST_F(TemplateTest, FramesThatWaitFitAfterAnySpawn) {
  start();
  for (Tick tick = 1; tick < 9; ++tick) {
    const ObjectId enemy = stage_.first_id + static_cast<ObjectId>(tick);
    submit(*match_, stage_, spawn_frame(by_template(enemy, kEnemy, {500, 500}), tick));
    if (tick > 1) match_->step();
  }
  EXPECT_TRUE(match_->find_object(stage_.first_id + 7));
}

TEST_F(TemplateTest, GiveAnObjectWhatItIs) {
  start();
  spawn_ship();
  const auto object = match_->find_object(ship_id());
  ASSERT_TRUE(object);
  EXPECT_TRUE(std::ranges::equal(object->parts, kShipParts));
  EXPECT_EQ(object->hit_points, 3u);
  expect_taken(spawn(player_, by_template(ship_id() + 1, kShot, {500, 490})));
  const auto bullet = match_->find_object(ship_id() + 1);
  ASSERT_TRUE(bullet);
  EXPECT_TRUE(bullet->is_single_use);
  EXPECT_EQ(bullet->damage, 1u);
  EXPECT_EQ(bullet->expires_at, match_->tick() + 20);
}

TEST_F(TemplateTest, AreAllThatARoleWhichHasSomeMaySpawn) {
  start();
  expect_refused(spawn(player_, object_at(ship_id(), {500, 500})), RejectionReason::kTemplateNotAllowed,
                 "by templates only");
  expect_refused(spawn(player_, by_template(ship_id(), 4, {500, 500})), RejectionReason::kTemplateNotAllowed,
                 "1 to 3");
  expect_refused(spawn(player_, by_template(ship_id(), kEnemy, {500, 500})),
                 RejectionReason::kTemplateNotAllowed, "templates[2].roles");
  EXPECT_EQ(match_->object_count(), 0u);
}

TEST_F(TemplateTest, OfOneRoleLeaveTheOthersFree) {
  MatchConfig config = config_with_templates();
  config.templates.pop_back();
  start(config);
  expect_taken(spawn(stage_, object_at(stage_.first_id, {0, 0}, kEnemyLayer)));
}

TEST_F(TemplateTest, TakeNoTraitsOfASpawnsOwn) {
  start();
  const ObjectSpec plain = by_template(ship_id(), kShip, {500, 500});
  std::vector<ObjectSpec> specs(6, plain);
  specs[0].parts = kShipParts;
  specs[1].hit_points = 2'000'000'000;
  specs[2].damage = 1;
  specs[3].single_use = true;
  specs[4].continuous = true;
  specs[5].despawn_outside_playfield = true;
  for (const ObjectSpec& spec : specs)
    expect_refused(spawn(player_, spec), RejectionReason::kTemplateNotAllowed, "may not give any");
  EXPECT_EQ(match_->object_count(), 0u);
}

TEST_F(TemplateTest, BoundHowManyLive) {
  start();
  spawn_ship();
  expect_refused(spawn(player_, by_template(ship_id() + 1, kShip, {500, 500})),
                 RejectionReason::kTooManyObjects, "templates[0].spawn.alive_max");
}

TEST_F(TemplateTest, BoundHowSoonOneComesBack) {
  start();
  spawn_ship();
  expect_taken(send(player_, despawn_frame(ship_id())));
  run(3);
  save_and_restore();
  expect_refused(spawn(player_, by_template(ship_id() + 1, kShip, {0, 0})), RejectionReason::kTooSoon,
                 "comes 4 ticks after the last one was gone; 5 are required");
  expect_taken(spawn(player_, by_template(ship_id() + 1, kShip, {0, 0})));
}

TEST_F(TemplateTest, BoundHowManyThereAreInAllThoughTheirOwnerLeavesAndJoinsAgain) {
  MatchConfig config = config_with_templates();
  config.slots = {{"ann", Role::kPlayer}, {"stage", Role::kStage}, {"ben", Role::kPlayer}};
  config.templates[0].spawn.respawn_delay_ticks = 0;
  config.templates[0].spawn.total_max = 2;
  start(config);
  spawn_ship();
  match_->apply(Leave{player_.number});
  run(1);
  player_ = join(*match_, "ann");
  spawn_ship();
  expect_taken(send(player_, despawn_frame(ship_id())));
  save_and_restore();
  expect_refused(spawn(player_, by_template(ship_id(), kShip, {500, 500})), RejectionReason::kTooManyObjects,
                 "2 times in this match by the participant; at most 2");
  const Participant other = join(*match_, "ben");
  expect_taken(spawn(other, by_template(other.first_id, kShip, {500, 500})));
}

TEST_F(TemplateTest, BoundWhereOneIsSpawned) {
  start();
  for (const collision::Point outside : {collision::Point{-1, 0}, {1001, 0}, {0, -1}, {0, 1001}}) {
    expect_refused(spawn(player_, by_template(ship_id(), kShip, outside)), RejectionReason::kSpawnPlace,
                   "templates[0].spawn.region");
  }
  expect_taken(spawn(player_, by_template(ship_id(), kShip, {1000, 0})));
}

TEST_F(TemplateTest, MeasureARegionFromTheOriginOfThePlayfield) {
  MatchConfig config = config_with_templates();
  config.playfield = {0, 0, 2000, 2000};
  start(config);
  Frame scroll;
  scroll.scroll = collision::Point{0, -500};
  expect_taken(send(stage_, scroll));
  expect_refused(spawn(player_, by_template(ship_id(), kShip, {0, 501})), RejectionReason::kSpawnPlace,
                 "region");
  expect_taken(spawn(player_, by_template(ship_id(), kShip, {0, -500})));
}

TEST_F(TemplateTest, SpawnNearToAnOwnObjectOnly) {
  start();
  const ObjectId shot_id = ship_id() + 1;
  expect_refused(spawn(player_, by_template(shot_id, kShot, {500, 500})), RejectionReason::kSpawnPlace,
                 "that the participant does not have");
  spawn_ship();
  expect_refused(spawn(player_, by_template(shot_id, kShot, {531, 500})), RejectionReason::kSpawnPlace,
                 "at a distance of 31 subunits; at most 30");
  expect_taken(spawn(player_, by_template(shot_id, kShot, {530, 500})));
}

TEST_F(TemplateTest, SpawnNearToWhereAnObjectWasWhenTheTickBegan) {
  start();
  spawn_ship();
  expect_refused(shoot_from_a_detour({531, 500}), RejectionReason::kSpawnPlace,
                 "at a distance of 31 subunits; at most 30");
  run(2);
  expect_taken(shoot_from_a_detour({530, 500}));
  EXPECT_EQ(match_->find_object(ship_id())->position, (collision::Point{500, 500}));
}

TEST_F(TemplateTest, SpawnNearToWhereAnObjectOfTheSameTickWasSpawned) {
  start();
  submit(*match_, player_, spawn_frame(by_template(ship_id(), kShip, {500, 500})));
  expect_refused(shoot_from_a_detour({531, 500}), RejectionReason::kSpawnPlace,
                 "at a distance of 31 subunits; at most 30");
}

TEST_F(TemplateTest, OfARecordedMatchSpawnNearToWhereAnObjectIsMoved) {
  start(config_with_templates(), kFirstDigestVersion);
  spawn_ship();
  expect_taken(shoot_from_a_detour({580, 500}));
}

TEST_F(TemplateTest, OfAnotherParticipantAreNoneToSpawnNear) {
  start();
  spawn_ship();
  const Participant other = join(*match_, "ben");
  expect_refused(spawn(other, by_template(other.first_id, kShot, {500, 500})), RejectionReason::kSpawnPlace,
                 "does not have");
}

TEST_F(TemplateTest, BoundHowOftenOneIsSpawned) {
  start();
  spawn_ship();
  Frame frame;
  for (ObjectId i = 1; i <= 3; ++i) frame.spawns.push_back(by_template(ship_id() + i, kShot, {500, 500}));
  expect_refused(send(player_, frame), RejectionReason::kTooSoon, "templates[1].spawn.interval_ticks");
  EXPECT_EQ(match_->object_count(), 3u) << "a burst of two, and the ship";
  run(2);
  save_and_restore();
  expect_refused(spawn(player_, by_template(ship_id() + 9, kShot, {500, 500})), RejectionReason::kTooSoon,
                 "one in 4 ticks");
  expect_taken(spawn(player_, by_template(ship_id() + 9, kShot, {500, 500})));
}

TEST_F(TemplateTest, BoundTimesToLive) {
  start();
  spawn_ship();
  ObjectSpec spec = by_template(ship_id() + 1, kShot, {500, 500});
  spec.time_to_live_ticks = 21;
  expect_refused(spawn(player_, spec), RejectionReason::kNotInTemplate, "21 ticks; at most 20");
  spec.time_to_live_ticks = 20;
  expect_taken(spawn(player_, spec));
}

TEST_F(TemplateTest, BoundSpeedAndAccelerationOfMotion) {
  start();
  spawn_ship();
  ObjectSpec spec = by_template(ship_id() + 1, kShot, {500, 500});
  spec.motion = {{0, -51}, {}};
  expect_refused(spawn(player_, spec), RejectionReason::kTooFast, "templates[1].speed_max");
  spec.motion = {{0, 0}, {0, 4}};
  expect_refused(spawn(player_, spec), RejectionReason::kTooFast, "templates[1].acceleration_max");
  spec.motion = {{0, -50}, {}};
  expect_taken(spawn(player_, spec));
  Frame faster;
  faster.motions = {{ship_id() + 1, {{0, -51}, {}}}};
  expect_refused(send(player_, faster), RejectionReason::kTooFast, "\"shot\"");
}

TEST_F(TemplateTest, BoundWaysWhateverElseIsDoneToTheObject) {
  start();
  spawn_ship();
  expect_refused(send(player_, move_frame(ship_id(), {701, 500})), RejectionReason::kTooFast,
                 "templates[0].speed_max");
  // To a layer without a limit, along, and back: the budget stays the object's.
  Frame trick = layer_change(ship_id(), kItemLayer);
  trick.moves = {{ship_id(), {900, 500}}};
  trick.relative_moves = 1;
  expect_refused(send(player_, trick), RejectionReason::kTooFast, "\"ship\"");
  Frame teleport;
  teleport.teleports = {{ship_id(), {900, 500}}};
  expect_refused(send(player_, teleport), RejectionReason::kMayNotTeleport, "templates[0].may_teleport");
  EXPECT_EQ(match_->find_object(ship_id())->position, (collision::Point{500, 500}));
}

TEST_F(TemplateTest, SaveNoMoreSpeedThanTheyAllowWhereALayerIsStricter) {
  MatchConfig config = config_with_templates();
  config.layer_limits = {{.layer = "player", .speed_max = 90, .speed_budget_ticks = 6}};
  start(config);
  spawn_ship();
  run(5);
  expect_refused(send(player_, move_frame(ship_id(), {681, 500})), RejectionReason::kTooFast,
                 "layer_limits[0].speed_max");
  expect_taken(send(player_, move_frame(ship_id(), {680, 500})));
}

TEST_F(TemplateTest, HaveABudgetOfWaysThatARestartDoesNotFill) {
  start();
  spawn_ship();
  expect_taken(send(player_, move_frame(ship_id(), {700, 500})));
  save_and_restore();
  expect_refused(send(player_, move_frame(ship_id(), {801, 500})), RejectionReason::kTooFast, "at most 100");
  expect_taken(send(player_, move_frame(ship_id(), {900, 500})));
}

TEST_F(TemplateTest, HaveShapesAndNoOthers) {
  start();
  spawn_ship();
  expect_refused(send(player_, reshape(ship_id(), {{{0, 0, 0, 0}, kPlayerLayer}})),
                 RejectionReason::kNotInTemplate, "templates[0].shapes");
  expect_taken(send(player_, layer_change(ship_id(), kItemLayer)));
  expect_refused(send(player_, layer_change(ship_id(), kEnemyLayer)), RejectionReason::kNotInTemplate,
                 "none of its 2 shapes");
  expect_taken(send(player_, reshape(ship_id(), kShipParts)));
}

TEST_F(TemplateTest, SayToWhomOneMayGo) {
  start();
  expect_taken(spawn(stage_, by_template(stage_.first_id, kEnemy, {0, 0})));
  Frame transfer;
  transfer.transfers = {{{stage_.first_id}, player_.number}};
  expect_refused(send(stage_, transfer), RejectionReason::kNotInTemplate, "templates[2].transfer_roles");
  const Participant second = join(*match_, "second stage", Role::kStage);
  transfer.transfers = {{{stage_.first_id}, second.number}};
  expect_taken(send(stage_, transfer));
  EXPECT_EQ(match_->find_object(stage_.first_id)->owner, second.number);
}

TEST_F(TemplateTest, GoOnAlikeAfterARestartWithFramesWaiting) {
  start();
  spawn_ship();
  submit(*match_, player_, spawn_frame(by_template(ship_id() + 1, kShot, {500, 500}), match_->tick() + 3));
  const std::string saved = match_->save();
  const auto copy = std::move(Match::restore(config_with_templates(), saved).value());
  for (int i = 0; i < 10; ++i) EXPECT_EQ(copy->step().digest, match_->step().digest);
  EXPECT_EQ(match_->object_count(), 2u);
}

TEST_F(TemplateTest, AreInTheDigestOfASpawn) {
  MatchConfig config = config_with_templates();
  config.templates.push_back(ship());
  config.templates.back().name = "twin";
  const auto digest_of = [&](TemplateNumber number) {
    start(config);
    spawn(player_, by_template(ship_id(), number, {500, 500}));
    return match_->digest();
  };
  EXPECT_NE(digest_of(kShip), digest_of(4));
}

std::string error_of(const MatchConfig& config) {
  const auto error = find_error(config);
  return error ? error->field + " " + error->description : "";
}

TEST(TemplateConfig, OfAMatchIsWithoutError) { EXPECT_EQ(error_of(config_with_templates()), ""); }

TEST(TemplateConfig, NamesTheFieldAtFault) {
  const auto error_with = [](const auto& change) {
    MatchConfig config = config_with_templates();
    change(config);
    return error_of(config);
  };
  EXPECT_THAT(error_with([](auto& c) { c.templates[1].name = "ship"; }),
              HasSubstr("templates[1].name is \"ship\", the name of templates[0]"));
  EXPECT_THAT(error_with([](auto& c) { c.templates[0].shapes.clear(); }), HasSubstr("templates[0].shapes"));
  EXPECT_THAT(error_with([](auto& c) { c.templates[0].shapes[1].parts.clear(); }),
              HasSubstr("templates[0].shapes[1].parts has no part"));
  EXPECT_THAT(error_with([](auto& c) { c.templates[0].shapes[0].parts[0].layer = 3; }),
              HasSubstr("templates[0].shapes[0].parts[0].layer"));
  EXPECT_THAT(error_with([](auto& c) {
                c.templates[0].shapes[0].parts[0].box = {1, 0, 0, 0};
              }),
              HasSubstr("templates[0].shapes[0].parts[0].box.min_x"));
  EXPECT_THAT(error_with([](auto& c) { c.templates[0].roles = {Role::kObserver}; }),
              HasSubstr("templates[0].roles"));
  EXPECT_THAT(error_with([](auto& c) { c.templates[1].spawn.near = "sheep"; }),
              HasSubstr("templates[1].spawn.near is \"sheep\""));
  EXPECT_THAT(error_with([](auto& c) { c.templates[0].spawn.alive_max = 65; }),
              HasSubstr("templates[1].spawn.near is \"ship\"; that template must have a spawn.alive_max"));
  EXPECT_THAT(error_with([](auto& c) { c.templates[2].transfer_roles = {Role::kObserver}; }),
              HasSubstr("templates[2].transfer_roles"));
  EXPECT_THAT(error_with([](auto& c) { c.templates[0].disable_interval_ticks = 3; }),
              HasSubstr("templates[0].disable_interval_ticks is 3; must be 4 to"));
  EXPECT_THAT(error_with([](auto& c) {
                c.templates[0].spawn.region = collision::Box{1, 0, 0, 0};
              }),
              HasSubstr("templates[0].spawn.region"));
}

TEST_F(TemplateTest, RejectionsSayWhatWasFoundWhereAndWhatIsAllowed) {
  MatchConfig config = config_with_templates();
  config.templates[1].spawn.velocity = collision::Box{-5, -50, 5, -40};
  start(config);
  expect_refused(spawn(player_, by_template(ship_id(), kShip, {1200, -7})), RejectionReason::kSpawnPlace,
                 "an object of template \"ship\" would be spawned outside of its region, at (1200, -7), 200 "
                 "beyond what is allowed, (0, 0) to (1000, 1000), in subunits (templates[0].spawn.region)");
  spawn_ship();
  ObjectSpec wild = by_template(ship_id() + 1, kShot, {500, 500});
  wild.motion = {{9, -40}, {}};
  expect_refused(spawn(player_, wild), RejectionReason::kNotInTemplate,
                 "an object of template \"shot\" would be spawned with a velocity of (9, -40), 4 beyond what "
                 "is allowed, (-5, -50) to (5, -40), in subunits (templates[1].spawn.velocity)");
  expect_refused(send(player_, disable(ship_id(), 0)), RejectionReason::kNotInTemplate,
                 "an object of template \"ship\" would be disabled without end; at most 4 ticks are allowed "
                 "(templates[0].disable_max_ticks)");
}

}  // namespace
}  // namespace sweepd::match::template_test
