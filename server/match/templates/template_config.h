// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "collision/object.h"
#include "match/field.h"
#include "match/role.h"
#include "match/tick_pace.h"

namespace sweepd::match {

inline constexpr std::uint32_t kTemplatesMax = 64;
inline constexpr std::uint32_t kTemplateShapesMax = 16;
/// Of one participant, alive, of a template that others are spawned near to: each such spawn looks at them.
inline constexpr std::uint32_t kAnchorsMax = 64;

/// All parts of an object. Of a mask, as in frames: its upper left corner alone.
struct TemplateShape {
  std::vector<collision::Part> parts = {};
  friend bool operator==(const TemplateShape&, const TemplateShape&) = default;
};

/// Where and how often a participant may spawn a template. What is absent, or 0, has no limit.
struct SpawnRules {
  std::optional<collision::Box> region = {};  ///< Its position, relative to the playfield's origin.
  std::string near = {};           ///< Name of a template: within distance_max of an own object of that one.
  std::uint32_t distance_max = 0;  ///< Subunits.
  std::uint32_t interval_ticks = 0;  ///< One in so many ticks in the long run,
  std::uint32_t burst = 1;           ///< and so many of them at once at most.
  std::optional<std::uint32_t> alive_max = {};
  std::uint32_t respawn_delay_ticks = 0;        ///< After the last one of the same participant was gone.
  std::optional<collision::Box> velocity = {};  ///< Within which its velocity then is; subunits per tick.
  std::uint32_t total_max = 0;                  ///< In the whole match, gone ones included; 0: no limit.
  friend bool operator==(const SpawnRules&, const SpawnRules&) = default;
};

/// A kind of objects: what they are, who may spawn them and where, and what may be done to them.
struct ObjectTemplate {
  std::string name = {};
  RoleSet roles = {Role::kPlayer};         ///< That may spawn it.
  std::vector<TemplateShape> shapes = {};  ///< That it may have; it is spawned with the first.
  std::uint32_t hit_points = 0;
  std::uint32_t damage = 0;
  bool single_use = false;
  bool continuous = false;
  bool despawn_outside_playfield = false;
  std::uint32_t time_to_live_max_ticks = 0;            ///< 0: no limit.
  std::optional<std::uint32_t> speed_max = {};         ///< Subunits per tick; absent: no limit.
  std::uint32_t speed_budget_ticks = 6;                ///< As in LayerLimits.
  std::optional<std::uint32_t> acceleration_max = {};  ///< Of its motion; subunits per tick per tick.
  bool may_teleport = false;
  std::uint32_t disable_max_ticks = 0;  ///< At a time; 0: its owner may not disable it.
  /// Of one participant, from the beginning of one time to that of the next.
  std::uint32_t disable_interval_ticks = 0;
  bool may_freeze = false;      ///< By its owner, and by others on clearable layers.
  RoleSet transfer_roles = {};  ///< To whom it may be transferred.
  SpawnRules spawn = {};
  /// By name: what it may hit by claims as their shot; absent: whatever its layers collide with.
  std::optional<std::vector<std::string>> claim_layers = {};
  /// It flies as it was spawned: its owner neither moves it nor changes its motion.
  bool is_ballistic = false;
  /// Its owner may disable it in its first so many ticks only, which is over with them; 0: at any time.
  std::uint32_t disable_within_ticks = 0;
  friend bool operator==(const ObjectTemplate&, const ObjectTemplate&) = default;
};

Found check_shape_parts(const FieldIn<TemplateShape>& field);
Found check_template_roles(const FieldIn<ObjectTemplate>& field);
Found check_transfer_roles(const FieldIn<ObjectTemplate>& field);
Found check_claim_layers(const FieldIn<ObjectTemplate>& field);
Found check_disable_interval(const FieldIn<ObjectTemplate>& field);
Found check_spawn_region(const FieldIn<SpawnRules>& field);
Found check_spawn_velocity(const FieldIn<SpawnRules>& field);
Found check_near(const FieldIn<SpawnRules>& field);

constexpr void for_each_field(std::type_identity<TemplateShape>, const auto& visit) {
  visit(SWEEPD_FIELD(TemplateShape, parts).by(check_shape_parts).digested());
}

constexpr void for_each_field(std::type_identity<SpawnRules>, const auto& visit) {
  visit(SWEEPD_FIELD(SpawnRules, region).by(check_spawn_region).digested());
  visit(SWEEPD_FIELD(SpawnRules, distance_max).in({0, (1u << 31) - 1}).digested());
  visit(SWEEPD_FIELD(SpawnRules, interval_ticks).in({0, kPaceIntervalMax}).digested());
  visit(SWEEPD_FIELD(SpawnRules, burst).in({1, kPaceBurstMax}).digested());
  visit(SWEEPD_FIELD(SpawnRules, alive_max).in({0, 100'000}).digested());
  visit(SWEEPD_FIELD(SpawnRules, respawn_delay_ticks).in({0, 36'000}).digested());
  visit(SWEEPD_FIELD(SpawnRules, near).by(check_near).digested());  // After what it asks of itself.
  visit(SWEEPD_FIELD(SpawnRules, velocity).by(check_spawn_velocity).digested_as(26).since_format(8));
  visit(SWEEPD_FIELD(SpawnRules, total_max).in({0, 1'000'000}).digested_as(27).since_format(9));
}

constexpr void for_each_field(std::type_identity<ObjectTemplate>, const auto& visit) {
  visit(SWEEPD_FIELD(ObjectTemplate, name).in({1, kNameBytesMax}).digested());  // For `near`.
  visit(SWEEPD_FIELD(ObjectTemplate, roles).by(check_template_roles).digested());
  visit(SWEEPD_FIELD(ObjectTemplate, shapes).in({1, kTemplateShapesMax}).digested());
  visit(SWEEPD_FIELD(ObjectTemplate, hit_points).digested());
  visit(SWEEPD_FIELD(ObjectTemplate, damage).digested());
  visit(SWEEPD_FIELD(ObjectTemplate, single_use).digested());
  visit(SWEEPD_FIELD(ObjectTemplate, continuous).digested());
  visit(SWEEPD_FIELD(ObjectTemplate, despawn_outside_playfield).digested());
  visit(SWEEPD_FIELD(ObjectTemplate, time_to_live_max_ticks).digested());
  visit(SWEEPD_FIELD(ObjectTemplate, speed_max).in({0, (1u << 31) - 1}).digested());
  visit(SWEEPD_FIELD(ObjectTemplate, speed_budget_ticks).in({1, 3600}).digested());
  visit(SWEEPD_FIELD(ObjectTemplate, acceleration_max).in({0, (1u << 31) - 1}).digested());
  visit(SWEEPD_FIELD(ObjectTemplate, may_teleport).digested());
  visit(SWEEPD_FIELD(ObjectTemplate, disable_max_ticks).in({0, 36'000}).digested());
  visit(SWEEPD_FIELD(ObjectTemplate, disable_interval_ticks)
            .in({0, 36'000})
            .by(check_disable_interval)
            .digested());
  visit(SWEEPD_FIELD(ObjectTemplate, may_freeze).digested());
  visit(SWEEPD_FIELD(ObjectTemplate, transfer_roles).by(check_transfer_roles).digested());
  visit(SWEEPD_FIELD(ObjectTemplate, spawn).digested());
  visit(SWEEPD_FIELD(ObjectTemplate, claim_layers).by(check_claim_layers).digested_as(23).since_format(8));
  visit(SWEEPD_FIELD(ObjectTemplate, is_ballistic).digested_as(24).since_format(8));
  visit(SWEEPD_FIELD(ObjectTemplate, disable_within_ticks).in({0, 36'000}).digested_as(25).since_format(8));
}

/// That `name` is of a template of which a participant has kAnchorsMax at most.
Found check_anchor(const std::string& path, const std::string& name, const MatchConfig& config);

/// Each, and that no two have the same name.
Found check_templates(const FieldIn<MatchConfig>& field);

}  // namespace sweepd::match
