// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweepd/frame_author.h"
#include "sweepd/status.h"
#include "sweepd/types.h"

namespace sweepd {

class InputSeat;

/// What a run without a server came to, as the game says.
struct InputLogEnding {
  /// One more tick, with what came in since the last `end_tick`, ended the match: all contacts end.
  bool match_ended = false;
  std::optional<std::uint64_t> final_digest = {};  ///< If the game knows: of version 1.
  std::vector<Score> claimed_scores = {};          ///< By participant and name (1 to 64 bytes); at most 4096.
};

/// Writes down what goes into a match that a game runs by itself, offline: who plays, what their frames say,
/// tick by tick. A verifier (Client::verify_replay, sweepctl verify) later plays it by the rules of the same
/// MatchConfig, and says what the scores are.
///
///     auto log = InputLog::create(config);
///     auto seat = log->join("ann");
///     auto ship = seat->spawn(spec);
///     …                                  // each tick:
///     seat->move(*ship, position);
///     seat->end_frame();
///     log->end_tick();
///     …
///     log->finish({.claimed_scores = {{.participant = 0, .name = "ann", .score = 1200}}});
///     log->write("run.swpi");
///
/// It keeps the log in memory: at most 64 MiB and 1,048,576 ticks, what a server takes. No call blocks. Use
/// it from one thread.
class InputLog {
 public:
  /// The config as for Client::create_match; its limits are checked when the log is verified. `nonce`: bytes
  /// that a leaderboard, say, gave out for this run, at most 64; or none. With a nonce the
  /// config's seed is set by it, to the first 8 bytes (little-endian) of its SHA-256; another seed but 0 is
  /// refused: "config.seed".
  ///
  /// The nonce alone proves nothing: the match does not use it, and the writer of a log can put any nonce
  /// into it. It binds a run to the time when it was given out only in a game that derives its random
  /// patterns from `seed()`: what was played before to another nonce's patterns does not fit these.
  static Result<InputLog> create(const MatchConfig& config, const std::string& nonce = {});
  InputLog(InputLog&&) noexcept;
  InputLog& operator=(InputLog&&) noexcept;
  ~InputLog();

  /// Adds a participant that plays from the next tick on, with the number and the ids that a server would
  /// give. kFailedPrecondition: a participant has left in this tick. kResourceExhausted: the match is full, a
  /// tick has 1 MiB of joins, leaves and frames at most, or the log is full.
  Result<InputSeat> join(const std::string& name, Role role = Role::kPlayer);

  /// The tick that is being written down is over: what came in applies in it. kResourceExhausted: the log has
  /// all that it can have; it ends with the tick before, what came in since is given up, and nothing more can
  /// be said but `finish` without match_ended.
  Status end_tick();
  /// How many are over.
  Tick tick() const;
  /// The config's: given, or set by the nonce.
  std::uint64_t seed() const;

  /// Once, at the end; nothing can be said after it. An error says which field of the ending is wrong, and
  /// the log goes on.
  Status finish(const InputLogEnding& ending);
  bool is_finished() const;

  /// The file (.swpi), for as long as the log is there. kFailedPrecondition: it is not finished.
  Result<std::string_view> bytes() const;
  /// To a file, which is there once it is whole and on the disk. kFailedPrecondition: it is not finished.
  Status write(const std::string& path) const;

 private:
  friend class InputSeat;
  class Impl;
  explicit InputLog(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

/// A participant of an InputLog, by the same rules as with a Session.
class InputSeat : public FrameAuthor {
 public:
  ParticipantNumber number() const { return number_; }
  ObjectId first_id() const;
  ObjectId last_id() const;

  /// The frame in progress is in the log, and the next begins. `tick` 0: for the tick that is being written
  /// down. kResourceExhausted: a tick has 1 MiB of joins, leaves and frames at most, or the log is full; the
  /// frame is given up.
  Status end_frame(Tick tick = 0);
  /// It plays no more; its objects leave in the tick that is being written down. kResourceExhausted: as
  /// above, and it still plays.
  Status leave();

 private:
  friend class InputLog;
  class Source;
  InputSeat(std::shared_ptr<InputLog::Impl> log, ParticipantNumber number);

  std::shared_ptr<InputLog::Impl> log_;
  ParticipantNumber number_;
};

}  // namespace sweepd
