// SPDX-License-Identifier: MIT
//
// Protects the clock by which a game is drawn: it runs evenly through updates that come late or in bunches,
// comes to be right, and does not go back.
#include "tick_clock.h"

#include <gtest/gtest.h>

#include <random>

namespace sweepd::internal {
namespace {

using std::chrono::milliseconds;
using TimePoint = TickClock::TimePoint;

constexpr TimePoint kBegin = TimePoint() + std::chrono::hours(1);

TEST(TickClock, StandsUntilTheFirstUpdate) {
  TickClock clock;
  clock.set_rate(50, kBegin);
  clock.advance(kBegin + milliseconds(500));
  EXPECT_EQ(clock.tick(), 0);
  clock.note(70, kBegin + milliseconds(500));
  clock.advance(kBegin + milliseconds(600));
  EXPECT_DOUBLE_EQ(clock.tick(), 75);
}

TEST(TickClock, RunsEvenlyThroughJitterAndComesToTheFastestUpdates) {
  TickClock clock;
  clock.set_rate(50, kBegin);
  std::mt19937 random(1);
  double before = 0;
  for (int at = 0; at < 20'000; at += 5) {
    const TimePoint now = kBegin + milliseconds(at);
    // Each is 40 to 80 ms late.
    if (at % 20 == 0) clock.note(static_cast<Tick>(at / 20 + 1), now + milliseconds(random() % 40));
    clock.advance(now);
    if (at > 2'000) {
      EXPECT_NEAR(clock.tick() - before, 0.25, 0.026);
      EXPECT_NEAR(clock.tick(), at / 20.0 + 1, 0.5);
    }
    before = clock.tick();
  }
}

TEST(TickClock, DoesNotGoBackWhereUpdatesBecomeSlower) {
  TickClock clock;
  clock.set_rate(50, kBegin);
  double before = 0;
  int last = 0;
  for (int at = 0; at < 12'000; at += 20) {
    const TimePoint now = kBegin + milliseconds(at);
    const int late = at < 5'000 ? 0 : 10;  // Ticks.
    const int tick = at / 20 - late + 1;
    if (tick > last) clock.note(static_cast<Tick>(last = tick), now);
    clock.advance(now);
    EXPECT_GE(clock.tick(), before);
    before = clock.tick();
  }
  EXPECT_NEAR(before, 11'980 / 20.0 - 9, 2) << "it is right in the end";
}

TEST(TickClock, StandsStillInAPauseAndFollowsTheRate) {
  TickClock clock;
  clock.set_rate(50, kBegin);
  clock.note(10, kBegin);
  clock.set_rate(0, kBegin + milliseconds(100));
  clock.advance(kBegin + milliseconds(5'000));
  EXPECT_DOUBLE_EQ(clock.tick(), 15);
}

TEST(TickClock, StandsBeforeTheFirstTickAndWhereNothingComes) {
  TickClock clock;
  clock.set_rate(50, kBegin);
  clock.note(0, kBegin);
  clock.advance(kBegin + milliseconds(1'000));
  EXPECT_DOUBLE_EQ(clock.tick(), 0) << "the match waits for its participants";
  clock.note(1, kBegin + milliseconds(2'000));
  clock.advance(kBegin + milliseconds(2'000));
  clock.advance(kBegin + milliseconds(2'200));
  EXPECT_NEAR(clock.tick(), 11, 1);
  clock.advance(kBegin + milliseconds(6'000));
  const double last = clock.tick();
  clock.advance(kBegin + milliseconds(60'000));
  EXPECT_DOUBLE_EQ(clock.tick(), last);
}

TEST(TickClock, BeginsAnewWhereTheServerHasGoneBack) {
  TickClock clock;
  clock.set_rate(50, kBegin);
  clock.note(1000, kBegin);
  clock.note(400, kBegin + milliseconds(10));
  clock.advance(kBegin + milliseconds(10));
  EXPECT_DOUBLE_EQ(clock.tick(), 400);
}

}  // namespace
}  // namespace sweepd::internal
