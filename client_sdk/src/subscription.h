// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "inbox.h"
#include "recent.h"
#include "sweepd/session.h"
#include "sweepd/v1/match_service.pb.h"

namespace sweepd::internal {

/// What a stream has brought so far, where the stream's thread and the game's thread meet.
/// The state only goes forward: connecting, joined, then one of ended, failed and left, which stay.
class Subscription {
 public:
  explicit Subscription(std::size_t queued_max) : inbox_(queued_max) {}

  // From the stream's thread.

  /// False: too late, nobody waits for it any more.
  bool join(const v1::Match& match, const google::protobuf::RepeatedPtrField<v1::Encounter>& encounters,
            const v1::Participant* seat);
  /// An error ends the stream: the state is then kFailed with that error.
  Status update(const v1::TickUpdate& update);
  void end() { finish(SessionState::kEnded, {}); }

  // From any thread.

  /// The first end counts. False: it had come to an end before.
  bool fail(Status error) { return finish(SessionState::kFailed, std::move(error)); }
  bool fail_if_connecting(Status error);
  void leave() { finish(SessionState::kLeft, {}); }

  // From the game's thread.

  SessionState state() const { return state_.load(std::memory_order_acquire); }
  bool is_over() const { return state() != SessionState::kConnecting && state() != SessionState::kJoined; }
  Status error() const;
  std::optional<Participant> seat() const;
  std::optional<MatchInfo> match() const;
  std::vector<Encounter> encounters() const;
  Tick tick() const;
  std::uint64_t digest() const;
  std::uint64_t rejections_not_listed() const;
  ClockState clock() const;
  std::vector<Score> scores() const;
  Inbox& inbox() { return inbox_; }
  std::optional<LateReport> take_late() { return late_.take(); }
  std::optional<Destruction> take_destruction() { return destructions_.take(); }
  std::optional<OwnerChange> take_owner_change() { return owner_changes_.take(); }

 private:
  bool finish(SessionState state, Status error);
  Status take(const v1::TickUpdate& update);
  void set_score(const Score& score);
  void take_outcomes(const v1::TickUpdate& update);
  Status check_sequence(const std::vector<Event>& events) const;

  std::atomic<SessionState> state_ = SessionState::kConnecting;
  Inbox inbox_;
  Recent<LateReport> late_;
  Recent<Destruction> destructions_;
  Recent<OwnerChange> owner_changes_;

  // The stream's thread alone.
  std::uint64_t last_sequence_number_ = 0;

  mutable std::mutex mutex_;  ///< Guards what follows, and changes of state_.
  Status error_;
  std::optional<Participant> seat_;
  std::optional<MatchInfo> match_;
  std::vector<Encounter> encounters_;
  Tick tick_ = 0;
  std::uint64_t digest_ = 0;
  ClockState clock_;
  std::uint64_t rejections_not_listed_ = 0;
  std::vector<Score> scores_;  ///< One of each participant.
};

}  // namespace sweepd::internal
