// SPDX-License-Identifier: MIT
#include "replay/change_codec.h"

#include <vector>

#include "replay/part_codec.h"

namespace sweepd::replay {
namespace {

using collision::Motion;
using collision::ObjectSpec;
using match::Frame;
using match::FrameChange;
using match::OfKind;
using match::Selection;
using Fault = std::optional<std::string>;

enum Trait : std::uint32_t { kLeaves = 1, kContinuous = 2, kSingleUse = 4 };

// Each kind of change, and what it has.

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
  encode_parts(spec.parts, *message.mutable_parts());
  if (!spec.motion.is_still()) encode(spec.motion, *message.mutable_motion());
  message.set_time_to_live_ticks(spec.time_to_live_ticks);
  message.set_traits((spec.despawn_outside_playfield ? kLeaves : 0u) | (spec.continuous ? kContinuous : 0u) |
                     (spec.single_use ? kSingleUse : 0u));
  message.set_hit_points(spec.hit_points);
  message.set_damage(spec.damage);
  message.set_kind(spec.kind);
  message.set_tag(spec.tag);
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
  spec.kind = message.kind();
  spec.tag = message.tag();
  if (message.traits() > (kLeaves | kContinuous | kSingleUse)) return "a spawn has traits that are not known";
  return decode_parts(message.parts(), spec.parts);
}

void encode(const match::Reshape& reshape, v1::Reshape& message) {
  message.set_object(reshape.object);
  encode_parts(reshape.parts, *message.mutable_parts());
}

Fault decode(const v1::Reshape& message, match::Reshape& reshape) {
  reshape.object = message.object();
  return decode_parts(message.parts(), reshape.parts);
}

void encode(const match::LayerChange& change, v1::LayerChange& message) {
  message.set_object(change.object);
  if (change.part) message.set_part(*change.part);
  message.set_layer(change.layer);
}

Fault decode(const v1::LayerChange& message, match::LayerChange& change) {
  const auto part = message.has_part() ? std::optional(message.part()) : std::nullopt;
  change = {message.object(), part, message.layer()};
  return std::nullopt;
}

void encode(const match::Move& teleport, v1::Place& message) {
  message.set_object(teleport.object);
  message.set_x(teleport.position.x);
  message.set_y(teleport.position.y);
}

Fault decode(const v1::Place& message, match::Move& teleport) {
  teleport = {message.object(), {message.x(), message.y()}};
  return std::nullopt;
}

void encode(const match::MotionChange& change, v1::MotionChange& message) {
  message.set_object(change.object);
  encode(change.motion, *message.mutable_motion());
}

Fault decode(const v1::MotionChange& message, match::MotionChange& change) {
  change = {message.object(), decode(message.motion())};
  return std::nullopt;
}

void encode(const Selection& selection, v1::Selection& message) {
  for (const std::uint32_t layer : selection.layers) message.add_layers(layer);
  if (selection.region) encode_box(*selection.region, *message.mutable_region());
}

Fault decode(const v1::Selection& message, Selection& selection) {
  selection.layers.assign(message.layers().begin(), message.layers().end());
  if (message.has_region()) selection.region = decode_box(message.region());
  return std::nullopt;
}

void encode(const match::Disable& disable, v1::Disable& message) {
  message.set_object(disable.object);
  message.set_until_tick(disable.until_tick);
}

Fault decode(const v1::Disable& message, match::Disable& disable) {
  disable = {message.object(), message.until_tick()};
  return std::nullopt;
}

void encode(match::ObjectId object, std::uint32_t& entry) { entry = object; }

Fault decode(std::uint32_t entry, match::ObjectId& object) {
  object = entry;
  return std::nullopt;
}

void encode(const match::Transfer& transfer, v1::Transfer& message) {
  message.mutable_objects()->Add(transfer.objects.begin(), transfer.objects.end());
  message.set_to(transfer.to);
  message.set_with_stage(transfer.with_stage);
}

Fault decode(const v1::Transfer& message, match::Transfer& transfer) {
  transfer.objects.assign(message.objects().begin(), message.objects().end());
  transfer.to = message.to();
  transfer.with_stage = message.with_stage();
  return std::nullopt;
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

Fault decode(const v1::Claim& message, match::HitClaim& claim) {
  claim = {.number = message.number(),
           .shot = message.shot(),
           .target = message.target(),
           .tick_seen = message.tick_seen(),
           .tolerance = message.tolerance()};
  if (message.has_shot_part()) claim.shot_part = message.shot_part();
  if (message.has_target_part()) claim.target_part = message.target_part();
  return std::nullopt;
}

void encode(const match::AppMessage& sent, v1::AppMessage& message) {
  message.set_to(static_cast<std::uint32_t>(sent.to));
  message.set_number(sent.number);
  message.set_content(sent.bytes);
}

Fault decode(const v1::AppMessage& message, match::AppMessage& sent) {
  if (message.to() > static_cast<std::uint32_t>(match::AppMessage::To::kRole))
    return "a message is for a receiver that cannot be";
  if (message.content().size() > match::AppMessage::kBytesMax) return "a message is too long";
  sent = {static_cast<match::AppMessage::To>(message.to()), message.number(), message.content()};
  return std::nullopt;
}

// Where a message has the changes of each kind.

auto& field(OfKind<FrameChange::kSpawn>, v1::Changes& all) { return *all.mutable_spawns(); }
auto& field(OfKind<FrameChange::kReshape>, v1::Changes& all) { return *all.mutable_reshapes(); }
auto& field(OfKind<FrameChange::kLayerChange>, v1::Changes& all) { return *all.mutable_layer_changes(); }
auto& field(OfKind<FrameChange::kTeleport>, v1::Changes& all) { return *all.mutable_teleports(); }
auto& field(OfKind<FrameChange::kMotion>, v1::Changes& all) { return *all.mutable_motions(); }
auto& field(OfKind<FrameChange::kFreeze>, v1::Changes& all) { return *all.mutable_freezes(); }
auto& field(OfKind<FrameChange::kRelease>, v1::Changes& all) { return *all.mutable_releases(); }
auto& field(OfKind<FrameChange::kDisable>, v1::Changes& all) { return *all.mutable_disables(); }
auto& field(OfKind<FrameChange::kEnable>, v1::Changes& all) { return *all.mutable_enables(); }
auto& field(OfKind<FrameChange::kTransfer>, v1::Changes& all) { return *all.mutable_transfers(); }
auto& field(OfKind<FrameChange::kDespawn>, v1::Changes& all) { return *all.mutable_despawns(); }
auto& field(OfKind<FrameChange::kMassDespawn>, v1::Changes& all) { return *all.mutable_mass_despawns(); }
auto& field(OfKind<FrameChange::kClaim>, v1::Changes& all) { return *all.mutable_claims(); }
auto& field(OfKind<FrameChange::kMessage>, v1::Changes& all) { return *all.mutable_messages(); }

template <typename Kind, typename Change>
void encode_list(Kind kind, const std::vector<Change>& list, v1::Changes& message) {
  for (const Change& change : list) encode(change, *field(kind, message).Add());
}

template <typename Kind, typename Change>
Fault decode_list(Kind kind, v1::Changes& message, std::vector<Change>& list) {
  for (const auto& entry : field(kind, message)) {
    if (Fault fault = decode(entry, list.emplace_back())) return fault;
  }
  return std::nullopt;
}

// Moves have columns of their own: see TickEncoder.
void encode_list(OfKind<FrameChange::kMove>, const std::vector<match::Move>&, v1::Changes&) {}
Fault decode_list(OfKind<FrameChange::kMove>, v1::Changes&, std::vector<match::Move>&) { return {}; }

using Scroll = std::optional<collision::Point>;

void encode_list(OfKind<FrameChange::kScroll>, const Scroll& scroll, v1::Changes& message) {
  if (scroll) encode(match::Move{0, *scroll}, *message.mutable_scroll());
}

Fault decode_list(OfKind<FrameChange::kScroll>, v1::Changes& message, Scroll& scroll) {
  if (message.has_scroll()) scroll = collision::Point{message.scroll().x(), message.scroll().y()};
  return std::nullopt;
}

}  // namespace

bool has_changes(const Frame& frame) { return match::count_changes(frame) > frame.moves.size(); }

void encode_changes(const Frame& frame, v1::Changes& message) {
  match::for_each_kind(frame, [&](auto kind, const auto& list) { encode_list(kind, list, message); });
}

std::optional<std::string> decode_changes(v1::Changes& message, Frame& frame) {
  Fault fault;
  match::for_each_kind(frame, [&](auto kind, auto& list) {
    if (!fault) fault = decode_list(kind, message, list);
  });
  return fault;
}

}  // namespace sweepd::replay
