// SPDX-License-Identifier: MIT
#include "rpc/config_codec.h"

#include "rpc/frame_codec.h"

namespace sweepd::rpc {
namespace {

using match::FieldError;
using match::MatchConfig;

FieldError unknown_enumerator(std::string field, int value) {
  return {std::move(field), std::to_string(value) + " is no value of this enumeration"};
}

std::optional<FieldError> decode_clock(const v1::MatchConfig& message, MatchConfig& config) {
  switch (message.clock()) {
    case v1::CLOCK_KIND_UNSPECIFIED:
    case v1::CLOCK_KIND_REALTIME: config.clock = match::ClockKind::kRealtime; return std::nullopt;
    case v1::CLOCK_KIND_MANUAL: config.clock = match::ClockKind::kManual; return std::nullopt;
    default: return unknown_enumerator("clock", message.clock());
  }
}

std::optional<FieldError> decode_late_frames(const v1::MatchConfig& message, MatchConfig& config) {
  switch (message.late_frames()) {
    case v1::LATE_FRAME_POLICY_UNSPECIFIED:
    case v1::LATE_FRAME_POLICY_APPLY_NEXT: config.late_frames = match::LateFramePolicy::kApplyNext; return std::nullopt;
    case v1::LATE_FRAME_POLICY_DROP: config.late_frames = match::LateFramePolicy::kDrop; return std::nullopt;
    default: return unknown_enumerator("late_frames", message.late_frames());
  }
}

std::optional<FieldError> decode_broadphase(const v1::MatchConfig& message, MatchConfig& config) {
  using collision::BroadphaseKind;
  switch (message.broadphase()) {
    case v1::BROADPHASE_KIND_UNSPECIFIED:
    case v1::BROADPHASE_KIND_SWEEP_AND_PRUNE: config.broadphase = BroadphaseKind::kSweepAndPrune; return std::nullopt;
    case v1::BROADPHASE_KIND_BRUTE_FORCE: config.broadphase = BroadphaseKind::kBruteForce; return std::nullopt;
    default: return unknown_enumerator("broadphase", message.broadphase());
  }
}

std::optional<FieldError> decode_slots(const v1::MatchConfig& message, MatchConfig& config) {
  for (int i = 0; i < message.slots_size(); ++i) {
    const v1::ParticipantSlot& slot = message.slots(i);
    const auto role = decode_role(slot.role());
    const std::string field = "slots[" + std::to_string(i) + "].role";
    if (!role) return FieldError{field, "has to be PLAYER, STAGE or OBSERVER"};
    config.slots.push_back({slot.name(), *role, slot.first_id(), slot.last_id()});
  }
  return std::nullopt;
}

void decode_numbers(const v1::MatchConfig& message, MatchConfig& config) {
  if (message.tick_rate_hz() != 0) config.tick_rate_hz = message.tick_rate_hz();
  if (message.has_max_lead_ticks()) config.max_lead_ticks = message.max_lead_ticks();
  if (message.has_max_late_ticks()) config.max_late_ticks = message.max_late_ticks();
  if (message.has_playfield()) config.playfield = decode_box(message.playfield());
  config.start_after_participants = message.start_after_participants();
  if (message.ids_per_participant() != 0) config.ids_per_participant = message.ids_per_participant();
  if (message.objects_per_participant_max() != 0) {
    config.objects_per_participant_max = message.objects_per_participant_max();
  }
  if (message.heartbeat_ticks() != 0) config.heartbeat_ticks = message.heartbeat_ticks();
}

}  // namespace

base::Result<MatchConfig, FieldError> decode_config(const v1::MatchConfig& message) {
  MatchConfig config;
  config.name = message.name();
  config.layers.assign(message.layers().begin(), message.layers().end());
  for (const auto& pair : message.collides()) config.collides.emplace_back(pair.layer_a(), pair.layer_b());
  decode_numbers(message, config);
  for (const auto decode : {decode_clock, decode_late_frames, decode_broadphase, decode_slots}) {
    if (auto error = decode(message, config)) return *std::move(error);
  }
  return config;
}

void encode_config(const MatchConfig& config, v1::MatchConfig* message) {
  message->set_name(config.name);
  for (const std::string& layer : config.layers) message->add_layers(layer);
  for (const auto& [layer_a, layer_b] : config.collides) {
    auto* pair = message->add_collides();
    pair->set_layer_a(layer_a);
    pair->set_layer_b(layer_b);
  }
  message->set_clock(config.clock == match::ClockKind::kManual ? v1::CLOCK_KIND_MANUAL : v1::CLOCK_KIND_REALTIME);
  message->set_tick_rate_hz(config.tick_rate_hz);
  message->set_late_frames(config.late_frames == match::LateFramePolicy::kDrop ? v1::LATE_FRAME_POLICY_DROP
                                                                              : v1::LATE_FRAME_POLICY_APPLY_NEXT);
  message->set_max_lead_ticks(config.max_lead_ticks);
  message->set_max_late_ticks(config.max_late_ticks);
  encode_box(config.playfield, message->mutable_playfield());
  message->set_start_after_participants(config.start_after_participants);
  for (const match::ParticipantSlot& slot : config.slots) {
    auto* encoded = message->add_slots();
    encoded->set_name(slot.name);
    encoded->set_role(encode_role(slot.role));
    encoded->set_first_id(slot.first_id);
    encoded->set_last_id(slot.last_id);
  }
  message->set_ids_per_participant(config.ids_per_participant);
  message->set_objects_per_participant_max(config.objects_per_participant_max);
  message->set_heartbeat_ticks(config.heartbeat_ticks);
  message->set_broadphase(config.broadphase == collision::BroadphaseKind::kBruteForce
                              ? v1::BROADPHASE_KIND_BRUTE_FORCE
                              : v1::BROADPHASE_KIND_SWEEP_AND_PRUNE);
}

std::optional<match::Role> decode_role(v1::Role role) {
  switch (role) {
    case v1::ROLE_PLAYER: return match::Role::kPlayer;
    case v1::ROLE_STAGE: return match::Role::kStage;
    case v1::ROLE_OBSERVER: return match::Role::kObserver;
    default: return std::nullopt;
  }
}

v1::Role encode_role(match::Role role) {
  switch (role) {
    case match::Role::kPlayer: return v1::ROLE_PLAYER;
    case match::Role::kStage: return v1::ROLE_STAGE;
    case match::Role::kObserver: return v1::ROLE_OBSERVER;
  }
  return v1::ROLE_UNSPECIFIED;
}

}  // namespace sweepd::rpc
