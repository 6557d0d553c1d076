// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "replay/tick_record.h"
#include "runtime/journal/journal_store.h"

namespace sweepd::runtime {

/// The commits of a journal that have not been packed yet, as they were at one moment: whose ticks are where.
class RecentTicks {
 public:
  /// Reads commits of about `content_bytes_max`, from the oldest on. What cannot be read is told to
  /// `on_damage`.
  using OnDamage = std::function<void(const CommitDamage&)>;
  RecentTicks(JournalStore& store, std::size_t content_bytes_max, const OnDamage& on_damage);

  /// Which commits these are.
  const JournalStore::CommitRange& range() const { return range_; }
  std::vector<JournalKey> matches() const;

  /// Those from `first` to `last`, as far as there are any, ascending; there may be gaps.
  struct EncodedTick {
    match::Tick tick = 0;
    std::string_view bytes = {};
  };
  std::vector<EncodedTick> of(JournalKey match, match::Tick first, match::Tick last) const;

 private:
  void read(std::size_t content_bytes_max, const OnDamage& on_damage);
  void read_what_is_there(const OnDamage& on_damage);
  bool add(std::uint64_t id, const OnDamage& on_damage);

  JournalStore& store_;
  JournalStore::CommitRange range_{1, 0};
  std::vector<std::unique_ptr<GroupCommit>> commits_;
  std::size_t bytes_ = 0;
  std::map<JournalKey, std::vector<LoggedTicks>> ticks_;
};

/// One tick as the journal has it; nothing: it is not what was written.
std::optional<replay::TickRecord> decode_tick(const RecentTicks::EncodedTick& tick);

/// The ticks of a segment; nothing: they are not what was written.
std::optional<std::vector<replay::TickRecord>> unpack(const replay::PackedTicks& ticks);

}  // namespace sweepd::runtime
