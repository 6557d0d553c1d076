// SPDX-License-Identifier: MIT
//
// Protects a game's view of the world from what a server may tell: after an error the next snapshot makes it
// good, and no number makes a place that is none. And the client's memory from a game that takes nothing.
#include "sweepd/world_view.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>

#include "subscription.h"

namespace sweepd::internal::world_view_test {
namespace {

/// A stream with a view, which the test feeds.
class WorldViewTest : public ::testing::Test {
 protected:
  struct Feed : MatchFeed {
    explicit Feed(std::shared_ptr<Subscription> subscription) : MatchFeed(std::move(subscription)) {}
  };

  WorldViewTest() {
    v1::Match match;
    match.mutable_clock()->set_tick_rate_hz(60);
    EXPECT_TRUE(subscription_->join({.match = match, .open_encounters = none_}, {}));
  }

  Status tell(const v1::WorldTick& tick) {
    v1::TickUpdate update;
    update.set_tick(tick.tick());
    update.add_world(tick.SerializeAsString());
    return subscription_->update(update);
  }
  static v1::WorldTick snapshot(Tick at, std::uint32_t objects) {
    v1::WorldTick tick;
    tick.set_tick(at);
    tick.set_is_snapshot(true);
    tick.set_first_kind(1);
    tick.add_kinds();
    for (std::uint32_t i = 0; i < objects; ++i) {
      tick.mutable_appearances()->add_id_delta(1);
      tick.mutable_appearances()->add_kind(1);
    }
    return tick;
  }
  static v1::WorldTick hit(Tick at, ObjectId id) {
    v1::WorldTick tick;
    tick.set_tick(at);
    tick.mutable_hit_points()->add_id_delta(id);
    tick.mutable_hit_points()->add_hit_points(3);
    return tick;
  }

  const google::protobuf::RepeatedPtrField<v1::Encounter> none_;
  const std::shared_ptr<Subscription> subscription_ =
      std::make_shared<Subscription>(SubscriptionLimits{.queued_max = 100, .world_every_ticks = 1});
  WorldView view_{Feed(subscription_)};
};

TEST_F(WorldViewTest, StandsStillAfterAnErrorUntilTheNextSnapshot) {
  ASSERT_TRUE(tell(snapshot(10, 2)).ok());
  ASSERT_TRUE(tell(hit(11, 7)).ok());
  ASSERT_TRUE(tell(hit(12, 1)).ok());
  view_.update();
  EXPECT_EQ(view_.error().code(), ErrorCode::kInternal);
  EXPECT_EQ(view_.tick(), 10u);
  ASSERT_TRUE(tell(snapshot(13, 3)).ok());
  ASSERT_TRUE(tell(hit(14, 3)).ok());
  EXPECT_TRUE(view_.update().begins_anew);
  EXPECT_TRUE(view_.error().ok()) << view_.error().message();
  EXPECT_EQ(view_.tick(), 14u);
  EXPECT_EQ(view_.objects().size(), 3u);
  EXPECT_EQ(view_.find(3)->hit_points, 3u);
}

TEST_F(WorldViewTest, ASnapshotThatIsWrongIsAnErrorAgain) {
  ASSERT_TRUE(tell(hit(11, 7)).ok());
  view_.update();
  ASSERT_FALSE(view_.error().ok());
  v1::WorldTick wrong = snapshot(12, 2);
  wrong.mutable_appearances()->set_id_delta(1, 0);
  ASSERT_TRUE(tell(wrong).ok());
  view_.update();
  EXPECT_FALSE(view_.error().ok());
}

TEST_F(WorldViewTest, DrawsAFinitePlaceAtATickThatCannotBe) {
  v1::WorldTick flying = snapshot(10, 1);
  flying.mutable_appearances()->add_velocity(256);
  flying.mutable_appearances()->add_velocity(0);
  ASSERT_TRUE(tell(flying).ok());
  view_.update();
  for (const double tick : {std::nan(""), HUGE_VAL, -HUGE_VAL, -1.0, 0x1p64, 1e300}) {
    EXPECT_TRUE(std::isfinite(view_.drawn_position(1, tick)->x)) << tick;
    EXPECT_TRUE(std::isfinite(view_.drawn_position(1, tick)->y)) << tick;
  }
}

TEST_F(WorldViewTest, TakesTheWildestNumbersOfAServer) {
  v1::TickUpdate update;
  update.set_tick(~Tick{0});
  update.set_delay_ms(~0u);
  update.mutable_clock()->set_tick_rate_hz(~0u);
  update.add_world(snapshot(~Tick{0}, 1).SerializeAsString());
  ASSERT_TRUE(subscription_->update(update).ok());
  const auto now = std::chrono::steady_clock::now();
  for (int second = 0; second < 10; ++second) view_.update(now + std::chrono::seconds(second));
  EXPECT_TRUE(std::isfinite(view_.estimated_tick()));
  EXPECT_TRUE(std::isfinite(view_.drawn_position(1)->x));
  EXPECT_GE(view_.recommended_lead(), 1u);
}

TEST(WorldInboxTest, IsBoundedByWhatItsTicksTakeInMemory) {
  constexpr std::size_t kBytesMax = std::size_t{4} << 20;
  v1::WorldTick tick;
  for (int i = 0; i < 1'000; ++i) tick.add_kinds();
  const std::size_t memory = tick.SpaceUsedLong();
  ASSERT_GT(memory, 10 * tick.ByteSizeLong()) << "on the wire it is small";
  WorldInbox inbox(kBytesMax);
  std::size_t count = 0;
  while (count < kBytesMax && inbox.put(tick)) ++count;
  EXPECT_GT(count, 1u);
  EXPECT_LE(count * memory, kBytesMax);
  v1::WorldTick snapshot = tick;
  snapshot.set_is_snapshot(true);
  EXPECT_TRUE(inbox.put(snapshot)) << "all before it is void";
  EXPECT_EQ(inbox.take().ticks.size(), 1u);
  EXPECT_TRUE(inbox.put(tick));
}

TEST(WorldInboxTest, HoldsMinutesOfALivelyMatch) {
  v1::WorldTick tick;
  for (int i = 0; i < 200; ++i) {
    tick.mutable_moves()->add_id_delta(1);
    tick.mutable_moves()->add_difference(300);
    tick.mutable_moves()->add_difference(300);
  }
  EXPECT_GT(WorldInbox::kBytesMax / tick.SpaceUsedLong(), 60u * 120);
}

}  // namespace
}  // namespace sweepd::internal::world_view_test
