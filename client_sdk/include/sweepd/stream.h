// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "sweepd/types.h"

/// What a session or a watcher may ask of its stream, and what it is told when the stream did not go
/// smoothly.
namespace sweepd {

/// Which encounters are told: those that pass all that is given. Sequence numbers stay those of the match's
/// log, so they have gaps then.
struct EventFilter {
  std::vector<std::uint32_t> layers = {};  ///< One of the two layers has to be among them. Empty: any.
  std::vector<ObjectId> objects =
      {};  ///< One of the two objects has to be among them, at most 1024. Empty: any.
  std::vector<EventKind> kinds = {};  ///< Empty: both.
  /// One of the two objects has to be the session's own when it happens. Not for a watcher, which has none.
  bool own_objects = false;
  std::uint32_t stay_every_ticks = 0;  ///< `poll_stays` has news every so many ticks; at most 3600. 0: never.
  /// The server tells the digest only so often; at most 3600. 0: with every update. It is a third of the
  /// bytes of an update that has one event.
  std::uint32_t digest_every_ticks = 0;
};

/// What the server does when updates come faster than they are taken.
enum class WhenFull {
  kDisconnect,  ///< It ends the stream; the SDK comes back and resumes.
  kGap,         ///< It drops the oldest events; see `poll_gap`.
  kCoalesce,    ///< It replaces what waits by the open encounters; see `poll_snapshot`.
};

struct QueuePolicy {
  WhenFull when_full = WhenFull::kDisconnect;
  std::uint32_t events_max = 0;  ///< How many events may wait at the server; 1 to 32768. 0: 32768.
};

/// How the SDK comes back when a stream breaks. It tries after pauses that double, each of them shortened at
/// random by up to half, so that many clients do not come back all at the same instant.
struct ReconnectOptions {
  /// How long it tries, from the break on, even if no server listens there meanwhile: one that died and is
  /// started again within this time is found again. The default is longer than a restart takes. Then the
  /// session fails with the last error. 0: it does not try. A session's server keeps the seat for
  /// MatchConfig::reconnect_ticks; when these are over it says so, and the session fails at once. With
  /// reconnect_ticks 0 a session does not try. A match that has ended meanwhile cannot be come back to: the
  /// session fails with kNotFound.
  std::chrono::milliseconds timeout{60'000};
  std::chrono::milliseconds first_pause{50};       ///< 1 or more.
  std::chrono::milliseconds longest_pause{2'000};  ///< Not less than first_pause.
  /// A stream on which nothing has come for so long counts as broken, as if its connection had ended, where
  /// the SDK may come back at all. Servers send something every half second, also while no ticks run; less
  /// than twice their interval counts as that. 0, and with servers that send no heartbeats: only gRPC's
  /// keepalive notices, after half a minute.
  std::chrono::milliseconds silence_max{1'500};
};

/// The server died, and came back with the match as its journal has it: at an earlier tick than had been
/// received. What was received after that did not happen, or the server cannot tell any more that it did.
struct Undone {
  Tick after_tick = 0;  ///< Ticks after this one are undone: events, scores, and what was spawned in them.
  std::uint64_t after_sequence_number = 0;  ///< So are events with greater numbers, which are given again.
  /// Ticks that had been durable, and were lost to damage of the server's files. 0: what is undone had not
  /// been durable.
  std::uint64_t lost_ticks = 0;
};

/// The stream broke, and is there again.
struct Reconnection {
  std::uint32_t attempts = 0;         ///< The one that succeeded included.
  std::chrono::milliseconds away{0};  ///< From the break until then.
  bool resumed =
      false;  ///< The log goes on without a gap or a repeat. Else a snapshot replaced it: `poll_snapshot`.
  /// Where the log goes on is before where it had come to. Forget what was polled of what is undone: events
  /// with the same numbers come again, and they are other events. Of what was received and not polled yet,
  /// what is undone is gone when this can be polled; the rest still comes. `tick()` has gone back, and
  /// `digest()` is 0 until the next update. Objects that a session spawned in what is undone are gone: it
  /// spawns them again.
  /// Also where the server does not know any more what this stream had seen (of the match's lives in the
  /// journal it remembers the newest ones): it then takes as undone whatever may have been.
  std::optional<Undone> undone = {};
};

/// The open encounters in place of the events that led to them: forget what is in contact, and begin with
/// these. Events up to `last_sequence_number` are history, even those that are polled later.
struct EncounterSnapshot {
  Tick tick = 0;  ///< They are open after this tick.
  std::uint64_t last_sequence_number = 0;
  std::vector<Encounter> open_encounters = {};
};

/// Events that the server dropped (WhenFull::kGap). Both inclusive; some may not have passed the filter. What
/// else those ticks brought (destructions, owner changes, late reports) is left out with them, and so it is
/// where a snapshot replaces them.
struct EventGap {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// What goes on being in contact (EventFilter::stay_every_ticks): entered before `tick`, open after it.
struct Stays {
  Tick tick = 0;
  std::vector<Encounter> encounters = {};
};

}  // namespace sweepd
