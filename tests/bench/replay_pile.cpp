// SPDX-License-Identifier: MIT
//
// Writes many replays and their manifest, for `sweepctl verify --manifest`: replay_pile FOLDER COUNT TICKS.
// Matches of a player who flies and shoots among forty enemies that fly by themselves, each from a seed of
// its own.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "property/random.h"
#include "recordings/recorded_tick.h"
#include "replay/recorder.h"
#include "replay/writer.h"

namespace {

using namespace sweepd;

match::MatchConfig config_of(std::uint64_t seed) {
  match::MatchConfig config;
  config.name = "pile";
  config.layers = {"player", "shot", "enemy"};
  config.collides = {{.layer_a = "shot", .layer_b = "enemy"}, {.layer_a = "player", .layer_b = "enemy"}};
  config.playfield = {0, 0, 480 * 256, 640 * 256};
  config.scoring.push_back({.name = "hit", .layer_a = "shot", .layer_b = "enemy", .points = 100});
  config.scoring.push_back({.name = "crash", .layer_a = "player", .layer_b = "enemy", .points = -50});
  config.seed = seed;
  return config;
}

collision::ObjectSpec box(collision::ObjectId id, collision::Point position, collision::LayerId layer,
                          collision::Point velocity) {
  collision::ObjectSpec spec;
  spec.id = id;
  spec.position = position;
  spec.parts = {{.box = {-1024, -1024, 1024, 1024}, .layer = layer}};
  spec.motion.velocity = velocity;
  spec.despawn_outside_playfield = layer != 0;
  spec.single_use = layer == 1;
  return spec;
}

/// What the player and the stage do in a tick.
class Pilot {
 public:
  Pilot(std::uint64_t seed, replay::Recorder& recorder) : random_(seed), recorder_(recorder) {
    player_ = *recorder_.apply(match::Join{.name = "ann"});
    stage_ = *recorder_.apply(match::Join{.name = "stage", .role = match::Role::kStage});
  }

  void fly(std::uint64_t tick) {
    match::Frame frame;
    x_ = static_cast<std::int32_t>(random_.between(0, 480)) * 256;
    if (tick == 1) frame.spawns.push_back(box(player_.first_id, {x_, y_}, 0, {}));
    if (tick > 1) frame.moves.push_back({.object = player_.first_id, .position = {x_, y_}});
    if (tick % 6 == 0) {
      const auto id = player_.first_id + 1 + static_cast<collision::ObjectId>(tick % 6'000);
      frame.spawns.push_back(box(id, {x_, y_ - 4'096}, 1, {0, -2'048}));
    }
    (void)recorder_.apply(match::Submission{player_.number, std::move(frame)});
    if (tick % 16 != 1) return;
    match::Frame wave;
    for (std::uint32_t i = 0; i < 4; ++i) {
      const auto id = stage_.first_id + static_cast<collision::ObjectId>(tick % 16'000) + i;
      const auto across = static_cast<std::int32_t>(random_.between(20, 460)) * 256;
      const auto drift = static_cast<std::int32_t>(random_.between(-200, 200));
      wave.spawns.push_back(box(id, {across, 2'048}, 2, {drift, 1'024}));
    }
    (void)recorder_.apply(match::Submission{stage_.number, std::move(wave)});
  }

 private:
  property::Random random_;
  replay::Recorder& recorder_;
  match::Participant player_;
  match::Participant stage_;
  std::int32_t x_ = 0;
  std::int32_t y_ = 600 * 256;
};

/// The score of the player.
std::int64_t write_replay(const std::filesystem::path& path, std::uint64_t seed, std::uint64_t ticks) {
  replay::Recorder recorder(std::move(*match::Match::create(config_of(seed))));
  replay::Writer writer(replay::head_of(recorder.match(), std::to_string(seed), ""),
                        {.compression_level = 3});
  Pilot pilot(seed, recorder);
  std::ofstream file(path, std::ios::binary);
  for (std::uint64_t tick = 1; tick <= ticks; ++tick) {
    pilot.fly(tick);
    if (tick < ticks) {
      recorder.step();
    } else {
      recorder.end();
    }
    if (!writer.add(recordings::take_record(recorder))) std::abort();
    file << writer.take_bytes();
  }
  const auto scores = replay::scores_of(recorder.match());
  writer.finish(replay::EndReason::kMatchEnded, scores, nullptr);
  file << writer.take_bytes();
  return scores.front().score;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "replay_pile FOLDER COUNT TICKS\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  std::ofstream manifest(folder / "manifest.jsonl");
  const std::uint64_t count = std::strtoull(argv[2], nullptr, 10);
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const auto path = folder / (std::to_string(seed) + ".swpr");
    const std::int64_t score = write_replay(path, seed, std::strtoull(argv[3], nullptr, 10));
    manifest << "{\"file\":\"" << path.string() << "\",\"player\":\"ann\",\"score\":" << score << "}\n";
  }
  return 0;
}
