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

void set_motion(v1::Spawn& spawn, const Point& velocity) {
  spawn.mutable_motion()->set_velocity_x(velocity.x);
  spawn.mutable_motion()->set_velocity_y(velocity.y);
}

void add_motion(v1::Frame& frame, std::uint32_t id, const Point& velocity) {
  v1::MotionChange& change = *frame.add_motions();
  change.set_object_id(id);
  change.mutable_motion()->set_velocity_x(velocity.x);
  change.mutable_motion()->set_velocity_y(velocity.y);
}

/// `age`: for how many ticks it has been flying already.
void add_flight(v1::Frame& frame, std::uint32_t id, const Actor& actor, const Flight& flight,
                std::uint32_t age) {
  const auto steps = static_cast<std::int32_t>(age);
  const Point at{flight.start.x + steps * flight.velocity.x, flight.start.y + steps * flight.velocity.y};
  v1::Spawn* spawn = add_spawn(frame, id, at, actor);
  set_motion(*spawn, flight.velocity);
  spawn->set_time_to_live_ticks(flight.ticks - age);
  spawn->set_despawn_outside_playfield(true);
}

}  // namespace

std::string to_string(MotionKind motion) {
  switch (motion) {
    case MotionKind::kExplicit:
      return "explicit";
    case MotionKind::kServer:
      return "server";
    case MotionKind::kServerButPlayers:
      break;
  }
  return "all";
}

std::string title_of(MotionKind motion) {
  switch (motion) {
    case MotionKind::kExplicit:
      return "explicit moves";
    case MotionKind::kServer:
      return "server motion";
    case MotionKind::kServerButPlayers:
      break;
  }
  return "server motion of all but players";
}

FrameLoop::FrameLoop(const Share& share) : scene_(*share.scene), seats_(seats_of(share)) {
  probe_ = ProbePath(share.probe,
                     seats_.empty() ? share.first_id : seats_.back().first_id + ids_of(seats_.back()));
  for (std::uint32_t tick = 0; tick < scene_.ticks; ++tick) encode(tick);
}

std::vector<FrameLoop::Seat> FrameLoop::seats_of(const Share& share) {
  std::vector<Seat> seats;
  std::uint32_t next_id = share.first_id;
  const bool is_all = share.motion == MotionKind::kServerButPlayers;
  for (const Actor* actor : share.actors) {
    const bool flies =
        is_all ? !actor->flights.empty() : share.motion == MotionKind::kServer && actor->is_ballistic;
    const bool turns = is_all && !flies && actor->layer != kPlayerLayer;
    seats.push_back({actor, next_id, flies, turns});
    next_id += ids_of(seats.back());
  }
  return seats;
}

std::uint32_t FrameLoop::ids_of(const Seat& seat) {
  return seat.flies ? static_cast<std::uint32_t>(seat.actor->flights.size()) : 1;
}

/// By which it gets from where it was to where it is at the end of the tick.
Point FrameLoop::Seat::velocity_in(std::uint32_t tick) const {
  const std::vector<Point>& path = actor->path;
  const Point& from = path[(tick + path.size() - 1) % path.size()];
  return {path[tick].x - from.x, path[tick].y - from.y};
}

void FrameLoop::encode(std::uint32_t tick) {
  const std::uint32_t before = (tick + scene_.ticks - 1) % scene_.ticks;
  v1::Frame frame;
  MoveRows rows(frame);
  for (const Seat& seat : seats_) {
    const Actor& actor = *seat.actor;
    if (seat.turns) {
      const Point velocity = seat.velocity_in(tick);
      if (velocity != seat.velocity_in(before)) add_motion(frame, seat.first_id, velocity);
      continue;
    }
    if (!seat.flies) {
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
    if (seat.turns) {
      const Point velocity = seat.velocity_in(tick);
      const Point from{actor.path[tick].x - velocity.x, actor.path[tick].y - velocity.y};
      set_motion(*add_spawn(frame, seat.first_id, from, actor), velocity);
      continue;
    }
    if (!seat.flies) {
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
    if (seat.flies) continue;
    const Point& at = seat.actor->path[tick];
    if (!seat.turns) {
      add_absolute_move(frame, seat.first_id, at);
      continue;
    }
    const Point velocity = seat.velocity_in(tick);
    add_absolute_move(frame, seat.first_id, {at.x - velocity.x, at.y - velocity.y});
    add_motion(frame, seat.first_id, velocity);
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
