// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "replay/player.h"
#include "replay/reader.h"

namespace sweepd::replay {

/// Takes a match to any tick of its replay: from the key frame before it, or from where it is if that is
/// nearer, or from the beginning. The tick's digest is that of the replay, as are those of all ticks played
/// on the way. Like a verification it keeps a past only where claims strike by it. Of a replay that nobody
/// has verified a key frame may be made up to take a hundred times its size, and its match may be one that
/// never was.
class Seeker {
 public:
  /// Of the match before its first tick. `reader` must outlive it, opened in whichever way.
  static base::Result<Seeker, FileFault> open(const Reader& reader);

  /// After the last tick that was sought, or before the first. Not after a fault.
  const match::Match& match() const { return player_->match(); }

  /// `tick`: 0 to the reader's tick_count(). The fault where a tick on the way cannot be read, or is not as
  /// the replay says; another seek may succeed. A key frame that is of no use is passed over for the one
  /// before.
  std::optional<FileFault> seek(Tick tick);

 private:
  explicit Seeker(const Reader& reader) : reader_(&reader) {}

  std::optional<FileFault> restart();
  bool restore_before(Tick tick);
  bool restore(std::size_t key_frame);
  std::optional<FileFault> play_to(Tick tick);
  std::optional<FileFault> play_next();

  const Reader* reader_;
  std::optional<Player> player_;  ///< None after a fault.
  std::size_t chunk_ = 0;         ///< That `ticks_` are of.
  std::optional<TickDecoder> ticks_;
};

}  // namespace sweepd::replay
