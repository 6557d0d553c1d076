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
#include "runtime/replays/replay_error.h"
#include "runtime/replays/replay_file.h"

namespace sweepd::runtime {

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

  /// Of a match that is over, once it has been opened: keeps its replay from retention, or no more; and
  /// removes it for good. The bytes that it has. They wait for the disk.
  using Changed = base::Result<std::uint64_t, ReplayError>;
  virtual Changed hold(const MatchId& id, bool is_held) = 0;
  virtual Changed remove(const MatchId& id) = 0;

  virtual const replay::PublicKey& public_key() const = 0;

  /// The server stops: answers all requests that wait, and from now on every new one at once (kBusy).
  virtual void shut_down() = 0;
};

}  // namespace sweepd::runtime
