// SPDX-License-Identifier: MIT
//
// Protects what a participant of a load begins with, and which events it waits for: those that it will be
// told.
#include "tools/load/load_seat.h"

#include <gtest/gtest.h>

#include <string>

#include "tools/load/frame_loop.h"

namespace sweepd::tools::load::load_seat_test {
namespace {

class LoadSeatTest : public ::testing::Test {
 protected:
  LoadSeat seat(EventsAsked events) { return {{&loops_[1], "client 2"}, events, measurements_}; }
  /// A tick in which its probe comes into contact, or ends it.
  std::uint32_t tick_when(bool in_contact) const {
    std::uint32_t tick = 0;
    while (!loops_[1].probes_in(tick) || loops_[1].in_contact_after(tick) != in_contact) ++tick;
    return tick;
  }
  static v1::Joined joined() {
    v1::Joined joined;
    joined.mutable_participant()->set_number(5);
    joined.set_reconnect_token("a token");
    return joined;
  }
  static v1::Frame frame_in(const std::string& bytes) {
    v1::PlayRequest request;
    EXPECT_TRUE(request.ParseFromString(bytes));
    return request.frame();
  }

  const Scene scene_ = gunbird();
  const std::vector<FrameLoop> loops_ = make_loops(scene_, MotionKind::kExplicit, 4);
  Measurements measurements_;
};

TEST_F(LoadSeatTest, ItSpawnsWhatItHasAndPutsItInPlaceAgainWhenItComesBack) {
  LoadSeat player = seat(EventsAsked::kAll);
  v1::Join first, second;
  player.name_itself(first);
  EXPECT_EQ(first.name(), "client 2");
  EXPECT_TRUE(first.reconnect_token().empty());
  player.sit_down(joined());
  EXPECT_EQ(player.number(), 5u);
  EXPECT_GT(frame_in(player.open(7)).spawns_size(), 0);
  player.name_itself(second);
  EXPECT_EQ(second.reconnect_token(), "a token");
  player.sit_down(joined());
  const v1::Frame back = frame_in(player.open(8));
  EXPECT_EQ(back.spawns_size(), 0);
  EXPECT_GT(back.absolute_moves().object_id_size(), 0);
}

TEST_F(LoadSeatTest, ItWaitsForNoEventThatItsFrameDoesNotCause) {
  LoadSeat player = seat(EventsAsked::kAll);
  player.await_event(tick_when(true) + 1, TimePoint());
  EXPECT_FALSE(player.probe().is_waiting());
  player.await_event(tick_when(true), TimePoint());
  EXPECT_TRUE(player.probe().is_waiting());
}

TEST_F(LoadSeatTest, WhoAsksForEntersAloneDoesNotWaitForContactToEnd) {
  for (const EventsAsked events : {EventsAsked::kAll, EventsAsked::kOwn}) {
    LoadSeat player = seat(events);
    player.await_event(tick_when(false), TimePoint());
    EXPECT_TRUE(player.probe().is_waiting());
  }
  LoadSeat player = seat(EventsAsked::kOwnEnters);
  player.await_event(tick_when(false), TimePoint());
  EXPECT_FALSE(player.probe().is_waiting());
  player.await_event(tick_when(true), TimePoint());
  EXPECT_TRUE(player.probe().is_waiting());
}

TEST_F(LoadSeatTest, OnlyContactOfItsProbeWithItsPartnerIsItsEvent) {
  const LoadSeat player = seat(EventsAsked::kAll);
  const ProbeIds& ids = loops_[1].probe();
  EXPECT_TRUE(player.awaits(ids.mover, ids.partner));
  EXPECT_FALSE(player.awaits(ids.mover, ids.partner + 1));
  EXPECT_FALSE(player.awaits(loops_[0].probe().mover, loops_[0].probe().partner));
}

}  // namespace
}  // namespace sweepd::tools::load::load_seat_test
