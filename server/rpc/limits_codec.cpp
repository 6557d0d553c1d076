// SPDX-License-Identifier: MIT
#include "rpc/limits_codec.h"

#include <string>

namespace sweepd::rpc {
namespace {

match::RoleLimits decode_role_limits(const v1::RoleLimits& message) {
  match::RoleLimits limits;
  limits.role = static_cast<match::Role>(message.role());
  if (message.has_spawn_layers()) {
    limits.spawn_layers.emplace(message.spawn_layers().layers().begin(),
                                message.spawn_layers().layers().end());
  }
  if (message.has_objects_max()) limits.objects_max = message.objects_max();
  if (message.has_parts_max()) limits.parts_max = message.parts_max();
  if (message.has_frames_max()) limits.frames_max = message.frames_max();
  if (message.has_frame_bytes_max()) limits.frame_bytes_max = message.frame_bytes_max();
  if (message.has_bytes_per_second_max()) limits.bytes_per_second_max = message.bytes_per_second_max();
  if (message.has_may_teleport()) limits.may_teleport = message.may_teleport();
  return limits;
}

void encode_role_limits(const match::RoleLimits& limits, v1::RoleLimits& message) {
  message.set_role(static_cast<v1::Role>(limits.role));
  if (limits.spawn_layers) {
    v1::LayerSet& layers = *message.mutable_spawn_layers();
    layers.mutable_layers()->Add(limits.spawn_layers->begin(), limits.spawn_layers->end());
  }
  if (limits.objects_max) message.set_objects_max(*limits.objects_max);
  if (limits.parts_max) message.set_parts_max(*limits.parts_max);
  if (limits.frames_max) message.set_frames_max(*limits.frames_max);
  if (limits.frame_bytes_max) message.set_frame_bytes_max(*limits.frame_bytes_max);
  if (limits.bytes_per_second_max) message.set_bytes_per_second_max(*limits.bytes_per_second_max);
  if (limits.may_teleport) message.set_may_teleport(*limits.may_teleport);
}

match::LayerLimits decode_layer_limits(const v1::LayerLimits& message) {
  match::LayerLimits limits;
  limits.layer = message.layer();
  if (message.has_speed_max()) limits.speed_max = message.speed_max();
  if (message.speed_budget_ticks() != 0) limits.speed_budget_ticks = message.speed_budget_ticks();
  limits.stay_in_playfield = message.stay_in_playfield();
  return limits;
}

void encode_layer_limits(const match::LayerLimits& limits, v1::LayerLimits& message) {
  message.set_layer(limits.layer);
  if (limits.speed_max) message.set_speed_max(*limits.speed_max);
  message.set_speed_budget_ticks(limits.speed_budget_ticks);
  message.set_stay_in_playfield(limits.stay_in_playfield);
}

}  // namespace

std::optional<match::FieldError> decode_limits(const v1::MatchConfig& message, match::MatchConfig& config) {
  for (int i = 0; i < message.limits_size(); ++i) {
    const v1::RoleLimits& limits = message.limits(i);
    if (limits.role() != v1::ROLE_PLAYER && limits.role() != v1::ROLE_STAGE) {
      return match::FieldError{"limits[" + std::to_string(i) + "].role",
                               "PLAYER or STAGE is required, not " + std::to_string(limits.role())};
    }
    config.limits.push_back(decode_role_limits(limits));
  }
  for (const auto& limits : message.layer_limits())
    config.layer_limits.push_back(decode_layer_limits(limits));
  return std::nullopt;
}

void encode_limits(const match::MatchConfig& config, v1::MatchConfig& message) {
  for (const auto& limits : config.limits) encode_role_limits(limits, *message.add_limits());
  for (const auto& limits : config.layer_limits) encode_layer_limits(limits, *message.add_layer_limits());
}

void encode_rejection_counts(const match::RejectionCounts& counts, v1::Participant& message) {
  for (std::uint32_t number = 0; number < match::kRejectionReasonsEnd; ++number) {
    const std::uint64_t count = counts.of(static_cast<match::RejectionReason>(number));
    if (count == 0) continue;
    v1::RejectionCount& entry = *message.add_rejections_by_reason();
    entry.set_reason(static_cast<v1::RejectionReason>(number));
    entry.set_count(count);
  }
}

}  // namespace sweepd::rpc
