// SPDX-License-Identifier: MIT
//
// Protects players behind slow lines, and everybody from those who lie about theirs: what is true in the view
// of a client with a delay of 150 ms and jitter is confirmed, what misses by one more than the tolerance is
// not, and who says that its view is older than it can be, or acknowledges late to make the server believe
// it, gains nothing beyond the bound.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

#include "simulation/far_client.h"

namespace sweepd::simulation {
namespace {

using match::Verdict;

constexpr collision::LayerId kShotLayer = 0;
constexpr collision::LayerId kEnemyLayer = 1;
constexpr collision::Subunits kShotHalf = 200;
constexpr collision::Subunits kEnemyHalf = 500;
constexpr std::uint32_t kTolerance = 64;
constexpr std::uint32_t kRewindTicks = 30;
constexpr std::uint32_t kAllowanceTicks = 3;

match::MatchConfig config() {
  match::MatchConfig config;
  config.layers = {"shot", "enemy"};
  config.collides = {{.layer_a = "shot", .layer_b = "enemy"}};
  config.claims = {.rewind_ticks_max = kRewindTicks,
                   .tolerance_max = kTolerance,
                   .delay_allowance_ticks = kAllowanceTicks,
                   .hits_per_shot_max = 0};
  return config;
}

collision::ObjectSpec object_at(ObjectId id, collision::Point position, collision::LayerId layer) {
  const collision::Subunits half = layer == kShotLayer ? kShotHalf : kEnemyHalf;
  return {.id = id, .position = position, .parts = {{.box = {-half, -half, half, half}, .layer = layer}}};
}

/// Enemies that swerve along x at the player's height, each with two twins that go with it: one that a shot
/// misses by just the tolerance, one that it misses by one more.
class Swarm {
 public:
  static constexpr ObjectId kEnemies = 6;

  explicit Swarm(FarClient& lab) : lab_(lab), first_(lab.stage_seat().first_id) {}

  ObjectId enemy(ObjectId i) const { return first_ + 3 * i; }
  ObjectId near_twin(ObjectId i) const { return enemy(i) + 1; }
  ObjectId far_twin(ObjectId i) const { return enemy(i) + 2; }

  void lead(Tick next, Frame& frame) {
    for (ObjectId i = 0; i < kEnemies; ++i) {
      if (next == 1) x_[i] = static_cast<collision::Subunits>(4'000 + 3'000 * i);
      x_[i] += static_cast<collision::Subunits>(lab_.random().between(-300, 300));
      const collision::Subunits reach = kShotHalf + kEnemyHalf;
      const auto tolerance = static_cast<collision::Subunits>(kTolerance);
      place(next, frame, enemy(i), {x_[i], 0});
      place(next, frame, near_twin(i), {x_[i], reach + tolerance});
      place(next, frame, far_twin(i), {x_[i], -reach - tolerance - 1});
    }
  }

 private:
  static void place(Tick next, Frame& frame, ObjectId id, collision::Point at) {
    if (next == 1) {
      frame.spawns.push_back(object_at(id, at, kEnemyLayer));
    } else {
      frame.moves.push_back({id, at});
    }
  }

  FarClient& lab_;
  ObjectId first_;
  std::array<collision::Subunits, kEnemies> x_{};
};

/// Fires every few frames, and claims what it sees hit, each pair once.
class Marksman {
 public:
  Marksman(FarClient& lab, const Swarm& swarm) : swarm_(swarm), next_shot_(lab.player_seat().first_id) {}

  void play(Tick seen, const FarClient::View& view, Frame& frame) {
    if (++frames_ % 10 == 0) {
      shots_.push_back(next_shot_);
      collision::ObjectSpec shot = object_at(next_shot_++, {0, 0}, kShotLayer);
      shot.motion.velocity = {350, 0};
      shot.time_to_live_ticks = 70;
      frame.spawns.push_back(shot);
    }
    for (const ObjectId shot : shots_) {
      for (ObjectId i = 0; i < Swarm::kEnemies; ++i) aim(seen, view, shot, i, frame);
    }
  }

  enum class Kind { kHit, kJust, kMiss };
  Kind kind_of(std::uint32_t number) const { return kinds_.at(number); }

 private:
  void aim(Tick seen, const FarClient::View& view, ObjectId shot, ObjectId i, Frame& frame) {
    const auto at = view.find(shot);
    if (at == view.end()) return;
    const collision::Point enemy = view.at(swarm_.enemy(i));
    if (std::abs(at->second.x - enemy.x) > kShotHalf + kEnemyHalf) return;
    if (!claimed_.insert({shot, i}).second) return;
    claim(seen, shot, swarm_.enemy(i), Kind::kHit, frame);
    claim(seen, shot, swarm_.near_twin(i), Kind::kJust, frame);
    claim(seen, shot, swarm_.far_twin(i), Kind::kMiss, frame);
  }

  void claim(Tick seen, ObjectId shot, ObjectId target, Kind kind, Frame& frame) {
    kinds_[++last_number_] = kind;
    frame.claims.push_back(
        {.number = last_number_, .shot = shot, .target = target, .tick_seen = seen, .tolerance = kTolerance});
  }

  const Swarm& swarm_;
  ObjectId next_shot_;
  int frames_ = 0;
  std::vector<ObjectId> shots_;
  std::set<std::pair<ObjectId, ObjectId>> claimed_;
  std::map<std::uint32_t, Kind> kinds_;
  std::uint32_t last_number_ = 0;
};

void check_margin(Marksman::Kind kind, std::int64_t margin) {
  switch (kind) {
    case Marksman::Kind::kHit:
      EXPECT_LE(margin, 0);
      break;
    case Marksman::Kind::kJust:
      EXPECT_EQ(margin, std::int64_t{kTolerance});
      break;
    case Marksman::Kind::kMiss:
      EXPECT_EQ(margin, std::int64_t{kTolerance} + 1);
  }
}

TEST(FarPlayer, HitsWhatItSeesHitAndNothingElse) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    FarClient lab(config(), {.delay_ms = 75, .jitter_ms = 20}, seed);
    Swarm swarm(lab);
    Marksman marksman(lab, swarm);
    lab.stage = [&](Tick next, Frame& frame) { swarm.lead(next, frame); };
    lab.player = [&](Tick seen, const FarClient::View& view, Frame& frame) {
      marksman.play(seen, view, frame);
    };
    std::map<Marksman::Kind, int> counts;
    for (const auto& [verdict, arrival_tick, delay_ticks] : lab.run(1'500)) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", claim " << verdict.claim.number << ", seen "
                                      << verdict.claim.tick_seen << " at " << arrival_tick);
      const Marksman::Kind kind = marksman.kind_of(verdict.claim.number);
      ++counts[kind];
      const bool is_miss = kind == Marksman::Kind::kMiss;
      EXPECT_EQ(verdict.verdict, is_miss ? Verdict::kNotOverlapping : Verdict::kConfirmed);
      EXPECT_EQ(verdict.tick_judged, verdict.claim.tick_seen);
      ASSERT_TRUE(verdict.evidence);
      check_margin(kind, verdict.evidence->margin);
      EXPECT_GE(arrival_tick - verdict.tick_judged, 6u) << "it is far away indeed";
      if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(counts[Marksman::Kind::kHit], 300);
    EXPECT_EQ(counts[Marksman::Kind::kHit], counts[Marksman::Kind::kMiss]);
  }
}

/// Claims each tick that a shot that rests on an enemy hit it, as it was seen `back(seen)` ticks before the
/// last that the player was shown. Where it was makes no difference: only how old a view is believed does.
std::vector<FarClient::Judged> claims_of_a_liar(FarClient& lab, Tick ticks,
                                                const std::function<Tick(Tick)>& back) {
  const ObjectId enemy = lab.stage_seat().first_id;
  const ObjectId shot = lab.player_seat().first_id;
  std::uint32_t number = 0;
  lab.stage = [=](Tick next, Frame& frame) {
    if (next == 1) frame.spawns.push_back(object_at(enemy, {0, 0}, kEnemyLayer));
  };
  lab.player = [&, shot](Tick seen, const FarClient::View& view, Frame& frame) {
    if (!view.contains(shot)) {
      if (frame.spawns.empty()) frame.spawns.push_back(object_at(shot, {0, 0}, kShotLayer));
      return;
    }
    if (seen < 100) return;  // Until it has been measured, and has a past to lie about.
    frame.claims.push_back(
        {.number = ++number, .shot = shot, .target = enemy, .tick_seen = seen - back(seen)});
  };
  return lab.run(ticks);
}

bool is_believed(Verdict verdict) {
  return verdict == Verdict::kConfirmed || verdict == Verdict::kAlreadyClaimed;
}

/// How old the oldest view is that was believed.
Tick oldest_believed(const std::vector<FarClient::Judged>& judged) {
  Tick oldest = 0;
  for (const auto& [verdict, arrival_tick, delay_ticks] : judged) {
    if (is_believed(verdict.verdict)) oldest = std::max(oldest, arrival_tick - verdict.claim.tick_seen);
  }
  return oldest;
}

TEST(Liar, WhoNamesAnOlderTickIsBelievedNoFurtherThanItsMeasuredDelayAndTheAllowance) {
  FarClient lab(config(), {.delay_ms = 75, .jitter_ms = 20}, 1);
  const auto judged = claims_of_a_liar(lab, 1'000, [](Tick seen) { return seen % 40; });
  std::map<Verdict, int> counts;
  for (const auto& [verdict, arrival_tick, delay_ticks] : judged) {
    ++counts[verdict.verdict];
    const Tick age = arrival_tick - verdict.claim.tick_seen;
    EXPECT_EQ(is_believed(verdict.verdict), age <= delay_ticks + kAllowanceTicks) << "age " << age;
    EXPECT_LE(delay_ticks, 20u) << "190 ms at the most, and what jitter makes of it";
  }
  EXPECT_GT(counts[Verdict::kImplausibleView] + counts[Verdict::kTooOld], 300);
  EXPECT_LE(oldest_believed(judged), 20u + kAllowanceTicks);
}

TEST(Liar, WhoAcknowledgesLateIsBelievedNoFurtherThanTheRewind) {
  FarClient lab(config(), {.delay_ms = 75, .jitter_ms = 20}, 2);
  lab.acknowledged = [](Tick seen) { return seen > 90 ? seen - 90 : 0; };
  const auto judged = claims_of_a_liar(lab, 1'000, [](Tick seen) { return seen % 60; });
  EXPECT_GT(lab.delay_ticks(), 90u) << "the lie works so far";
  std::map<Verdict, int> counts;
  for (const auto& [verdict, arrival_tick, delay_ticks] : judged) ++counts[verdict.verdict];
  EXPECT_GT(counts[Verdict::kTooOld], 300);
  EXPECT_LE(oldest_believed(judged), kRewindTicks);
}

TEST(Liar, WhoAcknowledgesWhatWasNeverSentIsNotMeasured) {
  FarClient lab(config(), {.delay_ms = 75, .jitter_ms = 20}, 3);
  lab.acknowledged = [](Tick seen) { return seen + 10'000; };
  const auto judged = claims_of_a_liar(lab, 600, [](Tick seen) { return seen % 20; });
  EXPECT_EQ(lab.delay_ticks(), 0u);
  EXPECT_GT(judged.size(), 300u);
  EXPECT_LE(oldest_believed(judged), kAllowanceTicks);
}

}  // namespace
}  // namespace sweepd::simulation
