// SPDX-License-Identifier: MIT
//
// Protects what dashboards draw of the loops: where time went, by phase, and every count under the label that
// it belongs to.
#include "runtime/loop/loop_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/loop/loop_metrics.h"
#include "runtime/match/match_host.h"

namespace sweepd::runtime::loop_figures_test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

class NoPoller final : public Poller {
 public:
  Duration poll(TimePoint) override { return {}; }
  void wake() override {}
};

TEST(TimeFigures, ATimeIsInTheFirstBucketThatHasRoomForIt) {
  TimeFigures times;
  times.observe(microseconds(10));
  times.observe(microseconds(11));
  times.observe(seconds(1));
  times.observe(seconds(2));
  times.observe(-seconds(5));
  EXPECT_EQ(times.count(0), 2u) << "a bound is within its bucket, and a time before its time is none";
  EXPECT_EQ(times.count(1), 1u);
  EXPECT_EQ(times.count(15), 1u);
  EXPECT_EQ(times.count(16), 1u) << "beyond all bounds";
  EXPECT_DOUBLE_EQ(times.sum_seconds(), 3.000021);
}

TEST(TickTimer, EachPhaseEndsWhereTheNextBeginsAndTheTickIsAllOfThem) {
  LoopFigures figures;
  TimePoint now(seconds(100));
  const Clock clock = [&now] { return now; };
  {
    TickTimer timer(figures, clock);
    now += milliseconds(4);
    timer.enter(TickPhase::kJournal);
    now += milliseconds(2);
    timer.enter(TickPhase::kTell);
    now += milliseconds(1);
  }
  EXPECT_DOUBLE_EQ(figures.phases[0].sum_seconds(), 0.004);
  EXPECT_DOUBLE_EQ(figures.phases[1].sum_seconds(), 0.002);
  EXPECT_DOUBLE_EQ(figures.phases[2].sum_seconds(), 0.001);
  EXPECT_DOUBLE_EQ(figures.tick.sum_seconds(), 0.007);
  EXPECT_EQ(figures.tick.count(9), 1u) << "5 to 10 ms";
}

class LoopMetricsTest : public ::testing::Test {
 protected:
  NoPoller poller_;
  Loop first_{poller_};
  Loop second_{poller_};
  Metrics metrics_;
  LoopMetrics loop_metrics_{metrics_, {&first_, &second_}};
};

TEST_F(LoopMetricsTest, TimesAreToldLoopByLoopAndPhaseByPhase) {
  first_.figures().tick.observe(milliseconds(3));
  second_.figures().phases[2].observe(milliseconds(20));
  const std::string text = metrics_.to_text();
  EXPECT_THAT(text, HasSubstr("# TYPE sweepd_tick_seconds histogram\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_tick_seconds_count{loop=\"0\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_tick_seconds_bucket{loop=\"0\",le=\"0.0025\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_tick_seconds_bucket{loop=\"0\",le=\"0.005\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_tick_seconds_bucket{loop=\"0\",le=\"+Inf\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_tick_seconds_sum{loop=\"0\"} 0.003\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_tick_seconds_count{loop=\"1\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_tick_phase_seconds_count{loop=\"1\",phase=\"tell\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_tick_phase_seconds_count{loop=\"1\",phase=\"step\"} 0\n"));
}

TEST_F(LoopMetricsTest, CountsAreToldLoopByLoop) {
  first_.figures().frames.add(3);
  second_.figures().frames.add(4);
  second_.figures().matches[1].add();
  const std::string text = metrics_.to_text();
  EXPECT_THAT(text, HasSubstr("# TYPE sweepd_frames_total counter\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_frames_total{loop=\"0\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_frames_total{loop=\"1\"} 4\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_matches_by_state{loop=\"1\",state=\"RUNNING\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_matches_by_state{loop=\"0\",state=\"RUNNING\"} 0\n"));
}

TEST_F(LoopMetricsTest, ReasonsAreToldOfAllLoopsTogether) {
  first_.figures().rejections[static_cast<std::size_t>(match::RejectionReason::kTooFast)].add(2);
  second_.figures().rejections[static_cast<std::size_t>(match::RejectionReason::kTooFast)].add();
  second_.figures().rejections_not_listed.add(9);
  first_.figures().claims[static_cast<std::size_t>(match::Verdict::kTooOld)].add();
  first_.figures().slow_readers[static_cast<std::size_t>(WhenFull::kGap)].add();
  const std::string text = metrics_.to_text();
  EXPECT_THAT(text, HasSubstr("sweepd_rejections_total{reason=\"TOO_FAST\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_rejections_total{reason=\"NOT_LISTED\"} 9\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_rejections_total{reason=\"MALFORMED\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_claims_total{verdict=\"TOO_OLD\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_slow_readers_total{outcome=\"GAP\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_slow_readers_total{outcome=\"DISCONNECT\"} 0\n"));
}

TEST_F(LoopMetricsTest, PostedWorkIsCountedUntilItRuns) {
  second_.post([] {});
  second_.post([] {});
  EXPECT_THAT(metrics_.to_text(), HasSubstr("sweepd_posted_work_waiting{loop=\"1\"} 2\n"));
  second_.run_round();
  EXPECT_THAT(metrics_.to_text(), HasSubstr("sweepd_posted_work_waiting{loop=\"1\"} 0\n"));
}

}  // namespace
}  // namespace sweepd::runtime::loop_figures_test
