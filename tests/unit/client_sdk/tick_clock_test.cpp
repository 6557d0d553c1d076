// SPDX-License-Identifier: MIT
//
// Protects the clock by which a game is drawn: it runs evenly through updates that come late or in bunches,
// comes to be right, and does not go back; also where the match is paused or changes its rate.
#include "tick_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <random>
#include <vector>

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

TEST(TickClock, GoesOnEvenlyAfterAPause) {
  TickClock clock;
  clock.set_rate(50, kBegin);
  double before = 0;
  for (int at = 0; at < 8'000; at += 5) {
    const TimePoint now = kBegin + milliseconds(at);
    const bool is_paused = at >= 2'000 && at < 5'000;
    clock.set_rate(is_paused ? 0 : 50, now);
    const int run = at < 5'000 ? std::min(at, 1'980) : at - 3'000;  // Of time, without the pause.
    if (at % 20 == 0) clock.note(static_cast<Tick>(run / 20 + 1), now);
    clock.advance(now);
    if (at > 0) {
      const bool has_stood = at > 2'000 && at <= 5'000;
      EXPECT_NEAR(clock.tick() - before, has_stood ? 0 : 0.25, has_stood ? 1e-9 : 0.026) << at << " ms";
    }
    before = clock.tick();
  }
  EXPECT_NEAR(before, 4'995 / 20.0 + 1, 0.5) << "it is right in the end";
}

TEST(TickClock, DoesNotCountAPauseThatTheClockStateDidNotTell) {
  TickClock clock;
  clock.set_rate(50, kBegin);
  clock.note(100, kBegin);
  clock.advance(kBegin);
  // Between two pictures: the news that it is paused, that it goes on, and the next tick.
  clock.note(100, kBegin + milliseconds(10));
  clock.note(100, kBegin + milliseconds(3'000));
  clock.note(101, kBegin + milliseconds(3'020));
  clock.advance(kBegin + milliseconds(3'040));
  EXPECT_NEAR(clock.tick(), 102, 0.5);
}

TEST(TickClock, JumpsByTimeAndNotByTicks) {
  for (const int rate : {1, 60}) {
    TickClock clock;
    clock.set_rate(rate, kBegin);
    clock.note(100, kBegin);
    clock.advance(kBegin);
    clock.note(102, kBegin + milliseconds(10));
    clock.advance(kBegin + milliseconds(20));
    EXPECT_EQ(clock.tick() > 101.5, rate == 1) << "two ticks at " << rate << " Hz";
  }
}

TEST(TickClock, KeepsItsPlaceAtEveryRate) {
  for (const double rate : {-1.0, std::nan(""), HUGE_VAL, 4e9}) {
    TickClock clock;
    clock.set_rate(rate, kBegin);
    clock.note(~Tick{0}, kBegin);
    clock.advance(kBegin + milliseconds(10));
    EXPECT_TRUE(std::isfinite(clock.tick())) << rate;
  }
}

/// A match that is paused and changes its rate, and whose updates are 50 to 80 ms on their way.
class MovingMatch {
 public:
  explicit MovingMatch(std::uint32_t seed) : random_(seed) {}

  struct Update {
    int at = 0;  ///< When it comes, ms.
    Tick tick = 0;
    double rate = 0;
  };

  void run(int at) {
    if (at >= change_at_) {
      const bool pauses = rate_ > 0 && random_() % 10 < 7;
      rate_ = pauses ? 0 : kRates.at(random_() % kRates.size());
      change_at_ = at + static_cast<int>(pauses ? 50 + random_() % 5'000 : 1'000 + random_() % 3'000);
      send(at);
    }
    const auto before = static_cast<Tick>(ticks_);
    ticks_ += rate_ * kStep / 1000;
    if (static_cast<Tick>(ticks_) > before) send(at);
    past_.push_back(ticks_);
  }
  /// Those that have come.
  std::vector<Update> take(int at) {
    std::vector<Update> come;
    for (; !sent_.empty() && sent_.front().at <= at; sent_.pop_front()) come.push_back(sent_.front());
    return come;
  }
  /// As the fastest update would tell it.
  double seen_at(int at) const { return past_[static_cast<std::size_t>(std::max(0, at - 50) / kStep)]; }

  static constexpr int kStep = 4;  // ms
  static constexpr double kRateMax = 120;

 private:
  static constexpr std::array<double, 6> kRates = {30, 40, 50, 60, 90, kRateMax};

  void send(int at) {
    last_at_ = std::max(last_at_, at + 50 + static_cast<int>(random_() % 30));
    sent_.push_back({last_at_, static_cast<Tick>(ticks_), rate_});
  }

  std::mt19937 random_;
  std::deque<Update> sent_;
  std::vector<double> past_;
  double ticks_ = 1;
  double rate_ = 60;
  int change_at_ = 2'000;
  int last_at_ = 0;
};

TEST(TickClock, IsNeverFarOffNorGoesBackThroughPausesAndRates) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    MovingMatch match(seed);
    TickClock clock;
    clock.set_rate(60, kBegin);
    double before = 0;
    for (int at = 0; at < 60'000; at += MovingMatch::kStep) {
      match.run(at);
      if (at % 16 != 0) continue;  // A picture.
      const TimePoint now = kBegin + milliseconds(at);
      const std::vector<MovingMatch::Update> come = match.take(at);
      if (!come.empty()) clock.set_rate(come.back().rate, now);
      for (const MovingMatch::Update& update : come)
        clock.note(update.tick, kBegin + milliseconds(update.at));
      clock.advance(now);
      ASSERT_GE(clock.tick(), before) << "seed " << seed << ", " << at << " ms";
      if (at > 1'000) {
        ASSERT_LE(clock.tick() - before, 0.016 * MovingMatch::kRateMax * 1.1 + 1e-9) << "it leaps";
        // Updates differ by up to 4 ticks, and news of a pause come as late.
        ASSERT_NEAR(clock.tick(), match.seen_at(at), 8) << "seed " << seed << ", " << at << " ms";
      }
      before = clock.tick();
    }
  }
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
