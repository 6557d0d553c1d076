// SPDX-License-Identifier: MIT
#include "replay/bundle_evidence.h"

namespace sweepd::replay {
namespace {

void encode(Tick tick, const match::ClaimVerdict& verdict, v1::BundleClaim& message) {
  message.set_tick(tick);
  message.set_claimant(verdict.claimant);
  message.set_number(verdict.claim.number);
  message.set_shot(verdict.claim.shot);
  message.set_target(verdict.claim.target);
  message.set_tick_seen(verdict.claim.tick_seen);
  message.set_tick_judged(verdict.tick_judged);
  message.set_verdict(static_cast<std::uint32_t>(verdict.verdict));
  message.set_tolerance(verdict.tolerance);
  if (verdict.evidence) message.set_margin(verdict.evidence->margin);
  if (verdict.delay_ticks) message.set_delay_ticks(*verdict.delay_ticks);
  if (verdict.window_ticks) message.set_window_ticks(*verdict.window_ticks);
  message.set_has_struck(verdict.has_struck);
}

void encode(const match::Participant& participant, v1::BundleParticipant& message) {
  message.set_number(participant.number);
  message.set_name(participant.name);
  message.set_role(static_cast<std::uint32_t>(participant.role));
  message.set_rejections(participant.rejections);
  message.set_late_frames(participant.late_frames);
  message.set_late_ticks_max(participant.late_ticks_max);
  message.set_bunched_frames(participant.bunched_frames);
  message.set_frames_missed(participant.frames_missed);
  for (const std::uint64_t count : participant.claims) message.add_claims(count);
}

}  // namespace

void add_claims(const Moment& moment, v1::BundleContent& content) {
  for (const match::ClaimVerdict& verdict : moment.claims)
    encode(moment.tick, verdict, *content.add_claims());
}

void add_participants(const Moment& moment, v1::BundleContent& content) {
  for (const match::Participant& participant : moment.participants) {
    encode(participant, *content.add_participants());
  }
}

}  // namespace sweepd::replay
