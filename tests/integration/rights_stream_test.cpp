// SPDX-License-Identifier: MIT
//
// Protects what tickets mean while matches run: seats are taken by those they are for, streams end with the
// tickets that opened them and with nobody else's, and players are not told what is kept from them.
#include <atomic>

#include "integration/support/ticket_fixture.h"

namespace sweepd::test::rights_stream_test {
namespace {

using namespace std::chrono_literals;
using identity::PrincipalKind;

class RightsStream : public SecureTicketServerTest {
 protected:
  void SetUp() override {
    SecureTicketServerTest::SetUp();
    match_id_ = create_match(config());
  }

  static v1::Join back(v1::Join join, const v1::Joined& joined) {
    join.set_reconnect_token(joined.reconnect_token());
    return join;
  }

  /// A stream of the studio's, shared, with "first" on it.
  std::unique_ptr<RawStream> open_shared() {
    auto stream = play(studio_);
    v1::Join join = join_as(match_id_, "first");
    join.set_is_shared(true);
    stream->joined(join);
    return stream;
  }
  v1::Join further(const std::string& name, const identity::Ticket& ticket) {
    v1::Join join = join_as(match_id_, name);
    join.set_ticket(token_of(ticket));
    return join;
  }
  /// Joins and reads until that is answered, or until a participant is told to have left.
  static v1::PlayResponse answer(RawStream& stream) {
    while (const auto response = stream.read())
      if (response->has_joined() || response->has_join_refused()) return *response;
    ADD_FAILURE() << "the stream ended";
    return {};
  }
  static v1::Joined joined_also(RawStream& stream, const v1::Join& join) {
    stream.join(join);
    const v1::PlayResponse response = answer(stream);
    EXPECT_TRUE(response.has_joined()) << response.join_refused().reason();
    return response.joined();
  }
  static std::string refused_also(RawStream& stream, const v1::Join& join) {
    stream.join(join);
    return answer(stream).join_refused().reason();
  }

  v1::Participant participant(const std::string& name, const std::string& token) {
    return TicketServerTest::participant(match_id_, name, token);
  }

  static v1::PlayRequest refresh_by_token(const std::string& token) {
    v1::PlayRequest request;
    request.mutable_refresh()->set_ticket(token);
    return request;
  }
  static v1::PlayRequest refresh_by(const identity::Ticket& ticket) {
    return refresh_by_token(token_of(ticket));
  }

  /// Of the SDK: its tickets end soon, until `lasts_`.
  Client client_with_short_tickets(const identity::Ticket& ticket) {
    ClientOptions options = client_options();
    options.security.fresh_token = [this, ticket] {
      identity::Ticket next = ticket;
      if (!lasts_) next.expires_s = soon_s();
      return token_of(next);
    };
    return Client(options);
  }

  void step() { EXPECT_TRUE(client_with(studio_).step_match(match_id_).ok()); }

  std::string match_id_;
  std::atomic<bool> lasts_ = false;
};

TEST_F(RightsStream, SeatsAreTakenByThoseTheirTicketsAreFor) {
  const std::string one = token_of(player_ticket("ann", match_id_, {"ann"}));
  EXPECT_EQ(refusal_of(one, join_as(match_id_, "bob")), "OTHER_SEAT");
  const auto first = play(one);
  const v1::Joined joined = first->joined(join_as(match_id_, "ann"));
  EXPECT_EQ(refusal_of(one, join_as(match_id_, "bob")), "OTHER_SEAT");
  EXPECT_EQ(refusal_of(one, back(join_as(match_id_, "bob"), joined)), "OTHER_SEAT");
  const std::string two = token_of(player_ticket("carl", match_id_, {"c1", "c2"}));
  const auto second = play(two);
  const auto third = play(two);
  second->joined(join_as(match_id_, "c1"));
  third->joined(join_as(match_id_, "c2"));
  EXPECT_EQ(refusal_of(two, join_as(match_id_, "c3")), "OTHER_SEAT");
}

TEST_F(RightsStream, ATicketWithoutASeatIsForOneSeatAtATime) {
  const std::string token = token_of(player_ticket("ann", match_id_));
  auto stream = play(token);
  const v1::Joined joined = stream->joined(join_as(match_id_, "a"));
  EXPECT_EQ(refusal_of(token, join_as(match_id_, "b")), "SEATS_HELD");
  EXPECT_EQ(refusal_of(token_of(player_ticket("ann", match_id_, {"b"})), join_as(match_id_, "b")),
            "SEATS_HELD")
      << "a further ticket is no further seat";
  stream->cut();
  ASSERT_TRUE(eventually([&] { return participant("a", studio_).is_away(); }));
  EXPECT_EQ(refusal_of(token, join_as(match_id_, "b")), "SEATS_HELD") << "it is kept";
  auto again = play(token);
  again->joined(back(join_as(match_id_, "a"), joined));
  again->half_close();
  EXPECT_TRUE(again->finish().ok());
  ASSERT_TRUE(eventually([&] { return participant("a", studio_).name().empty(); }));
  auto other = play(token);
  other->joined(join_as(match_id_, "b"));
}

TEST_F(RightsStream, ToASeatAreOfTheSubjectThatTookIt) {
  auto first = play(token_of(player_ticket("alice", match_id_)));
  const v1::Joined joined = first->joined(join_as(match_id_, "seat"));
  const v1::Join again = back(join_as(match_id_, "seat"), joined);
  EXPECT_EQ(refusal_of(token_of(player_ticket("mallory", match_id_)), again), "INVALID_TOKEN");
  auto second = play(token_of(player_ticket("alice", match_id_)));
  const v1::Joined next = second->joined(again);
  EXPECT_EQ(next.participant().number(), joined.participant().number());
}

TEST_F(RightsStream, AReconnectTokenEndsWhenTheNextHasArrivedAlsoOverARestart) {
  const std::string token = token_of(player_ticket("alice", match_id_));
  const v1::Join join = join_as(match_id_, "seat");
  const v1::Joined first = play(token)->joined(join);
  v1::Joined next = first;
  ASSERT_TRUE(eventually([&] {
    auto stream = play(token);
    next = stream->joined(back(join, next));
    return next.reconnect_token() != first.reconnect_token();
  })) << "it stays the same only until the journal has another";
  auto stream = play(token);
  const v1::Joined last = stream->joined(back(join, next));
  step();
  v1::Frame frame;
  frame.set_acknowledged_tick(1);
  stream->send(frame);
  ASSERT_TRUE(eventually([&] { return participant("seat", studio_).acknowledged_tick() == 1; }));
  EXPECT_EQ(refusal_of(token, back(join, first)), "INVALID_TOKEN");
  step();
  v1::GetMatchResponse durable;
  ASSERT_TRUE(eventually([&] {
    return get_match(studio_, match_id_, &durable).ok() && durable.match().durable_tick() >= 2;
  })) << "and so is what came before";
  server().process().signal(SIGKILL);
  server().process().wait();
  start_secure();
  EXPECT_EQ(refusal_of(token, back(join, first)), "INVALID_TOKEN");
  EXPECT_EQ(refusal_of(token_of(player_ticket("mallory", match_id_)), back(join, last)), "INVALID_TOKEN");
  EXPECT_EQ(refusal_of(token, join_as(match_id_, "other")), "SEATS_HELD")
      << "whose seat it is is known still";
  play(token)->joined(back(join, last));
}

TEST_F(RightsStream, EndWithTheTicketUnlessTheStreamIsSentAnotherOfTheSameSubject) {
  const auto status_with = [&](const std::string& name, const std::vector<identity::Ticket>& refreshes) {
    identity::Ticket ticket = player_ticket(name, match_id_);
    ticket.expires_s = soon_s();
    auto stream = play(token_of(ticket));
    stream->joined(join_as(match_id_, name));
    for (const identity::Ticket& next : refreshes) stream->send(refresh_by(next));
    const std::int64_t end = now_s() + 8;
    v1::PlayResponse response;
    while (now_s() < end && stream->read_any(response)) continue;
    if (now_s() >= end) stream->cut();
    return stream->finish();
  };
  EXPECT_EQ(describe(status_with("ends", {})), "TICKET_EXPIRED");
  EXPECT_EQ(status_with("goes on", {player_ticket("goes on", match_id_)}).error_code(),
            grpc::StatusCode::CANCELLED);
  EXPECT_EQ(describe(status_with("other", {player_ticket("mallory", match_id_), player_ticket("other", "m-2"),
                                           seat_ticket(PrincipalKind::kStage, "other", match_id_)})),
            "TICKET_EXPIRED")
      << "of another subject, match or role";
}

TEST_F(RightsStream, AWatcherOfTheSdkComesBackWithTheNextTicketAndMissesNothing) {
  Client studio = client_with(studio_);
  Session driver = joined(studio, match_id_, "driver", Role::kPlayer);
  const ObjectId ship = *driver.spawn(object_at({1000, 0}, 0));
  EXPECT_TRUE(driver.spawn(object_at({0, 0}, 2)).ok());
  Client client = client_with_short_tickets(seat_ticket(PrincipalKind::kObserver, "olga", match_id_));
  Watcher watcher = client.watch(match_id_);
  ASSERT_TRUE(is_in(watcher, SessionState::kJoined));
  lasts_ = true;
  std::vector<Event> events;
  std::optional<Reconnection> back;
  std::uint64_t told = 0;
  ASSERT_TRUE(eventually([&] {
    EXPECT_TRUE(driver.move(ship, {told % 2 == 0 ? 0.0 : 1000.0, 0}).ok());
    EXPECT_TRUE(driver.end_frame().ok());
    EXPECT_TRUE(studio.step_match(match_id_, 1, true).ok());
    ++told;
    for (const Event& event : drain(watcher)) events.push_back(event);
    if (!back) back = watcher.poll_reconnection();
    return back.has_value();
  }));
  EXPECT_TRUE(back->resumed);
  EXPECT_TRUE(eventually([&] {
    for (const Event& event : drain(watcher)) events.push_back(event);
    return events.size() >= told;
  }));
  ASSERT_EQ(events.size(), told);
  for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i].sequence_number, i + 1);
}

TEST_F(RightsStream, ASessionOfTheSdkComesBackToItsSeatWithTheNextTicket) {
  Client client = client_with_short_tickets(player_ticket("ann", match_id_));
  Session session = joined(client, match_id_, "ann", Role::kPlayer);
  lasts_ = true;
  const std::uint32_t number = participant("ann", studio_).number();
  // On a slow machine it comes back with a second ticket that ends soon, and then comes back once more.
  bool is_back = false;
  ASSERT_TRUE(eventually([&] {
    is_back = session.poll_reconnection().has_value() || is_back;
    return is_back && session.state() == SessionState::kJoined;
  })) << session.error().message();
  EXPECT_TRUE(eventually([&] { return !participant("ann", studio_).is_away(); }));
  EXPECT_EQ(participant("ann", studio_).number(), number);
}

TEST_F(RightsStream, ARefreshByAnotherSubjectIsARejection) {
  auto stream = play(token_of(player_ticket("ann", match_id_)));
  stream->joined(join_as(match_id_, "ann"));
  stream->send(refresh_by(player_ticket("mallory", match_id_)));
  step();
  const v1::Rejection rejection = stream->rejection();
  EXPECT_EQ(rejection.field(), "refresh.ticket");
  EXPECT_EQ(rejection.reason(), v1::REJECTION_REASON_MALFORMED);
  EXPECT_TRUE(is_logged("audit event=permission_refused who=\"player ann of game\" what=Play")) << log();
  stream->send(refresh_by_token(token_of(player_ticket("ann", match_id_)) + "A"));
  step();
  EXPECT_EQ(stream->rejection().field(), "refresh.ticket");
  EXPECT_TRUE(is_logged("audit event=authentication_refused who=\"player ann of game\" what=Play")) << log();
}

TEST_F(RightsStream, AFurtherJoinIsOfTheSubjectOfItsOwnTicket) {
  auto stream = open_shared();
  const v1::Joined ann = joined_also(*stream, further("ann", player_ticket("ann", match_id_, {"ann"})));
  EXPECT_EQ(refused_also(*stream, further("bob", player_ticket("ann", match_id_, {"ann"}))), "OTHER_SEAT");
  EXPECT_EQ(refused_also(*stream, further("bob", player_ticket("ann", match_id_))), "SEATS_HELD");
  EXPECT_EQ(refused_also(*stream, further("bob", player_ticket("bob", "m-other"))), "NOT_ALLOWED");
  EXPECT_EQ(refused_also(*stream, further("bob", seat_ticket(PrincipalKind::kStage, "bob", match_id_))),
            "NOT_ALLOWED");
  identity::Ticket expired = player_ticket("bob", match_id_);
  expired.expires_s = now_s() - 30;
  EXPECT_EQ(refused_also(*stream, further("bob", expired)), "TICKET_EXPIRED");
  EXPECT_EQ(refusal_of(token_of(player_ticket("mallory", match_id_)), back(join_as(match_id_, "ann"), ann)),
            "INVALID_TOKEN");
  EXPECT_EQ(refusal_of(studio_, back(join_as(match_id_, "ann"), ann)), "INVALID_TOKEN")
      << "nor may the stream's own subject";
  auto own = play(token_of(player_ticket("ann", match_id_)));
  own->joined(back(join_as(match_id_, "ann"), ann));
}

TEST_F(RightsStream, AParticipantWhoseOwnTicketExpiresLeavesAlone) {
  auto stream = open_shared();
  identity::Ticket ticket = player_ticket("ann", match_id_);
  ticket.expires_s = soon_s();
  const v1::Joined ann = joined_also(*stream, further("ann", ticket));
  joined_also(*stream, further("bob", player_ticket("bob", match_id_)));
  const v1::PlayResponse told = answer(*stream);
  EXPECT_EQ(told.join_refused().name(), "ann");
  EXPECT_EQ(told.join_refused().code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(told.join_refused().reason(), "TICKET_EXPIRED");
  EXPECT_TRUE(participant("ann", studio_).is_away());
  EXPECT_FALSE(participant("bob", studio_).is_away());
  EXPECT_FALSE(participant("first", studio_).is_away());
  v1::Frame frame;
  frame.set_participant(ann.participant().number());
  stream->send(frame);
  step();
  EXPECT_EQ(stream->rejection().field(), "participant") << "it is not on the stream";
  const v1::Joined again = joined_also(*stream, back(further("ann", player_ticket("ann", match_id_)), ann));
  EXPECT_EQ(again.participant().number(), ann.participant().number());
  EXPECT_FALSE(participant("ann", studio_).is_away());
}

TEST_F(RightsStream, ASharedStreamEndsWhenTheTicketsOfAllWhoAreLeftExpireAtOnce) {
  auto stream = open_shared();
  const std::int64_t end_s = soon_s() + 2;
  for (const char* name : {"ann", "bob", "carl"}) {
    identity::Ticket ticket = player_ticket(name, match_id_);
    ticket.expires_s = end_s;
    joined_also(*stream, further(name, ticket));
  }
  v1::PlayRequest leave;
  leave.mutable_leave()->set_participant(participant("first", studio_).number());
  stream->send(leave);
  v1::PlayResponse response;
  while (stream->read_any(response)) continue;
  EXPECT_EQ(describe(stream->finish()), "TICKET_EXPIRED");
  for (const char* name : {"ann", "bob", "carl"}) EXPECT_TRUE(participant(name, studio_).is_away()) << name;
}

TEST_F(RightsStream, RevokedTicketsEndTheirStreamsAndNoOthers) {
  auto ann = play(token_of(player_ticket("ann", match_id_)));
  ann->joined(join_as(match_id_, "ann"));
  auto bob = play(token_of(player_ticket("bob", match_id_)));
  bob->joined(join_as(match_id_, "bob"));
  const std::string by_rsa = token_of(player_ticket("carl", match_id_), identity::Algorithm::kRs256);
  auto carl = play(by_rsa);
  carl->joined(join_as(match_id_, "carl"));
  auto shared = open_shared();
  joined_also(*shared, further("dora", player_ticket("dora", match_id_)));

  std::string keys = identity::key_set_text(sample_key(identity::Algorithm::kEdDsa));
  keys.insert(keys.find('{') + 1, R"("sweepd":{"revoked":[{"sub":"ann"},{"sub":"dora"}]},)");
  write_keys(keys);
  EXPECT_EQ(describe(ann->finish()), "TICKET_EXPIRED");
  EXPECT_EQ(describe(carl->finish()), "TICKET_EXPIRED") << "its key is gone";
  EXPECT_EQ(answer(*shared).join_refused().name(), "dora");
  EXPECT_EQ(describe(get_match(token_of(player_ticket("ann", match_id_)), match_id_)), "TICKET_REVOKED");
  EXPECT_EQ(describe(get_match(by_rsa, match_id_)), "TICKET_KEY_UNKNOWN");
  step();
  while (const auto response = bob->read())
    if (response->update().tick() == 1) break;
  EXPECT_FALSE(participant("bob", studio_).is_away());
}

TEST_F(RightsStream, OfAPlayerDoNotIncludeTheCountersOfOthers) {
  const std::string ann = token_of(player_ticket("ann", match_id_));
  auto own = play(ann);
  own->joined(join_as(match_id_, "ann"));
  auto other = play(token_of(player_ticket("bob", match_id_)));
  other->joined(join_as(match_id_, "bob"));
  v1::Frame frame;
  frame.add_despawns(4'000'000'000u);  // Nobody's.
  own->send(frame);
  other->send(frame);
  const std::string stage = token_of(seat_ticket(PrincipalKind::kStage, "stage", match_id_));
  ASSERT_TRUE(eventually([&] {
    step();
    return participant("ann", stage).rejections() > 0 && participant("bob", stage).rejections() > 0;
  }));
  EXPECT_EQ(participant("ann", ann).rejections(), 1u);
  EXPECT_EQ(participant("bob", ann).rejections(), 0u);
  const v1::Joined joined =
      play(token_of(player_ticket("carl", match_id_)))->joined(join_as(match_id_, "carl"));
  for (const auto& participant : joined.match().participants()) EXPECT_EQ(participant.rejections(), 0u);
}

TEST_F(RightsStream, TheReplayOfAMatchThatIsOverIsForItsCreatorAndModerators) {
  MatchConfig open = config();
  open.permissions.replay_roles = {Role::kPlayer, Role::kStage, Role::kObserver};
  const std::string ended = create_match(open);
  ASSERT_TRUE(client_with(studio_).end_match(ended).ok());
  const auto reason_for = [&](const identity::Ticket& ticket) {
    const auto got = client_with(token_of(ticket)).get_replay(ended, [](std::string_view) { return true; });
    return got.ok() ? "OK" : got.status().reason();
  };
  EXPECT_EQ(reason_for(ticket_of(PrincipalKind::kBackend, "studio")), "OK");
  EXPECT_EQ(reason_for(ticket_of(PrincipalKind::kOperator, "root")), "OK");
  EXPECT_EQ(reason_for(ticket_of(PrincipalKind::kModerator, "judge")), "OK");
  EXPECT_EQ(reason_for(ticket_of(PrincipalKind::kBackend, "rival")), "NOT_ALLOWED");
  identity::Ticket foreign = ticket_of(PrincipalKind::kModerator, "judge");
  foreign.subject.tenant = "arcade";
  EXPECT_EQ(reason_for(foreign), "NOT_ALLOWED");
  for (const PrincipalKind kind : {PrincipalKind::kPlayer, PrincipalKind::kStage, PrincipalKind::kObserver})
    EXPECT_EQ(reason_for(seat_ticket(kind, "ann", ended)), "NOT_ALLOWED") << "what its config said is gone";
  const auto nobody = Client(client_options()).get_replay(ended, [](std::string_view) { return true; });
  EXPECT_EQ(nobody.status().reason(), "TICKET_REQUIRED");
}

TEST_F(RightsStream, TheReplayOfARunningMatchIsForThoseWhoMayKnowItsSecrets) {
  MatchConfig config = RightsStream::config();
  config.permissions.replay_roles = {Role::kPlayer, Role::kStage, Role::kObserver};
  const std::string closed = create_match(config);
  config.permissions.secret_roles = {Role::kPlayer};
  const std::string open = create_match(config);
  const auto reason_for = [&](PrincipalKind kind, const std::string& match_id) {
    const auto got =
        client_with(token_of(seat_ticket(kind, "ann", match_id))).get_replay(match_id, [](std::string_view) {
          return true;
        });
    return got.ok() ? "OK" : got.status().reason();
  };
  for (const std::string& match_id : {closed, open})
    ASSERT_TRUE(client_with(studio_).step_match(match_id).ok());
  EXPECT_EQ(reason_for(PrincipalKind::kPlayer, closed), "NOT_VISIBLE");
  EXPECT_EQ(reason_for(PrincipalKind::kObserver, closed), "NOT_VISIBLE");
  EXPECT_EQ(reason_for(PrincipalKind::kStage, closed), "OK");
  EXPECT_EQ(reason_for(PrincipalKind::kPlayer, open), "OK");
  EXPECT_EQ(reason_for(PrincipalKind::kObserver, open), "NOT_VISIBLE");
}

/// Players who send a frame for each tick, on connections of their own, ten by ten.
class RightsReload : public SecureTicketServerTest {
 protected:
  static constexpr int kClients = 10;
  static constexpr int kSeatsOfClient = 10;

  void join_all() {
    MatchConfig config = shooter_config(ClockKind::kRealtime);
    config.tick_rate_hz = 30;
    const std::string match_ids[] = {create_match(config), create_match(config)};
    for (int i = 0; i < kClients; ++i) {
      std::vector<std::string> seats;
      for (int j = 0; j < kSeatsOfClient; ++j) seats.push_back("seat-" + std::to_string(i * 100 + j));
      const std::string& match_id = match_ids[i % 2];
      clients_.push_back(client_with(token_of(player_ticket("p-" + std::to_string(i), match_id, seats))));
      for (const std::string& seat : seats)
        sessions_.push_back(joined(clients_.back(), match_id, seat, Role::kPlayer));
    }
  }

  /// Every session sends a frame for each tick that it is told of, for so many ticks of the first.
  void play_on(Tick ticks) {
    const Tick end = sessions_.front().tick() + ticks;
    std::vector<Tick> sent(sessions_.size());
    ASSERT_TRUE(eventually([&] {
      for (std::size_t i = 0; i < sessions_.size(); ++i) {
        Session& session = sessions_[i];
        if (session.tick() == sent[i]) continue;
        sent[i] = session.tick();
        EXPECT_TRUE(session.end_frame().ok());
      }
      return sessions_.front().tick() >= end;
    }));
  }

  std::vector<Client> clients_;
  std::vector<Session> sessions_;
};

TEST_F(RightsReload, OfCertificatesAndKeysUnderLoadLosesNoneOf100Streams) {
  join_all();
  ASSERT_EQ(sessions_.size(), 100u);
  const std::string both = sample_key_set();
  const std::string one = identity::key_set_text(sample_key(identity::Algorithm::kEdDsa));
  const std::string probe =
      token_of(ticket_of(PrincipalKind::kBackend, "studio"), identity::Algorithm::kHs256);
  for (int round = 0; round < 6; ++round) {
    const std::string name = "round-" + std::to_string(round);
    authority_.issue({.common_name = name}).write(folder_.path(), "server");
    write_keys(round % 2 == 0 ? one : both);
    if (round % 3 == 0) server().process().signal(SIGHUP);
    play_on(10);
    EXPECT_TRUE(eventually([&] { return probe_tls(server().port()).subject == name; }));
    const std::string verdict = round % 2 == 0 ? "TICKET_KEY_UNKNOWN" : "MATCH_NOT_FOUND";
    EXPECT_TRUE(eventually([&] { return describe(get_match(probe, "none")) == verdict; }));
  }
  play_on(10);
  for (Session& session : sessions_) {
    EXPECT_EQ(session.state(), SessionState::kJoined) << session.error().message();
    EXPECT_FALSE(session.poll_reconnection()) << "no stream broke";
    EXPECT_FALSE(session.poll_rejection());
  }
}

}  // namespace
}  // namespace sweepd::test::rights_stream_test
