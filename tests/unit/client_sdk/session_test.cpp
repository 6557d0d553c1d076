// SPDX-License-Identifier: MIT
//
// Protects a session's life against a server that behaves: joining, frames out, events in, leaving; and the
// errors that a game can make by itself.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <mutex>
#include <vector>

#include "fake_server.h"

namespace sweepd::testing::session_test {
namespace {

ObjectSpec ship() { return {.position = {1, 2}, .parts = {{centered_box(4, 4), 0}}}; }

/// Lets in, records every frame, answers each with an empty update of the next tick.
class RecordingServer {
 public:
  RecordingServer() : server_([this](auto&, auto& stream) { return play(stream); }) {}

  Session join() { return server_.client().join({.match_id = "m", .name = "alice"}); }
  std::vector<v1::Frame> frames() const {
    const std::lock_guard lock(mutex_);
    return frames_;
  }
  bool stream_was_closed() const { return closed_; }
  bool was_left() const { return left_; }

 private:
  grpc::Status play(FakeServer::PlayStream& stream) {
    accept(stream);
    v1::PlayRequest request;
    for (Tick tick = 1; stream.Read(&request); ++tick) {
      if (request.has_leave()) {
        left_ = true;
        continue;
      }
      {
        const std::lock_guard lock(mutex_);
        frames_.push_back(request.frame());
      }
      stream.Write(update_response(tick, 0, 0));
    }
    closed_ = true;
    return grpc::Status::OK;
  }

  mutable std::mutex mutex_;
  std::vector<v1::Frame> frames_;
  std::atomic<bool> closed_ = false;
  std::atomic<bool> left_ = false;
  FakeServer server_;  // Last: its threads use the others.
};

TEST(Session, JoinsAndKnowsItsSeat) {
  RecordingServer server;
  Session session = server.join();
  ASSERT_TRUE(eventually(session, SessionState::kJoined)) << session.error().message();
  EXPECT_TRUE(session.error().ok());
  EXPECT_EQ(session.participant()->first_id, 100u);
  EXPECT_EQ(session.match()->config.layers.size(), 2u);
}

TEST(Session, FramesArriveInOrderWithTheLastTickReceived) {
  RecordingServer server;
  Session session = server.join();
  ASSERT_TRUE(eventually(session, SessionState::kJoined));
  const Result<ObjectId> id = session.spawn(ship());
  ASSERT_TRUE(id.ok());
  EXPECT_EQ(*id, 100u);
  ASSERT_TRUE(session.end_frame(17).ok());
  ASSERT_TRUE(eventually([&] { return session.tick() == 1; }));
  EXPECT_EQ(session.digest(), 10u);
  ASSERT_TRUE(session.move(*id, {2, 2}).ok());
  ASSERT_TRUE(session.end_frame().ok());
  ASSERT_TRUE(eventually([&] { return session.tick() == 2; }));
  EXPECT_TRUE(eventually([&] { return session.unsent_frames() == 0; }));
  const auto frames = server.frames();
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].tick(), 17u);
  EXPECT_EQ(frames[0].spawns(0).object_id(), 100u);
  EXPECT_EQ(frames[1].tick(), 0u);
  EXPECT_EQ(frames[1].acknowledged_tick(), 1u);
  EXPECT_EQ(frames[1].moves().dx(0), 256);
}

TEST(Session, ManyFramesAtOnceAllArrive) {
  RecordingServer server;
  Session session = server.join();
  ASSERT_TRUE(eventually(session, SessionState::kJoined));
  for (int sent = 0; sent < 2'000;) {
    const Status status = session.end_frame(static_cast<Tick>(sent) + 1);
    if (status.ok()) ++sent;
    ASSERT_TRUE(status.ok() || status.code() == ErrorCode::kQueueFull) << status.message();
  }
  ASSERT_TRUE(eventually([&] { return session.tick() == 2'000; }));
  const auto frames = server.frames();
  for (std::size_t i = 0; i < frames.size(); ++i) ASSERT_EQ(frames[i].tick(), i + 1);
}

TEST(Session, LeavingSendsWhatWaitsFirst) {
  RecordingServer server;
  Session session = server.join();
  ASSERT_TRUE(eventually(session, SessionState::kJoined));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(session.end_frame().ok());
  session.leave();
  EXPECT_EQ(session.state(), SessionState::kLeft);
  ASSERT_TRUE(eventually([&] { return server.stream_was_closed(); }));
  EXPECT_EQ(server.frames().size(), 100u);
  EXPECT_TRUE(server.was_left()) << "so that the seat is not kept";
  EXPECT_EQ(session.end_frame().code(), ErrorCode::kNotJoined);
}

TEST(Session, LeavingSendsWhatWaitsAlsoIfItIsDestroyedAtOnce) {
  RecordingServer server;
  {
    Session session = server.join();
    ASSERT_TRUE(eventually(session, SessionState::kJoined));
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(session.end_frame().ok());
    session.leave();
  }
  ASSERT_TRUE(eventually([&] { return server.stream_was_closed(); }));
  EXPECT_EQ(server.frames().size(), 100u);
  EXPECT_TRUE(server.was_left());
}

TEST(Session, DestroyingItLeaves) {
  RecordingServer server;
  {
    Session session = server.join();
    ASSERT_TRUE(eventually(session, SessionState::kJoined));
  }
  EXPECT_TRUE(eventually([&] { return server.stream_was_closed(); }));
  EXPECT_TRUE(server.was_left());
}

TEST(Session, NothingCanBeChangedBeforeItHasJoined) {
  FakeServer server([](auto& context, auto&) {
    eventually([&] { return context.IsCancelled(); });
    return grpc::Status::OK;
  });
  Session session = server.client().join({.match_id = "m", .name = "alice"});
  EXPECT_EQ(session.state(), SessionState::kConnecting);
  EXPECT_EQ(session.spawn(ship()).status().code(), ErrorCode::kNotJoined);
  EXPECT_EQ(session.move(100, {0, 0}).code(), ErrorCode::kNotJoined);
  EXPECT_EQ(session.end_frame().code(), ErrorCode::kNotJoined);
  EXPECT_FALSE(session.participant().has_value());
  EXPECT_FALSE(session.poll_event().has_value());
}

TEST(Session, BadArgumentsAreErrorsThatNameTheFieldAndChangeNothing) {
  RecordingServer server;
  Session session = server.join();
  ASSERT_TRUE(eventually(session, SessionState::kJoined));
  ObjectSpec spec = ship();
  spec.parts[0].shape = Box{std::nan(""), 0, 1, 1};
  const Status not_a_number = session.spawn(spec).status();
  EXPECT_EQ(not_a_number.code(), ErrorCode::kNotANumber);
  EXPECT_EQ(not_a_number.field(), "parts[0].box.min_x");
  EXPECT_EQ(session.move(100, {1e12, 0}).code(), ErrorCode::kOutOfRange);
  EXPECT_EQ(session.move(0, {0, 0}).code(), ErrorCode::kUnknownObject);
  spec = ship();
  spec.id = 116;
  const Status out_of_block = session.spawn(spec).status();
  EXPECT_EQ(out_of_block.code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(out_of_block.field(), "id");
  EXPECT_EQ(*session.spawn(ship()), 100u) << "what was refused took no id";
  ASSERT_TRUE(session.end_frame().ok());
  ASSERT_TRUE(eventually([&] { return server.frames().size() == 1; }));
  EXPECT_EQ(server.frames()[0].spawns_size(), 1);
  EXPECT_FALSE(server.frames()[0].has_absolute_moves());
}

TEST(Session, AnIdIsInUseUntilItsDespawnIsSent) {
  RecordingServer server;
  Session session = server.join();
  ASSERT_TRUE(eventually(session, SessionState::kJoined));
  ObjectSpec spec = ship();
  spec.id = 105;
  ASSERT_TRUE(session.spawn(spec).ok());
  EXPECT_EQ(session.spawn(spec).status().code(), ErrorCode::kIdInUse);
  ASSERT_TRUE(session.despawn(105).ok());
  EXPECT_EQ(session.spawn(spec).status().code(), ErrorCode::kIdInUse);
  ASSERT_TRUE(session.end_frame().ok());
  EXPECT_TRUE(session.spawn(spec).ok());
}

TEST(Session, ABlockThatIsUsedUpIsAnError) {
  RecordingServer server;
  Session session = server.join();
  ASSERT_TRUE(eventually(session, SessionState::kJoined));
  for (int i = 0; i < 16; ++i) ASSERT_TRUE(session.spawn(ship()).ok());
  EXPECT_EQ(session.spawn(ship()).status().code(), ErrorCode::kOutOfIds);
}

TEST(Session, OutlivesItsClientAndCanBeMoved) {
  RecordingServer server;
  std::vector<Session> sessions;
  sessions.push_back(server.join());
  sessions.push_back(server.join());
  for (const Session& session : sessions) ASSERT_TRUE(eventually(session, SessionState::kJoined));
  sessions.erase(sessions.begin());
  EXPECT_TRUE(sessions[0].end_frame().ok());
}

}  // namespace
}  // namespace sweepd::testing::session_test
