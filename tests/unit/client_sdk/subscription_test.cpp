// SPDX-License-Identifier: MIT
//
// Protects the log that a game is told from a server that takes it back without a word: ticks and numbers go
// on, in updates, in snapshots and after a reconnection, or the stream ends with an error that says what came
// after what.
#include "subscription.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sweepd::internal::subscription_test {
namespace {

using ::testing::HasSubstr;

v1::TickUpdate update_of(Tick tick, std::uint64_t last_sequence_number, int events) {
  v1::TickUpdate update;
  update.set_tick(tick);
  update.set_last_sequence_number(last_sequence_number);
  for (int i = 0; i < events; ++i) {
    update.mutable_events()->add_object_a(1);
    update.mutable_events()->add_object_b(2);
    update.mutable_events()->add_layer_a(0);
    update.mutable_events()->add_layer_b(0);
  }
  return update;
}

/// A stream that has been told everything up to tick 9 and event 5.
class SubscriptionOrder : public ::testing::Test {
 protected:
  SubscriptionOrder() {
    EXPECT_TRUE(join({}));
    EXPECT_TRUE(subscription_.update(update_of(9, 5, 5)).ok());
  }

  struct Place {
    Tick tick = 0;
    std::uint64_t events = 0;
    std::optional<Undone> undone = {};
  };
  bool join(const Place& place) {
    v1::Match match;
    match.set_tick(place.tick);
    match.set_events(place.events);
    return subscription_.join({.match = match, .open_encounters = none_, .undone = place.undone}, {});
  }
  bool come_back(const Place& place) {
    EXPECT_TRUE(subscription_.set_reconnecting());
    return join(place);
  }

  /// Why the stream ended; "": it goes on.
  std::string error() const { return subscription_.error().message(); }

  const google::protobuf::RepeatedPtrField<v1::Encounter> none_;
  Subscription subscription_{{.queued_max = 100}};
};

TEST_F(SubscriptionOrder, TicksAndNumbersThatGoOnAreTaken) {
  EXPECT_TRUE(subscription_.update(update_of(9, 5, 0)).ok());
  EXPECT_TRUE(subscription_.update(update_of(10, 7, 2)).ok());
  EXPECT_EQ(error(), "");
}

TEST_F(SubscriptionOrder, ATickThatGoesBackEndsTheStream) {
  EXPECT_EQ(subscription_.update(update_of(8, 5, 0)).code(), ErrorCode::kInternal);
  EXPECT_EQ(subscription_.state(), SessionState::kFailed);
  EXPECT_EQ(error(), "the server sent tick 8 after tick 9");
  EXPECT_EQ(subscription_.tick(), 9u);
}

TEST_F(SubscriptionOrder, AnUpdateWhoseNumberGoesBackEndsTheStream) {
  EXPECT_FALSE(subscription_.update(update_of(10, 4, 0)).ok());
  EXPECT_EQ(error(), "the server sent an update up to event 4 after event 5");
}

TEST_F(SubscriptionOrder, AnUpdateWithoutANumberEndsTheStream) {
  EXPECT_FALSE(subscription_.update(update_of(10, 0, 0)).ok());
  EXPECT_EQ(error(), "the server sent an update up to event 0 after event 5");
}

TEST_F(SubscriptionOrder, EventsThatAreMissingWithinAnUpdateEndTheStream) {
  v1::TickUpdate update = update_of(10, 8, 2);
  for (const std::uint64_t gap : {0, 1}) update.mutable_events()->add_sequence_gap(gap);
  EXPECT_FALSE(subscription_.update(update).ok());
  EXPECT_EQ(error(), "the server sent fewer events than there are up to event 8 after event 6");
}

TEST_F(SubscriptionOrder, ASnapshotThatGoesBackEndsTheStream) {
  v1::TickUpdate update = update_of(10, 4, 0);
  update.mutable_snapshot();
  EXPECT_FALSE(subscription_.update(update).ok());
  EXPECT_EQ(error(), "the server sent a snapshot up to event 4 after event 5");
  EXPECT_FALSE(subscription_.take_snapshot().has_value());
}

TEST_F(SubscriptionOrder, ASnapshotOfAnEarlierTickEndsTheStream) {
  v1::TickUpdate update = update_of(8, 6, 0);
  update.mutable_snapshot();
  EXPECT_FALSE(subscription_.update(update).ok());
  EXPECT_EQ(error(), "the server sent tick 8 after tick 9");
  EXPECT_FALSE(subscription_.take_snapshot().has_value());
}

TEST_F(SubscriptionOrder, AGapAfterTheLastNumberThatThereIsEndsTheStream) {
  v1::TickUpdate update = update_of(10, ~0ull, 0);
  update.mutable_gap()->set_first(6);
  update.mutable_gap()->set_last(~0ull);
  ASSERT_TRUE(subscription_.update(update).ok());
  update.mutable_gap()->set_first(0);
  EXPECT_FALSE(subscription_.update(update).ok());
  EXPECT_THAT(error(), HasSubstr("the server sent a gap after event"));
}

TEST_F(SubscriptionOrder, AReturnWithASnapshotGoesOnFromThere) {
  EXPECT_TRUE(come_back({.tick = 12, .events = 20}));
  EXPECT_EQ(subscription_.take_snapshot()->last_sequence_number, 20u);
  EXPECT_TRUE(subscription_.update(update_of(13, 21, 1)).ok());
}

TEST_F(SubscriptionOrder, AReturnToAnEarlierEventEndsTheStream) {
  EXPECT_FALSE(come_back({.tick = 12, .events = 4}));
  EXPECT_EQ(subscription_.state(), SessionState::kFailed);
  EXPECT_EQ(error(), "the server sent a snapshot up to event 4 after event 5");
}

TEST_F(SubscriptionOrder, AReturnToAnEarlierTickEndsTheStream) {
  EXPECT_FALSE(come_back({.tick = 8, .events = 5}));
  EXPECT_EQ(error(), "the server sent tick 8 after tick 9");
}

TEST_F(SubscriptionOrder, AReturnMayBeToWhatIsNotUndone) {
  const Undone undone{.after_tick = 7, .after_sequence_number = 3};
  EXPECT_TRUE(come_back({.tick = 7, .events = 3, .undone = undone}));
  EXPECT_EQ(subscription_.tick(), 7u);
  EXPECT_TRUE(subscription_.update(update_of(8, 4, 1)).ok());
}

TEST_F(SubscriptionOrder, AReturnToBeforeWhatIsUndoneEndsTheStream) {
  const Undone undone{.after_tick = 7, .after_sequence_number = 3};
  EXPECT_FALSE(come_back({.tick = 6, .events = 3, .undone = undone}));
  EXPECT_EQ(error(), "the server sent tick 6 after tick 7");
}

/// Of that many participants, the first with the number `first`.
template <typename Message>
Message with_scores(Message message, std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    v1::Score& score = *message.add_scores();
    score.set_participant(first + i);
    score.set_name("p");
    score.set_score(1);
  }
  return message;
}

TEST_F(SubscriptionOrder, AServerThatNamesEverMoreScoresEndsTheStream) {
  for (std::uint32_t first = 0; first < 1024; first += 256)
    ASSERT_TRUE(subscription_.update(with_scores(update_of(10, 5, 0), first, 256)).ok());
  ASSERT_TRUE(subscription_.update(with_scores(update_of(10, 5, 0), 0, 1024)).ok()) << "the same again";
  EXPECT_EQ(subscription_.scores().size(), 1024u);
  EXPECT_FALSE(subscription_.update(with_scores(update_of(11, 5, 0), 1024, 1)).ok());
  EXPECT_EQ(error(), "the server sent scores of more than 1024 participants at once");
  EXPECT_EQ(subscription_.scores().size(), 1024u);
}

TEST_F(SubscriptionOrder, ScoresOfThoseWhoLeftMakeRoomForOthers) {
  for (std::uint32_t number = 0; number < 3000; ++number) {
    v1::TickUpdate update = with_scores(update_of(10, 5, 0), number, 1);
    ASSERT_TRUE(subscription_.update(update).ok());
    update.mutable_scores(0)->set_has_left(true);
    ASSERT_TRUE(subscription_.update(update).ok());
  }
  EXPECT_TRUE(subscription_.scores().empty());
}

TEST(SubscriptionStartTest, EventsThatAMatchMayHideLeaveHolesInTheNumbers) {
  const google::protobuf::RepeatedPtrField<v1::Encounter> none;
  for (const bool may_hide : {false, true}) {
    Subscription subscription({.queued_max = 100});
    v1::Match match;
    if (may_hide) match.mutable_config()->add_visibility();
    ASSERT_TRUE(subscription.join({.match = match, .open_encounters = none}, {}));
    EXPECT_EQ(subscription.update(update_of(1, 5, 0)).ok(), may_hide);
    if (may_hide) {
      EXPECT_FALSE(subscription.update(update_of(2, 4, 0)).ok()) << "they never go back";
    }
  }
}

TEST(SubscriptionStartTest, AMatchWithMoreScoresThanAnyHasEndsTheStream) {
  const google::protobuf::RepeatedPtrField<v1::Encounter> none;
  for (const std::uint32_t count : {1024u, 1025u}) {
    Subscription subscription({.queued_max = 100});
    const v1::Match match = with_scores(v1::Match(), 0, count);
    EXPECT_EQ(subscription.join({.match = match, .open_encounters = none}, {}), count == 1024);
    EXPECT_EQ(subscription.state(), count == 1024 ? SessionState::kJoined : SessionState::kFailed);
  }
}

}  // namespace
}  // namespace sweepd::internal::subscription_test
