// SPDX-License-Identifier: MIT
//
// Protects sessions that share a stream: a game server that plays for its players with one connection sees
// each of them as a session of its own, one that fails or leaves takes no other along, and when the
// connection breaks all of them come back.
#include <memory>

#include "integration/support/fault_proxy.h"
#include "integration/support/manual_match.h"

namespace sweepd::test::shared_session_test {
namespace {

using ::testing::SizeIs;

class SharedSession : public ManualMatchTest {
 protected:
  JoinOptions options_of(const std::string& name) const {
    JoinOptions options;
    options.reconnect = patient();
    options.match_id = match_id_;
    options.name = name;
    options.shared = true;
    return options;
  }
};

TEST_F(SharedSession, PlayersOfOneGameServerPlayOverOneStream) {
  begin();
  Session ann = client_->join(options_of("ann"));
  Session bob = ann.join_also("bob");
  Session stage = ann.join_also("stage", Role::kStage);
  ASSERT_TRUE(is_in(ann, SessionState::kJoined) && is_in(bob, SessionState::kJoined) &&
              is_in(stage, SessionState::kJoined));
  EXPECT_EQ(bob.participant()->name, "bob");
  EXPECT_EQ(stage.participant()->role, Role::kStage);
  const ObjectId ship = *bob.spawn(object_at({0, 0}, 0));
  const ObjectId enemy = *stage.spawn(object_at({0, 0}, 2));
  EXPECT_EQ(ship, bob.participant()->first_id);
  ASSERT_TRUE(ann.end_frames(1).ok());
  step();
  // Told once, to whichever is asked.
  ASSERT_TRUE(eventually([&] { return ann.tick() == 1; }));
  const auto events = drain(ann);
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].object_a, std::min(ship, enemy));
  EXPECT_THAT(drain(bob), SizeIs(0));
  EXPECT_EQ(bob.tick(), 1u);
  // Frames one by one do as well.
  ASSERT_TRUE(bob.move(ship, {500, 0}).ok());
  for (Session* session : {&bob, &stage, &ann}) ASSERT_TRUE(session->end_frame(2).ok());
  step();
  ASSERT_TRUE(eventually([&] { return ann.tick() == 2; }));
  EXPECT_THAT(drain(ann), SizeIs(1));
}

TEST_F(SharedSession, ARejectionSaysWhoseItIsAndFreesTheIdOfWhomItWas) {
  MatchConfig config = shooter_config(ClockKind::kManual);
  config.limits = {{.role = Role::kPlayer, .objects_max = 0}};
  begin(config);
  Session ann = client_->join(options_of("ann"));
  Session bob = ann.join_also("bob");
  ASSERT_TRUE(is_in(bob, SessionState::kJoined));
  const ObjectId id = *bob.spawn(object_at({0, 0}, 0));
  ASSERT_TRUE(ann.end_frames(1).ok());
  step();
  std::optional<Rejection> rejection;
  ASSERT_TRUE(eventually([&] { return (rejection = ann.poll_rejection()).has_value(); }));
  EXPECT_EQ(rejection->participant, bob.participant()->number);
  EXPECT_EQ(rejection->object, id);
  ObjectSpec again = object_at({0, 0}, 0);
  again.id = id;
  EXPECT_TRUE(bob.spawn(again).ok());
}

TEST_F(SharedSession, WhoeverComesLaterPlaysAsItselfWithTheNumberOfOneThatHasLeft) {
  begin();
  Session zoe = joined(*client_, match_id_, "zoe", Role::kPlayer);
  Session ann = client_->join(options_of("ann"));
  ASSERT_TRUE(is_in(ann, SessionState::kJoined));
  zoe.leave();
  ASSERT_TRUE(eventually([&] { return client_->get_match(match_id_)->participants.size() == 1; }));
  Session bob = ann.join_also("bob");
  ASSERT_TRUE(is_in(bob, SessionState::kJoined));
  ASSERT_TRUE(bob.spawn(object_at({0, 0}, 0)).ok());
  ASSERT_TRUE(ann.end_frame(1).ok());
  ASSERT_TRUE(bob.end_frame(1).ok());
  step();
  const auto match = client_->get_match(match_id_);
  ASSERT_TRUE(match.ok());
  ASSERT_EQ(match->participants.size(), 2u);
  for (const auto& participant : match->participants) {
    EXPECT_EQ(participant.objects, participant.name == "bob" ? 1u : 0u) << participant.name;
  }
  bob.leave();
  ASSERT_TRUE(eventually([&] { return client_->get_match(match_id_)->participants.size() == 1; }));
  EXPECT_EQ(ann.state(), SessionState::kJoined);
}

TEST_F(SharedSession, OneThatIsRefusedFailsAlone) {
  begin();
  Session other = joined(*client_, match_id_, "dan", Role::kPlayer);
  Session ann = client_->join(options_of("ann"));
  Session dan = ann.join_also("dan");
  Session bob = ann.join_also("bob");
  ASSERT_TRUE(is_in(dan, SessionState::kFailed));
  EXPECT_EQ(dan.error().code(), ErrorCode::kAlreadyExists);
  EXPECT_EQ(dan.error().reason(), "NAME_TAKEN");
  EXPECT_EQ(dan.end_frame().code(), ErrorCode::kNotJoined);
  EXPECT_TRUE(is_in(bob, SessionState::kJoined));
  EXPECT_EQ(ann.state(), SessionState::kJoined);
  EXPECT_TRUE(ann.error().ok());
}

TEST_F(SharedSession, NobodyJoinsASessionThatIsNotShared) {
  begin();
  Session ann = joined(*client_, match_id_, "ann", Role::kPlayer);
  {
    Session bob = ann.join_also("bob");
    EXPECT_EQ(bob.state(), SessionState::kFailed);
    EXPECT_EQ(bob.error().code(), ErrorCode::kFailedPrecondition);
  }
  EXPECT_EQ(ann.state(), SessionState::kJoined);
  ASSERT_TRUE(ann.end_frame().ok());
}

TEST_F(SharedSession, TheFirstMayLeaveAndTheOthersGoOn) {
  begin();
  auto ann = std::make_unique<Session>(client_->join(options_of("ann")));
  Session bob = ann->join_also("bob");
  Session cy = ann->join_also("cy");
  ASSERT_TRUE(is_in(bob, SessionState::kJoined) && is_in(cy, SessionState::kJoined));
  ann->leave();
  EXPECT_EQ(ann->state(), SessionState::kLeft);
  ann.reset();
  const auto participants = [&] { return client_->get_match(match_id_)->participants.size(); };
  ASSERT_TRUE(eventually([&] { return participants() == 2; }));
  ASSERT_TRUE(bob.spawn(object_at({0, 0}, 0)).ok());
  ASSERT_TRUE(cy.end_frames(1).ok());
  step();
  EXPECT_EQ(client_->get_match(match_id_)->objects, 1u);
  bob.leave();
  ASSERT_TRUE(eventually([&] { return participants() == 1; }));
  EXPECT_EQ(cy.state(), SessionState::kJoined);
  cy.leave();
  ASSERT_TRUE(eventually([&] { return participants() == 0; }));
}

TEST_F(SharedSession, TheEndOfTheMatchIsTheEndOfAll) {
  begin();
  Session ann = client_->join(options_of("ann"));
  Session bob = ann.join_also("bob");
  ASSERT_TRUE(is_in(bob, SessionState::kJoined));
  ASSERT_TRUE(client_->end_match(match_id_).ok());
  EXPECT_TRUE(is_in(ann, SessionState::kEnded));
  EXPECT_EQ(bob.state(), SessionState::kEnded);
}

TEST_F(SharedSession, AllComeBackWhenTheConnectionBreaks) {
  MatchConfig config = shooter_config(ClockKind::kRealtime);
  config.reconnect_ticks = 36'000;
  config.retained_ticks = 36'000;
  begin(config);
  FaultProxy proxy(static_cast<std::uint16_t>(server().port()),
                   {.seed = 3, .bytes_min = 1, .bytes_max = 500});
  Client over_proxy(options_through(proxy));
  JoinOptions options = options_of("ann");
  options.reconnect.timeout = std::chrono::minutes(2);
  options.reconnect.longest_pause = std::chrono::milliseconds(100);
  Session ann = over_proxy.join(options);
  Session bob = ann.join_also("bob");
  ASSERT_TRUE(is_in(bob, SessionState::kJoined));
  const auto seat = *bob.participant();
  const ObjectId ship = *bob.spawn(object_at({0, 0}, 0));
  ASSERT_TRUE(ann.spawn(object_at({0, 0}, 2)).ok());
  ASSERT_TRUE(ann.end_frames().ok());
  ASSERT_TRUE(eventually([&] { return ann.poll_event().has_value(); }));
  proxy.set_cutting(true);
  ASSERT_TRUE(eventually([&] {
    (void)ann.end_frames();  // As long as there is room.
    return proxy.cuts() > 2;
  }));
  proxy.set_cutting(false);
  ASSERT_TRUE(eventually([&] { return ann.poll_reconnection().has_value(); }));
  ASSERT_TRUE(is_in(ann, SessionState::kJoined) && is_in(bob, SessionState::kJoined));
  EXPECT_EQ(bob.participant()->number, seat.number);
  EXPECT_EQ(client_->get_match(match_id_)->objects, 2u);
  // They part.
  ASSERT_TRUE(bob.move(ship, {1000, 0}).ok());
  ASSERT_TRUE(eventually([&] { return bob.end_frame().ok(); })) << "those that waited go first";
  EXPECT_TRUE(eventually([&] { return ann.poll_event().has_value(); }));
}

}  // namespace
}  // namespace sweepd::test::shared_session_test
