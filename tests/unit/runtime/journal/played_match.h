// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
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
      : records_(recordings::record_random_match(seed, ticks)),
        match_(std::move(match::Match::create(recordings::random_match_config(seed)).value())),
        log_(std::make_unique<MatchLog>(*match_, options(journal, key, *match_))) {
    log_->write_state({.clock = {.tick_rate_hz = 60}});
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
    while (match_->tick() < last) play_tick();
  }

  /// The next of those recorded; the last of them ends it.
  void play_tick() {
    const replay::TickRecord& record = records_.at(match_->tick());
    for (const replay::Input& input : record.inputs) apply(input);
    record.ends_match ? log_->end() : log_->step();
    SWEEPD_ASSERT(match_->digest() == record.digest);
  }

  MatchLog& log() { return *log_; }
  const match::Match& match() const { return *match_; }
  std::uint64_t digest(match::Tick tick) const {
    return tick == 0 ? initial_digest_ : records_.at(tick - 1).digest;
  }
  match::Tick tick_count() const { return records_.size(); }

 private:
  void apply(const replay::Input& input) {
    if (const auto* join = std::get_if<replay::Join>(&input)) {
      SWEEPD_ASSERT(log_->join({join->name, join->role})->number == join->number);
    } else if (const auto* leave = std::get_if<replay::Leave>(&input)) {
      log_->leave(leave->number);
    } else if (const auto* away = std::get_if<replay::Away>(&input)) {
      log_->set_away(away->number);
    } else if (const auto* back = std::get_if<replay::Back>(&input)) {
      SWEEPD_ASSERT(log_->set_back(back->number));
    } else {
      const auto& submission = std::get<replay::Submission>(input);
      SWEEPD_ASSERT(!log_->submit(submission.number, submission.frame));
    }
  }

  std::vector<replay::TickRecord> records_;
  std::unique_ptr<match::Match> match_;
  std::uint64_t initial_digest_ = match_->digest();
  std::unique_ptr<MatchLog> log_;
};

}  // namespace sweepd::runtime
