// SPDX-License-Identifier: MIT
#include "replay/seeker.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "match/snapshot.h"

namespace sweepd::replay {

base::Result<Seeker, FileFault> Seeker::open(const Reader& reader, PlayedPast past) {
  Seeker seeker(reader, past);
  if (auto fault = seeker.restart()) return *std::move(fault);
  return seeker;
}

std::optional<FileFault> Seeker::restart() {
  ticks_.reset();
  player_.reset();
  auto match = match_to_play(*reader_, past_);
  if (!match) return match.error();
  if ((*match)->digest() != reader_->head().initial_digest) {
    return FileFault{.record = "header", .what = "the digest of the config is not what it says"};
  }
  player_.emplace(std::move(*match));
  return std::nullopt;
}

std::optional<FileFault> Seeker::seek(Tick tick) {
  SWEEPD_ASSERT(tick <= reader_->tick_count());
  const bool is_ahead = player_ && match().tick() <= tick;
  if (!restore_before(tick) && !is_ahead) {
    if (auto fault = restart()) return fault;
  }
  auto fault = play_to(tick);
  if (fault) forget();
  return fault;
}

base::Result<const match::TickOutput*, FileFault> Seeker::next() {
  SWEEPD_ASSERT(player_ && match().tick() < reader_->tick_count());
  if (auto fault = play_next()) {
    forget();
    return *std::move(fault);
  }
  return player_->output();
}

void Seeker::forget() {
  player_.reset();
  ticks_.reset();
}

/// The last key frame up to `tick` that can be gone on from, if it is nearer than where the match is. False:
/// there is none.
bool Seeker::restore_before(Tick tick) {
  const auto& key_frames = reader_->key_frames();
  const auto after = std::ranges::upper_bound(key_frames, tick, {}, &Reader::KeyFramePlace::tick);
  for (auto index = static_cast<std::size_t>(after - key_frames.begin()); index > 0; --index) {
    const bool is_nearer = player_ && match().tick() <= tick && match().tick() >= key_frames[index - 1].tick;
    if (is_nearer) return false;
    if (restore(index - 1)) return true;
  }
  return false;
}

bool Seeker::restore(std::size_t index) {
  const auto key_frame = reader_->read_key_frame(index);
  if (!key_frame || key_frame->version != match::kSnapshotVersion) return false;
  auto match = match_to_play_from(*reader_, *key_frame, past_);
  if (!match || (*match)->tick() != key_frame->tick || (*match)->digest() != key_frame->digest) return false;
  player_.emplace(std::move(*match));
  ticks_.reset();
  return true;
}

std::optional<FileFault> Seeker::play_to(Tick tick) {
  while (match().tick() < tick) {
    if (auto fault = play_next()) return fault;
  }
  return std::nullopt;
}

std::optional<FileFault> Seeker::play_next() {
  const Tick tick = match().tick() + 1;
  if (!ticks_ || ticks_->is_done()) {
    chunk_ = reader_->chunk_of(tick);
    auto opened = reader_->open_chunk(chunk_);
    if (!opened) return opened.error();
    ticks_.emplace(std::move(*opened));
  }
  auto record = ticks_->next();
  // Those before it have to be read as well: each says only how it differs from what was before.
  while (record && record->tick < tick && !ticks_->is_done()) record = ticks_->next();
  if (!record) return reader_->place(chunk_, record.error());
  const auto divergence = player_->play(std::move(*record));
  if (divergence) return reader_->place(chunk_, {divergence->tick, divergence->what});
  return std::nullopt;
}

}  // namespace sweepd::replay
