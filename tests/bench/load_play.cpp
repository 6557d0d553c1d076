// SPDX-License-Identifier: MIT
#include "bench/load_play.h"

#include <string>
#include <utility>

#include "base/assert.h"

namespace sweepd::bench {
namespace {

using tools::load::Actor;
using tools::load::Flight;

constexpr std::uint32_t kClients = 4;

collision::Point at(const tools::load::Point& point) { return {point.x, point.y}; }

collision::ObjectSpec spec_of(const Actor& actor, collision::ObjectId id, collision::Point position) {
  collision::ObjectSpec spec;
  spec.id = id;
  spec.position = position;
  for (const tools::load::PartBox& box : actor.parts) {
    collision::Part part;
    part.box = {box.min_x, box.min_y, box.max_x, box.max_y};
    part.layer = static_cast<collision::LayerId>(actor.layer);
    spec.parts.push_back(part);
  }
  return spec;
}

/// `age`: for how many ticks it has been flying already.
collision::ObjectSpec spec_of(const Actor& actor, collision::ObjectId id, const Flight& flight,
                              std::uint32_t age) {
  const auto steps = static_cast<std::int32_t>(age);
  collision::ObjectSpec spec = spec_of(
      actor, id, {flight.start.x + steps * flight.velocity.x, flight.start.y + steps * flight.velocity.y});
  spec.motion.velocity = at(flight.velocity);
  spec.time_to_live_ticks = flight.ticks - age;
  spec.despawn_outside_playfield = true;
  return spec;
}

}  // namespace

LoadScript::LoadScript(const tools::load::Scene& scene, Flying flying) : scene_(scene), clients_(kClients) {
  collision::ObjectId next_id = 1;
  for (std::size_t number = 0; number < kClients; ++number) {
    for (std::size_t i = number; i < scene_.actors.size(); i += kClients) {
      const Actor& actor = scene_.actors[i];
      const bool is_moved_by_server = flying == Flying::kByMotion && actor.is_ballistic;
      clients_[number].push_back({&actor, next_id, is_moved_by_server});
      next_id += is_moved_by_server ? static_cast<std::uint32_t>(actor.flights.size()) : 1;
    }
  }
}

match::MatchConfig LoadScript::config() const {
  match::MatchConfig config;
  config.layers = scene_.layers;
  for (const auto& [a, b] : scene_.collides) config.collides.push_back({scene_.layers[a], scene_.layers[b]});
  config.playfield = {0, 0, scene_.field.x, scene_.field.y};
  for (std::size_t number = 0; number < kClients; ++number) {
    match::ParticipantSlot slot;
    slot.name = "client " + std::to_string(number + 1);
    slot.first_id = clients_[number].front().first_id;
    slot.last_id = number + 1 < kClients ? clients_[number + 1].front().first_id - 1
                                         : slot.first_id + config.ids_per_participant;
    config.slots.push_back(std::move(slot));
  }
  return config;
}

match::Frame LoadScript::frame(std::size_t client, std::uint32_t tick, bool is_opening) const {
  match::Frame frame;
  for (const Seat& seat : clients_[client]) {
    if (is_opening) {
      add_opening(seat, frame);
    } else {
      add_tick(seat, tick, frame);
    }
  }
  return frame;
}

/// What is there after the loop's first tick.
void LoadScript::add_opening(const Seat& seat, match::Frame& frame) const {
  const Actor& actor = *seat.actor;
  if (!seat.is_moved_by_server) {
    frame.spawns.push_back(spec_of(actor, seat.first_id, at(actor.path[0])));
    return;
  }
  for (std::uint32_t i = 0; i < actor.flights.size(); ++i) {
    const Flight& flight = actor.flights[i];
    const std::uint32_t age = (scene_.ticks - flight.begin_tick) % scene_.ticks;
    if (age < flight.ticks) frame.spawns.push_back(spec_of(actor, seat.first_id + i, flight, age));
  }
}

void LoadScript::add_tick(const Seat& seat, std::uint32_t tick, match::Frame& frame) const {
  const Actor& actor = *seat.actor;
  if (!seat.is_moved_by_server) {
    frame.moves.push_back({seat.first_id, at(actor.path[tick])});
    return;
  }
  for (std::uint32_t i = 0; i < actor.flights.size(); ++i) {
    if (actor.flights[i].begin_tick != tick) continue;
    frame.spawns.push_back(spec_of(actor, seat.first_id + i, actor.flights[i], 0));
  }
}

LoadPlay::LoadPlay(const LoadScript& script)
    : script_(script),
      match_(std::move(match::Match::create(script.config()).value())),
      log_({.retained_ticks = match_->config().retained_ticks}) {
  for (const match::ParticipantSlot& slot : match_->config().slots) {
    const auto joined = match_->apply(match::Join{.name = slot.name, .role = slot.role});
    SWEEPD_ASSERT(joined);
  }
}

void LoadPlay::submit_tick() {
  const auto tick = static_cast<std::uint32_t>(match_->tick() % script_.scene().ticks);
  for (const match::Participant& participant : match_->participants()) {
    match_->apply(
        match::Submission{participant.number, script_.frame(participant.number, tick, match_->tick() == 0)});
  }
}

void LoadPlay::run_tick() {
  log_.append(match_->step());
  log_.trim(match_->tick());
}

}  // namespace sweepd::bench
