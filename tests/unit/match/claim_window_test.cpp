// SPDX-License-Identifier: MIT
//
// Protects the window in which claims may be judged: it follows a delay down at once and up at a bounded
// rate, so that no pattern of delays opens more of the past than the bound that its contract states,
// tolerance is bounded by pair of layers, and a verdict tells what counted. A restored match judges alike.
#include "match/claims/claim_window.h"

#include <gtest/gtest.h>

#include <random>

#include "unit/match/match_builders.h"

namespace sweepd::match::claim_window_test {
namespace {

constexpr std::uint32_t kRiseTicks = 4;

ClaimWindow window_after(const std::vector<std::pair<Tick, std::uint32_t>>& delays) {
  ClaimWindow window(delays.front().first);
  for (const auto& [tick, delay] : delays) window.note(tick, delay, kRiseTicks);
  return window;
}

TEST(ClaimWindow, BeginsAtZeroRisesByATickInSoManyAndFallsAtOnce) {
  EXPECT_EQ(window_after({{10, 9}}).ticks(), 0u) << "who has just joined has no window";
  EXPECT_EQ(window_after({{10, 9}, {13, 9}}).ticks(), 0u);
  EXPECT_EQ(window_after({{10, 9}, {14, 9}}).ticks(), 1u);
  EXPECT_EQ(window_after({{10, 9}, {100, 9}}).ticks(), 9u);
  EXPECT_EQ(window_after({{10, 9}, {100, 9}, {101, 2}}).ticks(), 2u);
  EXPECT_EQ(window_after({{10, 9}, {100, 9}, {101, 2}, {104, 9}}).ticks(), 2u);
  EXPECT_EQ(window_after({{10, 9}, {100, 9}, {101, 2}, {105, 9}}).ticks(), 3u);
}

TEST(ClaimWindow, LetsNoPatternOfDelaysOpenMoreThanEachOfThemAndTheRiseSince) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    std::minstd_rand random(seed);
    const std::uint32_t rise_ticks = 1 + random() % 40;
    ClaimWindow window(0);
    std::vector<std::pair<Tick, std::uint32_t>> delays = {{0, 0}};
    Tick now = 0;
    for (int i = 0; i < 300; ++i) {
      now += random() % 8;
      const bool is_late = random() % 3 == 0;
      delays.emplace_back(now, is_late ? random() % 60 : random() % 10);
      window.note(now, delays.back().second, rise_ticks);
      for (const auto& [tick, delay] : delays)
        ASSERT_LE(window.ticks(), delay + (now - tick) / rise_ticks) << "seed " << seed << ", tick " << now;
      ASSERT_LE(window.ticks(), delays.back().second);
    }
  }
}

TEST(ClaimWindow, IsTheDelayOfOneThatIsSteady) {
  ClaimWindow window(0);
  for (Tick now = 0; now <= 20 * kRiseTicks; ++now) {
    window.note(now, 20, kRiseTicks);
    EXPECT_EQ(window.ticks(), now / kRiseTicks);
  }
}

class ClaimBounds : public ::testing::Test {
 protected:
  static MatchConfig config_with(std::uint32_t rise_ticks) {
    MatchConfig config = small_config();
    config.claims.delay_allowance_ticks = 0;
    config.claims.window_rise_ticks = rise_ticks;
    return config;
  }

  void start(const MatchConfig& config) {
    match_ = make_match(config);
    shooter_ = join(*match_, "shooter");
    const Participant stage = join(*match_, "stage", Role::kStage);
    target_ = stage.first_id;
    submit(*match_, shooter_, spawn_frame(object_at(shooter_.first_id, {0, 0}, kPlayerLayer)));
    submit(*match_, stage, spawn_frame(object_at(target_, {25, 0}, kEnemyLayer)));
    for (int i = 0; i < 40; ++i) match_->step();
  }

  ClaimVerdict verdict_of(std::uint32_t delay, std::uint32_t age, std::uint32_t tolerance = 5) {
    Frame frame;
    frame.delay_ticks = delay;
    frame.claims = {{.number = 1,
                     .shot = shooter_.first_id,
                     .target = target_,
                     .tick_seen = match_->tick() - age,
                     .tolerance = tolerance}};
    submit(*match_, shooter_, std::move(frame));
    return match_->step().claim_verdicts.front();
  }

  std::unique_ptr<Match> match_;
  Participant shooter_;
  ObjectId target_ = 0;
};

TEST_F(ClaimBounds, LagThatIsSwitchedOnAndOffGainsNoTick) {
  start(config_with(4));
  int late = 0;
  for (std::uint32_t i = 0; i < 100; ++i)
    late += verdict_of(i % 2 == 0 ? 12 : 0, 3).verdict != Verdict::kImplausibleView ? 1 : 0;
  EXPECT_EQ(late, 0);
  start(config_with(0));
  for (std::uint32_t i = 0; i < 100; ++i)
    late += verdict_of(i % 2 == 0 ? 12 : 0, 3).verdict != Verdict::kImplausibleView ? 1 : 0;
  EXPECT_EQ(late, 50) << "without the bound each late one counts";
}

TEST_F(ClaimBounds, TellDelayWindowAndToleranceInTheVerdict) {
  MatchConfig config = config_with(2);
  config.claims.delay_allowance_ticks = 3;
  start(config);
  verdict_of(7, 0, 0);
  match_->step();
  const ClaimVerdict verdict = verdict_of(7, 4);
  EXPECT_EQ(verdict.delay_ticks, 7u);
  EXPECT_EQ(verdict.window_ticks, 4u) << "a tick of delay by now, and the allowance";
  EXPECT_EQ(verdict.verdict, Verdict::kConfirmed) << "at the limit";
  EXPECT_EQ(verdict.tolerance, 5u);
}

TEST_F(ClaimBounds, AreOneTickTooOldBeyondTheWindow) {
  MatchConfig config = config_with(2);
  config.claims.delay_allowance_ticks = 3;
  start(config);
  EXPECT_EQ(verdict_of(7, 4).verdict, Verdict::kImplausibleView);
}

TEST_F(ClaimBounds, AreJudgedAlikeByAMatchThatIsRestored) {
  const MatchConfig config = config_with(3);
  start(config);
  for (int i = 0; i < 10; ++i) verdict_of(5, 0, 0);
  const std::string bytes = match_->save();
  auto restored = Match::restore(config, bytes);
  ASSERT_TRUE(restored);
  const ClaimVerdict here = verdict_of(5, 3);
  match_ = std::move(restored.value());
  const ClaimVerdict there = verdict_of(5, 3);
  EXPECT_EQ(here.window_ticks, 3u);
  EXPECT_EQ(there.window_ticks, here.window_ticks);
  EXPECT_EQ(there.verdict, here.verdict);
}

TEST_F(ClaimBounds, CountNoMoreToleranceThanThePairOfLayersAllows) {
  for (const std::uint32_t most : {4u, 5u}) {
    MatchConfig config = config_with(0);
    for (CollidingLayers& pair : config.collides) pair.claim_tolerance_max = most;
    start(config);
    const ClaimVerdict verdict = verdict_of(0, 0, 100);
    EXPECT_EQ(verdict.tolerance, most);
    EXPECT_EQ(verdict.verdict, most == 5 ? Verdict::kConfirmed : Verdict::kNotOverlapping);
  }
}

}  // namespace
}  // namespace sweepd::match::claim_window_test
