// SPDX-License-Identifier: MIT
//
// Protects what bounds the world feed and orders it: how many channels a match has and for whom they are
// kept; what a budget of bytes lets out, and in which order; and where a region is that follows an object.
#include "runtime/feed/world/world_feed.h"

#include <gtest/gtest.h>

#include "runtime/feed/subscription.h"
#include "runtime/feed/world/world_budget.h"
#include "runtime/feed/world/world_urgency.h"
#include "runtime/feed/world/world_window.h"

namespace sweepd::runtime::world_feed_test {
namespace {

std::string no_bytes(const WorldTick&) { return {}; }

class WorldFeedTest : public ::testing::Test {
 protected:
  WorldFeedTest() {
    match::MatchConfig config;
    config.layers = {"ship"};
    match_ = std::move(*match::Match::create(config));
    feed_.emplace(*match_);
    match_->set_observer(&*feed_);
  }

  /// Of a watcher. The interest is all that differs.
  static WorldScope scope(std::uint32_t step) { return WorldScope({.step = step}, {}); }
  static WorldScope scope_of_player(match::ParticipantNumber seat, std::uint32_t step = 1) {
    return WorldScope({.step = step}, {.sees_all = false, .seats = {seat}}, true);
  }
  bool open(const WorldScope& view, std::uint64_t resumed_id = 0) {
    std::shared_ptr<WorldChannel> channel = feed_->open(view, no_bytes, resumed_id);
    if (channel == nullptr) return false;
    open_.push_back(std::move(channel));
    return true;
  }

  std::unique_ptr<match::Match> match_;
  std::optional<WorldFeed> feed_;
  std::vector<std::shared_ptr<WorldChannel>> open_;
};

TEST_F(WorldFeedTest, HasNoRoomForMoreInterestsOfWatchersThanItMayHaveUntilOneIsUnused) {
  for (std::uint32_t step = 1; step <= WorldFeed::kChannelsMax; ++step) ASSERT_TRUE(open(scope(step)));
  EXPECT_TRUE(feed_->has_room_for(scope(7))) << "there is one for all that ask so";
  EXPECT_FALSE(feed_->has_room_for(scope(1000)));
  EXPECT_TRUE(feed_->has_room_for(scope_of_player(3))) << "a player is never refused its picture";
  open_.pop_back();
  EXPECT_TRUE(feed_->has_room_for(scope(1000)));
}

TEST_F(WorldFeedTest, HasAChannelForEachPlayerBesideThoseOfWatchers) {
  for (std::uint32_t step = 1; step <= WorldFeed::kChannelsMax; ++step) ASSERT_TRUE(open(scope(step)));
  for (match::ParticipantNumber seat = 0; seat < match::kParticipantsMax; ++seat) {
    ASSERT_TRUE(open(scope_of_player(seat)));
    ASSERT_TRUE(open(scope_of_player(seat, 2))) << "it comes back before its old stream is known to be gone";
  }
  EXPECT_FALSE(open(scope(1000)));
  open_.erase(open_.begin());
  EXPECT_TRUE(open(scope(1000))) << "in place of the one that is unused";
}

TEST_F(WorldFeedTest, KeepsAChannelForOneThatComesBackAndNotForTheNextThatHasTheSeat) {
  ASSERT_TRUE(open(scope_of_player(3)));
  const std::uint64_t id = open_.back()->id();
  open_.clear();
  ASSERT_TRUE(open(scope_of_player(3)));
  EXPECT_NE(open_.back()->id(), id) << "what the former player saw is not for this one";
  ASSERT_TRUE(open(scope_of_player(3), id));
  EXPECT_EQ(open_.back()->id(), id);
}

TEST_F(WorldFeedTest, ClosesTheChannelOfOneThatAsksForSomethingElse) {
  ASSERT_TRUE(open(scope_of_player(3)));
  const std::uint64_t id = open_.back()->id();
  feed_->close_if_unused(id);
  ASSERT_TRUE(open(scope_of_player(3), id));
  EXPECT_EQ(open_.back()->id(), id) << "it is in use";
  open_.clear();
  feed_->close_if_unused(id);
  ASSERT_TRUE(open(scope_of_player(3), id));
  EXPECT_NE(open_.back()->id(), id);
}

TEST(WorldKinds, ThatNoObjectInViewHasAreInNoSnapshotAndAreToldAnew) {
  const auto part = [](collision::LayerId layer) {
    collision::Part part;
    part.layer = layer;
    return std::vector<collision::Part>{part};
  };
  WorldKinds kinds;
  WorldTick told;
  const std::uint32_t seen = kinds.number_of(0, 0, part(0), told);
  const std::uint32_t gone = kinds.number_of(1, 0, part(1), told);
  WorldTick snapshot;
  kinds.tell({seen}, snapshot);
  ASSERT_EQ(snapshot.kinds.size(), 2u);
  EXPECT_EQ(snapshot.kinds[0].parts.size(), 1u);
  EXPECT_TRUE(snapshot.kinds[1].parts.empty());
  WorldTick next;
  EXPECT_EQ(kinds.number_of(0, 0, part(0), next), seen);
  EXPECT_NE(kinds.number_of(1, 0, part(1), next), gone);
  EXPECT_EQ(next.kinds.size(), 1u);
}

/// The world's ticks that one collecting brought.
struct WorldUpdate final : ReportSink {
  void add(const TickReport& report) override {
    for (const std::string_view tick : report.world) ticks.emplace_back(tick);
  }
  bool is_full() const override { return false; }
  std::vector<std::string> ticks;
};

std::string tick_number(const WorldTick& tick) {
  return (tick.feed_id != 0 ? "snapshot " : "tick ") + std::to_string(tick.tick);
}

class WorldSubscriptionTest : public WorldFeedTest {
 protected:
  static SubscriptionOptions::World asked(std::uint32_t step) {
    return {.interest = {.step = step}, .encode = tick_number};
  }
  Feed feed() {
    return {*match_, log_, absences_, scores_, claims_, clock_, room_, 0, 0, nullptr, nullptr, &*feed_};
  }
  std::vector<std::string> collect(Subscription& subscription) {
    WorldUpdate update;
    subscription.collect(feed(), update, false);
    return update.ticks;
  }
  void step() {
    log_.append(match_->step());
    feed_->tick_has_run();
  }

  EventLog log_{EventLogLimits{.retained_ticks = 100}};
  Absences absences_;
  LatestScores scores_;
  ClaimLog claims_;
  ClockState clock_;
  ReportBuffers room_;
};

using Ticks = std::vector<std::string>;

TEST_F(WorldSubscriptionTest, BeginsWithASnapshotAndWithAnotherWhenAskedForOne) {
  SubscriptionOptions options;
  options.world = asked(1);
  Subscription subscription(options, feed(), {});
  EXPECT_EQ(collect(subscription), (Ticks{"snapshot 0"})) << "before the first tick";
  EXPECT_EQ(collect(subscription), Ticks());
  step();
  subscription.ask_for_world(asked(1));
  EXPECT_EQ(collect(subscription), (Ticks{"snapshot 1"})) << "of the same";
  subscription.ask_for_world(asked(2));
  EXPECT_EQ(collect(subscription), (Ticks{"snapshot 1"}));
}

TEST_F(WorldSubscriptionTest, IsToldNothingWhereThereIsNoRoomForIt) {
  for (std::uint32_t step = 1; step <= WorldFeed::kChannelsMax; ++step) ASSERT_TRUE(open(scope(step)));
  SubscriptionOptions options;
  options.world = asked(1000);
  Subscription subscription(options, feed(), {});
  step();
  EXPECT_EQ(collect(subscription), Ticks());
  open_.pop_back();
  EXPECT_EQ(collect(subscription), (Ticks{"snapshot 1"}));
}

TEST(WorldBudget, LetsOutASecondsWorthAtOnceAndNoMoreThanThatEachSecond) {
  WorldBudget budget(600, 60);
  EXPECT_EQ(budget.bytes_left(), 0);
  budget.earn(1);
  EXPECT_EQ(budget.bytes_left(), 10);
  budget.spend(25);
  EXPECT_EQ(budget.bytes_left(), -15);
  budget.earn(60);
  EXPECT_EQ(budget.bytes_left(), 585);
  budget.spend(100'000);
  EXPECT_EQ(budget.bytes_left(), -600) << "no more is owed than a second's worth";
  budget.earn(100'000);
  EXPECT_EQ(budget.bytes_left(), 0) << "so many ticks at once are a second";
  budget.earn(100'000);
  EXPECT_EQ(budget.bytes_left(), 600);
  EXPECT_FALSE(WorldBudget(0, 60).is_bounded());
}

TEST(WorldUrgency, IsOfWhatIsFirstThenNearThenNewThenById) {
  const auto at = [](match::ObjectId id, int units, match::Tick since, bool is_first = false) {
    return WorldCandidate{.slot = id,
                          .id = id,
                          .position = {units * 256, 0},
                          .since = since,
                          .bytes = 10,
                          .is_first = is_first};
  };
  std::vector<WorldCandidate> candidates = {at(1, 900, 9), at(2, 3, 1), at(3, 2, 5),
                                            at(4, 2, 5),   at(5, 2, 6), at(6, 5000, 1, true)};
  EXPECT_EQ(most_urgent(candidates, collision::Point{0, 0}, 30), 3u);
  std::vector<match::ObjectId> order;
  for (const WorldCandidate& one : candidates) order.push_back(one.id);
  EXPECT_EQ(order, (std::vector<match::ObjectId>{6, 5, 3, 4, 2, 1}));
  EXPECT_EQ(most_urgent(candidates, collision::Point{0, 0}, 21), 3u)
      << "the last may be larger than what is left";
  EXPECT_EQ(most_urgent(candidates, std::nullopt, -5), 1u) << "what is first in any case";
}

TEST(WorldWindow, FollowsWhatIsSeenAndStaysWhereItWasElse) {
  WorldWindow window(WorldInterest{.region = collision::Box{-10, -10, 10, 10}, .follow = 7});
  const collision::Box place{100, 0, 101, 1};
  EXPECT_FALSE(window.shows(place, false)) << "it is nowhere yet";
  window.move(collision::Point{95, 0});
  EXPECT_TRUE(window.shows(place, false));
  window.move(std::nullopt);
  EXPECT_TRUE(window.shows(place, false));
  window.move(collision::Point{-95, 0});
  EXPECT_FALSE(window.shows(place, false));
}

TEST(WorldWindow, KeepsWhatIsInViewUntilItIsBeyondTheMargin) {
  const WorldWindow window(WorldInterest{.region = collision::Box{0, 0, 10, 10}, .leave_margin = 5});
  const collision::Box near{14, 0, 15, 1}, far{16, 0, 17, 1};
  EXPECT_FALSE(window.shows(near, false));
  EXPECT_TRUE(window.shows(near, true));
  EXPECT_FALSE(window.shows(far, true));
}

}  // namespace
}  // namespace sweepd::runtime::world_feed_test
