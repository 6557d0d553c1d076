// SPDX-License-Identifier: MIT
#include "replay/replay_player.h"

#include <utility>

#include "base/assert.h"
#include "replay/replay_match.h"

namespace sweepd::replay {

base::Result<ReplayPlayer, FileFault> ReplayPlayer::open(const Reader& reader) {
  auto match = match_to_play(reader);
  if (!match) return match.error();
  if (match.value()->digest() != reader.head().initial_digest) {
    return FileFault{.record = "header",
                     .what = "the digest of the config is " + digest_text(match.value()->digest()) +
                             ", the header says " + digest_text(reader.head().initial_digest)};
  }
  return ReplayPlayer(reader, std::move(match.value()));
}

base::Result<TickRecord, FileFault> ReplayPlayer::play() {
  SWEEPD_ASSERT(!is_done());
  if (!ticks_ || ticks_->is_done()) {
    auto opened = reader_->open_chunk(next_chunk_++);
    if (!opened) return opened.error();
    ticks_.emplace(std::move(opened.value()));
  }
  auto record = ticks_->next();
  if (!record) return reader_->place(next_chunk_ - 1, record.error());
  const auto divergence = player_.play(record.value());
  if (divergence) return reader_->place(next_chunk_ - 1, {divergence->tick, divergence->what});
  return std::move(record.value());
}

}  // namespace sweepd::replay
