// SPDX-License-Identifier: MIT
//
// Protects the list of a match's subscribers: each is told of every tick while it is there, one that leaves
// in the middle of that spoils the walk for no other, and a seat that goes to another stream is taken from
// the right one.
#include "runtime/match/followers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "unit/runtime/match_host_fixture.h"

namespace sweepd::runtime::followers_test {
namespace {

/// Writes down what it is told, in one list with the others.
class Listener final : public Subscriber {
 public:
  Listener(std::string name, std::vector<std::string>& heard) : name_(std::move(name)), heard_(heard) {}

  void tick_is_due() override {
    heard_.push_back(name_ + " due");
    if (on_due) on_due();
  }
  void tick_has_run() override {
    heard_.push_back(name_);
    if (on_tick) on_tick();
  }
  void match_ended(const MatchHost&) override {}
  void replaced() override { heard_.push_back(name_ + " replaced"); }
  void seat_replaced(match::ParticipantNumber number) override {
    heard_.push_back(name_ + " without " + std::to_string(number));
  }
  void match_moved(std::size_t loop) override { heard_.push_back(name_ + " to " + std::to_string(loop)); }
  bool is_behind() const override { return behind; }

  std::function<void()> on_due;
  std::function<void()> on_tick;
  bool behind = false;

 private:
  const std::string name_;
  std::vector<std::string>& heard_;
};

struct NoReports final : ReportSink {
  void add(const TickReport&) override {}
  bool is_full() const override { return false; }
};

class FollowersTest : public ::testing::Test {
 protected:
  Feed feed() { return {*match_, log_, absences_, scores_, claims_, clock_, room_}; }

  Subscription& add(Listener& listener, std::vector<Subscription::Seat> seats = {}) {
    return followers_.add(listener, std::make_unique<Subscription>(
                                        SubscriptionOptions{.resume = {}, .filter = {}, .is_shared = true},
                                        feed(), Subscription::Own{.seats = std::move(seats)}));
  }

  Subscription::Seat seat(match::ParticipantNumber number, std::uint64_t told_rejections = 0) const {
    return {.number = number, .rejections = &no_rejections_, .told_rejections = told_rejections};
  }

  void run_ticks(int count) {
    for (int i = 0; i < count; ++i) log_.append(match_->step());
  }

  void take_all_reports(Subscription& subscription) {
    NoReports sink;
    subscription.collect(feed(), sink, true);
  }

  const std::unique_ptr<match::Match> match_ =
      std::move(*match::Match::create(config_with(match::ClockKind::kManual)));
  EventLog log_{{.retained_ticks = 3}, *match_};
  Absences absences_;
  LatestScores scores_;
  ClaimLog claims_;
  ClockState clock_;
  ReportBuffers room_;
  RejectionBox no_rejections_;
  std::vector<std::string> heard_;
  Listener ann_{"ann", heard_};
  Listener bob_{"bob", heard_};
  Listener cy_{"cy", heard_};
  Followers followers_;
};

TEST_F(FollowersTest, EachIsToldInTheOrderInWhichTheyCame) {
  for (Listener* listener : {&bob_, &ann_, &cy_}) add(*listener);
  followers_.tell_tick();
  EXPECT_THAT(heard_, ElementsAre("bob", "ann", "cy"));
}

TEST_F(FollowersTest, OneThatLeavesWhileTheyAreToldIsTakenOutAfterwards) {
  for (Listener* listener : {&ann_, &bob_, &cy_}) add(*listener);
  ann_.on_tick = [&] {
    EXPECT_TRUE(followers_.is_telling());
    followers_.mark_left(ann_, true);
  };
  followers_.tell_tick();
  EXPECT_THAT(heard_, ElementsAre("ann", "bob", "cy"));
  EXPECT_FALSE(followers_.is_telling());

  const auto left = followers_.take_left();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].subscriber, &ann_);
  EXPECT_TRUE(left[0].keeps_seat);
  heard_.clear();
  followers_.tell_tick();
  EXPECT_THAT(heard_, ElementsAre("bob", "cy"));
  EXPECT_TRUE(followers_.take_left().empty()) << "once";
}

TEST_F(FollowersTest, WatchersAreToldInTurnWhereThereIsNoTimeForAll) {
  add(ann_);
  add(bob_);
  add(cy_, {seat(1)});
  int left = 1;
  const auto has_time = [&left] { return left-- > 0; };
  EXPECT_FALSE(followers_.tell_tick(has_time));
  EXPECT_THAT(heard_, ElementsAre("cy", "ann")) << "a player is told at once";
  left = 1;
  EXPECT_FALSE(followers_.tell_tick(has_time)) << "the next tick";
  EXPECT_THAT(heard_, ElementsAre("cy", "ann", "cy", "bob"));
  left = 10;
  EXPECT_TRUE(followers_.tell_rest(has_time));
  EXPECT_THAT(heard_, ElementsAre("cy", "ann", "cy", "bob", "ann"));
  EXPECT_TRUE(followers_.tell_rest(has_time));
  EXPECT_EQ(heard_.size(), 5u) << "once";
}

TEST_F(FollowersTest, PlayersAreToldInTurnAndBeforeWatchersWhereThereIsNoTimeForAll) {
  add(ann_);
  add(bob_, {seat(1)});
  add(cy_, {seat(2)});
  bool has_time = false;
  const auto ask = [&has_time] { return has_time; };
  EXPECT_FALSE(followers_.tell_tick(ask));
  EXPECT_THAT(heard_, ElementsAre("bob")) << "one of them in any case";
  EXPECT_FALSE(followers_.tell_tick(ask)) << "the next tick";
  EXPECT_THAT(heard_, ElementsAre("bob", "cy")) << "which has waited for longer";
  has_time = true;
  EXPECT_TRUE(followers_.tell_rest(ask));
  EXPECT_THAT(heard_, ElementsAre("bob", "cy", "bob", "ann"));
}

TEST_F(FollowersTest, EachThatLeavesSaysWhetherItKeepsItsSeat) {
  for (Listener* listener : {&ann_, &bob_, &cy_}) add(*listener);
  followers_.mark_left(cy_, false);
  followers_.mark_left(ann_, true);
  const auto left = followers_.take_left();
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0].subscriber, &ann_);
  EXPECT_TRUE(left[0].keeps_seat);
  EXPECT_EQ(left[1].subscriber, &cy_);
  EXPECT_FALSE(left[1].keeps_seat);
  followers_.mark_left(bob_, false);
  EXPECT_EQ(followers_.take_left().size(), 1u);
  EXPECT_TRUE(followers_.empty());
}

TEST_F(FollowersTest, AStreamOfOneIsOverWhenItsSeatGoesElsewhere) {
  add(ann_, {seat(1, 7)});
  add(bob_, {seat(2)});
  const auto told = followers_.replace_stream_of(1);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->number, 1u);
  EXPECT_EQ(told->told_rejections, 7u) << "the next stream goes on from there";
  followers_.tell_tick();
  EXPECT_THAT(heard_, ElementsAre("ann replaced", "bob"));
}

TEST_F(FollowersTest, AStreamOfSeveralGoesOnForTheOthers) {
  Subscription& shared = add(ann_, {seat(1), seat(2, 5), seat(3)});
  const auto told = followers_.replace_stream_of(2);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->told_rejections, 5u);
  EXPECT_FALSE(shared.has_seat(2));
  EXPECT_TRUE(shared.has_seat(1) && shared.has_seat(3));
  followers_.tell_tick();
  EXPECT_THAT(heard_, ElementsAre("ann without 2", "ann"));
}

TEST_F(FollowersTest, ASeatThatNoStreamHasIsTakenFromNone) {
  add(ann_, {seat(1)});
  add(bob_);
  EXPECT_FALSE(followers_.replace_stream_of(2));
  EXPECT_TRUE(heard_.empty());
}

TEST_F(FollowersTest, TheSlowestSaysWhatAllHaveBeenTold) {
  EXPECT_EQ(followers_.told_to_all(9), 9u) << "there are none";
  Subscription& fast = add(ann_);
  Subscription& slow = add(bob_);
  run_ticks(2);
  take_all_reports(slow);
  run_ticks(3);
  take_all_reports(fast);
  EXPECT_EQ(followers_.told_to_all(match_->tick()), 2u);
  take_all_reports(slow);
  EXPECT_EQ(followers_.told_to_all(match_->tick()), 5u);
}

TEST_F(FollowersTest, OneThatIsBehindIsEnough) {
  for (Listener* listener : {&ann_, &bob_, &cy_}) add(*listener);
  EXPECT_FALSE(followers_.is_any_behind());
  bob_.behind = true;
  EXPECT_TRUE(followers_.is_any_behind());
}

TEST_F(FollowersTest, SubscriptionsAreFoundByTheirSubscriber) {
  Subscription& first = add(ann_);
  Subscription& second = add(bob_);
  EXPECT_EQ(&followers_.subscription_of(ann_), &first);
  EXPECT_EQ(&followers_.subscription_of(bob_), &second);
}

TEST_F(FollowersTest, AllAreToldOfAMove) {
  add(ann_);
  add(bob_);
  followers_.tell_move(3);
  EXPECT_THAT(heard_, ElementsAre("ann to 3", "bob to 3"));
}

TEST_F(FollowersTest, OneThatIsGoneBeforeTheEndIsToldIsTakenOut) {
  add(ann_);
  add(bob_);
  followers_.remove(ann_);
  EXPECT_FALSE(followers_.empty());
  followers_.remove(bob_);
  EXPECT_TRUE(followers_.empty());
}

TEST_F(FollowersTest, ThoseWhoAreToldThatATickIsDueMayComeAndGo) {
  Listener one("one", heard_);
  Listener two("two", heard_);
  Listener three("three", heard_);
  Listener late("late", heard_);
  add(one);
  add(two);
  add(three);
  one.on_due = [&] {
    followers_.mark_left(one, false);
    followers_.mark_left(two, false);
    (void)followers_.take_left();
    add(late);
  };
  followers_.tell_due();
  EXPECT_THAT(heard_, ::testing::ElementsAre("one due", "three due"));
}

}  // namespace
}  // namespace sweepd::runtime::followers_test
