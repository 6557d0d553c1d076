// SPDX-License-Identifier: MIT
//
// Protects the meaning of the latencies: what is waited for, what is not the server's fault, and what is
// lost.
#include "tools/load/probe.h"

#include <gtest/gtest.h>

namespace sweepd::tools::load::probe_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class LoadProbe : public ::testing::Test {
 protected:
  // Tick n is due n times 100 ms after the beginning.
  LoadProbe() { fit.observe(1, at(100)); }
  static TimePoint at(int ms) { return TimePoint(seconds(50)) + milliseconds(ms); }
  static double ms(const Histogram& histogram) { return static_cast<double>(histogram.max().count()) / 1e6; }

  TickFit fit{10};
  Measurements measured;
  Probe probe{measured};
};

TEST_F(LoadProbe, TheWaitForTheTickIsTakenOff) {
  probe.sent(true, at(120));
  probe.received(true, 2, fit, at(207));
  EXPECT_NEAR(ms(measured.update_to_event), 87, 0.01);
  EXPECT_NEAR(ms(measured.beyond_the_wait), 7, 0.01);
  EXPECT_EQ(ms(measured.input_age), 0);
}

TEST_F(LoadProbe, AFrameThatATickDidNotApplyLayUnreadUntilThen) {
  probe.sent(true, at(120));
  probe.received(true, 4, fit, at(402));
  EXPECT_NEAR(ms(measured.input_age), 180, 0.01);  // Tick 3 was due at 300.
  EXPECT_NEAR(ms(measured.beyond_the_wait), 2, 0.01);
}

TEST_F(LoadProbe, WaitsForTheEventThatItsFrameCauses) {
  probe.sent(false, at(120));
  probe.received(true, 2, fit, at(200));  // Of what was before it.
  EXPECT_TRUE(probe.is_waiting());
  EXPECT_EQ(measured.update_to_event.count(), 0u);
  probe.received(false, 2, fit, at(201));
  EXPECT_FALSE(probe.is_waiting());
}

TEST_F(LoadProbe, WhatIsNotAnsweredCountsAsLongAsItWasWaitedFor) {
  probe.sent(true, at(0));
  probe.sent(false, at(500));
  probe.sent(true, at(1000));
  EXPECT_EQ(measured.probes_lost, 2u);
  EXPECT_NEAR(ms(measured.update_to_event), 1000, 0.01);
  EXPECT_EQ(measured.update_to_event.count(), 2u);
  EXPECT_NEAR(ms(measured.input_age), 1000, 0.01);
  EXPECT_EQ(measured.input_age.count(), 2u);
  EXPECT_TRUE(probe.is_waiting());
}

// An ENTER that comes late would be taken for the next one, and the one after it for lost.
TEST_F(LoadProbe, WhereEntersAloneAreToldASecondOneGivesTheFirstUp) {
  Probe enters(measured, 1);
  enters.sent(true, at(0));
  enters.sent(true, at(1000));
  EXPECT_EQ(measured.probes_lost, 1u);
  EXPECT_NEAR(ms(measured.update_to_event), 1000, 0.01);
  enters.received(true, 11, fit, at(1105));
  EXPECT_EQ(measured.update_to_event.count(), 2u);
  EXPECT_FALSE(enters.is_waiting());
}

TEST_F(LoadProbe, WhatWaitsTooLongAtTheEndCountsWithWhatItHasWaitedAtLeast) {
  probe.sent(true, at(100));
  probe.sent(false, at(650));
  probe.end_measurement(at(700), milliseconds(100));
  EXPECT_EQ(measured.update_to_event.count(), 1u);
  EXPECT_NEAR(ms(measured.update_to_event), 600, 0.01);
  EXPECT_NEAR(ms(measured.beyond_the_wait), 500, 0.01);
  EXPECT_NEAR(ms(measured.input_age), 500, 0.01);
  EXPECT_EQ(measured.probes_lost, 0u);
  probe.received(false, 7, fit, at(702));  // The other one may still be in time.
  EXPECT_EQ(measured.update_to_event.count(), 2u);
}

}  // namespace
}  // namespace sweepd::tools::load::probe_test
