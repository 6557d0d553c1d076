// SPDX-License-Identifier: MIT
#include "session/match_codec.h"

#include <algorithm>
#include <limits>

#include "match/templates/template_refusal.h"
#include "session/clock_codec.h"
#include "wire/claim_codec.h"
#include "wire/config_codec.h"
#include "wire/scoring_codec.h"
#include "wire/shape_codec.h"

namespace sweepd::session {
namespace {

v1::MatchState encode_state(runtime::MatchState state) {
  switch (state) {
    case runtime::MatchState::kWaiting:
      return v1::MATCH_STATE_WAITING;
    case runtime::MatchState::kRunning:
      return v1::MATCH_STATE_RUNNING;
    case runtime::MatchState::kPaused:
      return v1::MATCH_STATE_PAUSED;
    case runtime::MatchState::kEnded:
      break;
  }
  return v1::MATCH_STATE_ENDED;
}

static_assert(static_cast<int>(runtime::EndCause::kStartTimeout) == v1::MATCH_END_REASON_START_TIMEOUT);

std::uint32_t microseconds(runtime::Duration time) {
  const std::int64_t us = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(us, 0, std::numeric_limits<std::uint32_t>::max()));
}

void encode_timing(const runtime::TickTimes& times, std::uint32_t loop, v1::TickTiming& message) {
  message.set_achieved_rate_hz(times.achieved_rate_hz);
  message.set_lateness_p50_us(microseconds(times.lateness_p50));
  message.set_lateness_p99_us(microseconds(times.lateness_p99));
  message.set_lateness_max_us(microseconds(times.lateness_max));
  message.set_duration_p50_us(microseconds(times.duration_p50));
  message.set_duration_p99_us(microseconds(times.duration_p99));
  message.set_ticks_skipped(times.ticks_skipped);
  message.set_loop(loop);
}

/// Those that are not 0, by reason.
void encode_rejection_counts(const match::RejectionCounts& counts, v1::Participant& message) {
  for (std::uint32_t number = 0; number < match::kRejectionReasonsEnd; ++number) {
    const std::uint64_t count = counts.of(static_cast<match::RejectionReason>(number));
    if (count == 0) continue;
    v1::RejectionCount& entry = *message.add_rejections_by_reason();
    entry.set_reason(static_cast<v1::RejectionReason>(number));
    entry.set_count(count);
  }
}

}  // namespace

void encode_match(const runtime::MatchHost& host, const Endpoint& endpoint, v1::Match& message) {
  const match::Match& match = host.match();
  message.set_match_id(host.id());
  wire::encode_config(match.config(), *message.mutable_config());
  message.set_state(encode_state(host.state()));
  message.set_tick(match.tick());
  message.set_digest(match.digest());
  message.set_events(match.last_sequence_number());
  message.set_objects(static_cast<std::uint32_t>(match.object_count()));
  message.set_open_encounters(static_cast<std::uint32_t>(match.encounter_count()));
  for (const match::Participant& participant : match.participants()) {
    v1::Participant& encoded = *message.add_participants();
    encode_participant(participant, match.config().templates, encoded);
    const auto delay = std::chrono::ceil<std::chrono::milliseconds>(host.delay_of(participant.number));
    encoded.set_delay_ms(static_cast<std::uint32_t>(delay.count()));
  }
  for (const match::Score& score : match.scoreboard().present())
    wire::encode_score(score, *message.add_scores());
  message.mutable_endpoint()->set_host(endpoint.host);
  message.mutable_endpoint()->set_port(endpoint.port);
  message.set_create_time_unix_ms(host.create_time_unix_ms());
  message.set_playfield_x(match.playfield_origin().x);
  message.set_playfield_y(match.playfield_origin().y);
  encode_clock_state(host.clock(), *message.mutable_clock());
  message.set_epoch(host.log().epoch());
  message.set_durable_tick(host.durable_tick());
  message.set_lost_ticks(host.lost_ticks());
  message.set_nonce(host.nonce());
  message.set_rules_digest(host.rules().digest);
  message.set_rules_name(host.rules().name);
  message.set_is_kept(host.is_kept());
  message.set_end_reason(static_cast<v1::MatchEndReason>(host.end_cause()));
  if (match.config().clock == match::ClockKind::kRealtime)
    encode_timing(host.tick_times(), endpoint.loop, *message.mutable_timing());
}

void encode_match_whole(const runtime::MatchHost& host, const Endpoint& endpoint, v1::Match& message) {
  encode_match(host, endpoint, message);
  wire::encode_mask_rows(host.match().config(), *message.mutable_config());
  encode_former(host, message);
}

void encode_former(const runtime::MatchHost& host, v1::Match& message) {
  for (const match::Participant& participant : host.match().former_participants())
    encode_participant(participant, host.match().config().templates, *message.add_former_participants());
  for (const match::Score& score : host.match().scoreboard().former())
    wire::encode_score(score, *message.add_scores());
}

void encode_broken_rule(const match::BrokenRule& broken, v1::BrokenRule& message) {
  message.set_rule(broken.rule);
  message.set_template_name(broken.template_name);
  message.set_found(broken.found);
  message.set_limit(broken.limit);
}

void encode_participant(const match::Participant& participant,
                        std::span<const match::ObjectTemplate> templates, v1::Participant& message) {
  message.set_number(participant.number);
  message.set_name(participant.name);
  message.set_role(wire::encode_role(participant.role));
  message.set_first_id(participant.first_id);
  message.set_last_id(participant.last_id);
  message.set_objects(participant.objects);
  message.set_rejections(participant.rejections);
  message.set_late_frames(participant.late_frames);
  message.set_late_ticks_max(participant.late_ticks_max);
  message.set_bunched_frames(participant.bunched_frames);
  message.set_acknowledged_tick(participant.acknowledged_tick);
  wire::encode_claim_counts(participant.claims, message);
  message.set_acts_as_stage(participant.acts_as_stage);
  message.set_frames_missed(participant.frames_missed);
  message.set_is_away(participant.is_away);
  encode_rejection_counts(participant.rejections_by_reason, message);
  for (const auto& [rule, count] : participant.template_refusals.by_rule()) {
    v1::TemplateRefusals& refusals = *message.add_template_refusals();
    encode_broken_rule(match::broken_rule_of(rule, count.last, templates), *refusals.mutable_broken_rule());
    refusals.set_count(count.count);
  }
}

void encode_encounter(const collision::Encounter& encounter, v1::Encounter& message) {
  message.set_object_a(encounter.key.object_a);
  message.set_object_b(encounter.key.object_b);
  message.set_layer_a(encounter.key.layer_a);
  message.set_layer_b(encounter.key.layer_b);
  message.set_part_a(encounter.parts.part_a);
  message.set_part_b(encounter.parts.part_b);
  message.set_since_tick(encounter.since_tick);
}

}  // namespace sweepd::session
