// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "collision/world.h"
#include "match/budgets_config.h"
#include "match/claims/claim_rules.h"
#include "match/clock_config.h"
#include "match/enum_range.h"
#include "match/field.h"
#include "match/limits_config.h"
#include "match/permissions.h"
#include "match/role.h"
#include "match/scoring_config.h"
#include "match/shape_config.h"
#include "match/templates/template_config.h"
#include "match/visibility/visibility_config.h"

namespace sweepd::collision {

constexpr void for_each_field(std::type_identity<Box>, const auto& visit) {
  visit(SWEEPD_FIELD(Box, min_x).digested());
  visit(SWEEPD_FIELD(Box, min_y).digested());
  visit(SWEEPD_FIELD(Box, max_x).digested());
  visit(SWEEPD_FIELD(Box, max_y).digested());
}

}  // namespace sweepd::collision

namespace sweepd::match {

/// What becomes of frames for ticks that have run. Late may be no better than in time: of a client that was
/// held up, kApplyNext makes all its frames apply in one tick, past whatever is in between.
enum class LateFramePolicy : std::uint8_t {
  kApplyNext = 1,
  kDrop = 2,
  /// One after the other, in the order in which they come, the frames of two ticks in each: so that they are
  /// played as they would have been in time, and the client catches up. What comes in time waits behind them.
  /// And an object under a speed limit goes at most two ticks' way in one tick, however much it has saved;
  /// what it goes beyond one is swept as if it were continuous.
  kSpread = 3,
};
constexpr Range numbers_of(LateFramePolicy) { return range_from<LateFramePolicy::kApplyNext>(); }
constexpr Range numbers_of(collision::BroadphaseKind) {
  return range_from<collision::BroadphaseKind::kSweepAndPrune>();
}

inline constexpr std::uint32_t kParticipantsMax = 64;  ///< At once, players and stages.
inline constexpr std::uint32_t kObserversMax = 64;     ///< At once.
inline constexpr std::uint32_t kIdsPerParticipantMax = 1u << 24;
inline constexpr std::uint32_t kHistoryTicksMax = 3600;

/// Two layers that collide, in either order, and what their contact does; see collision::ContactRule.
struct CollidingLayers {
  std::string layer_a = {};
  std::string layer_b = {};
  bool sensor = false;
  std::uint32_t damage_interval_ticks = 0;
  /// Contact does nothing, as of a sensor, but a claim that is confirmed strikes (ClaimPolicy::kEnforce).
  bool by_claims = false;
  /// That a claim about the two may ask for, subunits; more counts as this much. Absent:
  /// ClaimRules::tolerance_max alone.
  std::optional<std::uint32_t> claim_tolerance_max = {};
  bool has_rule() const { return sensor || by_claims || damage_interval_ticks != 0; }
  friend bool operator==(const CollidingLayers&, const CollidingLayers&) = default;
};

Found check_by_claims(const FieldIn<CollidingLayers>& field);
Found check_damage_interval(const FieldIn<CollidingLayers>& field);

constexpr void for_each_field(std::type_identity<CollidingLayers>, const auto& visit) {
  visit(SWEEPD_FIELD(CollidingLayers, layer_a).digested());  // Judged with all pairs, as is the next.
  visit(SWEEPD_FIELD(CollidingLayers, layer_b).digested());
  visit(SWEEPD_FIELD(CollidingLayers, sensor).digested());
  visit(SWEEPD_FIELD(CollidingLayers, by_claims).by(check_by_claims).digested());
  visit(SWEEPD_FIELD(CollidingLayers, claim_tolerance_max).in({0, 1u << 24}).digested().since_format(4));
  visit(SWEEPD_FIELD(CollidingLayers, damage_interval_ticks)
            .in({0, 3600})
            .by(check_damage_interval)
            .digested());
}

/// What becomes of the stage's objects when the participant that acts as the stage leaves.
enum class StageHandover : std::uint8_t {
  kNone = 1,          ///< They leave, too.
  kLowestNumber = 2,  ///< They go to another stage, or else to a player: of several, the lowest.
};
constexpr Range numbers_of(StageHandover) { return range_from<StageHandover::kNone>(); }

/// The rules of the game, as it names them.
struct Ruleset {
  std::string name = {};
  std::string version = {};
  friend bool operator==(const Ruleset&, const Ruleset&) = default;
};

constexpr void for_each_field(std::type_identity<Ruleset>, const auto& visit) {
  visit(SWEEPD_FIELD(Ruleset, name).in({0, kNameBytesMax}).outside_rules());
  visit(SWEEPD_FIELD(Ruleset, version).in({0, kNameBytesMax}).outside_rules());
}

/// A seat kept for one participant.
struct ParticipantSlot {
  std::string name;
  Role role = Role::kPlayer;
  collision::ObjectId first_id = 0;  ///< Both 0: the match gives the block.
  collision::ObjectId last_id = 0;   ///< Inclusive.
  friend bool operator==(const ParticipantSlot&, const ParticipantSlot&) = default;
};

Found check_block(const FieldIn<ParticipantSlot>& field);
Found check_block_end(const FieldIn<ParticipantSlot>& field);

constexpr void for_each_field(std::type_identity<ParticipantSlot>, const auto& visit) {
  visit(SWEEPD_FIELD(ParticipantSlot, name).outside_rules());  // Judged with those of all slots.
  visit(SWEEPD_FIELD(ParticipantSlot, role).digested());
  visit(SWEEPD_FIELD(ParticipantSlot, first_id).by(check_block).digested());
  visit(SWEEPD_FIELD(ParticipantSlot, last_id).by(check_block_end).digested());
}

/// Everything about a match that is settled before it starts.
struct MatchConfig {
  std::string name;
  std::vector<std::string> layers;
  std::vector<CollidingLayers> collides;
  ClockKind clock = ClockKind::kRealtime;
  std::uint32_t tick_rate_hz = 60;
  LateFramePolicy late_frames = LateFramePolicy::kSpread;
  std::uint32_t max_lead_ticks = 120;
  std::uint32_t max_late_ticks = 120;
  collision::Box playfield = collision::kWholeRange;
  std::uint32_t start_after_participants = 0;
  std::vector<ParticipantSlot> slots;
  std::uint32_t ids_per_participant = 1u << 20;
  std::uint32_t objects_per_participant_max = 20'000;
  std::uint32_t heartbeat_ticks = 6;
  collision::BroadphaseKind broadphase = collision::BroadphaseKind::kSweepAndPrune;
  SectorGridConfig sector_grid;
  std::uint32_t history_ticks = 120;
  ClaimRules claims = {};
  StageHandover stage_handover = StageHandover::kNone;
  std::vector<std::string> clearable_layers;  ///< See Selection.
  std::vector<ScoringRule> scoring;
  Ruleset ruleset;
  std::uint64_t seed = 0;         ///< Without effect here.
  std::vector<MaskConfig> masks;  ///< A part names one by its place here.
  LockstepConfig lockstep = {};
  ClockWaits waits = {};
  std::vector<RoleLimits> limits = {};           ///< At most one for each role.
  std::vector<LayerLimits> layer_limits = {};    ///< At most one for each layer.
  RoleSet clock_control_roles = {Role::kStage};  ///< Who may pause the match and change its rate.
  /// How long the seat of a participant whose connection broke is kept. Long enough to get over a network
  /// that changes, short enough that a ship without its player does not stand in the others' way for long.
  std::uint32_t reconnect_ticks = 300;
  std::uint32_t retained_ticks = 600;          ///< How much of the log is kept for streams that resume.
  std::vector<ObjectTemplate> templates = {};  ///< A spawn names one by its place here, from 1 on.
  Budgets budgets = {};
  Permissions permissions = {};
  std::vector<VisibilityRule> visibility = {};  ///< Empty: all participants see all.
  std::uint32_t observer_delay_ticks = 0;       ///< Observers are told all so late.
  bool object_tags = false;                     ///< Objects keep the tags of their spawns.
  std::uint32_t app_messages_per_second = 0;    ///< Of each participant: see AppMessage. 0: none.
  bool app_messages_recorded = false;           ///< They are in the match's log.
  friend bool operator==(const MatchConfig&, const MatchConfig&) = default;
};

Found check_layers(const FieldIn<MatchConfig>& field);
Found check_collides(const FieldIn<MatchConfig>& field);
Found check_clearable_layers(const FieldIn<MatchConfig>& field);
Found check_playfield(const FieldIn<MatchConfig>& field);
Found check_slots(const FieldIn<MatchConfig>& field);
Found check_start(const FieldIn<MatchConfig>& field);
Found check_masks(const FieldIn<MatchConfig>& field);

constexpr void for_each_field(std::type_identity<MatchConfig>, const auto& visit) {
  visit(SWEEPD_FIELD(MatchConfig, name).in({0, 128}).outside_rules());
  visit(SWEEPD_FIELD(MatchConfig, layers).by(check_layers).digested());
  visit(SWEEPD_FIELD(MatchConfig, collides).by(check_collides).digested());
  visit(SWEEPD_FIELD(MatchConfig, clearable_layers).by(check_clearable_layers).digested());
  visit(SWEEPD_FIELD(MatchConfig, clock));
  visit(SWEEPD_FIELD(MatchConfig, tick_rate_hz).in(kTickRateRangeHz));
  visit(SWEEPD_FIELD(MatchConfig, lockstep));
  visit(SWEEPD_FIELD(MatchConfig, waits));
  visit(SWEEPD_FIELD(MatchConfig, clock_control_roles));
  visit(SWEEPD_FIELD(MatchConfig, permissions));
  visit(SWEEPD_FIELD(MatchConfig, heartbeat_ticks).in({1, 3600}).outside_rules());
  visit(SWEEPD_FIELD(MatchConfig, late_frames).digested());
  visit(SWEEPD_FIELD(MatchConfig, max_lead_ticks).in({0, 3600}).digested());
  visit(SWEEPD_FIELD(MatchConfig, max_late_ticks).in({0, 3600}).digested());
  visit(SWEEPD_FIELD(MatchConfig, reconnect_ticks).in({0, 36'000}));
  visit(SWEEPD_FIELD(MatchConfig, retained_ticks).in({0, 36'000}).outside_rules());
  visit(SWEEPD_FIELD(MatchConfig, playfield).by(check_playfield).digested());
  visit(SWEEPD_FIELD(MatchConfig, slots).by(check_slots).digested());
  visit(SWEEPD_FIELD(MatchConfig, ids_per_participant).in({16, kIdsPerParticipantMax}).digested());
  visit(SWEEPD_FIELD(MatchConfig, objects_per_participant_max).in({1, 100'000}).digested());
  visit(SWEEPD_FIELD(MatchConfig, start_after_participants).in({0, kParticipantsMax}).by(check_start));
  visit(SWEEPD_FIELD(MatchConfig, stage_handover).digested());
  visit(SWEEPD_FIELD(MatchConfig, scoring).in({0, 64}).digested());
  visit(SWEEPD_FIELD(MatchConfig, limits).by(check_role_limits).digested());
  visit(SWEEPD_FIELD(MatchConfig, layer_limits).by(check_layer_limits).digested());
  visit(SWEEPD_FIELD(MatchConfig, budgets));
  visit(SWEEPD_FIELD(MatchConfig, ruleset).outside_rules());
  visit(SWEEPD_FIELD(MatchConfig, broadphase).outside_rules());
  visit(SWEEPD_FIELD(MatchConfig, sector_grid).outside_rules());
  visit(SWEEPD_FIELD(MatchConfig, claims).digested());
  visit(SWEEPD_FIELD(MatchConfig, history_ticks).in({0, kHistoryTicksMax}).digested());
  visit(SWEEPD_FIELD(MatchConfig, masks).by(check_masks).digested());
  visit(SWEEPD_FIELD(MatchConfig, templates).by(check_templates).digested().since_format(3));
  visit(SWEEPD_FIELD(MatchConfig, visibility).by(check_visibility));
  visit(SWEEPD_FIELD(MatchConfig, observer_delay_ticks).in({0, 3600}).by(check_observer_delay));
  visit(SWEEPD_FIELD(MatchConfig, object_tags).since_format(10).outside_rules());
  visit(SWEEPD_FIELD(MatchConfig, app_messages_per_second).in({0, 240}).outside_rules());
  visit(SWEEPD_FIELD(MatchConfig, app_messages_recorded).digested_as(30).since_format(10).outside_rules());
  visit(SWEEPD_FIELD(MatchConfig, seed).outside_rules());
}

/// The first field at fault, or nothing.
std::optional<FieldError> find_error(const MatchConfig& config);

}  // namespace sweepd::match
