// SPDX-License-Identifier: MIT
//
// Protects subscribers that come back, come late or want only a part: what they missed comes exactly once
// while the log has it, else a snapshot says so; filters and stays are what was asked for.
#include "integration/support/stream_match.h"

namespace sweepd::test::resume_test {
namespace {

using ::testing::ElementsAre;

class Resume : public StreamTest {
 protected:
  std::string refusal(const v1::WatchRequest& request) {
    return refusal_text(RawWatch(*stub_, request).finish());
  }
};

TEST_F(Resume, AtTheRetainedLimitNothingIsMissingAndOneTickPastItASnapshotSaysSo) {
  MatchConfig config = shooter_config(ClockKind::kManual);
  config.retained_ticks = 10;
  begin(config);
  run(15);  // 16 ticks, 15 events.
  const std::uint64_t epoch = get_match().epoch();
  RawWatch covered(*stub_, resumed_after(watch_request(), epoch, 5));
  const v1::WatchStarted at_limit = covered.started();
  EXPECT_TRUE(at_limit.resumed());
  EXPECT_EQ(at_limit.open_encounters_size(), 0);
  EXPECT_EQ(covered.numbers_through(16), numbers(6, 15));

  RawWatch late(*stub_, resumed_after(watch_request(), epoch, 4));
  const v1::WatchStarted past_limit = late.started();
  EXPECT_FALSE(past_limit.resumed());
  EXPECT_EQ(past_limit.open_encounters_size(), 1);
  EXPECT_EQ(past_limit.match().events(), 15u) << "the updates go on after this number";
  run(1);
  EXPECT_EQ(late.numbers_through(17), numbers(16, 16));
}

TEST_F(Resume, WithoutRetainedTicksOnlyWhoMissedNothingIsResumed) {
  MatchConfig config = shooter_config(ClockKind::kManual);
  config.retained_ticks = 0;
  begin(config);
  run(5);
  const std::uint64_t epoch = get_match().epoch();
  EXPECT_TRUE(RawWatch(*stub_, resumed_after(watch_request(), epoch, 5)).started().resumed());
  EXPECT_FALSE(RawWatch(*stub_, resumed_after(watch_request(), epoch, 4)).started().resumed());
}

TEST_F(Resume, AnotherEpochIsASnapshotAndANumberThatIsNotThereYetIsAnError) {
  begin();
  run(3);
  const std::uint64_t epoch = get_match().epoch();
  EXPECT_FALSE(RawWatch(*stub_, resumed_after(watch_request(), epoch + 1, 99)).started().resumed());
  EXPECT_EQ(refusal(resumed_after(watch_request(), epoch, 4)), "3 INVALID_WATCH resume.last_sequence_number");
  EXPECT_TRUE(RawWatch(*stub_, resumed_after(watch_request(), epoch, 3)).started().resumed());
}

TEST_F(Resume, ALongLogComesInSeveralUpdatesByWholeTicks) {
  begin();
  run(kEventTicks);
  RawWatch watch(*stub_, resumed_after(watch_request(), get_match().epoch(), 0));
  watch.started();
  EXPECT_EQ(watch.numbers_through(kEventTicks + 1), numbers(1, kEventTicks));
}

TEST_F(Resume, AFilteredStreamKnowsThatNothingWasLostAndResumes) {
  begin();
  v1::WatchRequest request = watch_request();
  request.mutable_filter()->add_kinds(v1::EVENT_KIND_EXIT);
  RawWatch first(*stub_, request);
  const v1::WatchStarted started = first.started();
  run(4);
  std::vector<std::uint64_t> seen;
  std::uint64_t covered = 0;
  while (covered < 4) {
    const auto response = first.read();
    ASSERT_TRUE(response);
    for (const std::uint64_t number : numbers_of(response->update())) seen.push_back(number);
    covered = response->update().last_sequence_number();
  }
  EXPECT_THAT(seen, ElementsAre(2, 4));
  run(4);
  RawWatch second(*stub_, resumed_after(request, started.epoch(), covered));
  EXPECT_TRUE(second.started().resumed());
  EXPECT_EQ(second.numbers_through(9), (std::vector<std::uint64_t>{6, 8}));
}

TEST_F(Resume, FiltersByLayerAndObjectHoldForSnapshotsToo) {
  begin();
  run(1);
  const auto open = [&](const std::function<void(v1::EventFilter&)>& choose) {
    v1::WatchRequest request = watch_request();
    choose(*request.mutable_filter());
    return RawWatch(*stub_, request).started().open_encounters_size();
  };
  const std::uint32_t ship = get_match().participants(0).first_id();
  EXPECT_EQ(open([](v1::EventFilter& filter) { filter.add_layers(0); }), 1);
  EXPECT_EQ(open([](v1::EventFilter& filter) { filter.add_layers(2); }), 1);
  EXPECT_EQ(open([](v1::EventFilter& filter) { filter.add_layers(1); }), 0);
  EXPECT_EQ(open([&](v1::EventFilter& filter) { filter.add_object_ids(ship + 1); }), 1);
  EXPECT_EQ(open([&](v1::EventFilter& filter) { filter.add_object_ids(ship + 2); }), 0);
}

TEST_F(Resume, StaysComeOnRequest) {
  begin();
  run(kEventTicks - 1);  // Of the last event, an EXIT, nothing has happened yet: they are in contact.
  v1::WatchRequest request = watch_request();
  request.mutable_filter()->set_stay_every_ticks(1);
  RawWatch watch(*stub_, request);
  EXPECT_EQ(watch.started().open_encounters_size(), 1);
  RawWatch without(*stub_, watch_request());
  without.started();
  run(1);  // They part.
  const auto parted = watch.read();
  ASSERT_TRUE(parted);
  EXPECT_FALSE(parted->update().has_stays());
  EXPECT_FALSE(without.read()->update().has_stays());
}

TEST_F(Resume, StaysAreOfWhatGoesOnBeingInContact) {
  begin();
  Session other = joined(*client_, match_id_, "other", Role::kPlayer);
  const ObjectId ship = *other.spawn(object_at({500, 500}, 0));
  const ObjectId enemy = *other.spawn(object_at({500, 500}, 2));
  ASSERT_TRUE(other.end_frame().ok());
  v1::WatchRequest request = watch_request();
  request.mutable_filter()->add_object_ids(ship);
  request.mutable_filter()->set_stay_every_ticks(2);
  ASSERT_TRUE(eventually([&] {
    run(1);
    return client_->list_encounters(match_id_, ship)->size() == 1;
  }));
  RawWatch watch(*stub_, request);
  const Tick start = watch.started().match().tick();
  run(5);
  std::vector<Tick> ticks;
  for (Tick tick = start; tick < start + 5;) {
    const auto response = watch.read();
    ASSERT_TRUE(response);
    tick = response->update().tick();
    if (!response->update().has_stays()) continue;
    ASSERT_EQ(response->update().stays().encounters_size(), 1);
    EXPECT_EQ(response->update().stays().encounters(0).object_b(), enemy);
    ticks.push_back(response->update().stays().tick());
  }
  EXPECT_FALSE(ticks.empty());
  for (const Tick tick : ticks) EXPECT_GE(tick, start + 2);
}

TEST_F(Resume, WhatAWatchAsksWronglyIsNamed) {
  begin();
  v1::WatchRequest request = watch_request();
  request.mutable_filter()->add_kinds(static_cast<v1::EventKind>(7));
  EXPECT_EQ(refusal(request), "3 INVALID_WATCH filter.kinds[0]");
  request = watch_request();
  request.mutable_filter()->set_stay_every_ticks(3601);
  EXPECT_EQ(refusal(request), "3 INVALID_WATCH filter.stay_every_ticks");
  request = watch_request();
  request.mutable_queue_policy()->set_when_full(static_cast<v1::WhenFull>(4));
  EXPECT_EQ(refusal(request), "3 INVALID_WATCH queue_policy.when_full");
}

}  // namespace
}  // namespace sweepd::test::resume_test
