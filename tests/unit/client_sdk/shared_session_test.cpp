// SPDX-License-Identifier: MIT
//
// Protects sessions that share a stream from being taken for each other: a participant's number may be 0,
// and the server gives the number of one that has left to the next.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fake_server.h"

namespace sweepd::testing::shared_session_test {
namespace {

using ::testing::ElementsAre;

/// The frame of this tick makes the server break the stream.
constexpr Tick kBreakAt = 99;
/// That of this one makes it remove bob, as an operator asks.
constexpr Tick kKickAt = 98;

/// Lets everyone in, with the number that the test has for the name, and writes down what comes.
class SharedServer {
 public:
  explicit SharedServer(std::map<std::string, ParticipantNumber> numbers)
      : numbers_(std::move(numbers)), server_([this](auto&, auto& stream) { return play(stream); }) {}

  Session join(const std::string& name) {
    JoinOptions options;
    options.match_id = "m";
    options.name = name;
    options.shared = true;
    options.reconnect = {std::chrono::seconds(20), std::chrono::milliseconds(1),
                         std::chrono::milliseconds(5)};
    return server_.client().join(options);
  }
  /// "join ann", "frame 0", "leave 1"; "frame -" of one without a number.
  std::vector<std::string> log() const {
    const std::lock_guard lock(mutex_);
    return log_;
  }
  bool has_seen(const std::string& line) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::find(log_, line) != log_.end();
  }
  void let_in() { lets_in_ = true; }
  void keep_out() { lets_in_ = false; }

 private:
  grpc::Status play(FakeServer::PlayStream& stream) {
    v1::PlayRequest request;
    while (stream.Read(&request)) {
      if (request.has_join()) answer(request.join(), stream);
      if (request.has_leave()) write_down("leave", request.leave());
      if (request.has_frame() && !take(request.frame(), stream)) return broken();
      for (const v1::Frame& frame : request.frames().frames()) {
        if (!take(frame, stream)) return broken();
      }
    }
    return grpc::Status::OK;
  }

  static grpc::Status broken() { return {grpc::StatusCode::UNAVAILABLE, "broken"}; }

  void answer(const v1::Join& join, FakeServer::PlayStream& stream) {
    write_down("join " + join.name());
    eventually([this] { return lets_in_.load(); });
    if (!numbers_.contains(join.name())) return refuse(join.name(), "BANNED", stream);
    v1::PlayResponse response = joined_response();
    v1::Joined& joined = *response.mutable_joined();
    const ParticipantNumber number = numbers_.at(join.name());
    joined.mutable_participant()->set_name(join.name());
    joined.mutable_participant()->set_number(number);
    joined.mutable_participant()->set_first_id(100 * (number + 1));
    joined.mutable_participant()->set_last_id(100 * (number + 1) + 15);
    joined.mutable_match()->mutable_config()->set_reconnect_ticks(300);
    joined.set_reconnect_token("0123456789abcdef");
    joined.set_epoch(7);
    joined.set_resumed(join.has_resume());
    stream.Write(response);
  }

  static void refuse(const std::string& name, const std::string& reason, FakeServer::PlayStream& stream) {
    v1::PlayResponse response;
    response.mutable_join_refused()->set_name(name);
    response.mutable_join_refused()->set_code(grpc::StatusCode::PERMISSION_DENIED);
    response.mutable_join_refused()->set_reason(reason);
    stream.Write(response);
  }

  /// Refuses every spawn. False: the stream is to break.
  bool take(const v1::Frame& frame, FakeServer::PlayStream& stream) {
    write_down("frame", frame);
    if (frame.spawns_size() > 0) {
      v1::PlayResponse response = update_response(1, 0, 0);
      v1::Rejection& rejection = *response.mutable_update()->add_rejections();
      rejection.set_field("spawns[0]");
      rejection.set_object_id(frame.spawns(0).object_id());
      rejection.set_participant(frame.participant());
      stream.Write(response);
    }
    if (frame.tick() == kKickAt) refuse("bob", "KICKED", stream);
    return frame.tick() != kBreakAt;
  }

  template <typename Message>
  void write_down(std::string line, const Message& message) {
    line += ' ';
    line += message.has_participant() ? std::to_string(message.participant()) : "-";
    write_down(std::move(line));
  }
  void write_down(std::string line) {
    const std::lock_guard lock(mutex_);
    log_.push_back(std::move(line));
  }

  const std::map<std::string, ParticipantNumber> numbers_;
  std::atomic<bool> lets_in_ = true;
  mutable std::mutex mutex_;
  std::vector<std::string> log_;
  FakeServer server_;  // Last: its threads use the others.
};

TEST(SharedSession, NumberZeroIsANumberAlsoOfOneThatWasNotFirst) {
  SharedServer server({{"ann", 1}, {"bob", 0}});
  Session ann = server.join("ann");
  Session bob = ann.join_also("bob");
  ASSERT_TRUE(eventually(bob, SessionState::kJoined)) << bob.error().message();
  EXPECT_EQ(bob.participant()->name, "bob");
  ObjectSpec ship{.position = {1, 2}, .parts = {{centered_box(4, 4), 0}}};
  const Result<ObjectId> id = bob.spawn(ship);
  ASSERT_TRUE(id.ok());
  EXPECT_EQ(*id, 100u);
  ASSERT_TRUE(bob.end_frame().ok());
  ASSERT_TRUE(ann.end_frame().ok());
  std::optional<Rejection> rejection;
  ASSERT_TRUE(eventually([&] { return (rejection = ann.poll_rejection()).has_value(); }));
  EXPECT_EQ(rejection->participant, 0u);
  ship.id = *id;
  EXPECT_TRUE(bob.spawn(ship).ok()) << "his is free again";
  bob.leave();
  ASSERT_TRUE(eventually([&] { return server.has_seen("leave 0"); }));
  EXPECT_THAT(server.log(), ElementsAre("join ann", "join bob", "frame 0", "frame 1", "leave 0"));
  EXPECT_EQ(ann.state(), SessionState::kJoined);
}

TEST(SharedSession, TheNumberOfOneThatHasLeftIsTheNextOnesAlsoWhenTheStreamBreaks) {
  SharedServer server({{"ann", 1}, {"bob", 2}, {"cy", 2}});
  Session ann = server.join("ann");
  Session bob = ann.join_also("bob");
  ASSERT_TRUE(eventually(bob, SessionState::kJoined));
  bob.leave();
  ASSERT_TRUE(eventually([&] { return server.has_seen("leave 2"); }));
  Session cy = ann.join_also("cy");
  ASSERT_TRUE(eventually(cy, SessionState::kJoined));
  ASSERT_TRUE(cy.end_frame().ok());
  ASSERT_TRUE(ann.end_frame(kBreakAt).ok());
  ASSERT_TRUE(eventually([&] { return ann.poll_reconnection().has_value(); }));
  ASSERT_TRUE(eventually(cy, SessionState::kJoined));
  ASSERT_TRUE(cy.end_frames(3).ok());
  ASSERT_TRUE(eventually([&] { return server.log().size() == 10; }));
  EXPECT_THAT(server.log(), ElementsAre("join ann", "join bob", "leave 2", "join cy", "frame 2", "frame 1",
                                        "join ann", "join cy", "frame 1", "frame 2"));
  EXPECT_EQ(bob.state(), SessionState::kLeft);
}

TEST(SharedSession, OneThatIsKickedOrBannedIsToldWhyAndTheOthersGoOn) {
  SharedServer server({{"ann", 0}, {"bob", 1}});
  Session ann = server.join("ann");
  Session bob = ann.join_also("bob");
  ASSERT_TRUE(eventually(bob, SessionState::kJoined)) << bob.error().message();
  Session mallory = ann.join_also("mallory");
  ASSERT_TRUE(eventually(mallory, SessionState::kFailed));
  EXPECT_EQ(mallory.error().reason(), "BANNED");
  EXPECT_EQ(bob.state(), SessionState::kJoined);
  ASSERT_TRUE(ann.end_frame(kKickAt).ok());
  ASSERT_TRUE(eventually(bob, SessionState::kFailed));
  EXPECT_EQ(bob.error().reason(), "KICKED");
  EXPECT_EQ(bob.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(ann.state(), SessionState::kJoined);
}

TEST(SharedSession, TheFirstMayLeaveWhileItIsStillOnItsWay) {
  SharedServer server({{"ann", 0}, {"bob", 1}});
  server.keep_out();
  {
    Session ann = server.join("ann");
    Session bob = ann.join_also("bob");
    ASSERT_TRUE(eventually([&] { return server.has_seen("join ann"); }));
    ann.leave();
    EXPECT_EQ(ann.state(), SessionState::kLeft);
    EXPECT_EQ(bob.state(), SessionState::kConnecting);
    EXPECT_FALSE(bob.participant());
    server.let_in();
    ASSERT_TRUE(eventually([&] { return server.has_seen("leave 0"); }));
    ASSERT_TRUE(eventually(bob, SessionState::kJoined)) << bob.error().message();
    EXPECT_THAT(server.log(), ElementsAre("join ann", "join bob", "leave 0"));
    bob.leave();
  }
  EXPECT_TRUE(eventually([&] { return server.has_seen("leave -"); })) << "the last takes the stream along";
}

TEST(SharedSession, DestroyingOneThatHasLeftCutsNothingOffThatWaits) {
  SharedServer server({{"ann", 0}, {"bob", 1}});
  std::optional<Session> ann = server.join("ann");
  Session bob = ann->join_also("bob");
  ASSERT_TRUE(eventually(bob, SessionState::kJoined));
  ann->leave();
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(bob.end_frame().ok());
  bob.leave();
  ann.reset();
  ASSERT_TRUE(eventually([&] { return server.has_seen("leave -"); }));
  EXPECT_EQ(server.log().size(), 2u + 1u + 50u + 1u);
}

}  // namespace
}  // namespace sweepd::testing::shared_session_test
