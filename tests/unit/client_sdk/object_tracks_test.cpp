// SPDX-License-Identifier: MIT
//
// Protects how what others move is drawn: between its places, on for a while where news are late, and back
// to where it is without a leap.
#include "object_tracks.h"

#include <gtest/gtest.h>

namespace sweepd::internal {
namespace {

constexpr int kUnit = 256;

/// Ship 1, which others move, as a feed tells of it.
class ObjectTracksTest : public ::testing::Test, private MirrorWatch {
 protected:
  ObjectTracksTest() {
    v1::WorldTick tick;
    tick.set_tick(100);
    tick.set_is_snapshot(true);
    tick.set_first_kind(1);
    tick.add_kinds();
    tick.mutable_appearances()->add_id_delta(1);
    tick.mutable_appearances()->add_kind(1);
    EXPECT_TRUE(mirror_.apply(tick, this).ok());
  }

  void move(Tick at, int units, bool is_teleport = false, double present = 0) {
    present_ = present;
    v1::WorldTick tick;
    tick.set_tick(at);
    v1::PlaceColumns& columns = is_teleport ? *tick.mutable_teleports() : *tick.mutable_moves();
    columns.add_id_delta(1);
    columns.add_difference(units * kUnit);
    columns.add_difference(0);
    EXPECT_TRUE(mirror_.apply(tick, this).ok());
    tracks_.finish_corrections(present);
  }
  double drawn(double tick) const { return tracks_.drawn(*mirror_.find(1), tick).x; }

  const WorldViewOptions options_ = {.interpolation_ticks = 0, .extrapolation_max_ticks = 3};
  WorldMirror mirror_;
  ObjectTracks tracks_{mirror_, options_};

 private:
  void forgets_all() override { tracks_.forget_all(); }
  void appears(const MirrorObject&) override {}
  void departs(const MirrorObject&, DepartureReason) override {}
  void moves(const MirrorObject& object, Spot to, bool is_teleport, Tick tick) override {
    if (!is_teleport) tracks_.begin_correction(object, present_);
    tracks_.note_move(object, to, is_teleport, tick, 1);
  }
  void steers(const MirrorObject&) override {}

  double present_ = 0;
};

TEST_F(ObjectTracksTest, IsDrawnStraightBetweenItsPlaces) {
  move(101, 8, false, 100);
  move(102, 4, false, 101);
  EXPECT_DOUBLE_EQ(drawn(100), 0);
  EXPECT_DOUBLE_EQ(drawn(100.25), 2);
  EXPECT_DOUBLE_EQ(drawn(101), 8);
  EXPECT_DOUBLE_EQ(drawn(101.5), 10);
  EXPECT_DOUBLE_EQ(drawn(102), 12);
}

TEST_F(ObjectTracksTest, RestsUntilItsMoveBegan) {
  move(110, 8, false, 110);
  EXPECT_DOUBLE_EQ(drawn(105), 0);
  EXPECT_DOUBLE_EQ(drawn(109), 0);
}

TEST_F(ObjectTracksTest, GoesOnForAWhileAndThenWaits) {
  move(101, 8, false, 100);
  EXPECT_DOUBLE_EQ(drawn(102.5), 20);
  EXPECT_DOUBLE_EQ(drawn(104), 32);
  EXPECT_DOUBLE_EQ(drawn(120), 32);
}

TEST_F(ObjectTracksTest, IsLedBackWithoutALeap) {
  move(101, 8, false, 101);
  const double before = drawn(103);  // Two ticks beyond the news: 24.
  move(102, 0, false, 103);
  move(103, 0, false, 103);
  EXPECT_NEAR(drawn(103), before, 1e-9);
  double last = before;
  for (double tick = 103.5; tick <= 112; tick += 0.5) {
    EXPECT_LE(drawn(tick), last + 1e-9);
    EXPECT_GE(drawn(tick), last - 2);
    last = drawn(tick);
  }
  EXPECT_DOUBLE_EQ(last, 8);
}

TEST_F(ObjectTracksTest, ATeleportHasNoWay) {
  move(101, 8, false, 101);
  move(102, 500, true, 102);
  EXPECT_DOUBLE_EQ(drawn(102), 508);
  EXPECT_DOUBLE_EQ(drawn(103), 508);
  EXPECT_DOUBLE_EQ(drawn(101.5), 508) << "of before nothing is known any more";
}

TEST_F(ObjectTracksTest, ATeleportDropsACorrectionThatRuns) {
  move(101, 8, false, 101);
  move(102, 0, false, 103);
  move(103, 0, false, 103);
  ASSERT_NE(drawn(103), 8) << "it is on its way back";
  move(104, 500, true, 104);
  EXPECT_DOUBLE_EQ(drawn(104), 508);
  EXPECT_DOUBLE_EQ(drawn(104.5), 508);
}

}  // namespace
}  // namespace sweepd::internal
