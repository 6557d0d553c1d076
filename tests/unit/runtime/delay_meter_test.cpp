// SPDX-License-Identifier: MIT
//
// Protects the server's own measure of a client's delay: it follows the round trip, counts jitter in, and a
// client can make it no smaller than it is, and no larger but by acknowledging late.
#include "runtime/match/delay_meter.h"

#include <gtest/gtest.h>

namespace sweepd::runtime::delay_meter_test {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kStart{};

/// Updates at 60 Hz, each acknowledged after its own time.
template <typename RoundTrip>
void play(DelayMeter& meter, int ticks, const RoundTrip& round_trip) {
  for (int tick = 1; tick <= ticks; ++tick) {
    const TimePoint written = kStart + tick * 16667us;
    meter.sent(static_cast<match::Tick>(tick), written);
    meter.acknowledged(static_cast<match::Tick>(tick), written + round_trip(tick));
  }
}

TEST(DelayMeter, IsZeroUntilSomethingIsAcknowledged) {
  DelayMeter meter;
  meter.sent(1, kStart);
  EXPECT_EQ(meter.delay(), Duration::zero());
  EXPECT_EQ(meter.delay_ticks(60), 0u);
}

TEST(DelayMeter, FollowsASteadyRoundTrip) {
  DelayMeter meter;
  play(meter, 200, [](int) { return 150ms; });
  EXPECT_GE(meter.delay(), 149ms);
  EXPECT_LE(meter.delay(), 152ms);
  EXPECT_EQ(meter.delay_ticks(60), 9u + (meter.delay() > 150ms ? 1u : 0u));
}

TEST(DelayMeter, CoversJitter) {
  DelayMeter meter;
  play(meter, 400, [](int tick) { return 150ms + (tick * 37 % 61) * 1ms - 30ms; });  // From 120 to 180 ms.
  EXPECT_GE(meter.delay(), 180ms);
  EXPECT_LE(meter.delay(), 260ms);
}

TEST(DelayMeter, ComesDownAgain) {
  DelayMeter meter;
  play(meter, 100, [](int) { return 500ms; });
  for (int tick = 101; tick <= 300; ++tick) {
    meter.sent(static_cast<match::Tick>(tick), kStart + tick * 1s);
    meter.acknowledged(static_cast<match::Tick>(tick), kStart + tick * 1s + 20ms);
  }
  EXPECT_LE(meter.delay(), 30ms);
}

TEST(DelayMeter, AnAcknowledgementOfATickThatWasNeverSentDoesNotCount) {
  DelayMeter meter;
  meter.sent(10, kStart);
  meter.acknowledged(11, kStart + 1ms);
  EXPECT_EQ(meter.delay(), Duration::zero());
  meter.acknowledged(9, kStart + 2ms);
  EXPECT_EQ(meter.delay(), Duration::zero());
  meter.acknowledged(10, kStart + 100ms);
  EXPECT_GE(meter.delay(), 100ms);
}

TEST(DelayMeter, AnUpdateIsMeasuredOnce) {
  DelayMeter meter;
  meter.sent(1, kStart);
  meter.acknowledged(1, kStart + 10ms);
  const Duration measured = meter.delay();
  meter.acknowledged(1, kStart + 10s);
  EXPECT_EQ(meter.delay(), measured);
}

TEST(DelayMeter, OfSeveralUpdatesTheNewestTells) {
  DelayMeter meter;
  meter.sent(1, kStart);
  meter.sent(2, kStart + 1s);
  meter.acknowledged(2, kStart + 1s + 40ms);
  EXPECT_EQ(meter.delay(), 120ms) << "the mean, 40, and four times half of it";
}

TEST(DelayMeter, MeasuresWhoeverAcknowledgesVeryLate) {
  DelayMeter meter;
  for (int tick = 1; tick <= 5'000; ++tick) meter.sent(static_cast<match::Tick>(tick), kStart + tick * 1ms);
  meter.acknowledged(5'000, kStart + 5'000ms + 70ms);
  EXPECT_EQ(meter.delay(), 210ms);
}

TEST(DelayMeter, AFrameThatSeemsOlderThanWhatItAcknowledgesMeasuresNothing) {
  DelayMeter meter;
  meter.sent(1, kStart + 20ms);
  meter.acknowledged(1, kStart + 10ms);
  EXPECT_EQ(meter.delay(), Duration::zero());
}

}  // namespace
}  // namespace sweepd::runtime::delay_meter_test
