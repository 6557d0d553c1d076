// SPDX-License-Identifier: MIT
//
// Protects the server and everybody else's match from bad input: each kind of it gets an error or a rejection
// that names the field, changes nothing else, and leaves the server running (the fixture checks that at the
// end of each test). Speaks the wire protocol itself where the SDK would refuse to send such things.
#include <cmath>
#include <limits>

#include "integration/support/raw_stream.h"
#include "integration/support/server_fixture.h"

namespace sweepd::test::bad_input_test {
namespace {

using ::testing::HasSubstr;

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
    stub_ = v1::MatchService::NewStub(
        grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials()));
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

/// A Play stream whose requests are any bytes.
class ByteStream {
 public:
  explicit ByteStream(const std::string& address)
      : channel_(grpc::CreateChannel(address, grpc::InsecureChannelCredentials())),
        stream_(grpc::internal::ClientReaderWriterFactory<grpc::ByteBuffer, v1::PlayResponse>::Create(
            channel_.get(),
            grpc::internal::RpcMethod("/sweepd.v1.MatchService/Play",
                                      grpc::internal::RpcMethod::BIDI_STREAMING),
            &context_)) {}
  ~ByteStream() { context_.TryCancel(); }

  void send(const std::string& bytes) {
    const grpc::Slice slice(bytes);
    EXPECT_TRUE(stream_->Write(grpc::ByteBuffer(&slice, 1)));
  }
  void send(const v1::PlayRequest& request) { send(request.SerializeAsString()); }
  v1::PlayResponse read() {
    v1::PlayResponse response;
    EXPECT_TRUE(stream_->Read(&response));
    return response;
  }
  grpc::Status finish() {
    v1::PlayResponse response;
    while (stream_->Read(&response)) continue;
    return stream_->Finish();
  }

 private:
  std::shared_ptr<grpc::Channel> channel_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<grpc::ByteBuffer, v1::PlayResponse>> stream_;
};

// A field of a length that the message does not have.
constexpr const char* kNoMessage = "\x12\x7f\x01";

TEST_F(BadInput, BytesThatAreNoMessageAreRejectedAndTheStreamGoesOn) {
  ByteStream stream(server().address());
  v1::PlayRequest join;
  join.mutable_join()->set_match_id(match_id_);
  join.mutable_join()->set_name("other");
  join.mutable_join()->set_role(v1::ROLE_PLAYER);
  stream.send(join);
  const std::uint32_t first_id = stream.read().joined().participant().first_id();
  stream.send(kNoMessage);
  v1::PlayResponse response;
  while (response.update().rejections_size() == 0) response = stream.read();
  EXPECT_EQ(response.update().rejections(0).reason(), v1::REJECTION_REASON_MALFORMED);
  EXPECT_EQ(response.update().rejections(0).field(), "message");
  v1::PlayRequest frame;
  *frame.mutable_frame()->add_spawns() = valid_spawn(first_id);
  stream.send(frame);
  EXPECT_TRUE(eventually([&] { return client_->get_match(match_id_)->objects == 1; }));
}

TEST_F(BadInput, BytesThatAreNoMessageInPlaceOfAJoinEndTheStream) {
  ByteStream stream(server().address());
  stream.send(kNoMessage);
  const grpc::Status status = stream.finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(describe(status), "INVALID_JOIN message");
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

TEST_F(BadInput, AMessageThatIsALittleTooLargeIsRefusedWithItsSize) {
  v1::GetMatchRequest get;
  get.set_match_id(std::string(1 << 20, 'a'));
  v1::GetMatchResponse response;
  grpc::ClientContext context;
  const grpc::Status refused = stub_->GetMatch(&context, get, &response);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << refused.error_message();
  EXPECT_EQ(describe(refused), "MESSAGE_TOO_LARGE message");
  v1::PlayRequest request;
  for (int i = 0; i < 1'500'000; ++i) request.mutable_frame()->add_despawns(1);
  stream_->send(request);
  const grpc::Status ended = stream_->finish();
  EXPECT_EQ(ended.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << ended.error_message();
  EXPECT_EQ(describe(ended), "MESSAGE_TOO_LARGE message");
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
}  // namespace sweepd::test::bad_input_test
