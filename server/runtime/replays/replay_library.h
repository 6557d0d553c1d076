// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "match/match.h"
#include "replay/ending.h"
#include "replay/signing_key.h"
#include "runtime/journal/journal.h"
#include "runtime/match/match_id.h"
#include "runtime/replays/replay_file.h"

namespace sweepd::runtime {

enum class ReplayErrorKind : std::uint8_t {
  kNotFound,  ///< No such match, or its replay has been removed by age or size.
  kLost,      ///< Its log is damaged, or had to be given up.
  kFailing,   ///< The disk takes nothing now.
  kNoTicks,   ///< The match has not run a tick yet.
  kBusy,      ///< Too many are asked for, or being read, at once.
};

struct ReplayError {
  ReplayErrorKind kind = ReplayErrorKind::kNotFound;
  std::string what = {};  ///< For people.
};

/// What a match that runs has come to, as its loop sees it: where its replay is to end.
struct ReplayPoint {
  replay::Ending ending = {};
  Journal::Position position = 0;  ///< Of its last tick in the journal.
  bool is_whole = true;            ///< False: the journal had to refuse ticks of it.
};

/// Where replays are had from: of matches that are over, and of those that run. Thread-safe.
class ReplayLibrary {
 public:
  virtual ~ReplayLibrary() = default;

  using Opened = base::Result<std::shared_ptr<const ReplayFile>, ReplayError>;
  /// `running`: absent for a match that is over. Calls `done` exactly once, from any thread, also from within
  /// this call; it may take seconds, as what is asked for may have to be written first.
  virtual void open(const MatchId& id, std::optional<ReplayPoint> running,
                    std::function<void(Opened)> done) = 0;

  virtual const replay::PublicKey& public_key() const = 0;

  /// Answers all that wait, and whoever asks from now on, at once (kBusy): the server stops.
  virtual void shut_down() = 0;
};

}  // namespace sweepd::runtime
