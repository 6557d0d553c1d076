// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sweepd/stream.h"
#include "sweepd/types.h"

namespace sweepd {

namespace internal {
class Subscription;
}

/// What is told of a match: what a Session and a Watcher have in common.
class MatchFeed {
 public:
  /// The match when its stream began. Empty until then.
  std::optional<MatchInfo> match() const;
  /// The last tick of which everything has been received (polled or not). It goes back only when the server
  /// died: see Reconnection::undone.
  Tick tick() const;
  /// The match's digest after `digest_tick()`; 0: none was told. Where rules of visibility hide something
  /// from the participant, none is until the match has ended.
  std::uint64_t digest() const;
  /// `tick()`, but where digests are asked for more seldom than updates (EventFilter::digest_every_ticks):
  /// then the last tick of which the digest has been told.
  Tick digest_tick() const;
  /// Up to this tick the match survives the death of its server: see MatchInfo::durable_tick. What follows
  /// from later ticks (a prize, say) is better given once this has passed them. It does not go back.
  Tick durable_tick() const;
  /// Why the match ended; kNone until kEnded.
  EndReason end_reason() const;
  /// The match's clock as last heard of.
  ClockState clock() const;
  /// How long nothing has come from the server: at most about half a second as long as the link is sound,
  /// whether ticks run or not. It goes on while reconnecting. 0 before the stream began and after its end. A
  /// game may show it, or stop predicting by it; the SDK acts on it by itself
  /// (ReconnectOptions::silence_max).
  std::chrono::milliseconds silent_for() const;
  /// The score after `tick()` of each participant that is in the match, as far as there are scoring rules. Of
  /// those that left MatchInfo::scores has it.
  std::vector<Score> scores() const;
  /// Participants that are away, as last heard of: numbers, ascending.
  std::vector<ParticipantNumber> participants_away() const;

  /// The next event of the log, in order, or nothing now.
  std::optional<Event> poll_event();
  /// The next object of any owner that lost its last hit point, or nothing now. Of this and of the like of it
  /// below 16,384 wait to be polled; then the oldest go.
  std::optional<Destruction> poll_destruction();
  /// The next objects, or the stage, that went from one participant to another, or nothing now.
  std::optional<OwnerChange> poll_owner_change();
  /// The next message of another participant, or nothing now: see FrameAuthor::send_message.
  std::optional<AppMessage> poll_message();
  /// kLockstep: the next tick that ran by its deadline, with the participants that were late; or nothing now.
  std::optional<LateReport> poll_late();
  /// Stages, observers and watchers, where the match says so (ClaimPolicy): the next claim of another that
  /// was not confirmed; of one claimant and tick at most 64.
  std::optional<ClaimVerdict> poll_claim_warning();

  /// A snapshot that replaced events: the newest that has not been polled, or nothing.
  std::optional<EncounterSnapshot> poll_snapshot();
  /// The next gap in the log (WhenFull::kGap), or nothing now.
  std::optional<EventGap> poll_gap();
  /// The newest stays that have not been polled, or nothing.
  std::optional<Stays> poll_stays();

 protected:
  explicit MatchFeed(std::shared_ptr<internal::Subscription> subscription)
      : subscription_(std::move(subscription)) {}

 private:
  friend class WorldView;
  std::shared_ptr<internal::Subscription> subscription_;
};

}  // namespace sweepd
