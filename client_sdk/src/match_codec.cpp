// SPDX-License-Identifier: MIT
#include "match_codec.h"

#include "claim_codec.h"
#include "clock_codec.h"
#include "limits_codec.h"
#include "outcome_codec.h"
#include "scoring_codec.h"
#include "shape_codec.h"
#include "subunits.h"

namespace sweepd::internal {
namespace {

MatchState decode(v1::MatchState state) {
  switch (state) {
    case v1::MATCH_STATE_WAITING:
      return MatchState::kWaiting;
    case v1::MATCH_STATE_ENDED:
      return MatchState::kEnded;
    case v1::MATCH_STATE_PAUSED:
      return MatchState::kPaused;
    default:
      return MatchState::kRunning;
  }
}

BroadphaseKind decode(v1::BroadphaseKind kind) {
  switch (kind) {
    case v1::BROADPHASE_KIND_BRUTE_FORCE:
      return BroadphaseKind::kBruteForce;
    case v1::BROADPHASE_KIND_SECTOR_GRID:
      return BroadphaseKind::kSectorGrid;
    case v1::BROADPHASE_KIND_APPROACH:
      return BroadphaseKind::kApproach;
    default:
      return BroadphaseKind::kSweepAndPrune;
  }
}

v1::BroadphaseKind encode(BroadphaseKind kind) {
  switch (kind) {
    case BroadphaseKind::kSweepAndPrune:
      return v1::BROADPHASE_KIND_SWEEP_AND_PRUNE;
    case BroadphaseKind::kBruteForce:
      return v1::BROADPHASE_KIND_BRUTE_FORCE;
    case BroadphaseKind::kSectorGrid:
      return v1::BROADPHASE_KIND_SECTOR_GRID;
    case BroadphaseKind::kApproach:
      return v1::BROADPHASE_KIND_APPROACH;
  }
  return v1::BROADPHASE_KIND_UNSPECIFIED;
}

void encode(const ParticipantSlot& slot, v1::ParticipantSlot* out) {
  out->set_name(slot.name);
  out->set_role(internal::encode(slot.role));
  out->set_first_id(slot.first_id);
  out->set_last_id(slot.last_id);
}

ParticipantSlot decode(const v1::ParticipantSlot& slot) {
  return {.name = slot.name(),
          .role = internal::decode(slot.role()),
          .first_id = slot.first_id(),
          .last_id = slot.last_id()};
}

}  // namespace

Checked encode(const MatchConfig& config, v1::MatchConfig* out) {
  if (config.playfield) {
    if (auto error = encode(*config.playfield, out->mutable_playfield())) {
      return std::move(*error).within("playfield").within("config");
    }
  }
  out->set_name(config.name);
  for (const std::string& layer : config.layers) out->add_layers(layer);
  encode_outcome(config, out);
  for (const ScoringRule& rule : config.scoring) encode(rule, out->add_scoring());
  out->set_clock(encode(config.clock));
  out->set_tick_rate_hz(config.tick_rate_hz);
  out->set_late_frames(config.late_frames == LateFramePolicy::kDrop ? v1::LATE_FRAME_POLICY_DROP
                                                                    : v1::LATE_FRAME_POLICY_APPLY_NEXT);
  out->set_max_lead_ticks(config.max_lead_ticks);
  out->set_max_late_ticks(config.max_late_ticks);
  out->set_history_ticks(config.history_ticks);
  if (auto error = encode(config.claims, out->mutable_claims())) return std::move(*error).within("config");
  out->set_start_after_participants(config.start_after_participants);
  for (const ParticipantSlot& slot : config.slots) encode(slot, out->add_slots());
  out->set_ids_per_participant(config.ids_per_participant);
  out->set_objects_per_participant_max(config.objects_per_participant_max);
  out->set_heartbeat_ticks(config.heartbeat_ticks);
  if (auto error = encode_limits(config, out)) return error;
  encode(config.lockstep, out->mutable_lockstep());
  if (config.clock_control_roles) encode(*config.clock_control_roles, out->mutable_clock_control_roles());
  out->set_reconnect_ticks(config.reconnect_ticks);
  out->set_retained_ticks(config.retained_ticks);
  out->set_broadphase(encode(config.broadphase));
  if (auto error = encode(config.sector_grid, out->mutable_sector_grid())) {
    return std::move(*error).within("sector_grid").within("config");
  }
  for (std::size_t i = 0; i < config.masks.size(); ++i) {
    if (auto error = encode(config.masks[i], out->add_masks())) {
      return std::move(*error).at(i).within("masks").within("config");
    }
  }
  return {};
}

MatchConfig decode(const v1::MatchConfig& config) {
  MatchConfig out;
  out.name = config.name();
  out.layers.assign(config.layers().begin(), config.layers().end());
  decode_outcome(config, &out);
  for (const auto& rule : config.scoring()) out.scoring.push_back(decode(rule));
  out.clock = decode(config.clock());
  out.tick_rate_hz = config.tick_rate_hz();
  out.late_frames = config.late_frames() == v1::LATE_FRAME_POLICY_DROP ? LateFramePolicy::kDrop
                                                                       : LateFramePolicy::kApplyNext;
  out.max_lead_ticks = config.max_lead_ticks();
  out.max_late_ticks = config.max_late_ticks();
  out.history_ticks = config.history_ticks();
  out.claims = decode(config.claims());
  if (config.has_playfield()) out.playfield = decode(config.playfield());
  out.start_after_participants = config.start_after_participants();
  for (const auto& slot : config.slots()) out.slots.push_back(decode(slot));
  out.ids_per_participant = config.ids_per_participant();
  out.objects_per_participant_max = config.objects_per_participant_max();
  out.heartbeat_ticks = config.heartbeat_ticks();
  decode_limits(config, &out);
  out.lockstep = decode(config.lockstep());
  out.clock_control_roles = decode(config.clock_control_roles());
  out.reconnect_ticks = config.reconnect_ticks();
  out.retained_ticks = config.retained_ticks();
  out.broadphase = decode(config.broadphase());
  out.sector_grid = decode(config.sector_grid());
  for (const auto& mask : config.masks()) out.masks.push_back(decode(mask));
  return out;
}

Participant decode(const v1::Participant& participant) {
  std::vector<RejectionCount> counts;
  for (const auto& count : participant.rejections_by_reason()) counts.push_back(decode(count));
  return {.number = participant.number(),
          .name = participant.name(),
          .role = decode(participant.role()),
          .first_id = participant.first_id(),
          .last_id = participant.last_id(),
          .objects = participant.objects(),
          .rejections = participant.rejections(),
          .late_frames = participant.late_frames(),
          .delay_ms = participant.delay_ms(),
          .claims = decode(participant.claims()),
          .acts_as_stage = participant.acts_as_stage(),
          .frames_missed = participant.frames_missed(),
          .is_away = participant.is_away(),
          .rejections_by_reason = std::move(counts)};
}

TickTiming decode(const v1::TickTiming& timing) {
  using std::chrono::microseconds;
  return {.achieved_rate_hz = timing.achieved_rate_hz(),
          .lateness_p50 = microseconds(timing.lateness_p50_us()),
          .lateness_p99 = microseconds(timing.lateness_p99_us()),
          .lateness_max = microseconds(timing.lateness_max_us()),
          .duration_p50 = microseconds(timing.duration_p50_us()),
          .duration_p99 = microseconds(timing.duration_p99_us()),
          .ticks_skipped = timing.ticks_skipped(),
          .loop = timing.loop()};
}

MatchInfo decode(const v1::Match& match) {
  MatchInfo out;
  out.match_id = match.match_id();
  out.config = decode(match.config());
  out.state = decode(match.state());
  out.tick = match.tick();
  out.digest = match.digest();
  out.events = match.events();
  out.objects = match.objects();
  out.open_encounters = match.open_encounters();
  for (const auto& participant : match.participants()) out.participants.push_back(decode(participant));
  out.endpoint = {.host = match.endpoint().host(), .port = match.endpoint().port()};
  for (const auto& score : match.scores()) out.scores.push_back(decode(score));
  out.playfield_origin = {to_units(match.playfield_x()), to_units(match.playfield_y())};
  out.clock = decode(match.clock());
  out.durable_tick = match.durable_tick();
  out.nonce = match.nonce();
  out.is_kept = match.is_kept();
  if (match.has_timing()) out.timing = decode(match.timing());
  return out;
}

}  // namespace sweepd::internal
