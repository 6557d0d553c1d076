// SPDX-License-Identifier: MIT
//
// Protects what a client learns of how its frames came: in time or late, by those that named a tick, bounded.
#include "session/frame_arrivals.h"

#include <gtest/gtest.h>

namespace sweepd::session::frame_arrivals_test {
namespace {

match::Frame frame_for(match::Tick tick, match::Tick acknowledged) {
  match::Frame frame;
  frame.tick = tick;
  frame.acknowledged_tick = acknowledged;
  return frame;
}

TEST(FrameArrivals, SayHowFarInTimeOrLateEachFrameThatNamedATickCame) {
  FrameArrivals arrivals;
  arrivals.note(3, frame_for(10, 5), 8);
  arrivals.note(4, frame_for(0, 5), 8);  // For the next, whichever that is.
  arrivals.note(4, frame_for(6, 7), 9);
  arrivals.note(3, frame_for(9, 99), 9);  // It cannot have seen what has not run.
  v1::TickUpdate update;
  arrivals.tell(update, true);
  const v1::FrameArrivals& told = update.frame_arrivals();
  ASSERT_EQ(told.tick_delta_size(), 3);
  EXPECT_EQ(told.tick_delta(0), 10);
  EXPECT_EQ(told.tick_delta(1), -4);
  EXPECT_EQ(told.margin(0), 2);
  EXPECT_EQ(told.margin(1), -3);
  EXPECT_EQ(told.margin(2), 0);
  EXPECT_EQ(told.lag(0), 3u);
  EXPECT_EQ(told.lag(1), 2u);
  EXPECT_EQ(told.lag(2), 0u);
  EXPECT_EQ(told.participant(1), 4u);
  v1::TickUpdate next;
  arrivals.tell(next, true);
  EXPECT_FALSE(next.has_frame_arrivals()) << "each is told once";
}

TEST(FrameArrivals, OfManyTheNewestAreTold) {
  FrameArrivals arrivals;
  for (match::Tick tick = 1; tick <= 1000; ++tick) arrivals.note(0, frame_for(tick, 0), tick);
  v1::TickUpdate update;
  arrivals.tell(update, false);
  EXPECT_EQ(update.frame_arrivals().tick_delta_size(), static_cast<int>(FrameArrivals::kRowsMax));
  EXPECT_EQ(update.frame_arrivals().tick_delta(0), 1000 - static_cast<int>(FrameArrivals::kRowsMax) + 1);
  EXPECT_EQ(update.frame_arrivals().participant_size(), 0);
}

}  // namespace
}  // namespace sweepd::session::frame_arrivals_test
