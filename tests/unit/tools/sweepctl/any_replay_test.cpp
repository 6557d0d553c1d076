// SPDX-License-Identifier: MIT
//
// Protects who looks into a client's own run: an input log's run, written down as a replay, is the same run.
#include "verification/any_replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "recordings/replay_bytes.h"
#include "replay/comparison.h"
#include "replay/moment.h"
#include "sweepd/input_log.h"
#include "verification/input_log_verification.h"

namespace sweepd::tools::any_replay_test {
namespace {

using replay::ReplayVerdict;
using verification::AnyReplay;

/// A ship that flies to the right past three rocks, which stand in its way; forty ticks.
std::string log_of(double speed, bool match_ended = true) {
  MatchConfig config;
  config.layers = {"ship", "rock"};
  config.collides = {{.layer_a = "ship", .layer_b = "rock"}};
  auto log = InputLog::create(config);
  auto ann = log->join("ann");
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(log->end_tick().ok());
  for (int i = 0; i < 4; ++i) {
    ObjectSpec spec;
    spec.position = {30.0 * i, 0};
    spec.parts = {{centered_box(8, 8), i == 0 ? 0u : 1u}};
    if (i == 0) spec.motion = Motion{.velocity = {speed, 0}};
    EXPECT_TRUE(ann->spawn(spec).ok());
  }
  EXPECT_TRUE(ann->end_frame().ok());
  for (int i = 0; i < 38; ++i) EXPECT_TRUE(log->end_tick().ok());
  EXPECT_TRUE(log->finish({.match_ended = match_ended}).ok());
  return std::string(*log->bytes());
}

TEST(AnyReplay, OfAnInputLogIsItsRun) {
  for (const bool match_ended : {true, false}) {
    const std::string log = log_of(4, match_ended);
    const replay::Verification run = verification::verify_input_log(log);
    ASSERT_EQ(run.verdict, ReplayVerdict::kVerified) << run.what;
    const auto replay = AnyReplay::open(log);
    ASSERT_TRUE(replay.ok()) << text_of(replay.error());
    const replay::Verification replayed = replay::verify(replay->bytes());
    EXPECT_EQ(replayed.verdict, ReplayVerdict::kVerified) << replayed.what;
    EXPECT_EQ(replayed.digest, run.digest);
    EXPECT_EQ(replayed.ticks_played, run.ticks_played);
    std::size_t events = 0;
    const auto fault =
        replay::visit_moments(replay->reader(), 1, replay->reader().tick_count(),
                              [&events](const replay::Moment& moment) { events += moment.events.size(); });
    EXPECT_FALSE(fault);
    EXPECT_GE(events, 6u) << "three rocks, each touched and left";
  }
}

TEST(AnyReplay, OfTwoInputLogsSaysWhereTheyDiffer) {
  const auto slow = AnyReplay::open(log_of(4));
  const auto fast = AnyReplay::open(log_of(4.5));
  ASSERT_TRUE(slow.ok() && fast.ok());
  const auto same = replay::compare(slow->bytes(), AnyReplay::open(log_of(4))->bytes());
  ASSERT_TRUE(same.ok());
  EXPECT_FALSE(same->has_value());
  const auto difference = replay::compare(slow->bytes(), fast->bytes());
  ASSERT_TRUE(difference.ok() && difference->has_value());
  EXPECT_EQ((*difference)->tick, 3u);
  EXPECT_TRUE((*difference)->object.has_value());
}

TEST(AnyReplay, OfAReplayIsThat) {
  const std::string bytes = recordings::random_replay(3, 30);
  const auto replay = AnyReplay::open(bytes);
  ASSERT_TRUE(replay.ok());
  EXPECT_EQ(replay->bytes(), bytes);
}

TEST(AnyReplay, OfALogThatIsCutOffIsNone) {
  const std::string log = log_of(4);
  EXPECT_FALSE(AnyReplay::open(log.substr(0, log.size() - 2)).ok());
  EXPECT_FALSE(AnyReplay::open("").ok());
}

}  // namespace
}  // namespace sweepd::tools::any_replay_test
