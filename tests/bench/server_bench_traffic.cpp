// SPDX-License-Identifier: MIT
#include "bench/server_bench_traffic.h"

#include <map>

#include "base/assert.h"

namespace sweepd::bench {
namespace {

using collision::Point;

constexpr int kRecordedPerUnit = 256;
constexpr int kSentPerUnit = 8;

collision::Subunits as_sent(collision::Subunits value) {
  // Down, whatever the sign: or what flies over the edge would stand still there.
  constexpr int kTimes = kRecordedPerUnit / kSentPerUnit;
  return value >= 0 ? value / kTimes : -((-value + kTimes - 1) / kTimes);
}

Point as_sent(Point point) { return {as_sent(point.x), as_sent(point.y)}; }

constexpr const char* kLayers[] = {"player", "shot", "enemy", "bullet", "power_up"};

}  // namespace

SceneTraffic::SceneTraffic(const scenes::Recording& recording, Movement movement)
    : movement_(movement), matrix_(recording.matrix), frames_(recording.ticks.size()) {
  lay_out_actors(recording);
  write_frames();
}

v1::MatchConfig SceneTraffic::match_config() const {
  v1::MatchConfig config;
  for (const char* layer : kLayers) config.add_layers(layer);
  for (int a = 0; a < config.layers_size(); ++a) {
    for (int b = a; b < config.layers_size(); ++b) {
      if (!matrix_.allows(static_cast<collision::LayerId>(a), static_cast<collision::LayerId>(b))) continue;
      auto& pair = *config.add_collides();
      pair.set_layer_a(kLayers[a]);
      pair.set_layer_b(kLayers[b]);
    }
  }
  config.mutable_playfield()->set_max_x(480 * kSentPerUnit);
  config.mutable_playfield()->set_max_y(640 * kSentPerUnit);
  config.set_start_after_participants(kClients);
  for (std::uint32_t client = 0; client < kClients; ++client) {
    v1::ParticipantSlot& slot = *config.add_slots();
    slot.set_name("client" + std::to_string(client));
    slot.set_role(v1::ROLE_PLAYER);
    slot.set_first_id(1 + client * kIdsPerClient);
    slot.set_last_id((client + 1) * kIdsPerClient);
  }
  return config;
}

Point SceneTraffic::Actor::step_to(std::size_t tick) const {
  return {way[tick].x - way[tick - 1].x, way[tick].y - way[tick - 1].y};
}

void SceneTraffic::lay_out_actors(const scenes::Recording& recording) {
  std::map<collision::PartHandle, std::size_t> leads;  // Parts by which objects are moved.
  std::uint32_t object = 0;
  for (const auto& added : recording.ticks.front().added) {
    const Point corner{added.box.min_x, added.box.min_y};
    if (actors_.empty() || added.object != object) {
      object = added.object;
      leads[added.part] = actors_.size();
      Actor& actor = actors_.emplace_back();
      actor.client = static_cast<std::uint32_t>(actors_.size() - 1) % kClients;
      actor.layer = added.layer;
      actor.way.push_back(corner);
    }
    const Point at = actors_.back().way.front();
    v1::Part& part = actors_.back().parts.emplace_back();
    part.set_layer(added.layer);
    part.mutable_box()->set_min_x(as_sent(corner.x - at.x));
    part.mutable_box()->set_min_y(as_sent(corner.y - at.y));
    part.mutable_box()->set_max_x(as_sent(added.box.max_x - at.x));
    part.mutable_box()->set_max_y(as_sent(added.box.max_y - at.y));
  }
  for (std::size_t tick = 1; tick < recording.ticks.size(); ++tick) {
    SWEEPD_ASSERT(recording.ticks[tick].added.empty() && recording.ticks[tick].removed.empty());
    for (Actor& actor : actors_) actor.way.push_back(actor.way.back());
    for (const auto& [part, box] : recording.ticks[tick].moved) {
      const auto lead = leads.find(part);
      if (lead != leads.end()) actors_[lead->second].way.back() = {box.min_x, box.min_y};
    }
  }
}

bool SceneTraffic::moves_by_itself(const Actor& actor) const {
  return movement_ == Movement::kServerMotion &&
         (actor.layer == scenes::kBullet || actor.layer == scenes::kShot);
}

void SceneTraffic::write_frames() {
  for (std::uint32_t client = 0; client < kClients; ++client) next_id_.push_back(1 + client * kIdsPerClient);
  for (std::size_t tick = 0; tick < frames_.size(); ++tick) {
    frames_[tick].resize(kClients);
    last_id_in_frame_.assign(kClients, 0);
    for (Actor& actor : actors_) write(actor, tick, frames_[tick][actor.client]);
    for (v1::Frame& frame : frames_[tick]) frame.set_acknowledged_tick(tick);
  }
}

void SceneTraffic::write(Actor& actor, std::size_t tick, v1::Frame& frame) {
  if (tick == 0) return write_spawn(actor, tick, frame);
  if (!moves_by_itself(actor)) return write_move(actor, tick, frame);
  // What has entered anew is another object: the one before has left the playfield, and with it the match.
  const bool goes_on = tick + 1 == actor.way.size() || actor.step_to(tick) == actor.step_to(tick + 1);
  const bool came_as_expected = tick == 1 || actor.step_to(tick) == actor.step_to(tick - 1);
  if (!goes_on || came_as_expected) return;
  write_spawn(actor, tick, frame);
}

void SceneTraffic::write_spawn(Actor& actor, std::size_t tick, v1::Frame& frame) {
  actor.id = next_id_[actor.client]++;
  v1::Spawn& spawn = *frame.add_spawns();
  spawn.set_object_id(actor.id);
  const Point at = as_sent(actor.way[tick]);
  spawn.set_x(at.x);
  spawn.set_y(at.y);
  for (const v1::Part& part : actor.parts) *spawn.add_parts() = part;
  if (!moves_by_itself(actor) || tick + 1 == actor.way.size()) return;
  spawn.set_despawn_outside_playfield(true);
  const Point velocity = as_sent(actor.step_to(tick + 1));
  spawn.mutable_motion()->set_velocity_x(velocity.x);
  spawn.mutable_motion()->set_velocity_y(velocity.y);
}

void SceneTraffic::write_move(const Actor& actor, std::size_t tick, v1::Frame& frame) {
  const Point from = as_sent(actor.way[tick - 1]);
  const Point to = as_sent(actor.way[tick]);
  v1::MoveColumns& moves = *frame.mutable_moves();
  moves.add_id_delta(actor.id - last_id_in_frame_[actor.client]);
  moves.add_dx(to.x - from.x);
  moves.add_dy(to.y - from.y);
  last_id_in_frame_[actor.client] = actor.id;
}

}  // namespace sweepd::bench
