// SPDX-License-Identifier: MIT
//
// Protects a game from a stream that breaks: the SDK comes back to the same seat and the same place in the
// log, tells the game so, and gives up where coming back is hopeless; gaps and snapshots are told, holes are
// not let through.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <vector>

#include "fake_server.h"
#include "google/rpc/error.pb.h"

namespace sweepd::testing::reconnection_test {
namespace {

constexpr std::uint64_t kEpoch = 77;
const ReconnectOptions kSoon{std::chrono::seconds(20), std::chrono::milliseconds(1),
                             std::chrono::milliseconds(5)};
const JoinOptions kAlice{.match_id = "m", .name = "alice", .reconnect = kSoon};

v1::PlayResponse seat(bool resumed, std::uint64_t events = 0) {
  v1::PlayResponse response = joined_response();
  v1::Joined& joined = *response.mutable_joined();
  joined.mutable_match()->mutable_config()->set_reconnect_ticks(300);
  joined.mutable_match()->set_events(events);
  joined.mutable_match()->set_tick(events);
  joined.set_reconnect_token("0123456789abcdef");
  joined.set_epoch(kEpoch);
  joined.set_resumed(resumed);
  return response;
}

/// An update of one event a tick, as real servers send it.
v1::PlayResponse update(Tick tick, std::uint64_t first, int count) {
  v1::PlayResponse response = update_response(tick, first, count);
  response.mutable_update()->set_last_sequence_number(first + static_cast<std::uint64_t>(count) - 1);
  return response;
}

/// A server that plays a script per call and keeps the joins and frames that came.
class Scripted {
 public:
  using Script = std::function<grpc::Status(FakeServer::PlayStream&)>;

  explicit Scripted(std::vector<Script> scripts)
      : scripts_(std::move(scripts)), server_([this](auto&, auto& stream) { return play(stream); }) {}

  Session join(const JoinOptions& options = kAlice) { return server_.client().join(options); }
  std::vector<v1::Join> joins() const {
    const std::lock_guard lock(mutex_);
    return joins_;
  }
  std::vector<v1::Frame> frames() const {
    const std::lock_guard lock(mutex_);
    return frames_;
  }
  FakeServer& server() { return server_; }

  /// Reads until the client goes.
  grpc::Status read_on(FakeServer::PlayStream& stream) {
    v1::PlayRequest request;
    while (stream.Read(&request)) {
      const std::lock_guard lock(mutex_);
      if (request.has_frame()) frames_.push_back(request.frame());
    }
    return grpc::Status::OK;
  }

 private:
  grpc::Status play(FakeServer::PlayStream& stream) {
    v1::PlayRequest request;
    stream.Read(&request);
    Script script;
    {
      const std::lock_guard lock(mutex_);
      joins_.push_back(request.join());
      script = scripts_[std::min(joins_.size(), scripts_.size()) - 1];
    }
    return script(stream);
  }

  mutable std::mutex mutex_;
  std::vector<v1::Join> joins_;
  std::vector<v1::Frame> frames_;
  std::vector<Script> scripts_;
  FakeServer server_;  // Last: its threads use the others.
};

const grpc::Status kBroken(grpc::StatusCode::UNAVAILABLE, "broken");

grpc::Status refused(grpc::StatusCode code, const std::string& reason) {
  google::rpc::Status rich;
  google::rpc::ErrorInfo info;
  info.set_reason(reason);
  rich.add_details()->PackFrom(info);
  return {code, reason, rich.SerializeAsString()};
}

std::vector<std::uint64_t> drain(Session& session) {
  std::vector<std::uint64_t> numbers;
  while (const auto event = session.poll_event()) numbers.push_back(event->sequence_number);
  return numbers;
}

TEST(Reconnection, GoesOnWhereItWasAndSaysSo) {
  Scripted* self = nullptr;
  Scripted server({[](auto& stream) {
                     stream.Write(seat(false));
                     stream.Write(update(3, 1, 2));
                     return kBroken;
                   },
                   [&self](auto& stream) {
                     stream.Write(seat(true, 4));
                     stream.Write(update(5, 3, 2));
                     return self->read_on(stream);
                   }});
  self = &server;
  Session session = server.join();
  ASSERT_TRUE(eventually([&] { return session.tick() == 5; })) << session.error().message();
  EXPECT_EQ(session.state(), SessionState::kJoined);
  EXPECT_EQ(drain(session), (std::vector<std::uint64_t>{1, 2, 3, 4}));
  const auto reconnection = session.poll_reconnection();
  ASSERT_TRUE(reconnection);
  EXPECT_TRUE(reconnection->resumed);
  EXPECT_EQ(reconnection->attempts, 1u);
  EXPECT_FALSE(session.poll_reconnection());
  EXPECT_FALSE(session.poll_snapshot());
  const auto joins = server.joins();
  ASSERT_EQ(joins.size(), 2u);
  EXPECT_FALSE(joins[0].has_resume());
  EXPECT_TRUE(joins[0].reconnect_token().empty());
  EXPECT_EQ(joins[1].name(), "alice");
  EXPECT_EQ(joins[1].reconnect_token(), "0123456789abcdef");
  EXPECT_EQ(joins[1].resume().epoch(), kEpoch);
  EXPECT_EQ(joins[1].resume().last_sequence_number(), 2u);
  EXPECT_EQ(joins[1].resume().last_tick(), 3u);
}

TEST(Reconnection, ASnapshotInPlaceOfTheLogIsTold) {
  Scripted* self = nullptr;
  Scripted server({[](auto& stream) {
                     stream.Write(seat(false));
                     stream.Write(update(1, 1, 1));
                     return kBroken;
                   },
                   [&self](auto& stream) {
                     v1::PlayResponse response = seat(false, 50);
                     response.mutable_joined()->add_open_encounters()->set_object_a(9);
                     stream.Write(response);
                     stream.Write(update(51, 51, 1));
                     return self->read_on(stream);
                   }});
  self = &server;
  Session session = server.join();
  ASSERT_TRUE(eventually([&] { return session.tick() == 51; })) << session.error().message();
  EXPECT_FALSE(session.poll_reconnection()->resumed);
  const auto snapshot = session.poll_snapshot();
  ASSERT_TRUE(snapshot);
  EXPECT_EQ(snapshot->last_sequence_number, 50u);
  EXPECT_EQ(snapshot->tick, 50u);
  EXPECT_EQ(snapshot->open_encounters.at(0).object_a, 9u);
  EXPECT_EQ(drain(session), (std::vector<std::uint64_t>{1, 51}));
  EXPECT_TRUE(session.encounters_at_join().empty());
}

TEST(Reconnection, FramesEndedWhileAwayWaitUpToTheBoundAndGoOutOnTheNewStream) {
  Scripted* self = nullptr;
  std::atomic<bool> let_in = false;
  Scripted server({[](auto& stream) {
                     stream.Write(seat(false));
                     v1::PlayRequest request;
                     stream.Read(&request);  // The spawn.
                     return kBroken;
                   },
                   [&](auto& stream) {
                     if (!let_in) return kBroken;
                     stream.Write(seat(true));
                     return self->read_on(stream);
                   }});
  self = &server;
  JoinOptions options = kAlice;
  options.frames_queued_max = 3;
  Session session = server.join(options);
  ASSERT_TRUE(eventually(session, SessionState::kJoined));
  const ObjectId id = *session.spawn({.position = {10, 0}, .parts = {{centered_box(1, 1), 0}}});
  ASSERT_TRUE(session.end_frame(1).ok());
  ASSERT_TRUE(eventually(session, SessionState::kReconnecting));
  for (int i = 1; i <= 3; ++i) {
    ASSERT_TRUE(session.move(id, {10.0 + i, 0}).ok());
    ASSERT_TRUE(session.end_frame(static_cast<Tick>(i) + 1).ok());
  }
  EXPECT_EQ(session.end_frame().code(), ErrorCode::kQueueFull);
  let_in = true;
  ASSERT_TRUE(eventually([&] { return server.frames().size() == 3; }));
  const auto frames = server.frames();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(frames[i].tick(), i + 2);
  // On the new stream nothing has been sent for the object: first where it is, then by how much it moves.
  ASSERT_EQ(frames[0].absolute_moves().object_id_size(), 1);
  EXPECT_EQ(frames[0].absolute_moves().x(0), 11 * 256);
  EXPECT_EQ(frames[1].moves().dx(0), 256);
  EXPECT_TRUE(frames[2].moves().is_against_course());
  EXPECT_EQ(frames[2].moves().dx(0), 0) << "it goes on as it went";
}

TEST(Reconnection, ASeatThatIsNotKeptAnyMoreFailsTheSessionAtOnce) {
  Scripted server({[](auto& stream) {
                     stream.Write(seat(false));
                     return kBroken;
                   },
                   [](auto&) { return refused(grpc::StatusCode::PERMISSION_DENIED, "INVALID_TOKEN"); }});
  Session session = server.join();
  ASSERT_TRUE(eventually(session, SessionState::kFailed));
  EXPECT_EQ(session.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(session.error().reason(), "INVALID_TOKEN");
  EXPECT_EQ(server.joins().size(), 2u);
}

TEST(Reconnection, WhoIsReplacedDoesNotComeBack) {
  Scripted server({[](auto& stream) {
    stream.Write(seat(false));
    return refused(grpc::StatusCode::ABORTED, "REPLACED");
  }});
  Session session = server.join();
  ASSERT_TRUE(eventually(session, SessionState::kFailed));
  EXPECT_EQ(session.error().reason(), "REPLACED");
  EXPECT_EQ(server.joins().size(), 1u);
}

TEST(Reconnection, TriesAgainUntilItsTimeIsOver) {
  Scripted server({[](auto& stream) {
                     stream.Write(seat(false));
                     return kBroken;
                   },
                   [](auto&) { return kBroken; }});
  JoinOptions options = kAlice;
  options.reconnect.timeout = std::chrono::seconds(1);
  Session session = server.join(options);
  ASSERT_TRUE(eventually(session, SessionState::kFailed));
  // The last attempt broke; or it took so long that the time was over.
  const ErrorCode code = session.error().code();
  EXPECT_TRUE(code == ErrorCode::kUnavailable || code == ErrorCode::kDeadlineExceeded);
  EXPECT_GT(server.joins().size(), 2u);
}

TEST(Reconnection, AStreamThatHasStoodForAWhileHasComeBackEvenIfNothingHappens) {
  const auto stand = [](auto& stream) {
    stream.Write(seat(true));
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    return kBroken;
  };
  Scripted server({stand, stand, stand, [](auto& stream) {
                     stream.Write(seat(true));
                     v1::PlayResponse ended;
                     ended.mutable_ended();
                     stream.Write(ended);
                     return grpc::Status::OK;
                   }});
  JoinOptions options = kAlice;
  options.reconnect = {std::chrono::milliseconds(700), std::chrono::milliseconds(1),
                       std::chrono::milliseconds(5)};
  Session session = server.join(options);
  ASSERT_TRUE(
      eventually([&] { return session.state() != SessionState::kConnecting && server.joins().size() == 4; }));
  EXPECT_TRUE(eventually(session, SessionState::kEnded)) << session.error().message();
  while (const auto reconnection = session.poll_reconnection()) EXPECT_EQ(reconnection->attempts, 1u);
}

TEST(Reconnection, AMessageThatIsTooLargeIsNotTriedAgain) {
  Scripted server({[](auto& stream) {
    stream.Write(seat(false));
    return grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "Received message larger than max");
  }});
  Session session = server.join();
  ASSERT_TRUE(eventually(session, SessionState::kFailed));
  EXPECT_EQ(session.error().code(), ErrorCode::kResourceExhausted);
  EXPECT_EQ(server.joins().size(), 1u);
}

TEST(Reconnection, PausesThatMakeNoSenseAreRefusedByName) {
  Scripted server({[](auto&) { return kBroken; }});
  const auto refused_field = [&](const ReconnectOptions& reconnect) {
    JoinOptions options = kAlice;
    options.reconnect = reconnect;
    Session session = server.join(options);
    EXPECT_EQ(session.state(), SessionState::kFailed);
    EXPECT_EQ(session.error().code(), ErrorCode::kInvalidArgument);
    return session.error().field();
  };
  using std::chrono::milliseconds;
  EXPECT_EQ(refused_field({milliseconds(-1), milliseconds(1), milliseconds(1)}), "reconnect.timeout");
  EXPECT_EQ(refused_field({milliseconds(1), milliseconds(0), milliseconds(1)}), "reconnect.first_pause");
  EXPECT_EQ(refused_field({milliseconds(1), milliseconds(2), milliseconds(1)}), "reconnect.longest_pause");
  EXPECT_TRUE(server.joins().empty());
}

TEST(Reconnection, DoesNotTryWithoutASeatThatIsKeptOrWhenToldNotTo) {
  for (const bool told_not_to : {true, false}) {
    Scripted server({[told_not_to](auto& stream) {
      v1::PlayResponse response = seat(false);
      if (!told_not_to) response.mutable_joined()->mutable_match()->mutable_config()->set_reconnect_ticks(0);
      stream.Write(response);
      return kBroken;
    }});
    JoinOptions options = kAlice;
    if (told_not_to) options.reconnect.timeout = std::chrono::milliseconds(0);
    Session session = server.join(options);
    ASSERT_TRUE(eventually(session, SessionState::kFailed));
    EXPECT_EQ(server.joins().size(), 1u);
  }
}

TEST(Reconnection, LeavingOrDestroyingASessionEndsTheAttempts) {
  for (const bool leaves : {true, false}) {
    Scripted server({[](auto& stream) {
                       stream.Write(seat(false));
                       return kBroken;
                     },
                     [](auto&) { return kBroken; }});
    {
      Session session = server.join();
      ASSERT_TRUE(eventually([&] { return server.joins().size() > 2; }));
      if (leaves) session.leave();
      EXPECT_EQ(session.state() == SessionState::kLeft, leaves);
    }
    const std::size_t joins = server.joins().size();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_LE(server.joins().size(), joins + 1) << "but for what was on its way";
  }
}

TEST(Reconnection, AGapIsToldAndAHoleWithoutOneIsAnError) {
  Scripted* self = nullptr;
  Scripted server({[&self](auto& stream) {
    stream.Write(seat(false));
    v1::PlayResponse gap = update(9, 8, 2);
    gap.mutable_update()->mutable_gap()->set_first(1);
    gap.mutable_update()->mutable_gap()->set_last(7);
    stream.Write(gap);
    v1::PlayResponse hole = update_response(10, 0, 0);
    hole.mutable_update()->set_last_sequence_number(11);
    stream.Write(hole);
    return self->read_on(stream);
  }});
  self = &server;
  Session session = server.join();
  ASSERT_TRUE(eventually(session, SessionState::kFailed));
  EXPECT_EQ(session.error().code(), ErrorCode::kInternal);
  const auto gap = session.poll_gap();
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->first, 1u);
  EXPECT_EQ(gap->last, 7u);
  EXPECT_EQ(drain(session), (std::vector<std::uint64_t>{8, 9}));
}

TEST(Reconnection, ADigestThatIsToldSeldomStaysThatOfItsTick) {
  Scripted* self = nullptr;
  Scripted server({[&self](auto& stream) {
    stream.Write(seat(false));
    stream.Write(update_response(4, 1, 1));
    v1::PlayResponse without = update_response(5, 2, 1);
    without.mutable_update()->clear_digest();
    stream.Write(without);
    return self->read_on(stream);
  }});
  self = &server;
  JoinOptions options = kAlice;
  options.filter.digest_every_ticks = 60;
  Session session = server.join(options);
  ASSERT_TRUE(eventually([&] { return session.tick() == 5; }));
  EXPECT_EQ(session.digest(), 40u);
  EXPECT_EQ(session.digest_tick(), 4u);
}

TEST(Reconnection, FiltersAndPoliciesAreAskedForAgainAndNumbersMayHaveGaps) {
  Scripted* self = nullptr;
  Scripted server({[](auto& stream) {
                     stream.Write(seat(false));
                     v1::PlayResponse response = update_response(4, 3, 2);
                     response.mutable_update()->mutable_events()->add_sequence_gap(0);
                     response.mutable_update()->mutable_events()->add_sequence_gap(5);
                     response.mutable_update()->mutable_events()->set_events_after(11);
                     response.mutable_update()->set_last_sequence_number(20);
                     response.mutable_update()->mutable_participants_away()->add_numbers(3);
                     response.mutable_update()->mutable_stays()->set_tick(4);
                     stream.Write(response);
                     return kBroken;
                   },
                   [&self](auto& stream) {
                     stream.Write(seat(true, 20));
                     return self->read_on(stream);
                   }});
  self = &server;
  JoinOptions options = kAlice;
  options.filter.layers = {1};
  options.filter.objects = {100};
  options.filter.kinds = {EventKind::kExit};
  options.filter.stay_every_ticks = 4;
  options.queue_policy = {WhenFull::kCoalesce, 9};
  Session session = server.join(options);
  ASSERT_TRUE(eventually([&] { return server.joins().size() == 2; })) << session.error().message();
  for (const v1::Join& join : server.joins()) {
    EXPECT_EQ(join.filter().layers(0), 1u);
    EXPECT_EQ(join.filter().object_ids(0), 100u);
    EXPECT_EQ(join.filter().kinds(0), v1::EVENT_KIND_EXIT);
    EXPECT_EQ(join.filter().stay_every_ticks(), 4u);
    EXPECT_EQ(join.queue_policy().when_full(), v1::WHEN_FULL_COALESCE);
    EXPECT_EQ(join.queue_policy().events_max(), 9u);
  }
  EXPECT_EQ(server.joins()[1].resume().last_sequence_number(), 20u);
  EXPECT_EQ(drain(session), (std::vector<std::uint64_t>{3, 9}));
  EXPECT_EQ(session.poll_stays()->tick, 4u);
}

TEST(Reconnection, AWatcherComesBackToo) {
  std::vector<v1::WatchRequest> requests;
  std::atomic<int> calls = 0;
  FakeServer server({}, [&](auto& context, auto& writer) {
    const bool is_first = calls++ == 0;
    v1::WatchResponse response;
    response.mutable_started()->set_epoch(kEpoch);
    response.mutable_started()->set_resumed(!is_first);
    writer.Write(response);
    *response.mutable_update() = (is_first ? update(1, 1, 2) : update(2, 3, 1)).update();
    writer.Write(response);
    if (is_first) return kBroken;
    eventually([&] { return context.IsCancelled(); });
    return grpc::Status::OK;
  });
  WatchOptions options;
  options.match_id = "m";
  options.reconnect = kSoon;
  Watcher watcher = server.client().watch(options);
  ASSERT_TRUE(eventually([&] { return watcher.tick() == 2; })) << watcher.error().message();
  for (std::uint64_t number = 1; number <= 3; ++number)
    EXPECT_EQ(watcher.poll_event()->sequence_number, number);
  EXPECT_TRUE(watcher.poll_reconnection()->resumed);
}

}  // namespace
}  // namespace sweepd::testing::reconnection_test
