// SPDX-License-Identifier: MIT
#include "runtime/match/match_monitor.h"

#include <optional>
#include <utility>

#include "runtime/feed/reason_names.h"
#include "runtime/telemetry/log.h"

namespace sweepd::runtime {
namespace {

std::string_view name_of(match::ClockKind clock) {
  switch (clock) {
    case match::ClockKind::kRealtime:
      return "REALTIME";
    case match::ClockKind::kLockstep:
      return "LOCKSTEP";
    case match::ClockKind::kManual:
      break;
  }
  return "MANUAL";
}

std::string_view name_of(match::Role role) {
  switch (role) {
    case match::Role::kPlayer:
      return "PLAYER";
    case match::Role::kStage:
      return "STAGE";
    case match::Role::kObserver:
      break;
  }
  return "OBSERVER";
}

/// A gauge that many matches have a part in.
void change(OwnCount& sum, std::size_t& part, std::size_t to) {
  sum.add(to);
  sum.subtract(std::exchange(part, to));
}

}  // namespace

MatchMonitor::MatchMonitor(LoopFigures& figures, const match::Match& match, MatchId id)
    : figures_(&figures), match_(match), id_(std::move(id)), lateness_(match.lateness()) {}

MatchMonitor::~MatchMonitor() {
  note_state(MatchState::kEnded);
  note_kept({});
}

void MatchMonitor::began(MatchState state, bool is_back) {
  figures_->matches_created.add();
  note_state(state);
  figures_->match_lines.log(LogLevel::kInfo, is_back ? "match goes on from the journal" : "match created",
                            {{"match_id", id_},
                             {"clock", name_of(match_.config().clock)},
                             {"tick_rate_hz", match_.config().tick_rate_hz},
                             {"tick", match_.tick()}});
}

void MatchMonitor::note_state(MatchState state) {
  if (state_ != MatchState::kEnded) figures_->matches[static_cast<std::size_t>(state_)].subtract(1);
  state_ = state;
  if (state_ != MatchState::kEnded) figures_->matches[static_cast<std::size_t>(state_)].add();
}

void MatchMonitor::waited_in_vain(match::StartTimeout outcome) {
  const bool ends = outcome == match::StartTimeout::kEndMatch;
  figures_->match_lines.log(
      LogLevel::kInfo,
      ends ? "match ends: too few participants in time" : "match waits no longer for participants",
      {{"match_id", id_}, {"tick", match_.tick()}});
}

void MatchMonitor::ended(EndCause cause) {
  figures_->refused_participants.note_end(id_);
  figures_->matches_ended.add();
  figures_->matches_ended_for[static_cast<std::size_t>(cause)].add();
  note_state(MatchState::kEnded);
  figures_->match_lines.log(is_over_budget(cause) ? LogLevel::kWarning : LogLevel::kInfo, "match ended",
                            {{"match_id", id_},
                             {"ticks", match_.tick()},
                             {"events", match_.last_sequence_number()},
                             {"cause", name_of(cause)}});
}

void MatchMonitor::move_to(LoopFigures& figures) {
  const MatchState state = state_;
  const KeptByMatch kept = kept_;
  note_state(MatchState::kEnded);
  note_kept({});
  figures_->matches_moved.add();
  figures_ = &figures;
  note_state(state);
  note_kept(kept);
}

void MatchMonitor::joined(const match::Participant& participant) {
  figures_->participant_lines.log(LogLevel::kInfo, "participant joined",
                                  {{"match_id", id_},
                                   {"participant", participant.number},
                                   {"name", participant.name},
                                   {"role", name_of(participant.role)},
                                   {"tick", match_.tick()}});
}

void MatchMonitor::came_back(match::ParticipantNumber number) {
  figures_->participant_lines.log(LogLevel::kInfo, "participant is back",
                                  {{"match_id", id_}, {"participant", number}, {"tick", match_.tick()}});
}

void MatchMonitor::is_away(match::ParticipantNumber number) {
  figures_->participant_lines.log(LogLevel::kInfo, "participant is away",
                                  {{"match_id", id_}, {"participant", number}, {"tick", match_.tick()}});
}

void MatchMonitor::left(std::span<const match::ParticipantNumber> numbers) {
  for (const match::ParticipantNumber number : numbers) {
    figures_->participant_lines.log(LogLevel::kInfo, "participant left",
                                    {{"match_id", id_}, {"participant", number}, {"tick", match_.tick()}});
  }
}

void MatchMonitor::took(const match::TickOutput& output) {
  figures_->events.add(output.events.size());
  for (const match::ClaimVerdict& verdict : output.claim_verdicts) {
    figures_->claims[static_cast<std::size_t>(verdict.verdict)].add();
  }
  note_lateness();
  took_refusals(output);
}

void MatchMonitor::note_lateness() {
  const match::Lateness before = std::exchange(lateness_, match_.lateness());
  figures_->late_frames.add(lateness_.late_frames - before.late_frames);
  figures_->bunched_frames.add(lateness_.bunched_frames - before.bunched_frames);
}

void MatchMonitor::took_refusals(const match::TickOutput& output) {
  for (const match::Rejection& rejection : output.rejections) {
    figures_->rejections[static_cast<std::size_t>(rejection.reason)].add();
  }
  for (const match::UnlistedRejections& unlisted : output.rejections_not_listed) {
    figures_->rejections_not_listed.add(unlisted.count);
  }
  if (output.rejections.empty()) return;
  note_refused(output);
  if (is_logged(LogLevel::kDebug)) log_rejections(output);
}

/// They are listed by participant.
void MatchMonitor::note_refused(const match::TickOutput& output) {
  std::optional<match::ParticipantNumber> last;
  for (const match::Rejection& rejection : output.rejections) {
    if (std::exchange(last, rejection.participant) == rejection.participant) continue;
    const auto participant = match_.find_participant(rejection.participant);
    if (participant) figures_->refused_participants.note(id_, participant->number, participant->rejections);
  }
}

void MatchMonitor::log_rejections(const match::TickOutput& output) const {
  const match::BrokenRule none;
  for (const match::Rejection& rejection : output.rejections) {
    const match::BrokenRule& broken = rejection.broken_rule ? *rejection.broken_rule : none;
    figures_->rejection_lines.log(LogLevel::kDebug, "change refused",
                                  {{"match_id", id_},
                                   {"participant", rejection.participant},
                                   {"tick", rejection.tick},
                                   {"frame_tick", rejection.frame_tick},
                                   {"reason", runtime::name_of(rejection.reason)},
                                   {"field", rejection.field},
                                   {"object", rejection.object},
                                   {"rule", broken.rule},
                                   {"template", broken.template_name},
                                   {"description", rejection.message}});
  }
}

void MatchMonitor::note_kept(const KeptByMatch& kept) {
  change(figures_->events_kept, kept_.events, kept.events);
  change(figures_->frames_waiting, kept_.frames_waiting, kept.frames_waiting);
  change(figures_->sight_bytes, kept_.sight_bytes, kept.sight_bytes);
}

}  // namespace sweepd::runtime
