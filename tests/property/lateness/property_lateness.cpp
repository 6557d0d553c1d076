// SPDX-License-Identifier: MIT
//
// Protects walls of bullets from ships that come late: whatever a client sends and whenever its frames
// arrive, a ship under a speed limit that has come from one side of a wall to the other has met it, where
// late frames are spread. The oracle is the wall: nothing gets through it unseen.
#include <gtest/gtest.h>

#include <deque>

#include "match/match.h"
#include "property/random.h"

namespace sweepd::match {
namespace {

using property::Random;

constexpr int kMatches = 1500;
constexpr int kTicks = 120;
constexpr collision::Subunits kWall = 1'000;
constexpr collision::Subunits kShipHalf = 2;

MatchConfig random_config(Random& random, LateFramePolicy policy) {
  MatchConfig config;
  config.layers = {"ship", "wall"};
  config.collides = {{"ship", "wall", true}};
  config.clock = ClockKind::kManual;
  config.late_frames = policy;
  config.max_late_ticks = static_cast<std::uint32_t>(random.between(0, 60));
  config.max_lead_ticks = static_cast<std::uint32_t>(random.between(0, 20));
  LayerLimits limits{.layer = "ship", .speed_max = static_cast<std::uint32_t>(random.between(20, 400))};
  limits.speed_budget_ticks = static_cast<std::uint32_t>(random.between(1, 40));
  config.layer_limits = {limits};
  return config;
}

/// One client that steers a ship to and fro, with a network that holds its frames up as it likes.
class Voyage {
 public:
  Voyage(Random& random, LateFramePolicy policy) : random_(random) {
    const MatchConfig config = random_config(random, policy);
    speed_ = static_cast<collision::Subunits>(*config.layer_limits[0].speed_max);
    match_ = std::move(*Match::create(config));
    ship_ = match_->apply(Join{"ship", Role::kPlayer}).value().number;
    const ParticipantNumber stage = match_->apply(Join{"stage", Role::kStage}).value().number;
    spawn(ship_, {{-kShipHalf, -kShipHalf, kShipHalf, kShipHalf}, 0}, {0, 0});
    // As thick as one tick's way, which is judged where it ends.
    spawn(stage, {{0, -(1 << 20), speed_, 1 << 20}, 1}, {kWall, 0});
    match_->step();
  }

  /// How often the ship crossed the wall without having met it.
  int unseen_crossings() {
    for (int tick = 0; tick < kTicks; ++tick) {
      send();
      deliver();
      step();
    }
    return unseen_;
  }
  int crossings() const { return crossings_; }
  std::uint64_t bunched() const { return match_->find_participant(ship_)->bunched_frames; }

 private:
  void spawn(ParticipantNumber owner, const collision::Part& part, collision::Point position) {
    Frame frame;
    collision::ObjectSpec spec;
    spec.id = match_->find_participant(owner)->first_id;
    spec.parts = {part};
    spec.position = position;
    frame.spawns = {spec};
    EXPECT_FALSE(match_->apply(Submission{owner, std::move(frame)}));
  }

  void send() {
    for (std::int64_t count = random_.between(0, 2); count > 0; --count) {
      Frame frame;
      frame.tick = random_.chance(80) ? match_->tick() + 1 + static_cast<Tick>(random_.between(0, 3)) : 0;
      for (std::int64_t moves = random_.between(1, 3); moves > 0; --moves) {
        aim_ += static_cast<collision::Subunits>(heading_ * random_.between(0, speed_));
        frame.moves.push_back({match_->find_participant(ship_)->first_id,
                               {aim_, static_cast<collision::Subunits>(random_.between(-50, 50))}});
      }
      under_way_.push_back(std::move(frame));
    }
    if (random_.chance(5)) aim_ = x();
    if (random_.chance(4)) heading_ = -heading_;
  }

  void deliver() {
    if (held_up_ticks_ > 0 && --held_up_ticks_ > 0) return;
    for (; !under_way_.empty(); under_way_.pop_front())
      match_->apply(Submission{ship_, std::move(under_way_.front())});
    if (random_.chance(10)) held_up_ticks_ = static_cast<int>(random_.between(1, 40));
  }

  void step() {
    has_met_ = !match_->step().events.empty() || has_met_;
    const bool is_left = x() + kShipHalf < kWall;
    const bool is_right = x() - kShipHalf > kWall + speed_;
    if (!is_left && !is_right) return;
    if (is_left != was_left_) {
      ++crossings_;
      if (!has_met_) ++unseen_;
    }
    was_left_ = is_left;
    has_met_ = false;
  }

  collision::Subunits x() const {
    return match_->find_object(match_->find_participant(ship_)->first_id)->position.x;
  }

  Random& random_;
  std::unique_ptr<Match> match_;
  ParticipantNumber ship_ = 0;
  collision::Subunits speed_ = 0;
  collision::Subunits aim_ = 0;
  int heading_ = 1;
  std::deque<Frame> under_way_;
  int held_up_ticks_ = 0;
  bool was_left_ = true;  ///< When it was last clear of the wall.
  bool has_met_ = false;  ///< Since then.
  int crossings_ = 0;
  int unseen_ = 0;
};

struct Sum {
  int crossings = 0;
  int unseen = 0;
  std::uint64_t bunched = 0;
};

Sum sum_of(LateFramePolicy policy) {
  Sum sum;
  for (int number = 0; number < kMatches; ++number) {
    Random random(static_cast<std::uint64_t>(number));
    Voyage voyage(random, policy);
    sum.unseen += voyage.unseen_crossings();
    sum.crossings += voyage.crossings();
    sum.bunched += voyage.bunched();
  }
  return sum;
}

TEST(Lateness, NoShipGetsThroughAWallUnseen) {
  const Sum sum = sum_of(LateFramePolicy::kSpread);
  EXPECT_GT(sum.crossings, kMatches / 4);
  EXPECT_GT(sum.bunched, 1000u);
  EXPECT_EQ(sum.unseen, 0);
}

TEST(Lateness, WhereAllApplyAtOnceShipsDo) { EXPECT_GT(sum_of(LateFramePolicy::kApplyNext).unseen, 0); }

}  // namespace
}  // namespace sweepd::match
