// SPDX-License-Identifier: MIT
#include "rpc/config_codec.h"

#include <string>
#include <utility>

#include "rpc/claim_codec.h"
#include "rpc/clock_codec.h"
#include "rpc/limits_codec.h"
#include "rpc/outcome_codec.h"
#include "rpc/scoring_codec.h"
#include "rpc/shape_codec.h"

namespace sweepd::rpc {
namespace {

using collision::BroadphaseKind;
using match::ClockKind;
using match::FieldError;
using match::LateFramePolicy;

template <typename Enum>
std::optional<Enum> decode_enum(int number, int known_max, Enum fallback) {
  if (number < 0 || number > known_max) return std::nullopt;
  return number == 0 ? fallback : static_cast<Enum>(number);
}

static_assert(static_cast<int>(LateFramePolicy::kDrop) == v1::LATE_FRAME_POLICY_DROP);

FieldError unknown_enumerator(std::string field, int number) {
  return {std::move(field), "unknown value " + std::to_string(number)};
}

/// The contract's numbers are not the world's.
struct BroadphaseName {
  v1::BroadphaseKind message;
  BroadphaseKind kind;
};
constexpr BroadphaseName kBroadphases[] = {
    {v1::BROADPHASE_KIND_SWEEP_AND_PRUNE, BroadphaseKind::kSweepAndPrune},
    {v1::BROADPHASE_KIND_BRUTE_FORCE, BroadphaseKind::kBruteForce},
    {v1::BROADPHASE_KIND_SECTOR_GRID, BroadphaseKind::kSectorGrid},
    {v1::BROADPHASE_KIND_APPROACH, BroadphaseKind::kApproach},
};

std::optional<BroadphaseKind> decode_broadphase(v1::BroadphaseKind message) {
  if (message == v1::BROADPHASE_KIND_UNSPECIFIED) return BroadphaseKind::kSweepAndPrune;
  for (const BroadphaseName& name : kBroadphases) {
    if (name.message == message) return name.kind;
  }
  return std::nullopt;
}

v1::BroadphaseKind encode_broadphase(BroadphaseKind kind) {
  for (const BroadphaseName& name : kBroadphases) {
    if (name.kind == kind) return name.message;
  }
  return v1::BROADPHASE_KIND_UNSPECIFIED;
}

std::optional<FieldError> decode_enums(const v1::MatchConfig& message, match::MatchConfig& config) {
  const auto clock = decode_enum(message.clock(), v1::ClockKind_MAX, ClockKind::kRealtime);
  if (!clock) return unknown_enumerator("clock", message.clock());
  const auto late = decode_enum(message.late_frames(), v1::LateFramePolicy_MAX, LateFramePolicy::kApplyNext);
  if (!late) return unknown_enumerator("late_frames", message.late_frames());
  const auto broadphase = decode_broadphase(message.broadphase());
  if (!broadphase) return unknown_enumerator("broadphase", message.broadphase());
  config.broadphase = *broadphase;
  config.clock = *clock;
  config.late_frames = *late;
  return std::nullopt;
}

std::optional<FieldError> decode_slots(const v1::MatchConfig& message, match::MatchConfig& config) {
  for (int i = 0; i < message.slots_size(); ++i) {
    const v1::ParticipantSlot& slot = message.slots(i);
    const auto role = decode_role(slot.role());
    if (!role) {
      return FieldError{"slots[" + std::to_string(i) + "].role",
                        "PLAYER, STAGE or OBSERVER is required, not " + std::to_string(slot.role())};
    }
    config.slots.push_back({slot.name(), *role, slot.first_id(), slot.last_id()});
  }
  return std::nullopt;
}

/// In LOCKSTEP whoever waits for the ticks to send the next frames must see each of them.
constexpr std::uint32_t kLockstepHeartbeatTicks = 1;

std::optional<FieldError> decode_clock(const v1::MatchConfig& message, match::MatchConfig& config) {
  if (config.clock == ClockKind::kLockstep) config.heartbeat_ticks = kLockstepHeartbeatTicks;
  const auto lockstep = decode_lockstep(message.lockstep());
  if (!lockstep.ok()) return lockstep.error();
  config.lockstep = *lockstep;
  if (!message.has_clock_control_roles()) return std::nullopt;
  const auto roles = decode_roles(message.clock_control_roles(), "clock_control_roles");
  if (!roles.ok()) return roles.error();
  config.clock_control_roles = *roles;
  return std::nullopt;
}

void replace_if_given(std::uint32_t& value, std::uint32_t given) {
  if (given != 0) value = given;
}

}  // namespace

std::optional<match::Role> decode_role(v1::Role role) {
  if (role < v1::ROLE_PLAYER || role > v1::ROLE_OBSERVER) return std::nullopt;
  return static_cast<match::Role>(role);
}

v1::Role encode_role(match::Role role) { return static_cast<v1::Role>(role); }

base::Result<match::MatchConfig, FieldError> decode_config(const v1::MatchConfig& message) {
  match::MatchConfig config;
  config.name = message.name();
  config.layers.assign(message.layers().begin(), message.layers().end());
  if (auto error = decode_enums(message, config)) return *std::move(error);
  if (auto error = decode_clock(message, config)) return *std::move(error);
  if (auto error = decode_slots(message, config)) return *std::move(error);
  if (auto error = decode_shape_config(message, config)) return *std::move(error);
  if (auto error = decode_outcome_config(message, config)) return *std::move(error);
  if (auto error = decode_scoring(message, config)) return *std::move(error);
  if (auto error = decode_limits(message, config)) return *std::move(error);
  replace_if_given(config.tick_rate_hz, message.tick_rate_hz());
  if (message.has_max_lead_ticks()) config.max_lead_ticks = message.max_lead_ticks();
  if (message.has_max_late_ticks()) config.max_late_ticks = message.max_late_ticks();
  if (auto error = decode_claim_rules(message.claims(), config.claims)) return *std::move(error);
  if (message.has_history_ticks()) config.history_ticks = message.history_ticks();
  if (message.has_playfield()) {
    const v1::Box& box = message.playfield();
    config.playfield = {box.min_x(), box.min_y(), box.max_x(), box.max_y()};
  }
  config.start_after_participants = message.start_after_participants();
  replace_if_given(config.ids_per_participant, message.ids_per_participant());
  replace_if_given(config.objects_per_participant_max, message.objects_per_participant_max());
  replace_if_given(config.heartbeat_ticks, message.heartbeat_ticks());
  if (message.has_reconnect_ticks()) config.reconnect_ticks = message.reconnect_ticks();
  if (message.has_retained_ticks()) config.retained_ticks = message.retained_ticks();
  return config;
}

void encode_config(const match::MatchConfig& config, v1::MatchConfig& message) {
  message.set_name(config.name);
  for (const std::string& layer : config.layers) message.add_layers(layer);
  message.set_clock(static_cast<v1::ClockKind>(config.clock));
  message.set_tick_rate_hz(config.tick_rate_hz);
  message.set_late_frames(static_cast<v1::LateFramePolicy>(config.late_frames));
  message.set_max_lead_ticks(config.max_lead_ticks);
  message.set_max_late_ticks(config.max_late_ticks);
  message.set_history_ticks(config.history_ticks);
  encode_claim_rules(config.claims, *message.mutable_claims());
  v1::Box& playfield = *message.mutable_playfield();
  playfield.set_min_x(config.playfield.min_x);
  playfield.set_min_y(config.playfield.min_y);
  playfield.set_max_x(config.playfield.max_x);
  playfield.set_max_y(config.playfield.max_y);
  message.set_start_after_participants(config.start_after_participants);
  for (const match::ParticipantSlot& slot : config.slots) {
    auto* slot_message = message.add_slots();
    slot_message->set_name(slot.name);
    slot_message->set_role(encode_role(slot.role));
    slot_message->set_first_id(slot.first_id);
    slot_message->set_last_id(slot.last_id);
  }
  message.set_ids_per_participant(config.ids_per_participant);
  message.set_objects_per_participant_max(config.objects_per_participant_max);
  message.set_heartbeat_ticks(config.heartbeat_ticks);
  message.set_reconnect_ticks(config.reconnect_ticks);
  message.set_retained_ticks(config.retained_ticks);
  message.set_broadphase(encode_broadphase(config.broadphase));
  encode_shape_config(config, message);
  encode_outcome_config(config, message);
  encode_limits(config, message);
  encode_lockstep(config.lockstep, *message.mutable_lockstep());
  encode_roles(config.clock_control_roles, *message.mutable_clock_control_roles());
  encode_scoring(config, message);
}

}  // namespace sweepd::rpc
