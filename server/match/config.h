// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collision/world.h"
#include "match/claims/claim_rules.h"
#include "match/clock_config.h"
#include "match/field_check.h"
#include "match/limits_config.h"
#include "match/role.h"
#include "match/scoring_config.h"
#include "match/shape_config.h"

namespace sweepd::match {

enum class LateFramePolicy : std::uint8_t { kApplyNext = 1, kDrop = 2 };

inline constexpr std::uint32_t kParticipantsMax = 64;  ///< At once, players and stages.
inline constexpr std::uint32_t kObserversMax = 64;     ///< At once.
inline constexpr std::uint32_t kNameBytesMax = 64;
inline constexpr std::uint32_t kMatchNameBytesMax = 128;
inline constexpr std::uint32_t kCollidingPairsMax = collision::kLayersMax * (collision::kLayersMax + 1) / 2;
inline constexpr std::uint32_t kIdsPerParticipantMax = 1u << 24;
inline constexpr std::uint32_t kHistoryTicksMax = 3600;
inline constexpr std::uint32_t kReconnectTicksMax = 36'000;
inline constexpr std::uint32_t kRetainedTicksMax = 36'000;

/// Two layers that collide, in either order, and what their contact does; see collision::ContactRule.
struct CollidingLayers {
  std::string layer_a = {};
  std::string layer_b = {};
  bool sensor = false;
  std::uint32_t damage_interval_ticks = 0;  ///< At most 3600.
  /// Contact does nothing, as of a sensor, but a claim that is confirmed strikes (ClaimPolicy::kEnforce).
  bool by_claims = false;
  bool has_rule() const { return sensor || by_claims || damage_interval_ticks != 0; }
  friend bool operator==(const CollidingLayers&, const CollidingLayers&) = default;
};

/// What becomes of the objects of who acts as the stage, and leaves.
enum class StageHandover : std::uint8_t {
  kNone = 1,  ///< They leave, too.
  kLowestNumber =
      2,  ///< They go to whoever else acts as a stage, or else to a player: of several, the lowest.
};

/// The rules of the game, as it names them.
struct Ruleset {
  std::string name = {};
  std::string version = {};
  friend bool operator==(const Ruleset&, const Ruleset&) = default;
};

/// A seat kept for one participant.
struct ParticipantSlot {
  std::string name;
  Role role = Role::kPlayer;
  collision::ObjectId first_id = 0;  ///< Both 0: the match gives the block.
  collision::ObjectId last_id = 0;   ///< Inclusive.
};

/// Everything about a match that is settled before it starts.
struct MatchConfig {
  std::string name;
  std::vector<std::string> layers;
  std::vector<CollidingLayers> collides;
  ClockKind clock = ClockKind::kRealtime;
  std::uint32_t tick_rate_hz = 60;  ///< In kTickRateRangeHz.
  LateFramePolicy late_frames = LateFramePolicy::kApplyNext;
  std::uint32_t max_lead_ticks = 120;  ///< 0 to 3600.
  std::uint32_t max_late_ticks = 120;  ///< 0 to 3600.
  collision::Box playfield = collision::kWholeRange;
  std::uint32_t start_after_participants = 0;  ///< 0 to kParticipantsMax.
  std::vector<ParticipantSlot> slots;
  std::uint32_t ids_per_participant = 1u << 20;        ///< 16 to 2^24.
  std::uint32_t objects_per_participant_max = 20'000;  ///< 1 to 100,000.
  std::uint32_t heartbeat_ticks = 6;                   ///< 1 to 3600.
  collision::BroadphaseKind broadphase = collision::BroadphaseKind::kSweepAndPrune;
  SectorGridConfig sector_grid;
  std::uint32_t history_ticks = 120;  ///< 0 to kHistoryTicksMax.
  ClaimRules claims = {};
  StageHandover stage_handover = StageHandover::kNone;
  std::vector<std::string> clearable_layers;  ///< See Selection. At most kLayersMax.
  std::vector<ScoringRule> scoring;           ///< At most kScoringRulesMax.
  Ruleset ruleset;
  std::uint64_t seed = 0;         ///< Without effect here.
  std::vector<MaskConfig> masks;  ///< At most collision::kMasksMax. A part names one by its place here.
  LockstepConfig lockstep = {};
  std::vector<RoleLimits> limits = {};           ///< At most one for each role.
  std::vector<LayerLimits> layer_limits = {};    ///< At most one for each layer.
  RoleSet clock_control_roles = {Role::kStage};  ///< Who may pause the match and change its rate.
  /// How long the seat of a participant whose connection broke is kept; 0 to 36,000. Long enough to get over
  /// a network that changes, short enough that a ship nobody steers does not stand in the others' way for
  /// long.
  std::uint32_t reconnect_ticks = 300;
  std::uint32_t retained_ticks = 600;  ///< How much of the log is kept for who comes back; 0 to 36,000.
};

/// The first field at fault, or nothing.
std::optional<FieldError> find_error(const MatchConfig& config);

}  // namespace sweepd::match
