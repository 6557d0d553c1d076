// SPDX-License-Identifier: MIT
//
// Protects those who share one stream from each other: each is told its own, has its own delay, and leaves,
// is away, comes back or goes elsewhere without the others.
#include "runtime/match/match_host.h"
#include "unit/runtime/match_host_fixture.h"

namespace sweepd::runtime::shared_stream_test {
namespace {

class SharedStreamTest : public MatchHostTest {
 protected:
  struct Participant {
    match::ParticipantNumber number = 0;
    std::string name;
    std::string token;
    collision::ObjectId first_id = 0;
  };

  static Participant participant_of(const Seating& seating) {
    return {seating.participant.number, seating.participant.name, seating.token,
            seating.participant.first_id};
  }

  Participant join_first(MatchHost& host, FakeSubscriber& stream, SubscriptionOptions options = {}) {
    options.is_shared = true;
    const auto seating = host.join(stream, {"ann", Role::kPlayer}, options);
    EXPECT_TRUE(seating.ok());
    stream.follow(host, seating->subscription);
    return participant_of(*seating);
  }

  static Participant join_also(MatchHost& host, FakeSubscriber& stream, const std::string& name,
                               Role role = Role::kPlayer) {
    const auto seating = host.join_also(stream, {name, role});
    EXPECT_TRUE(seating.ok());
    return participant_of(*seating);
  }

  void run_tick(MatchHost& host) {
    step(host, 1);
    run_for(milliseconds(2));
  }

  static bool is_away(const MatchHost& host, const Participant& who) {
    const auto participant = host.match().find_participant(who.number);
    return participant && participant->is_away;
  }
  static bool is_here(const MatchHost& host, const Participant& who) {
    return host.match().find_participant(who.number).has_value();
  }

  static match::Frame acknowledging(match::Tick tick) {
    match::Frame frame;
    frame.acknowledged_tick = tick;
    return frame;
  }

  /// A player's ship and an enemy's bullet of the same owner, which touch.
  static match::Frame frame_with_contact(const Participant& who, std::int32_t x) {
    match::Frame frame = frame_with_spawn(who.first_id, 0);
    frame.spawns.push_back(frame_with_spawn(who.first_id + 1, 1).spawns[0]);
    for (auto& spawn : frame.spawns) spawn.position = {x, 0};
    return frame;
  }
};

TEST_F(SharedStreamTest, RejectionsOfAllAreToldAndNameWhose) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber stream;
  const Participant ann = join_first(host, stream);
  const Participant bob = join_also(host, stream, "bob");
  host.submit(bob.number, frame_with_spawn(ann.first_id, 0));
  host.submit(ann.number, frame_with_spawn(bob.first_id, 0));
  run_tick(host);
  EXPECT_THAT(stream.rejected_participants, ElementsAre(ann.number, bob.number));
  run_tick(host);
  EXPECT_EQ(stream.rejections, 2u) << "once";
  host.leave(stream);
}

TEST_F(SharedStreamTest, AStreamOfOneDoesNotNameIt) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber stream;
  const auto number = join(host, stream, "ann");
  host.refuse(number, match::RejectionReason::kMalformed, 0, "field", "text");
  run_tick(host);
  EXPECT_THAT(stream.rejected_fields, ElementsAre("field"));
  EXPECT_THAT(stream.rejected_participants, ElementsAre());
  host.leave(stream);
}

// A queue that was full by the new rules alone aborted the server.
TEST_F(SharedStreamTest, ADelayThatEndsWithAPlayersSeatIsMadeUpForByASnapshot) {
  match::MatchConfig config = config_with(match::ClockKind::kManual);
  config.observer_delay_ticks = 20;
  config.history_ticks = 60;
  config.visibility = {{.role = Role::kPlayer, .layer = "bullet", .sees = match::Sight::kOwn}};
  MatchHost& host = create(config);
  FakeSubscriber source;
  const auto stage = join(host, source, "stage", Role::kStage);
  FakeSubscriber stream;
  SubscriptionOptions options;
  options.events_max = 1;
  options.is_shared = true;
  const auto seating = host.join(stream, {"eye", Role::kObserver}, options);
  ASSERT_TRUE(seating.ok());
  stream.follow(host, seating->subscription);
  for (int i = 0; i < 5; ++i) step_with_event(host, stage);
  EXPECT_EQ(stream.events, 0u) << "it is told 20 ticks later";
  const Participant bob = join_also(host, stream, "bob");
  step_with_event(host, stage);
  EXPECT_EQ(stream.snapshots, 1u);
  host.leave(stream, bob.number);
  for (int i = 0; i < 10; ++i) step_with_event(host, stage);
  EXPECT_EQ(stream.snapshots, 1u) << "one of so long ago would take back what came between";
  for (int i = 0; i < 20; ++i) step_with_event(host, stage);
  EXPECT_EQ(stream.snapshots, 2u);
}

TEST_F(SharedStreamTest, OneLeavesAndTheOthersAreToldAsBefore) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber stream;
  const Participant ann = join_first(host, stream);
  const Participant bob = join_also(host, stream, "bob");
  stream.takes = false;
  host.refuse(ann.number, match::RejectionReason::kMalformed, 0, "her last", "text");
  run_tick(host);
  stream.takes = true;
  host.leave(stream, ann.number);
  EXPECT_FALSE(is_here(host, ann));
  EXPECT_TRUE(is_here(host, bob));
  host.submit(bob.number, frame_with_contact(bob, 0));
  host.refuse(bob.number, match::RejectionReason::kMalformed, 0, "field", "text");
  run_tick(host);
  EXPECT_EQ(stream.events, 1u);
  EXPECT_THAT(stream.rejected_fields, ElementsAre("her last", "field"));
  EXPECT_THAT(stream.rejected_participants, ElementsAre(ann.number, bob.number));
  host.leave(stream);
  EXPECT_FALSE(is_here(host, bob));
}

TEST_F(SharedStreamTest, WhenItBreaksAllAreAway) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber stream;
  const Participant ann = join_first(host, stream);
  const Participant bob = join_also(host, stream, "bob");
  host.break_off(stream);
  EXPECT_TRUE(is_away(host, ann) && is_away(host, bob));
  // What comes meanwhile waits for whom it is for, whichever stream that comes back on.
  host.refuse(bob.number, match::RejectionReason::kMalformed, 0, "bobs", "text");
  run_tick(host);
  FakeSubscriber again;
  SubscriptionOptions options;
  options.is_shared = true;
  const auto first = host.rejoin(again, ann.name, ann.token, options);
  ASSERT_TRUE(first);
  again.follow(host, first->subscription);
  EXPECT_TRUE(is_away(host, bob));
  ASSERT_TRUE(host.rejoin_also(again, bob.name, bob.token));
  EXPECT_FALSE(host.rejoin_also(again, "cy", bob.token));
  EXPECT_FALSE(is_away(host, ann) || is_away(host, bob));
  run_tick(host);
  EXPECT_THAT(again.rejected_fields, ElementsAre("bobs"));
  host.leave(again);
}

TEST_F(SharedStreamTest, WhoGoesElsewhereLeavesTheOthersAlone) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber stream;
  FakeSubscriber elsewhere;
  const Participant ann = join_first(host, stream);
  const Participant bob = join_also(host, stream, "bob");
  const auto seating = host.rejoin(elsewhere, ann.name, ann.token);
  ASSERT_TRUE(seating);
  elsewhere.follow(host, seating->subscription);
  EXPECT_THAT(stream.replaced_seats, ElementsAre(ann.number));
  EXPECT_FALSE(stream.is_replaced);
  host.refuse(ann.number, match::RejectionReason::kMalformed, 0, "anns", "text");
  host.refuse(bob.number, match::RejectionReason::kMalformed, 0, "bobs", "text");
  run_tick(host);
  EXPECT_THAT(stream.rejected_fields, ElementsAre("bobs"));
  EXPECT_THAT(elsewhere.rejected_fields, ElementsAre("anns"));
  // And home again, by which the other stream ends.
  ASSERT_TRUE(host.rejoin_also(stream, ann.name, ann.token));
  EXPECT_TRUE(elsewhere.is_replaced);
  host.leave(stream);
  EXPECT_FALSE(is_here(host, ann) || is_here(host, bob));
}

TEST_F(SharedStreamTest, OwnObjectsAreThoseOfAllWhoAreOnIt) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber stream;
  FakeSubscriber other;
  SubscriptionOptions options;
  options.own_objects_only = true;
  const Participant ann = join_first(host, stream, options);
  const Participant bob = join_also(host, stream, "bob");
  const auto eve = join(host, other, "eve");
  host.submit(ann.number, frame_with_contact(ann, 0));
  host.submit(bob.number, frame_with_contact(bob, 1000));
  host.submit(eve, frame_with_contact({eve, "eve", token_, first_id_}, 2000));
  run_tick(host);
  EXPECT_EQ(other.events, 3u);
  EXPECT_THAT(stream.numbers, ElementsAre(1, 2));
  EXPECT_EQ(stream.snapshots, 0u) << "who joins for the first time has nothing";

  FakeSubscriber elsewhere;
  const auto away = host.rejoin(elsewhere, bob.name, bob.token);
  ASSERT_TRUE(away);
  elsewhere.follow(host, away->subscription);
  ASSERT_TRUE(host.rejoin_also(stream, bob.name, bob.token));
  stream.collect();
  EXPECT_EQ(stream.snapshots, 1u) << "what became of his objects meanwhile";
  host.leave(stream);
  host.leave(other);
}

TEST_F(SharedStreamTest, TheDelayIsMeasuredForEachByWhatItsFramesAcknowledge) {
  MatchHost& host = create(config_with(match::ClockKind::kRealtime));
  FakeSubscriber stream;
  const Participant ann = join_first(host, stream);
  const Participant bob = join_also(host, stream, "bob");
  run_for(milliseconds(100));
  const match::Tick tick = host.match().tick();
  ASSERT_GT(tick, 0u);
  const auto seating = host.join_also(stream, {"cy", Role::kPlayer});
  ASSERT_TRUE(seating.ok());
  host.note_sent(seating->subscription, tick);
  run_for(milliseconds(20));
  host.submit(ann.number, acknowledging(tick));
  run_for(milliseconds(200));
  host.submit(bob.number, acknowledging(tick));
  EXPECT_GT(host.delay_of(ann.number), milliseconds(10));
  EXPECT_GT(host.delay_of(bob.number), host.delay_of(ann.number));
  EXPECT_EQ(host.delay_of(seating->participant.number), Duration::zero());
  host.leave(stream);
}

}  // namespace
}  // namespace sweepd::runtime::shared_stream_test
