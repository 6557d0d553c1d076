// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "replay/player.h"
#include "replay/reader.h"
#include "replay/replay_match.h"

namespace sweepd::replay {

/// Takes a match to any tick of its replay: from the key frame before it, or from where it is if that is
/// nearer, or from the beginning. The tick's digest is that of the replay, as are those of all ticks played
/// on the way. Like a verification it keeps a past only where claims strike by it, unless told otherwise. A
/// key frame of a replay that is not verified may be forged to take a hundred times its size, and its match
/// may be one that never was.
class Seeker {
 public:
  /// Of the match before its first tick. `reader` must outlive it, opened in whichever way.
  static base::Result<Seeker, FileFault> open(const Reader& reader,
                                              PlayedPast past = PlayedPast::kWhereClaimsStrike);

  /// After the last tick that was sought, or before the first. Not after a fault.
  const match::Match& match() const { return player_->match(); }

  /// `tick`: 0 to the reader's tick_count(). The fault where a tick on the way cannot be read, or is not as
  /// the replay says; another seek may succeed. A key frame that is of no use is passed over for the one
  /// before.
  std::optional<FileFault> seek(Tick tick);

  /// The tick after the one sought, which is not the reader's last, and what it brings; valid until the next
  /// call. The fault as of seek.
  base::Result<const match::TickOutput*, FileFault> next();

 private:
  Seeker(const Reader& reader, PlayedPast past) : reader_(&reader), past_(past) {}

  std::optional<FileFault> restart();
  bool restore_before(Tick tick);
  bool restore(std::size_t key_frame);
  std::optional<FileFault> play_to(Tick tick);
  std::optional<FileFault> play_next();
  void forget();

  const Reader* reader_;
  PlayedPast past_;
  std::optional<Player> player_;  ///< None after a fault.
  std::size_t chunk_ = 0;         ///< That `ticks_` are of.
  std::optional<TickDecoder> ticks_;
};

}  // namespace sweepd::replay
