// SPDX-License-Identifier: MIT
//
// Protects a game whose server died and came back at an earlier tick: it is told what did not happen, gets
// what happens instead even where the numbers are the same, and nothing of what is undone after that.
#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "fake_server.h"
#include "google/rpc/error.pb.h"
#include "inbox.h"

namespace sweepd::testing::undone_test {
namespace {

using internal::Arrivals;
using internal::Inbox;

std::vector<std::uint64_t> drain(Session& session) {
  std::vector<std::uint64_t> numbers;
  while (const auto event = session.poll_event()) numbers.push_back(event->sequence_number);
  return numbers;
}

Arrivals events(std::uint64_t first, std::uint64_t last) {
  Arrivals arrivals;
  for (std::uint64_t number = first; number <= last; ++number) {
    arrivals.events.push_back({.sequence_number = number});
  }
  return arrivals;
}

std::vector<std::uint64_t> drain(Inbox& inbox) {
  std::vector<std::uint64_t> numbers;
  while (const auto event = inbox.take_event()) numbers.push_back(event->sequence_number);
  return numbers;
}

TEST(Inbox, GivesUpWhatIsUndoneAndTakesWhatComesInstead) {
  Inbox inbox(100);
  ASSERT_TRUE(inbox.put(events(1, 6)));
  EXPECT_EQ(inbox.take_event()->sequence_number, 1u);  // The others are in the game's hand now.
  ASSERT_TRUE(inbox.put(events(7, 9)));
  inbox.undo_events(4);
  ASSERT_TRUE(inbox.put(events(5, 7)));
  EXPECT_EQ(drain(inbox), (std::vector<std::uint64_t>{2, 3, 4, 5, 6, 7}));
  ASSERT_TRUE(inbox.put(events(8, 9)));
  EXPECT_EQ(drain(inbox), (std::vector<std::uint64_t>{8, 9}));
}

TEST(Inbox, IsUndoneTwiceBeforeAnybodyLooks) {
  Inbox inbox(100);
  ASSERT_TRUE(inbox.put(events(1, 9)));
  EXPECT_EQ(inbox.take_event()->sequence_number, 1u);
  inbox.undo_events(3);
  ASSERT_TRUE(inbox.put(events(4, 8)));
  inbox.undo_events(5);
  ASSERT_TRUE(inbox.put(events(6, 6)));
  EXPECT_EQ(drain(inbox), (std::vector<std::uint64_t>{2, 3, 4, 5, 6}));
}

TEST(Inbox, HasRoomForWhatTookThePlaceOfTheUndone) {
  Inbox inbox(4);
  ASSERT_TRUE(inbox.put(events(1, 4)));
  EXPECT_EQ(inbox.take_event()->sequence_number, 1u);
  inbox.undo_events(2);
  EXPECT_EQ(drain(inbox), (std::vector<std::uint64_t>{2}));
  EXPECT_TRUE(inbox.put(events(3, 6)));
  EXPECT_FALSE(inbox.put(events(7, 7)));
}

v1::PlayResponse seat(bool resumed, Tick tick, std::uint64_t events) {
  v1::PlayResponse response = joined_response();
  v1::Joined& joined = *response.mutable_joined();
  joined.mutable_match()->mutable_config()->set_reconnect_ticks(300);
  joined.mutable_match()->set_events(events);
  joined.mutable_match()->set_tick(tick);
  joined.set_reconnect_token("0123456789abcdef");
  joined.set_epoch(resumed ? 78 : 77);
  joined.set_resumed(resumed);
  return response;
}

v1::PlayResponse kept_seat(bool resumed, Tick tick, std::uint64_t events) {
  v1::PlayResponse response = seat(resumed, tick, events);
  response.mutable_joined()->mutable_match()->set_is_kept(true);
  return response;
}

v1::PlayResponse update(Tick tick, std::uint64_t first, int count) {
  v1::PlayResponse response = update_response(tick, first, count);
  response.mutable_update()->set_last_sequence_number(first + static_cast<std::uint64_t>(count) - 1);
  response.mutable_update()->set_durable_tick(tick - 1);
  response.mutable_update()->set_digest(tick * 100);
  return response;
}

const JoinOptions kAlice{
    .match_id = "m",
    .name = "alice",
    .reconnect = {std::chrono::seconds(20), std::chrono::milliseconds(1), std::chrono::milliseconds(5)}};

const grpc::Status kBroken(grpc::StatusCode::UNAVAILABLE, "broken");

grpc::Status shutting_down() {
  google::rpc::Status rich;
  google::rpc::ErrorInfo info;
  info.set_reason("SERVER_SHUTTING_DOWN");
  rich.add_details()->PackFrom(info);
  return {grpc::StatusCode::UNAVAILABLE, "shutting down", rich.SerializeAsString()};
}

/// Reads the join, then until the client goes.
grpc::Status read_on(FakeServer::PlayStream& stream) {
  v1::PlayRequest request;
  while (stream.Read(&request)) {
  }
  return grpc::Status::OK;
}

TEST(Undone, IsToldWithTheReconnectionAndWhatComesInsteadIsDelivered) {
  std::atomic<int> calls = 0;
  std::atomic<bool> may_go_on = false;
  FakeServer server([&](auto&, auto& stream) {
    v1::PlayRequest request;
    stream.Read(&request);
    if (++calls == 1) {
      stream.Write(seat(false, 0, 0));
      stream.Write(update(3, 1, 2));
      stream.Write(update(5, 3, 4));
      return kBroken;
    }
    EXPECT_EQ(request.join().resume().last_tick(), 5u);
    EXPECT_EQ(request.join().resume().last_sequence_number(), 6u);
    v1::PlayResponse back = seat(true, 4, 3);
    back.mutable_joined()->mutable_undone()->set_after_tick(4);
    back.mutable_joined()->mutable_undone()->set_after_sequence_number(3);
    stream.Write(back);
    while (!may_go_on) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    stream.Write(update(5, 4, 1));
    return read_on(stream);
  });
  Session session = server.client().join(kAlice);
  std::optional<Reconnection> reconnection;
  ASSERT_TRUE(eventually([&] { return (reconnection = session.poll_reconnection()).has_value(); }));
  EXPECT_TRUE(reconnection->resumed);
  ASSERT_TRUE(reconnection->undone.has_value());
  EXPECT_EQ(reconnection->undone->after_tick, 4u);
  EXPECT_EQ(reconnection->undone->after_sequence_number, 3u);
  EXPECT_EQ(session.tick(), 4u);
  EXPECT_EQ(session.digest(), 0u);
  EXPECT_EQ(drain(session), (std::vector<std::uint64_t>{1, 2, 3}));
  may_go_on = true;
  ASSERT_TRUE(eventually([&] { return session.tick() == 5; })) << session.error().message();
  EXPECT_EQ(session.digest(), 500u);
  EXPECT_EQ(session.durable_tick(), 4u);
  EXPECT_EQ(drain(session), (std::vector<std::uint64_t>{4}));
}

TEST(Undone, IsNothingWhereNothingWasLost) {
  std::atomic<int> calls = 0;
  FakeServer server([&](auto&, auto& stream) {
    v1::PlayRequest request;
    stream.Read(&request);
    const bool is_first = ++calls == 1;
    stream.Write(seat(!is_first, 3, is_first ? 0 : 2));
    stream.Write(is_first ? update(3, 1, 2) : update(4, 3, 1));
    return is_first ? kBroken : read_on(stream);
  });
  Session session = server.client().join(kAlice);
  ASSERT_TRUE(eventually([&] { return session.tick() == 4; })) << session.error().message();
  const auto reconnection = session.poll_reconnection();
  ASSERT_TRUE(reconnection.has_value());
  EXPECT_FALSE(reconnection->undone.has_value());
  EXPECT_EQ(drain(session), (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST(Undone, AServerThatKeepsItsMatchesIsWaitedForWhileItIsRestarted) {
  std::atomic<int> calls = 0;
  FakeServer server([&](auto&, auto& stream) {
    v1::PlayRequest request;
    stream.Read(&request);
    const bool is_first = ++calls == 1;
    stream.Write(kept_seat(!is_first, 3, is_first ? 0 : 2));
    stream.Write(is_first ? update(3, 1, 2) : update(4, 3, 1));
    return is_first ? shutting_down() : read_on(stream);
  });
  Session session = server.client().join(kAlice);
  ASSERT_TRUE(eventually([&] { return session.tick() == 4; })) << session.error().message();
  EXPECT_EQ(calls, 2);
}

TEST(Undone, AServerThatKeepsItsMatchesIsWaitedForFromTheLobbyToo) {
  std::atomic<int> calls = 0;
  FakeServer server([&](auto&, auto& stream) {
    v1::PlayRequest request;
    stream.Read(&request);
    const bool is_first = ++calls == 1;
    stream.Write(kept_seat(!is_first, 0, 0));
    return is_first ? shutting_down() : read_on(stream);
  });
  Session session = server.client().join(kAlice);
  std::optional<Reconnection> reconnection;
  ASSERT_TRUE(eventually([&] { return (reconnection = session.poll_reconnection()).has_value(); }))
      << session.error().message();
  EXPECT_EQ(session.state(), SessionState::kJoined);
  EXPECT_EQ(session.tick(), 0u);
  EXPECT_TRUE(session.match()->is_kept);
}

TEST(Undone, AServerThatKeepsNothingIsNotWaitedFor) {
  std::atomic<int> calls = 0;
  FakeServer server([&](auto&, auto& stream) {
    v1::PlayRequest request;
    stream.Read(&request);
    ++calls;
    stream.Write(seat(false, 3, 0));
    stream.Write(update(3, 1, 2));
    return shutting_down();
  });
  Session session = server.client().join(kAlice);
  ASSERT_TRUE(eventually([&] { return session.state() == SessionState::kFailed; }));
  EXPECT_EQ(session.error().reason(), "SERVER_SHUTTING_DOWN");
  EXPECT_FALSE(session.match()->is_kept);
  EXPECT_EQ(calls, 1);
}

TEST(Undone, AServerThatIsDownForSecondsIsFoundAgain) {
  const auto script = [](auto&, auto& stream) {
    v1::PlayRequest request;
    stream.Read(&request);
    const bool is_back = request.join().has_resume();
    // Tick 3 is known by its update alone: a server that goes before that is asked for event 1 again.
    stream.Write(seat(is_back, is_back ? 3 : 0, is_back ? 2 : 0));
    stream.Write(is_back ? update(4, 3, 1) : update(3, 1, 2));
    return read_on(stream);
  };
  auto server = std::make_unique<FakeServer>(script);
  const int port = server->port();
  Session session = server->client(std::chrono::seconds(1)).join(kAlice);
  ASSERT_TRUE(eventually([&] { return session.tick() == 3; })) << session.error().message();
  server->vanish();
  server.reset();
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));  // Nobody listens there.
  EXPECT_EQ(session.state(), SessionState::kReconnecting);
  server = std::make_unique<FakeServer>(script, FakeServer::WatchScript{}, port);
  ASSERT_TRUE(server->is_listening());
  ASSERT_TRUE(eventually([&] { return session.tick() == 4; })) << session.error().message();
  const auto reconnection = session.poll_reconnection();
  ASSERT_TRUE(reconnection.has_value());
  EXPECT_GE(reconnection->attempts, 2u);
}

}  // namespace
}  // namespace sweepd::testing::undone_test
