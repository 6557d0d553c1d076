// SPDX-License-Identifier: MIT
#include "tools/load/frame_loop.h"

#include "tools/load/frame_bytes.h"

namespace sweepd::tools::load {
namespace {

v1::Spawn* add_spawn(v1::Frame& frame, std::uint32_t id, const Point& at, const Actor& actor) {
  v1::Spawn* spawn = add_spawn(frame, id, at);
  for (const PartBox& box : actor.parts) add_part(box, actor.layer, *spawn);
  return spawn;
}

/// `age`: for how many ticks it has been flying already.
void add_flight(v1::Frame& frame, std::uint32_t id, const Actor& actor, const Flight& flight,
                std::uint32_t age) {
  const auto steps = static_cast<std::int32_t>(age);
  const Point at{flight.start.x + steps * flight.velocity.x, flight.start.y + steps * flight.velocity.y};
  v1::Spawn* spawn = add_spawn(frame, id, at, actor);
  spawn->mutable_motion()->set_velocity_x(flight.velocity.x);
  spawn->mutable_motion()->set_velocity_y(flight.velocity.y);
  spawn->set_time_to_live_ticks(flight.ticks - age);
  spawn->set_despawn_outside_playfield(true);
}

}  // namespace

FrameLoop::FrameLoop(const Share& share) : scene_(*share.scene), seats_(seats_of(share)) {
  probe_ = ProbePath(share.probe,
                     seats_.empty() ? share.first_id : seats_.back().first_id + ids_of(seats_.back()));
  for (std::uint32_t tick = 0; tick < scene_.ticks; ++tick) encode(tick);
}

std::vector<FrameLoop::Seat> FrameLoop::seats_of(const Share& share) {
  std::vector<Seat> seats;
  std::uint32_t next_id = share.first_id;
  for (const Actor* actor : share.actors) {
    seats.push_back({actor, next_id, share.motion == MotionKind::kServer && actor->is_ballistic});
    next_id += ids_of(seats.back());
  }
  return seats;
}

std::uint32_t FrameLoop::ids_of(const Seat& seat) {
  return seat.is_moved_by_server ? static_cast<std::uint32_t>(seat.actor->flights.size()) : 1;
}

void FrameLoop::encode(std::uint32_t tick) {
  const std::uint32_t before = (tick + scene_.ticks - 1) % scene_.ticks;
  v1::Frame frame;
  MoveRows rows(frame);
  for (const Seat& seat : seats_) {
    const Actor& actor = *seat.actor;
    if (!seat.is_moved_by_server) {
      rows.add(seat.first_id, actor.path[before], actor.path[tick]);
      continue;
    }
    for (std::uint32_t i = 0; i < actor.flights.size(); ++i) {
      if (actor.flights[i].begin_tick == tick)
        add_flight(frame, seat.first_id + i, actor, actor.flights[i], 0);
    }
  }
  add_frame(before, frame, rows);
}

std::string FrameLoop::opening(std::uint32_t tick) const {
  v1::Frame frame;
  for (const Seat& seat : seats_) {
    const Actor& actor = *seat.actor;
    if (!seat.is_moved_by_server) {
      add_spawn(frame, seat.first_id, actor.path[tick], actor);
      continue;
    }
    for (std::uint32_t i = 0; i < actor.flights.size(); ++i) {
      const Flight& flight = actor.flights[i];
      const std::uint32_t age = (tick + scene_.ticks - flight.begin_tick) % scene_.ticks;
      if (age < flight.ticks) add_flight(frame, seat.first_id + i, actor, flight, age);
    }
  }
  probe_.spawn(tick, frame);
  return whole_request(frame);
}

std::string FrameLoop::restart(std::uint32_t tick) const {
  v1::Frame frame;
  for (const Seat& seat : seats_) {
    if (!seat.is_moved_by_server) add_absolute_move(frame, seat.first_id, seat.actor->path[tick]);
  }
  return restarted(tick, frame);
}

std::vector<FrameLoop> make_loops(const Scene& scene, MotionKind motion, std::uint32_t clients,
                                  std::uint32_t subunits_per_pixel) {
  std::vector<FrameLoop> loops;
  loops.reserve(clients);
  FrameLoop::Share share;
  share.scene = &scene;
  share.motion = motion;
  share.probe = {0, clients, static_cast<std::uint32_t>(scene.layers.size()), subunits_per_pixel};
  for (std::uint32_t number = 0; number < clients; ++number) {
    share.actors.clear();
    for (std::size_t i = number; i < scene.actors.size(); i += clients) {
      share.actors.push_back(&scene.actors[i]);
    }
    share.probe.number = number;
    loops.emplace_back(share);
    share.first_id = loops.back().last_id() + 1;
  }
  return loops;
}

}  // namespace sweepd::tools::load
