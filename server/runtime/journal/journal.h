// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "match/match.h"
#include "runtime/match/match_id.h"

namespace sweepd::runtime {

/// Names a match in a journal; random, never 0.
using JournalKey = std::uint64_t;

enum class RecordKind : std::uint8_t {
  kCreated = 1,   ///< The first of a match: a MatchOrigin.
  kTick = 2,      ///< A tick: replay::TickEncoder's bytes of it alone.
  kKeyFrame = 3,  ///< Of the match after the tick: a MatchKeyFrame.
  kState = 4,     ///< What the match itself does not know: a StoredState. The last one counts.
  kEnded = 5,     ///< The last of a match: a replay::Ending.
};

struct JournalRecord {
  JournalKey match = 0;
  RecordKind kind = RecordKind::kTick;
  match::Tick tick = 0;  ///< Of kTick and kKeyFrame.
  std::string content = {};
};

/// Where the logs of matches are written down while they run. Thread-safe.
///
/// What is appended waits in a bounded queue, is written in groups, and is durable then. While the disk takes
/// nothing, records wait, and the groups are tried again; when the queue is full, further records are
/// refused: a match whose record was refused has a hole in its log, and begins anew with a key frame.
class Journal {
 public:
  /// Of a record among all those appended; 0: it was refused.
  using Position = std::uint64_t;

  virtual ~Journal() = default;

  virtual Position append(JournalRecord record) = 0;

  /// Everything up to here will be there after a crash.
  virtual Position durable_position() const = 0;

  /// The queue is so full that callers which can wait should. False while the disk takes nothing: that may
  /// last.
  virtual bool is_crowded() const = 0;
  /// There is room for a match to begin anew.
  virtual bool has_room() const = 0;
  virtual bool is_failing() const = 0;

  /// Calls `done` once: when `position` is durable, or as soon as the disk takes nothing. From any thread,
  /// also from within this call.
  virtual void when_settled(Position position, std::function<void()> done) = 0;
  /// The server stops: runs all callbacks that wait, and from now on every new one at once. When it returns,
  /// a callback runs only within the call that passes it.
  virtual void settle_all() = 0;

  /// How much of one match may wait: beyond it, its records are refused, so that one that is fast takes no
  /// room from the others.
  virtual std::size_t match_bytes_max() const = 0;

  /// How much of one match may be written in a second; 0: no limit.
  virtual std::uint64_t match_bytes_per_second() const { return 0; }
};

JournalKey random_journal_key();

}  // namespace sweepd::runtime
