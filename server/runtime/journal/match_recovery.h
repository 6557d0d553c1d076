// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/journal/recent_ticks.h"
#include "runtime/journal/recovery.h"

namespace sweepd::runtime {

/// Brings one match back. Reads from a store of its own, so that several can be at it at once.
class MatchRecovery {
 public:
  MatchRecovery(JournalStore& store, const RecentTicks& recent, const JournalStore::StoredMatch& stored)
      : store_(store), recent_(recent), stored_(stored) {}

  /// Nothing: it cannot be brought back; `damage` says why.
  std::optional<RecoveredMatch> run();

  const std::vector<std::string>& damage() const { return damage_; }

  /// The last of which the database tells that it was there.
  match::Tick last_known_tick();

 private:
  struct Attempt {
    std::unique_ptr<match::Match> match;
    replay::Cast cast;
  };

  void note(const std::string& what);
  template <typename Read>
  auto read(const std::string& what, Read read) -> decltype(read());
  std::optional<Attempt> begin(const match::MatchConfig& config);
  std::optional<Attempt> from_key_frame(const match::MatchConfig& config, match::Tick tick);
  bool play(Attempt& attempt, match::Tick last);
  const std::vector<JournalStore::SegmentPlace>& segments();
  std::optional<std::vector<replay::TickRecord>> next_ticks(match::Tick first);
  std::optional<std::vector<replay::TickRecord>> next_recent(match::Tick first);
  void note_what_is_missing(match::Tick last);
  void take_state(RecoveredMatch& recovered);
  static void take_holders(RecoveredMatch& recovered);

  JournalStore& store_;
  const RecentTicks& recent_;
  const JournalStore::StoredMatch& stored_;
  std::optional<std::vector<JournalStore::SegmentPlace>> segments_;
  std::vector<std::string> damage_;
  std::optional<match::Tick> diverges_in_;
};

}  // namespace sweepd::runtime
