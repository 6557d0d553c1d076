// SPDX-License-Identifier: MIT
#include "replay/config_codec.h"

#include <initializer_list>
#include <optional>
#include <utility>

#include "replay/rules_codec.h"
#include "sweepd/replay/v1/config.pb.h"

namespace sweepd::replay {
namespace {

using match::FieldError;
using match::MatchConfig;

void encode_world(const MatchConfig& config, v1::Config& message) {
  message.set_name(config.name);
  for (const std::string& layer : config.layers) message.add_layers(layer);
  for (const match::CollidingLayers& pair : config.collides) encode(pair, *message.add_collides());
  encode(config.playfield, *message.mutable_playfield());
  message.set_broadphase(static_cast<std::uint32_t>(config.broadphase));
  message.set_sector_scheme(static_cast<std::uint32_t>(config.sector_grid.scheme));
  message.set_sector_size(config.sector_grid.sector_size);
  for (const match::MaskConfig& mask : config.masks) encode(mask, *message.add_masks());
}

void encode_time(const MatchConfig& config, v1::Config& message) {
  message.set_clock(static_cast<std::uint32_t>(config.clock));
  message.set_tick_rate_hz(config.tick_rate_hz);
  message.set_late_frames(static_cast<std::uint32_t>(config.late_frames));
  message.set_max_lead_ticks(config.max_lead_ticks);
  message.set_max_late_ticks(config.max_late_ticks);
  message.set_heartbeat_ticks(config.heartbeat_ticks);
  message.set_history_ticks(config.history_ticks);
  message.set_reconnect_ticks(config.reconnect_ticks);
  message.set_retained_ticks(config.retained_ticks);
  message.set_deadline_ms(config.lockstep.deadline_ms);
  encode(config.lockstep.required_roles, *message.mutable_required_roles());
  encode(config.clock_control_roles, *message.mutable_clock_control_roles());
}

void encode_rules(const MatchConfig& config, v1::Config& message) {
  message.set_start_after_participants(config.start_after_participants);
  for (const match::ParticipantSlot& slot : config.slots) encode(slot, *message.add_slots());
  message.set_ids_per_participant(config.ids_per_participant);
  message.set_objects_per_participant_max(config.objects_per_participant_max);
  encode(config.claims, *message.mutable_claims());
  message.set_stage_handover(static_cast<std::uint32_t>(config.stage_handover));
  for (const std::string& layer : config.clearable_layers) message.add_clearable_layers(layer);
  for (const match::ScoringRule& rule : config.scoring) encode(rule, *message.add_scoring());
  message.set_ruleset_name(config.ruleset.name);
  message.set_ruleset_version(config.ruleset.version);
  message.set_seed(config.seed);
  for (const match::RoleLimits& limits : config.limits) encode(limits, *message.add_limits());
  for (const match::LayerLimits& limits : config.layer_limits) encode(limits, *message.add_layer_limits());
}

void decode_world(const v1::Config& message, KindReader& kinds, MatchConfig& config) {
  config.name = message.name();
  config.layers.assign(message.layers().begin(), message.layers().end());
  for (const v1::CollidingLayers& pair : message.collides()) config.collides.push_back(decode(pair));
  config.playfield = decode(message.playfield());
  config.broadphase = kinds.read<collision::BroadphaseKind>("broadphase", message.broadphase(), {0, 3});
  config.sector_grid.scheme =
      kinds.read<match::SectorScheme>("sector_scheme", message.sector_scheme(), {1, 4});
  config.sector_grid.sector_size = message.sector_size();
  for (const v1::Mask& mask : message.masks()) config.masks.push_back(decode(mask));
}

void decode_time(const v1::Config& message, KindReader& kinds, MatchConfig& config) {
  config.clock = kinds.read<match::ClockKind>("clock", message.clock(), {1, 3});
  config.tick_rate_hz = message.tick_rate_hz();
  config.late_frames = kinds.read<match::LateFramePolicy>("late_frames", message.late_frames(), {1, 2});
  config.max_lead_ticks = message.max_lead_ticks();
  config.max_late_ticks = message.max_late_ticks();
  config.heartbeat_ticks = message.heartbeat_ticks();
  config.history_ticks = message.history_ticks();
  config.reconnect_ticks = message.reconnect_ticks();
  config.retained_ticks = message.retained_ticks();
  config.lockstep.deadline_ms = message.deadline_ms();
  config.lockstep.required_roles = decode_roles("required_roles", message.required_roles(), kinds);
  config.clock_control_roles = decode_roles("clock_control_roles", message.clock_control_roles(), kinds);
}

void decode_rules(const v1::Config& message, KindReader& kinds, MatchConfig& config) {
  config.start_after_participants = message.start_after_participants();
  for (const v1::Slot& slot : message.slots()) config.slots.push_back(decode(slot, kinds));
  config.ids_per_participant = message.ids_per_participant();
  config.objects_per_participant_max = message.objects_per_participant_max();
  config.claims = decode(message.claims(), kinds);
  config.stage_handover =
      kinds.read<match::StageHandover>("stage_handover", message.stage_handover(), {1, 2});
  config.clearable_layers.assign(message.clearable_layers().begin(), message.clearable_layers().end());
  for (const v1::ScoringRule& rule : message.scoring()) config.scoring.push_back(decode(rule, kinds));
  config.ruleset = {message.ruleset_name(), message.ruleset_version()};
  config.seed = message.seed();
  for (const v1::RoleLimits& limits : message.limits()) config.limits.push_back(decode(limits, kinds));
  for (const v1::LayerLimits& limits : message.layer_limits()) config.layer_limits.push_back(decode(limits));
}

}  // namespace

std::string encode_config(const MatchConfig& config) {
  v1::Config message;
  encode_world(config, message);
  encode_time(config, message);
  encode_rules(config, message);
  return message.SerializeAsString();
}

base::Result<MatchConfig, FieldError> decode_config(std::string_view bytes) {
  v1::Config message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return FieldError{"config", std::to_string(bytes.size()) + " bytes that are no message of a config"};
  }
  MatchConfig config;
  config.clock_control_roles = {};
  KindReader kinds;
  decode_world(message, kinds, config);
  decode_time(message, kinds, config);
  decode_rules(message, kinds, config);
  if (kinds.error()) return *kinds.error();
  return config;
}

}  // namespace sweepd::replay
