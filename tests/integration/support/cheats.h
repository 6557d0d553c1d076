// SPDX-License-Identifier: MIT
#pragma once

#include "integration/support/raw_stream.h"
#include "integration/support/server_fixture.h"

namespace sweepd::test {

inline constexpr int kUnit = 256;
inline constexpr std::uint32_t kShip = 1;  // Templates, by their places in the sample.
inline constexpr std::uint32_t kShot = 2;
inline constexpr std::uint32_t kEnemy = 3;
inline constexpr std::uint32_t kBullet = 4;
inline constexpr std::uint32_t kItem = 5;
inline constexpr std::uint32_t kPlayerLayer = 0;
inline constexpr std::uint32_t kGrazeLayer = 1;
inline constexpr std::uint32_t kShotLayer = 2;
inline constexpr std::uint32_t kItemLayer = 5;

inline v1::Spawn& add_spawn(v1::Frame& frame, std::uint32_t id, std::uint32_t template_number, int x, int y) {
  v1::Spawn& spawn = *frame.add_spawns();
  spawn.set_object_id(id);
  spawn.set_template_number(template_number);
  spawn.set_x(x * kUnit);
  spawn.set_y(y * kUnit);
  return spawn;
}

/// Up, as the sample's shots fly.
inline v1::Spawn& add_shot(v1::Frame& frame, std::uint32_t id, int x, int y) {
  v1::Spawn& spawn = add_spawn(frame, id, kShot, x, y);
  spawn.mutable_motion()->set_velocity_y(-16 * kUnit);
  return spawn;
}

/// A square on a layer, from -half to half.
inline void add_part(v1::Part& part, std::uint32_t layer, int half) {
  part.set_layer(layer);
  part.mutable_box()->set_min_x(-half * kUnit);
  part.mutable_box()->set_min_y(-half * kUnit);
  part.mutable_box()->set_max_x(half * kUnit);
  part.mutable_box()->set_max_y(half * kUnit);
}

inline void add_move(v1::AbsoluteMoveColumns& moves, std::uint32_t id, int x, int y) {
  moves.add_object_id(id);
  moves.add_x(x * kUnit);
  moves.add_y(y * kUnit);
}

/// The sample's match, stepped by the test: the stage, and ann, who cheats.
class Cheats : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    client_.emplace(client());
    match_id_ = create_sample();
    take_seats();
  }

  /// The sample with some of its settings changed.
  void start_with(const std::function<void(MatchConfig&)>& change) {
    MatchConfig config = client_->get_match(match_id_)->config;
    change(config);
    const auto match = client_->create_match(config);
    ASSERT_TRUE(match.ok()) << match.status().message();
    match_id_ = match->match_id;
    take_seats();
  }

  void take_seats() {
    const auto channel = grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials());
    stub_ = v1::MatchService::NewStub(channel);
    stage_.emplace(*stub_);
    v1::Join join;
    join.set_match_id(match_id_);
    join.set_name("stage");
    join.set_role(v1::ROLE_STAGE);
    stage_id_ = stage_->joined(join).participant().first_id();
    ann_.emplace(*stub_);
    ship_ = ann_->joined(match_id_, "ann").joined().participant().first_id();
    v1::Frame frame;
    add_spawn(frame, ship_, kShip, 240, 600);
    play(frame);
    ASSERT_THAT(rejections(), ::testing::IsEmpty());
  }

  /// With claims that hit, and nothing else another than in the file.
  std::string create_sample() {
    const auto path =
        std::filesystem::path(required_environment("SWEEPD_SOURCE_DIR")) / "deploy/samples/coop_shmup.toml";
    const auto run = run_sweepctl({"create", "--config", path.string(), "--clock", "manual"});
    EXPECT_EQ(run->wait(), 0) << run->standard_error();
    std::string id = run->standard_output();
    while (!id.empty() && id.back() == '\n') id.pop_back();
    return id;
  }

  /// One tick, with these frames of ann and of the stage.
  void play(v1::Frame ann = {}, v1::Frame stage = {}) {
    const std::uint64_t tick = client_->get_match(match_id_)->tick + 1;
    ann.set_tick(tick);
    stage.set_tick(tick);
    ann_->send(ann);
    stage_->send(stage);
    const auto stepped = client_->step_match(match_id_, 1, true);
    ASSERT_TRUE(stepped.ok()) << stepped.status().message();
  }

  void run(int ticks) { ASSERT_TRUE(client_->step_match(match_id_, static_cast<std::uint32_t>(ticks)).ok()); }

  Participant ann() { return participant("ann"); }
  Participant participant(const std::string& name) {
    const auto match = client_->get_match(match_id_);
    for (const Participant& one : match->participants)
      if (one.name == name) return one;
    ADD_FAILURE() << name << " has left";
    return {};
  }

  /// "REASON count" each.
  std::vector<std::string> rejections() {
    std::vector<std::string> texts;
    const Participant participant = ann();
    for (const RejectionCount& count : participant.rejections_by_reason)
      texts.push_back(count.reason + " " + std::to_string(count.count));
    return texts;
  }

  std::int64_t score() {
    const auto match = client_->get_match(match_id_);
    for (const Score& score : match->scores)
      if (score.name == "ann") return score.score;
    return 0;
  }

  std::optional<ObjectState> object(std::uint32_t id) {
    const auto world = client_->get_world(match_id_);
    EXPECT_TRUE(world.ok()) << world.status().message();
    for (const ObjectState& one : world->objects)
      if (one.id == id) return one;
    return std::nullopt;
  }

  std::uint32_t objects_of_ann() { return ann().objects; }

  /// A row of enemies across the field, far from the ship.
  void send_enemies(int count) {
    v1::Frame frame;
    for (int i = 0; i < count; ++i)
      add_spawn(frame, stage_id_ + static_cast<std::uint32_t>(i), kEnemy, 20 + 8 * i, 100);
    play({}, frame);
  }

  std::optional<Client> client_;
  std::unique_ptr<v1::MatchService::Stub> stub_;
  std::string match_id_;
  std::optional<RawStream> stage_;
  std::optional<RawStream> ann_;
  std::uint32_t stage_id_ = 0;
  std::uint32_t ship_ = 0;
};

}  // namespace sweepd::test
