// SPDX-License-Identifier: MIT
//
// Protects a match from a client that does more than it may, over the wire: each limit with the value at the
// limit and one past it. The latter comes back as a rejection with the rule, the object and the limit,
// changes nothing else, and is counted in GetMatch. Speaks the wire protocol itself, as a client that cheats
// would.
#include "integration/support/raw_stream.h"
#include "integration/support/server_fixture.h"

namespace sweepd::test::limits_test {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t kPlayerLayer = 0;
constexpr std::uint32_t kEnemyLayer = 1;

v1::MatchConfig plain_config() {
  v1::MatchConfig config;
  config.add_layers("player");
  config.add_layers("enemy");
  config.set_clock(v1::CLOCK_KIND_MANUAL);
  config.mutable_playfield()->set_max_x(10'000);
  config.mutable_playfield()->set_max_y(10'000);
  return config;
}

v1::RoleLimits& role_limits(v1::MatchConfig& config) {
  v1::RoleLimits& limits = *config.add_limits();
  limits.set_role(v1::ROLE_PLAYER);
  return limits;
}

v1::LayerLimits& layer_limits(v1::MatchConfig& config) {
  v1::LayerLimits& limits = *config.add_layer_limits();
  limits.set_layer("player");
  return limits;
}

/// Of one pixel, at (100, 100).
v1::Spawn& spawn(v1::Frame& frame, std::uint32_t id, int parts = 1, std::uint32_t layer = kPlayerLayer) {
  v1::Spawn& spawn = *frame.add_spawns();
  spawn.set_object_id(id);
  spawn.set_x(100);
  spawn.set_y(100);
  for (int i = 0; i < parts; ++i) {
    v1::Part& part = *spawn.add_parts();
    part.set_layer(layer);
    part.mutable_box()->set_max_x(256);
  }
  return spawn;
}

void move(v1::Frame& frame, std::uint32_t id, std::int32_t x) {
  frame.mutable_absolute_moves()->add_object_id(id);
  frame.mutable_absolute_moves()->add_x(x);
  frame.mutable_absolute_moves()->add_y(100);
}

/// One limit: a config that has it, what is done first, a frame at the limit and one past it.
struct Limit {
  const char* name;
  std::function<void(v1::MatchConfig&)> set;
  std::function<void(v1::Frame&, std::uint32_t id)> at_limit;
  std::function<void(v1::Frame&, std::uint32_t id)> past_limit;
  v1::RejectionReason reason;
  const char* field;
  const char* rule;  ///< In the message, too.
  bool is_of_an_object = true;
};

/// A frame of exactly so many bytes on the wire: a spawn, and what has no effect on it.
void pad_to(v1::Frame& frame, std::uint32_t id, std::size_t bytes) {
  frame.set_tick(1);  // Whichever it will be, it takes as many bytes.
  spawn(frame, id);
  const auto missing = static_cast<int>(bytes - frame.ByteSizeLong());
  for (int i = 0; i < missing - 4; ++i) frame.add_enables(id);
  while (frame.ByteSizeLong() < bytes) frame.add_enables(id);
  EXPECT_EQ(frame.ByteSizeLong(), bytes);
}

std::vector<Limit> limits() {
  return {
      {"spawn_layers", [](auto& config) { role_limits(config).mutable_spawn_layers()->add_layers("player"); },
       [](auto& frame, auto id) { spawn(frame, id); },
       [](auto& frame, auto id) { spawn(frame, id, 1, kEnemyLayer); }, v1::REJECTION_REASON_LAYER_NOT_ALLOWED,
       "spawns[0].parts[0].layer", "limits[0].spawn_layers"},
      {"no spawn_layers",
       [](auto& config) { role_limits(config).mutable_spawn_layers(); },
       {},
       [](auto& frame, auto id) { spawn(frame, id); },
       v1::REJECTION_REASON_LAYER_NOT_ALLOWED,
       "spawns[0].parts[0].layer",
       "limits[0].spawn_layers"},
      {"objects_max", [](auto& config) { role_limits(config).set_objects_max(2); },
       [](auto& frame, auto id) { spawn(frame, id + 1), spawn(frame, id + 2); },
       [](auto& frame, auto id) { spawn(frame, id); }, v1::REJECTION_REASON_TOO_MANY_OBJECTS, "spawns[0]",
       "limits[0].objects_max"},
      {"parts_max", [](auto& config) { role_limits(config).set_parts_max(3); },
       [](auto& frame, auto id) { spawn(frame, id + 1, 2), spawn(frame, id + 2); },
       [](auto& frame, auto id) { spawn(frame, id); }, v1::REJECTION_REASON_TOO_MANY_PARTS, "spawns[0].parts",
       "limits[0].parts_max"},
      {"may_teleport", [](auto& config) { role_limits(config).set_may_teleport(false); },
       [](auto& frame, auto id) { spawn(frame, id), move(frame, id, 5000); },
       [](auto& frame, auto id) {
         frame.mutable_teleports()->add_object_id(id);
         frame.mutable_teleports()->add_x(0);
         frame.mutable_teleports()->add_y(0);
       },
       v1::REJECTION_REASON_MAY_NOT_TELEPORT, "teleports.object_id[0]", "limits[0].may_teleport"},
      {"speed_max",
       [](auto& config) {
         layer_limits(config).set_speed_max(512), config.mutable_layer_limits(0)->set_speed_budget_ticks(1);
       },
       [](auto& frame, auto id) { spawn(frame, id), move(frame, id, 612); },
       [](auto& frame, auto id) { move(frame, id, 612 + 513); }, v1::REJECTION_REASON_TOO_FAST,
       "absolute_moves.x[0]", "layer_limits[0].speed_max"},
      {"speed_max of motion", [](auto& config) { layer_limits(config).set_speed_max(512); },
       [](auto& frame, auto id) { spawn(frame, id + 1).mutable_motion()->set_velocity_y(512); },
       [](auto& frame, auto id) { spawn(frame, id).mutable_motion()->set_velocity_y(513); },
       v1::REJECTION_REASON_TOO_FAST, "spawns[0]", "layer_limits[0].speed_max"},
      {"stay_in_playfield", [](auto& config) { layer_limits(config).set_stay_in_playfield(true); },
       [](auto& frame, auto id) { spawn(frame, id), move(frame, id, 9744); },
       [](auto& frame, auto id) { move(frame, id, 9745); }, v1::REJECTION_REASON_OUTSIDE_PLAYFIELD,
       "absolute_moves.x[0]", "layer_limits[0].stay_in_playfield"},
      {"frame_bytes_max", [](auto& config) { role_limits(config).set_frame_bytes_max(100); },
       [](auto& frame, auto id) { pad_to(frame, id, 100); },
       [](auto& frame, auto id) { pad_to(frame, id, 101); }, v1::REJECTION_REASON_TOO_MANY_BYTES, "",
       "limits[0].frame_bytes_max", false},
      // A second's worth at once, and never more.
      {"bytes_per_second_max", [](auto& config) { role_limits(config).set_bytes_per_second_max(12'000); },
       [](auto& frame, auto id) { pad_to(frame, id, 12'000); },
       [](auto& frame, auto id) { pad_to(frame, id, 12'001); }, v1::REJECTION_REASON_TOO_MANY_BYTES, "",
       "limits[0].bytes_per_second_max", false},
  };
}

class Limits : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    client_.emplace(client());
    stub_ = v1::MatchService::NewStub(
        grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials()));
  }

  std::string create(const v1::MatchConfig& config) {
    grpc::ClientContext context;
    v1::CreateMatchRequest request;
    *request.mutable_config() = config;
    v1::CreateMatchResponse response;
    const grpc::Status status = stub_->CreateMatch(&context, request, &response);
    EXPECT_TRUE(status.ok()) << describe(status);
    return response.match().match_id();
  }

  /// Sends a frame and runs the tick that it applies in.
  void play(RawStream& stream, const std::string& match_id, v1::Frame frame, std::uint64_t tick,
            bool is_refused_whole = false) {
    frame.set_tick(tick);
    stream.send(frame);
    if (is_refused_whole) {  // Then the tick waits for the one behind it.
      v1::Frame empty;
      empty.set_tick(tick);
      stream.send(empty);
    }
    ASSERT_TRUE(client_->step_match(match_id, 1, true).ok());
  }

  std::optional<Client> client_;
  std::unique_ptr<v1::MatchService::Stub> stub_;
};

TEST_F(Limits, EachIsTakenAtTheLimitAndRefusedOnePastItByRuleObjectAndLimit) {
  for (const Limit& limit : limits()) {
    SCOPED_TRACE(limit.name);
    v1::MatchConfig config = plain_config();
    limit.set(config);
    const std::string match_id = create(config);
    RawStream stream(*stub_);
    const std::uint32_t id = stream.joined(match_id, "player").joined().participant().first_id();
    if (limit.at_limit) {
      v1::Frame frame;
      limit.at_limit(frame, id);
      ASSERT_NO_FATAL_FAILURE(play(stream, match_id, frame, 1));
      EXPECT_EQ(client_->get_match(match_id)->participants.at(0).rejections, 0u);
    }
    const auto before = *client_->get_match(match_id);
    v1::Frame frame;
    limit.past_limit(frame, limit.is_of_an_object ? id : id + 7);
    ASSERT_NO_FATAL_FAILURE(play(stream, match_id, frame, before.tick + 1, !limit.is_of_an_object));
    const v1::Rejection rejection = stream.rejection();
    EXPECT_EQ(rejection.reason(), limit.reason) << rejection.message();
    EXPECT_EQ(rejection.field(), limit.field);
    EXPECT_EQ(rejection.object_id(), limit.is_of_an_object ? id : 0);
    EXPECT_THAT(rejection.message(), HasSubstr(limit.rule));
    EXPECT_EQ(rejection.broken_rule().rule(), limit.rule);
    const auto after = *client_->get_match(match_id);
    EXPECT_EQ(after.objects, before.objects) << "nothing changed";
    const Participant& participant = after.participants.at(0);
    EXPECT_EQ(participant.rejections, 1u);
    ASSERT_EQ(participant.rejections_by_reason.size(), 1u);
    EXPECT_EQ("REJECTION_REASON_" + participant.rejections_by_reason[0].reason,
              v1::RejectionReason_Name(limit.reason));
    EXPECT_EQ(participant.rejections_by_reason[0].count, 1u);
  }
}

TEST_F(Limits, FramesForOneTick) {
  v1::MatchConfig config = plain_config();
  role_limits(config).set_frames_max(3);
  const std::string match_id = create(config);
  RawStream stream(*stub_);
  stream.joined(match_id, "player");
  v1::Frame frame;
  frame.set_tick(1);
  for (int i = 0; i < 3; ++i) stream.send(frame);
  ASSERT_TRUE(client_->step_match(match_id, 1, true).ok());
  EXPECT_EQ(client_->get_match(match_id)->participants.at(0).rejections, 0u);
  frame.set_tick(2);
  for (int i = 0; i < 4; ++i) stream.send(frame);
  ASSERT_TRUE(eventually([&] { return client_->get_match(match_id)->participants.at(0).rejections == 1; }));
  ASSERT_TRUE(client_->step_match(match_id, 1).ok());
  const v1::Rejection rejection = stream.rejection();
  EXPECT_EQ(rejection.reason(), v1::REJECTION_REASON_TOO_MANY_FRAMES);
  EXPECT_EQ(rejection.field(), "tick");
  EXPECT_EQ(rejection.frame_tick(), 2u);
  EXPECT_THAT(rejection.message(), HasSubstr("limits[0].frames_max"));
}

TEST_F(Limits, AFrameThatIsTooLargeLeavesTheBasesOfTheNextMovesRight) {
  v1::MatchConfig config = plain_config();
  role_limits(config).set_frame_bytes_max(100);
  const std::string match_id = create(config);
  RawStream stream(*stub_);
  const std::uint32_t id = stream.joined(match_id, "player").joined().participant().first_id();
  v1::Frame frame;
  spawn(frame, id);
  ASSERT_NO_FATAL_FAILURE(play(stream, match_id, frame, 1));
  v1::Frame large;
  move(large, id, 400);
  while (large.ByteSizeLong() <= 100) large.add_enables(id);
  ASSERT_NO_FATAL_FAILURE(play(stream, match_id, large, 2, true));
  v1::Frame relative;
  relative.mutable_moves()->add_id_delta(id);
  relative.mutable_moves()->add_dx(50);
  relative.mutable_moves()->add_dy(0);
  ASSERT_NO_FATAL_FAILURE(play(stream, match_id, relative, 3));
  const auto found = client_->query_region(match_id, Box{450 / 256.0, 0, 450 / 256.0, 100});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->size(), 1u) << "400 was sent, and 450 is meant";
  const auto none = client_->query_region(match_id, Box{449 / 256.0, 0, 449 / 256.0, 100});
  EXPECT_TRUE(none->empty());
}

TEST_F(Limits, TheSdkSetsThemAndIsToldOfThem) {
  MatchConfig config = shooter_config(ClockKind::kManual);
  RoleLimits players;
  players.spawn_layers = std::vector<std::string>{"player", "player_shot"};
  config.limits = {players};
  config.layer_limits = {{.layer = "player", .speed_max = 4, .speed_budget_ticks = 2}};
  const auto match = client_->create_match(config);
  ASSERT_TRUE(match.ok()) << match.status().message();
  EXPECT_EQ(*match->config.limits.at(0).spawn_layers, *players.spawn_layers);
  EXPECT_EQ(match->config.layer_limits.at(0).speed_max, 4);
  Session session = joined(*client_, match->match_id, "player", Role::kPlayer);
  const ObjectId ship = *session.spawn(object_at({0, 0}, 0));
  ASSERT_TRUE(session.move(ship, {4 + 1.0 / 256, 0}).ok());
  ASSERT_TRUE(session.end_frame(1).ok());
  ASSERT_TRUE(client_->step_match(match->match_id, 1, true).ok());
  std::optional<Rejection> rejection;
  ASSERT_TRUE(eventually([&] { return (rejection = session.poll_rejection()).has_value(); }));
  EXPECT_EQ(rejection->reason, "TOO_FAST");
  EXPECT_EQ(rejection->object, ship);
  config.layer_limits[0].speed_max = -1;
  EXPECT_EQ(client_->create_match(config).status().field(), "config.layer_limits[0].speed_max");
  config.layer_limits[0] = {.layer = "boss"};
  EXPECT_EQ(client_->create_match(config).status().field(), "config.layer_limits[0].layer");
}

}  // namespace
}  // namespace sweepd::test::limits_test
