// SPDX-License-Identifier: MIT
//
// Protects the server and the rest of a frame from bad shapes, masks and settings of broadphases: each is
// refused with the name of its field and its limit. Speaks the wire protocol itself where the SDK would
// refuse to send such things.
#include <limits>

#include "integration/support/raw_stream.h"
#include "integration/support/server_fixture.h"

namespace sweepd::test::bad_shape_test {
namespace {

using ::testing::HasSubstr;

constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();

v1::Circle circle(std::int32_t x, std::int32_t y, std::int32_t radius) {
  v1::Circle circle;
  circle.set_center_x(x);
  circle.set_center_y(y);
  circle.set_radius(radius);
  return circle;
}

class BadShape : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    client_.emplace(client());
    MatchConfig config = shooter_config(ClockKind::kRealtime);
    config.masks = {BitMask::from_text({"##", ".#"})};
    match_id_ = client_->create_match(config)->match_id;
    stub_ = v1::MatchService::NewStub(
        grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials()));
    stream_.emplace(*stub_);
    first_id_ = stream_->joined(match_id_, "player").joined().participant().first_id();
  }

  /// Of an object with this shape; a good object in the same frame must come to be.
  void expect_refused(const v1::Part& part, const std::string& reason, const std::string& field,
                      const std::string& found, const std::string& limit) {
    v1::Frame frame;
    frame.add_spawns()->set_object_id(first_id_);
    *frame.mutable_spawns(0)->add_parts() = part;
    frame.add_spawns()->set_object_id(++good_id_ + first_id_);
    *frame.mutable_spawns(1)->add_parts()->mutable_circle() = circle(0, 0, 256);
    stream_->send(frame);
    const v1::Rejection rejection = stream_->rejection();
    EXPECT_EQ(v1::RejectionReason_Name(rejection.reason()), "REJECTION_REASON_" + reason);
    EXPECT_EQ(rejection.field(), "spawns[0].parts[0]." + field);
    EXPECT_EQ(rejection.object_id(), first_id_);
    EXPECT_THAT(rejection.message(), HasSubstr(found));
    EXPECT_THAT(rejection.message(), HasSubstr(limit));
    EXPECT_EQ(client_->get_match(match_id_)->objects, good_id_)
        << "the rest of the frame applies, and only that";
  }

  void expect_config_refused(const v1::MatchConfig& config, const std::string& field,
                             const std::string& limit) {
    grpc::ClientContext context;
    v1::CreateMatchRequest request;
    *request.mutable_config() = config;
    request.mutable_config()->add_layers("player");
    v1::CreateMatchResponse response;
    const grpc::Status status = stub_->CreateMatch(&context, request, &response);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_EQ(describe(status), "INVALID_CONFIG config." + field);
    EXPECT_THAT(status.error_message(), HasSubstr(limit));
  }

  std::optional<Client> client_;
  std::string match_id_;
  std::unique_ptr<v1::MatchService::Stub> stub_;
  std::optional<RawStream> stream_;
  std::uint32_t first_id_ = 0;
  std::uint32_t good_id_ = 0;
};

TEST_F(BadShape, ARadiusBelowZeroIsRejectedByName) {
  v1::Part part;
  *part.mutable_circle() = circle(0, 0, -1);
  expect_refused(part, "NEGATIVE_RADIUS", "circle.radius", "radius is -1", "0 or more");
  part.mutable_capsule()->set_radius(kMin);
  expect_refused(part, "NEGATIVE_RADIUS", "capsule.radius", "radius is -2147483648", "0 or more");
}

TEST_F(BadShape, APartThatSpansTheWholeRangeIsRejectedAndEndsNoServer) {
  v1::Part part;
  part.mutable_box()->set_min_x(kMin);
  part.mutable_box()->set_min_y(kMin);
  part.mutable_box()->set_max_x(kMax);
  part.mutable_box()->set_max_y(kMax);
  expect_refused(part, "OUT_OF_RANGE", "box", "whole range", "-2147483648 to 2147483647");
  part.mutable_capsule()->set_a_x(kMin);
  part.mutable_capsule()->set_a_y(kMin);
  part.mutable_capsule()->set_b_x(kMax);
  part.mutable_capsule()->set_b_y(kMax);
  expect_refused(part, "OUT_OF_RANGE", "capsule", "whole range", "-2147483648 to 2147483647");
}

TEST_F(BadShape, ARadiusThatReachesOutOfTheRangeIsRejectedByName) {
  v1::Part part;
  *part.mutable_circle() = circle(kMax - 9, 0, 10);
  expect_refused(part, "OUT_OF_RANGE", "circle.radius", "radius is 10", "-2147483648 to 2147483647");
  part.mutable_capsule()->set_a_y(kMin + 9);
  part.mutable_capsule()->set_radius(10);
  expect_refused(part, "OUT_OF_RANGE", "capsule.radius", "radius is 10", "-2147483648 to 2147483647");
}

TEST_F(BadShape, AMaskOfNoMatchOrOutOfTheRangeIsRejectedByName) {
  v1::Part part;
  part.mutable_mask()->set_mask(1);
  expect_refused(part, "UNKNOWN_MASK", "mask.mask", "mask is 1", "0 to 0");
  part.mutable_mask()->set_mask(std::numeric_limits<std::uint32_t>::max());
  expect_refused(part, "UNKNOWN_MASK", "mask.mask", "or more", "0 to 0");
  part.mutable_mask()->set_mask(0);
  part.mutable_mask()->set_x(kMax - 511);
  expect_refused(part, "OUT_OF_RANGE", "mask.x", "2147483648", "to 2147483647");
}

TEST_F(BadShape, BadMasksRefuseTheMatchByName) {
  const auto with_mask = [](std::uint32_t width, std::uint32_t height, std::size_t bytes) {
    v1::MatchConfig config;
    auto* mask = config.add_masks();
    mask->set_width(width);
    mask->set_height(height);
    mask->set_rows(std::string(bytes, '\0'));
    return config;
  };
  expect_config_refused(with_mask(257, 1, 33), "masks[0].width", "1 to 256");
  expect_config_refused(with_mask(1, 257, 257), "masks[0].height", "1 to 256");
  expect_config_refused(with_mask(9, 2, 3), "masks[0].rows", "must have 4");
  v1::MatchConfig config = with_mask(7, 1, 1);
  config.mutable_masks(0)->set_rows("\x80");
  expect_config_refused(config, "masks[0].rows", "must be 0");
  config = with_mask(1, 1, 1);
  config.mutable_masks(0)->set_pixel_size((1u << 20) + 1);
  expect_config_refused(config, "masks[0].pixel_size", "1 to 1048576");
  config = {};
  for (int i = 0; i < 257; ++i) config.MergeFrom(with_mask(1, 1, 1));
  expect_config_refused(config, "masks", "0 to 256");
  config = with_mask(1, 1, 1);
  for (int i = 0; i < 64; ++i) config.MergeFrom(with_mask(256, 256, 8192));
  expect_config_refused(config, "masks", "at most 524288");
}

TEST_F(BadShape, BadSettingsOfABroadphaseRefuseTheMatchByName) {
  v1::MatchConfig config;
  config.set_broadphase(static_cast<v1::BroadphaseKind>(5));
  expect_config_refused(config, "broadphase", "5");
  config = {};
  config.mutable_sector_grid()->set_scheme(static_cast<v1::SectorScheme>(5));
  expect_config_refused(config, "sector_grid.scheme", "5");
  config = {};
  config.mutable_sector_grid()->set_sector_size(255);
  expect_config_refused(config, "sector_grid.sector_size", "256 to 1073741824");
}

TEST_F(BadShape, TheSdkRefusesWhatItKnowsToBeWrong) {
  Session session = joined(*client_, match_id_, "other", Role::kPlayer);
  ObjectSpec spec;
  spec.parts = {Part::circle({0, 0}, -1, 0)};
  EXPECT_EQ(session.spawn(spec).status().field(), "parts[0].circle.radius");
  spec.parts = {Part::mask(1, {0, 0}, 0)};
  EXPECT_EQ(session.spawn(spec).status().field(), "parts[0].mask.mask");
  spec.parts = {Part::mask(0, {0, 0}, 0)};
  EXPECT_TRUE(session.spawn(spec).ok());
}

TEST_F(BadShape, AMatchTellsThePixelsOfItsMasksToThoseWhoAskForItAlone) {
  EXPECT_EQ(client_->get_match(match_id_)->config.masks.at(0).rows(), (std::string{3, 2}));
  const auto matches = client_->list_matches();
  EXPECT_EQ(matches->at(0).config.masks.at(0).width(), 2u);
  EXPECT_FALSE(matches->at(0).config.masks.at(0).test(0, 0));
}

}  // namespace
}  // namespace sweepd::test::bad_shape_test
