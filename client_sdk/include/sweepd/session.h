// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sweepd/status.h"
#include "sweepd/stream.h"
#include "sweepd/types.h"

namespace sweepd {

enum class SessionState {
  kConnecting,  ///< On its way; nothing can be spawned yet.
  kJoined,
  kReconnecting,  ///< The stream broke, and the SDK is bringing it back: see ReconnectOptions.
  kEnded,         ///< The match is over; the last events can still be polled.
  kFailed,        ///< `error()` says why; what was received before can still be polled.
  kLeft,          ///< `leave` was called.
};

/// A seat in a match, for the thread of the game loop. No call blocks: a thread of the SDK's own does the
/// talking.
///
///     if (session.state() == SessionState::kJoined) {
///       session.move(ship, {x, y});
///       session.end_frame();
///     }
///     while (auto event = session.poll_event()) { … }
///
/// Use each session from one thread; sessions of one client may be used from different threads.
///
/// Changes gather in the frame in progress until `end_frame` sends it. A change with a bad argument returns
/// an error and changes nothing. What the server refuses later comes back through `poll_rejection`. A frame's
/// changes apply by kind, not in the order of the calls: spawns, reshapes, layer changes, moves, teleports,
/// motions, freezes, releases, disables, enables, transfers, despawns, mass despawns, scroll. Of several
/// moves of one object in a frame the last one counts.
///
/// When the connection breaks, the SDK comes back by itself: to the same seat, with its objects, and to the
/// same place in the log (`poll_reconnection`). Meanwhile frames can still be ended; they wait, up to
/// frames_queued_max, and go out when the stream is back, where the match's rules for late frames hold for
/// them; those that name no tick then apply all in one. Frames that were on their way when it broke may be
/// lost, and apply once at most: what they spawned may not exist, and later changes of it come back as
/// rejections.
///
/// Incoming queues are bounded (JoinOptions): a game that stops polling for that long loses the session
/// (kFailed, kResourceExhausted) rather than events in the middle.
class Session {
 public:
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();  ///< Leaves at once: frames that are not on the wire yet are lost, unless other sessions share
               ///< the stream. While reconnecting, the seat is kept.

  SessionState state() const;
  /// Why the session failed; ok otherwise.
  Status error() const;
  /// The seat. Empty until joined.
  std::optional<Participant> participant() const;
  /// The match when this session joined it. Empty until joined.
  std::optional<MatchInfo> match() const;
  /// What was in contact when this session joined.
  std::vector<Encounter> encounters_at_join() const;
  /// The last tick of which everything has been received (polled or not). It goes back only when the server
  /// died: see Reconnection::undone.
  Tick tick() const;
  /// The match's digest after `digest_tick()`.
  std::uint64_t digest() const;
  /// `tick()`, but where digests are asked for more seldom than updates (EventFilter::digest_every_ticks):
  /// then the last tick of which the digest has been told.
  Tick digest_tick() const;
  /// Up to this tick the match survives the death of its server: see MatchInfo::durable_tick. What follows
  /// from later ticks (a prize, say) is better given once this has passed them. It does not go back.
  Tick durable_tick() const;
  /// The match's clock as last heard of.
  ClockState clock() const;

  /// The id is the new object's at once, without a round trip. The SDK hands out the ids of the block in
  /// order and begins again at the first when it has used the last, leaving out objects that it spawned and
  /// has not despawned. It does not see what the server removes by itself (time to live, playfield, used up,
  /// destroyed, cleared): despawning such an object is not needed, and its id comes again only after all the
  /// others of the block.
  Result<ObjectId> spawn(const ObjectSpec& spec);
  /// This and the changes below go to the server for any id but 0: it knows best who owns what.
  Status reshape(ObjectId id, const std::vector<Part>& parts);
  /// Without `part`: all parts.
  Status change_layer(ObjectId id, std::uint32_t layer, std::optional<std::uint32_t> part = std::nullopt);
  Status move(ObjectId id, Vec2 position);
  /// Without a way there: a continuous object meets nothing in between.
  Status teleport(ObjectId id, Vec2 position);
  Status set_motion(ObjectId id, const Motion& motion);
  /// Meets nobody until `until_tick`, the first tick in which it is judged again; 0: until enabled.
  Status disable(ObjectId id, Tick until_tick = 0);
  Status enable(ObjectId id);
  Status despawn(ObjectId id);

  /// A bomb: all of these despawn. At most 16 of these four together in a tick. What the session may not
  /// clear stays, without a rejection.
  Status despawn_all(const Selection& selection);
  /// They do not move by their motion until released; their times to live run.
  Status freeze(const Selection& selection);
  Status release(const Selection& selection);
  /// Objects go to another player or stage; without any, all of this session's. `with_stage`: this session's
  /// part as the stage goes along. Only for who acts as a stage.
  Status transfer(const std::vector<ObjectId>& ids, ParticipantNumber to, bool with_stage = false);
  /// Moves the playfield's origin to so far from where the config has it. Only for who acts as a stage.
  Status scroll_to(Vec2 origin);

  /// Claims that a shot of this session's hit `target`, as it was seen: see HitClaim. It goes with the frame
  /// in progress, and is judged against the ticks that are over when that applies; the verdict comes back by
  /// `poll_verdict` under the number that this returns.
  Result<std::uint32_t> claim_hit(ObjectId shot, ObjectId target, Tick tick_seen, double tolerance = 0);
  /// The same, with all there is to say. Its number is replaced.
  Result<std::uint32_t> claim_hit(HitClaim claim);

  /// Sends the frame in progress, even if empty, and begins the next. `tick` 0: for the server's next tick.
  /// kQueueFull: the frame stays in progress.
  Status end_frame(Tick tick = 0);

  /// Sends the frames in progress of all sessions of this stream that have joined, in one message: see
  /// `join_also`.
  Status end_frames(Tick tick = 0);

  /// Everybody's score after `tick()`, as far as there are scoring rules.
  std::vector<Score> scores() const;

  /// The next event of the log, in order, or nothing now.
  std::optional<Event> poll_event();
  /// The next object that lost its last hit point, whoever owned it, or nothing now. Of this and of the like
  /// of it below, who does not poll loses the oldest of more than 16,384.
  std::optional<Destruction> poll_destruction();
  /// The next objects, or the stage, that went from one participant to another, or nothing now.
  std::optional<OwnerChange> poll_owner_change();
  /// The verdict on the next of this session's claims, or nothing now. Bounded as `poll_destruction` is.
  std::optional<ClaimVerdict> poll_verdict();
  /// Stages and observers, where the match says so (ClaimPolicy): somebody else's next claim that was not
  /// confirmed; of one claimant and tick at most 64.
  std::optional<ClaimVerdict> poll_claim_warning();
  /// The next refusal, or nothing now.
  std::optional<Rejection> poll_rejection();
  /// Further refusals that the server has only counted, because there were too many at once.
  std::uint64_t rejections_not_listed() const;

  /// kLockstep: the next tick that ran by its deadline, and because of whom; or nothing now. A game that does
  /// not poll these loses the oldest of more than 1024, and nothing else.
  std::optional<LateReport> poll_late();

  /// For those whose role is in MatchConfig::clock_control_roles; others get a rejection (MAY_NOT_CONTROL).
  /// The server acts when it comes in, and `clock` tells when it has; frames that `end_frame` took before go
  /// first. No tick runs while a match is paused; frames are still taken, up to max_lead_ticks ahead.
  Status pause();
  Status resume();
  Status set_tick_rate(std::uint32_t tick_rate_hz);  ///< 1 to 240.

  /// The stream broke and is there again; each such time, or nothing now.
  std::optional<Reconnection> poll_reconnection();
  /// A snapshot that replaced events: the newest that has not been polled, or nothing.
  std::optional<EncounterSnapshot> poll_snapshot();
  /// The next gap in the log (WhenFull::kGap), or nothing now.
  std::optional<EventGap> poll_gap();
  /// The newest stays that have not been polled, or nothing.
  std::optional<Stays> poll_stays();
  /// Who is away, as last heard of: numbers, ascending.
  std::vector<ParticipantNumber> participants_away() const;

  /// A further participant of the match, on the stream of this session, which was joined with
  /// JoinOptions::shared: so a game server plays for up to 64 over one stream, and is told everything once.
  /// The session that this returns is a session as any other, with its own state, error, seat and frames. But
  /// what is polled, and the bounds of what waits, are the stream's: poll it all from one of its sessions,
  /// whichever (Rejection::participant and ClaimVerdict::claimant say whose something is). Use the sessions
  /// of a stream from one thread.
  ///
  /// One that is refused fails (kFailed) and leaves the others as they are, unless it is the first, with whom
  /// the stream fails; so does one that came back elsewhere. When the stream breaks, all of them come back;
  /// whoever is not back yet is kReconnecting.
  Session join_also(const std::string& name, Role role = Role::kPlayer);

  /// Frames taken by `end_frame` that are not on the wire yet.
  std::size_t unsent_frames() const;

  /// Sends the frames that `end_frame` took, then leaves the match; the objects of this session leave with
  /// the server's next tick. While reconnecting there is nobody to tell: the server keeps the seat for as
  /// long as it does. Other sessions of the stream go on. The session may be destroyed at once; whoever
  /// destroys the client and the last session waits for what is still to be sent, at most two seconds.
  void leave();

 private:
  friend class Client;
  class Impl;
  explicit Session(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

/// Follows a match without a seat. Same rules of use as Session.
class Watcher {
 public:
  Watcher(Watcher&&) noexcept;
  Watcher& operator=(Watcher&&) noexcept;
  ~Watcher();

  /// kConnecting, kJoined (following), kReconnecting, kEnded, kFailed.
  SessionState state() const;
  Status error() const;
  std::optional<MatchInfo> match() const;
  std::vector<Encounter> encounters_at_start() const;
  Tick tick() const;
  std::uint64_t digest() const;
  Tick digest_tick() const;
  /// As of a Session.
  Tick durable_tick() const;
  ClockState clock() const;
  std::vector<Score> scores() const;
  std::optional<Event> poll_event();
  /// As of a Session.
  std::optional<Reconnection> poll_reconnection();
  std::optional<EncounterSnapshot> poll_snapshot();
  std::optional<EventGap> poll_gap();
  std::optional<Stays> poll_stays();
  std::vector<ParticipantNumber> participants_away() const;
  std::optional<Destruction> poll_destruction();
  std::optional<OwnerChange> poll_owner_change();
  /// As Session::poll_claim_warning.
  std::optional<ClaimVerdict> poll_claim_warning();
  std::optional<LateReport> poll_late();

 private:
  friend class Client;
  class Impl;
  explicit Watcher(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace sweepd
