// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "replay/writer.h"
#include "runtime/journal/recent_ticks.h"

namespace sweepd::runtime {

/// Makes a match's replay of what the journal has of it. `store` only reads; all three outlive it.
class ReplayExport {
 public:
  ReplayExport(JournalStore& store, const RecentTicks& recent, const JournalStore::StoredMatch& match);

  ReplayExport(JournalStore&, const RecentTicks&&,
               const JournalStore::StoredMatch&) = delete;  ///< They stay here.

  /// Gives the file's bytes to `append`, piece by piece. `ending`: where it ends; the log goes so far at
  /// least. `key`: signs it, where the match has ended. False: the log does not go so far; what was appended
  /// ends without a footer at last_tick().
  using Append = std::function<void(std::string_view)>;
  bool write(const replay::Ending& ending, const replay::SigningKey* key, const Append& append);

  match::Tick last_tick() const { return last_tick_; }

 private:
  void add_segments(match::Tick last, const Append& append);
  void add_recent(match::Tick last, const Append& append);
  void add(const replay::PackedTicks& ticks, const Append& append);
  void add_key_frame(match::Tick tick);

  JournalStore& store_;
  const RecentTicks& recent_;
  const JournalStore::StoredMatch& match_;
  replay::Writer writer_;
  match::Tick last_tick_ = 0;
  std::uint64_t last_digest_ = 0;
};

}  // namespace sweepd::runtime
