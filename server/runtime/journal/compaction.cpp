// SPDX-License-Identifier: MIT
#include "runtime/journal/compaction.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "runtime/journal/match_log.h"

namespace sweepd::runtime {
namespace {

constexpr int kCompressionLevel = 6;
constexpr std::uint64_t kCommitsRemovedAtOnce = 64;  // Groups wait for the store meanwhile.

bool goes_on(const replay::TickRecord& last, const replay::TickRecord& next) {
  const bool is_after_key_frame = last.tick % kKeyFrameTicks == 0;  // It stands between segments.
  return next.tick == last.tick + 1 && !is_after_key_frame;
}

/// In pieces without gaps.
std::vector<replay::PackedTicks> pack_runs(const std::vector<replay::TickRecord>& records) {
  std::vector<replay::PackedTicks> segments;
  for (auto first = records.begin(); first != records.end();) {
    auto end = first + 1;
    while (end != records.end() && goes_on(*(end - 1), *end)) ++end;
    for (auto& piece : replay::pack({first, end}, kCompressionLevel)) segments.push_back(std::move(piece));
    first = end;
  }
  return segments;
}

std::vector<replay::PackedTicks> pack_match(JournalStore& reader, const RecentTicks& recent, JournalKey match,
                                            match::Tick last) {
  const auto places = reader.segments(match);
  const auto is_packed = [&places](match::Tick tick) {
    return std::ranges::any_of(places, [tick](const JournalStore::SegmentPlace& place) {
      return tick >= place.first_tick && tick <= place.last_tick;
    });
  };
  std::vector<replay::TickRecord> records;
  for (const RecentTicks::EncodedTick& tick : recent.of(match, 1, last)) {
    if (is_packed(tick.tick)) continue;
    if (auto record = decode_tick(tick)) records.push_back(*std::move(record));
  }
  return pack_runs(records);
}

void remove_commits(const JournalStore::CommitRange& range, const WithStore& with_store) {
  if (range.is_empty()) return;
  for (std::uint64_t first = range.first; first <= range.last; first += kCommitsRemovedAtOnce) {
    const std::uint64_t last = std::min(range.last, first + kCommitsRemovedAtOnce - 1);
    with_store([&](JournalStore& store) { store.remove_commits({first, last}); });
  }
}

}  // namespace

void pack_recent_ticks(JournalStore& reader, const RecentTicks& recent,
                       const std::map<JournalKey, match::Tick>& last_ticks, const WithStore& with_store) {
  const std::vector<JournalKey> known = reader.matches();
  for (const JournalKey match : recent.matches()) {
    if (std::ranges::find(known, match) == known.end()) continue;
    const auto last = last_ticks.find(match);
    const match::Tick end = last == last_ticks.end() ? std::numeric_limits<match::Tick>::max() : last->second;
    const auto segments = pack_match(reader, recent, match, end);
    if (!segments.empty()) with_store([&](JournalStore& store) { store.write_segments(match, segments); });
  }
  remove_commits(recent.range(), with_store);
}

}  // namespace sweepd::runtime
