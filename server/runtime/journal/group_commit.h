// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/journal/journal.h"

namespace sweepd::runtime {

/// Ticks of many matches, written at once: one row, whose directory says which part is whose. Each entry of
/// the directory and each part has a sum of its own, so that damage costs the matches that it hits and no
/// others.
struct GroupCommit {
  std::string directory =
      {};  ///< Entries of kDirectoryEntryBytes, and a sum of all of them; empty: no entries.
  std::string content = {};
};

inline constexpr std::size_t kDirectoryEntryBytes = 56;
inline constexpr std::size_t kDirectorySumBytes = 8;

/// Of the records of kTick among these; the others are left out. In the order of matches, then of ticks.
GroupCommit encode_ticks(const std::vector<JournalRecord>& records);

/// Consecutive ticks of one match.
struct LoggedTicks {
  JournalKey match = 0;
  match::Tick first_tick = 0;
  match::Tick last_tick = 0;
  std::string_view content = {};  ///< See split_ticks.
};

struct CommitDamage {
  JournalKey match = 0;  ///< 0: whose it was cannot be told.
  std::string what = {};
};

/// What is whole of a commit, and what is not. `commit` must outlive what is returned.
std::vector<LoggedTicks> decode_ticks(const GroupCommit& commit, std::vector<CommitDamage>& damage);

/// The bytes of each tick; fewer where they do not add up.
std::vector<std::string_view> split_ticks(const LoggedTicks& ticks);

}  // namespace sweepd::runtime
