// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sweepd/frame_author.h"
#include "sweepd/match_feed.h"
#include "sweepd/status.h"
#include "sweepd/stream.h"
#include "sweepd/types.h"
#include "sweepd/world.h"

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
/// Changes are those of a FrameAuthor; what the server refuses of them later comes back through
/// `poll_rejection`. What the match tells is polled as from every MatchFeed.
///
/// When the connection breaks, the SDK comes back by itself: to the same seat, with its objects, and to the
/// same place in the log (`poll_reconnection`). Meanwhile frames can still be ended; they wait, up to
/// frames_queued_max, and go out when the stream is back, where the match's rules for late frames hold for
/// them: those that name ticks may be refused (TOO_LATE), those that name none apply all in one. Frames that
/// were on their way when it broke may be lost, and apply once at most: what they spawned may not exist, and
/// later changes of it come back as rejections.
///
/// The seat is kept for MatchConfig::reconnect_ticks, also for a new process (`reconnect_token`). Who comes
/// back later is kFailed, with the reason INVALID_TOKEN: call Client::join again, forget all ids of objects,
/// and spawn again.
///
/// Incoming queues are bounded (JoinOptions): a game that stops polling for that long loses the session
/// (kFailed, kResourceExhausted) rather than events in the middle.
class Session : public FrameAuthor, public MatchFeed {
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
  /// What was in contact when this session joined.
  std::vector<Encounter> encounters_at_join() const;

  /// Sends the frame in progress, even if empty, and begins the next. `tick` 0: for the server's next tick.
  /// kQueueFull: the frame stays in progress.
  Status end_frame(Tick tick = 0);

  /// Sends the frames in progress of all sessions of this stream that have joined, in one message: see
  /// `join_also`.
  Status end_frames(Tick tick = 0);

  /// The verdict on the next of this session's claims, or nothing now. Bounded as `poll_destruction` is.
  std::optional<ClaimVerdict> poll_verdict();
  /// The next refusal, or nothing now.
  std::optional<Rejection> poll_rejection();
  /// Further refusals that the server has only counted, because there were too many at once.
  std::uint64_t rejections_not_listed() const;

  /// For those whose role is in MatchConfig::clock_control_roles; others get a rejection (MAY_NOT_CONTROL).
  /// The server acts when it comes in, and `clock` tells when it has; frames that `end_frame` took before go
  /// first. No tick runs while a match is paused; frames are still taken, up to max_lead_ticks ahead.
  Status pause();
  Status resume();
  Status set_tick_rate(std::uint32_t tick_rate_hz);  ///< 1 to 240.

  /// The stream goes on after its ticket's time with this one, which has to be of the same subject, role and
  /// match; one that is no good is a rejection. Reconnections take the client's token (Security).
  Status refresh_ticket(const std::string& ticket);

  /// Of the world this stream is told this from now on, in place of JoinOptions::world. It begins with a
  /// snapshot (WorldNews::begins_anew), also where nothing else is asked for than before. What the server
  /// refuses comes back as a rejection with a `field` that begins with "world"; then all stays as it was.
  Status ask_for_world(const WorldInterest& interest);

  /// The stream broke and is there again; each such time, or nothing now.
  std::optional<Reconnection> poll_reconnection();

  /// A further participant of the match, on the stream of this session, which was joined with
  /// JoinOptions::shared: so a game server plays for up to 64 over one stream, and is told everything once.
  /// The session that this returns is a session as any other, with its own state, error, seat and frames. But
  /// what is polled, and the bounds of what waits, are the stream's: poll it all from one of its sessions,
  /// whichever (Rejection::participant and ClaimVerdict::claimant say whose something is). Use the sessions
  /// of a stream from one thread.
  ///
  /// One that is refused fails (kFailed) and leaves the others as they are, unless it is the first, with whom
  /// the stream fails; so does one that came back elsewhere. When the stream breaks, all of them come back; a
  /// session that is not back yet is kReconnecting.
  /// `reconnect_token`: as JoinOptions has it.
  Session join_also(const std::string& name, Role role = Role::kPlayer,
                    const std::string& reconnect_token = {});

  /// With this a new process takes the seat again if this one is killed (JoinOptions::reconnect_token): to be
  /// kept in a file with the match's id, the name and the ids of the objects that matter. Each time that the
  /// session is joined or comes back (`poll_reconnection`) there is another, and the former one ends with the
  /// first frame after that: write it before. Its holder has the seat: keep it secret. Before it is
  /// joined the one that it was given, if any. The new process takes ids from another place of the block.
  std::string reconnect_token() const;

  /// Frames taken by `end_frame` that are not on the wire yet.
  std::size_t unsent_frames() const;

  /// Sends the frames that `end_frame` took, then leaves the match; the objects of this session leave with
  /// the server's next tick. While reconnecting the server cannot be told: it keeps the seat for as long as
  /// it does. Other sessions of the stream go on. The session may be destroyed at once; the thread that
  /// destroys the client and the last session waits for what is still to be sent, at most two seconds.
  void leave();

 private:
  friend class Client;
  class Impl;
  explicit Session(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

/// Follows a match without a seat. Same rules of use as Session.
class Watcher : public MatchFeed {
 public:
  Watcher(Watcher&&) noexcept;
  Watcher& operator=(Watcher&&) noexcept;
  ~Watcher();

  /// kConnecting, kJoined (following), kReconnecting, kEnded, kFailed.
  SessionState state() const;
  Status error() const;
  std::vector<Encounter> encounters_at_start() const;
  /// As of a Session.
  std::optional<Reconnection> poll_reconnection();

 private:
  friend class Client;
  class Impl;
  explicit Watcher(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace sweepd
