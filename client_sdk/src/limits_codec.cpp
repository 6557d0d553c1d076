// SPDX-License-Identifier: MIT
#include "limits_codec.h"

#include "clock_codec.h"
#include "event_decoder.h"
#include "subunits.h"

namespace sweepd::internal {
namespace {

void encode(const RoleLimits& limits, v1::RoleLimits* out) {
  out->set_role(internal::encode(limits.role));
  if (limits.spawn_layers) {
    out->mutable_spawn_layers()->mutable_layers()->Add(limits.spawn_layers->begin(),
                                                       limits.spawn_layers->end());
  }
  if (limits.objects_max) out->set_objects_max(*limits.objects_max);
  if (limits.parts_max) out->set_parts_max(*limits.parts_max);
  if (limits.frames_max) out->set_frames_max(*limits.frames_max);
  if (limits.frame_bytes_max) out->set_frame_bytes_max(*limits.frame_bytes_max);
  if (limits.bytes_per_second_max) out->set_bytes_per_second_max(*limits.bytes_per_second_max);
  if (limits.may_teleport) out->set_may_teleport(*limits.may_teleport);
}

RoleLimits decode(const v1::RoleLimits& limits) {
  RoleLimits out;
  out.role = internal::decode(limits.role());
  if (limits.has_spawn_layers()) {
    out.spawn_layers.emplace(limits.spawn_layers().layers().begin(), limits.spawn_layers().layers().end());
  }
  if (limits.has_objects_max()) out.objects_max = limits.objects_max();
  if (limits.has_parts_max()) out.parts_max = limits.parts_max();
  if (limits.has_frames_max()) out.frames_max = limits.frames_max();
  if (limits.has_frame_bytes_max()) out.frame_bytes_max = limits.frame_bytes_max();
  if (limits.has_bytes_per_second_max()) out.bytes_per_second_max = limits.bytes_per_second_max();
  if (limits.has_may_teleport()) out.may_teleport = limits.may_teleport();
  return out;
}

Checked encode(const LayerLimits& limits, v1::LayerLimits* out) {
  out->set_layer(limits.layer);
  out->set_speed_budget_ticks(limits.speed_budget_ticks);
  out->set_stay_in_playfield(limits.stay_in_playfield);
  if (!limits.speed_max) return {};
  std::int32_t speed_max = 0;
  if (auto error = to_subunits(*limits.speed_max, "speed_max", &speed_max)) return error;
  if (speed_max < 0) return FieldError{ErrorCode::kOutOfRange, "speed_max", "is less than 0"};
  out->set_speed_max(static_cast<std::uint32_t>(speed_max));
  return {};
}

LayerLimits decode(const v1::LayerLimits& limits) {
  LayerLimits out;
  out.layer = limits.layer();
  if (limits.has_speed_max()) out.speed_max = to_units(static_cast<std::int32_t>(limits.speed_max()));
  out.speed_budget_ticks = limits.speed_budget_ticks();
  out.stay_in_playfield = limits.stay_in_playfield();
  return out;
}

}  // namespace

Checked encode_limits(const MatchConfig& config, v1::MatchConfig* out) {
  for (const RoleLimits& limits : config.limits) encode(limits, out->add_limits());
  for (std::size_t i = 0; i < config.layer_limits.size(); ++i) {
    if (auto error = encode(config.layer_limits[i], out->add_layer_limits())) {
      return std::move(*error).at(i).within("layer_limits").within("config");
    }
  }
  return {};
}

void decode_limits(const v1::MatchConfig& config, MatchConfig* out) {
  for (const auto& limits : config.limits()) out->limits.push_back(decode(limits));
  for (const auto& limits : config.layer_limits()) out->layer_limits.push_back(decode(limits));
}

RejectionCount decode(const v1::RejectionCount& count) {
  return {.reason = reason_name(count.reason()), .count = count.count()};
}

}  // namespace sweepd::internal
