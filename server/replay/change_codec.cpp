// SPDX-License-Identifier: MIT
#include "replay/change_codec.h"

#include <limits>
#include <utility>
#include <vector>

#include "collision/shapes/shape_check.h"
#include "replay/rules_codec.h"

namespace sweepd::replay {
namespace {

using replay::decode;  // Of boxes; the overloads here would hide them.
using replay::encode;

using collision::Motion;
using collision::ObjectSpec;
using collision::Part;
using collision::Point;
using match::Frame;
using match::Selection;
using Fault = std::optional<std::string>;

enum Trait : std::uint32_t { kLeaves = 1, kContinuous = 2, kSingleUse = 4 };

using Parts = google::protobuf::RepeatedPtrField<v1::Part>;
using Selections = google::protobuf::RepeatedPtrField<v1::Selection>;

void encode(const std::vector<Part>& parts, Parts& messages) {
  for (const Part& part : parts) {
    v1::Part& message = *messages.Add();
    encode(part.box, *message.mutable_box());
    message.set_layer(part.layer);
    message.set_kind(static_cast<std::uint32_t>(part.kind));
    message.set_is_rising(part.is_rising);
    message.set_mask(part.mask);
    message.set_radius(part.radius);
  }
}

/// A circle is square and a capsule has room for its radius: their makers see to that, and the world counts
/// on it. Inverted boxes and negative radiuses are what frames may hold and the match refuses.
Fault decode(const v1::Part& message, Part& part) {
  constexpr std::uint32_t kByteMax = std::numeric_limits<std::uint8_t>::max();
  if (message.layer() > kByteMax) return "a part's layer is " + std::to_string(message.layer());
  if (message.mask() > kByteMax) return "a part's mask is " + std::to_string(message.mask());
  if (message.kind() > static_cast<std::uint32_t>(collision::ShapeKind::kMask)) {
    return "a part's kind is " + std::to_string(message.kind());
  }
  part = {.box = decode(message.box()),
          .layer = static_cast<collision::LayerId>(message.layer()),
          .kind = static_cast<collision::ShapeKind>(message.kind()),
          .is_rising = message.is_rising(),
          .mask = static_cast<collision::MaskId>(message.mask()),
          .radius = message.radius()};
  if (part.kind == collision::ShapeKind::kMask) return std::nullopt;
  const collision::ShapeError error = collision::check_shape(part, {});
  if (error == collision::ShapeError::kNotACircle) return "a circle's box is none of a circle";
  if (error == collision::ShapeError::kNotACapsule) return "a capsule's box is none of a capsule";
  return std::nullopt;
}

Fault decode(const Parts& messages, std::vector<Part>& parts) {
  parts.resize(static_cast<std::size_t>(messages.size()));
  for (int i = 0; i < messages.size(); ++i) {
    if (Fault fault = decode(messages[i], parts[static_cast<std::size_t>(i)])) return fault;
  }
  return std::nullopt;
}

void encode(const Motion& motion, v1::Motion& message) {
  message.set_velocity_x(motion.velocity.x);
  message.set_velocity_y(motion.velocity.y);
  message.set_acceleration_x(motion.acceleration.x);
  message.set_acceleration_y(motion.acceleration.y);
}

Motion decode(const v1::Motion& message) {
  return {{message.velocity_x(), message.velocity_y()}, {message.acceleration_x(), message.acceleration_y()}};
}

void encode(const ObjectSpec& spec, v1::Spawn& message) {
  message.set_object(spec.id);
  message.set_x(spec.position.x);
  message.set_y(spec.position.y);
  encode(spec.parts, *message.mutable_parts());
  if (!spec.motion.is_still()) encode(spec.motion, *message.mutable_motion());
  message.set_time_to_live_ticks(spec.time_to_live_ticks);
  message.set_traits((spec.despawn_outside_playfield ? kLeaves : 0u) | (spec.continuous ? kContinuous : 0u) |
                     (spec.single_use ? kSingleUse : 0u));
  message.set_hit_points(spec.hit_points);
  message.set_damage(spec.damage);
}

Fault decode(const v1::Spawn& message, ObjectSpec& spec) {
  spec.id = message.object();
  spec.position = {message.x(), message.y()};
  spec.motion = decode(message.motion());
  spec.time_to_live_ticks = message.time_to_live_ticks();
  spec.despawn_outside_playfield = (message.traits() & kLeaves) != 0;
  spec.continuous = (message.traits() & kContinuous) != 0;
  spec.single_use = (message.traits() & kSingleUse) != 0;
  spec.hit_points = message.hit_points();
  spec.damage = message.damage();
  if (message.traits() > (kLeaves | kContinuous | kSingleUse)) return "a spawn has traits that are not known";
  return decode(message.parts(), spec.parts);
}

void encode(const std::vector<Selection>& selections, Selections& messages) {
  for (const Selection& selection : selections) {
    v1::Selection& message = *messages.Add();
    for (const std::uint32_t layer : selection.layers) message.add_layers(layer);
    if (selection.region) encode(*selection.region, *message.mutable_region());
  }
}

void decode(const Selections& messages, std::vector<Selection>& selections) {
  for (const v1::Selection& message : messages) {
    Selection& selection = selections.emplace_back();
    selection.layers.assign(message.layers().begin(), message.layers().end());
    if (message.has_region()) selection.region = decode(message.region());
  }
}

void encode(const match::HitClaim& claim, v1::Claim& message) {
  message.set_number(claim.number);
  message.set_shot(claim.shot);
  message.set_target(claim.target);
  if (claim.shot_part) message.set_shot_part(*claim.shot_part);
  if (claim.target_part) message.set_target_part(*claim.target_part);
  message.set_tick_seen(claim.tick_seen);
  message.set_tolerance(claim.tolerance);
}

match::HitClaim decode(const v1::Claim& message) {
  match::HitClaim claim{.number = message.number(),
                        .shot = message.shot(),
                        .target = message.target(),
                        .tick_seen = message.tick_seen(),
                        .tolerance = message.tolerance()};
  if (message.has_shot_part()) claim.shot_part = message.shot_part();
  if (message.has_target_part()) claim.target_part = message.target_part();
  return claim;
}

void encode_objects(const Frame& frame, v1::Changes& message) {
  for (const ObjectSpec& spec : frame.spawns) encode(spec, *message.add_spawns());
  for (const match::Reshape& reshape : frame.reshapes) {
    v1::Reshape& entry = *message.add_reshapes();
    entry.set_object(reshape.object);
    encode(reshape.parts, *entry.mutable_parts());
  }
  for (const match::LayerChange& change : frame.layer_changes) {
    v1::LayerChange& entry = *message.add_layer_changes();
    entry.set_object(change.object);
    if (change.part) entry.set_part(*change.part);
    entry.set_layer(change.layer);
  }
  for (const match::Move& teleport : frame.teleports) {
    v1::Place& entry = *message.add_teleports();
    entry.set_object(teleport.object);
    entry.set_x(teleport.position.x);
    entry.set_y(teleport.position.y);
  }
  for (const match::MotionChange& change : frame.motions) {
    v1::MotionChange& entry = *message.add_motions();
    entry.set_object(change.object);
    encode(change.motion, *entry.mutable_motion());
  }
}

Fault decode_objects(const v1::Changes& message, Frame& frame) {
  for (const v1::Spawn& spawn : message.spawns()) {
    if (Fault fault = decode(spawn, frame.spawns.emplace_back())) return fault;
  }
  for (const v1::Reshape& reshape : message.reshapes()) {
    match::Reshape& entry = frame.reshapes.emplace_back();
    entry.object = reshape.object();
    if (Fault fault = decode(reshape.parts(), entry.parts)) return fault;
  }
  for (const v1::LayerChange& change : message.layer_changes()) {
    const auto part = change.has_part() ? std::optional(change.part()) : std::nullopt;
    frame.layer_changes.push_back({change.object(), part, change.layer()});
  }
  for (const v1::Place& place : message.teleports()) {
    frame.teleports.push_back({place.object(), {place.x(), place.y()}});
  }
  for (const v1::MotionChange& change : message.motions()) {
    frame.motions.push_back({change.object(), decode(change.motion())});
  }
  return std::nullopt;
}

void encode_commands(const Frame& frame, v1::Changes& message) {
  encode(frame.freezes, *message.mutable_freezes());
  encode(frame.releases, *message.mutable_releases());
  for (const match::Disable& disable : frame.disables) {
    v1::Disable& entry = *message.add_disables();
    entry.set_object(disable.object);
    entry.set_until_tick(disable.until_tick);
  }
  message.mutable_enables()->Add(frame.enables.begin(), frame.enables.end());
  for (const match::Transfer& transfer : frame.transfers) {
    v1::Transfer& entry = *message.add_transfers();
    entry.mutable_objects()->Add(transfer.objects.begin(), transfer.objects.end());
    entry.set_to(transfer.to);
    entry.set_with_stage(transfer.with_stage);
  }
  message.mutable_despawns()->Add(frame.despawns.begin(), frame.despawns.end());
  encode(frame.mass_despawns, *message.mutable_mass_despawns());
  if (frame.scroll) {
    message.mutable_scroll()->set_x(frame.scroll->x);
    message.mutable_scroll()->set_y(frame.scroll->y);
  }
  for (const match::HitClaim& claim : frame.claims) encode(claim, *message.add_claims());
}

void decode_commands(const v1::Changes& message, Frame& frame) {
  decode(message.freezes(), frame.freezes);
  decode(message.releases(), frame.releases);
  for (const v1::Disable& disable : message.disables()) {
    frame.disables.push_back({disable.object(), disable.until_tick()});
  }
  frame.enables.assign(message.enables().begin(), message.enables().end());
  for (const v1::Transfer& transfer : message.transfers()) {
    match::Transfer& entry = frame.transfers.emplace_back();
    entry.objects.assign(transfer.objects().begin(), transfer.objects().end());
    entry.to = transfer.to();
    entry.with_stage = transfer.with_stage();
  }
  frame.despawns.assign(message.despawns().begin(), message.despawns().end());
  decode(message.mass_despawns(), frame.mass_despawns);
  if (message.has_scroll()) frame.scroll = Point{message.scroll().x(), message.scroll().y()};
  for (const v1::Claim& claim : message.claims()) frame.claims.push_back(decode(claim));
}

}  // namespace

bool has_changes(const Frame& frame) {
  return !frame.spawns.empty() || !frame.reshapes.empty() || !frame.layer_changes.empty() ||
         !frame.teleports.empty() || !frame.motions.empty() || !frame.freezes.empty() ||
         !frame.releases.empty() || !frame.disables.empty() || !frame.enables.empty() ||
         !frame.transfers.empty() || !frame.despawns.empty() || !frame.mass_despawns.empty() ||
         frame.scroll.has_value() || !frame.claims.empty();
}

void encode_changes(const Frame& frame, v1::Changes& message) {
  encode_objects(frame, message);
  encode_commands(frame, message);
}

std::optional<std::string> decode_changes(const v1::Changes& message, Frame& frame) {
  if (Fault fault = decode_objects(message, frame)) return fault;
  decode_commands(message, frame);
  return std::nullopt;
}

}  // namespace sweepd::replay
