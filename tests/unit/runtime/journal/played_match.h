// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "recordings/random_match.h"
#include "replay/head.h"
#include "runtime/journal/match_log.h"

namespace sweepd::runtime {

/// A recorded random match that is played once more, by way of a log: what a host would do.
class PlayedMatch {
 public:
  PlayedMatch(Journal& journal, JournalKey key, std::uint64_t seed, std::uint32_t ticks)
      : records_(records_of(seed, ticks)),
        recorder_(std::move(match::Match::create(recordings::random_match_config(seed)).value())),
        log_(recorder_, options(journal, key, match())) {
    log_.write_state({.clock = {.tick_rate_hz = 60}});
  }

  using Records = std::shared_ptr<const std::vector<replay::TickRecord>>;

  /// Each is recorded once in a process, and not again in those that it forks.
  static Records records_of(std::uint64_t seed, std::uint32_t ticks) {
    static std::mutex mutex;
    static std::map<std::pair<std::uint64_t, std::uint32_t>, Records> recorded;
    const std::lock_guard lock(mutex);
    Records& records = recorded[{seed, ticks}];
    if (!records)
      records =
          std::make_shared<std::vector<replay::TickRecord>>(recordings::record_random_match(seed, ticks));
    return records;
  }

  /// `key`: 1 to 26.
  static MatchId id_of(JournalKey key) {
    return std::string("thetestsmatchno") + static_cast<char>(0x60 + key);
  }

  static MatchLog::Options options(Journal& journal, JournalKey key, const match::Match& match) {
    return {
        .journal = &journal,
        .key = key,
        .origin = MatchOrigin{id_of(key), 1'700'000'000'000, replay::head_of(match, id_of(key), "nonce")}};
  }

  void play(match::Tick last) {
    while (match().tick() < last) play_tick();
  }

  /// The next of those recorded; the last of them ends it.
  void play_tick() {
    const replay::TickRecord& record = records_->at(match().tick());
    for (const match::Input& input : record.inputs) {
      std::visit([this](const auto& any) { static_cast<void>(recorder_.apply(any)); }, input);
    }
    record.ends_match ? recorder_.end() : recorder_.step();
    log_.write_tick();
    SWEEPD_ASSERT(match().digest() == record.digest);
  }

  MatchLog& log() { return log_; }
  const match::Match& match() const { return recorder_.match(); }
  std::uint64_t digest(match::Tick tick) const {
    return tick == 0 ? initial_digest_ : records_->at(tick - 1).digest;
  }
  match::Tick tick_count() const { return records_->size(); }

 private:
  Records records_;
  replay::Recorder recorder_;
  std::uint64_t initial_digest_ = match().digest();
  MatchLog log_;
};

}  // namespace sweepd::runtime
