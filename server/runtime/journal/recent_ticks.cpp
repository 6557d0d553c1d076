// SPDX-License-Identifier: MIT
#include "runtime/journal/recent_ticks.h"

#include <algorithm>

#include "replay/compression.h"
#include "replay/file_format.h"
#include "replay/tick_decoder.h"

namespace sweepd::runtime {

RecentTicks::RecentTicks(JournalStore& store, std::size_t content_bytes_max, const OnDamage& on_damage)
    : store_(store) {
  const auto range = store.commits();
  if (range) {
    range_ = *range;
    read(content_bytes_max, on_damage);
  } else {
    on_damage({0, "which commits there have to be is damaged"});
    read_what_is_there(on_damage);
  }
}

void RecentTicks::read(std::size_t content_bytes_max, const OnDamage& on_damage) {
  std::uint64_t first_missing = 0;
  const auto tell_missing = [&](std::uint64_t end) {
    if (first_missing == 0) return;
    on_damage(
        {0, "commits " + std::to_string(first_missing) + " to " + std::to_string(end - 1) + " are missing"});
    first_missing = 0;
  };
  std::uint64_t id = range_.first;
  for (; id <= range_.last && bytes_ < content_bytes_max; ++id) {
    if (add(id, on_damage)) {
      tell_missing(id);
    } else if (first_missing == 0) {
      first_missing = id;
    }
  }
  tell_missing(id);
  range_.last = id - 1;
}

/// Without knowing what is missing.
void RecentTicks::read_what_is_there(const OnDamage& on_damage) {
  const auto ids = store_.commits_there();
  for (const std::uint64_t id : ids) add(id, on_damage);
  if (!ids.empty()) range_ = {ids.front(), ids.back()};
}

/// False: there is none.
bool RecentTicks::add(std::uint64_t id, const OnDamage& on_damage) {
  const auto tell = [&](CommitDamage damage) {
    damage.what = "commit " + std::to_string(id) + ": " + damage.what;
    on_damage(damage);
  };
  std::optional<GroupCommit> commit;
  try {
    commit = store_.read_commit(id);
  } catch (const StorageFailure& failure) {
    if (!failure.is_corruption()) throw;
    tell({0, failure.what()});
    return true;
  }
  if (!commit) return false;
  bytes_ += commit->content.size();
  const auto& kept = commits_.emplace_back(std::make_unique<GroupCommit>(*std::move(commit)));
  std::vector<CommitDamage> damage;
  for (const LoggedTicks& ticks : decode_ticks(*kept, damage)) ticks_[ticks.match].push_back(ticks);
  for (CommitDamage& found : damage) tell(std::move(found));
  return true;
}

std::vector<JournalKey> RecentTicks::matches() const {
  std::vector<JournalKey> keys;
  for (const auto& [match, ticks] : ticks_) keys.push_back(match);
  return keys;
}

std::vector<RecentTicks::EncodedTick> RecentTicks::of(JournalKey match, match::Tick first,
                                                      match::Tick last) const {
  std::vector<EncodedTick> found;
  const auto all = ticks_.find(match);
  if (all == ticks_.end()) return found;
  for (const LoggedTicks& ticks : all->second) {
    if (ticks.last_tick < first || ticks.first_tick > last) continue;
    match::Tick tick = ticks.first_tick;
    for (const std::string_view bytes : split_ticks(ticks)) {
      if (tick >= first && tick <= last) found.push_back({tick, bytes});
      ++tick;
    }
  }
  return found;
}

std::optional<replay::TickRecord> decode_tick(const RecentTicks::EncodedTick& tick) {
  auto records = replay::decode_ticks(tick.bytes);
  if (!records || records->size() != 1 || records->front().tick != tick.tick) return std::nullopt;
  return std::move(records->front());
}

std::optional<std::vector<replay::TickRecord>> unpack(const replay::PackedTicks& ticks) {
  const auto content = replay::decompress(ticks.content, replay::kContentBytesMax);
  if (!content) return std::nullopt;
  auto records = replay::decode_ticks(*content);
  const bool is_whole = records && records->size() == ticks.tick_count &&
                        records->front().tick == ticks.first_tick &&
                        records->back().digest == ticks.last_digest;
  if (!is_whole) return std::nullopt;
  return std::move(records.value());
}

}  // namespace sweepd::runtime
