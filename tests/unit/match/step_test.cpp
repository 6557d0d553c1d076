// SPDX-License-Identifier: MIT
//
// Protects: the order in which a tick applies what waits for it, whose objects are counted for whom, and the
// end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "match/match.h"
#include "unit/match/match_builders.h"

namespace sweepd::match::step_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A player (ids from 1) and a stage (ids from 17), whose objects 1 and 17 meet nobody yet.
class StepTest : public ::testing::Test {
 protected:
  StepTest() {
    submit(*match_, player_, spawn_frame(object_at(1, {0, 0})));
    submit(*match_, stage_, spawn_frame(object_at(17, {1000, 0}, kEnemyLayer)));
    match_->step();
  }

  static MatchConfig config() {
    MatchConfig config = small_config();
    config.ids_per_participant = 16;
    config.playfield = {-2000, -2000, 2000, 2000};
    return config;
  }

  std::vector<std::string> step() { return event_texts(match_->step().events); }

  const std::unique_ptr<Match> match_ = make_match(config());
  const Participant player_ = join(*match_, "player");
  const Participant stage_ = join(*match_, "stage", Role::kStage);
};

TEST_F(StepTest, ReportsWhatTheWorldFound) {
  submit(*match_, player_, move_frame(1, {1000, 0}));
  EXPECT_THAT(step(), ElementsAre("2 ENTER 1 17"));
  EXPECT_EQ(match_->tick(), 2u);
  EXPECT_EQ(match_->encounter_count(), 1u);
  EXPECT_EQ(match_->open_encounters().front().since_tick, 2u);
  EXPECT_EQ(match_->last_sequence_number(), 1u);
  EXPECT_THAT(step(), IsEmpty());
  submit(*match_, player_, move_frame(1, {0, 0}));
  EXPECT_THAT(step(), ElementsAre("4 EXIT(1) 1 17"));
}

TEST_F(StepTest, AppliesAFrameInTheOrderOfTheContract) {
  Frame frame;
  frame.spawns.push_back(object_at(2, {0, 0}));
  frame.reshapes.push_back({2, {{{-10, -10, 10, 10}, kItemLayer}, {{-10, -10, 10, 10}, kItemLayer}}});
  frame.layer_changes.push_back({2, 1, kPlayerLayer});
  frame.moves = {{2, {500, 0}}, {2, {995, 0}}};
  frame.motions.push_back({2, {{5, 0}, {0, 0}}});
  frame.disables.push_back({2, 0});
  frame.enables.push_back(2);
  submit(*match_, player_, frame);
  EXPECT_THAT(step(), ElementsAre("2 ENTER 2 17")) << "each change found the one before it made";
  EXPECT_EQ(match_->open_encounters().front().parts.part_a, 1);
  EXPECT_EQ(match_->find_object(2)->position.x, 1000);
  frame.despawns.push_back(2);
  frame.spawns.front().id = 3;
  submit(*match_, player_, frame);
  EXPECT_THAT(step(), ElementsAre("3 EXIT(2) 2 17"));
}

TEST_F(StepTest, AppliesTheFramesOfOneParticipantByArrival) {
  submit(*match_, player_, move_frame(1, {1000, 0}));
  Frame second = move_frame(1, {30, 0});
  second.tick = 2;
  submit(*match_, player_, second);
  EXPECT_THAT(step(), IsEmpty());
  EXPECT_EQ(match_->find_object(1)->position.x, 30);
}

TEST(Step, AppliesFramesByParticipantNumberWhateverCameFirst) {
  MatchConfig config = small_config();
  config.slots = {{"ann", Role::kPlayer, 1, 9}, {"bob", Role::kPlayer, 1, 9}};
  const auto match = make_match(config);
  const Participant bob = join(*match, "bob");
  const Participant ann = join(*match, "ann");
  submit(*match, bob, spawn_frame(object_at(5, {50, 0})));
  submit(*match, ann, spawn_frame(object_at(5, {0, 0})));
  const TickOutput& output = match->step();
  ASSERT_EQ(output.rejections.size(), 1u);
  EXPECT_EQ(output.rejections.front().participant, bob.number);
  EXPECT_EQ(output.rejections.front().reason, RejectionReason::kIdInUse);
  EXPECT_EQ(match->find_object(5)->owner, ann.number);
}

TEST_F(StepTest, RemovesTheObjectsOfWhoLeftBeforeAnyFrameApplies) {
  submit(*match_, player_, move_frame(1, {1000, 0}));
  step();
  match_->apply(Leave{stage_.number});
  submit(*match_, player_, move_frame(1, {1001, 0}));
  EXPECT_THAT(step(), ElementsAre("3 EXIT(8) 1 17"));
  EXPECT_EQ(match_->object_count(), 1u);
  EXPECT_FALSE(match_->find_object(17));
}

TEST_F(StepTest, GivesUpTheFramesOfWhoLeft) {
  submit(*match_, stage_, spawn_frame(object_at(18, {0, 0}, kEnemyLayer)));
  submit(*match_, stage_, spawn_frame(object_at(19, {0, 0}, kEnemyLayer), 3));
  match_->apply(Leave{stage_.number});
  step();
  join(*match_, "stage", Role::kStage);
  step();
  EXPECT_EQ(match_->object_count(), 1u);
}

TEST_F(StepTest, CountsObjectsForTheirOwnersHoweverTheyGo) {
  const auto objects = [&](const Participant& who) { return match_->find_participant(who.number)->objects; };
  collision::ObjectSpec short_lived = object_at(2, {0, 500});
  short_lived.time_to_live_ticks = 1;
  collision::ObjectSpec leaving = object_at(3, {1970, 500});
  leaving.motion.velocity.x = 30;
  leaving.despawn_outside_playfield = true;
  submit(*match_, player_, spawn_frame(short_lived));
  submit(*match_, player_, spawn_frame(leaving));
  step();
  EXPECT_EQ(objects(player_), 3u);
  EXPECT_EQ(objects(stage_), 1u);
  step();
  EXPECT_EQ(objects(player_), 1u);
  submit(*match_, player_, despawn_frame(1));
  step();
  EXPECT_EQ(objects(player_), 0u);
  EXPECT_EQ(match_->object_count(), 1u);
}

TEST(Step, CountsObjectsForTheirOwnersWhereBlocksOverlap) {
  MatchConfig config = small_config();
  config.slots = {{"ann", Role::kPlayer, 1, 9}, {"bob", Role::kPlayer, 1, 9}};
  const auto match = make_match(config);
  const Participant ann = join(*match, "ann");
  const Participant bob = join(*match, "bob");
  collision::ObjectSpec short_lived = object_at(5, {0, 0});
  short_lived.time_to_live_ticks = 1;
  submit(*match, ann, spawn_frame(object_at(4, {0, 0})));
  submit(*match, bob, spawn_frame(short_lived));
  match->step();
  match->step();
  EXPECT_EQ(match->find_participant(ann.number)->objects, 1u);
  EXPECT_EQ(match->find_participant(bob.number)->objects, 0u);
}

TEST_F(StepTest, AnObjectSpawnedAndDespawnedWithinOneTickNeverExisted) {
  Frame frame = spawn_frame(object_at(2, {1000, 0}));
  frame.despawns.push_back(2);
  submit(*match_, player_, frame);
  EXPECT_THAT(step(), IsEmpty());
  EXPECT_EQ(match_->find_participant(player_.number)->objects, 1u);
}

TEST_F(StepTest, TheEndClosesEveryEncounterInOneMoreTick) {
  submit(*match_, player_, move_frame(1, {1000, 0}));
  step();
  submit(*match_, player_, move_frame(1, {0, 0}));
  match_->apply(Leave{stage_.number});
  match_->apply(RefusedMessage{player_.number, RejectionReason::kMalformed, 0, "moves", "unequal columns"});
  const TickOutput& output = match_->end();
  EXPECT_THAT(event_texts(output.events), ElementsAre("3 EXIT(9) 1 17"));
  EXPECT_EQ(output.tick, 3u);
  EXPECT_EQ(output.rejections.size(), 1u) << "what was refused before the end is told with it";
  EXPECT_EQ(output.digest, match_->digest());
  EXPECT_TRUE(match_->ended());
  EXPECT_EQ(match_->tick(), 3u);
  EXPECT_EQ(match_->object_count(), 0u);
  EXPECT_EQ(match_->encounter_count(), 0u);
  EXPECT_EQ(match_->find_participant(player_.number)->objects, 0u);
}

TEST_F(StepTest, AfterTheEndNothingChangesAnyMore) {
  const std::uint64_t digest = match_->end().digest;
  EXPECT_EQ(join_error(*match_, "late"), JoinError::kMatchEnded);
  const auto rejection = match_->apply(Submission{player_.number, move_frame(1, {0, 0})});
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->reason, RejectionReason::kNotAllowed);
  EXPECT_THAT(rejection->message, ::testing::HasSubstr("ended"));
  match_->apply(RefusedMessage{player_.number, RejectionReason::kMalformed, 0, "moves", "unequal columns"});
  match_->apply(Leave{player_.number});
  ASSERT_TRUE(match_->find_participant(player_.number));
  EXPECT_EQ(match_->find_participant(player_.number)->rejections, 0u);
  EXPECT_EQ(match_->digest(), digest);
}

}  // namespace
}  // namespace sweepd::match::step_test
