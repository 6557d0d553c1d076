// SPDX-License-Identifier: MIT
//
// Protects the second door: what streams are over gRPC they are over WebSocket, with the same messages,
// seats, errors and bounds, and both doors may be used in one match. The client is Beast's, not the server's
// own code.
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "integration/support/raw_stream.h"
#include "integration/support/web_socket_fixture.h"
#include "sweepd/v1/replay_service.pb.h"

namespace sweepd::test::web_socket_stream_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr unsigned kStatusCodes = 4000;  ///< 4000 and google.rpc.Code: how a stream ends that fails.

bool has_event(const v1::TickUpdate& update) { return update.events().object_a_size() > 0; }
bool has_rejection(const v1::TickUpdate& update) { return update.rejections_size() > 0; }
bool says_who_is_away(const v1::TickUpdate& update) { return update.has_participants_away(); }

class WebSocketStream : public WebSocketTest {};

TEST_F(WebSocketStream, APlayerJoinsSpawnsAndHearsOfContact) {
  const std::string match = create(ClockKind::kRealtime);
  const auto stream = open();
  EXPECT_EQ(stream->subprotocol(), "sweepd.v1");
  EXPECT_FALSE(stream->answered("x-request-id").empty());
  const v1::PlayResponse joined = stream->join(match, "ann");
  ASSERT_TRUE(joined.has_joined());
  const std::uint32_t first = joined.joined().participant().first_id();
  stream->send(spawn(first, 0));
  const auto enemy = open();
  const v1::PlayResponse stage = enemy->join(match, "stage", v1::ROLE_STAGE);
  enemy->send(spawn(stage.joined().participant().first_id(), 2));
  for (WebSocketClient* one : {stream.get(), enemy.get()}) {
    const auto update = one->update_with(has_event);
    ASSERT_TRUE(update);
    EXPECT_EQ(update->events().object_a(0), first);
  }
}

TEST_F(WebSocketStream, BothDoorsLeadToOneMatch) {
  const std::string match = create(ClockKind::kRealtime);
  const auto stream = open();
  const std::uint32_t first = stream->join(match, "ann").joined().participant().first_id();
  stream->send(spawn(first, 0));
  auto sdk = client();
  Session session = joined(sdk, match, "stage", Role::kStage);
  ASSERT_TRUE(session.spawn(object_at({4, 4}, 2)).ok());
  ASSERT_TRUE(session.end_frame().ok());
  EXPECT_TRUE(stream->update_with(has_event));
  EXPECT_TRUE(eventually([&] { return session.poll_event().has_value(); }));
}

TEST_F(WebSocketStream, AMatchThatIsSteppedOrWaitsForFramesReadsThemWhenTheyCome) {
  for (const ClockKind clock : {ClockKind::kLockstep, ClockKind::kManual}) {
    const std::string match = create(clock);
    const auto stream = open();
    const v1::PlayResponse joined = stream->join(match, "ann");
    v1::PlayRequest request = spawn(joined.joined().participant().first_id(), 0);
    request.mutable_frame()->set_tick(1);
    stream->send(request);
    auto sdk = client();
    ASSERT_TRUE(eventually([&] {
      if (clock == ClockKind::kManual) (void)sdk.step_match(match, 1);
      return sdk.get_match(match)->objects == 1;
    }));
  }
}

TEST_F(WebSocketStream, AStreamOfAPausedMatchIsReadThoughNoTickIsDue) {
  MatchConfig config = shooter_config(ClockKind::kRealtime);
  config.clock_control_roles = std::vector<Role>{Role::kPlayer};
  const std::string match = create(config);
  const auto stream = open();
  ASSERT_TRUE(stream->join(match, "ann").has_joined());
  v1::PlayRequest pause;
  pause.mutable_clock_control()->set_paused(true);
  stream->send(pause);
  const auto is_paused = [](const v1::TickUpdate& update) {
    return update.has_clock() && update.clock().paused();
  };
  ASSERT_TRUE(stream->update_with(is_paused));
  v1::PlayRequest resume;
  resume.mutable_clock_control()->set_paused(false);
  stream->send(resume);
  const auto is_running = [](const v1::TickUpdate& update) {
    return update.has_clock() && !update.clock().paused();
  };
  EXPECT_TRUE(stream->update_with(is_running));
}

TEST_F(WebSocketStream, ABadChangeIsRejectedAndTheStreamGoesOn) {
  const std::string match = create(ClockKind::kRealtime);
  const auto stream = open();
  const std::uint32_t first = stream->join(match, "ann").joined().participant().first_id();
  stream->send(spawn(first, 77));
  const auto update = stream->update_with(has_rejection);
  ASSERT_TRUE(update);
  EXPECT_EQ(update->rejections(0).reason(), v1::REJECTION_REASON_UNKNOWN_LAYER);
  stream->send_binary("no message of the contract");
  const auto malformed = stream->update_with(has_rejection);
  ASSERT_TRUE(malformed);
  EXPECT_EQ(malformed->rejections(0).reason(), v1::REJECTION_REASON_MALFORMED);
}

TEST_F(WebSocketStream, AStreamThatIsRefusedEndsWithItsStatusInTheCloseAndAsBytes) {
  const auto stream = open();
  v1::PlayRequest request;
  request.mutable_join()->set_match_id("nowhere");
  request.mutable_join()->set_name("ann");
  request.mutable_join()->set_role(v1::ROLE_PLAYER);
  stream->send(request);
  const auto& end = stream->end();
  EXPECT_EQ(end.code, kStatusCodes + 5);  // NOT_FOUND
  EXPECT_THAT(end.reason, StartsWith("MATCH_NOT_FOUND: "));
  EXPECT_EQ(end.status.code(), 5);
  EXPECT_EQ(end.detail_reason(), "MATCH_NOT_FOUND");
}

TEST_F(WebSocketStream, ALongReasonIsClippedToWhatACloseHolds) {
  const auto stream = open();
  v1::PlayRequest request;
  request.mutable_join()->set_match_id(std::string(500, 'x'));
  request.mutable_join()->set_name("ann");
  request.mutable_join()->set_role(v1::ROLE_PLAYER);
  stream->send(request);
  EXPECT_LE(stream->end().reason.size(), 123u);
  EXPECT_EQ(stream->end().detail_reason(), "MATCH_NOT_FOUND");
}

TEST_F(WebSocketStream, AMessageAboveTheServersLimitIsRefusedByItAndOneAboveTheDoorsByTheDoor) {
  const std::string match = create(ClockKind::kManual);
  const auto stream = open();
  ASSERT_TRUE(stream->join(match, "ann").has_joined());
  stream->send_binary(std::string((1u << 20) + 1, '\0'));
  EXPECT_EQ(stream->end().detail_reason(), "MESSAGE_TOO_LARGE");
  const auto other = open();
  other->send_raw(WebSocketClient::frame(0x82, "x", (2u << 20) + 1));
  EXPECT_EQ(other->end().code, 1009u);
}

TEST_F(WebSocketStream, APlayerWhoClosesInOrderLeavesForGood) {
  const std::string match = create(ClockKind::kRealtime);
  const auto watcher = open();
  ASSERT_TRUE(watcher->join(match, "watcher", v1::ROLE_OBSERVER).has_joined());
  const auto stream = open();
  const std::uint32_t first = stream->join(match, "ann").joined().participant().first_id();
  stream->send(spawn(first, 0));
  auto sdk = client();
  ASSERT_TRUE(eventually([&] { return sdk.get_match(match)->objects == 1; }));
  stream->close(1000);
  EXPECT_EQ(stream->end().code, 1000u);
  EXPECT_TRUE(eventually([&] { return sdk.get_match(match)->objects == 0; }));
}

TEST_F(WebSocketStream, APlayerWhoGoesAwayOrIsCutComesBackToItsSeat) {
  for (const bool is_cut : {false, true}) {
    const std::string match = create(ClockKind::kRealtime);
    const auto watcher = open();
    ASSERT_TRUE(watcher->join(match, "watcher", v1::ROLE_OBSERVER).has_joined());
    const auto stream = open();
    const v1::PlayResponse joined = stream->join(match, "ann");
    stream->send(spawn(joined.joined().participant().first_id(), 0));
    auto sdk = client();
    ASSERT_TRUE(eventually([&] { return sdk.get_match(match)->objects == 1; }));
    is_cut ? stream->cut() : stream->close(1001);
    ASSERT_TRUE(watcher->update_with(says_who_is_away));
    const auto again = open();
    v1::PlayRequest request;
    request.mutable_join()->set_match_id(match);
    request.mutable_join()->set_name("ann");
    request.mutable_join()->set_reconnect_token(joined.joined().reconnect_token());
    again->send(request);
    const auto back = again->read_as<v1::PlayResponse>();
    ASSERT_TRUE(back && back->has_joined());
    EXPECT_EQ(back->joined().participant().objects(), 1u);
  }
}

TEST_F(WebSocketStream, SeveralParticipantsShareAStream) {
  const std::string match = create(ClockKind::kRealtime);
  const auto stream = open();
  v1::PlayRequest request;
  request.mutable_join()->set_match_id(match);
  request.mutable_join()->set_name("ann");
  request.mutable_join()->set_role(v1::ROLE_PLAYER);
  request.mutable_join()->set_is_shared(true);
  stream->send(request);
  ASSERT_TRUE(stream->read_as<v1::PlayResponse>()->has_joined());
  v1::PlayRequest further;
  further.mutable_join()->set_name("bob");
  further.mutable_join()->set_role(v1::ROLE_PLAYER);
  stream->send(further);
  v1::PlayResponse answer;
  while (!answer.has_joined() && !answer.has_join_refused()) answer = *stream->read_as<v1::PlayResponse>();
  ASSERT_TRUE(answer.has_joined());
  v1::PlayRequest frames;
  *frames.mutable_frames()->add_frames() = spawn(answer.joined().participant().first_id(), 0).frame();
  frames.mutable_frames()->mutable_frames(0)->set_participant(answer.joined().participant().number());
  stream->send(frames);
  auto sdk = client();
  EXPECT_TRUE(eventually([&] { return sdk.get_match(match)->objects == 1; }));
}

TEST_F(WebSocketStream, AWatcherHearsOfTheMatchUntilItEnds) {
  const std::string match = create(ClockKind::kRealtime);
  const auto stream = open(kWatchPath);
  v1::WatchRequest request;
  request.set_match_id(match);
  stream->send(request);
  ASSERT_TRUE(stream->read_as<v1::WatchResponse>()->has_started());
  auto sdk = client();
  ASSERT_TRUE(sdk.end_match(match).ok());
  v1::WatchResponse last;
  while (const auto response = stream->read_as<v1::WatchResponse>()) last = *response;
  EXPECT_TRUE(last.has_ended());
  EXPECT_EQ(stream->end().code, 1000u);
}

TEST_F(WebSocketStream, AWatcherThatSaysMoreThanOneThingIsClosed) {
  const std::string match = create(ClockKind::kRealtime);
  const auto stream = open(kWatchPath);
  v1::WatchRequest request;
  request.set_match_id(match);
  stream->send(request);
  ASSERT_TRUE(stream->read());
  stream->send(request);
  EXPECT_EQ(stream->end().code, 1008u);
  expect_served();
}

TEST_F(WebSocketStream, AStreamThatSaysNothingIsClosedInTime) {
  const auto play = open();
  const auto watch = open(kWatchPath);
  EXPECT_EQ(play->end().code, 1008u);
  EXPECT_EQ(watch->end().code, 1008u);
}

TEST_F(WebSocketStream, AReaderThatReadsNothingIsDealtWithByItsPolicyAndHoldsUpNoOther) {
  const std::string match = create(ClockKind::kRealtime);
  const auto slow = open({.path = kWatchPath, .receive_bytes_max = 4096});
  v1::WatchRequest request;
  request.set_match_id(match);
  request.mutable_queue_policy()->set_events_max(2000);
  request.mutable_queue_policy()->set_when_full(v1::WHEN_FULL_DISCONNECT);
  slow->send(request);
  ASSERT_TRUE(slow->read_as<v1::WatchResponse>()->has_started());
  auto sdk = client();
  Session driver = joined(sdk, match, "driver", Role::kPlayer);
  const ObjectId ship = *driver.spawn(object_at({1000, 0}, 0));
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(driver.spawn(object_at({0, 0}, 3)).ok());
  bool is_in_contact = false;
  ASSERT_TRUE(eventually([&] {
    is_in_contact = !is_in_contact;
    EXPECT_TRUE(driver.move(ship, {is_in_contact ? 0.0 : 1000.0, 0}).ok());
    EXPECT_TRUE(driver.end_frame().ok());
    drain(driver);
    std::this_thread::sleep_for(std::chrono::milliseconds(15));
    return server().process().standard_error().find("more than 2000 events waited") != std::string::npos;
  }));
  // Unless it does not take even that in time.
  const auto& end = slow->end();
  EXPECT_TRUE(end.detail_reason() == "SLOW_READER" || end.code == 0) << end.reason;
  EXPECT_EQ(driver.state(), SessionState::kJoined);
}

TEST_F(WebSocketStream, TheServerTellsItsStreamsThatItStops) {
  const std::string match = create(ClockKind::kRealtime);
  const auto stream = open();
  ASSERT_TRUE(stream->join(match, "ann").has_joined());
  server().process().signal(SIGTERM);
  EXPECT_EQ(stream->end().code, kStatusCodes + 14);  // UNAVAILABLE
  EXPECT_EQ(stream->end().detail_reason(), "SERVER_SHUTTING_DOWN");
  EXPECT_EQ(server().process().wait(), 0);
  stopped_by_test_ = true;
}

class WebSocketReplays : public WebSocketTest {
 protected:
  void SetUp() override { serve({"--data-dir", (data_.path() / "data").string()}); }
  TemporaryFolder data_;
};

TEST_F(WebSocketReplays, AreFetchedAndVerified) {
  const std::string match = create(ClockKind::kRealtime);
  const auto player = open();
  player->send(spawn(player->join(match, "ann").joined().participant().first_id(), 0));
  auto sdk = client();
  ASSERT_TRUE(eventually([&] { return sdk.get_match(match)->objects == 1; }));
  ASSERT_TRUE(sdk.end_match(match).ok());
  const auto download = open(kGetReplayPath);
  v1::GetReplayRequest request;
  request.set_match_id(match);
  download->send(request);
  std::string replay;
  std::uint64_t bytes = 0;
  while (const auto response = download->read_as<v1::GetReplayResponse>()) {
    if (response->has_info()) bytes = response->info().bytes();
    replay += response->chunk();
  }
  EXPECT_EQ(download->end().code, 1000u);
  ASSERT_EQ(replay.size(), bytes);
  // Who waits for the answer with the connection open says by an empty message that there is no more.
  for (const bool closes : {false, true}) {
    const auto upload = open(kVerifyReplayPath);
    v1::VerifyReplayRequest chunk;
    chunk.set_chunk(replay);
    upload->send(chunk);
    closes ? upload->close(1000) : upload->send_binary("");
    const auto verdict = upload->read_as<v1::VerifyReplayResponse>();
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->verdict(), v1::REPLAY_VERDICT_VERIFIED);
    EXPECT_EQ(upload->end().code, 1000u);
  }
}

class WebSocketLoops : public WebSocketTest {
 protected:
  void SetUp() override { serve({"--loops", "2", "--move-matches-every-ms", "20"}); }
};

TEST_F(WebSocketLoops, StreamsFollowTheirMatchesWhereverTheseMove) {
  const std::string match = create(ClockKind::kRealtime);
  std::vector<std::unique_ptr<WebSocketClient>> streams;
  std::vector<std::uint32_t> first;
  for (int i = 0; i < 6; ++i) {
    streams.push_back(open());
    first.push_back(
        streams.back()->join(match, "player" + std::to_string(i)).joined().participant().first_id());
  }
  auto sdk = client();
  for (std::uint32_t round = 0; round < 40; ++round) {
    for (std::size_t i = 0; i < streams.size(); ++i) streams[i]->send(spawn(first[i] + round, 0));
    const std::size_t wanted = (round + 1) * streams.size();
    ASSERT_TRUE(eventually([&] { return sdk.get_match(match)->objects == wanted; })) << round;
  }
  EXPECT_THAT(server().process().standard_error(), HasSubstr("match moved to another loop"));
  for (const auto& stream : streams) EXPECT_TRUE(stream->read());
}

}  // namespace
}  // namespace sweepd::test::web_socket_stream_test
