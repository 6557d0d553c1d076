// SPDX-License-Identifier: MIT
//
// Protects: every reason for which a change is refused, at the limit and one past it: the field named, what
// was found and the limit told, nothing else changed. (Frames refused whole: submit_test.cpp.)
#include "match/rejection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "match/rejection_log.h"
#include "unit/match/match_builders.h"

namespace sweepd::match::rejection_test {
namespace {

using collision::kPartsMax;
using collision::kSubunitsMax;
using collision::kSubunitsMin;
using collision::Part;
using ::testing::HasSubstr;

/// A match with a player (ids 1 to 16) and a stage (ids 17 to 32), each with one object: 1 and 17.
class RejectionTest : public ::testing::Test {
 protected:
  RejectionTest() {
    submit(*match_, player_, spawn_frame(object_at(1, {0, 0})));
    submit(*match_, stage_, spawn_frame(object_at(17, {1000, 0}, kEnemyLayer)));
    EXPECT_TRUE(match_->step().rejections.empty());
  }

  static MatchConfig config() {
    MatchConfig config = small_config();
    config.ids_per_participant = 16;
    config.objects_per_participant_max = 3;
    return config;
  }

  void expect_accepted(Frame frame) {
    submit(*match_, player_, std::move(frame));
    const auto rejections = match_->step().rejections;
    EXPECT_TRUE(rejections.empty()) << rejections.front().field << ": " << rejections.front().message;
  }

  /// The frame also moves object 1, which must work all the same.
  void expect_refused(Frame frame, RejectionReason reason, const std::string& field, ObjectId object,
                      const std::string& found, const std::string& limit) {
    frame.tick = match_->tick() + 1;
    const auto before = match_->find_participant(player_.number)->rejections;
    submit(*match_, player_, std::move(frame));
    submit(*match_, player_, move_frame(1, {++moves_, 0}));
    const TickOutput& output = match_->step();
    ASSERT_EQ(output.rejections.size(), 1u);
    const Rejection& rejection = output.rejections.front();
    EXPECT_EQ(static_cast<int>(rejection.reason), static_cast<int>(reason));
    EXPECT_EQ(rejection.field, field);
    EXPECT_EQ(rejection.object, object);
    EXPECT_EQ(rejection.participant, player_.number);
    EXPECT_EQ(rejection.tick, output.tick);
    EXPECT_EQ(rejection.frame_tick, output.tick);
    EXPECT_THAT(rejection.message, HasSubstr(found));
    EXPECT_THAT(rejection.message, HasSubstr(limit));
    EXPECT_EQ(match_->find_object(1)->position.x, moves_);
    EXPECT_EQ(match_->find_participant(player_.number)->rejections, before + 1);
  }

  static Frame spawn_with_parts(std::vector<Part> parts, collision::Point position = {0, 500}) {
    collision::ObjectSpec spec = object_at(2, position);
    spec.parts = std::move(parts);
    return spawn_frame(std::move(spec));
  }

  static Frame reshape(ObjectId object, std::vector<Part> parts) {
    Frame frame;
    frame.reshapes.push_back({object, std::move(parts)});
    return frame;
  }

  static Frame layer_change(ObjectId object, std::optional<std::uint32_t> part, std::uint32_t layer) {
    Frame frame;
    frame.layer_changes.push_back({object, part, layer});
    return frame;
  }

  static Frame absolute_move(ObjectId object, collision::Point position) {
    Frame frame;
    frame.moves.push_back({object, position});
    return frame;
  }

  static Frame disable(ObjectId object, Tick until_tick) {
    Frame frame;
    frame.disables.push_back({object, until_tick});
    return frame;
  }

  static Part part_of(collision::Box box, collision::LayerId layer = kPlayerLayer) { return {box, layer}; }

  const std::unique_ptr<Match> match_ = make_match(config());
  const Participant player_ = join(*match_, "player");
  const Participant stage_ = join(*match_, "stage", Role::kStage);
  collision::Subunits moves_ = 0;
};

TEST_F(RejectionTest, AMalformedFrameIsListedAndCounted) {
  match_->apply(RefusedMessage{player_.number, RejectionReason::kMalformed, 99, "moves.dy",
                               "has 1 row; id_delta has 2"});
  const TickOutput& output = match_->step();
  ASSERT_EQ(output.rejections.size(), 1u);
  const Rejection& rejection = output.rejections.front();
  EXPECT_EQ(rejection.reason, RejectionReason::kMalformed);
  EXPECT_EQ(rejection.field, "moves.dy");
  EXPECT_EQ(rejection.message, "has 1 row; id_delta has 2");
  EXPECT_EQ(rejection.tick, output.tick);
  EXPECT_EQ(rejection.frame_tick, 99u);
  EXPECT_EQ(match_->find_participant(player_.number)->rejections, 1u);
  EXPECT_TRUE(match_->step().rejections.empty());
}

TEST_F(RejectionTest, AnIdIsOfTheParticipantsBlock) {
  expect_accepted(spawn_frame(object_at(16, {0, 500})));
  expect_refused(spawn_frame(object_at(17, {0, 0})), RejectionReason::kIdOutOfBlock, "spawns[0].object_id",
                 17, "id 17", "1 to 16");
  expect_refused(spawn_frame(object_at(0, {0, 0})), RejectionReason::kIdOutOfBlock, "spawns[0].object_id", 0,
                 "id 0", "1 to 16");
}

TEST_F(RejectionTest, AnIdInUseIsNotGivenAgain) {
  expect_refused(spawn_frame(object_at(1, {0, 0})), RejectionReason::kIdInUse, "spawns[0].object_id", 1,
                 "id 1", "in use");
}

TEST_F(RejectionTest, AnIdDespawnedInThisTickIsFreeInTheNext) {
  expect_accepted(spawn_frame(object_at(2, {0, 500})));
  submit(*match_, player_, despawn_frame(2));
  expect_refused(spawn_frame(object_at(2, {0, 0})), RejectionReason::kIdUsedThisTick, "spawns[0].object_id",
                 2, "in tick 3", "from the next tick");
  expect_accepted(spawn_frame(object_at(2, {0, 500})));
}

TEST_F(RejectionTest, AParticipantHasAtMostTheObjectsOfTheConfig) {
  expect_accepted(spawn_frame(object_at(2, {0, 500})));
  expect_accepted(spawn_frame(object_at(3, {0, 500})));
  expect_refused(spawn_frame(object_at(4, {0, 500})), RejectionReason::kTooManyObjects, "spawns[0]", 4,
                 "3 objects", "objects_per_participant_max");
  expect_accepted(despawn_frame(3));
  expect_accepted(spawn_frame(object_at(4, {0, 500})));
}

TEST_F(RejectionTest, AnObjectThatDoesNotExistIsNamedWhereTheFrameNamesIt) {
  const auto expect_unknown = [&](Frame frame, const std::string& field) {
    expect_refused(std::move(frame), RejectionReason::kUnknownObject, field, 9, "id 9", "no object");
  };
  expect_unknown(reshape(9, {part_of({0, 0, 1, 1})}), "reshapes[0].object_id");
  expect_unknown(layer_change(9, std::nullopt, kEnemyLayer), "layer_changes[0].object_id");
  expect_unknown(move_frame(9, {0, 0}), "moves.id_delta[0]");
  expect_unknown(absolute_move(9, {0, 0}), "absolute_moves.object_id[0]");
  Frame frame;
  frame.motions.push_back({9, {}});
  expect_unknown(frame, "motions[0].object_id");
  expect_unknown(disable(9, 0), "disables[0].object_id");
  frame = {};
  frame.enables = {1, 9};
  expect_unknown(frame, "enables[1]");
  expect_unknown(despawn_frame(9), "despawns[0]");
}

TEST_F(RejectionTest, AnObjectOfAnotherParticipantIsNamedWhereTheFrameNamesIt) {
  const auto expect_not_owner = [&](Frame frame, const std::string& field) {
    expect_refused(std::move(frame), RejectionReason::kNotOwner, field, 17, "object 17",
                   "another participant");
  };
  expect_not_owner(reshape(17, {}), "reshapes[0].object_id");
  expect_not_owner(layer_change(17, 99, 99), "layer_changes[0].object_id");
  expect_not_owner(move_frame(17, {kSubunitsMax, 0}), "moves.id_delta[0]");
  expect_not_owner(absolute_move(17, {0, 0}), "absolute_moves.object_id[0]");
  Frame frame;
  frame.motions.push_back({17, {}});
  expect_not_owner(frame, "motions[0].object_id");
  expect_not_owner(disable(17, 1), "disables[0].object_id");
  frame = {};
  frame.enables.push_back(17);
  expect_not_owner(frame, "enables[0]");
  expect_not_owner(despawn_frame(17), "despawns[0]");
  EXPECT_EQ(match_->find_object(17)->position.x, 1000);
}

TEST_F(RejectionTest, ABoxMayBeAPointButNotInverted) {
  expect_accepted(spawn_with_parts({part_of({3, 4, 3, 4})}));
  expect_accepted(despawn_frame(2));
  expect_refused(spawn_with_parts({part_of({0, 0, 0, 0}), part_of({4, 4, 3, 4})}),
                 RejectionReason::kInvertedBox, "spawns[0].parts[1].box.min_x", 2, "min_x 4", "max_x 3");
  expect_refused(spawn_with_parts({part_of({3, 5, 3, 4})}), RejectionReason::kInvertedBox,
                 "spawns[0].parts[0].box.min_y", 2, "min_y 5", "max_y 4");
  expect_refused(reshape(1, {part_of({3, 5, 3, 4})}), RejectionReason::kInvertedBox,
                 "reshapes[0].parts[0].box.min_y", 1, "min_y 5", "max_y 4");
}

TEST_F(RejectionTest, ALayerIsOneOfTheMatch) {
  expect_accepted(spawn_with_parts({part_of({0, 0, 1, 1}, 2)}));
  expect_accepted(despawn_frame(2));
  expect_refused(spawn_with_parts({part_of({0, 0, 1, 1}, 0), part_of({0, 0, 1, 1}, 3)}),
                 RejectionReason::kUnknownLayer, "spawns[0].parts[1].layer", 2, "layer is 3", "0 to 2");
  expect_refused(spawn_with_parts({part_of({0, 0, 1, 1}, collision::saturate_layer(256))}),
                 RejectionReason::kUnknownLayer, "spawns[0].parts[0].layer", 2, "64 or more", "0 to 2");
  expect_refused(reshape(1, {part_of({0, 0, 1, 1}, 3)}), RejectionReason::kUnknownLayer,
                 "reshapes[0].parts[0].layer", 1, "layer is 3", "0 to 2");
  expect_accepted(layer_change(1, 0, 2));
  expect_refused(layer_change(1, 0, 3), RejectionReason::kUnknownLayer, "layer_changes[0].layer", 1,
                 "layer is 3", "0 to 2");
  expect_refused(layer_change(1, std::nullopt, 4'294'967'295u), RejectionReason::kUnknownLayer,
                 "layer_changes[0].layer", 1, "4294967295", "0 to 2");
}

TEST_F(RejectionTest, APartIsOneOfTheObject) {
  expect_accepted(layer_change(1, 0, 0));
  expect_refused(layer_change(1, 1, 0), RejectionReason::kUnknownPart, "layer_changes[0].part", 1,
                 "part is 1", "parts 0 to 0");
}

TEST_F(RejectionTest, ASpawnKeepsEveryEdgeInTheRangeOfCoordinates) {
  expect_accepted(spawn_with_parts({part_of({-5, -5, 5, 5})}, {kSubunitsMax - 5, kSubunitsMin + 5}));
  expect_accepted(despawn_frame(2));
  expect_refused(spawn_with_parts({part_of({0, 0, 0, 0}), part_of({-5, -5, 5, 5})}, {kSubunitsMax - 4, 0}),
                 RejectionReason::kOutOfRange, "spawns[0].parts[1].box.max_x", 2, "2147483648",
                 "to 2147483647");
  expect_refused(spawn_with_parts({part_of({-5, -5, 5, 5})}, {0, kSubunitsMin + 4}),
                 RejectionReason::kOutOfRange, "spawns[0].parts[0].box.min_y", 2, "-2147483649",
                 "from -2147483648");
}

TEST_F(RejectionTest, AReshapeKeepsEveryEdgeInTheRangeOfCoordinates) {
  expect_accepted(spawn_with_parts({part_of({0, 0, 0, 0})}, {kSubunitsMin, kSubunitsMax}));
  expect_accepted(reshape(2, {part_of({0, -1, 1, 0})}));
  expect_refused(reshape(2, {part_of({-1, -1, 1, 0})}), RejectionReason::kOutOfRange,
                 "reshapes[0].parts[0].box.min_x", 2, "-2147483649", "from -2147483648");
  expect_refused(reshape(2, {part_of({0, -1, 1, 1})}), RejectionReason::kOutOfRange,
                 "reshapes[0].parts[0].box.max_y", 2, "2147483648", "to 2147483647");
}

TEST_F(RejectionTest, AMoveKeepsEveryEdgeInTheRangeOfCoordinatesAndNamesItsColumn) {
  expect_accepted(spawn_frame(object_at(2, {0, 500})));
  expect_accepted(move_frame(2, {kSubunitsMax - 10, kSubunitsMin + 10}));
  Frame frame = move_frame(2, {0, 0});
  frame.moves.push_back({2, {kSubunitsMax - 9, 0}});
  frame.relative_moves = 2;
  expect_refused(frame, RejectionReason::kOutOfRange, "moves.dx[1]", 2, "2147483648", "to 2147483647");
  frame.moves[1].position = {0, kSubunitsMin + 9};
  expect_refused(frame, RejectionReason::kOutOfRange, "moves.dy[1]", 2, "-2147483649", "from -2147483648");
  frame.relative_moves = 1;
  expect_refused(frame, RejectionReason::kOutOfRange, "absolute_moves.y[0]", 2, "-2147483649",
                 "from -2147483648");
  frame.moves[1].position = {kSubunitsMin, 0};
  expect_refused(frame, RejectionReason::kOutOfRange, "absolute_moves.x[0]", 2, "-2147483658",
                 "from -2147483648");
}

TEST_F(RejectionTest, AnObjectHas1To32Parts) {
  std::vector<Part> parts(kPartsMax, part_of({0, 0, 1, 1}));
  expect_accepted(spawn_with_parts(parts));
  parts.push_back(part_of({0, 0, 1, 1}));
  expect_refused(reshape(2, parts), RejectionReason::kTooManyParts, "reshapes[0].parts", 2, "33 parts",
                 "1 to 32");
  expect_refused(reshape(2, {}), RejectionReason::kNoParts, "reshapes[0].parts", 2, "no part", "1 to 32");
  expect_accepted(despawn_frame(2));
  expect_refused(spawn_with_parts(parts), RejectionReason::kTooManyParts, "spawns[0].parts", 2, "33 parts",
                 "1 to 32");
  expect_refused(spawn_with_parts({}), RejectionReason::kNoParts, "spawns[0].parts", 2, "no part", "1 to 32");
}

TEST_F(RejectionTest, ADisableEndsAfterTheTickInWhichItApplies) {
  const Tick tick = match_->tick() + 1;
  expect_refused(disable(1, tick), RejectionReason::kTickInThePast, "disables[0].until_tick", 1,
                 "until_tick is " + std::to_string(tick), "after tick " + std::to_string(tick));
  expect_accepted(disable(1, match_->tick() + 2));
  expect_accepted(disable(1, 0));
  EXPECT_EQ(match_->find_object(1)->disabled_until, collision::kForever);
}

TEST_F(RejectionTest, RejectionsComeByParticipantAndThenInTheOrderOfTheChanges) {
  Frame frame = spawn_frame(object_at(99, {0, 0}));
  frame.despawns = {7, 8};
  submit(*match_, stage_, frame);
  submit(*match_, player_, frame);
  EXPECT_TRUE(match_->apply(Submission{player_.number, spawn_frame({}, 10'000)}));
  std::vector<std::string> found;
  for (const Rejection& rejection : match_->step().rejections) {
    found.push_back(std::to_string(rejection.participant) + " " + rejection.field);
  }
  EXPECT_THAT(found,
              ::testing::ElementsAre("0 tick", "0 spawns[0].object_id", "0 despawns[0]", "0 despawns[1]",
                                     "1 spawns[0].object_id", "1 despawns[0]", "1 despawns[1]"));
}

TEST_F(RejectionTest, RejectionsPast64OfAParticipantAndTickAreCountedOnly) {
  Frame frame;
  frame.despawns.assign(kRejectionsListedMax, 9);
  submit(*match_, player_, frame);
  EXPECT_TRUE(match_->step().rejections_not_listed.empty());
  frame.despawns.push_back(9);
  frame.despawns.push_back(9);
  submit(*match_, player_, frame);
  submit(*match_, stage_, despawn_frame(9));
  const TickOutput& output = match_->step();
  EXPECT_EQ(output.rejections.size(), kRejectionsListedMax + 1);
  ASSERT_EQ(output.rejections_not_listed.size(), 1u);
  EXPECT_EQ(output.rejections_not_listed.front().participant, player_.number);
  EXPECT_EQ(output.rejections_not_listed.front().count, 2u);
  EXPECT_EQ(match_->find_participant(player_.number)->rejections, 2 * kRejectionsListedMax + 2);
  EXPECT_TRUE(match_->step().rejections_not_listed.empty());
}

TEST_F(RejectionTest, RejectionsOfAParticipantThatLeftAreForgotten) {
  match_->apply(RefusedMessage{player_.number, RejectionReason::kMalformed, 0, "moves", "unequal columns"});
  match_->apply(Leave{player_.number});
  EXPECT_TRUE(match_->step().rejections.empty());
}

TEST(RejectionOfFrames, NamesTheLimitOfFramesForATickPastIt) {
  MatchConfig config = small_config();
  config.limits = {{.role = Role::kPlayer, .frames_max = 2}};
  const auto match = make_match(config);
  const Participant player = join(*match, "ann");
  EXPECT_FALSE(match->apply(Submission{player.number, Frame()}));
  EXPECT_FALSE(match->apply(Submission{player.number, Frame()}));
  const auto refused = match->apply(Submission{player.number, Frame()});
  ASSERT_TRUE(refused && refused->broken_rule);
  EXPECT_EQ(*refused->broken_rule, (BrokenRule{"limits[0].frames_max", "", 3, 2}));
}

TEST(RejectionOfFrames, NamesTheRuleOfLateAndEarlyOnesAndOfClaims) {
  MatchConfig config = small_config();
  config.max_late_ticks = 2;
  config.max_lead_ticks = 5;
  config.claims.tolerance_max = 7;
  const auto match = make_match(config);
  const Participant player = join(*match, "ann");
  for (int i = 0; i < 10; ++i) match->step();
  Frame late, early, claiming;
  late.tick = 8;
  early.tick = 17;
  claiming.claims = {{.shot = 1, .target = 2, .tolerance = 8}};
  const auto refused_late = match->apply(Submission{player.number, late});
  ASSERT_TRUE(refused_late && refused_late->broken_rule);
  EXPECT_EQ(*refused_late->broken_rule, (BrokenRule{"max_late_ticks", "", 3, 2}));
  const auto refused_early = match->apply(Submission{player.number, early});
  ASSERT_TRUE(refused_early && refused_early->broken_rule);
  EXPECT_EQ(*refused_early->broken_rule, (BrokenRule{"max_lead_ticks", "", 6, 5}));
  match->step();
  EXPECT_FALSE(match->apply(Submission{player.number, claiming}));
  const TickOutput& output = match->step();
  ASSERT_EQ(output.rejections.size(), 1u);
  EXPECT_EQ(output.rejections[0].broken_rule, (BrokenRule{"claims.tolerance_max", "", 8, 7}));
}

}  // namespace
}  // namespace sweepd::match::rejection_test
