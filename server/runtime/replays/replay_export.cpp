// SPDX-License-Identifier: MIT
#include "runtime/replays/replay_export.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "runtime/journal/match_log.h"

namespace sweepd::runtime {
namespace {

constexpr int kCompressionLevel = 6;

}  // namespace

ReplayExport::ReplayExport(JournalStore& store, const RecentTicks& recent,
                           const JournalStore::StoredMatch& match)
    : store_(store),
      recent_(recent),
      match_(match),
      writer_(match.origin->head, {.compression_level = kCompressionLevel}) {}

bool ReplayExport::write(const replay::Ending& ending, const replay::SigningKey* key, const Append& append) {
  add_segments(ending.tick_count, append);
  add_recent(ending.tick_count, append);
  const bool is_whole = last_tick_ == ending.tick_count && last_digest_ == ending.final_digest;
  if (is_whole && last_tick_ > 0) writer_.finish(ending, key);
  append(writer_.take_bytes());
  return is_whole && last_tick_ > 0;
}

void ReplayExport::add_segments(match::Tick last, const Append& append) {
  for (const JournalStore::SegmentPlace& place : store_.segments(match_.key)) {
    if (place.last_tick <= last_tick_) continue;
    if (place.first_tick != last_tick_ + 1 || place.first_tick > last) return;
    auto segment = store_.read_segment(match_.key, place.first_tick);
    auto records = segment ? unpack(*segment) : std::nullopt;
    if (!records) return;
    if (place.last_tick <= last) {
      add(*segment, append);
      continue;
    }
    std::erase_if(*records, [last](const replay::TickRecord& record) { return record.tick > last; });
    for (const auto& piece : replay::pack(*records, kCompressionLevel)) add(piece, append);
  }
}

void ReplayExport::add_recent(match::Tick last, const Append& append) {
  std::vector<replay::TickRecord> records;
  const auto add_records = [&] {
    if (records.empty()) return;
    for (const auto& piece : replay::pack(records, kCompressionLevel)) add(piece, append);
    records.clear();
  };
  match::Tick next = last_tick_ + 1;
  for (const RecentTicks::EncodedTick& tick : recent_.of(match_.key, next, last)) {
    auto record = tick.tick == next ? decode_tick(tick) : std::nullopt;
    if (!record) break;
    records.push_back(*std::move(record));
    if (next++ % kKeyFrameTicks == 0) add_records();
  }
  add_records();
}

void ReplayExport::add(const replay::PackedTicks& ticks, const Append& append) {
  const bool is_added = writer_.add(ticks);
  SWEEPD_ASSERT(is_added);
  last_tick_ = ticks.last_tick();
  last_digest_ = ticks.last_digest;
  if (last_tick_ % kKeyFrameTicks == 0) add_key_frame(last_tick_);
  append(writer_.take_bytes());
}

/// One that is missing or damaged is left out: the replay is whole without it.
void ReplayExport::add_key_frame(match::Tick tick) {
  auto key_frame = store_.read_key_frame(match_.key, tick);
  if (!key_frame || key_frame->digest != last_digest_) return;
  writer_.add_key_frame({.tick = tick,
                         .digest = key_frame->digest,
                         .version = key_frame->version,
                         .content = std::move(key_frame->snapshot),
                         .unix_ms = key_frame->unix_ms});
}

}  // namespace sweepd::runtime
