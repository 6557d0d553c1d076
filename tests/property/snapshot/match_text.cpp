// SPDX-License-Identifier: MIT
#include <sstream>

#include "property/snapshot/random_match.h"

namespace sweepd::property {

using namespace match;  // NOLINT: this file speaks of nothing else.

namespace {

void tell(std::ostream& text, const collision::Event& event) {
  const auto& [sequence_number, tick, kind, reason, key, parts, time, owners] = event;
  text << "event " << sequence_number << ' ' << tick << ' ' << static_cast<int>(kind) << ' '
       << static_cast<int>(reason) << ' ' << key.object_a << '/' << int{key.layer_a} << '/'
       << int{parts.part_a} << ' ' << key.object_b << '/' << int{key.layer_b} << '/' << int{parts.part_b}
       << " at " << time << " of " << int{owners.a} << '/' << int{owners.b} << '\n';
}

// Without the rule that was broken: snapshots keep what is told of it to people.
void tell(std::ostream& text, const Rejection& rejection) {
  const auto& [participant, tick, frame_tick, reason, field, object, message, broken_rule] = rejection;
  text << "rejection " << participant << ' ' << tick << ' ' << frame_tick << ' ' << static_cast<int>(reason)
       << ' ' << field << ' ' << object << ' ' << message << '\n';
}

void tell(std::ostream& text, const ClaimVerdict& found) {
  const auto& [claimant, claim, verdict, tick_judged, evidence, has_struck, delay_ticks, window_ticks,
               tolerance, pairs_measured] = found;
  text << "verdict " << claimant << ' ' << claim.number << ' ' << static_cast<int>(verdict) << ' '
       << tick_judged << ' ' << has_struck << ' ' << delay_ticks.value_or(-1u) << ' '
       << window_ticks.value_or(-1u) << ' ' << tolerance << ' ' << pairs_measured;
  if (evidence)
    text << ' ' << evidence->margin << ' ' << evidence->shot_box.min_x << ' ' << evidence->target_box.max_y;
  text << '\n';
}

void tell(std::ostream& text, const Participant& who) {
  text << "participant " << who.number << ' ' << who.name << ' ' << static_cast<int>(who.role) << ' '
       << who.first_id << ' ' << who.last_id << ' ' << who.objects << ' ' << who.rejections << ' '
       << who.late_frames << ' ' << who.acknowledged_tick << ' ' << who.acts_as_stage << ' '
       << who.frames_missed << ' ' << who.is_away;
  for (const std::uint64_t count : who.claims) text << ' ' << count;
  for (int reason = 1; reason < 30; ++reason) {
    text << ' ' << who.rejections_by_reason.of(static_cast<RejectionReason>(reason));
  }
  text << '\n';
}

void tell(std::ostream& text, const PastObject& object) {
  const auto& [id, owner, trajectory, is_disabled, parts] = object;
  text << "object " << id << ' ' << owner << ' ' << trajectory.position.x << ' ' << trajectory.position.y
       << ' ' << trajectory.motion.velocity.x << ' ' << trajectory.motion.acceleration.y << ' '
       << is_disabled;
  for (const collision::Part& part : parts) text << ' ' << int{part.layer} << ' ' << part.box.min_x;
  text << '\n';
}

std::string text_of_past(const Match& match, Tick tick) {
  std::ostringstream text;
  const PastWorld world = match.world_at(tick);
  for (const PastObject& object : world.objects()) tell(text, object);
  for (const collision::Encounter& open : match.encounters_at(tick)) {
    text << "open " << open.key.object_a << ' ' << open.key.object_b << ' ' << int{open.parts.part_a} << ' '
         << open.since_tick << '\n';
  }
  return text.str();
}

// One for each kind of facts.
void tell(std::ostream& text, const Destruction& destruction) {
  const auto& [what, owner, by_owner] = destruction;
  text << "destroyed " << what.object << " by " << what.by << ' ' << owner << ' ' << by_owner << '\n';
}
void tell(std::ostream& text, const OwnerChange& change) {
  text << "owner " << change.from << ' ' << change.to << ' ' << change.with_stage;
  for (const ObjectId object : change.objects) text << ' ' << object;
  text << '\n';
}
void tell(std::ostream& text, ParticipantNumber late) { text << "late " << late << '\n'; }
void tell(std::ostream& text, const ToldMessage& told) {
  const auto& [to, number, bytes] = told.message;
  text << "message " << told.from << ' ' << static_cast<int>(to) << ' ' << number << ' ' << bytes << '\n';
}

std::string text_of_present(const Match& match) {
  std::ostringstream text;
  text << match.tick() << ' ' << match.digest() << ' ' << match.last_sequence_number() << ' '
       << match.frames_are_in() << ' ' << match.ready_participants() << ' ' << match.playfield_origin().x
       << '\n';
  for (const Participant& participant : match.participants()) tell(text, participant);
  for (const Score& score : match.scoreboard().present()) text << score.name << ' ' << score.score << '\n';
  for (const Score& score : match.scoreboard().former()) text << score.name << ' ' << score.score << '\n';
  return text.str();
}

}  // namespace

std::string text_of(const TickOutput& output) {
  std::ostringstream text;
  text << output.tick << ' ' << output.digest << '\n';
  for (const auto& event : output.events) tell(text, event);
  for (const auto& rejection : output.rejections) tell(text, rejection);
  for_each_fact(
      [&text](const auto& facts) {
        for (const auto& fact : facts) tell(text, fact);
      },
      output);
  for (const auto& score : output.scores) {
    text << "score " << score.participant << ' ' << score.name << ' ' << score.score << ' ' << score.has_left
         << '\n';
  }
  for (const auto& verdict : output.claim_verdicts) tell(text, verdict);
  for (const auto& [participant, count] : output.rejections_not_listed) {
    text << "unlisted " << participant << ' ' << count << '\n';
  }
  return text.str();
}

std::vector<RandomMatch::Call> RandomMatch::questions(const Match& match) {
  std::vector<Call> calls = {text_of_present};
  const TickRange known = match.known_ticks();
  if (match.tick() == 0) return calls;
  for (const Tick tick : {known.first, known.last - random_.index(known.last - known.first + 1)}) {
    calls.push_back([tick](Match& to) { return text_of_past(to, tick); });
  }
  for (int i = 0; i < 3; ++i) {
    const Claimant claimant{.number = static_cast<ParticipantNumber>(random_.index(3)),
                            .arrival_tick = match.tick()};
    calls.push_back([claimant, asked = claim(match, claimant.number)](Match& to) {
      std::ostringstream text;
      tell(text, to.judge(claimant, asked));
      return text.str();
    });
  }
  return calls;
}

}  // namespace sweepd::property
