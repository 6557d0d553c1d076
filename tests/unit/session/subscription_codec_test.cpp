// SPDX-License-Identifier: MIT
//
// Protects what a subscriber may ask for: what is given arrives, what is not has its default, and what is
// wrong is named, with the value at each limit and one past it.
#include "session/subscription_codec.h"

#include <gtest/gtest.h>

#include "runtime/match/resident_matches.h"

namespace sweepd::session::subscription_codec_test {
namespace {

class IdlePoller final : public runtime::Poller {
 public:
  runtime::Duration poll(runtime::TimePoint) override { return {}; }
  void wake() override {}
};

class SubscriptionCodec : public ::testing::Test {
 protected:
  SubscriptionCodec() {
    match::MatchConfig config;
    config.layers = {"ship", "bullet", "item"};
    config.clock = match::ClockKind::kManual;
    host_ = &matches_.add(registry_.add()->id, std::move(*match::Match::create(config)));
  }

  runtime::SubscriptionOptions good() {
    const auto options = decode_subscription(request_, *host_);
    EXPECT_TRUE(options.ok()) << (options.ok() ? ""
                                               : options.error().field + " " + options.error().description);
    return options.ok() ? *options : runtime::SubscriptionOptions{};
  }

  /// The field at fault.
  std::string fault() {
    const auto options = decode_subscription(request_, *host_);
    return options.ok() ? "" : options.error().field;
  }

  v1::WatchRequest request_;
  IdlePoller poller_;
  runtime::Loop loop_{poller_};
  runtime::MatchRegistry registry_{1, 10};
  runtime::ResidentMatches matches_{loop_, registry_, std::chrono::seconds(300)};
  runtime::MatchHost* host_ = nullptr;
};

TEST_F(SubscriptionCodec, WithoutSettingsEverythingIsToldAndASlowReaderGoes) {
  const auto options = good();
  EXPECT_TRUE(options.filter.passes_everything());
  EXPECT_FALSE(options.resume);
  EXPECT_EQ(options.stay_every_ticks, 0u);
  EXPECT_EQ(options.when_full, runtime::WhenFull::kDisconnect);
  EXPECT_EQ(options.events_max, 32768u);
}

TEST_F(SubscriptionCodec, WhatIsGivenArrives) {
  v1::EventFilter& filter = *request_.mutable_filter();
  filter.add_layers(2);
  filter.add_layers(0);
  filter.add_object_ids(9);
  filter.add_object_ids(4);
  filter.add_kinds(v1::EVENT_KIND_EXIT);
  filter.set_stay_every_ticks(3600);
  request_.mutable_queue_policy()->set_when_full(v1::WHEN_FULL_COALESCE);
  request_.mutable_queue_policy()->set_events_max(1);
  request_.mutable_resume()->set_epoch(5);
  request_.mutable_resume()->set_last_sequence_number(6);
  request_.mutable_resume()->set_last_tick(7);
  const auto options = good();
  EXPECT_EQ(options.filter.layers, 0b101u);
  EXPECT_EQ(options.filter.objects, (std::vector<collision::ObjectId>{4, 9}));
  EXPECT_FALSE(options.filter.enters);
  EXPECT_TRUE(options.filter.exits);
  EXPECT_EQ(options.stay_every_ticks, 3600u);
  EXPECT_EQ(options.when_full, runtime::WhenFull::kCoalesce);
  EXPECT_EQ(options.events_max, 1u);
  EXPECT_EQ(options.resume->epoch, 5u);
  EXPECT_EQ(options.resume->last_sequence_number, 6u);
  EXPECT_EQ(options.resume->last_tick, 7u);
}

TEST_F(SubscriptionCodec, ALayerHasToBeOneOfTheMatch) {
  request_.mutable_filter()->add_layers(2);
  good();
  request_.mutable_filter()->add_layers(3);
  EXPECT_EQ(fault(), "filter.layers[1]");
}

TEST_F(SubscriptionCodec, ThereAreAtMost64Layers) {
  for (int i = 0; i < 64; ++i) request_.mutable_filter()->add_layers(0);
  good();
  request_.mutable_filter()->add_layers(0);
  EXPECT_EQ(fault(), "filter.layers");
}

TEST_F(SubscriptionCodec, ThereAreAtMost1024ObjectsAndNoneIs0) {
  for (std::uint32_t i = 1; i <= 1024; ++i) request_.mutable_filter()->add_object_ids(i);
  good();
  request_.mutable_filter()->add_object_ids(1025);
  EXPECT_EQ(fault(), "filter.object_ids");
  request_.mutable_filter()->mutable_object_ids()->Truncate(2);
  request_.mutable_filter()->add_object_ids(0);
  EXPECT_EQ(fault(), "filter.object_ids[2]");
}

TEST_F(SubscriptionCodec, KindsAreEnterAndExit) {
  request_.mutable_filter()->add_kinds(v1::EVENT_KIND_ENTER);
  request_.mutable_filter()->add_kinds(v1::EVENT_KIND_EXIT);
  EXPECT_TRUE(good().filter.passes_everything());
  request_.mutable_filter()->set_kinds(1, v1::EVENT_KIND_UNSPECIFIED);
  EXPECT_EQ(fault(), "filter.kinds[1]");
  request_.mutable_filter()->set_kinds(1, static_cast<v1::EventKind>(3));
  EXPECT_EQ(fault(), "filter.kinds[1]");
  request_.mutable_filter()->set_kinds(1, v1::EVENT_KIND_EXIT);
  request_.mutable_filter()->add_kinds(v1::EVENT_KIND_EXIT);
  EXPECT_EQ(fault(), "filter.kinds");
}

TEST_F(SubscriptionCodec, StaysComeAtLeastEvery3600Ticks) {
  request_.mutable_filter()->set_stay_every_ticks(3600);
  good();
  request_.mutable_filter()->set_stay_every_ticks(3601);
  EXPECT_EQ(fault(), "filter.stay_every_ticks");
}

TEST_F(SubscriptionCodec, OwnObjectsAreForThoseWhoHaveSome) {
  request_.mutable_filter()->set_own_objects(true);
  EXPECT_EQ(fault(), "filter.own_objects");
  v1::Join join;
  join.mutable_filter()->set_own_objects(true);
  const auto options = decode_subscription(join, *host_);
  ASSERT_TRUE(options.ok());
  EXPECT_TRUE(options->own_objects_only);
}

TEST_F(SubscriptionCodec, DigestsComeAtLeastEvery3600Ticks) {
  request_.mutable_filter()->set_digest_every_ticks(3600);
  EXPECT_EQ(good().digest_every_ticks, 3600u);
  request_.mutable_filter()->set_digest_every_ticks(3601);
  EXPECT_EQ(fault(), "filter.digest_every_ticks");
}

TEST_F(SubscriptionCodec, AQueueHoldsAtMost32768EventsAndItsPolicyIsKnown) {
  request_.mutable_queue_policy()->set_events_max(32768);
  EXPECT_EQ(good().events_max, 32768u);
  request_.mutable_queue_policy()->set_events_max(32769);
  EXPECT_EQ(fault(), "queue_policy.events_max");
  request_.mutable_queue_policy()->set_events_max(0);
  request_.mutable_queue_policy()->set_when_full(static_cast<v1::WhenFull>(4));
  EXPECT_EQ(fault(), "queue_policy.when_full");
}

TEST_F(SubscriptionCodec, APlaceAheadOfTheLogIsAnErrorInItsEpochOnly) {
  request_.mutable_resume()->set_epoch(host_->log().epoch());
  good();
  request_.mutable_resume()->set_last_sequence_number(1);
  EXPECT_EQ(fault(), "resume.last_sequence_number");
  request_.mutable_resume()->set_epoch(host_->log().epoch() ^ 1);
  good();
}

TEST_F(SubscriptionCodec, AJoinAsksInTheSameWay) {
  v1::Join join;
  join.mutable_filter()->add_layers(3);
  EXPECT_EQ(decode_subscription(join, *host_).error().field, "filter.layers[0]");
}

}  // namespace
}  // namespace sweepd::session::subscription_codec_test
