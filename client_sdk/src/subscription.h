// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "facts.h"
#include "inbox.h"
#include "recent.h"
#include "sweepd/session.h"
#include "sweepd/v1/match_service.pb.h"
#include "world_inbox.h"

namespace sweepd::internal {

struct SubscriptionLimits {
  std::size_t queued_max = 0;  ///< What may wait to be polled.
  bool is_filtered = false;    ///< The server holds events back: their numbers have gaps.
  Tick world_every_ticks = 0;  ///< WorldInterest::every_ticks; 0: the world is not asked for.
};

/// The first message of a stream.
struct SubscriptionStart {
  const v1::Match& match;
  const google::protobuf::RepeatedPtrField<v1::Encounter>& open_encounters;
  const v1::Participant* seat = nullptr;
  std::uint64_t epoch = 0;
  bool resumed = false;
  std::optional<Undone> undone = {};
  std::chrono::milliseconds heartbeat{0};  ///< The server sends something at least so often; 0: unknown.
};

/// What a stream has brought so far, where the stream's thread and the game's thread meet.
/// The state goes forward: connecting, joined (and reconnecting, and joined again), then one of ended, failed
/// and left, which stay.
class Subscription {
 public:
  explicit Subscription(SubscriptionLimits limits)
      : is_filtered_(limits.is_filtered),
        world_every_ticks_(limits.world_every_ticks),
        inbox_(limits.queued_max) {}

  // From the stream's thread.

  /// For the first time, or again as `reconnection` says. False: too late, it is not waited for any more.
  bool join(const SubscriptionStart& start, const Reconnection& reconnection);
  /// An error ends the stream: the state is then kFailed with that error.
  Status update(const v1::TickUpdate& update);
  /// A further participant has joined on the stream, or again.
  void add_seat(const v1::Participant& seat);
  void end(const v1::Match& match);
  /// A message has come, of any kind.
  void note_heard();
  /// The stream broke. False: it has not joined, or is over.
  bool set_reconnecting();
  /// Whether it has brought anything since the last call.
  bool take_progress() { return std::exchange(has_progress_, false); }
  /// Whether a snapshot of the world has come since the last call.
  bool take_world_beginning() { return std::exchange(has_world_begun_, false); }
  /// Where to go on; epoch 0 before the first join.
  void write_resume_point(v1::ResumePoint* out) const;
  /// Of the server's log; 0: it has not joined, or the server knows no resuming.
  std::uint64_t epoch() const { return epoch_; }
  /// Whether the match goes on after a restart of the server.
  bool is_kept() const { return is_kept_; }

  // From any thread.

  /// The first end counts. False: it had come to an end before.
  bool fail(Status error) { return finish(SessionState::kFailed, std::move(error)); }
  bool fail_if_connecting(Status error);
  void leave() { finish(SessionState::kLeft, {}); }

  // From the game's thread.

  SessionState state() const { return state_.load(std::memory_order_acquire); }
  /// Joined, be it that the stream is on its way back.
  bool has_joined() const {
    return state() == SessionState::kJoined || state() == SessionState::kReconnecting;
  }
  bool is_over() const { return state() != SessionState::kConnecting && !has_joined(); }
  /// Since something came. 0 before the first join and when it is over.
  std::chrono::milliseconds silent_for() const;
  Status error() const { return read(error_); }
  std::optional<Participant> seat(ParticipantNumber number) const;
  std::optional<MatchInfo> match() const { return read(match_); }
  std::vector<Encounter> encounters() const { return read(encounters_); }
  Tick tick() const { return read(tick_); }
  std::uint64_t digest() const { return read(digest_); }
  Tick digest_tick() const { return read(digest_tick_); }
  Tick durable_tick() const { return read(durable_tick_); }
  EndReason end_reason() const { return read(end_reason_); }
  std::uint64_t rejections_not_listed() const { return read(rejections_not_listed_); }
  ClockState clock() const { return read(clock_); }
  std::vector<ParticipantNumber> participants_away() const { return read(away_); }
  std::optional<EncounterSnapshot> take_snapshot();
  std::optional<Stays> take_stays();
  std::vector<Score> scores() const { return read(scores_); }
  Inbox& inbox() { return inbox_; }
  WorldInbox& world() { return world_; }
  Tick world_every_ticks() const { return world_every_ticks_; }
  void set_world_every_ticks(Tick ticks) { world_every_ticks_ = ticks; }
  std::optional<Reconnection> take_reconnection() { return reconnections_.take(); }
  std::optional<EventGap> take_gap() { return gaps_.take(); }
  template <typename Fact>
  std::optional<Fact> take() {
    return facts_.take<Fact>();
  }
  std::optional<ClaimVerdict> take_verdict() { return take(verdicts_); }
  std::optional<ClaimVerdict> take_warning() { return take(warnings_); }

 private:
  /// Guarded.
  template <typename T>
  T read(const T& value) const {
    const std::lock_guard lock(mutex_);
    return value;
  }
  struct ToldVerdict {
    ClaimVerdict verdict;
    Tick tick = 0;  ///< Of the update that told it.
  };
  static std::optional<ClaimVerdict> take(Recent<ToldVerdict>& verdicts) {
    std::optional<ToldVerdict> told = verdicts.take();
    return told ? std::optional(std::move(told->verdict)) : std::nullopt;
  }

  bool finish(SessionState state, Status error);
  /// A match has a bounded number of scores; one that the stream comes back to, without what came meanwhile,
  /// has come as far as was told.
  Status check_start(const SubscriptionStart& start) const;
  Status take(const v1::TickUpdate& update);
  bool set_score(const Score& score);
  void set_seat(const v1::Participant& seat);
  void take_outcomes(const v1::TickUpdate& update);
  /// Whether the events of an update follow the number `last`, which it then moves to the last they cover.
  Status check_sequence(const v1::TickUpdate& update, const std::vector<Event>& events,
                        std::uint64_t* last) const;
  Status take_state(const v1::TickUpdate& update);
  Status take_world(const v1::TickUpdate& update);
  void note_frames(const v1::FrameArrivals& columns);
  void begin_with(const SubscriptionStart& start);
  void undo(const Undone& undone, const SubscriptionStart& start);
  void set_scores(const v1::Match& match);
  Status put(Arrivals arrivals);

  bool is_filtered_;  ///< By itself, or by rules of visibility.
  std::atomic<Tick> world_every_ticks_;
  std::atomic<SessionState> state_ = SessionState::kConnecting;
  std::atomic<std::chrono::steady_clock::time_point> heard_at_{};
  Inbox inbox_;
  WorldInbox world_;
  Facts facts_;
  Recent<Reconnection> reconnections_;
  Recent<EventGap> gaps_;
  Recent<ToldVerdict> verdicts_;
  Recent<ToldVerdict> warnings_;

  // The stream's thread alone.
  std::uint64_t epoch_ = 0;
  bool is_kept_ = false;
  std::uint64_t last_sequence_number_ = 0;
  bool has_progress_ = false;
  std::uint64_t world_feed_id_ = 0;
  Tick world_tick_ = 0;  ///< Of the last that has come.
  bool has_world_begun_ = false;

  mutable std::mutex mutex_;  ///< Guards what follows, and changes of state_.
  Status error_;
  std::vector<Participant> seats_;  ///< One of each participant of the stream.
  std::optional<MatchInfo> match_;
  std::vector<Encounter> encounters_;
  Tick tick_ = 0;
  std::uint64_t digest_ = 0;
  Tick digest_tick_ = 0;
  Tick durable_tick_ = 0;
  EndReason end_reason_ = EndReason::kNone;
  ClockState clock_;
  std::uint64_t rejections_not_listed_ = 0;
  std::vector<Score> scores_;  ///< One of each participant, kScoresMax at most.
  std::vector<ParticipantNumber> away_;
  std::optional<EncounterSnapshot> snapshot_;  ///< The newest: it makes older ones history.
  std::optional<Stays> stays_;
};

}  // namespace sweepd::internal
