// SPDX-License-Identifier: MIT
#include "replay/rules_codec.h"

#include <utility>

namespace sweepd::replay {

using match::Role;

namespace {

constexpr match::Range kRoles{1, 3};

std::optional<std::uint32_t> given(bool is_given, std::uint32_t value) {
  return is_given ? std::optional(value) : std::nullopt;
}

}  // namespace

bool KindReader::is_known(const char* field, std::uint32_t value, match::Range range) {
  if (value >= range.min && value <= range.max) return true;
  if (!error_) {
    error_ = match::FieldError{field, "is " + std::to_string(value) + "; must be " +
                                          std::to_string(range.min) + " to " + std::to_string(range.max)};
  }
  return false;
}

void encode(const collision::Box& box, v1::Box& message) {
  message.set_min_x(box.min_x);
  message.set_min_y(box.min_y);
  message.set_max_x(box.max_x);
  message.set_max_y(box.max_y);
}

collision::Box decode(const v1::Box& message) {
  return {message.min_x(), message.min_y(), message.max_x(), message.max_y()};
}

void encode(const match::CollidingLayers& pair, v1::CollidingLayers& message) {
  message.set_layer_a(pair.layer_a);
  message.set_layer_b(pair.layer_b);
  message.set_sensor(pair.sensor);
  message.set_by_claims(pair.by_claims);
  message.set_damage_interval_ticks(pair.damage_interval_ticks);
}

match::CollidingLayers decode(const v1::CollidingLayers& message) {
  return {message.layer_a(), message.layer_b(), message.sensor(), message.damage_interval_ticks(),
          message.by_claims()};
}

void encode(const match::ParticipantSlot& slot, v1::Slot& message) {
  message.set_name(slot.name);
  message.set_role(static_cast<std::uint32_t>(slot.role));
  message.set_first_id(slot.first_id);
  message.set_last_id(slot.last_id);
}

match::ParticipantSlot decode(const v1::Slot& message, KindReader& kinds) {
  return {message.name(), kinds.read<Role>("slots.role", message.role(), kRoles), message.first_id(),
          message.last_id()};
}

void encode(const match::ClaimRules& rules, v1::ClaimRules& message) {
  message.set_policy(static_cast<std::uint32_t>(rules.policy));
  message.set_rewind_ticks_max(rules.rewind_ticks_max);
  message.set_tolerance_max(rules.tolerance_max);
  message.set_delay_allowance_ticks(rules.delay_allowance_ticks);
  message.set_hits_per_shot_max(rules.hits_per_shot_max);
}

match::ClaimRules decode(const v1::ClaimRules& message, KindReader& kinds) {
  return {kinds.read<match::ClaimPolicy>("claims.policy", message.policy(), {1, 3}),
          message.rewind_ticks_max(), message.tolerance_max(), message.delay_allowance_ticks(),
          message.hits_per_shot_max()};
}

void encode(const match::ScoringRule& rule, v1::ScoringRule& message) {
  message.set_name(rule.name);
  message.set_layer_a(rule.layer_a);
  message.set_layer_b(rule.layer_b);
  message.set_when(static_cast<std::uint32_t>(rule.when));
  message.set_points(rule.points);
  message.set_credit(static_cast<std::uint32_t>(rule.credit));
  message.set_once_per_object(rule.once_per_object);
  message.set_cooldown_ticks(rule.cooldown_ticks);
  for (const auto reason : rule.exit_reasons) message.add_exit_reasons(static_cast<std::uint32_t>(reason));
}

match::ScoringRule decode(const v1::ScoringRule& message, KindReader& kinds) {
  match::ScoringRule rule;
  rule.name = message.name();
  rule.layer_a = message.layer_a();
  rule.layer_b = message.layer_b();
  rule.when = kinds.read<match::ScoringMoment>("scoring.when", message.when(), {1, 4});
  rule.points = message.points();
  rule.credit = kinds.read<match::ScoringCredit>("scoring.credit", message.credit(), {1, 2});
  rule.once_per_object = message.once_per_object();
  rule.cooldown_ticks = message.cooldown_ticks();
  for (const std::uint32_t reason : message.exit_reasons()) {
    rule.exit_reasons.push_back(kinds.read<collision::ExitReason>("scoring.exit_reasons", reason, {1, 12}));
  }
  return rule;
}

void encode(const match::MaskConfig& mask, v1::Mask& message) {
  message.set_width(mask.width);
  message.set_height(mask.height);
  message.set_pixel_size(mask.pixel_size);
  message.set_rows(mask.rows);
}

match::MaskConfig decode(const v1::Mask& message) {
  return {message.width(), message.height(), message.pixel_size(), message.rows()};
}

void encode(const match::RoleLimits& limits, v1::RoleLimits& message) {
  message.set_role(static_cast<std::uint32_t>(limits.role));
  if (limits.spawn_layers) {
    v1::Names& names = *message.mutable_spawn_layers();
    for (const std::string& name : *limits.spawn_layers) names.add_names(name);
  }
  if (limits.objects_max) message.set_objects_max(*limits.objects_max);
  if (limits.parts_max) message.set_parts_max(*limits.parts_max);
  if (limits.frames_max) message.set_frames_max(*limits.frames_max);
  if (limits.frame_bytes_max) message.set_frame_bytes_max(*limits.frame_bytes_max);
  if (limits.bytes_per_second_max) message.set_bytes_per_second_max(*limits.bytes_per_second_max);
  if (limits.may_teleport) message.set_may_teleport(*limits.may_teleport);
}

match::RoleLimits decode(const v1::RoleLimits& message, KindReader& kinds) {
  match::RoleLimits limits;
  limits.role = kinds.read<Role>("limits.role", message.role(), kRoles);
  if (message.has_spawn_layers()) {
    const auto& names = message.spawn_layers().names();
    limits.spawn_layers.emplace(names.begin(), names.end());
  }
  limits.objects_max = given(message.has_objects_max(), message.objects_max());
  limits.parts_max = given(message.has_parts_max(), message.parts_max());
  limits.frames_max = given(message.has_frames_max(), message.frames_max());
  limits.frame_bytes_max = given(message.has_frame_bytes_max(), message.frame_bytes_max());
  limits.bytes_per_second_max = given(message.has_bytes_per_second_max(), message.bytes_per_second_max());
  if (message.has_may_teleport()) limits.may_teleport = message.may_teleport();
  return limits;
}

void encode(const match::LayerLimits& limits, v1::LayerLimits& message) {
  message.set_layer(limits.layer);
  if (limits.speed_max) message.set_speed_max(*limits.speed_max);
  message.set_speed_budget_ticks(limits.speed_budget_ticks);
  message.set_stay_in_playfield(limits.stay_in_playfield);
}

match::LayerLimits decode(const v1::LayerLimits& message) {
  return {message.layer(), given(message.has_speed_max(), message.speed_max()), message.speed_budget_ticks(),
          message.stay_in_playfield()};
}

void encode(match::RoleSet roles, Numbers& numbers) {
  for (const Role role : {Role::kPlayer, Role::kStage, Role::kObserver}) {
    if (roles.contains(role)) numbers.Add(static_cast<std::uint32_t>(role));
  }
}

match::RoleSet decode_roles(const char* field, const Numbers& numbers, KindReader& kinds) {
  match::RoleSet roles;
  for (const std::uint32_t number : numbers) roles.add(kinds.read<Role>(field, number, kRoles));
  return roles;
}

}  // namespace sweepd::replay
