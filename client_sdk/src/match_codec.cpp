// SPDX-License-Identifier: MIT
#include "match_codec.h"

#include <cmath>

#include "claim_codec.h"
#include "clock_codec.h"
#include "event_decoder.h"
#include "scoring_codec.h"
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

EndReason decode(v1::MatchEndReason reason) {
  const bool is_known = reason >= 0 && reason <= v1::MATCH_END_REASON_START_TIMEOUT;
  return is_known ? static_cast<EndReason>(reason) : EndReason::kNone;
}

}  // namespace

Participant decode(const v1::Participant& participant) {
  std::vector<RejectionCount> counts;
  for (const auto& count : participant.rejections_by_reason()) {
    counts.push_back({.reason = reason_name(count.reason()), .count = count.count()});
  }
  std::vector<TemplateRefusals> refusals;
  for (const auto& refused : participant.template_refusals())
    refusals.push_back({.broken_rule = decode(refused.broken_rule()), .count = refused.count()});
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
          .rejections_by_reason = std::move(counts),
          .late_ticks_max = participant.late_ticks_max(),
          .bunched_frames = participant.bunched_frames(),
          .template_refusals = std::move(refusals)};
}

TickTiming decode(const v1::TickTiming& timing) {
  using std::chrono::microseconds;
  const double rate_hz = timing.achieved_rate_hz();
  return {.achieved_rate_hz = std::isfinite(rate_hz) && rate_hz > 0 ? rate_hz : 0,
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
  out.lost_ticks = match.lost_ticks();
  out.nonce = match.nonce();
  out.rules_digest = match.rules_digest();
  out.rules_name = match.rules_name();
  out.is_kept = match.is_kept();
  out.end_reason = decode(match.end_reason());
  if (match.has_timing()) out.timing = decode(match.timing());
  for (const auto& participant : match.former_participants())
    out.former_participants.push_back(decode(participant));
  return out;
}

}  // namespace sweepd::internal
