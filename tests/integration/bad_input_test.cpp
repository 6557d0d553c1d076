// SPDX-License-Identifier: MIT
//
// Protects the server and everybody else's match from bad input: each kind of it gets an error or a rejection that names
// the field, changes nothing else, and leaves the server running (the fixture checks that at the end of each test).
// Speaks the wire protocol itself where the SDK would refuse to send such things.
#include <grpcpp/grpcpp.h>

#include <cmath>
#include <limits>

#include "google/rpc/error.pb.h"
#include "integration/support/server_fixture.h"
#include "sweepd/v1/match_service.grpc.pb.h"

namespace sweepd::test {
namespace {

using ::testing::HasSubstr;

/// What the details of a status say, as "REASON field".
std::string describe(const grpc::Status& status) {
  google::rpc::Status details;
  details.ParseFromString(status.error_details());
  std::string text;
  for (const auto& detail : details.details()) {
    google::rpc::ErrorInfo info;
    google::rpc::BadRequest bad_request;
    if (detail.UnpackTo(&info)) text += info.reason();
    if (detail.UnpackTo(&bad_request)) {
      for (const auto& violation : bad_request.field_violations()) text += " " + violation.field();
    }
  }
  return text;
}

/// A Play stream, message by message.
class RawStream {
 public:
  explicit RawStream(v1::MatchService::Stub& stub) : stream_(stub.Play(&context_)) {}
  ~RawStream() { context_.TryCancel(); }

  void join(const std::string& match_id, const std::string& name, v1::Role role = v1::ROLE_PLAYER) {
    v1::PlayRequest request;
    request.mutable_join()->set_match_id(match_id);
    request.mutable_join()->set_name(name);
    request.mutable_join()->set_role(role);
    stream_->Write(request);
  }

  v1::PlayResponse joined(const std::string& match_id, const std::string& name) {
    join(match_id, name);
    v1::PlayResponse response;
    EXPECT_TRUE(stream_->Read(&response));
    EXPECT_TRUE(response.has_joined());
    return response;
  }

  void send(const v1::Frame& frame) {
    v1::PlayRequest request;
    *request.mutable_frame() = frame;
    EXPECT_TRUE(stream_->Write(request));
  }

  void send(const v1::PlayRequest& request) { stream_->Write(request); }

  /// Reads until a rejection comes.
  v1::Rejection rejection() {
    v1::PlayResponse response;
    while (stream_->Read(&response)) {
      if (response.update().rejections_size() > 0) return response.update().rejections(0);
    }
    ADD_FAILURE() << "the stream ended: " << stream_->Finish().error_message();
    return {};
  }

  grpc::Status finish() {
    v1::PlayResponse response;
    while (stream_->Read(&response)) continue;
    return stream_->Finish();
  }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::PlayRequest, v1::PlayResponse>> stream_;
};

v1::Spawn valid_spawn(std::uint32_t id) {
  v1::Spawn spawn;
  spawn.set_object_id(id);
  auto* part = spawn.add_parts();
  part->mutable_box()->set_max_x(256);
  part->mutable_box()->set_max_y(256);
  return spawn;
}

class BadInput : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    client_.emplace(client());
    match_id_ = client_->create_match(shooter_config(ClockKind::kRealtime))->match_id;
    stub_ = v1::MatchService::NewStub(grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials()));
    stream_.emplace(*stub_);
    first_id_ = stream_->joined(match_id_, "player").joined().participant().first_id();
  }

  /// A frame with a good spawn beside the bad change: the good one must apply.
  v1::Rejection rejection_of(v1::Frame frame) {
    *frame.add_spawns() = valid_spawn(first_id_ + 1000);
    stream_->send(frame);
    v1::Rejection rejection = stream_->rejection();
    EXPECT_EQ(client_->get_match(match_id_)->objects, 1u) << "the rest of the frame applies, and only that";
    return rejection;
  }

  grpc::Status create_status(const v1::MatchConfig& config) {
    grpc::ClientContext context;
    v1::CreateMatchRequest request;
    *request.mutable_config() = config;
    v1::CreateMatchResponse response;
    return stub_->CreateMatch(&context, request, &response);
  }

  std::optional<Client> client_;
  std::string match_id_;
  std::unique_ptr<v1::MatchService::Stub> stub_;
  std::optional<RawStream> stream_;
  std::uint32_t first_id_ = 0;
};

TEST_F(BadInput, ABoxWithMinAboveMaxIsRejectedByName) {
  v1::Frame frame;
  auto* spawn = frame.add_spawns();
  *spawn = valid_spawn(first_id_);
  spawn->mutable_parts(0)->mutable_box()->set_min_x(257);
  const auto rejection = rejection_of(frame);
  EXPECT_EQ(rejection.reason(), v1::REJECTION_REASON_INVERTED_BOX);
  EXPECT_THAT(rejection.field(), HasSubstr("spawns[0].parts[0].box.min_x"));
  EXPECT_EQ(rejection.object_id(), first_id_);
}

TEST_F(BadInput, AnUnknownLayerIsRejectedByName) {
  v1::Frame frame;
  *frame.add_spawns() = valid_spawn(first_id_);
  frame.mutable_spawns(0)->mutable_parts(0)->set_layer(4);
  const auto rejection = rejection_of(frame);
  EXPECT_EQ(rejection.reason(), v1::REJECTION_REASON_UNKNOWN_LAYER);
  EXPECT_THAT(rejection.field(), HasSubstr("spawns[0].parts[0].layer"));
}

TEST_F(BadInput, ALayerBeyondEightBitsDoesNotWrapIntoAKnownOne) {
  v1::Frame frame;
  *frame.add_spawns() = valid_spawn(first_id_);
  frame.mutable_spawns(0)->mutable_parts(0)->set_layer(256);
  EXPECT_EQ(rejection_of(frame).reason(), v1::REJECTION_REASON_UNKNOWN_LAYER);
}

TEST_F(BadInput, SomebodyElsesObjectCannotBeMovedOrRemoved) {
  Session other = joined(*client_, match_id_, "other", Role::kPlayer);
  const ObjectId ship = *other.spawn(object_at({0, 0}, 0));
  ASSERT_TRUE(other.end_frame().ok());
  ASSERT_TRUE(eventually([&] { return client_->get_match(match_id_)->objects == 1; }));
  v1::Frame frame;
  frame.add_despawns(ship);
  stream_->send(frame);
  const auto rejection = stream_->rejection();
  EXPECT_EQ(rejection.reason(), v1::REJECTION_REASON_NOT_OWNER);
  EXPECT_THAT(rejection.field(), HasSubstr("despawns[0]"));
  EXPECT_EQ(client_->get_match(match_id_)->objects, 1u);
}

TEST_F(BadInput, AnIdOutsideTheBlockIsRefused) {
  v1::Frame frame;
  *frame.add_spawns() = valid_spawn(4'000'000'000u);
  const auto rejection = rejection_of(frame);
  EXPECT_EQ(rejection.reason(), v1::REJECTION_REASON_ID_OUT_OF_BLOCK);
  EXPECT_THAT(rejection.field(), HasSubstr("spawns[0].object_id"));
}

TEST_F(BadInput, APositionThatWouldWrapIsRefused) {
  v1::Frame frame;
  *frame.add_spawns() = valid_spawn(first_id_);
  frame.mutable_spawns(0)->set_x(std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(rejection_of(frame).reason(), v1::REJECTION_REASON_OUT_OF_RANGE);
}

TEST_F(BadInput, TicksInTheFarPastAndFutureAreRefused) {
  ASSERT_TRUE(eventually([&] { return client_->get_match(match_id_)->tick > 130; }));
  v1::Frame late;
  late.set_tick(1);
  stream_->send(late);
  auto rejection = stream_->rejection();
  EXPECT_EQ(rejection.reason(), v1::REJECTION_REASON_TOO_LATE);
  EXPECT_THAT(rejection.field(), HasSubstr("tick"));
  for (const std::uint64_t tick : {std::uint64_t{1'000'000}, std::numeric_limits<std::uint64_t>::max()}) {
    v1::Frame early;
    early.set_tick(tick);
    stream_->send(early);
    rejection = stream_->rejection();
    EXPECT_EQ(rejection.reason(), v1::REJECTION_REASON_TOO_FAR_AHEAD);
    EXPECT_EQ(rejection.frame_tick(), tick);
  }
}

TEST_F(BadInput, ColumnsOfUnequalLengthAreRefusedWhole) {
  v1::Frame frame;
  *frame.add_spawns() = valid_spawn(first_id_);
  frame.mutable_moves()->add_id_delta(first_id_);
  frame.mutable_moves()->add_dx(1);
  stream_->send(frame);
  const auto rejection = stream_->rejection();
  EXPECT_EQ(rejection.reason(), v1::REJECTION_REASON_MALFORMED);
  EXPECT_THAT(rejection.field(), HasSubstr("moves.dy"));
  EXPECT_EQ(client_->get_match(match_id_)->objects, 0u);
}

TEST_F(BadInput, AnEmptyMessageIsRejectedAndTheStreamGoesOn) {
  stream_->send(v1::PlayRequest());
  EXPECT_EQ(stream_->rejection().reason(), v1::REJECTION_REASON_MALFORMED);
  v1::Frame frame;
  *frame.add_spawns() = valid_spawn(first_id_);
  stream_->send(frame);
  EXPECT_TRUE(eventually([&] { return client_->get_match(match_id_)->objects == 1; }));
}

TEST_F(BadInput, AnOversizedMessageEndsOnlyItsOwnStream) {
  Session other = joined(*client_, match_id_, "other", Role::kPlayer);
  v1::Frame frame;
  for (int i = 0; i < 3'000'000; ++i) frame.add_despawns(first_id_);
  v1::PlayRequest request;
  *request.mutable_frame() = frame;
  stream_->send(request);
  const grpc::Status status = stream_->finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << status.error_message();
  const Tick tick = other.tick();
  EXPECT_TRUE(eventually([&] { return other.tick() > tick + 5; })) << "others go on";
}

TEST_F(BadInput, AFrameBeforeTheJoinEndsTheStreamWithAReason) {
  RawStream stream(*stub_);
  stream.send(v1::Frame());
  const grpc::Status status = stream.finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(describe(status), HasSubstr("JOIN_EXPECTED"));
}

TEST_F(BadInput, JoiningAnUnknownMatchIsNotFound) {
  RawStream stream(*stub_);
  stream.join("no-such-match", "player");
  const grpc::Status status = stream.finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_THAT(describe(status), HasSubstr("MATCH_NOT_FOUND"));
}

TEST_F(BadInput, AJoinWithoutNameOrRoleNamesTheField) {
  RawStream nameless(*stub_);
  nameless.join(match_id_, "");
  EXPECT_EQ(describe(nameless.finish()), "INVALID_JOIN join.name");
  RawStream roleless(*stub_);
  roleless.join(match_id_, "somebody", v1::ROLE_UNSPECIFIED);
  EXPECT_EQ(describe(roleless.finish()), "INVALID_JOIN join.role");
}

TEST_F(BadInput, AConfigErrorNamesTheField) {
  v1::MatchConfig config;
  EXPECT_EQ(describe(create_status(config)), "INVALID_CONFIG config.layers");
  config.add_layers("player");
  config.set_tick_rate_hz(241);
  EXPECT_EQ(describe(create_status(config)), "INVALID_CONFIG config.tick_rate_hz");
  config.set_tick_rate_hz(240);
  EXPECT_TRUE(create_status(config).ok());
  config.set_clock(static_cast<v1::ClockKind>(99));
  EXPECT_EQ(describe(create_status(config)), "INVALID_CONFIG config.clock");
}

TEST_F(BadInput, TheSdkRefusesNumbersThatAreNone) {
  Session session = joined(*client_, match_id_, "other", Role::kPlayer);
  const ObjectId ship = *session.spawn(object_at({0, 0}, 0));
  const Status status = session.move(ship, {std::nan(""), 0});
  EXPECT_EQ(status.code(), ErrorCode::kNotANumber);
  EXPECT_EQ(status.field(), "position.x");
  EXPECT_EQ(session.move(ship, {0, std::numeric_limits<double>::infinity()}).field(), "position.y");
  EXPECT_EQ(session.move(ship, {1e9, 0}).code(), ErrorCode::kOutOfRange);
  auto spec = object_at({0, 0}, 0);
  spec.parts[0].shape = Box{0, std::nan(""), 1, 1};
  EXPECT_EQ(session.spawn(spec).status().field(), "parts[0].box.min_y");
  ASSERT_TRUE(session.end_frame().ok());
  EXPECT_TRUE(eventually([&] { return client_->get_match(match_id_)->objects == 1; })) << "the ship alone";
}

}  // namespace
}  // namespace sweepd::test
