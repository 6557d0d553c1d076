// SPDX-License-Identifier: MIT
//
// Protects how what others move is drawn: between its places, on for a while where news are late, and back
// to where it is without a leap.
#include "object_tracks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace sweepd::internal {
namespace {

constexpr int kUnit = 256;

/// Ship 1, which others move, as a feed tells of it.
class ObjectTracksTest : public ::testing::Test, protected MirrorWatch {
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
    EXPECT_TRUE(apply(at, units, is_teleport, present).ok());
  }
  Status apply(Tick at, int units, bool is_teleport, double present) {
    present_ = present;
    v1::WorldTick tick;
    tick.set_tick(at);
    v1::PlaceColumns& columns = is_teleport ? *tick.mutable_teleports() : *tick.mutable_moves();
    columns.add_id_delta(1);
    columns.add_difference(units * kUnit);
    columns.add_difference(0);
    Status status = mirror_.apply(tick, this);
    tracks_.finish_corrections(present);
    return status;
  }
  double drawn(double tick, ObjectId id = 1) const { return tracks_.drawn(*mirror_.find(id), tick).x; }

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

TEST_F(ObjectTracksTest, IsRightAfterSoManyTicksAlsoWhereItMovesOn) {
  ASSERT_EQ(options_.correction_ticks, 6);
  move(101, 8, false, 100);
  move(103, 0, false, 103);
  ASSERT_NEAR(drawn(103), 24, 1e-9) << "as it went on two ticks beyond the news: it is 16 off";
  double place = 8;
  for (Tick at = 104; at <= 112; ++at) {
    move(at, 1, false, static_cast<double>(at) - 0.5);
    place += 1;
    const double tick = static_cast<double>(at);
    const double left = std::max(0.0, 109 - tick) / 6;
    // That it moves at all is half a unit's surprise.
    EXPECT_NEAR(drawn(tick), place + 16 * left, at < 110 ? 0.5 : 1e-9) << "tick " << at;
  }
}

TEST_F(ObjectTracksTest, NewsThatAreNoSurpriseDoNotHoldUpACorrection) {
  move(101, 8, false, 100);
  move(103, 0, false, 103);
  for (Tick at = 104; at <= 109; ++at) {  // It rests, and every tick says so.
    const double tick = static_cast<double>(at);
    move(at, 0, false, tick);
    EXPECT_NEAR(drawn(tick), 8 + 16 * (109 - tick) / 6, 1e-9) << "tick " << at;
  }
}

TEST_F(ObjectTracksTest, EachErrorHasItsOwnEnd) {
  move(101, 8, false, 100);
  move(103, 0, false, 103);  // It is 16 off until 109,
  move(106, 6, false, 106);  // 6 the other way until 112,
  EXPECT_NEAR(drawn(106), 16, 1e-9);
  move(107, 0, false, 107);  // and, as it was to go on, 6 until 113.
  EXPECT_NEAR(drawn(107), 14 + 16.0 * 2 / 6 - 6.0 * 5 / 6 + 6, 1e-9);
  EXPECT_NEAR(drawn(109), 14 - 3 + 4, 1e-9);
  EXPECT_NEAR(drawn(112), 14 + 1, 1e-9);
  EXPECT_DOUBLE_EQ(drawn(113), 14);
}

TEST_F(ObjectTracksTest, ManyErrorsAtOnceMakeNoLeapAndEnd) {
  double present = 110;  // The news are more than what is kept of them.
  for (Tick at = 101; at <= 300; ++at, present += 0.01) {
    const double before = drawn(present);
    move(at, at % 2 == 0 ? 3 : -3, false, present);
    ASSERT_NEAR(drawn(present), before, 1e-5) << "tick " << at;
  }
  EXPECT_NEAR(drawn(present + 6), drawn(present + 20), 1e-9);
}

TEST_F(ObjectTracksTest, IsSomewhereThoughATickIsToldTwice) {
  move(101, 8, false, 100);
  for (const bool is_teleport : {false, true, false}) {
    EXPECT_FALSE(apply(101, 4, is_teleport, 101).ok());
    for (const double tick : {100.0, 100.5, 101.0, 101.5, 103.0, 120.0})
      EXPECT_TRUE(std::isfinite(drawn(tick))) << "tick " << tick;
  }
}

TEST_F(ObjectTracksTest, IsSomewhereThoughItMovesAsItAppears) {
  v1::WorldTick tick;
  tick.set_tick(101);
  tick.mutable_appearances()->add_id_delta(2);
  tick.mutable_appearances()->add_kind(1);
  for (v1::PlaceColumns* columns : {tick.mutable_moves(), tick.mutable_teleports()}) {
    columns->add_id_delta(2);
    columns->add_difference(kUnit);
    columns->add_difference(0);
    ASSERT_TRUE(mirror_.apply(tick, this).ok());
    tracks_.finish_corrections(101);
    for (const double at : {100.0, 101.0, 102.0}) EXPECT_TRUE(std::isfinite(drawn(at, 2))) << "tick " << at;
    tick.clear_appearances();
    tick.set_tick(102);
  }
}

TEST_F(ObjectTracksTest, HasAFinitePlaceAtATickThatCannotBe) {
  move(101, 8, false, 100);
  move(102, 8, false, 101);
  for (const double tick : {std::nan(""), HUGE_VAL, -HUGE_VAL, -1.0, 0x1p64, 1e300}) {
    EXPECT_TRUE(std::isfinite(drawn(tick))) << tick;
    EXPECT_TRUE(std::isfinite(tracks_.drawn_tick(*mirror_.find(1), tick))) << tick;
  }
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
