// SPDX-License-Identifier: MIT
//
// Writes what a fuzzer begins with into a folder: a small input log, as the SDK writes them, and a tick of
// it.
#include <filesystem>
#include <fstream>
#include <string>

#include "sweepd/input_log.h"
#include "sweepd/v1/input_log.pb.h"

namespace sweepd {
namespace {

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string a_log() {
  MatchConfig config;
  config.layers = {"player", "enemy"};
  config.collides = {{.layer_a = "player", .layer_b = "enemy"}};
  auto log = InputLog::create(config, "nonce");
  auto ann = log->join("ann");
  ObjectSpec spec;
  spec.parts = {{centered_box(8, 8), 0}};
  const auto ship = ann->spawn(spec);
  (void)ann->end_frame().ok();
  (void)log->end_tick().ok();
  (void)ann->move(*ship, {3, 4}).ok();
  (void)ann->end_frame().ok();
  (void)log->end_tick().ok();
  (void)ann->leave().ok();
  (void)log->end_tick().ok();
  (void)log->finish({.claimed_scores = {{.participant = 0, .name = "ann"}}}).ok();
  return std::string(*log->bytes());
}

std::string a_tick() {
  v1::InputLogTick tick;
  v1::Frame& frame = *tick.add_inputs()->mutable_frame();
  v1::Spawn& spawn = *frame.add_spawns();
  spawn.set_object_id(1);
  spawn.add_parts()->mutable_box()->set_max_x(10);
  frame.mutable_moves()->add_id_delta(1);
  frame.mutable_moves()->add_dx(5);
  frame.mutable_moves()->add_dy(5);
  frame.mutable_absolute_moves()->add_object_id(1);
  frame.mutable_absolute_moves()->add_x(1);
  frame.mutable_absolute_moves()->add_y(1);
  frame.add_mass_despawns()->add_layers(1);
  frame.add_disables()->set_object_id(1);
  frame.add_claims()->set_shot_id(1);
  tick.add_inputs()->mutable_leave();
  return "T" + tick.SerializeAsString();
}

}  // namespace
}  // namespace sweepd

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  sweepd::write(folder / "log", sweepd::a_log());
  sweepd::write(folder / "tick", sweepd::a_tick());
  return 0;
}
