// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "replay/player.h"
#include "replay/reader.h"
#include "replay/tick_decoder.h"

namespace sweepd::replay {

/// Plays a replay from its first tick on, one tick at a time.
class ReplayPlayer {
 public:
  /// `reader` must outlive it.
  static base::Result<ReplayPlayer, FileFault> open(const Reader& reader);

  const match::Match& match() const { return player_.match(); }
  /// Whether all ticks that can be read have been played.
  bool is_done() const { return match().tick() == reader_->tick_count(); }

  /// The next tick. The fault where it cannot be read, or is not as the replay says; then nothing can be
  /// played any more.
  base::Result<TickRecord, FileFault> play();

 private:
  ReplayPlayer(const Reader& reader, std::unique_ptr<match::Match> match)
      : reader_(&reader), player_(std::move(match)) {}

  const Reader* reader_;
  Player player_;
  std::size_t next_chunk_ = 0;
  std::optional<TickDecoder> ticks_;
};

}  // namespace sweepd::replay
