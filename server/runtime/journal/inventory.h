// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/journal/journal.h"

namespace sweepd::runtime {

/// What a journal has to have. SQLite does not notice rows that are gone with a damaged page, and rows that
/// look deleted: this is what to compare with what is there. Written with every change of it, in the same
/// transaction.
struct Inventory {
  std::uint64_t first_commit = 1;  ///< All from here...
  std::uint64_t last_commit = 0;   ///< ...to here are there.
  std::uint64_t match_count = 0;
  std::uint64_t match_sum = 0;  ///< Of a hash of each match's key.

  void add_match(JournalKey key);
  void remove_match(JournalKey key);
  friend bool operator==(const Inventory&, const Inventory&) = default;
};

std::string encode(const Inventory& inventory);
std::optional<Inventory> decode_inventory(std::string_view bytes);

/// What a journal has to have of one match beside its commits.
struct MatchExtent {
  match::Tick last_packed_tick = 0;     ///< Of its segments; 0: it has none.
  match::Tick last_key_frame_tick = 0;  ///< 0: it has none.
  bool has_state = false;
  bool has_ended = false;
  friend bool operator==(const MatchExtent&, const MatchExtent&) = default;
};

std::string encode(const MatchExtent& extent);
std::optional<MatchExtent> decode_extent(std::string_view bytes);

}  // namespace sweepd::runtime
