// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "sweepd/types.h"

/// The table of a config's fields: a row for each member of its structures, with the name that the field has
/// in the contract and in match files. What goes from the SDK's types to messages and back, and from match
/// files to the SDK's types, goes by these rows.
namespace sweepd {

template <typename Struct, typename Value, typename Access>
struct ConfigField {
  constexpr ConfigField(const char* its_name, Value Struct::*its_member, Access its_access)
      : name(its_name), member(its_member), access(its_access) {}

  const char* name;
  Value Struct::*member;
  Access access;
};

/// The functions by which messages give access to a field.
template <typename Get, typename Has, typename Set, typename Open>
struct ConfigFieldAccess {
  Get get;
  Has has;
  Set set;
  Open open;
};
template <typename Get, typename Has, typename Set, typename Open>
ConfigFieldAccess(Get, Has, Set, Open) -> ConfigFieldAccess<Get, Has, Set, Open>;

#define SWEEPD_CONFIG_FIELD(Struct, field)                                                              \
  ::sweepd::ConfigField(                                                                                \
      #field, &Struct::field,                                                                           \
      ::sweepd::ConfigFieldAccess{                                                                      \
          [](const auto& message) -> decltype(message.field()) { return message.field(); },             \
          [](const auto& message) -> decltype(message.has_##field()) { return message.has_##field(); }, \
          [](auto& message, const auto& value) -> decltype(message.set_##field(value)) {                \
            return message.set_##field(value);                                                          \
          },                                                                                            \
          [](auto& message) -> decltype(message.mutable_##field()) { return message.mutable_##field(); }})

constexpr void for_each_field(std::type_identity<Box>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(Box, min_x));
  visit(SWEEPD_CONFIG_FIELD(Box, min_y));
  visit(SWEEPD_CONFIG_FIELD(Box, max_x));
  visit(SWEEPD_CONFIG_FIELD(Box, max_y));
}

constexpr void for_each_field(std::type_identity<CollidingLayers>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(CollidingLayers, layer_a));
  visit(SWEEPD_CONFIG_FIELD(CollidingLayers, layer_b));
  visit(SWEEPD_CONFIG_FIELD(CollidingLayers, sensor));
  visit(SWEEPD_CONFIG_FIELD(CollidingLayers, by_claims));
  visit(SWEEPD_CONFIG_FIELD(CollidingLayers, claim_tolerance_max));
  visit(SWEEPD_CONFIG_FIELD(CollidingLayers, damage_interval_ticks));
}

constexpr void for_each_field(std::type_identity<ParticipantSlot>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(ParticipantSlot, name));
  visit(SWEEPD_CONFIG_FIELD(ParticipantSlot, role));
  visit(SWEEPD_CONFIG_FIELD(ParticipantSlot, first_id));
  visit(SWEEPD_CONFIG_FIELD(ParticipantSlot, last_id));
}

constexpr void for_each_field(std::type_identity<SectorGrid>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(SectorGrid, scheme));
  visit(SWEEPD_CONFIG_FIELD(SectorGrid, sector_size));
}

constexpr void for_each_field(std::type_identity<ClaimRules>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(ClaimRules, policy));
  visit(SWEEPD_CONFIG_FIELD(ClaimRules, rewind_ticks_max));
  visit(SWEEPD_CONFIG_FIELD(ClaimRules, tolerance_max));
  visit(SWEEPD_CONFIG_FIELD(ClaimRules, delay_allowance_ticks));
  visit(SWEEPD_CONFIG_FIELD(ClaimRules, hits_per_shot_max));
  visit(SWEEPD_CONFIG_FIELD(ClaimRules, window_rise_ticks));
}

constexpr void for_each_field(std::type_identity<ScoringRule>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(ScoringRule, name));
  visit(SWEEPD_CONFIG_FIELD(ScoringRule, layer_a));
  visit(SWEEPD_CONFIG_FIELD(ScoringRule, layer_b));
  visit(SWEEPD_CONFIG_FIELD(ScoringRule, when));
  visit(SWEEPD_CONFIG_FIELD(ScoringRule, points));
  visit(SWEEPD_CONFIG_FIELD(ScoringRule, credit));
  visit(SWEEPD_CONFIG_FIELD(ScoringRule, once_per_object));
  visit(SWEEPD_CONFIG_FIELD(ScoringRule, cooldown_ticks));
  visit(SWEEPD_CONFIG_FIELD(ScoringRule, exit_reasons));
}

constexpr void for_each_field(std::type_identity<Ruleset>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(Ruleset, name));
  visit(SWEEPD_CONFIG_FIELD(Ruleset, version));
}

constexpr void for_each_field(std::type_identity<RoleLimits>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(RoleLimits, role));
  visit(SWEEPD_CONFIG_FIELD(RoleLimits, spawn_layers));
  visit(SWEEPD_CONFIG_FIELD(RoleLimits, objects_max));
  visit(SWEEPD_CONFIG_FIELD(RoleLimits, parts_max));
  visit(SWEEPD_CONFIG_FIELD(RoleLimits, frames_max));
  visit(SWEEPD_CONFIG_FIELD(RoleLimits, frame_bytes_max));
  visit(SWEEPD_CONFIG_FIELD(RoleLimits, bytes_per_second_max));
  visit(SWEEPD_CONFIG_FIELD(RoleLimits, may_teleport));
  visit(SWEEPD_CONFIG_FIELD(RoleLimits, selection_layers));
  visit(SWEEPD_CONFIG_FIELD(RoleLimits, selection_size_max));
  visit(SWEEPD_CONFIG_FIELD(RoleLimits, selection_interval_ticks));
  visit(SWEEPD_CONFIG_FIELD(RoleLimits, selection_burst));
}

constexpr void for_each_field(std::type_identity<LayerLimits>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(LayerLimits, layer));
  visit(SWEEPD_CONFIG_FIELD(LayerLimits, speed_max));
  visit(SWEEPD_CONFIG_FIELD(LayerLimits, speed_budget_ticks));
  visit(SWEEPD_CONFIG_FIELD(LayerLimits, stay_in_playfield));
}

constexpr void for_each_field(std::type_identity<VisibilityRule>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(VisibilityRule, role));
  visit(SWEEPD_CONFIG_FIELD(VisibilityRule, layer));
  visit(SWEEPD_CONFIG_FIELD(VisibilityRule, sees));
  visit(SWEEPD_CONFIG_FIELD(VisibilityRule, near));
  visit(SWEEPD_CONFIG_FIELD(VisibilityRule, distance_max));
}

constexpr void for_each_field(std::type_identity<TemplateShape>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(TemplateShape, parts));
}

constexpr void for_each_field(std::type_identity<SpawnRules>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(SpawnRules, region));
  visit(SWEEPD_CONFIG_FIELD(SpawnRules, near));
  visit(SWEEPD_CONFIG_FIELD(SpawnRules, distance_max));
  visit(SWEEPD_CONFIG_FIELD(SpawnRules, interval_ticks));
  visit(SWEEPD_CONFIG_FIELD(SpawnRules, burst));
  visit(SWEEPD_CONFIG_FIELD(SpawnRules, alive_max));
  visit(SWEEPD_CONFIG_FIELD(SpawnRules, respawn_delay_ticks));
  visit(SWEEPD_CONFIG_FIELD(SpawnRules, velocity));
  visit(SWEEPD_CONFIG_FIELD(SpawnRules, total_max));
}

constexpr void for_each_field(std::type_identity<ObjectTemplate>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, name));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, roles));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, shapes));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, hit_points));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, damage));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, single_use));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, continuous));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, despawn_outside_playfield));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, time_to_live_max_ticks));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, speed_max));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, speed_budget_ticks));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, acceleration_max));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, may_teleport));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, disable_max_ticks));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, disable_interval_ticks));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, may_freeze));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, transfer_roles));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, spawn));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, claim_layers));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, is_ballistic));
  visit(SWEEPD_CONFIG_FIELD(ObjectTemplate, disable_within_ticks));
}

constexpr void for_each_field(std::type_identity<Budgets>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(Budgets, objects_max));
  visit(SWEEPD_CONFIG_FIELD(Budgets, parts_max));
  visit(SWEEPD_CONFIG_FIELD(Budgets, overlapping_pairs_max));
  visit(SWEEPD_CONFIG_FIELD(Budgets, tests_per_tick_max));
  visit(SWEEPD_CONFIG_FIELD(Budgets, events_per_tick_max));
  visit(SWEEPD_CONFIG_FIELD(Budgets, selected_objects_max));
}

constexpr void for_each_field(std::type_identity<Lockstep>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(Lockstep, deadline_ms));
  visit(SWEEPD_CONFIG_FIELD(Lockstep, required_roles));
}

constexpr void for_each_field(std::type_identity<ClockWaits>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(ClockWaits, start_timeout_ms));
  visit(SWEEPD_CONFIG_FIELD(ClockWaits, on_start_timeout));
  visit(SWEEPD_CONFIG_FIELD(ClockWaits, return_timeout_ms));
}

constexpr void for_each_field(std::type_identity<Permissions>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(Permissions, query_roles));
  visit(SWEEPD_CONFIG_FIELD(Permissions, watch_roles));
  visit(SWEEPD_CONFIG_FIELD(Permissions, replay_roles));
  visit(SWEEPD_CONFIG_FIELD(Permissions, secret_roles));
  visit(SWEEPD_CONFIG_FIELD(Permissions, end_roles));
  visit(SWEEPD_CONFIG_FIELD(Permissions, step_roles));
}

constexpr void for_each_field(std::type_identity<MatchConfig>, const auto& visit) {
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, name));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, clock));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, tick_rate_hz));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, start_after_participants));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, clock_control_roles));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, permissions));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, heartbeat_ticks));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, late_frames));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, max_lead_ticks));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, max_late_ticks));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, history_ticks));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, lockstep));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, waits));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, claims));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, ids_per_participant));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, objects_per_participant_max));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, reconnect_ticks));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, retained_ticks));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, stage_handover));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, slots));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, playfield));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, broadphase));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, sector_grid));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, masks));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, layers));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, clearable_layers));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, budgets));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, limits));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, layer_limits));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, templates));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, visibility));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, observer_delay_ticks));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, object_tags));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, app_messages_per_second));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, app_messages_recorded));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, scoring));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, seed));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, ruleset));
  visit(SWEEPD_CONFIG_FIELD(MatchConfig, collides));
}

}  // namespace sweepd
