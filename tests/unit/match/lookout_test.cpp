// SPDX-License-Identifier: MIT
//
// Protects the loop from what rules of visibility cost: looks are counted, one at a place is for all that is
// there, and past the budget there are none.
#include "match/visibility/lookout.h"

#include <gtest/gtest.h>

#include "unit/match/match_builders.h"

namespace sweepd::match::lookout_test {
namespace {

constexpr std::uint32_t kReach = 100;
constexpr std::uint32_t kAnchors = 8;
constexpr collision::Point kFar{100'000, 0};

/// Two players with kAnchors ships each: ann's at the origin, bob's around it, at 1000 on both axes.
class LookoutTest : public ::testing::Test {
 protected:
  LookoutTest() {
    ann_ = join(*match_, "ann").number;
    bob_ = join(*match_, "bob").number;
    for (const ParticipantNumber number : {ann_, bob_}) {
      Frame frame;
      for (std::uint32_t i = 0; i < kAnchors; ++i) {
        collision::ObjectSpec ship;
        ship.id = match_->find_participant(number)->first_id + i;
        ship.kind = 1;
        if (number == bob_) ship.position = {i % 2 == 0 ? 1000 : -1000, i % 4 < 2 ? 1000 : -1000};
        frame.spawns.push_back(ship);
      }
      match_->apply(Submission{number, frame});
    }
    match_->step();
  }

  static MatchConfig config() {
    MatchConfig config;
    config.layers = {"ship"};
    config.templates = {
        {.name = "ship", .shapes = {{{{.box = {-1, -1, 1, 1}}}}}, .spawn = {.alive_max = kAnchorsMax}}};
    config.visibility = {{.layer = "ship", .sees = Sight::kNear, .near = "ship", .distance_max = kReach}};
    return config;
  }

  Lookout lookout(std::uint32_t tests_max) const {
    const auto position_of = [this](ParticipantNumber, ObjectId id) {
      return std::optional(match_->find_object(id)->position);
    };
    return {*match_, rules_, Role::kPlayer, seat_bit(ann_) | seat_bit(bob_), position_of, tests_max};
  }
  static std::uint64_t taken(const Lookout& lookout) { return 1000 - lookout.meter().left(); }

  const std::unique_ptr<Match> match_ = make_match(config());
  const Visibility rules_{match_->config()};
  ParticipantNumber ann_ = 0;
  ParticipantNumber bob_ = 0;
};

TEST_F(LookoutTest, ThoseWithAnObjectNearSeeAndNoOneElse) {
  Lookout lookout = this->lookout(1000);
  const auto seats_at = [&](collision::Point place) {
    return lookout.seats_that_see({.owner = 60, .position = place});
  };
  EXPECT_EQ(seats_at({0, 100}), seat_bit(ann_)) << "and not bob, whose ships are all around";
  EXPECT_EQ(seats_at({0, 101}), 0u);
  EXPECT_EQ(seats_at({-1060, -1080}), seat_bit(bob_));
  EXPECT_EQ(seats_at({-1061, -1080}), 0u);
  EXPECT_EQ(seats_at(kFar), 0u);
}

TEST_F(LookoutTest, FourDistancesAreATestAndAPlaceIsLookedAtOnce) {
  Lookout lookout = this->lookout(1000);
  lookout.seats_that_see({.owner = 60, .position = kFar});
  EXPECT_EQ(taken(lookout), 4u + 1) << "16 anchors, and the boxes around those of two seats";
  for (ParticipantNumber owner = 50; owner < 60; ++owner)
    lookout.seats_that_see({.owner = owner, .position = kFar});
  EXPECT_EQ(taken(lookout), 4u + 1);
  lookout.seats_that_see({.owner = 60, .position = collision::Point{0, 500}});
  EXPECT_EQ(taken(lookout), 4u + 1 + 3) << "the two boxes, and bob's eight ships, as the place is among them";
}

TEST_F(LookoutTest, PastTheBudgetOnlyTheOwnIsSeen) {
  Lookout lookout = this->lookout(5);
  lookout.seats_that_see({.owner = 60, .position = kFar});
  EXPECT_FALSE(lookout.meter().is_exceeded());
  lookout.seats_that_see({.owner = 60, .position = collision::Point{0, 500}});
  EXPECT_TRUE(lookout.meter().is_exceeded());
  EXPECT_EQ(lookout.seats_that_see({.owner = bob_, .position = collision::Point{}}), seat_bit(bob_));
}

}  // namespace
}  // namespace sweepd::match::lookout_test
