// SPDX-License-Identifier: MIT
#include "app/sweepctl/load/frame_loop.h"

#include <sweepd/v1/match_service.pb.h>

namespace sweepd::app::load {
namespace {

constexpr std::int32_t kProbePixels = 8;
constexpr std::uint8_t kFrameTag = 0x12;            // PlayRequest.frame, with a length.
constexpr std::uint8_t kAcknowledgementTag = 0x10;  // Frame.acknowledged_tick, a varint.

void append_varint(std::uint64_t value, std::string& bytes) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
  bytes.push_back(static_cast<char>(value));
}

/// The PlayRequest of a frame, all but the acknowledgement that its length counts already.
std::string play_request(const v1::Frame& frame) {
  const std::string body = frame.SerializeAsString();
  std::string bytes(1, static_cast<char>(kFrameTag));
  append_varint(body.size() + kAcknowledgementBytes, bytes);
  return bytes + body;
}

std::string whole_request(const v1::Frame& frame) {
  char acknowledgement[kAcknowledgementBytes];
  write_acknowledgement(0, acknowledgement);
  return play_request(frame).append(acknowledgement, kAcknowledgementBytes);
}

/// Rows of MoveColumns, with ids given as differences.
class MoveRows {
 public:
  explicit MoveRows(v1::Frame& frame) : columns_(*frame.mutable_moves()) {}

  void add(std::uint32_t id, const Point& from, const Point& to) {
    columns_.add_id_delta(std::int64_t{id} - last_id_);
    columns_.add_dx(to.x - from.x);
    columns_.add_dy(to.y - from.y);
    last_id_ = id;
  }

 private:
  v1::MoveColumns& columns_;
  std::int64_t last_id_ = 0;
};

v1::Spawn* add_spawn(v1::Frame& frame, std::uint32_t id, const Point& at) {
  v1::Spawn* spawn = frame.add_spawns();
  spawn->set_object_id(id);
  spawn->set_x(at.x);
  spawn->set_y(at.y);
  return spawn;
}

void add_part(const PartBox& box, std::uint32_t layer, v1::Spawn& spawn) {
  v1::Part* part = spawn.add_parts();
  part->mutable_box()->set_min_x(box.min_x);
  part->mutable_box()->set_min_y(box.min_y);
  part->mutable_box()->set_max_x(box.max_x);
  part->mutable_box()->set_max_y(box.max_y);
  part->set_layer(layer);
}

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

void write_acknowledgement(std::uint64_t tick, char (&bytes)[kAcknowledgementBytes]) {
  bytes[0] = static_cast<char>(kAcknowledgementTag);
  // A varint may be longer than it needs to be: so the frame's length does not depend on the tick.
  for (std::size_t i = 1; i < kAcknowledgementBytes; ++i, tick >>= 7) {
    const bool is_last = i + 1 == kAcknowledgementBytes;
    bytes[i] = static_cast<char>((tick & 0x7F) | (is_last ? 0 : 0x80));
  }
}

FrameLoop::FrameLoop(const Share& share) : share_(share), next_id_(share.first_id) {
  for (const Actor* actor : share_.actors) {
    const bool is_moved_by_server = share_.motion == MotionKind::kServer && actor->is_ballistic;
    seats_.push_back({actor, next_id_, is_moved_by_server});
    next_id_ += is_moved_by_server ? static_cast<std::uint32_t>(actor->flights.size()) : 1;
  }
  if (share_.probe_ticks > 0) {
    probe_ = {next_id_, next_id_ + 1};
    next_id_ += 2;
  }
  for (std::uint32_t tick = 0; tick < share_.scene->ticks; ++tick) frames_.push_back(encode(tick));
}

bool FrameLoop::in_contact_after(std::uint32_t tick) const {
  if (share_.probe_ticks == 0) return false;
  return (tick + share_.probe_ticks - share_.probe_phase) / share_.probe_ticks % 2 == 1;
}

// Beyond the playfield's upper left corner, each client's on a place of its own.
Point FrameLoop::partner_position() const {
  const auto pixel = static_cast<std::int32_t>(share_.subunits_per_pixel);
  const auto number = static_cast<std::int32_t>(share_.number);
  return {-100 * pixel, -(100 + 10 * kProbePixels * number) * pixel};
}

Point FrameLoop::probe_position(std::uint32_t tick) const {
  const auto pixel = static_cast<std::int32_t>(share_.subunits_per_pixel);
  const Point partner = partner_position();
  return in_contact_after(tick) ? partner : Point{partner.x - 2 * kProbePixels * pixel, partner.y};
}

FrameLoop::Encoded FrameLoop::encode(std::uint32_t tick) const {
  const std::uint32_t before = (tick + share_.scene->ticks - 1) % share_.scene->ticks;
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
  const bool probes = share_.probe_ticks > 0 && in_contact_after(before) != in_contact_after(tick);
  if (probes) rows.add(probe_.mover, probe_position(before), probe_position(tick));
  return {play_request(frame), probes};
}

void FrameLoop::add_probes(std::uint32_t tick, v1::Frame& frame) const {
  const std::int32_t side = kProbePixels * static_cast<std::int32_t>(share_.subunits_per_pixel);
  add_part({0, 0, side, side}, share_.probe_layer, *add_spawn(frame, probe_.mover, probe_position(tick)));
  add_part({0, 0, side, side}, share_.probe_layer, *add_spawn(frame, probe_.partner, partner_position()));
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
      const std::uint32_t age = (tick + share_.scene->ticks - flight.begin_tick) % share_.scene->ticks;
      if (age < flight.ticks) add_flight(frame, seat.first_id + i, actor, flight, age);
    }
  }
  if (share_.probe_ticks > 0) add_probes(tick, frame);
  return whole_request(frame);
}

std::string FrameLoop::restart(std::uint32_t tick) const {
  v1::Frame frame;
  v1::AbsoluteMoveColumns& moves = *frame.mutable_absolute_moves();
  const auto add = [&moves](std::uint32_t id, const Point& at) {
    moves.add_object_id(id);
    moves.add_x(at.x);
    moves.add_y(at.y);
  };
  for (const Seat& seat : seats_) {
    if (!seat.is_moved_by_server) add(seat.first_id, seat.actor->path[tick]);
  }
  if (share_.probe_ticks > 0) add(probe_.mover, probe_position(tick));
  return whole_request(frame);
}

std::vector<FrameLoop> make_loops(const Scene& scene, MotionKind motion, std::uint32_t clients,
                                  std::uint32_t subunits_per_pixel) {
  std::vector<FrameLoop> loops;
  loops.reserve(clients);
  FrameLoop::Share share;
  share.scene = &scene;
  share.motion = motion;
  share.probe_ticks = kProbeTicks;
  share.probe_layer = static_cast<std::uint32_t>(scene.layers.size());
  share.subunits_per_pixel = subunits_per_pixel;
  for (share.number = 0; share.number < clients; ++share.number) {
    share.actors.clear();
    for (std::size_t i = share.number; i < scene.actors.size(); i += clients) {
      share.actors.push_back(&scene.actors[i]);
    }
    share.probe_phase = share.number * kProbeTicks / clients;
    loops.emplace_back(share);
    share.first_id = loops.back().last_id() + 1;
  }
  return loops;
}

}  // namespace sweepd::app::load
