// SPDX-License-Identifier: MIT
//
// Protects the limits of a match: each with the value at the limit and one past it, named by rule, object and
// number, counted by rule, and without effect on anything else; and that none can be got around by another
// kind of change.
#include "unit/match/limits_fixture.h"

namespace sweepd::match::limits_test {
namespace {

TEST_F(LimitsTest, ObjectsOfARole) {
  start(with({.role = Role::kPlayer, .objects_max = 2}));
  expect_accepted(spawn_frame(object_at(1, {0, 0})));
  expect_accepted(spawn_frame(object_at(2, {0, 0})));
  expect_refused(spawn_frame(object_at(3, {0, 0})), RejectionReason::kTooManyObjects, 3, "spawns[0]",
                 {"has 2 objects", "limits[0].objects_max"});
  for (ObjectId id = kStageId; id < kStageId + 3; ++id)
    submit(*match_, stage_, spawn_frame(object_at(id, {0, 0})));
  EXPECT_TRUE(match_->step().rejections.empty()) << "not the stage's limit";
  expect_accepted(despawn_frame(1));
  expect_accepted(spawn_frame(object_at(3, {0, 0})));
}

TEST_F(LimitsTest, NoObjectsAtAllForARole) {
  start(with({.role = Role::kPlayer, .objects_max = 0}));
  expect_refused(spawn_frame(object_at(1, {0, 0})), RejectionReason::kTooManyObjects, 1, "spawns[0]",
                 {"has 0 objects"});
}

TEST_F(LimitsTest, PartsInAllObjectsOfARole) {
  start(with({.role = Role::kPlayer, .parts_max = 5}));
  ObjectSpec two = object_at(1, {0, 0});
  two.parts.push_back(two.parts[0]);
  expect_accepted(spawn_frame(two));
  two.id = 2;
  expect_accepted(spawn_frame(two));
  two.id = 3;
  expect_refused(spawn_frame(two), RejectionReason::kTooManyParts, 3, "spawns[0].parts",
                 {"would have 6 parts", "at most 5", "limits[0].parts_max"});
  expect_accepted(spawn_frame(object_at(3, {0, 0})));
  expect_refused(reshape(3, two.parts), RejectionReason::kTooManyParts, 3, "reshapes[0].parts",
                 {"6 parts", "at most 5"});
  expect_accepted(reshape(1, {two.parts[0]}));
  expect_accepted(reshape(3, two.parts));
  expect_accepted(despawn_frame(2));
  two.id = 4;
  expect_accepted(spawn_frame(two));
}

TEST_F(LimitsTest, TransfersCountForWhoReceives) {
  start(with({.role = Role::kStage, .objects_max = 2, .parts_max = 2}));
  Frame hand_over_stage;
  hand_over_stage.transfers = {{.objects = {}, .to = player_.number, .with_stage = true}};
  submit(*match_, stage_, hand_over_stage);
  match_->step();
  ObjectSpec two = object_at(1, {0, 0});
  two.parts.push_back(two.parts[0]);
  expect_accepted(spawn_frame(two));
  expect_accepted(spawn_frame(object_at(2, {0, 0})));
  expect_accepted(spawn_frame(object_at(3, {0, 0})));
  expect_accepted(spawn_frame(object_at(4, {0, 0})));
  const auto give = [&](ObjectId object) {
    Frame frame;
    frame.transfers = {{.objects = {object}, .to = stage_.number}};
    return frame;
  };
  EXPECT_TRUE(play({give(2)}).empty());
  auto rejections = play({give(1)});
  ASSERT_EQ(rejections.size(), 1u);
  EXPECT_EQ(rejections[0].reason, RejectionReason::kTooManyParts);
  EXPECT_THAT(rejections[0].message, HasSubstr("3 parts"));
  EXPECT_TRUE(play({give(3)}).empty());
  rejections = play({give(4)});
  ASSERT_EQ(rejections.size(), 1u);
  EXPECT_EQ(rejections[0].reason, RejectionReason::kTooManyObjects);
  EXPECT_THAT(rejections[0].message, HasSubstr("2 objects"));
}

TEST_F(LimitsTest, OfAPlayerThatActsAsTheStageAreNamedWhereTheyAllowMore) {
  MatchConfig config = with({.role = Role::kPlayer, .objects_max = 1, .parts_max = 9});
  config.limits.push_back({.role = Role::kStage, .objects_max = 2, .parts_max = 1});
  start(config);
  Frame hand_over_stage;
  hand_over_stage.transfers = {{.objects = {}, .to = player_.number, .with_stage = true}};
  submit(*match_, stage_, hand_over_stage);
  match_->step();
  ObjectSpec large = object_at(1, {0, 0});
  large.parts.resize(9, large.parts[0]);
  expect_accepted(spawn_frame(large));
  expect_refused(spawn_frame(object_at(2, {0, 0})), RejectionReason::kTooManyParts, 2, "spawns[0].parts",
                 {"would have 10 parts", "limits[0].parts_max"});
  expect_accepted(despawn_frame(1));
  expect_accepted(spawn_frame(object_at(2, {0, 0})));
  expect_accepted(spawn_frame(object_at(3, {0, 0})));
  expect_refused(spawn_frame(object_at(4, {0, 0})), RejectionReason::kTooManyObjects, 4, "spawns[0]",
                 {"has 2 objects", "limits[1].objects_max"});
}

TEST_F(LimitsTest, LayersOfARoleForSpawnsReshapesAndLayerChanges) {
  start(with({.role = Role::kPlayer, .spawn_layers = std::vector<std::string>{"player"}}));
  expect_accepted(spawn_frame(object_at(1, {0, 0}, kPlayerLayer)));
  ObjectSpec mixed = object_at(2, {0, 0}, kPlayerLayer);
  mixed.parts.push_back(part({0, 0, 1, 1}, kEnemyLayer));
  expect_refused(spawn_frame(mixed), RejectionReason::kLayerNotAllowed, 2, "spawns[0].parts[1].layer",
                 {"layer 1", "limits[0].spawn_layers"});
  expect_refused(reshape(1, mixed.parts), RejectionReason::kLayerNotAllowed, 1, "reshapes[0].parts[1].layer",
                 {"layer 1"});
  expect_refused(layer_change(1, kItemLayer), RejectionReason::kLayerNotAllowed, 1, "layer_changes[0].layer",
                 {"layer 2"});
  expect_refused(layer_change(1, 3), RejectionReason::kLayerNotAllowed, 1, "layer_changes[0].layer",
                 {"layer 3"});
  EXPECT_EQ(match_->find_object(1)->parts[0].layer, kPlayerLayer);
  submit(*match_, stage_, spawn_frame(object_at(kStageId, {0, 0}, kEnemyLayer)));
  EXPECT_TRUE(match_->step().rejections.empty());
}

TEST_F(LimitsTest, NoLayersAtAllForARole) {
  start(with({.role = Role::kPlayer, .spawn_layers = std::vector<std::string>{}}));
  expect_refused(spawn_frame(object_at(1, {0, 0})), RejectionReason::kLayerNotAllowed, 1,
                 "spawns[0].parts[0].layer", {"layer 0"});
}

TEST_F(LimitsTest, FramesForOneTickWhenEverTheyCome) {
  start(with({.role = Role::kPlayer, .frames_max = 2}));
  const auto send = [&](Tick tick) {
    Frame frame;
    frame.tick = tick;
    return match_->apply(Submission{player_.number, std::move(frame)});
  };
  EXPECT_FALSE(send(0));
  EXPECT_FALSE(send(1)) << "the next is tick 1";
  const auto refusal = send(1);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->reason, RejectionReason::kTooManyFrames);
  EXPECT_EQ(refusal->field, "tick");
  EXPECT_THAT(refusal->message, HasSubstr("tick 1 has 2 frames"));
  EXPECT_THAT(refusal->message, HasSubstr("limits[0].frames_max"));
  for (const Tick tick : {2, 3, 4, 2, 3, 4}) EXPECT_FALSE(send(tick)) << "ahead, each for a tick of its own";
  EXPECT_TRUE(send(4));
  for (int i = 0; i < 8; ++i) match_->step();
  for (const Tick tick : {6, 7, 8, 6, 7, 8}) EXPECT_FALSE(send(tick)) << "held up, and come together";
  EXPECT_TRUE(send(7));
  EXPECT_EQ(
      match_->find_participant(player_.number)->rejections_by_reason.of(RejectionReason::kTooManyFrames), 3u);
}

TEST_F(LimitsTest, SpeedOfAMove) {
  start(with(speed(500)));
  expect_accepted(spawn_frame(object_at(1, {0, 0})));
  expect_accepted(moves(1, {{300, 400}}));
  expect_refused(moves(1, {{600, 801}}), RejectionReason::kTooFast, 1, "moves.dx[0]",
                 {"501 subunits", "at most 500", "layer_limits[0].speed_max"});
  EXPECT_EQ(position(1), (collision::Point{300, 400}));
  expect_accepted(moves(1, {{300, 900}}));
}

TEST_F(LimitsTest, SpeedIsNotGotAroundByTwoMovesOrTwoFramesInOneTick) {
  start(with(speed(500)));
  expect_accepted(spawn_frame(object_at(1, {0, 0})));
  expect_refused(moves(1, {{250, 0}, {501, 0}}), RejectionReason::kTooFast, 1, "moves.dx[1]",
                 {"251 subunits", "at most 250"});
  EXPECT_EQ(position(1).x, 250);
  const auto rejections = play({moves(1, {{750, 0}}), moves(1, {{751, 0}})});
  ASSERT_EQ(rejections.size(), 1u);
  EXPECT_EQ(position(1).x, 750);
  EXPECT_EQ(play({moves(1, {{0, 0}})}).size(), 1u) << "nor by going back";
}

TEST_F(LimitsTest, TicksWithoutAMoveAreMadeUpForAndNoMoreThanTheBudget) {
  MatchConfig config = with(speed(500, 3));
  config.late_frames = LateFramePolicy::kApplyNext;
  start(config);
  expect_accepted(spawn_frame(object_at(1, {0, 0})));
  match_->step();
  match_->step();
  const auto late = play({moves(1, {{500, 0}}), moves(1, {{1000, 0}}), moves(1, {{1500, 0}})});
  EXPECT_TRUE(late.empty()) << "three frames that were held up";
  for (int i = 0; i < 10; ++i) match_->step();
  expect_refused(moves(1, {{3001, 0}}), RejectionReason::kTooFast, 1, "moves.dx[0]",
                 {"1501", "at most 1500"});
  expect_accepted(moves(1, {{3000, 0}}));
  expect_refused(moves(1, {{3501, 0}}), RejectionReason::kTooFast, 1, "moves.dx[0]", {"501", "at most 500"});
}

TEST_F(LimitsTest, SpeedOfAMotionAtItsFastest) {
  start(with(speed(100)));
  expect_accepted(spawn_frame(moving(1, {{100, 0}, {}})));
  expect_refused(spawn_frame(moving(2, {{0, 101}, {}})), RejectionReason::kTooFast, 2, "spawns[0]",
                 {"101 subunits", "at most 100"});
  expect_accepted(spawn_frame(moving(2, {{0, 0}, {10, 0}}, 10)));
  expect_refused(spawn_frame(moving(3, {{0, 0}, {10, 0}}, 11)), RejectionReason::kTooFast, 3, "spawns[0]",
                 {"110"});
  expect_refused(spawn_frame(moving(3, {{0, 0}, {1, 0}})), RejectionReason::kTooFast, 3, "spawns[0]",
                 {"without end", "time to live"});
  expect_accepted(motion(1, {{0, -100}, {}}));
  expect_refused(motion(1, {{0, -101}, {}}), RejectionReason::kTooFast, 1, "motions[0].motion",
                 {"101", "at most 100"});
  EXPECT_EQ(match_->find_object(1)->motion.velocity.y, -100);
  expect_refused(motion(1, {{0, 0}, {0, 1}}), RejectionReason::kTooFast, 1, "motions[0].motion",
                 {"without end"});
}

TEST_F(LimitsTest, MovesAndMotionShareOneBudget) {
  start(with(speed(100)));
  expect_accepted(spawn_frame(moving(1, {{60, 0}, {}})));
  ASSERT_EQ(position(1).x, 60);
  expect_refused(moves(1, {{101, 0}}), RejectionReason::kTooFast, 1, "moves.dx[0]",
                 {"41 subunits", "at most 40"});
  ASSERT_EQ(position(1).x, 120);
  expect_accepted(moves(1, {{160, 0}}));
  ASSERT_EQ(position(1).x, 220);
  Frame both = moves(1, {{260, 0}});
  both.motions = {{1, {{61, 0}, {}}}};
  expect_refused(both, RejectionReason::kTooFast, 1, "motions[0].motion", {"61", "at most 60"});
}

TEST_F(LimitsTest, SpeedIsNotGotAroundByReshapesOrLayers) {
  start(with(speed(100)));
  expect_accepted(spawn_frame(object_at(1, {0, 0})));
  expect_accepted(reshape(1, {part({90, -10, 110, 10})}));
  expect_refused(reshape(1, {part({191, -10, 211, 10})}), RejectionReason::kTooFast, 1, "reshapes[0]",
                 {"101 subunits", "at most 100"});
  expect_accepted(reshape(1, {part({0, -100, 200, 100})}));  // It grows, and its middle stays.
  // What is fast elsewhere cannot come onto the layer.
  ObjectSpec fast = moving(2, {{101, 0}, {}});
  fast.parts[0].layer = kItemLayer;
  expect_accepted(spawn_frame(fast));
  expect_refused(layer_change(2, kPlayerLayer), RejectionReason::kTooFast, 2, "layer_changes[0].layer",
                 {"101"});
  expect_accepted(moves(2, {{1'000'000, 0}}));
}

TEST_F(LimitsTest, TheStrictestLayerOfAnObjectCounts) {
  MatchConfig config = with(speed(500));
  config.layer_limits.push_back({.layer = "item", .speed_max = 100, .speed_budget_ticks = 1});
  start(config);
  ObjectSpec spec = object_at(1, {0, 0});
  spec.parts.push_back(part({0, 0, 1, 1}, kItemLayer));
  expect_accepted(spawn_frame(spec));
  expect_refused(moves(1, {{101, 0}}), RejectionReason::kTooFast, 1, "moves.dx[0]",
                 {"layer_limits[1].speed_max"});
  expect_accepted(moves(1, {{100, 0}}));
}

TEST_F(LimitsTest, AnIdThatComesAgainBeginsWithABudgetOfItsOwn) {
  start(with(speed(500, 10)));
  expect_accepted(spawn_frame(object_at(1, {0, 0})));
  for (int i = 0; i < 20; ++i) match_->step();
  expect_accepted(despawn_frame(1));
  Frame frame = spawn_frame(object_at(1, {0, 0}));
  frame.moves = {{1, {501, 0}}};
  frame.relative_moves = 1;
  const auto rejections = play({frame});
  ASSERT_EQ(rejections.size(), 1u);
  EXPECT_THAT(rejections[0].message, HasSubstr("at most 500"));
}

TEST_F(LimitsTest, TeleportsNeedTheRightWhereSpeedIsLimited) {
  start(with(speed(100)));
  expect_accepted(spawn_frame(object_at(1, {0, 0})));
  expect_accepted(spawn_frame(object_at(2, {0, 0}, kItemLayer)));
  expect_accepted(teleport(2, {9000, 0}));
  expect_refused(teleport(1, {1, 0}), RejectionReason::kMayNotTeleport, 1, "teleports.object_id[0]",
                 {"limits[0].may_teleport"});
  EXPECT_EQ(position(1).x, 0);
}

TEST_F(LimitsTest, TheRightToTeleportIsGivenAndTaken) {
  MatchConfig config = with(speed(100));
  config.limits = {{.role = Role::kPlayer, .may_teleport = true}};
  start(config);
  expect_accepted(spawn_frame(object_at(1, {0, 0})));
  Frame frame = teleport(1, {9000, 0});
  frame.moves = {{1, {100, 0}}};
  frame.relative_moves = 1;
  expect_accepted(frame);
  expect_refused(moves(1, {{9101, 0}}), RejectionReason::kTooFast, 1, "moves.dx[0]", {"101"});
  start(with({.role = Role::kPlayer, .may_teleport = false}));
  expect_accepted(spawn_frame(object_at(1, {0, 0})));
  expect_refused(teleport(1, {1, 0}), RejectionReason::kMayNotTeleport, 1, "teleports.object_id[0]", {});
}

TEST_F(LimitsTest, WhoActsAsTheStageMayDoWhatEitherMay) {
  MatchConfig config = with({.role = Role::kPlayer, .spawn_layers = std::vector<std::string>{"player"}});
  config.limits.push_back({.role = Role::kStage, .spawn_layers = std::vector<std::string>{"enemy"}});
  start(config);
  Frame hand_over;
  hand_over.transfers = {{.objects = {}, .to = player_.number, .with_stage = true}};
  submit(*match_, stage_, hand_over);
  EXPECT_TRUE(match_->step().rejections.empty());
  expect_accepted(spawn_frame(object_at(1, {0, 0}, kPlayerLayer)));
  expect_accepted(spawn_frame(object_at(2, {0, 0}, kEnemyLayer)));
  expect_refused(spawn_frame(object_at(3, {0, 0}, kItemLayer)), RejectionReason::kLayerNotAllowed, 3,
                 "spawns[0].parts[0].layer", {"layer 2"});
}

TEST_F(LimitsTest, LimitsThatAreNeverBrokenChangeTheSettingsInTheDigestAlone) {
  const auto digest_of = [](const MatchConfig& config) { return make_match(config)->digest(); };
  const std::uint64_t plain = digest_of(small_config());
  MatchConfig config = small_config();
  config.limits = {{.role = Role::kPlayer, .frame_bytes_max = 64, .bytes_per_second_max = 64},
                   {.role = Role::kStage}};
  config.layer_limits = {{.layer = "item"}};
  EXPECT_EQ(digest_of(config), plain) << "these are no matter of the match";
  config.limits[0].spawn_layers = config.layers;
  EXPECT_EQ(digest_of(config), plain) << "all are all";
  std::vector<std::uint64_t> digests{plain};
  const auto add = [&](const MatchConfig& changed) { digests.push_back(digest_of(changed)); };
  for (const Role role : {Role::kPlayer, Role::kStage}) {
    config = small_config();
    config.limits = {{.role = role, .objects_max = 5}};
    add(config);
    config.limits = {{.role = role, .parts_max = 5}};
    add(config);
    config.limits = {{.role = role, .frames_max = 5}};
    add(config);
    config.limits = {{.role = role, .may_teleport = true}};
    add(config);
    config.limits = {{.role = role, .may_teleport = false}};
    add(config);
    config.limits = {{.role = role, .spawn_layers = std::vector<std::string>{}}};
    add(config);
  }
  config = small_config();
  config.layer_limits = {{.layer = "item", .speed_max = 5}};
  add(config);
  config.layer_limits = {{.layer = "item", .speed_max = 5, .speed_budget_ticks = 7}};
  add(config);
  config.layer_limits = {{.layer = "enemy", .speed_max = 5}};
  add(config);
  config.layer_limits = {{.layer = "item", .stay_in_playfield = true}};
  add(config);
  std::ranges::sort(digests);
  EXPECT_EQ(std::ranges::adjacent_find(digests), digests.end()) << "each is told from all others";
}

}  // namespace
}  // namespace sweepd::match::limits_test
