// SPDX-License-Identifier: MIT
//
// Protects games from servers and networks that are slow, silent, gone or strange: every such case ends as a
// state and an error, never as a crash, a hang or a log with a hole in it.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <vector>

#include "fake_server.h"
#include "google/rpc/error.pb.h"

namespace sweepd::testing::stream_failure_test {
namespace {

const JoinOptions kAlice{.match_id = "m", .name = "alice"};

/// Reads until the session goes.
void drain(FakeServer::PlayStream& stream) {
  v1::PlayRequest request;
  while (stream.Read(&request)) {
  }
}

ErrorCode error_of_failed(const Session& session) {
  return eventually(session, SessionState::kFailed) ? session.error().code() : ErrorCode::kNone;
}

/// A loopback port where nobody listens, and that nobody but a FakeServer can have: gRPC shares ports
/// (SO_REUSEPORT), and the system gives one that is bound to no one else.
class HeldPort {
 public:
  HeldPort() : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    const int on = 1;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(setsockopt(socket_, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on), 0);
    EXPECT_EQ(bind(socket_, any, size), 0);
    EXPECT_EQ(getsockname(socket_, any, &size), 0);
    number_ = ntohs(address.sin_port);
  }
  ~HeldPort() { close(socket_); }
  HeldPort(const HeldPort&) = delete;
  HeldPort& operator=(const HeldPort&) = delete;

  int number() const { return number_; }

 private:
  int socket_;
  int number_ = 0;
};

/// A session whose server lets it in, sends `responses` and then waits.
struct Fed {
  explicit Fed(std::vector<v1::PlayResponse> responses, JoinOptions options = kAlice)
      : server([responses](auto&, auto& stream) {
          accept(stream);
          for (const auto& response : responses) stream.Write(response);
          drain(stream);
          return grpc::Status::OK;
        }),
        session(server.client().join(options)) {}
  FakeServer server;
  Session session;
};

TEST(StreamFailure, AServerThatIsNotThereIsUnavailable) {
  FakeServer server([](auto&, auto&) { return grpc::Status::OK; });
  Client client = server.client();
  server.vanish();
  Session session = client.join(kAlice);
  EXPECT_EQ(error_of_failed(session), ErrorCode::kUnavailable);
  EXPECT_FALSE(session.error().message().empty());
  EXPECT_EQ(client.get_match("m").status().code(), ErrorCode::kUnavailable);
}

TEST(StreamFailure, AnEndpointThatCannotBeReachedAtOnceIsTriedAgain) {
  const auto let_in = [](auto&, auto& stream) {
    accept(stream);
    drain(stream);
    return grpc::Status::OK;
  };
  FakeServer teller(let_in);
  const HeldPort port;
  teller.match.mutable_endpoint()->set_port(static_cast<std::uint32_t>(port.number()));
  Session session = teller.client().join(kAlice);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(session.state(), SessionState::kConnecting);
  const FakeServer endpoint(let_in, FakeServer::WatchScript{}, port.number());
  ASSERT_TRUE(endpoint.is_listening());
  EXPECT_TRUE(eventually(session, SessionState::kJoined)) << session.error().message();
}

TEST(StreamFailure, AServerThatDoesNotLetInInTimeIsADeadlineExceeded) {
  FakeServer server([](auto&, auto& stream) {
    drain(stream);
    return grpc::Status::OK;
  });
  Session session = server.client(std::chrono::milliseconds(50)).join(kAlice);
  EXPECT_EQ(error_of_failed(session), ErrorCode::kDeadlineExceeded);
}

TEST(StreamFailure, ARefusedJoinCarriesTheServersReason) {
  FakeServer server([](auto&, auto&) {
    google::rpc::Status rich;
    google::rpc::ErrorInfo info;
    info.set_reason("SLOT_TAKEN");
    rich.add_details()->PackFrom(info);
    return grpc::Status(grpc::StatusCode::ALREADY_EXISTS, "the slot is taken", rich.SerializeAsString());
  });
  Session session = server.client().join(kAlice);
  EXPECT_EQ(error_of_failed(session), ErrorCode::kAlreadyExists);
  EXPECT_EQ(session.error().reason(), "SLOT_TAKEN");
}

TEST(StreamFailure, AnUnknownMatchIsNotFound) {
  FakeServer server([](auto&, auto&) { return grpc::Status::OK; });
  server.get_match_status = grpc::Status(grpc::StatusCode::NOT_FOUND, "no such match");
  Session session = server.client().join(kAlice);
  EXPECT_EQ(error_of_failed(session), ErrorCode::kNotFound);
}

TEST(StreamFailure, AServerThatVanishesIsUnavailableAndWhatCameBeforeCanBePolled) {
  Fed fed({update_response(1, 1, 3)});
  ASSERT_TRUE(eventually([&] { return fed.session.tick() == 1; }));
  fed.server.vanish();
  EXPECT_EQ(error_of_failed(fed.session), ErrorCode::kUnavailable);
  EXPECT_EQ(fed.session.end_frame().code(), ErrorCode::kNotJoined);
  for (std::uint64_t number = 1; number <= 3; ++number) {
    EXPECT_EQ(fed.session.poll_event().value().sequence_number, number);
  }
  EXPECT_FALSE(fed.session.poll_event().has_value());
}

TEST(StreamFailure, AStreamThatEndsBeforeTheMatchIsUnavailable) {
  FakeServer server([](auto&, auto& stream) {
    accept(stream);
    return grpc::Status::OK;
  });
  Session session = server.client().join(kAlice);
  EXPECT_EQ(error_of_failed(session), ErrorCode::kUnavailable);
}

TEST(StreamFailure, TheEndOfTheMatchIsNoFailure) {
  v1::PlayResponse ended;
  ended.mutable_ended();
  FakeServer server([&](auto&, auto& stream) {
    accept(stream);
    stream.Write(update_response(1, 1, 1));
    stream.Write(ended);
    return grpc::Status::OK;
  });
  Session session = server.client().join(kAlice);
  ASSERT_TRUE(eventually(session, SessionState::kEnded));
  EXPECT_TRUE(session.error().ok());
  EXPECT_TRUE(session.poll_event().has_value());
}

TEST(StreamFailure, AGameThatStopsPollingLosesTheSessionButNoEventInTheMiddle) {
  JoinOptions options = kAlice;
  options.events_queued_max = 5;
  Fed fed({update_response(1, 1, 2), update_response(2, 3, 3), update_response(3, 6, 1),
           update_response(4, 7, 1)},
          options);
  EXPECT_EQ(error_of_failed(fed.session), ErrorCode::kResourceExhausted);
  EXPECT_EQ(fed.session.tick(), 2u);
  for (std::uint64_t number = 1; number <= 5; ++number) {
    EXPECT_EQ(fed.session.poll_event().value().sequence_number, number);
  }
  EXPECT_FALSE(fed.session.poll_event().has_value());
}

TEST(StreamFailure, AGapInTheLogIsAnError) {
  Fed fed({update_response(1, 1, 2), update_response(2, 4, 1)});
  EXPECT_EQ(error_of_failed(fed.session), ErrorCode::kInternal);
  EXPECT_EQ(fed.session.tick(), 1u);
}

TEST(StreamFailure, ColumnsThatMakeNoSenseAreAnError) {
  v1::PlayResponse broken = update_response(1, 1, 2);
  broken.mutable_update()->mutable_events()->add_layer_a(0);
  Fed fed({broken});
  EXPECT_EQ(error_of_failed(fed.session), ErrorCode::kInternal);
}

TEST(StreamFailure, MessagesOfANewerServerAreIgnored) {
  Fed fed({v1::PlayResponse(), update_response(1, 1, 1)});
  EXPECT_TRUE(eventually([&] { return fed.session.tick() == 1; }));
}

TEST(StreamFailure, RejectionsArriveAndThoseNotListedAreCounted) {
  v1::PlayResponse update = update_response(1, 0, 0);
  v1::Rejection* rejection = update.mutable_update()->add_rejections();
  rejection->set_reason(v1::REJECTION_REASON_TOO_MANY_OBJECTS);
  rejection->set_field("spawns[0]");
  rejection->set_object_id(100);
  update.mutable_update()->set_rejections_not_listed(7);
  Fed fed({update});
  ASSERT_TRUE(eventually([&] { return fed.session.tick() == 1; }));
  EXPECT_EQ(fed.session.poll_rejection().value().reason, "TOO_MANY_OBJECTS");
  EXPECT_FALSE(fed.session.poll_rejection().has_value());
  EXPECT_EQ(fed.session.rejections_not_listed(), 7u);
}

TEST(StreamFailure, ASlowConnectionFillsTheQueueAndTheFrameStaysInProgress) {
  std::atomic<bool> may_read = false;
  std::mutex mutex;
  std::vector<v1::Frame> frames;
  FakeServer server([&](auto& context, auto& stream) {
    accept(stream);
    eventually([&] { return may_read || context.IsCancelled(); });
    v1::PlayRequest request;
    while (stream.Read(&request)) {
      const std::lock_guard lock(mutex);
      frames.push_back(request.frame());
    }
    return grpc::Status::OK;
  });
  JoinOptions options = kAlice;
  options.frames_queued_max = 2;
  Session session = server.client().join(options);
  ASSERT_TRUE(eventually(session, SessionState::kJoined));
  const ObjectId id = *session.spawn({.parts = {{centered_box(1, 1), 0}}});
  // Nobody reads: sooner or later the buffers on the way are full, then the queue.
  std::size_t sent = 0;
  Status status;
  while (status.ok() && sent < 100'000) {
    ASSERT_TRUE(session.move(id, {static_cast<double>(sent + 1), 0}).ok());
    status = session.end_frame();
    if (status.ok()) ++sent;
  }
  EXPECT_EQ(status.code(), ErrorCode::kQueueFull);
  may_read = true;
  ASSERT_TRUE(eventually([&] { return session.end_frame().ok(); }));
  ASSERT_TRUE(eventually([&] {
    const std::lock_guard lock(mutex);
    return frames.size() == sent + 1;
  }));
  std::int64_t x = 0;
  std::int64_t step = 0;
  for (const v1::Frame& frame : frames) {
    step = frame.moves().dx(0) + (frame.moves().is_against_course() ? step : 0);
    x += step;
  }
  EXPECT_EQ(x, 256 * static_cast<std::int64_t>(sent + 1)) << "the refused frame's move is in the one after";
}

TEST(StreamFailure, DestroyingASessionNeverWaitsForTheServer) {
  FakeServer silent([](auto& context, auto&) {
    eventually([&] { return context.IsCancelled(); });
    return grpc::Status::OK;
  });
  Client client = silent.client();
  for (int i = 0; i < 50; ++i) {
    Session connecting = client.join(kAlice);
    Watcher watcher = client.watch("m");
  }
  Session left = client.join(kAlice);
  left.leave();
  EXPECT_EQ(left.state(), SessionState::kLeft);
}

TEST(StreamFailure, AQueueOfNoFramesIsRefused) {
  FakeServer server([](auto&, auto&) { return grpc::Status::OK; });
  JoinOptions options = kAlice;
  options.frames_queued_max = 0;
  Session session = server.client().join(options);
  EXPECT_EQ(session.state(), SessionState::kFailed);
  EXPECT_EQ(session.error().field(), "frames_queued_max");
}

TEST(StreamFailure, AWatcherFollowsToTheEnd) {
  FakeServer server({}, [](auto&, auto& writer) {
    v1::WatchResponse response;
    response.mutable_started()->mutable_match()->set_tick(4);
    response.mutable_started()->mutable_match()->set_events(10);
    response.mutable_started()->add_open_encounters()->set_object_a(1);
    writer.Write(response);
    *response.mutable_update() = update_response(5, 11, 2).update();
    writer.Write(response);
    response.mutable_ended();
    writer.Write(response);
    return grpc::Status::OK;
  });
  Watcher watcher = server.client().watch("m");
  ASSERT_TRUE(eventually(watcher, SessionState::kEnded));
  EXPECT_EQ(watcher.match()->tick, 4u);
  EXPECT_EQ(watcher.encounters_at_start().size(), 1u);
  EXPECT_EQ(watcher.tick(), 5u);
  EXPECT_EQ(watcher.digest(), 50u);
  EXPECT_EQ(watcher.poll_event().value().sequence_number, 11u);
  EXPECT_EQ(watcher.poll_event().value().sequence_number, 12u);
  EXPECT_FALSE(watcher.poll_event().has_value());
}

TEST(StreamFailure, AWatcherThatIsTooSlowForTheServerHearsSo) {
  FakeServer server({}, [](auto&, auto& writer) {
    v1::WatchResponse response;
    response.mutable_started();
    writer.Write(response);
    return grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "slow");
  });
  Watcher watcher = server.client().watch("m");
  ASSERT_TRUE(eventually(watcher, SessionState::kFailed));
  EXPECT_EQ(watcher.error().code(), ErrorCode::kResourceExhausted);
}

}  // namespace
}  // namespace sweepd::testing::stream_failure_test
