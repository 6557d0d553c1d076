// SPDX-License-Identifier: MIT
#include "runtime/journal/recovery.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <thread>

#include "replay/stored.h"
#include "runtime/journal/compaction.h"
#include "runtime/journal/match_recovery.h"

namespace sweepd::runtime {
namespace {

template <typename Copy>
void copy_if_readable(const Copy& copy) {
  try {
    copy();
  } catch (const StorageFailure& failure) {
    if (!failure.is_corruption()) throw;
  }
}

/// One run of a recovery.
class Recoverer {
 public:
  Recoverer(JournalStore& store, const std::filesystem::path& path, const OpenFresh& open_fresh)
      : store_(store),
        path_(path),
        open_fresh_(open_fresh),
        recent_(store, std::numeric_limits<std::size_t>::max(),
                [this](const CommitDamage& damage) { commit_damage_.push_back(damage); }) {}

  Recovery run() {
    read();
    const std::size_t threads =
        std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, running_.size() + 1);
    std::vector<std::thread> workers;
    for (std::size_t i = 0; i < threads; ++i) workers.emplace_back([this] { work(); });
    for (std::thread& worker : workers) worker.join();
    if (failure_) std::rethrow_exception(failure_);
    sort();
    const bool is_fresh = open_fresh_ && !result_.damage.empty();
    tidy(is_fresh ? open_fresh_() : store_);
    return std::move(result_);
  }

  Recovery run_read_only() {
    read();
    for (const JournalStore::StoredMatch& match : running_) recover(store_, match);
    sort();
    std::erase_if(result_.matches, [](const RecoveredMatch& match) { return match.match->ended(); });
    return std::move(result_);
  }

 private:
  void read() {
    if (const std::string what = store_.find_unsoundness(); !what.empty())
      result_.damage.push_back("the database is not sound: " + what);
    read_matches();
    tell_commit_damage();
  }

  void sort();
  void read_matches();
  void compare_with_inventory(const std::vector<JournalKey>& keys);
  void tell_commit_damage();
  void work();
  void recover(JournalStore& store, const JournalStore::StoredMatch& stored);
  void tidy(JournalStore& target);
  void copy_matches(JournalStore& target);
  void copy_match(JournalKey key, match::Tick last, JournalStore& target);
  void finish_those_that_ended(JournalStore& target);

  JournalStore& store_;
  const std::filesystem::path path_;
  const OpenFresh open_fresh_;
  Recovery result_;
  std::vector<CommitDamage> commit_damage_;
  RecentTicks recent_;
  std::vector<JournalStore::StoredMatch> running_;
  std::vector<JournalKey> damaged_;  ///< Matches whose log is not as it was written.
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;  ///< Guards the result while several work on it.
  std::exception_ptr failure_;
};

void Recoverer::read_matches() {
  const std::vector<JournalKey> keys = store_.matches();
  compare_with_inventory(keys);
  for (const JournalKey key : keys) {
    std::optional<JournalStore::StoredMatch> stored;
    try {
      stored = store_.read_match(key);
    } catch (const StorageFailure& failure) {
      if (!failure.is_corruption()) throw;
    }
    if (!stored) stored = JournalStore::StoredMatch{.key = key, .is_damaged = true};
    if (stored->ending) {
      result_.ended.push_back(key);
    } else {
      running_.push_back(*std::move(stored));
    }
  }
}

void Recoverer::compare_with_inventory(const std::vector<JournalKey>& keys) {
  const auto inventory = store_.read_inventory();
  if (!inventory) {
    result_.damage.push_back("which matches there have to be is damaged");
    return;
  }
  Inventory found = *inventory;
  found.match_count = found.match_sum = 0;
  for (const JournalKey key : keys) found.add_match(key);
  if (found == *inventory) return;
  result_.damage.push_back("there are " + std::to_string(keys.size()) + " matches where there should be " +
                           std::to_string(inventory->match_count) +
                           ", or others; those that are missing are lost");
  if (inventory->match_count > keys.size()) result_.lost_matches += inventory->match_count - keys.size();
}

void Recoverer::tell_commit_damage() {
  for (const CommitDamage& damage : commit_damage_) {
    const auto match = std::ranges::find(running_, damage.match, &JournalStore::StoredMatch::key);
    const bool is_known = match != running_.end() && match->origin;
    result_.damage.push_back((is_known ? "match " + match->origin->id + ": " : "") + damage.what);
    if (damage.match != 0) damaged_.push_back(damage.match);
  }
}

void Recoverer::work() {
  try {
    JournalStore store(path_);
    for (std::size_t i = next_++; i < running_.size(); i = next_++) recover(store, running_[i]);
  } catch (const StorageFailure&) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
  }
}

void Recoverer::recover(JournalStore& store, const JournalStore::StoredMatch& stored) {
  MatchRecovery recovery(store, recent_, stored);
  auto match = recovery.run();
  const match::Tick last_known = recovery.last_known_tick();
  const std::lock_guard lock(mutex_);
  result_.known.push_back({stored.key, stored.origin ? stored.origin->id : MatchId(), last_known});
  result_.damage.insert(result_.damage.end(), recovery.damage().begin(), recovery.damage().end());
  if (!recovery.damage().empty()) damaged_.push_back(stored.key);
  if (match) {
    result_.matches.push_back(*std::move(match));
  } else {
    ++result_.lost_matches;
  }
}

void Recoverer::sort() {
  std::ranges::sort(result_.matches, {}, [](const RecoveredMatch& match) { return match.origin.id; });
  std::ranges::sort(result_.damage);
}

/// What is after the end of a match that has come back was never told to be durable, or is damaged.
void Recoverer::tidy(JournalStore& target) {
  if (&target != &store_) copy_matches(target);
  std::map<JournalKey, match::Tick> last_ticks;
  for (const RecoveredMatch& recovered : result_.matches) {
    const match::Tick last = recovered.match->tick();
    last_ticks[recovered.key] = last;
    const bool is_damaged = std::ranges::find(damaged_, recovered.key) != damaged_.end();
    if (!is_damaged || recovered.match->ended()) continue;
    target.truncate(recovered.key, last);
    const MatchKeyFrame key_frame{.tick = last,
                                  .digest = recovered.match->digest(),
                                  .cast = recovered.cast,
                                  .snapshot = recovered.match->save()};
    target.write({{recovered.key, RecordKind::kKeyFrame, last, encode(key_frame)}});
  }
  finish_those_that_ended(target);
  pack_recent_ticks(target, recent_, last_ticks, [&target](const auto& work) { work(target); });
  if (!result_.damage.empty()) target.take_stock();
}

void Recoverer::copy_matches(JournalStore& target) {
  for (const RecoveredMatch& recovered : result_.matches)
    copy_match(recovered.key, recovered.match->tick(), target);
  for (const JournalKey key : result_.ended) copy_match(key, std::numeric_limits<match::Tick>::max(), target);
}

/// What can be read of it. What cannot has been told of, or it costs a part of the replay, which tells then.
void Recoverer::copy_match(JournalKey key, match::Tick last, JournalStore& target) {
  const auto stored = store_.read_match(key);
  if (!stored || !stored->origin) return;
  target.write({{key, RecordKind::kCreated, 0, encode(*stored->origin)}});
  if (stored->state) target.write({{key, RecordKind::kState, 0, encode(*stored->state)}});
  if (stored->ending) target.write({{key, RecordKind::kEnded, 0, replay::encode_ending(*stored->ending)}});
  copy_if_readable([&] {
    for (const match::Tick tick : store_.key_frames(key)) {
      copy_if_readable([&] {
        const auto key_frame = store_.read_key_frame(key, tick);
        if (key_frame && tick <= last) target.write({{key, RecordKind::kKeyFrame, tick, encode(*key_frame)}});
      });
    }
  });
  copy_if_readable([&] {
    for (const JournalStore::SegmentPlace& place : store_.segments(key)) {
      copy_if_readable([&] {
        const auto segment = store_.read_segment(key, place.first_tick);
        if (segment && place.last_tick <= last) target.write_segments(key, {*segment});
      });
    }
  });
}

/// Their last tick was written, and the server died before it could say that it was the last.
void Recoverer::finish_those_that_ended(JournalStore& target) {
  for (const RecoveredMatch& recovered : result_.matches) {
    const match::Match& match = *recovered.match;
    if (!match.ended()) continue;
    replay::Timeline timeline = recovered.state.timeline;
    if (recovered.state.tick != match.tick()) timeline.end_unix_ms = 0;  // Its last tick's time is not known.
    const replay::Ending ending{.reason = replay::EndReason::kMatchEnded,
                                .tick_count = match.tick(),
                                .final_digest = match.digest(),
                                .scores = replay::scores_of(match),
                                .cast = recovered.cast,
                                .timeline = timeline};
    target.write({{recovered.key, RecordKind::kEnded, match.tick(), replay::encode_ending(ending)}});
    result_.ended.push_back(recovered.key);
  }
  std::erase_if(result_.matches, [](const RecoveredMatch& recovered) { return recovered.match->ended(); });
}

}  // namespace

Recovery recover(JournalStore& store, const std::filesystem::path& path, const OpenFresh& open_fresh) {
  return Recoverer(store, path, open_fresh).run();
}

Recovery recover_read_only(JournalStore& store) { return Recoverer(store, {}, {}).run_read_only(); }

}  // namespace sweepd::runtime
