// SPDX-License-Identifier: MIT
//
// Protects the rule that an object stays in the playfield: at every side, with every kind of change, and
// where the playfield scrolls.
#include "unit/match/limits_fixture.h"

namespace sweepd::match::indoor_test {
namespace {

using namespace limits_test;

class IndoorTest : public LimitsTest {
 protected:
  IndoorTest() { start_indoors(kDigestVersion); }

  void start_indoors(std::uint32_t digest_version) {
    MatchConfig config = with(LayerLimits{.layer = "player", .stay_in_playfield = true});
    config.playfield = {0, 0, 1000, 500};
    start(config, digest_version);
    expect_accepted(spawn_frame(object_at(1, {10, 10})));
  }

  void scroll_to(collision::Point origin) {
    Frame scroll;
    scroll.scroll = origin;
    submit(*match_, stage_, scroll);
    EXPECT_TRUE(match_->step().rejections.empty());
  }
};

TEST_F(IndoorTest, PartsStayWithinThePlayfieldAtEverySide) {
  for (const collision::Point corner : {collision::Point{990, 490}, {10, 490}, {990, 10}, {10, 10}}) {
    expect_accepted(moves(1, {corner}));
  }
  for (const collision::Point past : {collision::Point{991, 10}, {10, 491}, {9, 10}, {10, 9}}) {
    expect_refused(moves(1, {past}), RejectionReason::kOutsidePlayfield, 1, "moves.dx[0]",
                   {"1 subunits beyond", "at most 0", "layer_limits[0].stay_in_playfield"});
    expect_refused(teleport(1, past), RejectionReason::kOutsidePlayfield, 1, "teleports.x[0]",
                   {"1 subunits beyond"});
    expect_refused(spawn_frame(object_at(2, past)), RejectionReason::kOutsidePlayfield, 2,
                   "spawns[0].parts[0]", {"1 subunits beyond"});
  }
  expect_accepted(spawn_frame(object_at(2, {-5000, 0}, kItemLayer)));
  expect_refused(layer_change(2, kPlayerLayer), RejectionReason::kOutsidePlayfield, 2,
                 "layer_changes[0].layer", {});
}

TEST_F(IndoorTest, ItIsNotGotAroundByReshapesOrMotion) {
  expect_refused(reshape(1, {part({0, 0, 1, 1}), part({0, 0, 991, 1})}), RejectionReason::kOutsidePlayfield,
                 1, "reshapes[0].parts[1]", {"part 1", "1 subunits beyond"});
  expect_accepted(reshape(1, {part({0, 0, 1, 1}), part({0, 0, 990, 1})}));
  expect_refused(motion(1, {{1, 0}, {}}), RejectionReason::kOutsidePlayfield, 1, "motions[0].motion",
                 {"does not move what has to stay", "part 0"});
  expect_accepted(motion(1, {}));
}

TEST_F(IndoorTest, APlayfieldThatScrollsCarriesAlongWhatIsOnePastItsEdge) {
  expect_accepted(moves(1, {{110, 60}}));
  scroll_to({100, 50});
  EXPECT_EQ(position(1), (collision::Point{110, 60})) << "it touches two edges";
  scroll_to({101, 50});
  EXPECT_EQ(position(1), (collision::Point{111, 60}));
  scroll_to({101, 51});
  EXPECT_EQ(position(1), (collision::Point{111, 61}));
  scroll_to({-879, -429});
  EXPECT_EQ(position(1), (collision::Point{111, 61})) << "it touches the two others";
  scroll_to({-880, -430});
  EXPECT_EQ(position(1), (collision::Point{110, 60}));
  expect_refused(moves(1, {{111, 60}}), RejectionReason::kOutsidePlayfield, 1, "moves.dx[0]", {"at most 0"});
}

TEST_F(IndoorTest, APlayfieldThatScrollsCarriesAlongWhatIsDisabledOrMovedInTheSameTick) {
  Frame frame = moves(1, {{50, 10}});
  frame.disables = {{1, match_->tick() + 5}};
  submit(*match_, player_, frame);
  scroll_to({100, 0});
  EXPECT_EQ(position(1), (collision::Point{110, 10}));
  expect_accepted(spawn_frame(object_at(2, {2000, 10}, kItemLayer)));
  scroll_to({200, 0});
  EXPECT_EQ(position(2), (collision::Point{2000, 10})) << "that may be anywhere";
}

TEST_F(IndoorTest, WhatThePlayfieldOfARecordedMatchHasScrolledAwayFromMayComeBackStepByStep) {
  start_indoors(kFirstDigestVersion);
  scroll_to({100, 0});
  expect_accepted(moves(1, {{50, 10}}));
  expect_refused(moves(1, {{49, 10}}), RejectionReason::kOutsidePlayfield, 1, "moves.dx[0]",
                 {"61", "at most 60"});
  expect_accepted(moves(1, {{110, 10}}));
  expect_refused(moves(1, {{109, 10}}), RejectionReason::kOutsidePlayfield, 1, "moves.dx[0]", {"at most 0"});
  expect_accepted(moves(1, {{1090, 10}}));
}

// Each walks over all objects: a frame of a few bytes would take a millisecond.
TEST_F(IndoorTest, ScrollsOfOneTickThatCarryObjectsAlongAreBounded) {
  for (int i = 0; i < 18; ++i) {
    Frame scroll;
    scroll.scroll = collision::Point{i, 0};
    submit(*match_, stage_, scroll);
  }
  const auto rejections = match_->step().rejections;
  ASSERT_EQ(rejections.size(), 1u);
  EXPECT_EQ(rejections[0].reason, RejectionReason::kTooManyMassChanges);
  EXPECT_EQ(rejections[0].field, "scroll");
  EXPECT_EQ(match_->playfield_origin(), (collision::Point{16, 0}));
}

}  // namespace
}  // namespace sweepd::match::indoor_test
